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
	falls func(made any, real json.RawMessage) bool
	sorts []string // fields that the call sorts by
	tells bool     // something says whether more follow
	outcome
}

// An outcome is what laying finds out of a list.
type outcome struct {
	by     string // the time by which the items are in order; "": none is seen
	down   bool   // the newest come first
	moved  []item // they have another place now
	left   int    // of the real service's items
	unlaid bool   // there are items without a name
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
	for _, name := range []string{"id", "gid", "uuid", "ts", "key", "path", "sha", "number", "name", "email", "login", "slug", "code", "currency"} {
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
	l.by, l.down = order(l.values, l.sorts)
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
		case was && l.moves(old, fresh):
			it.raw, it.v = patch(raw, old, fresh, "", l.sums), fresh
			l.moved = append(l.moved, it)
			continue
		case was:
			it.raw = patch(raw, old, fresh, "", l.sums)
		case is: // the fake did not find it without the changes, though it is there
			it.raw = over(raw, fresh)
		}
		kept = append(kept, it)
	}
	l.left = len(kept) + len(l.moved)
	kept = l.added(kept, before, now)
	raws := make([]json.RawMessage, len(kept))
	for i := range kept {
		raws[i] = kept[i].raw
	}
	return encodeList(raws)
}

// over lays the fields of an object over another.
func over(raw json.RawMessage, fresh any) json.RawMessage {
	fields, ok := fieldsOf(raw)
	if !ok {
		return raw
	}
	real, _ := parse(raw)
	before := cast.Object(real)
	for name := range before {
		if _, stays := cast.Object(fresh)[name]; !stays {
			delete(before, name)
		}
	}
	return join(patchFields(fields, before, cast.Object(fresh), false))
}

// moves tells whether what the run has changed of an item gives it another place: by
// the time by which the list is in order.
func (l *listing) moves(old, fresh any) bool {
	return l.by != "" && rank(fresh, l.by) != "" && rank(old, l.by) != rank(fresh, l.by)
}

// added puts in what the run has added, and what has another place now, in the real
// list's order.
func (l *listing) added(kept []item, before, now map[string]any) []item {
	for i, v := range l.with {
		it := item{encode(v), v, identity(v, l.id)}
		old, was := before[it.name]
		if was && !l.moves(old, v) || slices.ContainsFunc(kept, func(k item) bool { return k.name == it.name }) {
			continue
		}
		if at := slices.IndexFunc(l.moved, func(m item) bool { return m.name == it.name }); at >= 0 {
			it = l.moved[at]
		}
		by, falls := l.direction(i)
		at := l.place(kept, i)
		ranked := by != "" && rank(v, by) != ""
		if ranked {
			at = slices.IndexFunc(kept, func(k item) bool { return follows(rank(k.v, by), rank(v, by), falls) })
			if at < 0 {
				at = len(kept)
			}
		}
		if at = l.fits(kept, i, at, ranked, falls, before); at >= 0 {
			kept = slices.Insert(kept, at, it)
		}
	}
	return kept
}

// direction gives the time by which the list is in order, and whether the newest come
// first; of a list that shows no order the fake is asked: where it has put its i-th
// item, beside what it knows, or would.
func (l *listing) direction(i int) (by string, falls bool) {
	if l.by != "" || l.falls == nil {
		return l.by, l.by == "" || l.down
	}
	v := l.with[i]
	if len(l.items) != 1 {
		before := byName(l.without, l.id)
		known := func(v any) bool { _, was := before[identity(v, l.id)]; return was }
		if at := slices.IndexFunc(l.with, known); at >= 0 {
			return "", at > i
		}
	}
	if len(l.items) == 0 {
		return "", true
	}
	falls = l.falls(v, l.items[0])
	if len(l.items) == 1 { // one shows no order
		by = common(l.values[0], v)
	}
	return by, falls
}

// fits gives the place of the fake's i-th item on this page of the real list; -1 where
// it is on another. All that is new is on the first page, but for what comes after
// all others of a list whose oldest come first: it is on the last, where something
// tells which that is.
func (l *listing) fits(kept []item, i, at int, ranked, falls bool, before map[string]any) int {
	ends := at == len(kept)
	if !ranked {
		ends = !slices.ContainsFunc(l.with[i+1:], func(v any) bool { _, was := before[identity(v, l.id)]; return was })
	}
	rises := !falls && l.tells && len(l.items) > 0
	switch {
	case rises && ends && l.more, !l.adds && !rises:
		return -1
	case rises && ends:
		return len(kept)
	case !l.adds && (!ranked || at == 0):
		return -1
	case l.more && l.left > 0 && at == len(kept): // clients ask on from the last one, which the real service has to know
		return at - 1
	}
	return at
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
	case slices.ContainsFunc(l.with[i+1:], func(v any) bool { return find(v) >= 0 }), before == find(l.with[i-1]) && !slices.ContainsFunc(l.without, func(v any) bool { return identity(v, l.id) == kept[before].name }):
		return before + 1
	}
	return len(kept)
}

// order finds the time by which a real list is in order, and whether it falls; "" where
// none is seen. Numbers are in order by chance.
func order(all []any, sorts []string) (by string, falls bool) {
	if len(all) < 2 {
		return "", false
	}
	for _, name := range append(sorted(sorts), times()...) {
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

// sorted are names of times that a call sorts by: updated is updated_at, too.
func sorted(sorts []string) (names []string) {
	for _, name := range slices.Concat(versions(), times()) {
		squeezed := squeeze(name)
		if slices.ContainsFunc(sorts, func(by string) bool { return strings.HasPrefix(squeezed, by) }) {
			names = append(names, name)
		}
	}
	return names
}

func squeeze(name string) string {
	return strings.ToLower(strings.Trim(strings.NewReplacer("_", "", "-", "", "+", "").Replace(name), " "))
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
