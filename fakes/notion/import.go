package notion

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/specs"
)

var _ fakes.Inferrer = (*Fake)(nil)

// Import puts into the world what the real service answered: the records that
// a reply shows, whatever their version, and what they say of the workspace.
func (f *Fake) Import(fc *fakes.Call, status int, body []byte) {
	c, value := f.heard(fc, status, body)
	if value == nil {
		return
	}
	c.take(value)
}

// Infer puts in what a write takes for granted: what holds the new record,
// who made it, and whom it names.
func (f *Fake) Infer(fc *fakes.Call, status int, body []byte, made map[string]bool) {
	c, value := f.heard(fc, status, body)
	if value == nil {
		return
	}
	c.made = made
	c.inferPeople(value)
	switch kit.Text(value, "object") {
	case "page", "database", "data_source", "file_upload":
		c.inferBot(value)
		c.inferParent(value)
		c.inferRelated(cast.Object(value["properties"]))
	case "comment":
		c.inferBot(value)
		c.inferParent(value)
		if sent, ok := uuidOf(kit.Text(c.Input.Body, "discussion_id")); ok {
			c.inferDiscussion(sent, value)
		}
	case "list":
		if id, ok := uuidOf(c.Input.Path["block_id"]); ok && c.Operation.ID == "patch-block-children" {
			c.inferPage(id)
			for _, item := range cast.List(value["results"]) {
				c.inferBot(cast.Object(item))
			}
		}
	}
}

// inferPeople puts in the people whom a reply describes.
func (c *call) inferPeople(v any) {
	switch x := v.(type) {
	case map[string]any:
		if x["object"] == "user" && x["type"] == "person" {
			c.insertRecord(users, maps.Clone(x))
			return
		}
		for _, name := range slices.Sorted(maps.Keys(x)) {
			c.inferPeople(x[name])
		}
	case []any:
		for _, inner := range x {
			c.inferPeople(inner)
		}
	}
}

// heard decodes a reply, and learns of the workspace from it.
func (f *Fake) heard(fc *fakes.Call, status int, body []byte) (*call, map[string]any) {
	if strings.HasPrefix(strings.TrimSpace(string(body)), "[") { // records that another one showed
		body = []byte(`{"object": "list", "results": ` + string(body) + "}")
	}
	var value map[string]any
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil, nil
	}
	value = cast.Object(numbers(value))
	c := f.call(fc)
	c.vacate()
	c.learnSpace(value)
	if value["error"] == "invalid_grant" && c.Operation.ID == "create-a-token" {
		c.spendOnce(or(c.Input.Body["code"], c.Input.Body["refresh_token"]))
	}
	if status != http.StatusOK {
		return nil, nil
	}
	if c.Operation.Effect != specs.Read {
		c.learnColors(value["properties"])
	}
	return c, value
}

// learnColors learns which color the real service drew for an option.
func (c *call) learnColors(v any) {
	switch x := v.(type) {
	case map[string]any:
		name, color := kit.Text(x, "name"), kit.Text(x, "color")
		if _, ok := x["id"]; ok && name != "" && color != "" {
			drawn := map[string]any{}
			maps.Copy(drawn, cast.Object(c.space["colors"]))
			drawn[name] = color
			c.setSpace(map[string]any{"colors": drawn})
			return
		}
		for _, name := range slices.Sorted(maps.Keys(x)) {
			c.learnColors(x[name])
		}
	case []any:
		for _, inner := range x {
			c.learnColors(inner)
		}
	}
}

// numbers gives whole numbers as the world holds them.
func numbers(v any) any {
	switch x := v.(type) {
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n
		}
		n, _ := x.Float64() //nolint:errcheck // what does not fit is infinite
		return n
	case map[string]any:
		for name, inner := range x {
			x[name] = numbers(inner)
		}
	case []any:
		for i, inner := range x {
			x[i] = numbers(inner)
		}
	}
	return v
}

var sharedWith = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`shared with your integration "([^"]+)"`) })

