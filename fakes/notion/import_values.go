package notion

import (
	"maps"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// takeMarkdown takes the content of a page of which nothing else is known.
func (c *call) takeMarkdown(id, text string) {
	if id, ok := uuidOf(id); ok && text != "" {
		c.inferPage(id)
		if _, known := c.find(pages, id); known && !c.hasChildren(id) {
			c.insert(map[string]any{"type": "page_id", "page_id": id}, parseMarkdown(text), 1, 1)
		}
	}
}

// takeProperty takes one property of a page, of which nothing else may be
// known.
func (c *call) takeProperty(config map[string]any, items []any) {
	id, ok := uuidOf(c.Input.Path["page_id"])
	if !ok {
		return
	}
	key, kind := encoded(decoded(c.Input.Path["property_id"])), kit.Text(config, "type")
	if kind == "" && len(items) > 0 {
		kind = kit.Text(cast.Object(items[0]), "type")
	}
	if kind == "" {
		return
	}
	var value any
	switch kind {
	case "title", "rich_text", "people", "relation":
		all := []any{}
		for _, item := range items {
			all = append(all, cast.Object(item)[kind])
		}
		value = all
	case "rollup":
		rollup := maps.Clone(cast.Object(config[kind]))
		if rollup["type"] == "array" {
			rollup["array"] = items
		}
		value = rollup
	default:
		value = config[kind]
	}
	c.inferPage(id)
	r, _ := c.find(pages, id)
	if r == nil {
		return
	}
	if name, old, there := propertyOf(cast.Object(r.Value()["properties"]), key); there {
		if more, ok := value.([]any); ok && c.query("start_cursor") != "" {
			c.goOn(r, name, old, more)
		}
		return
	}
	page := maps.Clone(r.Value())
	properties := maps.Clone(cast.Object(page["properties"]))
	properties[decoded(key)] = map[string]any{"id": key, "type": kind, kind: value}
	page["properties"] = properties
	if len(c.Contract.CheckRecord(pages, page)) == 0 {
		c.fake.store.Update(c.Tx, pages, id, page)
	}
}

// goOn adds a further page of items to a property.
func (c *call) goOn(r *world.Record, name string, old map[string]any, more []any) {
	kind := kit.Text(old, "type")
	property := maps.Clone(old)
	property[kind] = append(slices.Clone(cast.List(old[kind])), more...)
	properties := maps.Clone(cast.Object(r.Value()["properties"]))
	properties[name] = property
	page := maps.Clone(r.Value())
	page["properties"] = properties
	if len(c.Contract.CheckRecord(pages, page)) == 0 {
		c.fake.store.Update(c.Tx, pages, r.ID, page)
	}
}
