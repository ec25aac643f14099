package notion

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"parity/fakes/cast"
)

// A dated value is a date of a formula, or a range of them.
type dated struct {
	start, end instantOf
	ranged     bool
}

// shown is a date as properties have it.
func (d dated) shown() map[string]any {
	value := map[string]any{"start": spelt(d.start), "end": nil, "time_zone": nil}
	if d.ranged {
		value["end"] = spelt(d.end)
	}
	return value
}

func spelt(m instantOf) string {
	if m.day {
		return m.at.Format(time.DateOnly)
	}
	return m.at.Format("2006-01-02T15:04:05.000-07:00")
}

// An evaluation works a formula out for one page. It spends of a call's work
// what it does.
type evaluation struct {
	look  func(page any, key string) any // a property; page is nil for the own
	id    string                         // of the page
	now   time.Time
	spend func(steps int)
	vars  []binding
}

type binding struct {
	name  string
	value any
}

// A function of formulas. Those that are lazy work their arguments out
// themselves.
type function struct {
	least, most int // arguments; most -1: any number
	eager       func(*evaluation, []any) any
	lazy        func(*evaluation, []*term) any
}

func (e *evaluation) of(n *term) any {
	e.spend(1)
	switch {
	case n == nil:
		return nil
	case n.name != "":
		for _, b := range slices.Backward(e.vars) {
			if b.name == n.name {
				return b.value
			}
		}
		if n.by.eager != nil && n.by.least == 0 {
			return n.by.eager(e, nil)
		}
		return nil
	case n.call == "":
		return n.value
	}
	if n.by.lazy != nil {
		return n.by.lazy(e, n.args)
	}
	given := make([]any, len(n.args))
	for i, arg := range n.args {
		given[i] = e.of(arg)
		e.weigh(given[i])
	}
	return n.by.eager(e, given)
}

// with works a part out while names are bound.
func (e *evaluation) with(n *term, bound ...binding) any {
	was := len(e.vars)
	e.vars = append(e.vars, bound...)
	defer func() { e.vars = e.vars[:was] }()
	return e.of(n)
}

// each works a part out for each item of a list, until told to stop.
func (e *evaluation) each(list any, n *term, do func(i int, item, result any) bool) {
	for i, item := range listOf(list) {
		if !do(i, item, e.with(n, binding{"current", item}, binding{"index", float64(i)})) {
			return
		}
	}
}

// weigh spends for looking at all of a value.
func (e *evaluation) weigh(v any) {
	switch x := v.(type) {
	case string:
		e.spend(len(x) / 64)
	case []any:
		e.spend(len(x))
		for _, one := range x {
			e.weigh(one)
		}
	}
}

// listOf is a value as a list: one that is none is a list of one.
func listOf(v any) []any {
	switch x := v.(type) {
	case nil:
		return nil
	case []any:
		return x
	}
	return []any{v}
}

func number(v any) float64 {
	switch x := v.(type) {
	case bool:
		return float64(btoi(x))
	case dated:
		return float64(x.start.at.UnixMilli())
	case string:
		n, _ := strconv.ParseFloat(x, 64)
		return n
	}
	n, _ := float(v)
	return n
}

func truth(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	}
	return !hollow(v)
}

// hollow is what empty() says of a value: nought is empty too.
func hollow(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case string:
		return x == ""
	case float64:
		return x == 0
	case []any:
		return len(x) == 0
	}
	return false
}

// said is a value as text.
func said(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case dated:
		if x.ranged {
			return spelt(x.start) + " → " + spelt(x.end)
		}
		return spelt(x.start)
	case []any:
		text := ""
		for i, one := range x {
			if i > 0 {
				text += ", "
			}
			text += said(one)
		}
		return text
	case map[string]any:
		return describe(or(x["name"], x["id"]))
	}
	return describe(v)
}

// compared orders two values: dates by time, numbers by size, all else as text.
func compared(a, b any) int {
	x, ok := a.(dated)
	y, ok2 := b.(dated)
	if ok && ok2 {
		return x.start.compare(y.start)
	}
	if _, text := a.(string); !text {
		if _, text := b.(string); !text {
			return cmp.Compare(number(a), number(b))
		}
	}
	return cmp.Compare(said(a), said(b))
}

// alike tells whether two values are the same.
func alike(a, b any) bool {
	x, ok := a.(dated)
	y, ok2 := b.(dated)
	if ok && ok2 {
		return x.start.compare(y.start) == 0 && x.ranged == y.ranged && (!x.ranged || x.end.compare(y.end) == 0)
	}
	return said(a) == said(b)
}

// dateOf reads a date of a property.
func dateOf(v any) (dated, bool) {
	switch x := v.(type) {
	case dated:
		return x, true
	case map[string]any:
		start, ok := moment(cast.Text(x["start"]))
		end, ranged := moment(cast.Text(x["end"]))
		return dated{start, end, ranged}, ok
	}
	return dated{}, false
}
