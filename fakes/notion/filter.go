package notion

import (
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

type keeping func(page map[string]any) bool

// The kinds of filters, in the order in which Notion names them.
var filterKinds = []string{
	"title", "rich_text", "number", "checkbox", "select", "multi_select", "status", "date", "people", "files", "url", "email",
	"phone_number", "relation", "created_by", "created_time", "last_edited_by", "last_edited_time", "formula", "unique_id",
	"rollup", "verification",
}

// maxFilterDepth is how deep filters may be made of filters.
// Source: developers.notion.com, Filter data source entries.
const maxFilterDepth = 2

// filter reads a filter; nil where nothing says.
func (c *call) filter(at place, source *world.Record, depth int) (keeping, *refusal) {
	if !at.sent || at.null() {
		return nil, nil
	}
	if wrong := at.isObject(); wrong != nil {
		return nil, invalid("body", wrong)
	}
	for _, join := range []string{"or", "and"} {
		if group := at.at(join); group.sent {
			if depth >= maxFilterDepth {
				return nil, invalid("body", group.should("not present"))
			}
			return c.group(group, join == "and", source, depth)
		}
	}
	if timestamp := at.at("timestamp"); timestamp.sent {
		if wrong := timestamp.isOne("created_time", "last_edited_time"); wrong != nil {
			return nil, invalid("body", wrong)
		}
		field, _ := timestamp.value.(string)
		if wrong := at.at(field).isObject(); wrong != nil {
			return nil, invalid("body", wrong)
		}
		holds, wrong := c.condition("date", at.at(field))
		if wrong != nil {
			return nil, invalid("body", wrong)
		}
		return func(page map[string]any) bool { return holds(map[string]any{"start": page[field]}) }, nil
	}
	return c.propertyFilter(at, source)
}

func (c *call) group(at place, every bool, source *world.Record, depth int) (keeping, *refusal) {
	if wrong := at.isArray(maxElements); wrong != nil {
		return nil, invalid("body", wrong)
	}
	var all []keeping
	for i := range cast.List(at.value) {
		one, refused := c.filter(at.item(i), source, depth+1)
		if refused != nil {
			return nil, refused
		}
		if one != nil {
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return func(page map[string]any) bool {
		for _, one := range all {
			if one(page) != every {
				return !every
			}
		}
		return every
	}, nil
}

func (c *call) propertyFilter(at place, source *world.Record) (keeping, *refusal) {
	kind := ""
	for _, known := range filterKinds {
		if at.at(known).sent {
			kind = known
			break
		}
	}
	if at.at("text").sent && !c.since(v20220222) {
		kind = "text"
	}
	if kind == "" {
		wrong := append(at.at("or").should("defined"), at.at("and").should("defined")...)
		for _, known := range filterKinds {
			wrong = append(wrong, at.at(known).should("defined")...)
		}
		return nil, invalid("body", wrong)
	}
	if wrong := first(at.at("property").isText(maxContent), at.at(kind).isObject()); wrong != nil {
		return nil, invalid("body", wrong)
	}
	key, _ := at.at("property").value.(string)
	_, config, ok := propertyOf(cast.Object(source.Value()["properties"]), key)
	if !ok {
		return nil, refuse("Could not find property with name or id: %s", key)
	}
	have := kit.Text(config, "type")
	if have != kind && !(textual(have) && textual(kind)) {
		return nil, refuse("The property type in the database does not match the property type of the filter provided: database property %s does not match filter %s", have, kind)
	}
	holds, wrong := c.condition(have, at.at(kind))
	if wrong != nil {
		return nil, invalid("body", wrong)
	}
	return func(page map[string]any) bool { return holds(c.of(page, config)) }, nil
}

func textual(kind string) bool {
	switch kind {
	case "title", "rich_text", "url", "email", "phone_number", "text":
		return true
	}
	return false
}
