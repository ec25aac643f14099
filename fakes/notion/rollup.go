package notion

import (
	"math"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// valueSteps is what working out a value takes of a call's work, beside what is
// read for it: rollups of rollups hold as many as their relations multiply to.
const valueSteps = 8

// rolledUp draws together a property of the pages that a relation leads to.
func (c *call) rolledUp(page, config, kept map[string]any, depth int) map[string]any {
	settings := cast.Object(config["rollup"])
	function := kit.Text(settings, "function")
	if ready := cast.Object(kept["rollup"]); len(ready) > 0 {
		return ready // as the real service worked it out
	}
	none := map[string]any{"type": "array", "array": []any{}, "function": function}
	source, ok := c.find(dataSources, kit.Text(page, "parent.data_source_id"))
	if !ok || depth > 2 {
		return none
	}
	_, relation, ok := propertyOf(cast.Object(source.Value()["properties"]), named(settings, "relation_property"))
	if !ok {
		return none
	}
	related := cast.Object(byID(cast.Object(page["properties"]))[kit.Text(relation, "id")])
	values := []any{}
	for _, id := range relatedIDs(related) {
		c.Spend(valueSteps)
		if value := c.far(id, named(settings, "rollup_property"), depth); value != nil {
			values = append(values, value)
		}
	}
	return rollupOf(function, values)
}

// far is a property of another page, without its id.
func (c *call) far(id, key string, depth int) map[string]any {
	r, ok := c.find(pages, id)
	if !ok || trashed(r.Value()) {
		return nil
	}
	source, ok := c.find(dataSources, kit.Text(r.Value(), "parent.data_source_id"))
	if !ok {
		return nil
	}
	_, config, ok := propertyOf(cast.Object(source.Value()["properties"]), key)
	if !ok {
		return nil
	}
	value := c.showValue(r.Value(), config, cast.Object(byID(cast.Object(r.Value()["properties"]))[kit.Text(config, "id")]), depth+1)
	delete(value, "id")
	delete(value, "has_more")
	return value
}

func inner(value any) any {
	v := cast.Object(value)
	return v[kit.Text(v, "type")]
}

// rollupOf works out one function over values.
func rollupOf(function string, values []any) map[string]any {
	full := slices.DeleteFunc(slices.Clone(values), func(v any) bool { return empty("", inner(v)) })
	number := func(n any) map[string]any { return map[string]any{"type": "number", "number": n, "function": function} }
	share := func(n, of int) map[string]any {
		if of == 0 {
			return number(nil)
		}
		return number(whole(float64(n) / float64(of)))
	}
	switch function {
	case "show_original", "show_unique":
		return map[string]any{"type": "array", "array": values, "function": function}
	case "count":
		return number(int64(len(values)))
	case "count_values":
		return number(int64(len(full)))
	case "unique":
		seen := map[string]bool{}
		for _, v := range full {
			seen[jsonText(inner(v))] = true
		}
		return number(int64(len(seen)))
	case "empty":
		return number(int64(len(values) - len(full)))
	case "not_empty":
		return number(int64(len(full)))
	case "percent_empty":
		return share(len(values)-len(full), len(values))
	case "percent_not_empty":
		return share(len(full), len(values))
	case "checked", "unchecked", "percent_checked", "percent_unchecked":
		n := 0
		for _, v := range values {
			if (inner(v) == true) != strings.Contains(function, "unchecked") {
				n++
			}
		}
		if strings.HasPrefix(function, "percent") {
			return share(n, len(values))
		}
		return number(int64(n))
	case "earliest_date", "latest_date", "date_range":
		return dates(function, full)
	}
	return number(figure(function, full))
}

// figure works out a number from numbers; nil where there are none.
func figure(function string, values []any) any {
	var all []float64
	for _, v := range values {
		if n, ok := float(deep(v)); ok {
			all = append(all, n)
		}
	}
	sum := 0.0
	for _, n := range all {
		sum += n
	}
	if function == "sum" {
		return whole(sum)
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	low, high := all[0], all[len(all)-1]
	switch function {
	case "average":
		return whole(sum / float64(len(all)))
	case "median":
		return whole((all[(len(all)-1)/2] + all[len(all)/2]) / 2)
	case "min":
		return whole(low)
	case "max":
		return whole(high)
	case "range":
		return whole(high - low)
	}
	return nil
}

// deep is a value, within formulas too.
func deep(v any) any {
	got := inner(v)
	if m, ok := got.(map[string]any); ok && m["type"] != nil {
		return inner(m)
	}
	return got
}

// whole gives a number as JSON of whole numbers where it is one.
func whole(n float64) any {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return int64(n)
	}
	return n
}

func dates(function string, values []any) map[string]any {
	var first, last map[string]any
	for _, v := range values {
		date, ok := deep(v).(map[string]any)
		if !ok {
			continue
		}
		at, _ := moment(kit.Text(date, "start"))
		if earliest, _ := moment(kit.Text(first, "start")); first == nil || at.at.Before(earliest.at) {
			first = date
		}
		if latest, _ := moment(kit.Text(last, "start")); last == nil || at.at.After(latest.at) {
			last = date
		}
	}
	shown := map[string]any{"type": "date", "date": nil, "function": function}
	switch {
	case first == nil:
	case function == "earliest_date":
		shown["date"] = first
	case function == "latest_date":
		shown["date"] = last
	default:
		shown["date"] = map[string]any{"start": first["start"], "end": last["start"], "time_zone": nil}
	}
	return shown
}
