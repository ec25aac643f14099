package kit

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
)

// Subject names the record that a call is about where its path holds the
// record's id in the world: the full name of its collection, and that id. A
// parameter that holds the id of something else (of the list to which a record
// is added) names none.
func Subject(c *fakes.Call) (collection, id string) {
	if c.Operation == nil || !names(c.Contract, c.Operation) {
		return "", ""
	}
	full := c.Contract.Service + "." + c.Operation.Anatomy.Collection
	id = c.Input.Path[strings.TrimPrefix(c.Operation.Anatomy.Member, "+")]
	if _, ok := c.Tx.Get(full, id); !ok {
		return "", ""
	}
	return full, id
}

// names tells whether the parameter of an operation's member holds ids of its
// collection: a path of that collection ends in it, or the path says so before it.
func names(contract *specs.Contract, op *specs.Operation) bool {
	a := op.Anatomy
	if a.Collection == "" || a.Member == "" {
		return false
	}
	if strings.Contains(op.Path, "/"+a.Collection+"/{"+a.Member+"}") {
		return true
	}
	for _, other := range contract.Operations {
		if other.Anatomy.Collection == a.Collection && strings.HasSuffix(other.Path, "/{"+a.Member+"}") && other.Method != http.MethodPost {
			return true
		}
	}
	return false
}

// Deletion gives the operation that deletes one record of a collection, where
// its path names the record and nothing else.
func Deletion(contract *specs.Contract, collection string) (*specs.Operation, bool) {
	for _, op := range contract.Operations {
		a := op.Anatomy
		if op.Method == http.MethodDelete && a.Collection == collection && strings.Count(op.Path, "{") == 1 && strings.HasSuffix(op.Path, "/{"+a.Member+"}") {
			return op, true
		}
	}
	return nil, false
}

// As is a call to another operation by nobody in particular, in the transaction
// of c: what a service does on somebody else's behalf.
func As(c *fakes.Call, op *specs.Operation, path map[string]string, body map[string]any) *fakes.Call {
	other := *c
	other.Operation, other.Header, other.Body = op, http.Header{}, nil
	other.Input = specs.Input{Path: path, Body: body}
	return &other
}

// After is a call that is made when the clock of its world shows a later time
// than a record's last change, in steps as the service writes it: two changes in
// one step would look like one.
func After(c *fakes.Call, last time.Time, step time.Duration) *fakes.Call {
	other := *c
	if next := last.Add(step); other.Now.Before(next) {
		other.Now = next
	}
	return &other
}

// Edited is a record's value with fields set. An object is laid over the one
// that is there, and null takes away what it holds.
// Source: RFC 7396; but null at the top stays, since records have nulls.
func Edited(old, set map[string]any) map[string]any {
	value := maps.Clone(old)
	for field, v := range set {
		inner, isObject := v.(map[string]any)
		held, wasObject := old[field].(map[string]any)
		if isObject && wasObject {
			v = patched(held, inner)
		}
		value[field] = v
	}
	return value
}

func patched(old, set map[string]any) map[string]any {
	value := maps.Clone(old)
	for field, v := range set {
		inner, isObject := v.(map[string]any)
		held, wasObject := old[field].(map[string]any)
		switch {
		case v == nil:
			delete(value, field)
		case isObject && wasObject:
			value[field] = patched(held, inner)
		default:
			value[field] = v
		}
	}
	return value
}

// Held finds a record that somebody wants to change; the collection may have
// the service's name in front.
func (s Store) Held(r world.Getter, collection, id string) (short string, record *world.Record, err error) {
	short = strings.TrimPrefix(collection, s.Service+".")
	record, ok := s.Get(r, short, id)
	if !ok {
		return short, nil, fmt.Errorf("%s has no %s %q: %w", s.Service, short, id, world.ErrMissing)
	}
	return short, record, nil
}

// Laid gives a record's value with fields set, all of which it has or may have:
// a field that nobody shows would change nothing.
func (s Store) Laid(collection string, record *world.Record, set map[string]any) (map[string]any, error) {
	for field := range set {
		if _, has := record.Value()[field]; !has && !s.Contract.HasField(collection, field) {
			return nil, fmt.Errorf("%s %s %q has no field %q", s.Service, collection, record.ID, field)
		}
	}
	return Edited(record.Value(), set), nil
}

// Fits holds a value that comes from outside against the contract.
func (s Store) Fits(collection, id string, value map[string]any) error {
	normal, ok := world.Normalise(value).(map[string]any)
	if !ok {
		return fmt.Errorf("%s %s %q: %w", s.Service, collection, id, world.ErrValue)
	}
	if wrong := s.Contract.CheckRecord(collection, normal); len(wrong) > 0 {
		return fmt.Errorf("%s %s %q would break the contract at %q: %s", s.Service, collection, id, wrong[0].Pointer, wrong[0].Message)
	}
	return nil
}

// Edit sets fields of a record. touch moves along what depends on them; nil:
// nothing does.
func (s Store) Edit(tx *world.Tx, collection, id string, set map[string]any, touch func(value map[string]any)) error {
	short, record, err := s.Held(tx, collection, id)
	if err != nil {
		return err
	}
	value, err := s.Laid(short, record, set)
	if err != nil {
		return err
	}
	if touch != nil {
		touch(value)
	}
	if err := s.Fits(short, id, value); err != nil {
		return err
	}
	s.Update(tx, short, id, value)
	return nil
}

// Copy makes another record like one there is. renew gives it an id of its own,
// writes it where the record shows it, and tells the key in the world.
func (s Store) Copy(tx *world.Tx, collection, id string, renew func(value map[string]any) string) (string, error) {
	short, record, err := s.Held(tx, collection, id)
	if err != nil {
		return "", err
	}
	value := maps.Clone(record.Value())
	copied := renew(value)
	if err := s.Fits(short, copied, value); err != nil {
		return "", err
	}
	s.Create(tx, short, copied, value)
	return copied, nil
}

// Renamed is a value in which one id stands for another, also within addresses.
// The old one has to be long enough that nothing else looks like it.
func Renamed(v any, from, to string) any {
	switch x := v.(type) {
	case string:
		return strings.ReplaceAll(x, from, to)
	case map[string]any:
		out := make(map[string]any, len(x))
		for name, held := range x {
			out[name] = Renamed(held, from, to)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, held := range x {
			out[i] = Renamed(held, from, to)
		}
		return out
	}
	return v
}
