package notion

import (
	"math"

	"parity/fakes/kit"
)

// formula works out a property that is computed from others of its page.
func (c *call) formula(page, config, kept map[string]any, depth int) map[string]any {
	if ready := object(kept["formula"]); len(ready) > 0 {
		return ready // as the real service worked it out
	}
	source, ok := c.find(dataSources, kit.Text(page, "parent.data_source_id"))
	if !ok || depth > 3 {
		return map[string]any{"type": "string", "string": nil}
	}
	schema, values := object(source.Value["properties"]), byID(object(page["properties"]))
	look := func(key string) any {
		_, other, ok := propertyOf(schema, key)
		if !ok {
			return nil
		}
		c.Spend(valueSteps)
		value := c.showValue(page, other, object(values[kit.Text(other, "id")]), depth+1)
		return simple(kit.Text(other, "type"), value[kit.Text(other, "type")])
	}
	result, ok := evaluate(kit.Text(object(config["formula"]), "expression"), look, c.Now, c.Spend)
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
		return kit.Text(object(value), "name")
	case "formula", "rollup":
		v := object(value)
		return simple(kit.Text(v, "type"), v[kit.Text(v, "type")])
	case "created_time", "last_edited_time":
		return map[string]any{"start": value, "end": nil, "time_zone": nil}
	case "unique_id":
		value = object(value)["number"]
	}
	if n, ok := float(value); ok {
		return n
	}
	return value
}
