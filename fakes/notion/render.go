package notion

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// What the API shows of records, in the shape of the call's version.

// trashMarks are how objects say that they are in the trash: archived until
// 2026-03-11, and in_trash besides.
func (c *call) trashMarks(shown, value map[string]any) {
	shown["in_trash"] = trashed(value)
	if !c.since(v20260311) {
		shown["archived"] = trashed(value)
	}
}

// stamps are who and when.
func (c *call) stamps(shown, value map[string]any) {
	for _, field := range []string{"created_time", "last_edited_time"} {
		shown[field] = or(value[field], value["created_time"], c.minute())
	}
	shown["created_by"] = or(value["created_by"], c.me())
	shown["last_edited_by"] = or(value["last_edited_by"], value["created_by"], c.me())
}

// showPage is a page; only narrows its properties to those named by name or id.
func (c *call) showPage(value map[string]any, only []string) map[string]any {
	shown := map[string]any{
		"object": "page", "id": value["id"], "cover": value["cover"], "icon": value["icon"],
		"parent": c.showParent(cast.Object(value["parent"])), "is_archived": value["is_archived"] == true,
		"is_locked": value["is_locked"] == true, "public_url": value["public_url"],
	}
	c.stamps(shown, value)
	c.trashMarks(shown, value)
	shown["properties"] = c.showValues(value, only)
	shown["url"] = c.link(kit.Text(value, "id"), titleOfPage(value))
	return shown
}

// showParent is where something is: pages of data sources were said to be in
// databases before 2025-09-03.
func (c *call) showParent(parent map[string]any) map[string]any {
	id := kit.Text(parent, "data_source_id")
	if id == "" {
		return parent
	}
	database := kit.Text(parent, "database_id")
	if r, ok := c.find(dataSources, id); ok {
		database = kit.Text(r.Value(), "parent.database_id")
	}
	if !c.since(v20250903) {
		return map[string]any{"type": "database_id", "database_id": database}
	}
	return map[string]any{"type": "data_source_id", "data_source_id": id, "database_id": database}
}

