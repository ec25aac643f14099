package stripe_test

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// A document is the contract as it is written: the sweep reads from it what
// may be sent, since a compiled contract can only judge.
type document map[string]any

func readDocument(t testing.TB) document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "specs", "stripe", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := yaml.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	return document(root)
}

// object follows references from a node, if it is one.
func (d document) object(node any) map[string]any {
	for {
		m, _ := node.(map[string]any)
		ref, ok := m["$ref"].(string)
		if !ok {
			return m
		}
		node = map[string]any(d)
		for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			node = node.(map[string]any)[name]
		}
	}
}

// parameters gives the schema of each parameter of an operation: of its body
// for a POST, else of its query.
func (d document) parameters(method, path string) map[string]any {
	item := d.object(d.object(d["paths"])[path])
	operation := d.object(item[strings.ToLower(method)])
	if body := d.object(operation["requestBody"]); body != nil {
		content := d.object(d.object(body["content"])["application/x-www-form-urlencoded"])
		return d.object(d.object(content["schema"])["properties"])
	}
	found := map[string]any{}
	given, _ := operation["parameters"].([]any)
	for _, one := range given {
		if p := d.object(one); p["in"] == "query" {
			found[p["name"].(string)] = p["schema"]
		}
	}
	return found
}

// fields names the fields that a collection's records may have.
func (d document) fields(collection string) map[string]bool {
	found := map[string]bool{}
	for _, one := range d.object(d.object(d["components"])["schemas"]) {
		if schema := d.object(one); schema["x-parity-collection"] == collection {
			for name := range d.object(schema["properties"]) {
				found[name] = true
			}
		}
	}
	return found
}

// A pair is one field of a form, by its full name.
type pair struct{ name, value string }

func encoded(pairs []pair) string {
	parts := make([]string, len(pairs))
	for i, p := range pairs {
		parts[i] = url.QueryEscape(p.name) + "=" + url.QueryEscape(p.value)
	}
	return strings.Join(parts, "&")
}

// over lays pairs over a form: what has the same name, or is part of it, gives
// way.
func over(base string, pairs []pair) string {
	var kept []string
	for field := range strings.SplitSeq(base, "&") {
		name, _, _ := strings.Cut(field, "=")
		clash := func(p pair) bool {
			return p.name == name || strings.HasPrefix(p.name, name+"[") || strings.HasPrefix(name, p.name+"[")
		}
		if field != "" && !slices.ContainsFunc(pairs, clash) {
			kept = append(kept, field)
		}
	}
	if len(pairs) > 0 {
		kept = append(kept, encoded(pairs))
	}
	return strings.Join(kept, "&")
}

// samples gives what a parameter can be: each enum value, bounds, "" where a
// text may be empty, each part of an object by itself and all at once, lists
// of one and of two. Not all of them need to be allowed: the contract judges.
func (d document) samples(name string, schema any, known map[string][]string) [][]pair {
	s := d.object(schema)
	var found [][]pair
	for _, one := range append(list(s["anyOf"]), list(s["allOf"])...) {
		found = append(found, d.samples(name, one, known)...)
	}
	switch s["type"] {
	case "string":
		for _, value := range texts(name, s, known) {
			found = append(found, []pair{{name, value}})
		}
	case "integer":
		for _, value := range numbers(name, s, known) {
			found = append(found, []pair{{name, value}})
		}
	case "boolean":
		found = append(found, []pair{{name, "true"}}, []pair{{name, "false"}})
	case "array":
		items := d.samples(name+"[0]", s["items"], known)
		found = append(found, items...)
		if second := d.samples(name+"[1]", s["items"], known); len(items) > 0 {
			found = append(found, slices.Concat(items[0], second[len(second)-1]))
		}
		found = append(found, []pair{{name, ""}})
	case "object":
		found = append(found, d.objects(name, s, known)...)
	}
	return found
}

func (d document) objects(name string, s map[string]any, known map[string][]string) [][]pair {
	properties := d.object(s["properties"])
	needed := list(s["required"])
	parts := map[string][][]pair{}
	for inner, schema := range properties {
		parts[inner] = d.samples(name+"["+inner+"]", schema, known)
	}
	var found [][]pair
	var all []pair
	for _, inner := range slices.Sorted(maps.Keys(properties)) {
		for _, one := range parts[inner] {
			with := slices.Clone(one)
			for _, other := range needed {
				if other != any(inner) {
					with = append(with, parts[other.(string)][0]...)
				}
			}
			found = append(found, with)
		}
		if len(parts[inner]) > 0 {
			all = append(all, parts[inner][0]...)
		}
	}
	if len(all) > 0 {
		found = append(found, all)
	}
	if rest := s["additionalProperties"]; rest != nil && rest != false {
		free := []pair{{name + "[key]", "value"}}
		found = append(found, free, []pair{{name + "[key]", ""}})
		if rest == true {
			found = append(found, []pair{{name + "[card][inner]", "value"}}, []pair{{name + "[card][list][0]", "value"}},
				[]pair{{name + "[card]", ""}}, []pair{{name + "[0]", "value"}})
		}
	}
	return found
}

// texts gives the values of a text: those that mean something in the world
// under that name, else any.
func texts(name string, s map[string]any, known map[string][]string) []string {
	var found []string
	for _, value := range list(s["enum"]) {
		found = append(found, value.(string))
	}
	if found != nil {
		return found
	}
	values, ok := lookup(name, known)
	if !ok {
		values = []string{"plain", "é & <b>=\"2\"\n"}
		if most, ok := s["maxLength"].(int); ok && most < 1000 {
			values = append(values, strings.Repeat("x", most))
		}
	}
	return append(slices.Clone(values), "")
}

func numbers(name string, s map[string]any, known map[string][]string) []string {
	if values, ok := lookup(name, known); ok {
		return values
	}
	if _, bounded := s["minimum"]; bounded {
		return []string{"1", "0", "50", "100"}
	}
	return []string{"1", "0", "-1", "1000"}
}

// lookup finds the values for a name: by its whole, else by its last part that
// is not a place in a list.
func lookup(name string, known map[string][]string) ([]string, bool) {
	if values, ok := known[name]; ok {
		return values, true
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '[' || r == ']' })
	for len(parts) > 1 && (parts[len(parts)-1] == "0" || parts[len(parts)-1] == "1") {
		parts = parts[:len(parts)-1]
	}
	values, ok := known[parts[len(parts)-1]]
	return values, ok
}

func list(v any) []any { l, _ := v.([]any); return l }
