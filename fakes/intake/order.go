package intake

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/body"
)

// settle puts the records of each collection into the order that the real service
// showed: by when they were made, and as its lists have them.
func (t *taking) settle() {
	for _, collection := range t.collections() {
		fresh := t.fresh(collection)
		t.reorder(collection, fresh, aged(fresh))
	}
	for _, s := range t.sequences() {
		t.follow(s)
	}
	for _, collection := range t.collections() {
		for _, r := range t.fresh(collection) {
			t.taken.Fresh[collection] = append(t.taken.Fresh[collection], r.ID)
		}
	}
}

// aged gives records by when they were made, where each says so; else as they are.
func aged(records []*world.Record) []*world.Record {
	at := map[string]float64{}
	for _, r := range records {
		n, ok := madeAt(r.Value())
		if !ok {
			return records
		}
		at[r.ID] = n
	}
	return slices.SortedStableFunc(slices.Values(records), func(x, y *world.Record) int { return cmp.Compare(at[x.ID], at[y.ID]) })
}

// madeAt is when a record was made, by the field that says so.
func madeAt(value map[string]any) (float64, bool) {
	for _, name := range []string{"created", "created_at", "createdAt", "created_time", "createTime", "date_created", "dateCreated", "created_on", "ts"} {
		switch v := value[name].(type) {
		case int64:
			return float64(v), true
		case string:
			if at, err := time.Parse(time.RFC3339, v); err == nil {
				return float64(at.UnixNano()), true
			}
			if n, err := strconv.ParseFloat(v, 64); err == nil {
				return n, true
			}
		}
	}
	return 0, false
}

// reorder has a collection hold records in another order.
func (t *taking) reorder(collection string, have, want []*world.Record) {
	same := func(x, y *world.Record) bool { return x.ID == y.ID }
	for len(want) > 0 && same(have[0], want[0]) { // these stay where they are
		have, want = have[1:], want[1:]
	}
	if len(want) == 0 {
		return
	}
	tx := t.stage.World.Begin()
	for _, r := range want {
		kit.Must("intake", tx.Delete(collection, r.ID))
	}
	for _, r := range want {
		_, err := tx.Insert(collection, r.ID, r.Value())
		kit.Must("intake", err)
	}
	t.stage.World = tx.Commit()
}

// sequence is a list, with all of its pages that were read.
type sequence struct {
	first read
	items []any
	asked int // parameters besides those of the page
}

// sequences gives the lists that were read, those that tell most last: the plainest,
// and of those the longest, and of those the newest.
func (t *taking) sequences() []*sequence {
	open := map[string]*sequence{}
	var all []*sequence
	for _, r := range t.reads {
		if !r.list {
			continue
		}
		rest, first := unpaged(r)
		key := r.call.Operation.Name() + " " + string(world.Encode(rest))
		if s := open[key]; s == nil || first {
			open[key] = &sequence{first: r, asked: len(cast.Object(rest["query"])) + len(cast.Object(rest["body"]))}
			all = append(all, open[key])
		}
		open[key].items = append(open[key].items, items(r, []byte(r.exchange.Response.Body))...)
	}
	slices.SortStableFunc(all, func(x, y *sequence) int { return cmp.Or(y.asked-x.asked, len(x.items)-len(y.items)) })
	return all
}

// items are those of a page.
func items(r read, reply []byte) []any {
	said, _ := body.DecodeJSON(reply) // what is no JSON has none
	held, _ := specs.ValueAt(said, r.call.Operation.Anatomy.Items)
	return cast.List(held)
}

// unpaged is what a list is asked for, without what moves through its pages; first
// tells whether there was nothing of that.
func unpaged(r read) (rest map[string]any, first bool) {
	a, first := r.call.Operation.Anatomy, true
	query, fields := maps.Clone(r.call.Input.Query), maps.Clone(r.call.Input.Body)
	for _, name := range append(slices.Clone(a.Cursors), a.Cursor, a.Offset, a.Page) {
		outer, inner, nested := strings.Cut(strings.TrimSuffix(name, "]"), "[")
		for _, asked := range []map[string]any{query, fields} {
			value := asked[outer]
			if nested {
				value = cast.Object(value)[inner]
			}
			if name == "" || value == nil {
				continue
			}
			delete(asked, outer)
			text := cast.Plain(value)
			first = first && (text == "" || name == a.Offset && text == "0" || name == a.Page && text == strconv.Itoa(a.First))
		}
	}
	path := map[string]any{}
	for name, value := range r.call.Input.Path {
		path[name] = value
	}
	return map[string]any{"path": path, "query": query, "body": fields}, first
}

// follow has the fake's own list begin as the real one did. The fake is asked: a list
// that goes by a field needs nothing, and one that goes by the order of records says
// which way round.
func (t *taking) follow(s *sequence) {
	p, ok := t.places(s)
	if !ok {
		return
	}
	t.face(s.first.exchange)
	reply, err := t.stage.Ask(s.first.exchange)
	if err != nil || reply.Status/100 != 2 {
		return
	}
	way := direction(p.of(items(s.first, reply.Body)))
	if way == 0 {
		return
	}
	t.taken.Rises[p.collection] = way > 0
	slots := p.of(s.items)
	if way < 0 {
		slices.Reverse(slots)
	}
	order := slices.Clone(p.records)
	for i, slot := range slices.Sorted(slices.Values(slots)) {
		order[slot] = p.records[slots[i]]
	}
	t.reorder(p.collection, p.records, order)
}

// places say which records the items of a list are.
type places struct {
	collection string
	records    []*world.Record // that the conversation brought, oldest first
	by         string          // the field that items are known by
	at         map[string]int  // by it, the place among the records; -1: several have it
}

// places finds the collection whose records a list has.
func (t *taking) places(s *sequence) (best places, ok bool) {
	a := s.first.call.Operation.Anatomy
	most := 1 // one alone has no order
	for _, collection := range t.collections() {
		records := slices.Collect(t.stage.World.Oldest(collection, 0))
		for _, by := range []string{cmp.Or(a.ID, "id"), "id", "name"} {
			p := places{collection, records, by, map[string]int{}}
			for i, r := range records {
				for _, key := range []string{r.ID, keyOf(r.Value(), by)} {
					if at, twice := p.at[key]; twice && at != i {
						p.at[key] = -1
						continue
					}
					p.at[key] = i
				}
			}
			if n := len(p.of(s.items)); n > most || n == most && ok && collection == t.stage.Service.Name+"."+a.Collection && collection != best.collection {
				best, most, ok = p, n, true
			}
		}
	}
	return best, ok
}

// of gives the places of items that are known, each once.
func (p places) of(items []any) (all []int) {
	seen := map[int]bool{}
	for _, item := range items {
		at, known := p.at[keyOf(cast.Object(item), p.by)]
		if known && at >= 0 && !seen[at] {
			all, seen[at] = append(all, at), true
		}
	}
	return all
}

// keyOf is what a dotted path has in a record; "" where it has nothing.
func keyOf(record map[string]any, path string) string {
	var value any = record
	for name := range strings.SplitSeq(path, ".") {
		value = cast.Object(value)[name]
	}
	return cast.Plain(value)
}

// direction tells which way a list goes through the records: 1 oldest first, -1
// newest first, 0 neither.
func direction(places []int) int {
	switch {
	case len(places) < 2:
		return 0
	case slices.IsSorted(places):
		return 1
	}
	slices.Reverse(places)
	if slices.IsSorted(places) {
		return -1
	}
	return 0
}
