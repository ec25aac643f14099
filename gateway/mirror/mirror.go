// Package mirror makes mirrors of real services: what reads of them showed, sampled,
// with pseudonyms in the place of what is of people, as a conversation that fixtures
// can name.
//
//	a HAR file   ┐
//	samples      ├─▶ Take: the reads that say something ─▶ Sample ─▶ Redact ─▶ a mirror
//	an upstream  ┘   (Walk: lists, pages, and what is referred to)
//
// It has no way out: whoever walks an upstream hands in what reads of it.
package mirror

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/recording"
	"parity/specs"
	"parity/specs/body"
)

// An Exchange is a read that a mirror may have, with its operation and what it says.
type Exchange struct {
	recording.Exchange
	Operation *specs.Operation
	Path      map[string]string // the values of its path's parameters
	Said      any               // the reply's body, decoded

	contract *specs.Contract
}

// Why exchanges and records are left out.
const (
	NoOperation = "exchanges of no operation of the contract"
	NoRead      = "exchanges that do more than read"
	NoSuccess   = "exchanges that were refused, or have no reply"
	NoJSON      = "exchanges without JSON in their reply"
	NoGrant     = "exchanges that the service refuses with a status of success"
	Older       = "exchanges that were answered once more later"
	Sampled     = "records that are not in the sample"
	Beneath     = "exchanges about records that are not in the sample"
)

// A Left counts what is left out, by why.
type Left map[string]int

// Take gives what a mirror can have of some exchanges: reads of the contract's
// operations that were answered with JSON, each address once, as it was answered
// last. reads tells what only reads.
func Take(all []recording.Exchange, contract *specs.Contract, reads func(recording.Exchange) bool) ([]Exchange, Left) {
	left := Left{}
	var taken []Exchange
	at := map[string]int{}
	for _, e := range all {
		one := Exchange{Exchange: e, contract: contract}
		u, err := url.Parse(e.Request.URL)
		if err != nil {
			left[NoOperation]++
			continue
		}
		m := contract.MatchCall(&specs.Call{Method: e.Request.Method, Path: u.EscapedPath(), Query: u.RawQuery, Header: header(e.Request.Header), Body: []byte(e.Request.Text())})
		one.Operation, one.Path = m.Operation, m.Path
		said, wrong := body.DecodeJSON([]byte(e.Response.Body))
		one.Said = said
		if why := refused(one, wrong != nil || said == nil, reads); why != "" {
			left[why]++
			continue
		}
		key := e.Request.Method + " " + u.RequestURI() + " " + e.Request.Text()
		if n, twice := at[key]; twice {
			taken[n] = one
			left[Older]++
			continue
		}
		at[key] = len(taken)
		taken = append(taken, one)
	}
	agree(taken)
	return taken, left
}

// refused tells why a mirror cannot have an exchange; "": it can.
func refused(e Exchange, noJSON bool, reads func(recording.Exchange) bool) string {
	switch ok, _ := cast.Object(e.Said)["ok"].(bool); {
	case e.Operation == nil:
		return NoOperation
	case !reads(e.Exchange):
		return NoRead
	case !e.Response.Good():
		return NoSuccess
	case noJSON:
		return NoJSON
	case !ok && cast.Object(e.Said)["ok"] == false:
		return NoGrant
	}
	return ""
}

func header(of map[string]string) http.Header {
	h := http.Header{}
	for name, value := range of {
		h.Set(name, value)
	}
	return h
}

// A Key names a record.
type Key struct{ Collection, ID string }

// A Record is a record where a reply shows it.
type Record struct {
	Key
	Value map[string]any
	Path  map[string]string // what its path said of whose it is
}

// records are those that a reply shows: the items of a list, or the one.
func (e *Exchange) records() []Record {
	a := &e.Operation.Anatomy
	var all []Record
	add := func(v any, id string) {
		value := cast.Object(v)
		k, ok := e.keyOf(value)
		if !ok {
			k = Key{a.Collection, id}
		}
		if value != nil && k.ID != "" {
			all = append(all, Record{k, value, e.Path})
		}
	}
	if items, ok := e.items(); ok {
		for _, item := range items {
			add(item, "")
		}
		return all
	}
	if a.Member != "" || len(e.Path) == 0 {
		add(one(e.Said), e.Path[a.Member])
	}
	return all
}

// keyOf is what a record in a reply is known by: its own address says so where it
// shows one, since lists of what was searched for have records of several kinds.
func (e *Exchange) keyOf(value map[string]any) (Key, bool) {
	if at, ok := value["url"].(string); ok {
		m := e.contract.Match(http.MethodGet, pathOf(at))
		if op := m.Operation; op != nil && !op.Anatomy.List && m.Path[op.Anatomy.Member] != "" && strings.HasSuffix(op.Path, "/{"+op.Anatomy.Member+"}") {
			id := m.Path[op.Anatomy.Member]
			if own := identity(value, ""); own != "" {
				id = own
			}
			return Key{op.Anatomy.Collection, id}, true
		}
	}
	id := identity(value, e.Operation.Anatomy.ID)
	return Key{e.Operation.Anatomy.Collection, id}, id != ""
}

// items are those of a list.
func (e *Exchange) items() ([]any, bool) {
	if !e.Operation.Anatomy.List {
		return nil, false
	}
	v, _ := specs.ValueAt(e.Said, e.Operation.Anatomy.Items)
	items, ok := v.([]any)
	return items, ok
}

// one is the record in a reply: the whole, or what stands alone in it.
func one(said any) any {
	whole := cast.Object(said)
	if len(whole) == 1 {
		for _, inner := range whole {
			if _, ok := inner.(map[string]any); ok {
				return inner
			}
		}
	}
	return said
}

// identity is what a record is known by; "" where it does not say.
func identity(value map[string]any, field string) string {
	for _, name := range []string{field, "id", "ts", "sha", "uid", "key", "email"} {
		var held any = value
		for part := range strings.SplitSeq(name, ".") {
			held = cast.Object(held)[part]
		}
		if text := cast.Plain(held); name != "" && text != "" {
			return text
		}
	}
	return ""
}

// Counts is how many different records of each collection some exchanges show.
func Counts(all []Exchange) (counts map[string]int, records int) {
	met := map[Key]bool{}
	counts = map[string]int{}
	for i := range all {
		for _, r := range all[i].records() {
			if !met[r.Key] {
				met[r.Key] = true
				counts[r.Collection]++
			}
		}
	}
	return counts, len(met)
}

// agree has what earlier replies show of a record be as the last one has it: a
// mirror is of one moment, and a world takes the first for what was.
func agree(all []Exchange) {
	newest := map[Key]map[string]any{}
	for i := range slices.Backward(all) {
		for _, r := range all[i].records() {
			known := newest[r.Key]
			if known == nil {
				known = map[string]any{}
				newest[r.Key] = known
			}
			for name, value := range r.Value {
				if !scalar(value) {
					continue
				}
				if later, ok := known[name]; ok {
					r.Value[name] = later
				} else {
					known[name] = value
				}
			}
		}
	}
}

func scalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// plain is the text of a text or of a whole number.
func plain(v any) string {
	switch v.(type) {
	case string, int64:
		return cast.Plain(v)
	}
	return ""
}
