package notion

import (
	"maps"
	"slices"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

var viewTypes = []string{"table", "board", "list", "calendar", "timeline", "gallery", "form", "chart", "map", "dashboard"}

// queryLife is how long the results of a view's query can be read on.
const queryLife = 15 * time.Minute

// newView makes a view of a data source.
func (c *call) newView(database *world.Record, source, called, kind string, more map[string]any) *world.Record {
	value := map[string]any{
		"object": "view", "id": uuidFrom(c.NewID("view_", 22), "8"), "parent": map[string]any{"type": "database_id", "database_id": database.ID},
		"name": called, "type": kind, "created_time": c.minute(), "last_edited_time": c.minute(), "created_by": c.me(), "last_edited_by": c.me(),
		"data_source_id": source, "filter": nil, "sorts": nil, "quick_filters": nil, "configuration": map[string]any{"type": kind},
	}
	maps.Copy(value, more)
	return c.create(views, value)
}

func (c *call) showView(value map[string]any) map[string]any {
	shown := maps.Clone(value)
	shown["url"] = c.link(kit.Text(value, "parent.database_id"), "") + "?v=" + undashed(kit.Text(value, "id"))
	return shown
}

func (c *call) pathView() (*world.Record, *refusal) {
	id, refused := c.pathID("view_id")
	if refused != nil {
		return nil, refused
	}
	r, ok := c.find(views, id)
	if !ok || !c.shared(r.Value()) {
		return nil, c.missing("view", id)
	}
	return r, nil
}

// listViews names the views of a database or data source.
func listViews(c *call, size int, cursor string) (map[string]any, *refusal) {
	index, field := "parent.database_id", "database_id"
	if c.query(field) == "" {
		index, field = "data_source_id", "data_source_id"
	}
	sent := c.query(field)
	if sent == "" {
		return nil, invalid("query", append(should("query.database_id", "defined", undefined), should("query.data_source_id", "defined", undefined)...))
	}
	id, ok := uuidOf(sent)
	if !ok {
		return nil, invalid("query", should("query."+field, "a valid uuid", quoted(sent)))
	}
	collection := databases
	if field == "data_source_id" {
		collection = dataSources
	}
	if r, ok := c.find(collection, id); !ok || !c.shared(r.Value()) {
		return nil, c.missing("database", id)
	}
	all := slices.Collect(c.fake.store.Find(c.Tx, views, index, id))
	slices.Reverse(all)
	found, next, refused := window(slices.Values(all), func(r *world.Record) string { return r.ID }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := []any{}
	for _, r := range found {
		results = append(results, map[string]any{"object": "view", "id": r.ID})
	}
	return listed("view", results, next), nil
}

func createView(c *call) (map[string]any, *refusal) {
	body := c.body()
	if wrong := first(body.at("data_source_id").isUUID(), body.at("name").isText(maxContent), body.at("type").isOne(viewTypes...)); wrong != nil {
		return nil, invalid("body", wrong)
	}
	id, _ := uuidOf(kit.Text(c.Input.Body, "data_source_id"))
	source, refused := c.source(id, "data_source_id")
	if refused != nil {
		return nil, refused
	}
	more, refused := c.viewed(body, source)
	if refused != nil {
		return nil, refused
	}
	database, ok := c.find(databases, kit.Text(source.Value(), "parent.database_id"))
	if !ok {
		return nil, c.missing("database", kit.Text(source.Value(), "parent.database_id"))
	}
	r := c.newView(database, source.ID, kit.Text(c.Input.Body, "name"), kit.Text(c.Input.Body, "type"), more)
	return c.showView(r.Value()), nil
}

// viewed reads what a view shows, and holds it against the schema.
func (c *call) viewed(body place, source *world.Record) (map[string]any, *refusal) {
	if _, refused := c.filter(body.at("filter"), source, 0); refused != nil {
		return nil, refused
	}
	if _, refused := c.sorts(body.at("sorts"), source); refused != nil {
		return nil, refused
	}
	changes := map[string]any{}
	for _, field := range []string{"filter", "sorts", "quick_filters", "configuration"} {
		at := body.at(field)
		if !at.sent {
			continue
		}
		if field != "sorts" && !at.null() {
			if wrong := at.isObject(); wrong != nil {
				return nil, invalid("body", wrong)
			}
		}
		changes[field] = at.value
	}
	return changes, nil
}

func getView(c *call, r *world.Record) (map[string]any, *refusal) {
	return c.showView(r.Value()), nil
}

func updateView(c *call) (map[string]any, *refusal) {
	body := c.body()
	if wrong := first(body.at("name").optional(func(p place) problem { return p.isText(maxContent) }), body.only("name", "filter", "sorts", "quick_filters", "configuration")); wrong != nil {
		return nil, invalid("body", wrong)
	}
	r, refused := c.pathView()
	if refused != nil {
		return nil, refused
	}
	source, refused := c.source(kit.Text(r.Value(), "data_source_id"), "data_source_id")
	if refused != nil {
		return nil, refused
	}
	changes, refused := c.viewed(body, source)
	if refused != nil {
		return nil, refused
	}
	if at := body.at("name"); at.sent {
		changes["name"] = at.value
	}
	return c.showView(c.write(views, r, changes).Value()), nil
}

func deleteView(c *call, r *world.Record) (map[string]any, *refusal) {
	left := 0
	for range c.fake.store.Find(c.Tx, views, "parent.database_id", kit.Text(r.Value(), "parent.database_id")) {
		left++
	}
	if left == 1 {
		return nil, refuse("Cannot delete the last view of a database.")
	}
	c.fake.store.Delete(c.Tx, views, r.ID)
	return map[string]any{"object": "view", "id": r.ID, "parent": r.Value()["parent"], "type": r.Value()["type"]}, nil
}

// createViewQuery runs the filter and sorts of a view, and keeps what it found.
func createViewQuery(c *call) (map[string]any, *refusal) {
	size, _, refused := c.bodyPage()
	if refused != nil {
		return nil, refused
	}
	if wrong := c.body().only("page_size"); wrong != nil {
		return nil, invalid("body", wrong)
	}
	r, refused := c.pathView()
	if refused != nil {
		return nil, refused
	}
	source, refused := c.source(kit.Text(r.Value(), "data_source_id"), "data_source_id")
	if refused != nil {
		return nil, refused
	}
	stored := func(field string) place {
		return place{c: c, where: "view." + field, value: r.Value()[field], sent: r.Value()[field] != nil}
	}
	keep, refused := c.filter(stored("filter"), source, 0)
	if refused != nil {
		return nil, refused
	}
	order, refused := c.sorts(stored("sorts"), source)
	if refused != nil {
		return nil, refused
	}
	all := []any{}
	for row := range c.rows(source, keep, order, false, 0) {
		all = append(all, map[string]any{"object": "page", "id": row.ID})
	}
	kept := c.create(viewQueries, map[string]any{
		"object": "view_query", "id": uuidFrom(c.NewID("query_", 22), "4"), "view_id": r.ID, "total_count": int64(len(all)),
		"expires_at": c.Now.UTC().Add(queryLife).Format(timeLayout), "results": all,
	})
	found, next, refused := window(slices.Values(all), idOf, size, "")
	if refused != nil {
		return nil, refused
	}
	shown := maps.Clone(kept.Value())
	shown["results"], shown["has_more"], shown["next_cursor"] = found, next != "", nil
	if next != "" {
		shown["next_cursor"] = next
	}
	return shown, nil
}

func idOf(item any) string { return kit.Text(cast.Object(item), "id") }

func (c *call) pathViewQuery() (*world.Record, *refusal) {
	view, refused := c.pathView()
	if refused != nil {
		return nil, refused
	}
	id, refused := c.pathID("query_id")
	if refused != nil {
		return nil, refused
	}
	r, ok := c.find(viewQueries, id)
	if ok {
		due, err := time.Parse(timeLayout, kit.Text(r.Value(), "expires_at"))
		ok = err == nil && c.Now.Before(due) && r.Value()["view_id"] == view.ID
	}
	if !ok {
		return nil, c.missing("view_query", id)
	}
	return r, nil
}

func getViewQuery(c *call, size int, cursor string) (map[string]any, *refusal) {
	r, refused := c.pathViewQuery()
	if refused != nil {
		return nil, refused
	}
	found, next, refused := window(slices.Values(cast.List(r.Value()["results"])), idOf, size, cursor)
	if refused != nil {
		return nil, refused
	}
	return listed("page", found, next), nil
}

func deleteViewQuery(c *call, r *world.Record) (map[string]any, *refusal) {
	c.fake.store.Delete(c.Tx, viewQueries, r.ID)
	return map[string]any{"object": "view_query", "id": r.ID, "deleted": true}, nil
}
