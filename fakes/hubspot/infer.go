package hubspot

import (
	"maps"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
)

// Infer puts in what a recorded write takes for granted: the account, the
// properties that it names, and the records that it points to.
func (f *Fake) Infer(fc *fakes.Call, status int, body []byte, made map[string]bool) {
	if fc.Operation == nil || status/100 != 2 {
		return
	}
	c := &call{Call: fc, fake: f}
	c.settings = c.account()
	shown := decoded(body)
	c.importAccount(shown)
	o := c.presumedType()
	if o == nil {
		return
	}
	for _, one := range append(each(shown), append(c.inputs(), c.Input.Body)...) {
		c.inferProperties(o, one)
		c.inferTargets(o, one, made)
	}
	c.inferEnds(made)
}

// presumedType is the type that a write is about; nil where it is about none.
func (c *call) presumedType() *objectType {
	path := c.Operation.Path
	for _, parameter := range []string{"objectType", "fromObjectType"} {
		if o, ok := c.typeNamed(c.Input.Path[parameter]); ok && !strings.Contains(path, "/properties/") && !strings.Contains(path, "/pipelines/") {
			return o
		}
	}
	switch {
	case strings.HasPrefix(path, "/contacts/v1/contact"):
		return c.contacts()
	case strings.HasPrefix(path, "/companies/v2/companies"):
		return c.companies()
	case strings.HasPrefix(path, "/deals/v1/deal"):
		return c.deals()
	}
	return nil
}

// inferProperties makes properties that a successful write names.
func (c *call) inferProperties(o *objectType, one map[string]any) {
	named := map[string]any{}
	if given, ok := one["properties"].(map[string]any); ok {
		maps.Copy(named, given)
	}
	maps.Copy(named, givenV1(one["properties"]))
	for property := range named {
		c.importDefinition(o, property)
	}
}

// inferTargets puts in what a new record is associated with, where the
// conversation does not make it.
func (c *call) inferTargets(o *objectType, one map[string]any, made map[string]bool) {
	for _, association := range cast.Objects(one["associations"]) {
		end, _ := association["to"].(map[string]any)
		for _, spec := range cast.Objects(association["types"]) {
			id, _ := spec["associationTypeId"].(int64)
			if to, ok := c.reached(o, id); ok && to != nil && !made[cast.Plain(end["id"])] {
				c.importObject(to, map[string]any{"id": cast.Plain(end["id"])})
			}
		}
	}
}

// inferEnds puts in the two records that a path associates.
func (c *call) inferEnds(made map[string]bool) {
	if !strings.Contains(c.Operation.Path, "/associations/") || c.Operation.Method == http.MethodDelete {
		return
	}
	a, refused := c.ends()
	if refused != nil {
		return
	}
	pairs := []association{a}
	for _, input := range c.inputs() {
		pairs = append(pairs, association{from: a.from, to: a.to, fromID: point(input, "from"), toID: point(input, "to")})
	}
	for _, p := range pairs {
		if digits(p.fromID) && !made[p.fromID] {
			c.importObject(p.from, map[string]any{"id": p.fromID})
		}
		if digits(p.toID) && !made[p.toID] {
			c.importObject(p.to, map[string]any{"id": p.toID})
		}
	}
}
