package notion

import (
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// sources lists the data sources of a database, newest first.
func (c *call) sources(database string) []*world.Record {
	var all []*world.Record
	for r := range c.fake.store.Find(c.Tx, dataSources, "parent.database_id", database) {
		all = append(all, r)
	}
	return all
}

// manySources refuses what only a database with one data source can do.
// Source: developers.notion.com, Upgrading to 2025-09-03.
func (c *call) manySources(id string, sources []*world.Record) *refusal {
	ids := make([]any, len(sources))
	names := make([]string, len(sources))
	for i, r := range sources {
		ids[i], names[i] = r.ID, r.ID
	}
	r := refuse("Databases with multiple data sources are not supported in this API version.")
	r.extra = map[string]any{"error_type": "multiple_data_sources_for_database", "database_id": id, "child_data_source_ids": ids, "minimum_api_version": v20250903}
	return r
}

func (c *call) pathDatabase() (*world.Record, *refusal) {
	id, refused := c.pathID("database_id")
	if refused != nil {
		return nil, refused
	}
	r, ok := c.find(databases, id)
	if !ok {
		if other, known := c.node(id); known && other.kind == pages && c.shared(other.Value()) {
			return nil, refuse("Provided ID %s is a page, not a database. Use the retrieve page API instead: https://developers.notion.com/reference/retrieve-a-page", id)
		}
	}
	if !ok || !c.shared(r.Value()) {
		return nil, c.missing("database", id)
	}
	return r, nil
}

func getDatabase(c *call, r *world.Record) (map[string]any, *refusal) {
	if sources := c.sources(r.ID); !c.since(v20250903) && len(sources) > 1 {
		return nil, c.manySources(r.ID, sources)
	}
	return c.showDatabase(r.Value()), nil
}

// listDatabases was taken away in 2022-02-22.
func listDatabases(c *call) (map[string]any, *refusal) {
	if c.since(v20220222) {
		return nil, noSuchURL()
	}
	size, cursor, refused := c.queryPage()
	if refused != nil {
		return nil, refused
	}
	all := func(yield func(*world.Record) bool) {
		for r := range c.Tx.Newest(c.fake.store.Full(databases), 0) {
			if !trashed(r.Value()) && c.shared(r.Value()) && !yield(r) {
				return
			}
		}
	}
	found, next, refused := window(all, func(r *world.Record) string { return r.ID }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := []any{}
	for _, r := range found {
		results = append(results, c.showDatabase(r.Value()))
	}
	return listed("", results, next), nil
}

// databaseLooks reads the fields that databases and data sources share.
func (c *call) databaseLooks(body place) (map[string]any, *refusal) {
	changes := map[string]any{}
	for _, field := range []string{"title", "description"} {
		if at := body.at(field); at.sent {
			texts, wrong := at.texts()
			if wrong != nil {
				return nil, invalid("body", wrong)
			}
			changes[field] = texts
		}
	}
	for _, field := range []string{"icon", "cover"} {
		if at := body.at(field); at.sent {
			value, wrong := at.icon(field == "icon")
			if wrong != nil {
				return nil, invalid("body", wrong)
			}
			changes[field] = value
		}
	}
	for _, field := range []string{"is_inline", "is_locked"} {
		if at := body.at(field); at.sent {
			if wrong := at.isBool(); wrong != nil {
				return nil, invalid("body", wrong)
			}
			changes[field] = at.value
		}
	}
	return changes, nil
}

// createDatabase makes a database and its first data source.
func createDatabase(c *call) (map[string]any, *refusal) {
	body := c.body()
	properties := body.at("properties")
	known := []string{"parent", "title", "description", "is_inline", "icon", "cover", "properties"}
	if c.since(v20250903) {
		known = append(known, "initial_data_source")
		if at := body.at("initial_data_source"); at.sent {
			if wrong := at.isObject(); wrong != nil {
				return nil, invalid("body", wrong)
			}
			properties = at.at("properties")
		} else if properties.sent && c.Identity != "fixture" {
			return nil, invalid("body", properties.should("not present"))
		}
	} else if wrong := properties.defined(); wrong != nil {
		return nil, invalid("body", wrong)
	}
	if wrong := first(body.at("parent").isObject(), body.only(known...)); wrong != nil {
		return nil, invalid("body", wrong)
	}
	looks, refused := c.databaseLooks(body)
	if refused != nil {
		return nil, refused
	}
	at, refused := c.home(body.at("parent"), true)
	if refused != nil {
		return nil, refused
	}
	if at.source != nil {
		return nil, invalid("body", body.at("parent").at("page_id").should("defined"))
	}
	id := c.uuid("4")
	source := c.uuid("4")
	schema := map[string]any{"Name": map[string]any{"id": "title", "name": "Name", "description": nil, "type": "title", "title": map[string]any{}}}
	if properties.sent {
		if schema, refused = c.configured(properties, nil, source); refused != nil {
			return nil, refused
		}
	}
	value := map[string]any{
		"object": "database", "id": id, "title": []any{}, "description": []any{}, "parent": at.parent, "is_inline": false,
		"in_trash": false, "is_locked": false, "created_time": c.instant(), "last_edited_time": c.instant(),
		"created_by": c.me(), "last_edited_by": c.me(), "icon": nil, "cover": nil, "public_url": nil,
	}
	if at.within != nil {
		value["position"] = c.last(at.within.ID)
	}
	for field, given := range looks {
		value[field] = given
	}
	r := c.create(databases, value)
	c.newSource(source, r, schema, cast.List(value["title"]), nil)
	c.touch(r.Value())
	c.emit("database.created", node{databases, r}, nil)
	return c.showDatabase(r.Value()), nil
}

// newSource makes a data source of a database.
func (c *call) newSource(id string, database *world.Record, schema map[string]any, title []any, icon any) *world.Record {
	r := c.create(dataSources, map[string]any{
		"object": "data_source", "id": id, "cover": nil, "icon": icon, "created_time": c.minute(), "last_edited_time": c.minute(),
		"created_by": c.me(), "last_edited_by": c.me(), "title": title, "description": []any{}, "is_inline": false, "properties": schema,
		"parent": map[string]any{"type": "database_id", "database_id": database.ID}, "database_parent": database.Value()["parent"],
		"public_url": nil, "in_trash": false,
	})
	c.mirror(r)
	c.newView(database, r.ID, "Default view", "table", nil)
	return r
}

// updateDatabase changes a database; before 2025-09-03 its schema too.
func updateDatabase(c *call) (map[string]any, *refusal) {
	body := c.body()
	trash, sent, wrong := c.trashing(body)
	known := []string{"title", "description", "icon", "cover", "is_inline", "is_locked", "archived", "in_trash", "parent"}
	if !c.since(v20250903) {
		known = append(known, "properties")
	}
	if wrong = first(wrong, body.only(known...)); wrong != nil {
		return nil, invalid("body", wrong)
	}
	changes, refused := c.databaseLooks(body)
	if refused != nil {
		return nil, refused
	}
	r, refused := c.pathDatabase()
	if refused != nil {
		return nil, refused
	}
	if sent && trash != trashed(r.Value()) {
		if refused := c.bury(node{databases, r}, trash); refused != nil {
			return nil, refused
		}
		r, _ = c.find(databases, r.ID)
	}
	if trashed(r.Value()) {
		if len(changes) > 0 {
			return nil, archived("block")
		}
		return c.showDatabase(r.Value()), nil
	}
	sources := c.sources(r.ID)
	if at := body.at("properties"); at.sent && len(sources) > 0 {
		if len(sources) > 1 {
			return nil, c.manySources(r.ID, sources)
		}
		if refused := c.reschema(at, sources[0]); refused != nil {
			return nil, refused
		}
	}
	if at := body.at("parent"); at.sent {
		home, refused := c.home(at, true)
		if refused != nil {
			return nil, refused
		}
		changes["parent"] = home.parent
	}
	if len(changes) > 0 {
		r = c.write(databases, r, changes)
		if title, ok := changes["title"]; ok && len(sources) == 1 {
			c.write(dataSources, sources[0], map[string]any{"title": title})
		}
	}
	c.emit("database.content_updated", node{databases, r}, nil)
	return c.showDatabase(r.Value()), nil
}

// buryData moves the data sources of a database to the trash with it.
func (c *call) buryData(database string, trash bool) {
	for _, r := range c.sources(database) {
		c.write(dataSources, r, map[string]any{"in_trash": trash})
	}
}

// reschema changes the schema of a data source. Values of properties that
// changed their type, or went, are gone.
func (c *call) reschema(at place, source *world.Record) *refusal {
	old := cast.Object(source.Value()["properties"])
	schema, refused := c.configured(at, old, source.ID)
	if refused != nil {
		return refused
	}
	r := c.write(dataSources, source, map[string]any{"properties": schema})
	c.unmirror(old, schema)
	c.mirror(r)
	c.emit("data_source.schema_updated", node{dataSources, r}, nil)
	return nil
}

func (c *call) pathSource() (*world.Record, *refusal) {
	id, refused := c.pathID("data_source_id")
	if refused != nil {
		return nil, refused
	}
	if !c.since(v20250903) {
		return nil, noSuchURL()
	}
	return c.source(id, "data_source_id")
}

func getDataSource(c *call, r *world.Record) (map[string]any, *refusal) {
	return c.showDataSource(r.Value()), nil
}

// createDataSource adds a data source to a database.
func createDataSource(c *call) (map[string]any, *refusal) {
	if !c.since(v20250903) {
		return nil, noSuchURL()
	}
	body := c.body()
	parent := body.at("parent")
	if wrong := first(parent.isObject(), parent.at("database_id").isUUID(), body.at("properties").isObject(), body.only("parent", "properties", "title", "description", "icon")); wrong != nil {
		return nil, invalid("body", wrong)
	}
	looks, refused := c.databaseLooks(body)
	if refused != nil {
		return nil, refused
	}
	id, _ := uuidOf(kit.Text(cast.Object(parent.value), "database_id"))
	database, ok := c.find(databases, id)
	if !ok || !c.shared(database.Value()) {
		return nil, c.missing("database", id)
	}
	if refused := c.editable(node{databases, database}); refused != nil {
		return nil, refused
	}
	source := c.uuid("8")
	schema, refused := c.configured(body.at("properties"), nil, source)
	if refused != nil {
		return nil, refused
	}
	title, ok := looks["title"].([]any)
	if !ok {
		title = []any{}
	}
	r := c.newSource(source, database, schema, title, looks["icon"])
	c.write(databases, database, nil)
	c.emit("data_source.created", node{dataSources, r}, nil)
	return c.showDataSource(r.Value()), nil
}

// updateDataSource changes a data source and its schema.
func updateDataSource(c *call) (map[string]any, *refusal) {
	body := c.body()
	trash, sent, wrong := c.trashing(body)
	if wrong = first(wrong, body.only("title", "description", "icon", "properties", "archived", "in_trash", "parent")); wrong != nil {
		return nil, invalid("body", wrong)
	}
	changes, refused := c.databaseLooks(body)
	if refused != nil {
		return nil, refused
	}
	r, refused := c.pathSource()
	if refused != nil {
		return nil, refused
	}
	switch {
	case sent:
		changes["in_trash"] = trash
	case trashed(r.Value()):
		return nil, archived("block")
	}
	if c.buried(r.Value()) {
		return nil, archivedAncestor("block")
	}
	if at := body.at("properties"); at.sent {
		if refused := c.reschema(at, r); refused != nil {
			return nil, refused
		}
		r, _ = c.find(dataSources, r.ID)
	}
	r = c.write(dataSources, r, changes)
	c.emit("data_source.content_updated", node{dataSources, r}, nil)
	return c.showDataSource(r.Value()), nil
}

// listTemplates lists the pages that stand as templates of a data source.
func listTemplates(c *call, size int, cursor string) (map[string]any, *refusal) {
	r, refused := c.pathSource()
	if refused != nil {
		return nil, refused
	}
	named := strings.ToLower(c.query("name"))
	all := []*world.Record{}
	for page := range c.fake.store.Find(c.Tx, pages, "parent.data_source_id", r.ID) {
		if kit.Text(page.Value(), "as_template") != "" && strings.Contains(strings.ToLower(titleOfPage(page.Value())), named) {
			all = append(all, page)
		}
	}
	slices.Reverse(all)
	found, next, refused := window(slices.Values(all), func(r *world.Record) string { return r.ID }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	templates := []any{}
	for _, page := range found {
		templates = append(templates, map[string]any{"id": page.ID, "name": titleOfPage(page.Value()), "is_default": page.Value()["as_template"] == "default"})
	}
	value := map[string]any{"templates": templates, "has_more": next != "", "next_cursor": nil}
	if next != "" {
		value["next_cursor"] = next
	}
	return value, nil
}
