package notion

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// formulaFunctions are those of the formula language that are worked out. What
// is missing is refused when a schema is written: style, unstyle, formatNumber
// and the few that need the app.
// Source: www.notion.com/help/formula-syntax.
var formulaFunctions = sync.OnceValue(func() map[string]function {
	all := map[string]function{}
	for _, family := range []map[string]function{logic(), numeric(), wording(), dating(), listing(), joining(), walking()} {
		maps.Copy(all, family)
	}
	return all
})

func eager(least, most int, f func(*evaluation, []any) any) function {
	return function{least: least, most: most, eager: f}
}

func lazy(least, most int, f func(*evaluation, []*term) any) function {
	return function{least: least, most: most, lazy: f}
}

func logic() map[string]function {
	return map[string]function{
		"prop": eager(1, 2, func(e *evaluation, v []any) any {
			if len(v) == 2 { // a page, and one of its properties
				return e.look(v[0], said(v[1]))
			}
			return e.look(nil, said(v[0]))
		}),
		"id": eager(0, 1, func(e *evaluation, v []any) any {
			if len(v) == 1 {
				return undashed(kit.Text(cast.Object(v[0]), "id"))
			}
			return e.id
		}),
		"if": lazy(3, 3, func(e *evaluation, n []*term) any {
			if truth(e.of(n[0])) {
				return e.of(n[1])
			}
			return e.of(n[2])
		}),
		"ifs": lazy(3, -1, func(e *evaluation, n []*term) any {
			for ; len(n) > 1; n = n[2:] {
				if truth(e.of(n[0])) {
					return e.of(n[1])
				}
			}
			if len(n) == 1 {
				return e.of(n[0])
			}
			return nil
		}),
		"let": lazy(3, 3, bind), "lets": lazy(3, -1, bind),
		"and": lazy(2, -1, func(e *evaluation, n []*term) any {
			return !slices.ContainsFunc(n, func(one *term) bool { return !truth(e.of(one)) })
		}),
		"or": lazy(2, -1, func(e *evaluation, n []*term) any {
			return slices.ContainsFunc(n, func(one *term) bool { return truth(e.of(one)) })
		}),
		"not":       eager(1, 1, func(_ *evaluation, v []any) any { return !truth(v[0]) }),
		"empty":     eager(1, 1, func(_ *evaluation, v []any) any { return hollow(v[0]) }),
		"equal":     eager(2, 2, func(_ *evaluation, v []any) any { return alike(v[0], v[1]) }),
		"unequal":   eager(2, 2, func(_ *evaluation, v []any) any { return !alike(v[0], v[1]) }),
		"larger":    eager(2, 2, func(_ *evaluation, v []any) any { return compared(v[0], v[1]) > 0 }),
		"largerEq":  eager(2, 2, func(_ *evaluation, v []any) any { return compared(v[0], v[1]) >= 0 }),
		"smaller":   eager(2, 2, func(_ *evaluation, v []any) any { return compared(v[0], v[1]) < 0 }),
		"smallerEq": eager(2, 2, func(_ *evaluation, v []any) any { return compared(v[0], v[1]) <= 0 }),
		"name":      eager(1, 1, func(_ *evaluation, v []any) any { return cast.Object(v[0])["name"] }),
		"email": eager(1, 1, func(_ *evaluation, v []any) any {
			return cast.Object(cast.Object(v[0])["person"])["email"]
		}),
	}
}

// bind works a formula out with names for parts of it.
func bind(e *evaluation, n []*term) any {
	was := len(e.vars)
	defer func() { e.vars = e.vars[:was] }()
	for ; len(n) > 2; n = n[2:] {
		e.vars = append(e.vars, binding{n[0].name, e.of(n[1])})
	}
	return e.of(n[len(n)-1])
}

