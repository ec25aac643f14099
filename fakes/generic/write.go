package generic

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/specs/anatomy"
	"parity/specs/words"
)

func createMember(c *call) (fakes.Reply, *refusal) {
	r := c.plan.res
	in, refused := c.scope()
	if refused != nil {
		return fakes.Reply{}, refused
	}
	given, others := c.batch()
	if r.Singleton {
		if e, ok := c.at(r, in, ""); ok && e.stored != nil {
			return fakes.Reply{}, &refusal{status: http.StatusConflict, code: "already_exists", res: r, id: e.key}
		}
	}
	if list := c.bulk(); len(list) > mostWithin {
		return fakes.Reply{}, tooMany()
	} else if len(list) > 0 && !r.Singleton { // there is one of that, whatever is sent
		return c.createEach(in, list, append([]map[string]any{given}, others...))
	}
	e, refused := c.createOrMerge(r, in, given)
	if refused != nil {
		return fakes.Reply{}, refused
	}
	c.many = []*entry{e}
	return c.created(e, http.StatusCreated), nil
}

// createOrMerge is create, but for an operation that changes the one that is
// there with the id that is sent.
func (c *call) createOrMerge(r *resource, in scope, given map[string]any) (*entry, *refusal) {
	id, ok := dotted(r.ID.Field).get(given)
	if !c.plan.role.Merges || r.Singleton || r.ID.Field == "" || !ok || cast.Plain(id) == "" {
		return c.create(r, in, given)
	}
	e, ok := c.find(r, in, r.ID.Param, cast.Plain(id))
	if !ok {
		return c.create(r, in, given)
	}
	return c.altered(in, e, mergePatch(r.form, e.value, r.form.bendAll(given)))
}

// create writes a new member with what a client sent.
func (c *call) create(r *resource, in scope, given map[string]any) (*entry, *refusal) {
	id, key, refused := c.newID(r, in, given)
	if refused != nil {
		return nil, refused
	}
	d := draft{call: c, res: r, in: in, given: given}
	value, refused := c.set(r, d.make(id))
	if refused != nil {
		return nil, refused
	}
	if refused := c.acceptable(r, in, "", value); refused != nil {
		return nil, refused
	}
	return c.insert(r, in, key, value), nil
}

// newID gives the id that a new member gets: the one that the client chose, or
// one that is minted.
func (c *call) newID(r *resource, in scope, given map[string]any) (id any, key string, refused *refusal) {
	if r.Singleton {
		return nil, r.key(in, ""), nil
	}
	chosen, ok := r.chosen(given)
	if c.Wanted != "" && r == c.plan.res {
		chosen, ok = c.wanted(r)
	}
	if ok && c.nameable(r, chosen) {
		key = r.key(in, cast.Plain(chosen))
		if _, taken := c.Tx.Get(r.full, key); taken {
			return nil, "", &refusal{status: http.StatusConflict, code: "already_exists", res: r, id: cast.Plain(chosen)}
		}
		return chosen, key, nil
	}
	for range tries {
		id = c.mint(r)
		key = r.key(in, cast.Plain(id))
		if _, taken := c.Tx.Get(r.full, key); !taken {
			return id, key, nil
		}
	}
	return nil, "", &refusal{status: http.StatusConflict, code: "no_more_ids", res: r, message: "Every id that this resource can have is taken."}
}

// wanted gives the id that a fixture's record brings, where it can be one.
func (c *call) wanted(r *resource) (any, bool) {
	if r.ID.Field == "" || r.form.at(dotted(r.ID.Field)) == nil {
		return c.Wanted, true
	}
	return c.fake.typedID(r, c.Wanted)
}

// chosen gives the id that a client chose. Where records do not show theirs, it
// is the field that the path's parameter is named for.
func (r *resource) chosen(given map[string]any) (any, bool) {
	if r.ID.Field != "" && !r.ID.Client && typed(r.form.at(dotted(r.ID.Field))).Enum == nil { // of a few, the client means one
		return nil, false
	}
	if id, ok := dotted(r.ID.Field).get(given); ok && r.ID.Field != "" {
		return id, cast.Plain(id) != ""
	}
	few := typed(r.member).Enum
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if cast.Plain(given[name]) != "" && (r.named(name) || few != nil && slices.Contains(few.Texts(), cast.Plain(given[name]))) {
			return given[name], true
		}
	}
	return nil, false
}

// named tells whether a field of a request has the name of the id: as the path
// has it, as the record has it in another way of writing, or without the word
// for the resource: name for pool_name.
func (r *resource) named(field string) bool {
	own := plainly(field)
	switch param := plainly(r.ID.Param); {
	case own == "", own == "id" && param != "id":
		return false
	case own == param, own == plainly(r.ID.Field):
		return true
	default:
		return r.ID.Field == "" && param == plainly(words.Singular(r.Name))+own
	}
}

func replaceMember(c *call) (fakes.Reply, *refusal) {
	e, in, refused := c.target()
	if refused != nil {
		return fakes.Reply{}, refused
	}
	if refused := c.matches(e); refused != nil {
		return fakes.Reply{}, refused
	}
	e, refused = c.replace(in, e)
	if refused != nil {
		return fakes.Reply{}, refused
	}
	return c.changed(e), nil
}

// replace puts what was sent in a member's place; what the server sets stays.
func (c *call) replace(in scope, e *entry) (*entry, *refusal) {
	r := c.plan.res
	d := draft{call: c, res: r, in: in, given: c.given()}
	value := r.defaults()
	for name, sent := range c.fake.mould(r.form, d.allowed(false)) {
		value[name] = sent
	}
	value = r.adopt(r.retained(value, e.value), in)
	for _, name := range r.form.names { // what has to be there and was not sent
		if held, ok := e.value[name]; ok && value[name] == nil && r.form.required[name] {
			value[name] = held
		}
	}
	value = d.complete(d.touched(e.value, r.fresh(value)))
	return c.put(in, e, value)
}

