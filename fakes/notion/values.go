package notion

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// valued reads the values of a page's properties, and holds them against the
// schema of its data source. Options of selects that are new are added to it.
func (c *call) valued(at place, source *world.Record, old map[string]any) (map[string]any, *refusal) {
	schema := cast.Object(source.Value()["properties"])
	values := byID(old)
	var wrong []string
	learned := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(cast.Object(at.value))) {
		name, config, ok := propertyOf(schema, key)
		if !ok {
			wrong = append(wrong, key+" is not a property that exists.")
			continue
		}
		if changed, ok := learned[name].(map[string]any); ok {
			config = changed
		}
		kind := kit.Text(config, "type")
		field, fits := at.at(key).valueOf(kind)
		if !fits {
			wrong = append(wrong, fmt.Sprintf("%s is expected to be %s.", key, kind))
			continue
		}
		value, grown, refused := c.value(kind, field, config)
		if refused != nil {
			return nil, refused
		}
		if grown != nil {
			learned[name] = grown
		}
		id := kit.Text(config, "id")
		values[id] = map[string]any{"id": id, "type": kind, kind: value}
	}
	if len(wrong) > 0 {
		return nil, refuse("%s", strings.Join(wrong, " "))
	}
	source = c.learn(source, learned)
	if old == nil {
		c.number(source, values)
		undecided(source, values)
	}
	return renamedTo(cast.Object(source.Value()["properties"]), values), nil
}

// byID keys values by their properties' ids; renamedTo by their names.
func byID(values map[string]any) map[string]any {
	keyed := make(map[string]any, len(values))
	for _, value := range values {
		keyed[kit.Text(cast.Object(value), "id")] = value
	}
	return keyed
}

func renamedTo(schema, values map[string]any) map[string]any {
	named := make(map[string]any, len(values))
	for name, config := range schema {
		if value, ok := values[kit.Text(cast.Object(config), "id")]; ok {
			named[name] = value
		}
	}
	return named
}

// learn adds new options to a schema.
func (c *call) learn(source *world.Record, learned map[string]any) *world.Record {
	if len(learned) == 0 {
		return source
	}
	schema := maps.Clone(cast.Object(source.Value()["properties"]))
	maps.Copy(schema, learned)
	return c.write(dataSources, source, map[string]any{"properties": schema})
}

// number gives a new page its number, where the schema has one.
func (c *call) number(source *world.Record, values map[string]any) {
	schema := cast.Object(source.Value()["properties"])
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		config := cast.Object(schema[name])
		if config["type"] != "unique_id" {
			continue
		}
		next, _ := source.Value()["next_unique_id"].(int64)
		next++
		id := kit.Text(config, "id")
		values[id] = map[string]any{"id": id, "type": "unique_id", "unique_id": map[string]any{"prefix": cast.Object(config["unique_id"])["prefix"], "number": next}}
		changed := maps.Clone(source.Value())
		changed["next_unique_id"] = next
		c.fake.store.Update(c.Tx, dataSources, source.ID, changed)
		return
	}
}

// undecided gives a new page the first option of each status: a status is
// never empty.
func undecided(source *world.Record, values map[string]any) {
	for _, config := range cast.Object(source.Value()["properties"]) {
		config := cast.Object(config)
		options := cast.List(cast.Object(config["status"])["options"])
		id := kit.Text(config, "id")
		if _, given := values[id]; given || len(options) == 0 {
			continue
		}
		values[id] = map[string]any{"id": id, "type": "status", "status": choice(cast.Object(options[0]))}
	}
}

// valueOf finds the value of a type in what was sent: under the type's name,
// or bare, as clients of the first versions send it.
func (p place) valueOf(kind string) (place, bool) {
	m, ok := p.value.(map[string]any)
	if !ok {
		return p, true
	}
	if _, ok := m[kind]; ok {
		return p.at(kind), true
	}
	for _, other := range propertyTypes {
		if _, ok := m[other]; ok || m["type"] == other {
			return p, false
		}
	}
	return p, true
}

