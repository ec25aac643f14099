package overlay

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
)

// A listing is a list of the real service beside the fake's own two.
type listing struct {
	items         []json.RawMessage
	values        []any // of items, decoded
	without, with []any
	id            string // dotted path of an item's id; "": what usually names one
	adds          bool   // what the run has added goes in: the page is the first
	sums          bool   // see patch
	more          bool   // the real service says that more follow
	// falls tells whether the list begins with the newest, where nothing in it shows
	// its order: it is asked of one that goes in, and one of the real service's.
	falls  func(made any, real json.RawMessage) bool
	left   int  // of the real service's items: set by laid
	unlaid bool // there are items without a name: set by laid
}

// An item is one of a list of the real service, with its name there.
type item struct {
	raw  json.RawMessage
	v    any
	name string
}

// identity is what an item is known by; "" where nothing says.
func identity(v any, id string) string {
	fields, ok := v.(map[string]any)
	if !ok {
		return plain(v)
	}
	if id != "" {
		var held any = fields
		for name := range strings.SplitSeq(id, ".") {
			held = cast.Object(held)[name]
		}
		if text := plain(held); text != "" {
			return text
		}
	}
	for _, name := range []string{"id", "gid", "uuid", "ts", "key", "sha", "number", "name", "email", "login", "slug", "code", "currency"} {
		if text := plain(fields[name]); text != "" {
			return name + " " + text
		}
	}
	if len(fields) <= 2 { // {"resource": {…}}, {"node": {…}, "cursor": …}
		for _, name := range []string{"resource", "node", "item", "record", "data"} {
			if inner := cast.Object(fields[name]); len(inner) > 0 {
				return identity(inner, id)
			}
		}
	}
	return ""
}

// named tells whether an object is one record, and no sum over many.
func named(fields map[string]any) bool {
	name := identity(fields, "")
	return name != "" && !strings.HasPrefix(name, "currency ")
}

func plain(v any) string {
	if n, ok := v.(json.Number); ok {
		return n.String()
	}
	return cast.Plain(v)
}

// identified tells whether each of some items has a name of its own.
func identified(all []any, id string) bool {
	met := make(map[string]bool, len(all))
	for _, v := range all {
		name := identity(v, id)
		if name == "" || met[name] {
			return false
		}
		met[name] = true
	}
	return true
}

func byName(all []any, id string) map[string]any {
	named := make(map[string]any, len(all))
	for _, v := range all {
		named[identity(v, id)] = v
	}
	return named
}

// laid is the real list with what the run has changed.
func (l *listing) laid() json.RawMessage {
	before, now := byName(l.without, l.id), byName(l.with, l.id)
	kept := make([]item, 0, len(l.items)+len(now))
	for i, raw := range l.items {
		it := item{raw, l.values[i], identity(l.values[i], l.id)}
		old, was := before[it.name]
		fresh, is := now[it.name]
		switch {
		case it.name == "":
			l.unlaid = true
		case was && !is:
			continue
		case was:
			it.raw = patch(raw, old, fresh, "", l.sums)
		}
		kept = append(kept, it)
	}
	if l.left = len(kept); l.adds {
		kept = l.added(kept, before, now)
	}
	raws := make([]json.RawMessage, len(kept))
	for i := range kept {
		raws[i] = kept[i].raw
	}
	return encodeList(raws)
}

// added puts in what the run has added, in the fake's order.
func (l *listing) added(kept []item, before, now map[string]any) []item {
	by, falls := order(l.values)
	for i, v := range l.with {
		name := identity(v, l.id)
		if _, was := before[name]; was || slices.ContainsFunc(kept, func(it item) bool { return it.name == name }) {
			continue
		}
		if by == "" && len(l.items) == 1 && l.falls != nil { // one shows no order
			by, falls = common(l.values[0], v), l.falls(v, l.items[0])
		}
		at := l.place(kept, i)
		if by != "" && rank(v, by) != "" {
			at = slices.IndexFunc(kept, func(it item) bool { return follows(rank(it.v, by), rank(v, by), falls) })
			if at < 0 {
				at = len(kept)
			}
		}
		if l.more && l.left > 0 && at == len(kept) { // clients ask on from the last one, which the real service has to know
			at--
		}
		kept = slices.Insert(kept, at, item{encode(v), v, name})
	}
	return kept
}

// place finds the place of the fake's i-th item by those of the page that are in the
// fake's own list: between them, before all or after all; the front where none is.
func (l *listing) place(kept []item, i int) int {
	find := func(v any) int {
		name := identity(v, l.id)
		return slices.IndexFunc(kept, func(it item) bool { return it.name == name })
	}
	before := -1
	for _, v := range slices.Backward(l.with[:i]) {
		if before = find(v); before >= 0 {
			break
		}
	}
	switch {
	case before < 0 && slices.ContainsFunc(l.with[i+1:], func(v any) bool { return find(v) >= 0 }):
		return 0
	case before < 0 && l.falls != nil && len(kept) > 0 && !l.falls(l.with[i], kept[0].raw):
		return len(kept)
	case before < 0:
		return 0
	case slices.ContainsFunc(l.with[i+1:], func(v any) bool { return find(v) >= 0 }):
		return before + 1
	}
	return len(kept)
}

// order finds the time by which a real list is in order, and whether it falls; "" where
// none is seen. Numbers are in order by chance.
func order(all []any) (by string, falls bool) {
	if len(all) < 2 {
		return "", false
	}
	for _, name := range times() {
		up, down := true, true
		for i := 1; i < len(all); i++ {
			a, b := rank(all[i-1], name), rank(all[i], name)
			up = up && a != "" && a <= b
			down = down && b != "" && b <= a
		}
		if up != down {
			return name, down
		}
	}
	return "", false
}

// times are names of fields that say when something was made.
func times() []string {
	return []string{"created", "created_at", "createdAt", "created_time", "date", "ts"}
}

// common finds a time that two items have; "" where there is none.
func common(a, b any) string {
	for _, name := range times() {
		if rank(a, name) != "" && rank(b, name) != "" {
			return name
		}
	}
	return ""
}

// rank is a field of an item as a text whose order is that of its values; "" for
// what has none.
func rank(v any, name string) string {
	held := cast.Object(v)[name]
	if n, ok := held.(json.Number); ok {
		if i, err := n.Int64(); err == nil && i >= 0 {
			return strconv.FormatInt(i+1e18, 10)
		}
		return ""
	}
	return cast.Text(held)
}

// follows tells whether a comes after b.
func follows(a, b string, falls bool) bool {
	if falls {
		return a <= b
	}
	return a > b
}

func encodeList(raws []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, raw := range raws {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, raw...)
	}
	return append(out, ']')
}
