package notion

import (
	"maps"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// relation reads what a relation leads to.
func (c *call) relation(at place, source, name string) (map[string]any, *refusal) {
	kind := "data_source_id"
	if !at.at(kind).sent {
		kind = "database_id"
	}
	if wrong := at.at(kind).isUUID(); wrong != nil {
		return nil, invalid("body", wrong)
	}
	id, _ := uuidOf(kit.Text(cast.Object(at.value), kind))
	var target *world.Record
	if id != source || kind == "database_id" {
		found, refused := c.source(id, kind)
		if refused != nil {
			return nil, refused
		}
		target = found
	} else if r, ok := c.find(dataSources, source); ok {
		target = r
	}
	settings := map[string]any{"data_source_id": id, "type": "single_property", "single_property": map[string]any{}}
	if target != nil {
		settings["data_source_id"], settings["database_id"] = target.ID, kit.Text(target.Value(), "parent.database_id")
	}
	if dual := at.at("dual_property"); dual.sent && target != nil {
		back := kit.Text(cast.Object(dual.value), "synced_property_name")
		if back == "" {
			back = "Related to " + c.titleOf(source) + " (" + name + ")"
		}
		id := c.propertyID()
		delete(settings, "single_property")
		settings["type"] = "dual_property"
		settings["dual_property"] = map[string]any{"synced_property_name": back, "synced_property_id": id}
	}
	return settings, nil
}

// rollup reads which property of which relation is drawn together, and how.
func (c *call) rollup(at place, source string) (map[string]any, *refusal) {
	if wrong := at.at("function").isOne(rollupFunctions...); wrong != nil {
		return nil, invalid("body", wrong)
	}
	settings := map[string]any{"function": at.at("function").value}
	for _, part := range []string{"relation_property", "rollup_property"} {
		byName, byID := at.at(part+"_name"), at.at(part+"_id")
		if !byName.sent && !byID.sent {
			return nil, invalid("body", append(byName.should("defined"), byID.should("defined")...))
		}
		settings[part+"_name"], settings[part+"_id"] = or(byName.value, ""), or(byID.value, "")
	}
	r, ok := c.find(dataSources, source)
	if !ok {
		return settings, nil
	}
	name, config, ok := propertyOf(cast.Object(r.Value()["properties"]), named(settings, "relation_property"))
	if !ok || config["type"] != "relation" {
		return nil, refuse("Could not find relation property with name or id: %s", named(settings, "relation_property"))
	}
	settings["relation_property_name"], settings["relation_property_id"] = name, config["id"]
	if far, ok := c.find(dataSources, kit.Text(config, "relation.data_source_id")); ok {
		name, config, ok := propertyOf(cast.Object(far.Value()["properties"]), named(settings, "rollup_property"))
		if !ok {
			return nil, refuse("Could not find property with name or id: %s", named(settings, "rollup_property"))
		}
		settings["rollup_property_name"], settings["rollup_property_id"] = name, config["id"]
	}
	return settings, nil
}

func named(settings map[string]any, part string) string {
	if id := kit.Text(settings, part+"_id"); id != "" {
		return id
	}
	return kit.Text(settings, part+"_name")
}

var rollupFunctions = []string{
	"count", "count_values", "empty", "not_empty", "unique", "show_unique", "percent_empty", "percent_not_empty", "sum", "average",
	"median", "min", "max", "range", "earliest_date", "latest_date", "date_range", "checked", "unchecked", "percent_checked",
	"percent_unchecked", "count_per_group", "percent_per_group", "show_original",
}

// mirror adds the other side of relations that have two.
func (c *call) mirror(source *world.Record) {
	for _, name := range slices.Sorted(maps.Keys(cast.Object(source.Value()["properties"]))) {
		config := cast.Object(cast.Object(source.Value()["properties"])[name])
		relation := cast.Object(config["relation"])
		if relation["type"] != "dual_property" {
			continue
		}
		dual := cast.Object(relation["dual_property"])
		far, ok := c.find(dataSources, kit.Text(relation, "data_source_id"))
		back := kit.Text(dual, "synced_property_name")
		if !ok {
			continue
		}
		if other, config, there := propertyOf(cast.Object(far.Value()["properties"]), kit.Text(dual, "synced_property_id")); there {
			c.mirrorName(far, other, config, name)
			continue
		}
		schema := maps.Clone(cast.Object(far.Value()["properties"]))
		schema[back] = map[string]any{
			"id": kit.Text(dual, "synced_property_id"), "name": back, "description": nil, "type": "relation",
			"relation": map[string]any{
				"data_source_id": source.ID, "database_id": kit.Text(source.Value(), "parent.database_id"), "type": "dual_property",
				"dual_property": map[string]any{"synced_property_name": name, "synced_property_id": kit.Text(config, "id")},
			},
		}
		c.write(dataSources, far, map[string]any{"properties": schema})
	}
}

// mirrorName tells the other side of a relation what this side is called.
func (c *call) mirrorName(far *world.Record, name string, config map[string]any, called string) {
	relation := maps.Clone(cast.Object(config["relation"]))
	dual := cast.Object(relation["dual_property"])
	if relation["type"] != "dual_property" || dual["synced_property_name"] == called {
		return
	}
	relation["dual_property"] = map[string]any{"synced_property_name": called, "synced_property_id": dual["synced_property_id"]}
	changed := maps.Clone(config)
	changed["relation"] = relation
	schema := maps.Clone(cast.Object(far.Value()["properties"]))
	schema[name] = changed
	c.write(dataSources, far, map[string]any{"properties": schema})
}

// unmirror takes away the other side of relations that are gone.
func (c *call) unmirror(old, schema map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(old)) {
		config := cast.Object(old[name])
		dual, ok := cast.Object(config["relation"])["dual_property"].(map[string]any)
		if _, _, still := propertyOf(schema, kit.Text(config, "id")); !ok || still {
			continue
		}
		far, ok := c.find(dataSources, kit.Text(config, "relation.data_source_id"))
		if !ok {
			continue
		}
		left := maps.Clone(cast.Object(far.Value()["properties"]))
		if other, _, there := propertyOf(left, kit.Text(dual, "synced_property_id")); there {
			delete(left, other)
			c.write(dataSources, far, map[string]any{"properties": left})
		}
	}
}
