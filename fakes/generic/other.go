package generic

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/schema"
)

// answerOther answers what nothing is known of: with an example of the
// contract's, else with a value that its schema allows.
func answerOther(c *call) (fakes.Reply, *refusal) {
	t := c.success()
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
	if s := t.schema(); s != nil {
		body = c.echoed(s, body, given)
	}
	return c.obliged(c.written(reply, t, world.Normalise(body)), t), nil
}

// echoed puts what was sent, and what the path says, into the fields of a reply
// that have their names; of what was drawn it takes what only a failure says.
func (c *call) echoed(s *schema.Schema, body any, given bool) any {
	object, ok := world.Normalise(body).(map[string]any)
	if !ok {
		return body
	}
	f := c.fake.library.form(s)
	if !given {
		object = f.succeeded(object)
	}
	object = c.numbered(f, c.placed(f, object))
	if c.Operation.Method == http.MethodGet || c.Input.Body == nil {
		return object
	}
	out := maps.Clone(object)
	maps.Copy(out, c.fake.mould(f, cast.Object(c.Operation.WithoutSecrets(c.Input.Body))))
	if f.open { // of a reply that may say anything nothing more is known
		for name := range out {
			if _, there := object[name]; !there && !f.has(name) {
				delete(out, name)
			}
		}
	}
	return out
}

// numbered gives a reply to a list that was sent as many answers as it has
// items, where it has one list of objects.
func (c *call) numbered(f *form, object map[string]any) map[string]any {
	sent, ok := c.Input.Value.([]any)
	if !ok || len(sent) == 0 || len(sent) > mostAnswers {
		return object
	}
	list := ""
	for _, name := range f.names {
		if v := typed(f.fields[name]); v.Items != nil && typed(v.Items).Is("object") {
			if list != "" {
				return object // which one answers, nobody says
			}
			list = name
		}
	}
	if list == "" {
		return object
	}
	items := make([]any, len(sent))
	for i := range sent {
		items[i] = c.source().value(typed(f.fields[list]).Items, list)
	}
	object = maps.Clone(object)
	object[list] = items
	return object
}

// mostAnswers bounds how many are made up for one call.
const mostAnswers = 1000

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
