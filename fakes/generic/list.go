package generic

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/specs/anatomy"
)

func listMembers(c *call) (fakes.Reply, *refusal) {
	in, refused := c.scope()
	if refused != nil {
		return fakes.Reply{}, refused
	}
	list := c.plan.role.List
	p, refused := c.page(list, c.matching(list, in))
	if refused != nil {
		return fakes.Reply{}, refused
	}
	return c.listed(p, list), nil
}

// asked gives a parameter of a list: of the query, or of the body of a search.
func (c *call) asked(parameter string) (any, bool) {
	if parameter == "" {
		return nil, false
	}
	if v, ok := c.Input.Query[parameter]; ok {
		return v, v != nil && v != ""
	}
	if outer, inner, deep := strings.Cut(parameter, "["); deep { // page[size], in the query or in the body
		inner = strings.TrimSuffix(inner, "]")
		for _, in := range []map[string]any{c.Input.Query, c.Input.Body} {
			if fields, ok := in[outer].(map[string]any); ok {
				v, ok := fields[inner]
				return v, ok && v != nil && v != ""
			}
		}
		return nil, false
	}
	v, ok := c.Input.Body[parameter]
	role := c.plan.role
	return v, ok && v != nil && v != "" && (role.Kind == anatomy.Search || role.List != nil && role.List.Body)
}

func mapOrNil(m map[string]any) any {
	if m == nil {
		return nil
	}
	return m
}

// keeps tells whether a list shows a member.
func (c *call) keeps(list *anatomy.Paging, e *entry) bool {
	for parameter, field := range list.Filters {
		if wanted, ok := c.asked(parameter); ok && !equals(dotted(field), e.value, wanted) {
			return false
		}
	}
	for parameter, bound := range list.Ranges {
		wanted, ok := c.asked(parameter)
		if !ok {
			continue
		}
		held, there := dotted(bound.Field).get(e.value)
		if object, ok := wanted.(map[string]any); ok && bound.Op == "" {
			if !there || !kit.BoundsOf(object).Holds(e.record(), bound.Field) {
				return false
			}
			continue
		}
		if !there || !holds(compare(held, wanted), bound.Op) {
			return false
		}
	}
	if wanted, ok := c.asked(list.Query); ok {
		if conditions, ok := wanted.(map[string]any); ok {
			return meets(e.value, conditions, 0)
		}
		words := cast.Plain(wanted)
		return language().MatchString(words) || contains(e.value, strings.ToLower(words), 0)
	}
	return true
}

