package body

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// pairs writes a value as name=value, as often as it takes: in a query, a form,
// or cookies.
func (w *writer) pairs(value any) ([]string, error) {
	name := w.escape(w.p.Name)
	if w.p.In != "cookie" {
		name = percent(w.p.Name)
	}
	if value == nil && w.p.Content == "" {
		return nil, nil
	}
	if w.p.Content != "" || w.p.separator != "" {
		if size(value) == 0 && w.p.Content == "" {
			return nil, nil
		}
		text, err := w.delimited(value)
		return []string{name + "=" + text}, err
	}
	if object, ok := value.(map[string]any); ok && w.p.exploded {
		return w.exploded(object)
	}
	if w.p.In == "cookie" {
		return w.crumbs(name, value, w.p.shape)
	}
	var out []string
	err := w.nest(&out, name, value, w.p.shape, 1)
	return out, err
}

func (w *writer) delimited(value any) (string, error) {
	if w.p.separator == "," && w.p.In != "cookie" {
		list := *w
		list.escape = percent // not even "reserved" leaves the commas of data
		return list.joined(value, ",", false)
	}
	return w.joined(value, w.p.separator, false)
}

// size is that of a list or an object; 1 of anything else.
func size(value any) int {
	switch v := value.(type) {
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	default:
		return 1
	}
}

// exploded writes an object's parts as if each were a parameter.
func (w *writer) exploded(object map[string]any) ([]string, error) {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		inner, known := w.p.shape.property(name)
		if !known && strings.Contains(name, "[") || name == w.p.Name {
			return nil, fmt.Errorf("the name %q would be read as another", shorten(name))
		}
		if w.p.In == "cookie" {
			if name == "" {
				return nil, errors.New("a cookie has a name")
			}
			more, err := w.crumbs(w.escape(name), object[name], inner)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
			continue
		}
		if err := w.nest(&out, percent(name), object[name], inner, 1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// crumbs writes one cookie, or one for each item of a list.
func (w *writer) crumbs(name string, value any, inner shape) ([]string, error) {
	items, ok := value.([]any)
	if !ok {
		items = []any{value}
	}
	if name != percent(w.p.Name) && name != percent(name) || strings.ContainsAny(name, "=;") {
		return nil, errors.New("a cookie cannot have this name")
	}
	if ok && len(items) == 1 && !inner.only(anArray) {
		return nil, errors.New("a list of one cannot be told from its item")
	}
	var out []string
	for _, item := range items {
		if item == nil {
			continue
		}
		text, err := w.item(item, "")
		if err != nil {
			return nil, err
		}
		out = append(out, name+"="+text)
	}
	return out, nil
}

// nest writes a value under a name with brackets: name[a][0][b]=….
func (w *writer) nest(out *[]string, name string, value any, inner shape, depth int) error {
	if depth > maxDepth || len(*out) >= maxFields {
		return fmt.Errorf("a form nests %d deep and has %d fields at most", maxDepth, maxFields)
	}
	switch v := value.(type) {
	case nil:
		return nil
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key == "" || strings.ContainsAny(key, "[]") {
				return fmt.Errorf("the name %q cannot stand in brackets", shorten(key))
			}
			part, _ := inner.property(key)
			if err := w.nest(out, name+"["+percent(key)+"]", v[key], part, depth+1); err != nil {
				return err
			}
		}
		return nil
	case []any:
		return w.nestList(out, name, v, inner, depth)
	default:
		text, err := scalarText(value)
		*out = append(*out, name+"="+w.escape(text))
		return err
	}
}

func (w *writer) nestList(out *[]string, name string, items []any, inner shape, depth int) error {
	if len(items) > maxIndex {
		return fmt.Errorf("a list of a form has %d items at most", maxIndex)
	}
	flat := w.p.Style != "deepObject" && (inner.only(anArray) || len(items) > 1 && inner.takes(anArray))
	for _, item := range items {
		flat = flat && item != nil && size(item) == 1 && !isPart(item)
	}
	all := inner.items()
	for i, item := range items {
		at := name
		if !flat {
			at = name + "[" + strconv.Itoa(i) + "]"
		}
		before := len(*out)
		if err := w.nest(out, at, item, all.at(i), depth+1); err != nil {
			return err
		}
		if len(*out) == before {
			return errors.New("nothing and null cannot be written in a list")
		}
	}
	return nil
}

func isPart(value any) bool {
	switch value.(type) {
	case []any, map[string]any:
		return true
	default:
		return false
	}
}

// queryString writes the whole query (OpenAPI 3.2: in: querystring).
func (w *writer) queryString(value any) (string, error) {
	if IsForm(Kind(w.p.Content)) {
		text, err := encodeForm(value, w.p.shape, nil)
		return string(text), w.name(err)
	}
	w.escape = percent
	text, err := w.joined(value, "", false)
	return text, w.name(err)
}
