package notion

import (
	"math"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// formula works out a property that is computed from others of its page.
func (c *call) formula(page, config, kept map[string]any, depth int) map[string]any {
	if ready := cast.Object(kept["formula"]); len(ready) > 0 {
		return ready // as the real service worked it out
	}
	source, ok := c.find(dataSources, kit.Text(page, "parent.data_source_id"))
	if !ok || depth > 3 {
		return map[string]any{"type": "string", "string": nil}
	}
	schema, values := cast.Object(source.Value()["properties"]), byID(cast.Object(page["properties"]))
	look := func(key string) any {
		_, other, ok := propertyOf(schema, key)
		if !ok {
			return nil
		}
		c.Spend(valueSteps)
		value := c.showValue(page, other, cast.Object(values[kit.Text(other, "id")]), depth+1)
		return simple(kit.Text(other, "type"), value[kit.Text(other, "type")])
	}
	result, ok := evaluate(kit.Text(config, "formula.expression"), look, c.Now, c.Spend)
	if !ok {
		return map[string]any{"type": "string", "string": nil}
	}
	switch x := result.(type) {
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return map[string]any{"type": "number", "number": nil}
		}
		return map[string]any{"type": "number", "number": whole(x)}
	case bool:
		return map[string]any{"type": "boolean", "boolean": x}
	case map[string]any:
		return map[string]any{"type": "date", "date": x}
	case string:
		return map[string]any{"type": "string", "string": x}
	}
	return map[string]any{"type": "string", "string": nil}
}

// simple is a property's value as formulas see it: a number, text, truth or
// date.
func simple(kind string, value any) any {
	switch kind {
	case "title", "rich_text":
		return plainText(value)
	case "select", "status":
		return kit.Text(cast.Object(value), "name")
	case "formula", "rollup":
		v := cast.Object(value)
		return simple(kit.Text(v, "type"), v[kit.Text(v, "type")])
	case "created_time", "last_edited_time":
		return map[string]any{"start": value, "end": nil, "time_zone": nil}
	case "unique_id":
		value = cast.Object(value)["number"]
	}
	if n, ok := float(value); ok {
		return n
	}
	return value
}
