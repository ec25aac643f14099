package notion

import (
	"maps"
	"net/http"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// take puts in the records of a reply, as they were before it.
func (c *call) take(value map[string]any) {
	if active, ok := value["active"].(bool); ok && active && c.Operation.ID == "introspect-token" {
		c.takeToken(value)
	}
	switch kit.Text(value, "object") {
	case "list":
		c.takeList(value)
	case "user":
		c.insertRecord(users, maps.Clone(value))
	case "page":
		c.takePage(value)
	case "database":
		c.takeDatabase(value)
	case "data_source":
		c.takeSource(value)
	case "block":
		c.takeBlock(value, 0)
	case "comment":
		c.inferParent(value)
		c.insertRecord(comments, value)
	case "file_upload":
		delete(value, "archived")
		c.insertRecord(fileUploads, value)
	case "property_item":
		c.takeProperty(value, []any{value})
	case "view":
		view := maps.Clone(value)
		delete(view, "url")
		c.insertRecord(views, view)
	case "page_markdown":
		c.takeMarkdown(kit.Text(value, "id"), kit.Text(value, "markdown"))
	}
}

// takeList takes the newest first where a list is so ordered, so that it is
// the last to be put in.
func (c *call) takeList(value map[string]any) {
	items := c.withNext(slices.Clone(cast.List(value["results"])), kit.Text(value, "next_cursor"))
	switch c.Operation.ID {
	case "post-search", "list-file-uploads":
		slices.Reverse(items)
	case "retrieve-a-page-property":
		c.takeProperty(cast.Object(value["property_item"]), items)
		return
	}
	if id, ok := uuidOf(c.Input.Path["block_id"]); ok && len(items) > 0 {
		c.inferPage(id)
		if r, ok := c.find(blocks, uuidFrom("within "+id, "8")); ok { // now it is known what is in there
			c.fake.store.Delete(c.Tx, blocks, r.ID)
		}
	}
	for _, item := range items {
		item := cast.Object(item)
		switch {
		case item["object"] == "block":
			c.takeBlock(item, c.lastTaken(item))
		case c.Operation.ID == "list-custom-emojis":
			c.insertRecord(emojis, maps.Clone(item))
		default:
			c.take(item)
		}
	}
	if c.Operation.ID == "query-data-source" || c.Operation.ID == "post-database-query" {
		c.inOrder(items)
	}
}

// inOrder remembers the order in which a query without sorts gave its pages.
func (c *call) inOrder(items []any) {
	if len(cast.List(c.Input.Body["sorts"])) > 0 {
		return
	}
	from := 0.0
	if _, further := c.Input.Body["start_cursor"].(string); further {
		for _, item := range items {
			r, ok := c.find(pages, kit.Text(cast.Object(item), "id"))
			if !ok {
				continue
			}
			for other := range c.fake.store.Find(c.Tx, pages, "parent.data_source_id", kit.Text(r.Value(), "parent.data_source_id")) {
				if at, _ := float(other.Value()["position"]); at > from && !slices.ContainsFunc(items, func(i any) bool { return kit.Text(cast.Object(i), "id") == other.ID }) {
					from = at
				}
			}
			break
		}
	}
	for i, item := range items {
		c.place(pages, kit.Text(cast.Object(item), "id"), from+float64(i+1))
	}
}

// place gives a record its place among others.
func (c *call) place(kind, id string, position float64) {
	r, ok := c.find(kind, id)
	if !ok || position <= 0 {
		return
	}
	value := maps.Clone(r.Value())
	value["position"] = position
	c.fake.store.Update(c.Tx, kind, id, value)
}

// withNext adds the item that the cursor of a list names: it is there, though
// nobody showed it.
func (c *call) withNext(items []any, cursor string) []any {
	id, ok := uuidOf(cursor)
	if !ok || len(items) == 0 {
		return items
	}
	next := maps.Clone(cast.Object(items[len(items)-1]))
	next["id"], next["presumed"] = id, true
	return append(items, next)
}

// lastTaken is the place behind what was taken before.
func (c *call) lastTaken(item map[string]any) float64 {
	if id := kit.Text(item, "parent.page_id") + kit.Text(item, "parent.block_id"); id != "" {
		return c.last(id)
	}
	id, _ := uuidOf(c.Input.Path["block_id"])
	return c.last(id)
}

// before is whether something was in the trash before the call.
func (c *call) before(value map[string]any) bool {
	trash := value["in_trash"] == true || value["archived"] == true
	switch {
	case c.Operation.Method == http.MethodDelete:
		return false
	case c.Operation.Method == http.MethodPatch:
		for _, field := range []string{"archived", "in_trash"} {
			if sent, ok := c.Input.Body[field].(bool); ok && sent == trash {
				return !trash
			}
		}
	}
	return trash
}

func (c *call) takePage(value map[string]any) {
	page := maps.Clone(value)
	parent := maps.Clone(cast.Object(page["parent"]))
	if parent["type"] == "data_source_id" || parent["type"] == "database_id" {
		c.inferSource(parent, page)
		if kit.Text(parent, "data_source_id") == "" {
			for _, r := range c.sources(kit.Text(parent, "database_id")) {
				parent["data_source_id"] = r.ID
			}
		}
		parent = map[string]any{"type": "data_source_id", "data_source_id": parent["data_source_id"]}
		c.completeSchema(kit.Text(parent, "data_source_id"), cast.Object(page["properties"]))
	}
	page["parent"] = parent
	page["in_trash"] = c.before(value)
	for _, field := range []string{"archived", "url"} {
		delete(page, field)
	}
	for _, name := range slices.Sorted(maps.Keys(cast.Object(page["properties"]))) {
		if property, ok := cast.Object(page["properties"])[name].(map[string]any); ok {
			delete(property, "has_more")
			for _, person := range cast.List(property["people"]) {
				c.insertRecord(users, maps.Clone(cast.Object(person)))
			}
		}
	}
	c.insertRecord(pages, page)
}

// completeSchema adds what a page shows to a schema that was presumed of
// another.
func (c *call) completeSchema(source string, properties map[string]any) {
	r, ok := c.find(dataSources, source)
	if !ok || c.Operation.Effect != specs.Read && r.Value()["presumed"] != true {
		return // what a write adds to a schema that was seen was not there before
	}
	schema := maps.Clone(cast.Object(r.Value()["properties"]))
	for name, value := range properties {
		kind := kit.Text(cast.Object(value), "type")
		config := maps.Clone(cast.Object(schema[name]))
		if len(config) == 0 {
			config = map[string]any{"id": cast.Object(value)["id"], "name": name, "description": nil, "type": kind, kind: presumed(kind, cast.Object(value)[kind])}
		}
		if options, ok := cast.Object(config[kind])["options"].([]any); ok {
			for _, option := range cast.List(presumed(kind, cast.Object(value)[kind])["options"]) {
				if !slices.ContainsFunc(options, func(o any) bool { return cast.Object(o)["id"] == cast.Object(option)["id"] }) {
					options = append(slices.Clone(options), option)
				}
			}
			settings := maps.Clone(cast.Object(config[kind]))
			settings["options"] = options
			config[kind] = settings
		}
		schema[name] = config
	}
	if !kit.Same(schema, r.Value()["properties"]) {
		value := maps.Clone(r.Value())
		value["properties"] = schema
		if len(c.Contract.CheckRecord(dataSources, value)) == 0 {
			c.fake.store.Update(c.Tx, dataSources, r.ID, value)
		}
	}
}

// takeDatabase takes a database; one of before 2025-09-03 has a schema, which
// goes into a data source.
func (c *call) takeDatabase(value map[string]any) {
	database := maps.Clone(value)
	id := kit.Text(database, "id")
	schema, old := database["properties"].(map[string]any)
	listed := cast.List(database["data_sources"])
	database["in_trash"] = c.before(value)
	for _, field := range []string{"archived", "url", "properties", "data_sources"} {
		delete(database, field)
	}
	c.inferParent(database)
	c.insertRecord(databases, database)
	sources := c.sources(id)
	if old && (len(sources) == 0 || sources[0].Value()["presumed"] == true) {
		for name, config := range schema {
			if m, ok := config.(map[string]any); ok && m["name"] == nil {
				m["name"] = name
			}
		}
		c.insertRecord(dataSources, map[string]any{
			"object": "data_source", "id": idOr(sources, uuidFrom("data source of "+id, "4")), "properties": schema, "title": or(database["title"], []any{}),
			"parent": map[string]any{"type": "database_id", "database_id": id}, "in_trash": database["in_trash"],
			"created_time": or(database["created_time"], c.minute()), "last_edited_time": or(database["last_edited_time"], c.minute()),
		})
	}
	for _, item := range listed {
		source := cast.Object(item)
		c.insertRecord(dataSources, map[string]any{
			"object": "data_source", "id": source["id"], "title": []any{plain(kit.Text(source, "name"))}, "in_trash": false,
			"parent": map[string]any{"type": "database_id", "database_id": id}, "properties": map[string]any{}, "presumed": true,
		})
	}
}

// idOr is the id of the first data source, where there is one.
func idOr(sources []*world.Record, id string) string {
	if len(sources) > 0 {
		return sources[0].ID
	}
	return id
}

// takeSource takes a data source; where it was only known by name, it takes
// the place of what was known.
func (c *call) takeSource(value map[string]any) {
	source := maps.Clone(value)
	source["in_trash"] = c.before(value)
	for _, field := range []string{"archived", "url", "request_id"} {
		delete(source, field)
	}
	if database := kit.Text(source, "parent.database_id"); database != "" {
		c.takeDatabase(map[string]any{"object": "database", "id": database, "parent": or(source["database_parent"], map[string]any{"type": "workspace", "workspace": true}), "title": source["title"]})
	}
	c.insertRecord(dataSources, source)
}

// takeBlock takes a block; pages and databases within pages are records of
// their own.
func (c *call) takeBlock(value map[string]any, position float64) {
	block := maps.Clone(value)
	kind := kit.Text(block, "type")
	if _, ok := block["parent"].(map[string]any); !ok {
		id, ok := uuidOf(c.Input.Path["block_id"])
		if ok && id != kit.Text(block, "id") {
			block["parent"] = map[string]any{"type": "page_id", "page_id": id}
		}
	}
	c.inferParent(block)
	block["in_trash"] = c.before(value)
	if position > 0 {
		block["position"] = position
	}
	holds := block["has_children"] == true
	for _, field := range []string{"archived", "has_children", "request_id"} {
		delete(block, field)
	}
	switch kind {
	case "child_page":
		title := kit.Text(block, "child_page.title")
		delete(block, "child_page")
		delete(block, "type")
		block["object"] = "page"
		block["properties"] = map[string]any{"title": map[string]any{"id": "title", "type": "title", "title": []any{plain(title)}}}
		c.insertRecord(pages, block)
		c.place(pages, kit.Text(block, "id"), position)
	case "child_database":
		title := kit.Text(block, "child_database.title")
		delete(block, "child_database")
		delete(block, "type")
		block["object"], block["title"] = "database", []any{plain(title)}
		c.insertRecord(databases, block)
		c.place(databases, kit.Text(block, "id"), position)
	default:
		content := maps.Clone(cast.Object(block[kind]))
		if text, old := content["text"]; old && kind != "" {
			content["rich_text"] = text
			delete(content, "text")
			block[kind] = content
		}
		c.insertRecord(blocks, block)
	}
	if holds {
		c.inferWithin(kit.Text(block, "id"))
	}
}

// inferWithin puts something into a block that has children which nobody
// showed.
func (c *call) inferWithin(id string) {
	if c.hasChildren(id) {
		return
	}
	parent := map[string]any{"type": "block_id", "block_id": id}
	if r, ok := c.find(pages, id); ok {
		parent = map[string]any{"type": "page_id", "page_id": r.ID}
	}
	c.insertRecord(blocks, map[string]any{
		"object": "block", "id": uuidFrom("within "+id, "8"), "parent": parent, "in_trash": false, "type": "paragraph", "position": 1.0,
		"created_time": c.minute(), "last_edited_time": c.minute(),
		"paragraph": map[string]any{"rich_text": []any{}, "color": "default", "icon": nil},
	})
}