// language is how searches in a language of their own begin, which nobody here
// understands: name = 'x', status eq "open", due_date>=2026-01-01. They filter
// nothing.
var language = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[\s(]*[a-z_][\w.]*\s*(?:[=<>~]|!=|\s(?:eq|ne|gt|ge|lt|le|co|sw|in|is|has|like|contains|not)\s+\S)`)
})

func holds(order int, op string) bool {
	switch op {
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "<":
		return order < 0
	}
	return order <= 0
}

// equals tells whether a field has a value, or one of several.
func equals(field path, record map[string]any, wanted any) bool {
	held, there := field.get(record)
	if choices, ok := wanted.([]any); ok {
		return slices.ContainsFunc(choices, func(one any) bool { return equals(field, record, one) })
	}
	if _, ok := wanted.(map[string]any); ok {
		return true // an object of conditions, which nobody knows
	}
	words := cast.Plain(wanted)
	if list, ok := held.([]any); ok {
		return slices.ContainsFunc(list, func(one any) bool { return sameText(one, words) })
	}
	if object, ok := held.(map[string]any); ok {
		return sameText(object["id"], words) || sameText(object["name"], words)
	}
	if sameText(held, words) {
		return there
	}
	if before, after, ok := strings.Cut(words, ","); ok && there {
		return equals(field, record, before) || equals(field, record, after)
	}
	return false
}

func sameText(held any, words string) bool {
	own, ok := text(held)
	return ok && (own == words || strings.EqualFold(own, words))
}

// contains looks for a text in all of a record.
func contains(v any, words string, depth int) bool {
	switch x := v.(type) {
	case map[string]any:
		for _, inner := range x {
			if depth < deepest && contains(inner, words, depth+1) {
				return true
			}
		}
	case []any:
		return depth < deepest && slices.ContainsFunc(x, func(inner any) bool { return contains(inner, words, depth+1) })
	case string:
		return strings.Contains(strings.ToLower(x), words)
	case int64:
		return cast.Plain(x) == words
	}
	return false
}

// A weight is a value made ready to be compared.
type weight struct {
	kind  int // 0: nothing is there; then numbers, times, texts
	n     float64
	at    time.Time
	words string
	lower string
}

const (
	weighsNothing = iota
	weighsNumber
	weighsTime
	weighsText
)

func weigh(v any) weight {
	switch x := v.(type) {
	case nil:
		return weight{}
	case int64:
		return weight{kind: weighsNumber, n: float64(x)}
	case float64:
		return weight{kind: weighsNumber, n: x}
	}
	w := weight{kind: weighsText, words: cast.Plain(v)}
	if at, ok := instant(v); ok {
		w.kind, w.at = weighsTime, at
	}
	w.lower = strings.ToLower(w.words)
	return w
}

// against orders two values: numbers as numbers, times as times, the rest as
// text; what is not there comes first.
func (w weight) against(o weight) int {
	switch {
	case w.kind == weighsNothing || o.kind == weighsNothing:
		return cmp.Compare(min(w.kind, 1), min(o.kind, 1))
	case w.kind == weighsNumber && o.kind == weighsNumber:
		return cmp.Compare(w.n, o.n)
	case w.kind == weighsTime && o.kind == weighsTime:
		return w.at.Compare(o.at)
	}
	return cmp.Or(strings.Compare(w.lower, o.lower), strings.Compare(w.words, o.words))
}

// compare orders a field's value and one that was asked for, which may be
// written otherwise: a number as text, an instant as a number.
func compare(held, asked any) int {
	a, b := weigh(held), weigh(asked)
	if a.kind == weighsNumber && b.kind != weighsNumber {
		b = weigh(numbered(asked))
	}
	if a.kind == weighsNumber && b.kind == weighsTime {
		at, _ := instant(held)
		a = weight{kind: weighsTime, at: at}
	}
	if a.kind == weighsTime && b.kind == weighsNumber {
		at, _ := instant(asked)
		b = weight{kind: weighsTime, at: at}
	}
	return a.against(b)
}

func numbered(v any) any {
	if s, ok := v.(string); ok {
		if n := numberOf(s); n != nil {
			return n
		}
	}
	return v
}

// sort puts members into the order that is asked for; without one they stay in
// the order in which they were made.
func (c *call) sort(list *anatomy.Paging, all []*entry) {
	wanted, ok := c.asked(list.Sort)
	down := c.falls(list)
	if !ok {
		if down {
			slices.Reverse(all)
		}
		return
	}
	if c.plan.res.rules.newest {
		slices.Reverse(all)
	}
	if _, said := c.asked(list.Order); !said {
		down = list.Down
	}
	terms, isList := wanted.([]any)
	if !isList {
		for word := range strings.SplitSeq(cast.Plain(wanted), ",") {
			terms = append(terms, word)
		}
	}
	type key struct {
		field path
		down  bool
	}
	var keys []key
	for _, term := range terms {
		field, falls := c.plan.res.sortField(cast.Plain(term))
		if field != nil {
			keys = append(keys, key{field, falls != down})
		}
	}
	weights := make(map[*entry][]weight, len(all))
	for _, e := range all {
		own := make([]weight, len(keys))
		for i, k := range keys {
			held, _ := k.field.get(e.value)
			own[i] = weigh(held)
		}
		weights[e] = own
	}
	slices.SortStableFunc(all, func(a, b *entry) int {
		x, y := weights[a], weights[b]
		for i, k := range keys {
			n := x[i].against(y[i])
			if k.down {
				n = -n
			}
			if n != 0 {
				return n
			}
		}
		return 0
	})
}

// falls tells whether a list is the other way round than its members were made:
// as it is asked for, else as the behaviour file or the contract has it.
func (c *call) falls(list *anatomy.Paging) bool {
	if order, ok := c.asked(list.Order); ok {
		return isDown(cast.Plain(order))
	}
	return c.plan.res.rules.newest || list.Down
}

func isDown(word string) bool {
	word = strings.ToLower(word)
	return strings.HasPrefix(word, "desc") || word == "-1" || word == "newest"
}

// sortField reads one term of an order: name, -name, name:desc, name desc,
// name_desc, created (for created_at).
func (r *resource) sortField(term string) (field path, down bool) {
	name := strings.TrimSpace(term)
	if rest, ok := strings.CutPrefix(name, "-"); ok {
		name, down = rest, true
	}
	name = strings.TrimPrefix(name, "+")
	if at := strings.LastIndexAny(name, ": "); at > 0 {
		down = isDown(strings.TrimSpace(name[at+1:]))
		name = strings.TrimSpace(name[:at])
	}
	if r.form.at(dotted(name)) != nil {
		return dotted(name), down
	}
	for _, ending := range []string{"_desc", "_asc", "Desc", "Asc"} {
		if rest, ok := strings.CutSuffix(name, ending); ok && r.form.at(dotted(rest)) != nil {
			return dotted(rest), down != strings.HasPrefix(strings.ToLower(strings.Trim(ending, "_")), "desc")
		}
	}
	for _, own := range r.form.names {
		if plainly(own) == plainly(name) || plainly(own) == plainly(name)+"at" {
			return path{own}, down
		}
	}
	switch lower := strings.ToLower(name); {
	case strings.HasPrefix(lower, "creat") && r.Created != "":
		return dotted(r.Created), down
	case strings.HasPrefix(lower, "updat") && r.Updated != "":
		return dotted(r.Updated), down
	}
	return nil, false
}

// plainly gives a name as it is in any way of writing.
func plainly(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// counted answers how many there are.
func (c *call) counted(n int, list *anatomy.Paging) fakes.Reply {
	t := c.success(c.usual(http.StatusOK)...)
	if t.media == nil {
		return c.obliged(c.give(t, nil), t)
	}
	at := pointer(list.Total)
	if len(at) == 0 {
		f := c.fake.library.form(t.schema())
		for _, name := range []string{"count", "total", "totalCount", "total_count", "size"} {
			if f.has(name) {
				at = path{name}
				break
			}
		}
	}
	if s := t.schema(); len(at) == 0 && s != nil && !fits(s, int64(n), 0) {
		return c.obliged(c.give(t, nil), t) // nothing in it is known to be a count
	}
	return c.obliged(c.give(t, at.put(nil, int64(n))), t)
}
