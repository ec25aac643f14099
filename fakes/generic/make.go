package generic

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/specs/schema"
)

// A draft is a record being made.
type draft struct {
	call  *call
	res   *resource
	in    scope
	given map[string]any // what the client sent
}

// make puts a new record together: defaults, what was sent, what the server
// sets, and what is required beyond that.
func (d draft) make(id any) map[string]any {
	value := d.res.defaults()
	maps.Copy(value, d.call.fake.mould(d.res.form, d.allowed(true)))
	value = d.uploaded(value)
	if at := dotted(d.res.ID.Field); at != nil {
		if own, ok := d.call.fake.typedID(d.res, id); ok {
			value = at.write(value, own)
		}
	}
	value = d.same(value, id)
	value = d.res.adopt(value, d.in)
	for _, field := range []string{d.res.Created, d.res.Updated} {
		if at, now, ok := d.instant(field); ok {
			value = at.write(value, now)
		}
	}
	value = d.res.first(value)
	value = d.res.fresh(value)
	full := d.call.source().full(d.res.Record, value)
	for name := range full {
		if _, had := value[name]; !had && d.res.begins().later[name] {
			delete(full, name)
		}
	}
	full = d.res.form.unfailing(full, d.given)
	if d.call.Identity == fakes.Fixture { // it says what a client cannot: when it was made, what has become of it
		maps.Copy(full, d.call.fake.mould(d.res.form, d.given))
		full = d.call.fake.identify(d.res, full, id)
	}
	return d.standing(full)
}

// standing leaves out what other parts of the record's schema have no room for.
func (d draft) standing(value map[string]any) map[string]any {
	if len(d.res.form.rests) == 0 {
		return value
	}
	maps.DeleteFunc(value, func(name string, held any) bool { return !d.call.fake.mayStand(d.res.form, name, held) })
	return value
}

// same gives a record whose id is that of another, as a contact's tag has the id
// of a tag, what the other says of the same fields.
func (d draft) same(value map[string]any, id any) map[string]any {
	other := d.call.fake.named(d.res.Refers[d.res.ID.Field])
	if other == nil || other == d.res {
		return value
	}
	found, ok := d.call.find(other, scope{}, other.ID.Param, cast.Plain(id))
	if !ok {
		return value
	}
	for _, name := range d.res.form.names {
		held, has := found.value[name]
		if _, there := value[name]; has && !there && fits(d.res.form.fields[name], held, 0) {
			value[name] = held
		}
	}
	return value
}

// later tells whether a field says what happens to a record in its life, such as
// archived_at: a new one is without.
func (r *resource) later(name string) bool {
	s := r.form.fields[name]
	if s == nil || r.form.required[name] {
		return false
	}
	if failing().MatchString(name) {
		return true
	}
	v := typed(s)
	return v.Format == "date-time" || v.Format == "date" || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "At")
}

// complete fills in what a record has to have.
func (d draft) complete(value map[string]any) map[string]any {
	return d.standing(d.call.source().least(d.res.Record, value))
}

// allowed is what was sent without what only the server may set.
func (d draft) allowed(fresh bool) map[string]any {
	given := d.given
	for _, field := range d.res.servers() {
		if fresh && field == d.res.ID.Field && d.res.ID.Client {
			continue
		}
		given = dotted(field).drop(given)
	}
	return given
}

// servers lists the fields that no client sets.
func (r *resource) servers() []string { return r.begins().servers }

// defaults are what a record has where nobody says otherwise.
func (r *resource) defaults() map[string]any { return maps.Clone(r.begins().defaults) }

// beginnings are what a record begins with, and what no client says of it. All
// of it is in the contract and the behaviour file, and none is to be changed.
type beginnings struct {
	servers  []string // fields
	defaults map[string]any
	fresh    []field         // that no default says
	later    map[string]bool // fields that say what happens in its life
	job      *job            // nil: its records are none
}

// A field is a value by its name.
type field struct {
	name  string
	value any
}

// unsent are the fields that no operation takes from a client.
func (r *resource) unsent() []string { return []string{r.ID.Field, r.Created, r.Updated, r.Version} }