// value reads the value of one property. grown is its configuration with an
// option more, where there is a new one.
func (c *call) value(kind string, at place, config map[string]any) (value any, grown map[string]any, refused *refusal) {
	var wrong problem
	switch kind {
	case "title", "rich_text":
		if at.null() {
			return []any{}, nil, nil
		}
		value, wrong = list(at.texts())
	case "number":
		if !at.null() {
			wrong = at.isNumber()
		}
		value = at.value
	case "checkbox":
		value, wrong = at.value, at.isBool()
	case "url", "email", "phone_number":
		most := maxLink
		if kind != "url" {
			most = 200
		}
		if !at.null() {
			wrong = at.isText(most)
		}
		if value = at.value; value == "" {
			value = nil
		}
	case "date":
		if at.null() {
			return nil, nil, nil
		}
		value, wrong = at.date()
	case "select", "status":
		if at.null() {
			return nil, nil, nil
		}
		return c.chosen(kind, at, config)
	case "multi_select":
		return c.chosenMany(at, config)
	case "people", "relation":
		return c.linkedTo(kind, at)
	case "files":
		value, wrong = c.files(at)
	case "verification", "place", "location":
		value = at.value
	default:
		return nil, nil, refuse("Cannot update %s property: its value is computed.", kind)
	}
	if wrong != nil {
		return nil, nil, invalid("body", wrong)
	}
	return value, nil, nil
}

// chosen finds an option by its id or name, or makes one.
func (c *call) chosen(kind string, at place, config map[string]any) (any, map[string]any, *refusal) {
	if wrong := at.isObject(); wrong != nil {
		return nil, nil, invalid("body", wrong)
	}
	name, id := at.at("name"), at.at("id")
	if !name.sent && !id.sent {
		return nil, nil, invalid("body", append(id.should("defined"), name.should("defined")...))
	}
	for _, field := range []place{name, id} {
		if wrong := field.optional(func(p place) problem { return p.isText(maxContent) }); wrong != nil {
			return nil, nil, invalid("body", wrong)
		}
	}
	settings := cast.Object(config[kind])
	for _, item := range cast.List(settings["options"]) {
		option := cast.Object(item)
		if id.sent && option["id"] == id.value || !id.sent && option["name"] == name.value {
			return choice(option), nil, nil
		}
	}
	text, _ := name.value.(string)
	switch {
	case kind == "status":
		return nil, nil, refuse("Invalid status option. Status option \"%s\" does not exist\".", describe(or(name.value, id.value)))
	case !name.sent:
		return nil, nil, refuse("%s option with ID %q does not exist.", kind, describe(id.value))
	case strings.Contains(text, ","):
		return nil, nil, refuse("Invalid %s option, commas not allowed: %s", kind, text)
	case units(text) > 100:
		return nil, nil, invalid("body", should(name.where+".length", "≤ `100`", describe(units(text))))
	}
	option := map[string]any{"id": c.optionID(), "name": text, "color": or(at.at("color").value, c.colorFor(text)), "description": nil}
	grown := maps.Clone(config)
	grown[kind] = map[string]any{"options": append(slices.Clone(cast.List(settings["options"])), option)}
	return choice(option), grown, nil
}

func describe(v any) string { return fmt.Sprint(v) }

// choice is an option as values show it.
func choice(option map[string]any) map[string]any {
	return map[string]any{"id": option["id"], "name": option["name"], "color": or(option["color"], "default")}
}

func (c *call) chosenMany(at place, config map[string]any) (any, map[string]any, *refusal) {
	if at.null() {
		return []any{}, nil, nil
	}
	if wrong := at.isArray(maxElements); wrong != nil {
		return nil, nil, invalid("body", wrong)
	}
	all, grown := []any{}, map[string]any(nil)
	for i := range cast.List(at.value) {
		value, more, refused := c.chosen("multi_select", at.item(i), config)
		if refused != nil {
			return nil, nil, refused
		}
		if more != nil {
			config, grown = more, more
		}
		all = append(all, value)
	}
	return all, grown, nil
}

