package hubspot

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// mostInputs is how many records a batch may have.
// Source: developers.hubspot.com/docs/api-reference/crm-contacts-v3.
const mostInputs = 100

// A batch gathers the results and errors of many inputs.
type batch struct {
	status  int
	results []any
	errors  []any
}

// reply answers with a batch: 207 where a part of it was refused.
func (c *call) reply(b batch) (answer, *refusal) {
	if b.results == nil {
		b.results = []any{}
	}
	value := map[string]any{"status": "COMPLETE", "results": b.results, "startedAt": c.now(), "completedAt": c.now()}
	if len(b.errors) > 0 {
		b.status = http.StatusMultiStatus
		value["numErrors"], value["errors"] = int64(len(b.errors)), b.errors
	}
	return answer{status: b.status, value: value}, nil
}

// some refuses a batch of none, or of more than most.
func (c *call) some(most int) ([]map[string]any, *refusal) {
	inputs := c.inputs()
	switch {
	case len(inputs) == 0:
		return nil, invalid("Batch input provided should have at least one object.")
	case len(inputs) > most:
		return nil, invalid("The number of inputs (%d) is greater than the maximum of %d", len(inputs), most)
	}
	return inputs, nil
}

// distinct refuses a batch that names a record twice.
func distinct(inputs []map[string]any) *refusal {
	var twice []any
	seen := map[string]bool{}
	for _, input := range inputs {
		id := strings.ToLower(cast.Plain(input["id"]))
		if seen[id] && !slices.Contains(twice, any(id)) {
			twice = append(twice, id)
		}
		seen[id] = true
	}
	if twice == nil {
		return nil
	}
	r := invalid("Duplicate IDs found in batch input: [%s]. IDs must be unique", strings.Join(cast.Texts(twice), ", "))
	r.context = map[string]any{"ids": twice}
	return r
}

func lost(o *objectType, ids []any) map[string]any {
	return map[string]any{
		"status": "error", "category": notFoundCategory,
		"message": "Could not get some " + o.upper + " objects, they may be deleted or not exist. Check that ids are valid.",
		"context": map[string]any{"ids": ids},
	}
}

func batchRead(c *call, o *objectType, inputs []map[string]any) (answer, *refusal) {
	property := c.text("idProperty")
	if property == "hs_object_id" {
		property = ""
	}
	if property != "" {
		if refused := c.unique(o, property); refused != nil {
			return answer{}, refused
		}
	}
	v := view{properties: cast.Texts(c.Input.Body["properties"]), history: cast.Texts(c.Input.Body["propertiesWithHistory"])}
	b, absent, seen := batch{status: http.StatusOK}, []any(nil), map[string]bool{}
	for _, input := range inputs {
		key := cast.Plain(input["id"])
		r := c.pick(o, key, property, c.flag("archived"))
		if r == nil {
			absent = append(absent, key)
			continue
		}
		if seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		asked := one{method: http.MethodGet, id: key}
		if property != "" {
			asked.query = url.Values{"idProperty": {property}}
		}
		shown, refused := c.each(asked, func(c *call) (map[string]any, *refusal) { return c.show(o, r.Value(), v), nil })
		if refused != nil {
			b.errors = append(b.errors, refused.item(trace(input)))
			continue
		}
		b.results = append(b.results, shown)
	}
	if absent != nil {
		b.errors = append(b.errors, lost(o, absent))
	}
	return c.reply(b)
}

// pick finds one record of a batch; nil where there is none.
func (c *call) pick(o *objectType, key, property string, archived bool) *world.Record {
	if property != "" {
		return c.byProperty(o, property, key)
	}
	r, ok := c.held(o, key)
	if !ok || (r.Value()["archived"] == true) != archived {
		return nil
	}
	return r
}

// batchCreate makes all records or, where one is refused, none: but for inputs
// that have a trace id each, of which the good ones are made.
// Source: developers.hubspot.com/docs/api-reference/error-handling, multi-status.
func batchCreate(c *call, o *objectType, inputs []map[string]any) (answer, *refusal) {
	b := batch{status: http.StatusCreated}
	traced := allTraced(inputs)
	if !traced {
		if refused := c.rehearse(o, inputs); refused != nil {
			return answer{}, refused
		}
	}
	for _, input := range inputs {
		shown, refused := c.each(asMade(input), func(c *call) (map[string]any, *refusal) {
			r, set, refused := c.create(o, input)
			if refused != nil {
				return nil, refused
			}
			return c.made(o, r, set), nil
		})
		if refused != nil {
			b.errors = append(b.errors, refused.item(trace(input)))
			continue
		}
		b.results = append(b.results, traceOn(shown, input))
	}
	return c.reply(b)
}

// rehearse refuses a batch of which one input would be refused.
func (c *call) rehearse(o *objectType, inputs []map[string]any) *refusal {
	var flaws []flaw
	emails := map[string]bool{}
	for _, input := range inputs {
		set, wrong := c.check(o, cast.Object(input["properties"]))
		if flaws = append(flaws, wrong...); len(wrong) > 0 {
			continue
		}
		for _, check := range []func() *refusal{
			func() *refusal { return c.complete(o, set) },
			func() *refusal { return c.staged(o, set, nil) },
			func() *refusal { return c.collides(o, set, "") },
			func() *refusal { _, refused := c.wanted(o, input["associations"]); return refused },
		} {
			if refused := check(); refused != nil {
				return refused
			}
		}
		if email := set["email"]; email != "" && o.name == "contacts" {
			if emails[email] {
				return &refusal{status: http.StatusConflict, category: conflictCategory, message: "Duplicate values were found in the batch for the unique property email: " + email}
			}
			emails[email] = true
		}
	}
	if len(flaws) > 0 {
		return c.flawed(flaws)
	}
	return nil
}

