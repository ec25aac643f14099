package generic

import (
	"net/http"
	"slices"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/specs/anatomy"
)

// A call is one request under way.
type call struct {
	*fakes.Call
	fake *Fake
	plan *plan
	last map[string]any // the record that was written last
	many []*entry       // what a batch has made
}

// A handler answers one kind of operation. It refuses before it writes.
type handler func(*call) (fakes.Reply, *refusal)

// Answer plays one call.
func (f *Fake) Answer(fc *fakes.Call) fakes.Reply {
	c := &call{Call: fc, fake: f, plan: f.plans[fc.Operation.Source()]()}
	if c.plan.body != nil {
		return c.probe()
	}
	return c.answer()
}

func (c *call) answer() fakes.Reply {
	if refused := c.presents(); refused != nil {
		return c.refuse(refused)
	}
	if w, ok := c.awaited(); ok {
		return c.progress(w)
	}
	if list := c.procedures(); len(list) > mostWithin {
		return c.refuse(tooMany())
	} else if len(list) > 0 {
		return c.answerProcedures(list)
	}
	if calls := c.within(); len(calls) > 0 {
		return c.answerEach(calls)
	}
	if op := c.makes(); op != nil {
		if list := c.brings(); len(list) > mostWithin {
			return c.refuse(tooMany())
		} else if len(list) > 0 {
			return c.makeEach(op, list)
		}
	}
	if c.fake.Key(c.Call) != "" {
		return c.once()
	}
	return c.attempt()
}

func (c *call) attempt() fakes.Reply {
	before := len(c.Tx.Changes())
	reply, refused := c.plan.do(c)
	if refused != nil {
		c.undo(before)
		reply = c.refuse(refused)
	}
	if reply.Fidelity == "" {
		reply.Fidelity = fakes.Generic
	}
	return reply
}

// undo takes back what was written before a refusal: the first records of a
// batch, the member whose effects are refused. What was deleted stays so.
func (c *call) undo(before int) {
	if written := c.Tx.Changes()[before:]; len(written) > 0 {
		if err := c.Tx.Revert(written); err != nil {
			return
		}
	}
}

// scope tells whose members the path means, and refuses where one of the owners
// is not there.
func (c *call) scope() (scope, *refusal) {
	role := c.plan.role
	in := scopeOf(role.Within, role.Parents, c.Input.Path)
	if r := c.plan.res; role.Above != "" {
		if id := c.Input.Path[role.Above]; id != "" {
			if _, ok := c.find(r, scope{}, r.ID.Param, id); !ok {
				return in, missing(r, id)
			}
		}
	}
	last := len(c.plan.res.Within)
	for r := c.plan.res.parent; r != nil; r = r.parent {
		last--
		n := c.seat(r, last)
		if r.Singleton || !r.kept() || n >= len(in.ids) {
			continue
		}
		e, ok := c.find(r, in.up(n), r.ID.Param, in.ids[n])
		if !ok {
			return in, missing(r, in.ids[n])
		}
		if id := r.idOf(e); len(r.ID.Also) > 0 && id != in.ids[n] { // named by something else than its id
			in.ids = slices.Clone(in.ids)
			in.ids[n] = id
		}
	}
	return in, nil
}

// seat tells which of the owners in the path is one of r. The resource may be
// reached by several ways, below something else besides in some of them: what
// its own way calls the owner says where it is. last is its place among the
// resource's own owners if each has one parameter.
func (c *call) seat(r *resource, last int) int {
	own := c.plan.res.Within
	n := len(r.Within)
	switch {
	case n < len(own) && own[n] == r.ID.Param:
	case last >= 0 && last < len(own) && (own[last] == r.ID.Param || n >= len(own)):
		n = last
	}
	if n < len(own) {
		if at := slices.Index(c.plan.role.Within, own[n]); at >= 0 {
			return at
		}
	}
	return n
}

// The places in which a member's id may stand.
const (
	inPath  = "path"
	inQuery = "query"
	inBody  = "body"
)

// named gives the id of the member that a call means.
func (c *call) named() string {
	switch member := c.plan.role.Member; {
	case member == "":
		return ""
	case c.plan.role.In == inQuery:
		return cast.Plain(c.Input.Query[member])
	case c.plan.role.In == inBody:
		held, _ := dotted(member).get(mapOrNil(c.Input.Body))
		return cast.Plain(held)
	default:
		return c.Input.Path[member]
	}
}

// target finds the member that a call means.
func (c *call) target() (*entry, scope, *refusal) {
	in, refused := c.scope()
	if refused != nil {
		return nil, in, refused
	}
	r, id := c.plan.res, c.named()
	var e *entry
	var ok bool
	if id == "" && !r.Singleton && (c.plan.role.Member == "" || c.plan.role.Kind != anatomy.Delete) {
		e, ok = c.newest(r, in)
	} else {
		e, ok = c.find(r, in, c.plan.role.Member, id)
	}
	if !ok {
		return nil, in, missing(r, id)
	}
	return e, in, nil
}

// given is the record, or the part of one, in the request's body.
func (c *call) given() map[string]any {
	first, _ := c.batch()
	return first
}

// batch is what given is, and the records that come after it.
func (c *call) batch() (first map[string]any, others []map[string]any) {
	body := c.sent()
	list, ok := body.([]any)
	if ok && len(list) > 0 {
		body = list[0]
	}
	for _, item := range list[min(1, len(list)):] {
		if object, ok := item.(map[string]any); ok {
			others = append(others, c.plan.res.form.spelt(object))
		}
	}
	return c.plan.res.form.spelt(cast.Object(body)), others
}

// sent is what stands where the record does in the request's body. What the
// contract calls a password is left out: what a world holds goes to disk.
func (c *call) sent() any {
	body := c.Operation.WithoutSecrets(c.Input.Content())
	if rule := c.plan.rule; rule != nil && len(rule.fields) > 0 {
		body = only(body, rule.fields)
	}
	if inner, ok := pointer(c.plan.role.Input.Path).get(body); ok {
		return inner
	}
	return body
}

// only gives an object with some of its fields.
func only(body any, fields []string) any {
	object, ok := body.(map[string]any)
	if !ok {
		return body
	}
	out := make(map[string]any, len(fields))
	for _, name := range fields {
		if held, there := object[name]; there {
			out[name] = held
		}
	}
	return out
}

func readMember(c *call) (fakes.Reply, *refusal) {
	e, _, refused := c.target()
	if refused != nil {
		return fakes.Reply{}, refused
	}
	if unchanged := c.unchanged(e); unchanged != nil {
		return *unchanged, nil
	}
	return c.plan.res.asked(c.show(e, c.success(http.StatusOK)), e), nil
}

func countMembers(c *call) (fakes.Reply, *refusal) {
	in, refused := c.scope()
	if refused != nil {
		return fakes.Reply{}, refused
	}
	list := c.plan.role.List
	if list == nil {
		list = &anatomy.Paging{}
	}
	return c.counted(c.matching(list, in).size(), list), nil
}