// beginnings reads them, once: see resource.begins.
func (r *resource) beginnings() beginnings {
	b := beginnings{servers: slices.Clone(r.Server), defaults: map[string]any{}, later: map[string]bool{}}
	for _, own := range r.unsent() {
		if own != "" && !slices.Contains(b.servers, own) {
			b.servers = append(b.servers, own)
		}
	}
	for _, name := range r.form.names {
		s := r.form.fields[name]
		b.later[name] = r.later(name)
		if d := s.View().Default; d != nil {
			if v := d.Value(); fits(s, v, 0) {
				b.defaults[name] = v
			}
		} else if kind := r.kind(name); kind != nil {
			b.defaults[name] = kind
		}
		if !r.form.required[name] && !(r.later(name) && fits(s, nil, 0)) {
			continue
		}
		if begin, ok := beginning(s, name); ok && fits(s, begin, 0) && !tooShort(s, begin) {
			b.fresh = append(b.fresh, field{name, begin})
		}
	}
	for at, fixed := range r.rules.defaults {
		b.defaults = dotted(at).set(b.defaults, fixed)
	}
	return b
}

// kind gives what a field says that names the kind of thing a record is, which
// no client sets: it is the contract's example, such as object: contact.
func (r *resource) kind(name string) any {
	switch plainly(name) {
	case "object", "type", "kind", "objecttype", "resourcetype":
	default:
		return nil
	}
	s := r.form.fields[name]
	example := s.View().Example
	if example == nil || !slices.Contains(r.Server, name) || !typed(s).Is("string") || !fits(s, example.Value(), 0) {
		return nil
	}
	return example.Value()
}

// stamped puts the call's instant into a field of time.
func (d draft) stamped(value map[string]any, field string) map[string]any {
	at, now, ok := d.instant(field)
	if !ok {
		return value
	}
	return at.set(value, now)
}

// instant gives the call's instant as a field of time has it, and its place.
func (d draft) instant(field string) (at path, now any, ok bool) {
	if field == "" {
		return nil, nil, false
	}
	at = dotted(field)
	s := d.res.form.at(at)
	if s == nil && !d.res.form.open {
		return nil, nil, false
	}
	return at, stamp(s, at[len(at)-1], d.call.Now), true
}

// first gives a new record, which nobody else holds, its first state and
// version.
func (r *resource) first(value map[string]any) map[string]any {
	if states := r.rules.states; states != nil && states.start != nil {
		value = dotted(states.field).write(value, states.start)
	} else if j := r.begins().job; j != nil {
		if _, there := j.field.get(value); !there {
			value = j.field.write(value, j.begun)
		}
	} else if r.Status != "" {
		at := dotted(r.Status)
		if _, there := at.get(value); !there && r.ownStatus() {
			if choices := typed(r.form.at(at)).Enum; choices.Len() > 0 {
				value = at.write(value, choices.At(0).Value())
			}
		}
	}
	if r.Version != "" {
		value = dotted(r.Version).write(value, r.nextVersion(nil))
	}
	return value
}

// ownStatus tells whether a record shows its state always, or only sometimes.
func (r *resource) ownStatus() bool {
	return r.form.required[r.Status] || slices.Contains(r.Server, r.Status)
}

// nextVersion gives what a version field has after a write.
func (r *resource) nextVersion(old any) any {
	s := r.form.at(dotted(r.Version))
	n := numberOf(strings.Trim(cast.Plain(old), `"W/`))
	count, _ := n.(int64)
	if v := typed(s); v.Is("string") && !v.Is("integer") {
		return cast.Plain(count + 1)
	}
	return count + 1
}

// fresh fills in what a new record of any service begins with: flags are off,
// counts are zero, lists are empty, and what need not be there is null.
func (r *resource) fresh(value map[string]any) map[string]any {
	for _, f := range r.begins().fresh {
		if _, there := value[f.name]; !there {
			value[f.name] = f.value
		}
	}
	return value
}

func beginning(s *schema.Schema, name string) (any, bool) {
	v := typed(s)
	switch {
	case s.View().Enum != nil || v.Const != nil:
		return nil, false
	case fits(s, nil, 0) && len(v.Types) > 0:
		return nil, true
	case slices.Contains(v.Types, "boolean"):
		return false, true
	case slices.Contains(v.Types, "array"):
		return []any{}, true
	case slices.Contains(v.Types, "integer"):
		lower := strings.ToLower(name)
		return int64(0), strings.HasSuffix(lower, "count") || strings.HasPrefix(lower, "num_") || strings.HasPrefix(lower, "total")
	}
	return nil, false
}

func tooShort(s *schema.Schema, value any) bool {
	list, ok := value.([]any)
	least := typed(s).MinItems
	return ok && least != nil && len(list) < *least
}

// touched marks a record as changed now: when, and which version.
func (d draft) touched(old, value map[string]any) map[string]any {
	value = d.stamped(value, d.res.Updated)
	if d.res.Version != "" {
		before, _ := dotted(d.res.Version).get(old)
		value = dotted(d.res.Version).set(value, d.res.nextVersion(before))
	}
	return value
}
