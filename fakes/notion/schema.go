package notion

import (
	"hash/fnv"
	"maps"
	"net/url"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// The types of properties, in the order in which Notion names them.
var propertyTypes = []string{
	"number", "formula", "select", "multi_select", "status", "relation", "rollup", "unique_id", "title", "rich_text", "url",
	"people", "files", "email", "phone_number", "date", "checkbox", "created_by", "created_time", "last_edited_by",
	"last_edited_time", "button", "location", "verification", "last_visited_time", "place",
}

var optionColors = []string{"gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red"}

// decoded is a property's id as it is: since 2021-08-16 they are shown as
// addresses spell them.
func decoded(id string) string {
	if text, err := url.PathUnescape(id); err == nil {
		return text
	}
	return id
}

// encoded spells an id as JavaScript's encodeURIComponent does.
func encoded(id string) string {
	return strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(url.QueryEscape(id))
}

// propertyID makes an id of four characters.
func (c *call) propertyID() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:;<=>?@[]^_`{|}~"
	seed := c.NewID("prop_", 8)
	h := fnv.New64a()
	h.Write([]byte(seed)) //nolint:errcheck // it never fails
	n := h.Sum64()
	id := make([]byte, 4)
	for i := range id {
		id[i] = letters[n%uint64(len(letters))]
		n /= uint64(len(letters))
	}
	return encoded(string(id))
}

// propertyOf finds a property of a schema by its name or id.
func propertyOf(schema map[string]any, key string) (name string, config map[string]any, ok bool) {
	if config, ok := schema[key].(map[string]any); ok {
		return key, config, true
	}
	for name, value := range schema {
		if id := kit.Text(cast.Object(value), "id"); id == key || decoded(id) == decoded(key) {
			return name, cast.Object(value), true
		}
	}
	return "", nil, false
}

// configured reads a schema that is to be, or changes to one: null takes a
// property away, name alone renames it.
func (c *call) configured(at place, old map[string]any, source string) (map[string]any, *refusal) {
	if wrong := at.isObject(); wrong != nil {
		return nil, invalid("body", wrong)
	}
	schema := maps.Clone(old)
	if schema == nil {
		schema = map[string]any{}
	}
	var formulas []string
	for _, key := range slices.Sorted(maps.Keys(cast.Object(at.value))) {
		field := at.at(key)
		name, was, known := propertyOf(schema, key)
		if !known {
			name = key
		}
		if field.null() {
			if !known {
				return nil, refuse("Could not find property with name or id: %s", key)
			}
			if was["type"] == "title" {
				return nil, refuse("Cannot delete the title property.")
			}
			delete(schema, name)
			continue
		}
		if wrong := field.isObject(); wrong != nil {
			return nil, invalid("body", wrong)
		}
		config, refused := c.config(field, name, was, source)
		if refused != nil {
			return nil, refused
		}
		if renamed := kit.Text(cast.Object(field.value), "name"); renamed != "" && renamed != name {
			if _, taken := schema[renamed]; taken {
				return nil, refuse("Cannot create new property with the name %q because it already exists.", renamed)
			}
			delete(schema, name)
			name = renamed
			config["name"] = renamed
		}
		schema[name] = config
		if field.at("formula").sent {
			formulas = append(formulas, name)
		}
	}
	for _, name := range formulas {
		expression := kit.Text(cast.Object(schema[name]), "formula.expression")
		if refused := checkFormula(expression, func(key string) bool { _, _, ok := propertyOf(schema, key); return ok }); refused != nil {
			return nil, refused
		}
	}
	return schema, titled(schema, len(old) == 0)
}

// titled refuses a schema without exactly one title.
func titled(schema map[string]any, fresh bool) *refusal {
	titles := 0
	for _, config := range schema {
		if cast.Object(config)["type"] == "title" {
			titles++
		}
	}
	switch {
	case titles > 1:
		return refuse("Cannot have more than one title property.")
	case titles == 0 && fresh:
		return refuse("Title is not provided")
	}
	return nil
}

// config reads the configuration of one property.
func (c *call) config(at place, name string, was map[string]any, source string) (map[string]any, *refusal) {
	kind := ""
	for _, known := range propertyTypes {
		if at.at(known).sent {
			kind = known
			break
		}
	}
	if kind == "" {
		if was != nil && (at.at("name").sent || at.at("description").sent || at.at("type").value == was["type"]) {
			config := maps.Clone(was)
			if text, ok := at.at("description").value.(string); ok {
				config["description"] = text
			}
			return config, nil
		}
		var wrong problem
		for _, known := range propertyTypes {
			wrong = append(wrong, at.at(known).should("defined")...)
		}
		return nil, invalid("body", wrong)
	}
	if sent := at.at("type"); sent.sent {
		if wrong := sent.isOne(kind); wrong != nil {
			return nil, invalid("body", wrong)
		}
	}
	if wrong := at.at(kind).isObject(); wrong != nil {
		return nil, invalid("body", wrong)
	}
	settings, refused := c.settings(kind, at.at(kind), was, source, name)
	if refused != nil {
		return nil, refused
	}
	id := kit.Text(was, "id")
	switch {
	case kind == "title":
		id = "title"
	case id == "" || id == "title":
		id = c.propertyID()
	}
	config := map[string]any{"id": id, "name": name, "description": was["description"], "type": kind, kind: settings}
	if text, ok := at.at("description").value.(string); ok {
		config["description"] = text
	}
	return config, nil
}

// settings reads what a type of property is configured by.
func (c *call) settings(kind string, at place, was map[string]any, source, name string) (map[string]any, *refusal) {
	old := cast.Object(was[kind])
	switch kind {
	case "number":
		format := at.at("format")
		if wrong := format.optional(func(p place) problem { return p.isText(100) }); wrong != nil {
			return nil, invalid("body", wrong)
		}
		return map[string]any{"format": or(format.value, old["format"], "number")}, nil
	case "select", "multi_select", "status":
		return c.options(kind, at, old)
	case "formula":
		if wrong := at.at("expression").isText(maxExpression * 10); wrong != nil {
			return nil, invalid("body", wrong)
		}
		return map[string]any{"expression": at.at("expression").value}, nil
	case "unique_id":
		return map[string]any{"prefix": at.at("prefix").value}, nil
	case "relation":
		return c.relation(at, source, name)
	case "rollup":
		return c.rollup(at, source)
	}
	return map[string]any{}, nil
}

func or(values ...any) any {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// options reads the choices of a select.
func (c *call) options(kind string, at place, old map[string]any) (map[string]any, *refusal) {
	options := []any{}
	sent := at.at("options")
	switch {
	case sent.sent:
		if wrong := sent.isArray(maxElements); wrong != nil {
			return nil, invalid("body", wrong)
		}
		for i := range cast.List(sent.value) {
			option, refused := c.option(kind, sent.item(i), cast.List(old["options"]))
			if refused != nil {
				return nil, refused
			}
			options = append(options, option)
		}
	case old != nil:
		options = cast.List(old["options"])
	case kind == "status":
		for _, start := range [][2]string{{"Not started", "default"}, {"In progress", "blue"}, {"Done", "green"}} {
			options = append(options, map[string]any{"id": c.optionID(), "name": start[0], "color": start[1], "description": nil})
		}
	}
	settings := map[string]any{"options": options}
	if kind == "status" {
		settings["groups"] = c.groups(options, cast.List(old["groups"]))
	}
	return settings, nil
}

func (c *call) option(kind string, at place, old []any) (map[string]any, *refusal) {
	if wrong := at.isObject(); wrong != nil {
		return nil, invalid("body", wrong)
	}
	name, id, color := at.at("name"), at.at("id"), at.at("color")
	if !id.sent {
		if wrong := name.isText(100); wrong != nil {
			return nil, invalid("body", wrong)
		}
	}
	text, _ := name.value.(string)
	if strings.Contains(text, ",") {
		return nil, refuse("Invalid %s option, commas not allowed: %s", kind, text)
	}
	for _, item := range old {
		was := cast.Object(item)
		if was["id"] == id.value && id.sent || !id.sent && was["name"] == text {
			kept := maps.Clone(was)
			if name.sent {
				kept["name"] = text
			}
			if color.sent {
				kept["color"] = color.value
			}
			return kept, nil
		}
	}
	if color.sent {
		if wrong := color.isOne(append([]string{"default"}, optionColors...)...); wrong != nil {
			return nil, invalid("body", wrong)
		}
	}
	return map[string]any{"id": c.optionID(), "name": text, "color": or(color.value, c.colorFor(text)), "description": at.at("description").value}, nil
}

func (c *call) optionID() string { return uuidFrom(c.NewID("opt_", 22), "4") }

// colorFor picks a color for an option that was made without one.
func (c *call) colorFor(name string) string {
	if drawn, ok := cast.Object(c.space["colors"])[name].(string); ok {
		return drawn
	}
	h := fnv.New32a()
	h.Write([]byte(name)) //nolint:errcheck // it never fails
	return optionColors[int(h.Sum32())%len(optionColors)]
}

// groups puts the options of a status into its three groups.
func (c *call) groups(options, old []any) []any {
	if len(old) == 3 {
		return old
	}
	groups := make([]any, 0, 3)
	for i, start := range [][2]string{{"To-do", "gray"}, {"In progress", "blue"}, {"Complete", "green"}} {
		ids := []any{}
		for j, option := range options {
			if min(j, 2) == i {
				ids = append(ids, cast.Object(option)["id"])
			}
		}
		groups = append(groups, map[string]any{"id": c.optionID(), "name": start[0], "color": start[1], "option_ids": ids})
	}
	return groups
}