// link is the address of a page or database in Notion's own client.
func (c *call) link(id, title string) string {
	slug := strings.Trim(strings.Join(strings.FieldsFunc(title, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-"), "-")
	if slug != "" {
		slug += "-"
	}
	return kit.Text(c.space, "links") + slug + undashed(id)
}

func titleOfPage(value map[string]any) string {
	for _, property := range cast.Object(value["properties"]) {
		if cast.Object(property)["type"] == "title" {
			return plainText(cast.Object(property)["title"])
		}
	}
	return ""
}

// untitled is what a database without a title is called where its name is told.
const untitled = "Untitled"

// calledOr is a database's title as a name.
func calledOr(title any) string {
	if text := plainText(title); text != "" {
		return text
	}
	return untitled
}

// titleOf is what a page or database is called.
func (c *call) titleOf(id string) string {
	if n, ok := c.node(id); ok {
		if n.kind == pages {
			return titleOfPage(n.Value())
		}
		return plainText(n.Value()["title"])
	}
	if r, ok := c.find(dataSources, id); ok {
		return plainText(r.Value()["title"])
	}
	return ""
}

// showBlock is anything that stands in the tree, as a block.
func (c *call) showBlock(n node) map[string]any {
	value := n.Value()
	shown := map[string]any{
		"object": "block", "id": n.ID, "parent": c.showParent(cast.Object(value["parent"])), "has_children": c.hasChildren(n.ID),
	}
	c.stamps(shown, value)
	c.trashMarks(shown, value)
	switch n.kind {
	case pages:
		shown["type"], shown["child_page"] = "child_page", map[string]any{"title": titleOfPage(value)}
	case databases:
		shown["type"], shown["child_database"] = "child_database", map[string]any{"title": calledOr(value["title"])}
		shown["created_time"], shown["last_edited_time"] = toMinute(shown["created_time"]), toMinute(shown["last_edited_time"])
	default:
		kind := kit.Text(value, "type")
		shown["type"], shown[kind] = kind, c.showContent(cast.Object(value[kind]))
		if kind == "transcription" && c.since(v20260311) {
			delete(shown, kind)
			shown["type"], shown["meeting_notes"] = "meeting_notes", value[kind]
		}
	}
	return shown
}

// showContent calls rich_text what it was called in the call's version.
func (c *call) showContent(content map[string]any) map[string]any {
	if content == nil {
		return map[string]any{}
	}
	text, ok := content["rich_text"]
	if !ok || c.since(v20220222) {
		return content
	}
	old := maps.Clone(content)
	delete(old, "rich_text")
	old["text"] = text
	return old
}

// toMinute rounds a time down, as objects other than databases show it.
func toMinute(v any) any {
	text, _ := v.(string)
	if at, ok := moment(text); ok {
		return at.at.UTC().Truncate(60e9).Format("2006-01-02T15:04:05.000Z")
	}
	return v
}

// showDatabase is a database: a container of data sources since 2025-09-03,
// and one with its first data source before.
func (c *call) showDatabase(value map[string]any) map[string]any {
	id := kit.Text(value, "id")
	sources := c.sources(id)
	shown := map[string]any{
		"object": "database", "id": id, "title": or(value["title"], []any{}), "description": or(value["description"], []any{}),
		"parent": c.showParent(cast.Object(value["parent"])), "is_inline": value["is_inline"] == true,
		"icon": value["icon"], "cover": value["cover"], "url": c.link(id, ""), "public_url": value["public_url"],
	}
	c.stamps(shown, value)
	c.trashMarks(shown, value)
	if !c.since(v20250903) {
		shown["created_time"], shown["last_edited_time"] = toMinute(shown["created_time"]), toMinute(shown["last_edited_time"])
		shown["properties"] = or(value["properties"], map[string]any{})
		if len(sources) > 0 {
			shown["properties"] = c.showSchema(cast.Object(sources[0].Value()["properties"]))
		}
		return shown
	}
	delete(shown, "created_by")
	delete(shown, "last_edited_by")
	shown["is_locked"] = value["is_locked"] == true
	list := []any{}
	for _, r := range slices.Backward(sources) {
		if !trashed(r.Value()) {
			list = append(list, map[string]any{"id": r.ID, "name": calledOr(r.Value()["title"])})
		}
	}
	shown["data_sources"] = list
	return shown
}

// showDataSource is a data source, or before 2025-09-03 the database that it
// is in.
func (c *call) showDataSource(value map[string]any) map[string]any {
	id := kit.Text(value, "id")
	database, ok := c.find(databases, kit.Text(value, "parent.database_id"))
	if !c.since(v20250903) && ok {
		return c.showDatabase(database.Value())
	}
	shown := map[string]any{
		"object": "data_source", "id": id, "cover": value["cover"], "icon": value["icon"],
		"title": or(value["title"], []any{}), "description": or(value["description"], []any{}), "is_inline": value["is_inline"] == true,
		"properties": c.showSchema(cast.Object(value["properties"])), "parent": value["parent"], "public_url": value["public_url"],
		"database_parent": value["database_parent"], "url": c.link(id, ""),
	}
	if ok {
		shown["database_parent"], shown["url"] = database.Value()["parent"], c.link(database.ID, "")
		shown["is_inline"] = database.Value()["is_inline"] == true
	}
	c.stamps(shown, value)
	c.trashMarks(shown, value)
	return shown
}

// showSchema spells ids and relations as the version does.
func (c *call) showSchema(schema map[string]any) map[string]any {
	if c.since(v20250903) {
		return schema
	}
	shown := make(map[string]any, len(schema))
	for name, config := range schema {
		config := maps.Clone(cast.Object(config))
		if !c.since(v20210816) {
			config["id"] = decoded(kit.Text(config, "id"))
		}
		if relation, ok := config["relation"].(map[string]any); ok {
			relation = maps.Clone(relation)
			delete(relation, "data_source_id")
			if !c.since(v20220628) {
				maps.Copy(relation, cast.Object(relation["dual_property"]))
				delete(relation, "dual_property")
				delete(relation, "single_property")
				delete(relation, "type")
			}
			config["relation"] = relation
		}
		shown[name] = config
	}
	return shown
}

// showComment leaves out what only the fake keeps.
func (c *call) showComment(value map[string]any) map[string]any {
	shown := maps.Clone(value)
	delete(shown, "resolved")
	return shown
}