// linkedTo reads people, or the pages that a relation leads to.
func (c *call) linkedTo(kind string, at place) (any, map[string]any, *refusal) {
	if at.null() {
		return []any{}, nil, nil
	}
	if wrong := at.isArray(maxElements); wrong != nil {
		return nil, nil, invalid("body", wrong)
	}
	all := []any{}
	for i := range cast.List(at.value) {
		item := at.item(i)
		if wrong := first(item.isObject(), item.at("id").isUUID()); wrong != nil {
			return nil, nil, invalid("body", wrong)
		}
		id, _ := uuidOf(kit.Text(cast.Object(item.value), "id"))
		if kind == "people" {
			all = append(all, map[string]any{"object": "user", "id": id})
			continue
		}
		if r, ok := c.find(pages, id); !ok || !c.shared(r.Value()) {
			return nil, nil, c.missing("page", id)
		}
		all = append(all, map[string]any{"id": id})
	}
	return all, nil, nil
}

func (c *call) files(at place) (any, problem) {
	if at.null() {
		return []any{}, nil
	}
	if wrong := at.isArray(maxElements); wrong != nil {
		return nil, wrong
	}
	all := []any{}
	for i := range cast.List(at.value) {
		item := at.item(i)
		if wrong := item.isObject(); wrong != nil {
			return nil, wrong
		}
		file, wrong := item.file()
		if wrong != nil {
			return nil, wrong
		}
		file["name"] = item.at("name").value
		if file["name"] == nil {
			if file["type"] == "external" {
				return nil, item.at("name").should("defined")
			}
			file["name"] = "file"
		}
		all = append(all, file)
	}
	return all, nil
}

// linkBack keeps the other side of relations that have two.
func (c *call) linkBack(old map[string]any, r *world.Record) {
	source, ok := c.find(dataSources, kit.Text(r.Value(), "parent.data_source_id"))
	if !ok {
		return
	}
	schema := cast.Object(source.Value()["properties"])
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		relation := cast.Object(cast.Object(schema[name])["relation"])
		if relation["type"] != "dual_property" {
			continue
		}
		before := relatedIDs(cast.Object(old["properties"])[name])
		after := relatedIDs(cast.Object(r.Value()["properties"])[name])
		far := kit.Text(relation, "dual_property.synced_property_id")
		for _, id := range after {
			if !slices.Contains(before, id) {
				c.relink(id, far, r.ID, true)
			}
		}
		for _, id := range before {
			if !slices.Contains(after, id) {
				c.relink(id, far, r.ID, false)
			}
		}
	}
}

func relatedIDs(value any) []string {
	var ids []string
	for _, item := range cast.List(cast.Object(value)["relation"]) {
		ids = append(ids, kit.Text(cast.Object(item), "id"))
	}
	return ids
}

// relink adds a page to the relation of another, or takes it away.
func (c *call) relink(id, property, other string, add bool) {
	r, ok := c.find(pages, id)
	if !ok {
		return
	}
	source, ok := c.find(dataSources, kit.Text(r.Value(), "parent.data_source_id"))
	if !ok {
		return
	}
	name, config, ok := propertyOf(cast.Object(source.Value()["properties"]), property)
	if !ok {
		return
	}
	kept := []any{}
	for _, item := range cast.List(cast.Object(cast.Object(r.Value()["properties"])[name])["relation"]) {
		if kit.Text(cast.Object(item), "id") != other {
			kept = append(kept, item)
		}
	}
	if add {
		kept = append(kept, map[string]any{"id": other})
	}
	values := maps.Clone(cast.Object(r.Value()["properties"]))
	if values == nil {
		values = map[string]any{}
	}
	values[name] = map[string]any{"id": config["id"], "type": "relation", "relation": kept}
	changed := maps.Clone(r.Value())
	changed["properties"] = values
	c.fake.store.Update(c.Tx, pages, id, changed)
}

// changed names the properties that differ between two versions of a page.
func changed(old, now map[string]any) []any {
	ids := []any{}
	was := byID(cast.Object(old["properties"]))
	for id, value := range byID(cast.Object(now["properties"])) {
		if !kit.Same(was[id], value) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b any) int { return strings.Compare(describe(a), describe(b)) })
	return ids
}