// retained gives a member's new value with what the server set in the old one.
func (r *resource) retained(value, old map[string]any) map[string]any {
	for _, field := range r.servers() {
		if held, ok := dotted(field).get(old); ok {
			value = dotted(field).set(value, held)
		}
	}
	return value
}

// put writes a member's new value, where its resource takes it.
func (c *call) put(in scope, e *entry, value map[string]any) (*entry, *refusal) {
	r := c.plan.res
	value, refused := c.set(r, value)
	if refused != nil {
		return nil, refused
	}
	if refused := c.moved(r, e.value, value); refused != nil {
		return nil, refused
	}
	if refused := c.acceptable(r, in, e.key, value); refused != nil {
		return nil, refused
	}
	return c.save(r, in, e, value), nil
}

func upsertMember(c *call) (fakes.Reply, *refusal) {
	e, in, refused := c.target()
	if refused != nil && (refused.status != http.StatusNotFound || refused.res != c.plan.res) {
		return fakes.Reply{}, refused
	}
	if refused == nil {
		if refused := c.matches(e); refused != nil {
			return fakes.Reply{}, refused
		}
		if e, refused = c.replace(in, e); refused != nil {
			return fakes.Reply{}, refused
		}
		return c.changed(e), nil
	}
	if c.Header.Get("If-Match") != "" && c.plan.role.IfMatch {
		return fakes.Reply{}, &refusal{status: http.StatusPreconditionFailed, code: "precondition_failed", res: c.plan.res}
	}
	r := c.plan.res
	id := c.named()
	if _, taken := c.Tx.Get(r.full, r.key(in, id)); taken {
		return fakes.Reply{}, &refusal{status: http.StatusConflict, code: "already_exists", res: r, id: id}
	}
	d := draft{call: c, res: r, in: in, given: c.given()}
	value := d.make(id)
	if refused := c.acceptable(r, in, "", value); refused != nil {
		return fakes.Reply{}, refused
	}
	return c.created(c.insert(r, in, r.key(in, id), value), http.StatusCreated), nil
}

func updateMember(c *call) (fakes.Reply, *refusal) {
	e, in, refused := c.target()
	if refused != nil {
		return fakes.Reply{}, refused
	}
	if refused := c.matches(e); refused != nil {
		return fakes.Reply{}, refused
	}
	value, refused := c.patched(e.value)
	if refused != nil {
		return fakes.Reply{}, refused
	}
	if e, refused = c.altered(in, e, value); refused != nil {
		return fakes.Reply{}, refused
	}
	return c.changed(e), nil
}

// altered puts what a change makes of a member in its place; what only the server
// sets, and what has to be there, stays.
func (c *call) altered(in scope, e *entry, value map[string]any) (*entry, *refusal) {
	r := c.plan.res
	d := draft{call: c, res: r, in: in, given: value}
	merged := r.retained(c.fake.mould(r.form, d.allowed(false)), e.value)
	for _, name := range r.form.names { // what has to be there stays
		if held, ok := e.value[name]; ok && r.form.required[name] {
			if _, there := merged[name]; !there {
				merged[name] = held
			}
		}
	}
	merged = r.adopt(merged, in) // the path says whose it is
	return c.put(in, e, d.complete(d.touched(e.value, merged)))
}

func deleteMember(c *call) (fakes.Reply, *refusal) {
	e, _, refused := c.target()
	if refused != nil {
		return fakes.Reply{}, refused
	}
	if refused := c.matches(e); refused != nil {
		return fakes.Reply{}, refused
	}
	c.remove(c.plan.res, e)
	return c.deleted(e), nil
}

// changed answers a write to a member.
func (c *call) changed(e *entry) fakes.Reply {
	if c.prefers(minimal) {
		bare := c.success(http.StatusNoContent)
		if bare.status != http.StatusNoContent {
			bare = target{status: http.StatusNoContent}
		}
		return c.applied(c.bare(e, bare), minimal)
	}
	wanted := []int{http.StatusOK, http.StatusNoContent}
	if c.plan.role.Kind != anatomy.Upsert {
		wanted = c.usual(wanted...)
	}
	return c.preferred(c.show(e, c.success(wanted...)))
}

// created answers for a new member.
func (c *call) created(e *entry, wanted ...int) fakes.Reply {
	t := c.success(c.usual(wanted...)...)
	var reply fakes.Reply
	if c.prefers(minimal) {
		bare := t
		bare.media = nil
		reply = c.applied(c.bare(e, bare), minimal)
	} else {
		reply = c.preferred(c.show(e, t))
	}
	if t.header("Location") || t.media == nil || !bytes.Contains(reply.Body, []byte(c.idOf(e))) { // else nobody learns the id
		if at := c.location(e); at != "" {
			reply.Header.Set("Location", at)
		}
	}
	return reply
}

// What a client may prefer of a reply to a write. Source: RFC 7240, section 4.2.
const (
	minimal        = "return=minimal"
	representation = "return=representation"
)

// prefers tells whether a client asks for something that the contract lets it
// prefer.
func (c *call) prefers(preference string) bool {
	return c.plan.role.Prefer && strings.Contains(strings.ToLower(c.Header.Get("Prefer")), preference)
}

func (c *call) preferred(reply fakes.Reply) fakes.Reply {
	if c.prefers(representation) {
		return c.applied(reply, representation)
	}
	return reply
}

func (c *call) applied(reply fakes.Reply, preference string) fakes.Reply {
	reply.Header.Set("Preference-Applied", preference)
	return reply
}
