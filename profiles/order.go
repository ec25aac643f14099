package profiles

import (
	"strings"
	"time"

	"parity/fakes/expression"
	"parity/faults"
)

// An Order says that calls want others before them. A call out of order is
// refused.
type Order struct {
	Name   string
	Each   []faults.Pattern
	Needs  []faults.Pattern
	Where  *expression.Program // of earlier and later; nil: anything goes
	Within time.Duration       // on the run's clock; 0: at any time
	Words  string              // what is wanted, for who reads the refusal
}

// orders are the expectations that are enforced.
func (b *binder) orders(expected []Expectation) []Order {
	var all []Order
	for _, e := range expected {
		if e.Form != Each || !e.Enforce {
			continue
		}
		o := Order{Name: e.Name, Each: e.Calls, Needs: e.Needs, Within: e.Within, Words: inWords(b.tree.get("expect").get(e.Name))}
		if e.Where != nil {
			o.Where = e.Where.Program
		}
		all = append(all, o)
	}
	return all
}

func inWords(it *item) string {
	said := "It wants " + strings.Join(it.get("needs").strings(), " or ") + " to have succeeded before"
	if within := it.get("within"); within.ok() {
		said += ", within " + within.source
	}
	if where := it.get("where"); where.ok() {
		said += ", where " + where.str()
	}
	return said + "."
}
