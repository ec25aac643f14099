package mirror

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/specs"
	"parity/specs/personal"
)

// leastID is how long a text is at least that is taken for a record's id wherever
// it stands.
const leastID = 8

// A Sampling says how many of a service's records a mirror has.
type Sampling struct {
	Key   []byte  // by which records are drawn: the same ones each night with one key
	Share float64 // of the records of each collection, above 0 and up to 1
	Most  int     // records that are drawn, of all collections; 0: any number
}

// Drawn tells whether a record is in the share.
func (s Sampling) Drawn(k Key) bool { return s.Share >= 1 || s.lot(k) < s.Share }

// lot is a number of a record's own, from 0 to 1.
func (s Sampling) lot(k Key) float64 {
	h := hmac.New(sha256.New, s.Key)
	_, _ = h.Write([]byte("sample\x00" + k.Collection + "\x00" + k.ID))
	n := binary.BigEndian.Uint64(h.Sum(nil))
	return float64(n>>11) / (1 << 53)
}

// Sample gives of some exchanges the records that are drawn, those that they refer
// to, and those that stand beneath them.
func Sample(all []Exchange, contract *specs.Contract, s Sampling) ([]Exchange, Left) {
	left := Left{}
	if s.Share >= 1 && s.Most == 0 {
		return all, left
	}
	p := newPool(all, contract)
	p.draw(s)
	var kept []Exchange
	for i := range all {
		e := all[i]
		if above, known := p.above(&e); known && !above {
			left[Beneath]++
			continue
		}
		items, many := e.items()
		if !many {
			if own := e.records(); len(own) == 0 || p.kept[own[0].Key] {
				kept = append(kept, e)
			} else {
				left[Sampled]++
			}
			continue
		}
		var some []any
		for _, item := range items {
			if k, ok := e.keyOf(cast.Object(item)); !ok || p.kept[k] || p.beneath(&e) {
				some = append(some, item)
			} else {
				left[Sampled]++
			}
		}
		if len(some) > 0 {
			kept = append(kept, cut(e, some, p.referred))
		}
	}
	return kept, left
}

// A pool has the records that there are.
type pool struct {
	contract *specs.Contract
	all      []Exchange
	records  map[Key][]Record
	order    map[string][]Key // by collection, as they come
	byID     map[string][]Key
	kept     map[Key]bool
	referred map[string]bool // ids that kept records name
}

func newPool(all []Exchange, contract *specs.Contract) *pool {
	p := &pool{contract: contract, all: all, records: map[Key][]Record{}, order: map[string][]Key{}, byID: map[string][]Key{}, kept: map[Key]bool{}, referred: map[string]bool{}}
	for i := range all {
		for _, r := range all[i].records() {
			if p.records[r.Key] == nil {
				p.order[r.Collection] = append(p.order[r.Collection], r.Key)
				p.byID[r.ID] = append(p.byID[r.ID], r.Key)
			}
			p.records[r.Key] = append(p.records[r.Key], r)
		}
	}
	return p
}

// draw keeps what is drawn, one of each collection in turn, and then all that this
// refers to.
func (p *pool) draw(s Sampling) {
	own := map[Key]bool{} // those beneath others are drawn with them
	for i := range p.all {
		if _, known := p.above(&p.all[i]); !known {
			for _, r := range p.all[i].records() {
				own[r.Key] = true
			}
		}
	}
	names, sure := slices.Sorted(maps.Keys(p.order)), map[string]int{} // of each collection one is drawn
	for name, keys := range p.order {
		least := 2.0
		for i, k := range keys {
			if lot := s.lot(k); own[k] && lot < least {
				least, sure[name] = lot, i
			}
		}
	}
	drawn := 0
	for round, more := 0, true; more; round++ {
		more = false
		for _, name := range names {
			if round >= len(p.order[name]) || s.Most > 0 && drawn >= s.Most {
				continue
			}
			more = true
			if k := p.order[name][round]; own[k] && (s.Drawn(k) || round == sure[name]) && !p.kept[k] {
				p.keep(k)
				drawn++
			}
		}
	}
	for i := range p.all { // what stands beneath what is kept, and what that refers to
		if above, known := p.above(&p.all[i]); known && above {
			for _, r := range p.all[i].records() {
				p.keep(r.Key)
			}
		}
	}
}

// keep keeps a record, and those that it refers to.
func (p *pool) keep(k Key) {
	waiting := []Key{k}
	for len(waiting) > 0 {
		k, waiting = waiting[0], waiting[1:]
		if p.kept[k] {
			continue
		}
		p.kept[k] = true
		for _, r := range p.records[k] {
			references(p.contract, r, func(field, collection, id string) {
				p.referred[id] = true
				for _, other := range p.byID[id] {
					if p.means(field, collection, id, other.Collection) {
						waiting = append(waiting, other)
					}
				}
			})
		}
	}
}

// means tells whether a field that refers to an id may mean a record of a collection.
// What is inferred of it counts where there is such a collection.
func (p *pool) means(field, collection, id, other string) bool {
	if collection == other || alike(field, other) || people(field) && personal.People(other) {
		return true
	}
	_, is := strconv.Atoi(id)
	return len(p.order[collection]) == 0 && len(id) >= leastID && is != nil
}

// above tells whether what stands above an exchange, in its path, is kept; known is
// false where nothing of that is a record that there is.
func (p *pool) above(e *Exchange) (kept, known bool) {
	for _, name := range slices.Sorted(maps.Keys(e.Path)) {
		if name == e.Operation.Anatomy.Member && !e.Operation.Anatomy.List {
			continue
		}
		for _, k := range p.byID[e.Path[name]] {
			if named(name, k.Collection) {
				return p.kept[k], true
			}
		}
	}
	return false, false
}

func (p *pool) beneath(e *Exchange) bool { kept, known := p.above(e); return known && kept }

// named tells whether a parameter is one for the ids of a collection: ticket_id and
// tickets.
func named(parameter, collection string) bool {
	return alike(strings.ToLower(parameter), strings.ToLower(collection)) || parameter == "id"
}

// cut gives a list with some of its items, and without what stands beside them that
// nothing refers to.
func cut(e Exchange, items []any, referred map[string]bool) Exchange {
	at := e.Operation.Anatomy.Items
	e.Said = put(e.Said, specs.PointerNames(at), items)
	object, ok := e.Said.(map[string]any)
	if !ok || at == "" {
		return e
	}
	for name, beside := range object {
		list, many := beside.([]any)
		if !many || "/"+name == at {
			continue
		}
		object[name] = slices.DeleteFunc(slices.Clone(list), func(v any) bool {
			value, is := v.(map[string]any)
			id := identity(value, "")
			return is && id != "" && !referred[id]
		})
	}
	return e
}

// put gives a value with another at a place, and copies what it changes.
func put(v any, at []string, is any) any {
	if len(at) == 0 {
		return is
	}
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	object = maps.Clone(object)
	object[at[0]] = put(object[at[0]], at[1:], is)
	return object
}
