package notion

import (
	"math"
	"time"

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
	look := func(of any, key string) any {
		c.Spend(valueSteps)
		if id := kit.Text(cast.Object(of), "id"); of != nil {
			if value := c.far(id, key, depth); value != nil {
				return simple(kit.Text(value, "type"), value[kit.Text(value, "type")])
			}
			return nil
		}
		_, other, ok := propertyOf(cast.Object(source.Value()["properties"]), key)
		if !ok {
			return nil
		}
		kept := cast.Object(byID(cast.Object(page["properties"]))[kit.Text(other, "id")])
		value := c.showValue(page, other, kept, depth+1)
		return simple(kit.Text(other, "type"), value[kit.Text(other, "type")])
	}
	expression := kit.Text(config, "formula.expression")
	c.Spend(len(expression) / 16)
	root, ok := parseFormula(expression)
	if !ok {
		return map[string]any{"type": "string", "string": nil}
	}
	e := &evaluation{look: look, now: c.Now.UTC().Truncate(time.Minute), spend: c.Spend}
	e.id = undashed(kit.Text(page, "id"))
	return typedResult(e.of(root))
}

// typedResult is what a formula comes to, as a property has it. Lists, people
// and pages are shown as text.
func typedResult(result any) map[string]any {
	switch x := result.(type) {
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return map[string]any{"type": "number", "number": nil}
		}
		return map[string]any{"type": "number", "number": whole(x)}
	case bool:
		return map[string]any{"type": "boolean", "boolean": x}
	case dated:
		return map[string]any{"type": "date", "date": x.shown()}
	case nil:
		return map[string]any{"type": "string", "string": nil}
	}
	return map[string]any{"type": "string", "string": said(result)}
}

// checkFormula refuses what is no formula over the properties of a schema.
// The words are those of recorded refusals; which mistake it was is not said.
func checkFormula(expression string, property func(key string) bool) *refusal {
	if root, ok := parseFormula(expression); !ok || !root.sound(property, nil) {
		return refuse("Type error with formula")
	}
	return nil
}

// simple is a property's value as formulas see it: a number, text, truth, date,
// person or page, or a list of them.
func simple(kind string, value any) any {
	switch kind {
	case "title", "rich_text":
		return plainText(value)
	case "select", "status":
		return kit.Text(cast.Object(value), "name")
	case "formula":
		v := cast.Object(value)
		inner := kit.Text(v, "type")
		return simple(inner, v[inner])
	case "rollup":
		v := cast.Object(value)
		if v["type"] != "array" {
			return simple(kit.Text(v, "type"), v[kit.Text(v, "type")])
		}
		all := []any{}
		for _, item := range cast.List(v["array"]) {
			inner := kit.Text(cast.Object(item), "type")
			all = append(all, listOf(simple(inner, cast.Object(item)[inner]))...)
		}
		return all
	case "multi_select", "files":
		all := []any{}
		for _, item := range cast.List(value) {
			all = append(all, kit.Text(cast.Object(item), "name"))
		}
		return all
	case "created_time", "last_edited_time":
		value = map[string]any{"start": value}
	case "unique_id":
		value = cast.Object(value)["number"]
	case "people", "relation", "created_by", "last_edited_by":
		return value
	}
	if date, ok := dateOf(value); ok {
		return date
	}
	if n, ok := float(value); ok {
		return n
	}
	return value
}
