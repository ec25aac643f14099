package kit

import (
	"fmt"
	"maps"
	"strings"

	"parity/fakes/world"
)

// A Shape tells how the records of a service hang together, so that a path
// such as "latest_charge.customer" can be followed.
type Shape struct {
	// Prefix makes a collection's name the world's name: "stripe.".
	Prefix string
	// Refers tells which collection a field (dotted when nested) points into.
	Refers func(collection, field string) (target string, ok bool)
	// Lists tells which collection a field holds a list of, when asked for.
	Lists func(collection, field string) (of string, ok bool)
	// List makes that list for one record.
	List func(r world.Reader, collection string, record map[string]any, field string) (map[string]any, error)
	// Plain tells whether a field may be named though nothing is fetched.
	Plain func(collection, field string) bool
}

// ItemsKey is the field of a list that holds its items.
const ItemsKey = "data"

// Check follows a path by shape alone, before anything is written. At an error
// it returns the path as far as it makes no sense; "" means the path is good.
func (s Shape) Check(collection, path string) (wrong string) {
	rest, at := path, 0
	for rest != "" {
		name, after, _ := strings.Cut(rest, ".")
		at += len(name) + 1
		sofar := path[:at-1]
		if target, deep, ok := s.refers(collection, rest); ok {
			at += len(rest) - len(deep) - len(name) - 1
			if deep == "" {
				return ""
			}
			collection, rest = target, deep
			continue
		}
		if of, ok := s.Lists(collection, name); ok {
			items, below, _ := strings.Cut(after, ".")
			if after == "" || (items == ItemsKey && below == "") {
				return ""
			}
			if items != ItemsKey {
				return sofar + "." + items
			}
			at += len(ItemsKey) + 1
			collection, rest = of, below
			continue
		}
		if s.Plain(collection, name) {
			return ""
		}
		return sofar
	}
	return ""
}

// refers finds the reference that a path begins with, one or two names long.
func (s Shape) refers(collection, path string) (target, rest string, ok bool) {
	name, after, _ := strings.Cut(path, ".")
	if target, ok = s.Refers(collection, name); ok {
		return target, after, true
	}
	inner, below, _ := strings.Cut(after, ".")
	if inner == "" {
		return "", "", false
	}
	if target, ok = s.Refers(collection, name+"."+inner); ok {
		return target, below, true
	}
	return "", "", false
}

// Expand returns record with what path names put in place. Records are frozen,
// so the maps along the path are copied and the rest is shared.
func (s Shape) Expand(r world.Reader, collection string, record map[string]any, path string) (map[string]any, error) {
	if path == "" {
		return record, nil
	}
	name, after, _ := strings.Cut(path, ".")
	if target, ok := s.Refers(collection, name); ok {
		return s.expandRef(r, target, record, name, after)
	}
	if of, ok := s.Lists(collection, name); ok {
		return s.expandList(r, collection, of, record, name, after)
	}
	inner, below, _ := strings.Cut(after, ".")
	if items, isList := record[name].([]any); isList {
		return s.expandEach(r, collection, record, name, inner, below, items)
	}
	nested, isMap := record[name].(map[string]any)
	if target, ok := s.Refers(collection, name+"."+inner); ok && isMap {
		changed, err := s.expandRef(r, target, nested, inner, below)
		if err != nil {
			return nil, err
		}
		return with(record, name, changed), nil
	}
	return record, nil
}

// expandEach is Expand for the objects of a plain list in a record, such as
// total_discount_amounts.discount.
func (s Shape) expandEach(r world.Reader, collection string, record map[string]any, name, inner, below string, items []any) (map[string]any, error) {
	target, ok := s.Refers(collection, name+"."+inner)
	if !ok {
		return record, nil
	}
	changed := make([]any, len(items))
	for i, item := range items {
		changed[i] = item
		if one, isMap := item.(map[string]any); isMap {
			expanded, err := s.expandRef(r, target, one, inner, below)
			if err != nil {
				return nil, err
			}
			changed[i] = expanded
		}
	}
	return with(record, name, changed), nil
}

func (s Shape) expandRef(r world.Reader, target string, record map[string]any, name, rest string) (map[string]any, error) {
	var found map[string]any
	switch x := record[name].(type) {
	case string:
		referred, ok := r.Get(s.Prefix+target, x)
		if !ok {
			return record, nil
		}
		found = referred.Value()
	case map[string]any: // an earlier path put it here
		found = x
	case []any: // a list of ids
		changed := make([]any, len(x))
		for i, one := range x {
			expanded, err := s.expandRef(r, target, map[string]any{name: one}, name, rest)
			if err != nil {
				return nil, err
			}
			changed[i] = expanded[name]
		}
		return with(record, name, changed), nil
	default:
		return record, nil
	}
	deeper, err := s.Expand(r, target, found, rest)
	if err != nil {
		return nil, err
	}
	return with(record, name, deeper), nil
}

func (s Shape) expandList(r world.Reader, collection, of string, record map[string]any, name, rest string) (map[string]any, error) {
	list, ok := record[name].(map[string]any)
	if !ok {
		made, err := s.List(r, collection, record, name)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", name, collection, err)
		}
		list = made
	}
	if below, deeper := strings.CutPrefix(rest, ItemsKey+"."); deeper {
		expanded, err := s.ExpandItems(r, of, list, below)
		if err != nil {
			return nil, err
		}
		list = expanded
	}
	return with(record, name, list), nil
}

// ExpandItems is Expand for each item of a list.
func (s Shape) ExpandItems(r world.Reader, of string, list map[string]any, path string) (map[string]any, error) {
	items, _ := list[ItemsKey].([]any)
	changed := make([]any, len(items))
	for i, item := range items {
		record, ok := item.(map[string]any)
		if !ok {
			changed[i] = item
			continue
		}
		expanded, err := s.Expand(r, of, record, path)
		if err != nil {
			return nil, err
		}
		changed[i] = expanded
	}
	return with(list, ItemsKey, changed), nil
}

// with is m with one field replaced; m itself stays as it is.
func with(m map[string]any, name string, value any) map[string]any {
	changed := maps.Clone(m)
	changed[name] = value
	return changed
}
