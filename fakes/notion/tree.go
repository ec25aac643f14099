package notion

import (
	"cmp"
	"maps"
	"slices"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A node is a record that stands in the tree: a page, block or database.
type node struct {
	kind string // the collection
	*world.Record
}

// node finds what an id names among blocks, pages and databases. All of them
// are blocks to the endpoints of blocks.
func (c *call) node(id string) (node, bool) {
	for _, kind := range []string{blocks, pages, databases} {
		if r, ok := c.find(kind, id); ok {
			return node{kind, r}, true
		}
	}
	return node{}, false
}

// parent is what holds a record; none where that is the workspace, or is not
// known.
func (c *call) parent(value map[string]any) (node, bool) {
	parent := cast.Object(value["parent"])
	switch kit.Text(parent, "type") {
	case "page_id":
		return c.node(kit.Text(parent, "page_id"))
	case "block_id":
		return c.node(kit.Text(parent, "block_id"))
	case "database_id":
		r, ok := c.find(databases, kit.Text(parent, "database_id"))
		return node{databases, r}, ok
	case "data_source_id":
		r, ok := c.find(dataSources, kit.Text(parent, "data_source_id"))
		return node{dataSources, r}, ok
	}
	return node{}, false
}

// above walks the ancestors of a record, nearest first.
func (c *call) above(value map[string]any) func(yield func(node) bool) {
	return func(yield func(node) bool) {
		for range 1000 { // a fixture may have a circle in it
			up, ok := c.parent(value)
			if !ok || !yield(up) {
				return
			}
			value = up.Value()
		}
	}
}

// shared tells whether the integration sees a record: it does unless it or an
// ancestor is marked as not shared, the nearest mark counting.
func (c *call) shared(value map[string]any) bool {
	if c.Identity == fakes.Fixture {
		return true
	}
	if mark, ok := value["shared"].(bool); ok {
		return mark
	}
	for up := range c.above(value) {
		if mark, ok := up.Value()["shared"].(bool); ok {
			return mark
		}
	}
	return true
}

func trashed(value map[string]any) bool { return value["in_trash"] == true }

// buried tells whether an ancestor is in the trash.
func (c *call) buried(value map[string]any) bool {
	for up := range c.above(value) {
		if trashed(up.Value()) {
			return true
		}
	}
	return false
}

// editable refuses to change what is in the trash, or lies under what is.
func (c *call) editable(n node) *refusal {
	what := "block"
	if n.kind == pages {
		what = "page"
	}
	switch {
	case trashed(n.Value()):
		return archived("block")
	case c.buried(n.Value()):
		return archivedAncestor(what)
	}
	return nil
}

// children lists what a page or block holds, first to last, without what is in
// the trash.
func (c *call) children(id string) []node {
	var found []node
	for kind := range c.held(id) {
		found = append(found, kind)
	}
	slices.SortStableFunc(found, func(a, b node) int {
		x, _ := float(a.Value()["position"])
		y, _ := float(b.Value()["position"])
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.kind, b.kind), cmp.Compare(a.Order, b.Order))
	})
	return found
}

// held walks what a page or block holds, in no order.
func (c *call) held(id string) func(yield func(node) bool) {
	return func(yield func(node) bool) {
		for _, kind := range []string{blocks, pages, databases} {
			for _, field := range []string{"parent.block_id", "parent.page_id"} {
				for r := range c.fake.store.Find(c.Tx, kind, field, id) {
					if !trashed(r.Value()) && !yield(node{kind, r}) {
						return
					}
				}
			}
		}
	}
}

func (c *call) hasChildren(id string) bool {
	for range c.held(id) {
		return true
	}
	return false
}

// last is the place behind all that a page or block holds.
func (c *call) last(id string) float64 {
	most := 0.0
	for n := range c.held(id) {
		if at, _ := float(n.Value()["position"]); at > most {
			most = at
		}
	}
	return most + 1
}

// write stores a record that was changed by the caller, and stamps it.
func (c *call) write(kind string, old *world.Record, changes map[string]any) *world.Record {
	value := maps.Clone(old.Value())
	maps.Copy(value, changes)
	value["last_edited_time"] = c.minute()
	if kind == databases {
		value["last_edited_time"] = c.instant()
	}
	if kind != comments {
		value["last_edited_by"] = c.me()
	}
	c.note(kind, old.ID, old.Value())
	return c.fake.store.Update(c.Tx, kind, old.ID, value)
}

// create stores a new record.
func (c *call) create(kind string, value map[string]any) *world.Record {
	id := kit.Text(value, "id")
	c.note(kind, id, nil)
	return c.fake.store.Create(c.Tx, kind, id, value)
}

// note tells the search index of a write.
func (c *call) note(kind, id string, before map[string]any) {
	if kind == pages || kind == dataSources {
		c.fake.index.Note(c.Tx, id, before, c.Now)
	}
}

// touch stamps the page that holds a record: what is written in it is written
// in the page.
func (c *call) touch(value map[string]any) {
	for up := range c.above(value) {
		if up.kind == pages {
			c.write(pages, up.Record, nil)
			return
		}
		if up.kind != blocks {
			return
		}
	}
}
