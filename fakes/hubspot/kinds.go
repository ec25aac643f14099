package hubspot

import (
	"strconv"
	"strings"

	"parity/fakes/cast"
)

// A tie is a way in which records of two types can be associated. HubSpot has
// a number for each direction.
type tie struct {
	id, inverse int64
	from, to    string
	name        string // as v3 has it
	label       string // "": it has none
	own         bool   // of a type that the account made itself
}

// ties are those that HubSpot defines: the numbers of one direction and of the
// other, unlabelled ones first.
// Source: developers.hubspot.com/docs/api-reference/crm-associations-v4, association type id values.
const ties = `
contacts companies 279 280
contacts companies 1 2 Primary
contacts deals 4 3
contacts tickets 15 16
contacts contacts 449 449
companies companies 450 450
companies companies 14 13 Parent Company/Child Company
companies deals 342 341
companies deals 6 5 Primary
companies tickets 340 339
companies tickets 25 26 Primary
deals deals 451 451
deals tickets 27 28
tickets tickets 452 452
deals line_items 19 20
deals quotes 63 64
quotes line_items 67 68
quotes contacts 69 70
quotes companies 71 72
contacts notes 201 202
contacts tasks 203 204
contacts calls 193 194
contacts emails 197 198
contacts meetings 199 200
companies notes 189 190
companies tasks 191 192
companies calls 181 182
companies emails 185 186
companies meetings 187 188
deals notes 213 214
deals tasks 215 216
deals calls 205 206
deals emails 209 210
deals meetings 211 212
tickets notes 227 228
tickets tasks 229 230
tickets calls 219 220
tickets emails 223 224
tickets meetings 225 226
`

// primaries are the types of a record's main company.
var primaries = map[int64]bool{1: true, 2: true, 5: true, 6: true, 25: true, 26: true}

// readTies reads the table above, in both directions.
func (t *types) readTies() []tie {
	var all []tie
	for line := range strings.SplitSeq(strings.TrimSpace(ties), "\n") {
		parts := strings.SplitN(line, " ", 5)
		forth, _ := strconv.ParseInt(parts[2], 10, 64)
		back, _ := strconv.ParseInt(parts[3], 10, 64)
		label, other := "", ""
		if len(parts) > 4 {
			label, other, _ = strings.Cut(parts[4], "/")
			if other == "" {
				other = label
			}
		}
		all = append(all, t.tie(forth, back, parts[0], parts[1], label))
		if forth != back {
			all = append(all, t.tie(back, forth, parts[1], parts[0], other))
		}
	}
	return all
}

func (t *types) tie(id, inverse int64, from, to, label string) tie {
	name := t.byName[from].singular + "_to_" + t.byName[to].singular
	switch {
	case label == "" && (id == 279 || id == 280 || id == 341 || id == 342 || id == 339 || id == 340):
		name += "_unlabeled"
	case label == "Parent Company":
		name = "child_to_parent_company"
	case label == "Child Company":
		name = "parent_to_child_company"
	}
	return tie{id: id, inverse: inverse, from: from, to: to, name: name, label: label}
}

// ties lists the ways in which records of one type can be associated with those
// of another: HubSpot's and the account's own.
func (c *call) ties(from, to *objectType) []tie {
	var all []tie
	for _, t := range c.fake.types.ties {
		if t.from == from.name && t.to == to.name {
			all = append(all, t)
		}
	}
	if len(all) == 0 { // a pair that the table does not have, such as types of the account's own
		id, back := made(from.name, to.name), made(to.name, from.name)
		all = append(all, tie{id: id, inverse: back, from: from.name, to: to.name, name: c.pairName(from, to), own: from.custom || to.custom})
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(labels), 0) {
		if cast.Text(r.Value()["from"]) != from.name || cast.Text(r.Value()["to"]) != to.name {
			continue
		}
		id, _ := strconv.ParseInt(r.ID, 10, 64)
		inverse, _ := r.Value()["inverse"].(int64)
		all = append(all, tie{id: id, inverse: inverse, from: from.name, to: to.name, name: cast.Text(r.Value()["name"]), label: cast.Text(r.Value()["label"])})
	}
	return all
}

// made is the number of the unlabelled association of a pair that HubSpot has
// no number for here.
func made(from, to string) int64 {
	n := int64(1000)
	for _, r := range from + ">" + to {
		n = (n*31 + int64(r)) % 9000
	}
	return 1000 + n
}

// plainTie is the way without a label.
func (c *call) plainTie(from, to *objectType) tie {
	all := c.ties(from, to)
	for _, t := range all {
		if t.label == "" {
			return t
		}
	}
	return all[0]
}

func (c *call) tie(from, to *objectType, id int64) (tie, bool) {
	for _, t := range c.ties(from, to) {
		if t.id == id {
			return t, true
		}
	}
	return tie{}, false
}

// typeName is a type of association as v3 has it: contact_to_company.
func (c *call) typeName(from, to *objectType, id int64) string {
	if t, ok := c.tie(from, to, id); ok && t.name != "" {
		return t.name
	}
	return from.singular + "_to_" + to.singular
}

// inverse is the same association as the other record has it.
func (c *call) inverse(from, to *objectType, id int64) int64 {
	if t, ok := c.tie(from, to, id); ok {
		return t.inverse
	}
	return id
}

// category says who defined a type of association.
func (t tie) category() string {
	if t.own || t.label != "" && !primaries[t.id] && t.id != 13 && t.id != 14 {
		return "USER_DEFINED"
	}
	return "HUBSPOT_DEFINED"
}

// shown writes a type as v4 does.
func (t tie) shown() map[string]any {
	shown := map[string]any{"category": t.category(), "typeId": t.id, "label": nil}
	if t.label != "" {
		shown["label"] = t.label
	}
	return shown
}