// learnSpace learns how links begin, and what the integration is called.
func (c *call) learnSpace(value map[string]any) {
	learned := map[string]any{}
	if found := sharedWith().FindStringSubmatch(kit.Text(value, "message")); found != nil {
		learned["integration_name"] = found[1]
	}
	if message := kit.Text(value, "message"); strings.HasPrefix(message, "Could not find ") && !strings.Contains(message, " user ") {
		switch {
		case strings.HasSuffix(message, "shared with your integration."):
			learned["integration_name"] = unnamed
		case !strings.Contains(message, "Make sure"):
			learned["integration_name"] = untold
		}
	}
	if id, ok := uuidOf(kit.Text(value, "additional_data.integration_id")); ok {
		learned["integration_id"] = id
	}
	if name := kit.Text(value, "display_name.resolved_name"); name != "" && kit.Text(value, "display_name.type") == "integration" {
		learned["integration_name"] = name
	}
	items := append([]any{value}, cast.List(value["results"])...)
	for _, item := range items {
		for _, links := range []string{"https://www.notion.so/", linksNow} {
			if strings.HasPrefix(kit.Text(cast.Object(item), "url"), links) {
				learned["links"] = links
			}
		}
		if me := cast.Object(item); me["type"] == "bot" && me["object"] == "user" && (c.Operation.ID == "get-self" || kit.Text(me, "bot.workspace_name") != "") {
			learned["bot_id"], learned["workspace_id"], learned["workspace_name"] = me["id"], cast.Object(me["bot"])["workspace_id"], cast.Object(me["bot"])["workspace_name"]
		}
	}
	c.setSpace(learned)
}

// vacate takes away what a world begins with, once it is to be another
// workspace.
func (c *call) vacate() {
	if c.space["workspace_id"] != spaceID || c.space["taken"] == true {
		return
	}
	for _, first := range [][2]string{{pages, rootPageID}, {users, personID}} {
		if _, ok := c.find(first[0], first[1]); ok {
			c.fake.store.Delete(c.Tx, first[0], first[1])
		}
	}
	c.setSpace(map[string]any{"taken": true})
}

func (c *call) setSpace(learned map[string]any) {
	for name, value := range learned {
		if value == nil {
			delete(learned, name)
		}
	}
	r, ok := c.find(workspaces, "workspace")
	if !ok || len(learned) == 0 {
		return
	}
	value := maps.Clone(r.Value())
	maps.Copy(value, learned)
	if len(c.Contract.CheckRecord(workspaces, value)) > 0 {
		return
	}
	c.space = c.fake.store.Update(c.Tx, workspaces, r.ID, value).Value()
	if bot := kit.Text(value, "bot_id"); bot != kit.Text(r.Value(), "bot_id") {
		c.replaceBot(kit.Text(r.Value(), "bot_id"), bot)
	}
}

// replaceBot gives the bot that a world begins with another id, where the real
// one is not known.
func (c *call) replaceBot(old, id string) {
	was, ok := c.find(users, old)
	if !ok || old != botID {
		return
	}
	c.fake.store.Delete(c.Tx, users, old)
	if _, known := c.find(users, id); !known && c.Operation.Effect != specs.Read {
		bot := maps.Clone(was.Value())
		bot["id"] = id
		c.insertRecord(users, bot)
	}
}

// inferBot takes who made a record for the bot that calls.
func (c *call) inferBot(value map[string]any) {
	if id := kit.Text(value, "created_by.id"); id != "" && (c.made[kit.Text(value, "id")] || c.Operation.ID == "patch-block-children") {
		c.setSpace(map[string]any{"bot_id": id})
	}
}

// inferParent puts in what holds a record, empty.
func (c *call) inferParent(value map[string]any) {
	parent := cast.Object(value["parent"])
	for _, kind := range []string{"page_id", "block_id"} {
		if id := kit.Text(parent, kind); id != "" {
			c.inferPage(id)
		}
	}
	if kit.Text(parent, "data_source_id")+kit.Text(parent, "database_id") != "" && value["object"] == "page" {
		c.inferSource(parent, value)
	}
}

