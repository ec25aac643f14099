package hubspot

import (
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// A view is what of records a call asks to see.
type view struct {
	properties   []string
	history      []string
	associations []*objectType
}

// view reads what the query asks for.
func (c *call) view() (view, *refusal) {
	v := view{properties: c.words("properties"), history: c.words("propertiesWithHistory")}
	for _, given := range c.words("associations") {
		o, ok := c.typeNamed(given)
		if !ok {
			return view{}, unknownType(given)
		}
		v.associations = append(v.associations, o)
	}
	return v, nil
}

// show writes a record as it is shown.
func (c *call) show(o *objectType, value map[string]any, v view) map[string]any {
	held, _ := value["properties"].(map[string]any)
	shown := c.frame(value)
	shown["properties"] = c.asked(o, held, v)
	if len(v.history) > 0 {
		history := make(map[string]any, len(v.history))
		for _, property := range v.history {
			if c.definition(o, property) != nil {
				history[property] = c.past(value, property)
			}
		}
		shown["propertiesWithHistory"] = history
	}
	if len(v.associations) > 0 {
		c.attach(o, cast.Text(value["id"]), shown, v.associations)
	}
	return shown
}

// frame is what every reply shows of a record beside its properties.
func (c *call) frame(value map[string]any) map[string]any {
	shown := map[string]any{
		"id": value["id"], "createdAt": value["createdAt"], "updatedAt": value["updatedAt"], "archived": value["archived"],
	}
	if at := cast.Text(value["archivedAt"]); at != "" && value["archived"] == true {
		shown["archivedAt"] = at
	}
	return shown
}

// asked picks the properties that were asked for, and those that are always
// shown: null where there is no value, nothing where there is no such property.
func (c *call) asked(o *objectType, held map[string]any, v view) map[string]any {
	names := o.defaults
	if len(v.properties)+len(v.history) > 0 {
		names = append([]string{o.created, o.modified, "hs_object_id"}, v.properties...)
	}
	if o.custom && len(v.properties) == 0 {
		names = append([]string{}, o.defaults...)
	}
	shown := make(map[string]any, len(names)+len(v.history))
	for _, property := range append(names[:len(names):len(names)], v.history...) {
		if value, has := held[property]; has {
			shown[property] = value
		} else if c.definition(o, property) != nil {
			shown[property] = nil
		}
	}
	return shown
}

// past lists the versions of a property, newest first.
func (c *call) past(value map[string]any, property string) []any {
	versions, _ := cast.Object(value["history"])[property].([]any)
	if versions == nil {
		now, has := cast.Object(value["properties"])[property]
		if !has {
			return []any{}
		}
		versions = []any{map[string]any{"value": now, "timestamp": millis(cast.Text(value["createdAt"])), "source": "INTEGRATION", "sourceId": c.settings.appID}}
	}
	all := make([]any, len(versions))
	for i, one := range versions {
		v, _ := one.(map[string]any)
		at, _ := v["timestamp"].(int64)
		shown := map[string]any{"value": v["value"], "timestamp": instant(time.UnixMilli(at)), "sourceType": "INTEGRATION"}
		if kind := cast.Text(v["source"]); kind != "" {
			shown["sourceType"] = kind
		}
		if id := cast.Text(v["sourceId"]); id != "" {
			shown["sourceId"] = id
		}
		all[i] = shown
	}
	return all
}

// attach shows what a record is associated with.
func (c *call) attach(o *objectType, id string, shown map[string]any, kinds []*objectType) {
	all := map[string]any{}
	for _, to := range kinds {
		var results []any
		for _, link := range c.links(o, id, to) {
			for _, t := range link.types {
				results = append(results, map[string]any{"id": link.id, "type": c.typeName(o, to, t)})
			}
		}
		if results != nil {
			all[to.many()] = map[string]any{"results": results}
		}
	}
	if len(all) > 0 {
		shown["associations"] = all
	}
}

// visible tells whether a record is of a type, and archived or not as asked.
// What was merged is not shown under its old id.
func visible(o *objectType, r *world.Record, archived bool) bool {
	return (r.Value()["archived"] == true) == archived && cast.Text(r.Value()["mergedInto"]) == "" && (!o.custom || r.Value()["type"] == o.name)
}
