package generic

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/schema"
)

// answerOther answers what nothing is known of: with an example of the
// contract's, else with a value that its schema allows.
func answerOther(c *call) (fakes.Reply, *refusal) {
	t := c.plan.success()
	reply := fakes.Reply{Status: t.status, Header: http.Header{}, Fidelity: fakes.Example}
	if t.status >= 300 && t.status < 400 {
		reply.Header.Set("Location", "https://example.com/")
	}
	if t.media == nil {
		return c.obliged(reply, t), nil
	}
	body, given := c.plan.example()
	if !given {
		reply.Fidelity = fakes.Generic
		body = c.source().value(t.schema(), "")
		if t.schema() == nil {
			body = map[string]any{}
		}
	}
	return c.obliged(c.written(reply, t, world.Normalise(body)), t), nil
}

// example gives one that the contract has for a reply, and that is as its own
// schema says.
func (f *Fake) example(op *specs.Operation, t target) (any, bool) {
	if t.media == nil {
		return nil, false
	}
	for _, n := range t.media.Examples(f.api) {
		value := n.Value()
		if words, ok := value.(string); ok && body.IsJSON(body.Kind(t.media.Type)) && strings.HasPrefix(strings.TrimSpace(words), "{") {
			decoded, err := world.Decode([]byte(words)) // an example that is written as a text
			if err != nil {
				continue
			}
			value = decoded
		}
		if asSaid(op, t, value) {
			return value, true
		}
	}
	if s := t.schema(); s != nil {
		if n := s.View().Example; n != nil && asSaid(op, t, n.Value()) {
			return n.Value(), true
		}
	}
	return nil, false
}

// asSaid tells whether an example is what its own contract says.
func asSaid(op *specs.Operation, t target, value any) bool {
	if !valid(t.schema(), value, 0) {
		return false
	}
	return !body.IsJSON(body.Kind(t.media.Type)) || len(op.CheckReply(t.status, contentType(t.media.Type), world.Encode(world.Normalise(value)))) == 0
}

// valid is fits, and nothing that is required is missing.
func valid(s *schema.Schema, value any, depth int) bool {
	if s == nil || depth > deepest {
		return true
	}
	if !fits(s, value, depth) {
		return false
	}
	switch x := value.(type) {
	case map[string]any:
		f := formOf(s)
		for name := range f.required {
			if _, ok := x[name]; !ok {
				return false
			}
		}
		for name, inner := range x {
			if at := f.fields[name]; at != nil && !valid(at, inner, depth+1) {
				return false
			}
		}
	case []any:
		items := typed(s).Items
		return !slices.ContainsFunc(x, func(item any) bool { return !valid(items, item, depth+1) })
	}
	return true
}
