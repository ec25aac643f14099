package overlay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// answers are what the fake says to one call, with and without what the run has
// changed.
type answers struct{ without, with fakes.Reply }

// ask has the fake answer a call in the run's world, and leaves nothing there. Ids
// that it draws are the same each time.
func (o Over) ask(call *fakes.Call) fakes.Reply {
	inner := *call
	inner.Work, inner.Carrier, inner.Header = nil, nil, bare(call.Header)
	drawn := 0
	inner.NewID = func(prefix string, n int) string {
		drawn++
		return fmt.Sprintf("%s%0*d", prefix, n, drawn)
	}
	mark := call.Tx.Mark()
	defer call.Tx.Restore(mark)
	return o.Service.Ask(&inner)
}

// both asks the fake for a call with and without what the run has changed.
func (o Over) both(all []*record, call *fakes.Call, ask func(*fakes.Call) fakes.Reply) answers {
	mark := call.Tx.Mark()
	defer call.Tx.Restore(mark)
	all = o.plainly(call.Tx, all)
	with := ask(call)
	undo(call.Tx, all)
	return answers{ask(call), with}
}

// plainly has what the run has changed, now and before, be as the call's own texts
// have it: a filter finds what is kept as a digest.
func (o Over) plainly(tx *world.Tx, all []*record) []*record {
	if o.Plain == nil || !slices.ContainsFunc(all, func(r *record) bool { return veiled(r.Base) }) {
		return all
	}
	plain := o.Plain()
	opened := make([]*record, len(all))
	for i, r := range all {
		one := *r
		if opened[i] = &one; !veiled(r.Base) {
			continue
		}
		one.Base = cast.Object(lifted(r.Base, plain))
		held, there := tx.Get(r.Collection, r.ID)
		if !there {
			continue
		}
		_, err := tx.Update(r.Collection, r.ID, cast.Object(lifted(held.Value(), plain)))
		kit.Must("overlay", err)
	}
	return opened
}

// veiled tells whether a value has texts that are kept as digests.
func veiled(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			if veiled(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, veiled)
	case string:
		return strings.Contains(v, "<")
	}
	return false
}

func lifted(v any, plain map[string]string) any {
	switch v := v.(type) {
	case map[string]any:
		opened := make(map[string]any, len(v))
		for name, inner := range v {
			opened[name] = lifted(inner, plain)
		}
		return opened
	case []any:
		opened := make([]any, len(v))
		for i, inner := range v {
			opened[i] = lifted(inner, plain)
		}
		return opened
	case string:
		if known, ok := plain[v]; ok {
			return known
		}
	}
	return v
}

// good tells a reply that grants what was asked; some services say in a 200 that
// they do not.
func good(r fakes.Reply) bool {
	if r.Status/100 != 2 {
		return false
	}
	if len(r.Body) > mostRefusal {
		return true
	}
	var said struct {
		OK *bool `json:"ok"`
	}
	return json.Unmarshal(r.Body, &said) != nil || said.OK == nil || *said.OK
}

// mostRefusal is how long a body is at most that says no.
const mostRefusal = 4096

// Before says how a read is answered, before the real service is asked.
func (o Over) Before(call *fakes.Call) Plan {
	all := changed(call.Tx, o.Service.Name)
	if len(all) == 0 {
		return Plan{}
	}
	plan := Plan{}
	for _, name := range conditional() {
		if call.Header.Get(name) != "" {
			plan.Drop = append(plan.Drop, name)
		}
	}
	a := o.both(all, o.whole(call), o.ask)
	if good(a.without) != good(a.with) && a.with.Status < http.StatusInternalServerError {
		own := o.ask(call)
		plan.Own = &own
	}
	return plan
}

// absorbs tells whether the fake takes in what the real service says.
func (o Over) absorbs() (fakes.Importer, bool) {
	i, ok := o.Service.Fake.(fakes.Importer)
	return i, ok
}
