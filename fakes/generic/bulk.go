package generic

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/anatomy"
	"parity/specs/class"
)

// Lists tells whether a call is a list of records to be made, or of JSON-RPC's calls.
func (f *Fake) Lists(fc *fakes.Call) bool {
	c := &call{Call: fc, fake: f, plan: f.plans[fc.Operation.Source()]()}
	return len(c.procedures()) > 0 || c.plan.role.Kind == anatomy.Create && c.plan.res != nil && len(c.bulk()) > 0 && c.one() == fc.Operation
}

// bulk are the records that a call brings in a list.
func (c *call) bulk() []any {
	content := c.Input.Content()
	if inner, ok := pointer(c.plan.role.Input.Path).get(content); ok {
		content = inner
	}
	return ofObjects(content)
}

// ofObjects gives a list of objects and nothing else; nil: it is none.
func ofObjects(value any) []any {
	list, _ := value.([]any)
	if slices.ContainsFunc(list, func(item any) bool { _, object := item.(map[string]any); return !object }) {
		return nil
	}
	return list
}

// one is the operation that makes one of what a list brings several of: the
// call's own where there is no other.
func (c *call) one() *specs.Operation {
	if !c.plan.batches {
		return c.Operation
	}
	for _, op := range c.Contract.Operations {
		role := c.fake.model.Roles[op.Source()]
		if role != nil && op != c.Operation && role.Kind == anatomy.Create && role.Resource == c.plan.role.Resource && slices.Equal(role.Within, c.plan.role.Within) && !class.Batches(op) {
			return op
		}
	}
	return c.Operation
}

// createEach makes each record of a list, as a call of its own would, or none.
func (c *call) createEach(in scope, list []any, given []map[string]any) (fakes.Reply, *refusal) {
	before, op := len(c.Tx.Changes()), c.one()
	for i, item := range list {
		if i == len(given) {
			break
		}
		body, _ := item.(map[string]any)
		var made *entry
		reply := c.Carry(c.partOf(op, body), func(fc *fakes.Call) fakes.Reply {
			one := &call{Call: fc, fake: c.fake, plan: c.plan}
			e, refused := one.createOrMerge(c.plan.res, in, given[i])
			if refused != nil {
				return one.refuse(refused)
			}
			made, one.many = e, []*entry{e}
			return one.created(e, http.StatusCreated)
		})
		if reply.Status/100 != 2 || made == nil {
			c.undo(before)
			return reply, nil
		}
		c.many = append(c.many, made)
	}
	return c.created(c.many[0], http.StatusCreated), nil
}

// makes is the operation that makes one record of what a list brings several of, at
// an operation for batches that stands below it; nil: there is none.
func (c *call) makes() *specs.Operation {
	if !c.plan.batches || c.plan.res != nil && c.plan.role.Kind == anatomy.Create {
		return nil
	}
	above := c.Operation.Path[:max(strings.LastIndexByte(c.Operation.Path, '/'), 0)]
	for _, op := range c.Contract.Operations {
		if op.Path == above && op.Method == http.MethodPost {
			if role := c.fake.model.Roles[op.Source()]; role != nil && role.Kind == anatomy.Create {
				return op
			}
		}
	}
	return nil
}

// brings is the list that a batch brings, wherever in its body that stands.
func (c *call) brings() []any {
	if list := c.bulk(); len(list) > 0 {
		return list
	}
	var found []any
	for _, value := range c.Input.Body {
		list := ofObjects(value)
		if len(list) == 0 {
			continue
		}
		if found != nil {
			return nil // which one is meant nobody says
		}
		found = list
	}
	return found
}

// makeEach makes each record that a batch brings, as its own operation would, or
// none, and shows them in the list that the contract's reply has.
func (c *call) makeEach(op *specs.Operation, list []any) fakes.Reply {
	before := len(c.Tx.Changes())
	var made []any
	for _, item := range list {
		sent, _ := item.(map[string]any)
		a := answered{reply: c.Carry(c.partOf(op, sent), c.fake.Answer)}
		if a.reply.Status/100 != 2 {
			c.undo(before)
			return a.reply
		}
		value, _ := a.content()
		made = append(made, value)
	}
	t := c.success()
	if t.media == nil {
		return fakes.Reply{Status: t.status, Header: http.Header{}, Fidelity: fakes.Generic}
	}
	var shown any = made
	if s := typed(t.schema()); s != nil && s.Items == nil {
		shown = c.aroundList(t, made)
	}
	return c.obliged(c.written(fakes.Reply{Status: t.status, Header: http.Header{}, Fidelity: fakes.Generic}, t, world.Normalise(shown)), t)
}

// aroundList puts records into the one list of objects that a reply has; where it
// has none, or several, nothing of them is shown.
func (c *call) aroundList(t target, list []any) any {
	f := c.fake.library.form(t.schema())
	at := ""
	for _, name := range f.names {
		if v := typed(f.fields[name]); v.Items != nil && typed(v.Items).Is("object") {
			if at != "" {
				return c.source().least(t.schema(), map[string]any{})
			}
			at = name
		}
	}
	if at == "" {
		return c.source().least(t.schema(), map[string]any{})
	}
	return path{at}.put(cast.Object(c.completed(t, map[string]any{}, path{at}, list)), list)
}

// partOf is a call of an operation with what a list has for it.
func (c *call) partOf(op *specs.Operation, sent map[string]any) fakes.Part {
	return fakes.Part{
		Operation: op, Path: fakes.PathTo(op, c.Input.Path), Header: http.Header{"Content-Type": {"application/json"}},
		Input: specs.Input{Path: c.Input.Path, Body: sent}, Body: world.Encode(sent),
	}
}

// procedures are the calls of a JSON-RPC batch.
// Source: jsonrpc.org/specification, 6.
func (c *call) procedures() []any {
	list, _ := c.Input.Value.([]any)
	for _, item := range list {
		if object, ok := item.(map[string]any); !ok || object["jsonrpc"] == nil || object["method"] == nil {
			return nil
		}
	}
	return list
}

// answerProcedures answers each of them that has an id.
func (c *call) answerProcedures(list []any) fakes.Reply {
	replies := []any{}
	for _, item := range list {
		sent, _ := item.(map[string]any)
		a := answered{reply: c.Carry(c.partOf(c.Operation, sent), c.fake.Answer)}
		if value, ok := a.content(); ok && sent["id"] != nil {
			replies = append(replies, value)
		}
	}
	if len(replies) == 0 {
		return fakes.Reply{Status: http.StatusNoContent, Fidelity: fakes.Generic}
	}
	return fakes.Reply{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: world.Encode(replies), Fidelity: fakes.Generic}
}