func numeric() map[string]function {
	all := map[string]function{
		"add": eager(2, 2, func(_ *evaluation, v []any) any {
			for _, one := range v {
				if _, text := one.(string); text {
					return said(v[0]) + said(v[1])
				}
			}
			if list, ok := v[0].([]any); ok {
				return append(slices.Clone(list), listOf(v[1])...)
			}
			return number(v[0]) + number(v[1])
		}),
		"unaryMinus": eager(1, 1, func(_ *evaluation, v []any) any { return -number(v[0]) }),
		"unaryPlus":  eager(1, 1, func(_ *evaluation, v []any) any { return number(v[0]) }),
		"pi":         eager(0, 0, func(*evaluation, []any) any { return math.Pi }),
		"e":          eager(0, 0, func(*evaluation, []any) any { return math.E }),
		"round": eager(1, 2, func(_ *evaluation, v []any) any {
			scale := 1.0
			if len(v) == 2 {
				scale = math.Pow(10, math.Trunc(number(v[1])))
			}
			return math.Floor(number(v[0])*scale+0.5) / scale // as JavaScript rounds
		}),
		"toNumber": eager(1, 1, func(_ *evaluation, v []any) any {
			if text, ok := v[0].(string); ok {
				if n, ok := parsed(text); ok {
					return n
				}
				return nil
			}
			return number(v[0])
		}),
	}
	for name, f := range map[string]func(a, b float64) float64{
		"subtract": func(a, b float64) float64 { return a - b }, "multiply": func(a, b float64) float64 { return a * b },
		"divide": func(a, b float64) float64 { return a / b }, "mod": math.Mod, "pow": math.Pow,
	} {
		all[name] = eager(2, 2, func(_ *evaluation, v []any) any { return f(number(v[0]), number(v[1])) })
	}
	for name, f := range map[string]func(float64) float64{
		"abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "sqrt": math.Sqrt, "cbrt": math.Cbrt, "exp": math.Exp, "ln": math.Log,
		"log10": math.Log10, "log2": math.Log2, "sign": func(n float64) float64 { return float64(btoi(n > 0) - btoi(n < 0)) },
	} {
		all[name] = eager(1, 1, func(_ *evaluation, v []any) any { return f(number(v[0])) })
	}
	for _, name := range []string{"min", "max", "sum", "mean", "median"} {
		all[name] = eager(1, -1, func(_ *evaluation, v []any) any { return drawnTogether(name, v) })
	}
	return all
}

// drawnTogether works one number out of several, and of lists of them.
func drawnTogether(function string, given []any) any {
	var values []any
	for _, one := range given {
		for _, item := range listOf(one) {
			values = append(values, map[string]any{"type": "number", "number": number(item)})
		}
	}
	if function == "mean" {
		function = "average"
	}
	n, ok := float(figure(function, values))
	if !ok {
		return nil
	}
	return n
}

func listing() map[string]function {
	return map[string]function{
		"list":    eager(0, -1, func(_ *evaluation, v []any) any { return append([]any{}, v...) }),
		"first":   eager(1, 1, func(_ *evaluation, v []any) any { return itemAt(listOf(v[0]), 0) }),
		"last":    eager(1, 1, func(_ *evaluation, v []any) any { return itemAt(listOf(v[0]), -1) }),
		"at":      eager(2, 2, func(_ *evaluation, v []any) any { return itemAt(listOf(v[0]), int(number(v[1]))) }),
		"slice":   eager(2, 3, func(_ *evaluation, v []any) any { return cutList(listOf(v[0]), v[1:]) }),
		"reverse": eager(1, 1, func(_ *evaluation, v []any) any { l := slices.Clone(listOf(v[0])); slices.Reverse(l); return l }),
		"unique": eager(1, 1, func(_ *evaluation, v []any) any {
			kept, seen := []any{}, map[string]bool{}
			for _, item := range listOf(v[0]) {
				if text := said(item); !seen[text] {
					seen[text] = true
					kept = append(kept, item)
				}
			}
			return kept
		}),
		"includes": eager(2, 2, func(_ *evaluation, v []any) any {
			return slices.ContainsFunc(listOf(v[0]), func(item any) bool { return alike(item, v[1]) })
		}),
		"flat": eager(1, 1, func(_ *evaluation, v []any) any {
			all := []any{}
			for _, item := range listOf(v[0]) {
				all = append(all, listOf(item)...)
			}
			return all
		}),
	}
}

