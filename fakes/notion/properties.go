package notion

import (
	"maps"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// showValues are a page's properties. Those of a page in a data source are
// what its schema has, filled where the page has a value.
func (c *call) showValues(page map[string]any, only []string) map[string]any {
	values := cast.Object(page["properties"])
	source, ok := c.find(dataSources, kit.Text(page, "parent.data_source_id"))
	if !ok {
		shown := make(map[string]any, len(values))
		for name, value := range values {
			if wanted(only, name, kit.Text(cast.Object(value), "id")) {
				shown[name] = c.spelt(value)
			}
		}
		return shown
	}
	schema, kept := cast.Object(source.Value()["properties"]), byID(values)
	shown := make(map[string]any, len(schema))
	for name, config := range schema {
		config := cast.Object(config)
		id := kit.Text(config, "id")
		if !wanted(only, name, id) {
			continue
		}
		value := c.showValue(page, config, cast.Object(kept[id]), 0)
		kind := kit.Text(config, "type")
		if !c.since(v20210816) && value[kind] == nil {
			continue // before, what was empty was left out
		}
		shown[name] = c.spelt(value)
	}
	return shown
}

// spelt spells an id as the version does.
func (c *call) spelt(value any) any {
	if c.since(v20210816) {
		return value
	}
	old := maps.Clone(cast.Object(value))
	old["id"] = decoded(kit.Text(old, "id"))
	return old
}

func wanted(only []string, name, id string) bool {
	return only == nil || slices.Contains(only, name) || slices.Contains(only, id) || slices.Contains(only, decoded(id))
}

// relationShown is how many relations a page shows by itself; has_more tells
// of others. Source: developers.notion.com, Retrieve a page.
const relationShown = 25

// showValue is one property of a page, with what is computed worked out.
func (c *call) showValue(page, config, kept map[string]any, depth int) map[string]any {
	kind := kit.Text(config, "type")
	shown := map[string]any{"id": config["id"], "type": kind}
	value := kept[kind]
	switch kind {
	case "title", "rich_text", "files":
		shown[kind] = or(value, []any{})
	case "people":
		people := []any{}
		for _, item := range cast.List(value) {
			people = append(people, c.person(kit.Text(cast.Object(item), "id")))
		}
		shown[kind] = people
	case "multi_select":
		all := []any{}
		for _, item := range cast.List(value) {
			all = append(all, current(cast.Object(item), config, kind))
		}
		shown[kind] = all
	case "select", "status":
		shown[kind] = nil
		if m, ok := value.(map[string]any); ok {
			shown[kind] = current(m, config, kind)
		}
	case "relation":
		all := cast.List(value)
		shown[kind] = append([]any{}, all[:min(len(all), relationShown)]...)
		shown["has_more"] = len(all) > relationShown
	case "checkbox":
		shown[kind] = value == true
	case "created_time", "last_edited_time":
		shown[kind] = or(page[kind], c.minute())
	case "created_by", "last_edited_by":
		shown[kind] = c.person(kit.Text(cast.Object(page[kind]), "id"))
	case "button":
		shown[kind] = map[string]any{}
	case "unique_id":
		shown[kind] = or(value, map[string]any{"prefix": cast.Object(config[kind])["prefix"], "number": nil})
	case "verification":
		shown[kind] = or(value, map[string]any{"state": "unverified", "date": nil, "verified_by": nil})
	case "formula":
		shown[kind] = c.formula(page, config, kept, depth)
	case "rollup":
		shown[kind] = c.rolledUp(page, config, kept, depth)
	default:
		shown[kind] = value
	}
	return shown
}

// current is an option as the schema has it now.
func current(value, config map[string]any, kind string) map[string]any {
	for _, item := range cast.List(cast.Object(config[kind])["options"]) {
		if option := cast.Object(item); option["id"] == value["id"] {
			return choice(option)
		}
	}
	return value
}

// getProperty is one property of a page. Long ones come in pages of items.
func getProperty(c *call, size int, cursor string) (map[string]any, *refusal) {
	r, refused := c.pathPage()
	if refused != nil {
		return nil, refused
	}
	value, ok := c.property(r, c.Input.Path["property_id"])
	if !ok {
		return nil, refuse("%s is not a property that exists.", c.Input.Path["property_id"])
	}
	kind, id := kit.Text(value, "type"), decoded(kit.Text(value, "id"))
	switch kind {
	case "title", "rich_text", "people", "relation":
		return c.propertyItems(kind, id, cast.List(value[kind]), size, cursor)
	case "rollup":
		rollup := maps.Clone(cast.Object(value[kind]))
		if c.since(v20220222) {
			items := cast.List(rollup["array"])
			if rollup["type"] == "array" {
				rollup["array"] = []any{}
			}
			return c.rollupItems(id, rollup, items, size, cursor)
		}
	}
	item := map[string]any{"object": "property_item", "type": kind, "id": id, kind: value[kind]}
	return item, nil
}

// property finds a property by its id or name, whole.
func (c *call) property(r *world.Record, key string) (map[string]any, bool) {
	values := cast.Object(r.Value()["properties"])
	source, ok := c.find(dataSources, kit.Text(r.Value(), "parent.data_source_id"))
	if !ok {
		_, value, ok := propertyOf(values, key)
		return value, ok
	}
	_, config, ok := propertyOf(cast.Object(source.Value()["properties"]), key)
	if !ok {
		return nil, false
	}
	kept := cast.Object(byID(values)[kit.Text(config, "id")])
	value := c.showValue(r.Value(), config, kept, 0)
	if value["type"] == "relation" {
		value["relation"] = or(kept["relation"], []any{})
	}
	return value, true
}

func (c *call) propertyItems(kind, id string, items []any, size int, cursor string) (map[string]any, *refusal) {
	found, next, refused := numbered(items, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := make([]any, 0, len(found))
	for _, item := range found {
		results = append(results, map[string]any{"object": "property_item", "type": kind, "id": id, kind: item})
	}
	envelope := listed("", results, next)
	if c.since(v20220222) {
		envelope["type"] = "property_item"
		envelope["property_item"] = map[string]any{"id": id, "next_url": c.nextURL(next), "type": kind, kind: map[string]any{}}
	}
	return envelope, nil
}

func (c *call) rollupItems(id string, rollup map[string]any, items []any, size int, cursor string) (map[string]any, *refusal) {
	found, next, refused := numbered(items, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := make([]any, 0, len(found))
	for _, item := range found {
		one := maps.Clone(cast.Object(item))
		one["object"], one["id"] = "property_item", id
		results = append(results, one)
	}
	envelope := listed("", results, next)
	envelope["type"] = "property_item"
	envelope["property_item"] = map[string]any{"id": id, "next_url": c.nextURL(next), "type": "rollup", "rollup": rollup}
	return envelope, nil
}

// nextURL leads to the page of items that follows.
func (c *call) nextURL(next string) any {
	if next == "" {
		return nil
	}
	return c.Base + kit.Path(c.Operation.Path, map[string]string{"page_id": c.Input.Path["page_id"], "property_id": encoded(decoded(c.Input.Path["property_id"]))}) + "?start_cursor=" + next
}

// numbered pages items that have no id of their own: the cursor says how many
// came before.
func numbered(items []any, size int, cursor string) ([]any, string, *refusal) {
	type entry struct {
		key  string
		item any
	}
	entries := make([]entry, len(items))
	for i, item := range items {
		entries[i] = entry{uuidFrom("item "+describe(i), "4"), item}
	}
	found, next, refused := window(slices.Values(entries), func(e entry) string { return e.key }, size, cursor)
	if refused != nil {
		return nil, "", refused
	}
	all := make([]any, len(found))
	for i, e := range found {
		all[i] = e.item
	}
	return all, next, nil
}
