package world

import (
	"fmt"
	"slices"
)

// Fields is an object whose fields stand in the order in which Encode writes
// them: "id", "object", the others sorted. It is for what a service writes down
// itself, always in one shape and mostly for nobody: making a map of it would
// cost more than writing it. Within it there may be others, and values of records.
type Fields []Field

// A Field is a part of an object by its name, which is plain text.
type Field struct {
	Name  string
	Value any
}

// InsertFields is Insert of what is put together field by field. Its Value is
// there when somebody asks for it.
// Errors: as for Insert; ErrValue too where the fields are not in order.
func (t *Tx) InsertFields(collection, id string, fields Fields) (*Record, error) {
	i, err := t.target(collection)
	if err != nil {
		return nil, err
	}
	if _, exists := t.at(i).get(id); exists {
		return nil, fmt.Errorf("%s %q %w", collection, id, ErrExists)
	}
	d := t.schema.collections[i]
	r, json, err := newFromFields(d, id, fields, &t.known)
	if err != nil {
		return nil, fmt.Errorf("%s %q %w: %w", d.Name, id, ErrValue, err)
	}
	t.Spend(writeStep + len(json)/bytesWrite)
	into := t.own(i)
	r.Version, r.Order = 1, into.last+1
	into.insert(r, fields)
	t.note(Create, collection, r, json, nil)
	return r, nil
}

func newFromFields(d *declared, id string, fields Fields, known *memo) (*Record, []byte, error) {
	e := encoders.Get().(*encoder)
	e.keeps, e.known = true, known
	if err := e.ordered(fields, 0); err != nil {
		return nil, nil, err // and e is dropped, half done as it is
	}
	r, json := &Record{ID: id}, slices.Clone(e.out)
	kept := r.keep(d, json, e.spliced)
	e.release()
	if kept {
		return r, json, nil
	}
	value, err := Decode(json)
	if err != nil {
		return nil, nil, err
	}
	r.decoded.Store(&content{value: value}) // and stays
	return r, json, nil
}

// ordered writes fields as they come.
func (e *encoder) ordered(fields Fields, depth int) error {
	if err := e.enter(depth); err != nil {
		return err
	}
	e.out = append(e.out, '{')
	for i, f := range fields {
		if i > 0 {
			if !before(fields[i-1].Name, f.Name) {
				return fmt.Errorf("%s comes after %s, against the order", f.Name, fields[i-1].Name)
			}
			e.out = append(e.out, ',')
		}
		e.text(f.Name)
		e.out = append(e.out, ':')
		var err error
		if within, ok := f.Value.(Fields); ok {
			err = e.ordered(within, depth+1)
		} else {
			_, _, err = e.value(f.Value, depth+1, nil)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	e.out = append(e.out, '}')
	return nil
}

// before tells whether Encode writes one key before another.
func before(a, b string) bool {
	if p, q := prefix(a), prefix(b); p != q {
		return p < q
	}
	return a < b
}

// at gives what stands at a path, as Record.At does; nil where there is nothing,
// or another number than an int64.
func (f Fields) at(path []string) any {
	for i := range f {
		if f[i].Name != path[0] {
			continue
		}
		switch within := f[i].Value.(type) {
		case Fields:
			if len(path) > 1 {
				return within.at(path[1:])
			}
		case map[string]any:
			if len(path) > 1 {
				return reach(within, path[1:])
			}
		default:
			if len(path) == 1 {
				return within
			}
		}
		return nil
	}
	return nil
}