// joining makes one of several.
func joining() map[string]function {
	return map[string]function{
		"concat": eager(1, -1, func(_ *evaluation, v []any) any {
			if _, isList := v[0].([]any); !isList {
				var b strings.Builder
				for _, one := range v {
					b.WriteString(said(one))
				}
				return b.String()
			}
			all := []any{}
			for _, one := range v {
				all = append(all, listOf(one)...)
			}
			return all
		}),
		"join": eager(2, 2, func(_ *evaluation, v []any) any {
			var texts []string
			for _, item := range listOf(v[0]) {
				texts = append(texts, said(item))
			}
			return strings.Join(texts, said(v[1]))
		}),
	}
}

// walking goes over lists, with a part that is worked out for each item.
func walking() map[string]function {
	return map[string]function{
		"sort": lazy(1, 2, func(e *evaluation, n []*term) any {
			type ranked struct{ item, by any }
			var all []ranked
			list := e.of(n[0])
			e.each(list, n[len(n)-1], func(_ int, item, by any) bool {
				if len(n) == 1 {
					by = item
				}
				all = append(all, ranked{item, by})
				return true
			})
			slices.SortStableFunc(all, func(a, b ranked) int { return compared(a.by, b.by) })
			sorted := make([]any, len(all))
			for i, one := range all {
				sorted[i] = one.item
			}
			return sorted
		}),
		"map":    lazy(2, 2, walk([]any{}, func(so any, _ int, _, result any) (any, bool) { return append(so.([]any), result), true })),
		"filter": lazy(2, 2, walk([]any{}, func(so any, _ int, item, result any) (any, bool) { return keepIf(so, item, result), true })),
		"find": lazy(2, 2, walk(nil, func(so any, _ int, item, result any) (any, bool) {
			return chosen(truth(result), item, so), !truth(result)
		})),
		"findIndex": lazy(2, 2, walk(-1.0, func(so any, i int, _, result any) (any, bool) {
			return chosen(truth(result), float64(i), so), !truth(result)
		})),
		"some":  lazy(2, 2, walk(false, func(_ any, _ int, _, result any) (any, bool) { return truth(result), !truth(result) })),
		"every": lazy(2, 2, walk(true, func(_ any, _ int, _, result any) (any, bool) { return truth(result), truth(result) })),
		"count": eager(1, 1, func(_ *evaluation, v []any) any { return float64(len(listOf(v[0]))) }),
	}
}

// walk works a part out for each item of a list, and draws the results
// together until that says to stop.
func walk(begin any, draw func(so any, i int, item, result any) (any, bool)) func(*evaluation, []*term) any {
	return func(e *evaluation, n []*term) any {
		so := begin
		if list, ok := begin.([]any); ok {
			so = slices.Clone(list)
		}
		e.each(e.of(n[0]), n[1], func(i int, item, result any) (more bool) {
			so, more = draw(so, i, item, result)
			return more
		})
		return so
	}
}

func keepIf(so, item, result any) any {
	if truth(result) {
		return append(so.([]any), item)
	}
	return so
}

func chosen(right bool, yes, no any) any {
	if right {
		return yes
	}
	return no
}

// itemAt gives an item of a list; one below nought counts from its end.
func itemAt(list []any, i int) any {
	if i < 0 {
		i += len(list)
	}
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

func cutList(list, bounds []any) []any {
	place := func(v any) int {
		n := int(number(v))
		if n < 0 {
			n += len(list)
		}
		return min(max(n, 0), len(list))
	}
	from, to := place(bounds[0]), len(list)
	if len(bounds) > 1 {
		to = place(bounds[1])
	}
	return append([]any{}, list[min(from, to):to]...)
}