func (c *call) inferPage(id string) {
	if _, ok := c.node(id); ok || c.made[id] {
		return
	}
	c.insertRecord(pages, map[string]any{
		"object": "page", "id": id, "created_time": c.minute(), "last_edited_time": c.minute(), "created_by": c.me(), "last_edited_by": c.me(),
		"parent": map[string]any{"type": "workspace", "workspace": true}, "in_trash": false, "presumed": true,
		"properties": map[string]any{"title": map[string]any{"id": "title", "type": "title", "title": []any{}}},
	})
}

// inferSource puts in the data source of a page, with the schema that the
// page's properties show.
func (c *call) inferSource(parent, page map[string]any) {
	database, id := kit.Text(parent, "database_id"), kit.Text(parent, "data_source_id")
	if database == "" {
		database = uuidFrom("database of "+id, "4")
	}
	if sources := c.sources(database); id == "" && len(sources) > 0 || c.made[id] || c.made[database] {
		return
	}
	if id == "" {
		id = uuidFrom("data source of "+database, "4")
	}
	if _, ok := c.find(dataSources, id); ok {
		return
	}
	schema := map[string]any{}
	for name, value := range cast.Object(page["properties"]) {
		kind := kit.Text(cast.Object(value), "type")
		schema[name] = map[string]any{"id": cast.Object(value)["id"], "name": name, "description": nil, "type": kind, kind: presumed(kind, cast.Object(value)[kind])}
	}
	c.takeDatabase(map[string]any{"object": "database", "id": database, "parent": map[string]any{"type": "workspace", "workspace": true}})
	c.insertRecord(dataSources, map[string]any{
		"object": "data_source", "id": id, "properties": schema, "parent": map[string]any{"type": "database_id", "database_id": database}, "in_trash": false, "presumed": true,
	})
}

// inferRelated puts in what the relations of a schema lead to.
func (c *call) inferRelated(schema map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		relation, ok := cast.Object(schema[name])["relation"].(map[string]any)
		if ok && kit.Text(relation, "database_id")+kit.Text(relation, "data_source_id") != "" {
			c.inferSource(relation, map[string]any{"properties": map[string]any{
				"Name": map[string]any{"id": "title", "type": "title", "title": []any{}},
			}})
		}
	}
}

// presumed is a configuration that a value fits.
func presumed(kind string, value any) map[string]any {
	switch kind {
	case "select", "status":
		if option, ok := value.(map[string]any); ok {
			return map[string]any{"options": []any{option}}
		}
		return map[string]any{"options": []any{}}
	case "multi_select":
		return map[string]any{"options": append([]any{}, cast.List(value)...)}
	case "number":
		return map[string]any{"format": "number"}
	}
	return map[string]any{}
}

// inferDiscussion puts in the comment that began a discussion.
func (c *call) inferDiscussion(id string, value map[string]any) {
	for range c.fake.store.Find(c.Tx, comments, "discussion_id", id) {
		return
	}
	c.insertRecord(comments, map[string]any{
		"object": "comment", "id": uuidFrom("beginning of "+id, "8"), "parent": value["parent"], "discussion_id": id, "created_time": c.minute(),
		"last_edited_time": c.minute(), "created_by": map[string]any{"object": "user", "id": personID}, "rich_text": []any{},
	})
}

// insertRecord adds a record that passes the contract, and is not there yet.
func (c *call) insertRecord(collection string, value map[string]any) {
	delete(value, "request_id")
	id := kit.Text(value, "id")
	old, there := c.find(collection, id)
	if id == "" || there && old.Value()["presumed"] != true {
		return
	}
	for _, by := range []string{"created_by", "last_edited_by"} {
		if m, ok := value[by].(map[string]any); ok && collection != fileUploads {
			value[by] = map[string]any{"object": "user", "id": m["id"]}
		}
	}
	switch {
	case len(c.Contract.CheckRecord(collection, value)) > 0:
	case there:
		if at, ok := old.Value()["position"]; ok {
			value["position"] = at
		}
		c.fake.store.Update(c.Tx, collection, id, value)
	default:
		c.fake.store.Create(c.Tx, collection, id, value)
	}
}
