package generic

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// ruled answers an action. What it does beyond what its name tells, the behaviour
// file says; see put.
func ruled(c *call) (fakes.Reply, *refusal) {
	if c.plan.role.Member == "" && !c.plan.res.Singleton {
		if _, refused := c.scope(); refused != nil {
			return fakes.Reply{}, refused
		}
		return answerOther(c)
	}
	e, in, refused := c.target()
	if refused != nil {
		return fakes.Reply{}, refused
	}
	if refused := c.matches(e); refused != nil {
		return fakes.Reply{}, refused
	}
	value, changes := c.done(e.value)
	if changes {
		d := draft{call: c, res: c.plan.res, in: in}
		if e, refused = c.put(in, e, d.touched(e.value, value)); refused != nil {
			return fakes.Reply{}, refused
		}
	}
	return c.changed(e), nil
}

// done gives a member as an action leaves it, before its rule sets anything: a
// rule that sets something says all of it. What was sent is the member's where
// it has a field for each part of it.
func (c *call) done(record map[string]any) (after map[string]any, changes bool) {
	r := c.plan.res
	if c.plan.rule != nil && c.plan.rule.set != nil {
		return record, len(c.plan.rule.set) > 0
	}
	after = maps.Clone(record)
	given := c.given()
	own := func(name string) bool { return r.form.has(name) && !slices.Contains(r.unsent(), name) }
	if c.plan.role.Output.Fits && len(given) > 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(given)), func(name string) bool { return !own(name) }) {
		after, changes = c.fake.mould(r.form, mergePatch(r.form, record, r.form.bendAll(given))), true
	}
	set := outcome(r.Resource, r.form, c.plan.role.Name)
	if len(set) == 0 {
		return after, changes
	}
	changed, refused := c.assigned(r, after, set, record)
	if refused != nil {
		return after, changes
	}
	return changed, true
}

// makeWith writes a new member of what was given, and of what a rule sets.
func (c *call) makeWith(r *resource, in scope, given map[string]any, set []assignment, record map[string]any) (*entry, *refusal) {
	id, key, refused := c.newID(r, in, given)
	if refused != nil {
		return nil, refused
	}
	d := draft{call: c, res: r, in: in, given: given}
	value := d.make(id)
	if record == nil {
		record = value
	}
	if value, refused = c.assigned(r, value, set, record); refused != nil {
		return nil, refused
	}
	if refused := c.acceptable(r, in, "", value); refused != nil {
		return nil, refused
	}
	return c.insert(r, in, key, value), nil
}

// guarded does the usual thing of an operation, with the guard of a rule before
// it and its effects after it.
func guarded(usual handler) handler {
	return func(c *call) (fakes.Reply, *refusal) {
		var record map[string]any
		if c.plan.role.Member != "" || c.plan.res.Singleton {
			if e, _, refused := c.target(); refused == nil {
				record = e.value
			}
		}
		if refused := c.guard(c.plan.rule, record); refused != nil {
			return fakes.Reply{}, refused
		}
		reply, refused := usual(c)
		if refused != nil {
			return reply, refused
		}
		if c.last != nil {
			record = c.last
		}
		for _, header := range c.plan.rule.headers {
			if value, ok := c.evaluate(c.plan.res, path{header.field}, header.value, record); ok {
				reply.Header.Set(header.field, strings.Map(printable, cast.Plain(value)))
			}
		}
		return reply, c.affect(c.plan.rule, record)
	}
}

// guard refuses where a rule's condition does not hold, or cannot be told.
func (c *call) guard(rule *operationRule, record map[string]any) *refusal {
	if rule.when == nil {
		return nil
	}
	if ok, err := rule.when.Bool(c.vars(record)); err == nil && ok {
		return nil
	}
	refused := &refusal{
		status: http.StatusConflict, code: "conflict", res: c.plan.res, id: c.named(),
		message: "This cannot be done now.",
	}
	return refused.as(rule.refusal)
}

// set gives a record with what the operation's rule sets.
func (c *call) set(r *resource, record map[string]any) (map[string]any, *refusal) {
	if c.plan.rule == nil {
		return record, nil
	}
	return c.assigned(r, record, c.plan.rule.set, record)
}

// vars are what expressions see.
func (c *call) vars(record map[string]any) map[string]any {
	path := make(map[string]any, len(c.Input.Path))
	for name, held := range c.Input.Path {
		path[name] = held
	}
	return map[string]any{
		"record":  orEmpty(record),
		"request": map[string]any{"path": path, "query": orEmpty(c.Input.Query), "body": orEmpty(c.Input.Body)},
	}
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// assigned gives a record with what a rule sets. Record is what expressions
// see.
func (c *call) assigned(r *resource, into map[string]any, set []assignment, record map[string]any) (map[string]any, *refusal) {
	for _, a := range set {
		at := dotted(a.field)
		made, there := c.evaluate(r, at, a.value, record)
		if !there {
			continue
		}
		s := r.form.at(at)
		if s != nil && !fits(s, made, 0) {
			bent, ok := bend(s, made)
			if !ok {
				return nil, &refusal{
					status: http.StatusUnprocessableEntity, code: "invalid_value", res: r, field: a.field,
					message: a.field + " cannot be " + string(world.Encode(made)) + ".",
				}
			}
			made = bent
		}
		into = at.set(into, made)
	}
	return into, nil
}

// evaluate gives a value; there is none where what it is read from is not there.
func (c *call) evaluate(r *resource, at path, v value, record map[string]any) (any, bool) {
	switch {
	case v.now:
		return stamp(r.form.at(at), at[len(at)-1], c.Now), true
	case v.program != nil:
		made, err := v.program.Value(c.vars(record))
		return world.Normalise(made), err == nil
	case v.list:
		made := []any{}
		for _, part := range v.parts {
			if one, ok := c.evaluate(r, slices.Concat(at, path{part.field}), part.value, record); ok {
				made = append(made, one)
			}
		}
		return made, true
	case v.parts != nil:
		made := map[string]any{}
		for _, part := range v.parts {
			if one, ok := c.evaluate(r, slices.Concat(at, path{part.field}), part.value, record); ok {
				made[part.field] = one
			}
		}
		return made, true
	}
	return v.fixed, true
}

// affect does a rule's writes to other resources.
func (c *call) affect(rule *operationRule, record map[string]any) *refusal {
	for _, e := range rule.effects {
		r := c.fake.named(e.resource)
		if r == nil || !r.kept() {
			continue
		}
		if e.do == "create" {
			if _, refused := c.makeWith(r, scope{}, nil, e.set, record); refused != nil {
				return refused
			}
			continue
		}
		id, ok := c.evaluate(r, path{r.ID.Param}, e.id, record)
		if !ok {
			continue
		}
		found, ok := c.find(r, scope{}, r.ID.Param, cast.Plain(id))
		if !ok {
			continue // what is not there cannot change
		}
		if e.do == "delete" {
			c.remove(r, found)
			continue
		}
		value, refused := c.assigned(r, found.value, e.set, record)
		if refused != nil {
			return refused
		}
		d := draft{call: c, res: r}
		c.save(r, scope{}, found, d.complete(d.touched(found.value, value)))
	}
	return nil
}