func allTraced(inputs []map[string]any) bool {
	return !slices.ContainsFunc(inputs, func(input map[string]any) bool { return cast.Text(input["objectWriteTraceId"]) == "" })
}

func trace(input map[string]any) map[string]any {
	context := map[string]any{}
	if id := cast.Text(input["objectWriteTraceId"]); id != "" {
		context["objectWriteTraceId"] = []any{id}
	}
	if id := cast.Plain(input["id"]); id != "" {
		context["ids"] = []any{id}
	}
	return context
}

func traceOn(shown, input map[string]any) map[string]any {
	if id := cast.Text(input["objectWriteTraceId"]); id != "" {
		shown["objectWriteTraceId"] = id
	}
	return shown
}

func batchUpdate(c *call) (answer, *refusal) { return c.batchChange(false) }
func batchUpsert(c *call) (answer, *refusal) { return c.batchChange(true) }

// batchChange changes records; an upsert makes those that are not there. What
// is not valid refuses all of it, as long as inputs are not traced; what is not
// there refuses itself alone.
func (c *call) batchChange(upsert bool) (answer, *refusal) {
	o, refused := c.objectType("objectType")
	if refused != nil {
		return answer{}, refused
	}
	inputs, refused := c.some(mostInputs)
	if refused == nil {
		refused = distinct(inputs)
	}
	if refused != nil {
		return answer{}, refused
	}
	if !allTraced(inputs) {
		if refused := c.rehearseChange(o, inputs, upsert); refused != nil {
			return answer{}, refused
		}
	}
	b, absent := batch{status: http.StatusOK}, []any(nil)
	for _, input := range inputs {
		shown, refused := c.each(asChanged(input), func(c *call) (map[string]any, *refusal) { return c.changeOne(o, input, upsert) })
		switch {
		case refused != nil && refused.status == http.StatusNotFound && cast.Text(input["objectWriteTraceId"]) == "":
			absent = append(absent, cast.Plain(input["id"]))
		case refused != nil && refused.status == http.StatusNotFound:
			item := lost(o, []any{cast.Plain(input["id"])})
			item["context"] = trace(input)
			b.errors = append(b.errors, item)
		case refused != nil:
			b.errors = append(b.errors, refused.item(trace(input)))
		default:
			b.results = append(b.results, traceOn(shown, input))
		}
	}
	if absent != nil {
		b.errors = append(b.errors, lost(o, absent))
	}
	return c.reply(b)
}

func (c *call) rehearseChange(o *objectType, inputs []map[string]any, upsert bool) *refusal {
	var flaws []flaw
	for _, input := range inputs {
		if property := cast.Text(input["idProperty"]); property != "" && property != "hs_object_id" {
			if refused := c.unique(o, property); refused != nil {
				if c.definition(o, property) != nil { // github.com/HubSpot/hubspot-api-nodejs/issues/548
					refused = invalid("Unable to perform update/upsert by non-unique %s property", o.id)
				}
				return refused
			}
		} else if upsert && !digits(cast.Plain(input["id"])) {
			return unnamed(cast.Plain(input["id"]))
		}
		set, wrong := c.check(o, cast.Object(input["properties"]))
		if flaws = append(flaws, wrong...); len(wrong) > 0 {
			continue
		}
		r, _ := c.look(o, cast.Plain(input["id"]), cast.Text(input["idProperty"]))
		if r == nil {
			continue
		}
		before, _ := r.Value()["properties"].(map[string]any)
		if refused := c.staged(o, set, before); refused != nil {
			return refused
		}
		if refused := c.collides(o, set, r.ID); refused != nil {
			return refused
		}
	}
	if len(flaws) > 0 {
		return c.flawed(flaws)
	}
	return nil
}

// changeOne changes one record of a batch, or makes it.
func (c *call) changeOne(o *objectType, input map[string]any, upsert bool) (map[string]any, *refusal) {
	given, _ := input["properties"].(map[string]any)
	key, property := cast.Plain(input["id"]), cast.Text(input["idProperty"])
	r, set, refused := c.change(o, key, property, given)
	switch {
	case refused == nil && upsert:
		shown := c.made(o, r, set)
		shown["new"] = false
		return shown, nil
	case refused == nil:
		return c.updated(o, r, set), nil
	case !upsert || refused.status != http.StatusNotFound || property == "" || property == "hs_object_id":
		return nil, refused
	}
	full := make(map[string]any, len(given)+1)
	full[property] = key
	for name, value := range given {
		full[name] = value
	}
	r, set, refused = c.create(o, map[string]any{"properties": full})
	if refused != nil {
		return nil, refused
	}
	shown := c.made(o, r, set)
	shown["new"] = true
	return shown, nil
}

func batchArchive(c *call, o *objectType, inputs []map[string]any) (answer, *refusal) {
	var kept []any
	for _, input := range inputs {
		id := cast.Plain(input["id"])
		r, found := c.find(o, id)
		if !found {
			continue
		}
		if _, refused := c.each(one{method: http.MethodDelete, id: id}, func(c *call) (map[string]any, *refusal) {
			c.retire(o, r)
			return nil, nil
		}); refused != nil {
			kept = append(kept, refused.item(trace(input)))
		}
	}
	if kept != nil {
		return c.reply(batch{errors: kept})
	}
	return done()
}
