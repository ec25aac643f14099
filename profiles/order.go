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

// orders reads what is expected of the agent, as far as it is enforced.
func (b *binder) orders() []Order {
	var all []Order
	for _, f := range b.tree.get("expect").all() {
		it := f.item
		if !it.ok() {
			continue
		}
		b.complete(f, "expectation")
		o := Order{Name: f.name, Each: b.patterns(it.get("each"), true), Needs: b.patterns(it.get("needs"), true), Within: it.get("within").span()}
		if where := it.get("where"); where.ok() {
			var err error
			if o.Where, err = expression.Compile(where.str(), expression.Bool, expression.Env{"earlier", "later"}); err != nil {
				b.expression(where, "where", err)
			}
		}
		if enforce := it.get("enforce"); enforce.ok() && !enforce.flag(false) {
			b.wrong(enforce.place, "enforce: true refuses what comes out of order", "expectation %s: orders that are judged and not enforced are not supported by this version of Parity", f.name)
		}
		o.Words = inWords(it)
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
