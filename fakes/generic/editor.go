package generic

import (
	"errors"
	"fmt"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs/sample"
)

// Subject names the record that a call is about. It may be one that is there
// from the start and was never written.
func (f *Fake) Subject(fc *fakes.Call) (collection, id string) {
	c := f.onBehalf(fc)
	if c == nil || c.plan.res == nil || !c.plan.res.kept() || c.named() == "" && (!c.plan.res.Singleton || c.plan.role.List != nil) {
		return "", ""
	}
	e, _, refused := c.target()
	if refused != nil {
		return "", ""
	}
	return c.plan.res.full, e.key
}

// onBehalf is a call as others have it; nil where it has no operation, or the
// fake keeps nothing.
func (f *Fake) onBehalf(fc *fakes.Call) *call {
	if fc.Operation == nil || f.stateless {
		return nil
	}
	plan := f.plans[fc.Operation.Source()]
	if plan == nil {
		return nil
	}
	return &call{Call: fc, fake: f, plan: plan()}
}

// held finds a record that somebody wants to change, and whose it is.
func (f *Fake) held(fc *fakes.Call, collection, id string) (*call, *resource, scope, *entry, error) {
	none := fmt.Errorf("%s has no %s %q: %w", f.service, strings.TrimPrefix(collection, f.service+"."), id, world.ErrMissing)
	c := f.onBehalf(fc)
	if c == nil {
		return nil, nil, scope{}, nil, none
	}
	if c.plan.res != nil && c.plan.res.full == collection {
		if e, in, refused := c.target(); refused == nil && e.key == id && (c.named() != "" || c.plan.res.Singleton) {
			return c, c.plan.res, in, e, nil
		}
	}
	for _, r := range f.order {
		if record, ok := c.Tx.Get(r.full, id); ok && r.full == collection {
			return c, r, c.whose(r, id), entryOf(record), nil
		}
	}
	return nil, nil, scope{}, nil, none
}

// whose tells in which scope a record is, as far as that stands beside it.
func (c *call) whose(r *resource, key string) scope {
	if in, refused := c.scope(); refused == nil && c.plan.res == r {
		return in
	}
	return scope{}
}

// Edit changes a record. Rules of the behaviour file hold for others too: those
// of states, of what is there once, and of what has to be there.
func (f *Fake) Edit(fc *fakes.Call, collection, id string, set map[string]any) error {
	c, r, in, e, err := f.held(fc, collection, id)
	if err != nil {
		return err
	}
	value, _ := world.Normalise(kit.Edited(e.value, set)).(map[string]any)
	for field := range set {
		if err := f.takes(r, e.value, field, value[field]); err != nil {
			return err
		}
	}
	value = draft{call: c, res: r, in: in}.touched(e.value, value)
	if refused := c.moved(r, e.value, value); refused != nil {
		return errors.New(refused.words())
	}
	if refused := c.acceptable(r, in, e.key, value); refused != nil {
		return errors.New(refused.words())
	}
	c.save(r, in, e, value)
	return nil
}

// takes holds a field that is set against the record's schema.
func (f *Fake) takes(r *resource, old map[string]any, field string, v any) error {
	s := r.form.fields[field]
	_, has := old[field]
	switch {
	case field == r.ID.Field:
		return fmt.Errorf("%s.%s: an id does not change", r.full, field)
	case s == nil && !has && len(r.form.names) > 0:
		return fmt.Errorf("%s.%s: the contract has no such field; it has %s", r.full, field, strings.Join(r.form.names, ", "))
	case s != nil && !f.library.Fits(s, v, sample.Reply):
		return fmt.Errorf("%s.%s: the contract does not allow %v", r.full, field, v)
	}
	return nil
}

// Remove deletes a record.
func (f *Fake) Remove(fc *fakes.Call, collection, id string) error {
	c, r, _, e, err := f.held(fc, collection, id)
	if err != nil {
		return err
	}
	c.remove(r, e)
	return nil
}

// Copy makes another record like one there is, with an id of its own.
func (f *Fake) Copy(fc *fakes.Call, collection, id string) (string, error) {
	c, r, in, e, err := f.held(fc, collection, id)
	if err != nil {
		return "", err
	}
	if r.Singleton {
		return "", fmt.Errorf("%s: there is one of it", r.full)
	}
	var key string
	var fresh any
	for range tries {
		fresh = c.mint(r)
		key = r.key(in, cast.Plain(fresh))
		if r.local && len(in.ids) == 0 { // whose it is stands in its key
			owner := e.key[:strings.LastIndexByte(e.key, '/')+1]
			key = owner + join([]string{cast.Plain(fresh)})
		}
		if _, taken := c.Tx.Get(r.full, key); !taken {
			break
		}
		key = ""
	}
	if key == "" {
		return "", fmt.Errorf("%s: every id that it can have is taken", r.full)
	}
	d := draft{call: c, res: r, in: in}
	value := f.identify(r, e.value, fresh)
	value = c.unlike(r, d.stamped(d.stamped(value, r.Created), r.Updated))
	c.insert(r, in, key, value)
	beside := f.service + linksSuffix
	if link, ok := c.Tx.Get(beside, r.full+"|"+e.key); ok && !in.remembered() {
		own := r.full + "|" + key
		_, err := c.Tx.Insert(beside, own, map[string]any{"id": own, "in": link.Value()["in"], "key": key})
		c.must(err)
	}
	return key, nil
}

// unlike changes what no two records of a resource may have in common.
func (c *call) unlike(r *resource, value map[string]any) map[string]any {
	for _, field := range r.Unique {
		held, _ := dotted(field).get(value)
		if was, ok := held.(string); ok && was != "" && field != r.ID.Field {
			value = dotted(field).set(value, strings.ToLower(c.NewID("", 6))+"."+was)
		}
	}
	return value
}
