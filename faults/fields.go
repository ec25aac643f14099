package faults

import (
	"maps"
	"slices"
	"strings"

	"parity/specs"
	"parity/specs/body"
	"parity/specs/document"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// A field is a place in a body that a contract describes.
type field struct {
	path   []string // names from the outside in; "*" stands for the items of a list, or for the names of a map
	free   bool     // the contract does not name it
	kinds  schema.Kinds
	null   bool // null is allowed
	needed bool // its object has to have it
	enum   []string
	format string
}

// String writes a field as a profile does: data.*.amount.
func (f field) String() string { return strings.Join(f.path, ".") }

// name is the last name of its path.
func (f field) name() string { return f.path[len(f.path)-1] }

// plain tells a field that holds one value, and no object or list.
func (f field) plain() bool { return f.kinds != 0 && f.kinds&(schema.Object|schema.Array) == 0 }

func (f field) number() bool { return f.plain() && f.kinds&(schema.Integer|schema.Number) != 0 }
func (f field) text() bool   { return f.plain() && f.kinds&schema.String != 0 }

// is tells whether a name in a profile means the field: its whole path, or the
// end of it, so that "amount" also means that of the items of a list.
func (f field) is(name string) bool {
	return name == f.String() || strings.HasSuffix(f.String(), "."+name)
}

// Bounds of what is looked at of one body.
const (
	mostFields   = 400
	deepestField = 5 // names in a path
	deepestMix   = 6 // allOf, anyOf and oneOf in one another
)

// replyFields lists the fields of an operation's success that its contract
// names, those near the top first, and those that stand for whatever names
// there are.
func replyFields(op *specs.Operation) (named, free []field) {
	responses, _ := op.Source().Responses()
	for _, r := range responses {
		if !strings.HasPrefix(r.Status, "2") {
			continue
		}
		if s := jsonSchema(r.Content); s != nil {
			return fieldsOf(s)
		}
	}
	return nil, nil
}

// requestFields lists the fields of the body that an operation takes.
func requestFields(op *specs.Operation) []field {
	taken, _ := op.Source().Body()
	if taken == nil {
		return nil
	}
	for _, m := range taken.Content {
		kind := body.Kind(m.Type)
		if m.Schema != nil && (body.IsJSON(kind) || body.IsForm(kind)) {
			named, _ := fieldsOf(m.Schema)
			return named
		}
	}
	return nil
}

func jsonSchema(content []openapi.Media) *schema.Schema {
	for _, m := range content {
		if m.Schema != nil && body.IsJSON(body.Kind(m.Type)) {
			return m.Schema
		}
	}
	return nil
}

// A level is the schema of an object or of a list, and where it stands.
type level struct {
	of   *schema.Schema
	path []string
}

// fieldsOf walks a schema level by level, so that bounds cut off what is far
// down.
func fieldsOf(s *schema.Schema) (named, free []field) {
	known := map[string]bool{}
	queue := []level{{s, nil}}
	for len(queue) > 0 && len(named) < mostFields {
		at := queue[0]
		queue = queue[1:]
		if len(at.path) >= deepestField {
			continue
		}
		var loose table
		eachPart(at.of, true, 0, func(v *schema.View, sure bool) {
			loose.take(v)
			if v.Items != nil {
				queue = append(queue, level{v.Items, below(at.path, "*")})
			}
			for _, p := range v.Properties {
				f := field{path: below(at.path, p.Name), needed: sure && v.Needs(p.Name)}
				if known[f.String()] || len(named) == mostFields {
					continue
				}
				known[f.String()] = true
				f.describe(p.Schema)
				named = append(named, f)
				if !f.plain() {
					queue = append(queue, level{p.Schema, f.path})
				}
			}
		})
		if f := (field{path: below(at.path, "*"), free: true}); loose.free() && !known[f.String()] && len(free) < mostFields {
			known[f.String()] = true
			if loose.rest != nil {
				f.describe(loose.rest)
				queue = append(queue, level{loose.rest, f.path})
			}
			free = append(free, f)
		}
	}
	return named, free
}

func below(path []string, name string) []string {
	return append(path[:len(path):len(path)], name)
}

// eachPart goes through what a schema says, itself and by its parts; sure tells
// parts that always hold from choices.
func eachPart(s *schema.Schema, sure bool, depth int, visit func(v *schema.View, sure bool)) {
	if s == nil || depth > deepestMix {
		return
	}
	v := s.View()
	visit(v, sure)
	for _, part := range v.AllOf {
		eachPart(part, sure, depth+1, visit)
	}
	for _, choices := range [][]*schema.Schema{v.AnyOf, v.OneOf} {
		for _, choice := range choices {
			eachPart(choice, false, depth+1, visit)
		}
	}
}

// describe notes what a field may hold.
func (f *field) describe(s *schema.Schema) {
	eachPart(s, true, 0, func(v *schema.View, _ bool) {
		kinds := v.Kinds()
		f.null = f.null || v.Nullable || kinds&schema.Null != 0
		f.kinds |= kinds &^ schema.Null
		if len(v.Properties) > 0 || v.Rest != nil {
			f.kinds |= schema.Object
		}
		if v.Items != nil {
			f.kinds |= schema.Array
		}
		if f.format == "" {
			f.format = v.Format
		}
		f.choices(v.Enum)
	})
}

func (f *field) choices(list *document.Node) {
	for i := range list.Len() {
		if text := list.At(i).Text(); text != "" && !slices.Contains(f.enum, text) {
			f.enum = append(f.enum, text)
			f.kinds |= schema.String
		}
	}
}

// A spot is where a field stands in one body.
type spot struct {
	in   map[string]any
	name string
}

func (s spot) value() any { return s.in[s.name] }

// mostSpots bounds how many items of one reply are altered.
const mostSpots = 10_000

// spots finds a field in a body; those objects that lack it are left out.
func (f field) spots(body any) []spot {
	var found []spot
	var down func(at any, path []string)
	down = func(at any, path []string) {
		if len(found) == mostSpots {
			return
		}
		switch at := at.(type) {
		case []any:
			if path[0] == "*" && len(path) > 1 {
				for _, item := range at {
					down(item, path[1:])
				}
			}
		case map[string]any:
			names := []string{path[0]}
			if path[0] == "*" {
				names = slices.Sorted(maps.Keys(at))
			}
			for _, name := range names {
				if value, there := at[name]; there && len(path) > 1 {
					down(value, path[1:])
				} else if there {
					found = append(found, spot{at, name})
				}
			}
		}
	}
	down(body, f.path)
	return found
}

// inOrder puts fields in the order of draws, one for each; those that have to
// be there come first.
func inOrder(fields []field, draw func(purpose string) float64) []field {
	type drawn struct {
		field
		at float64
	}
	all := make([]drawn, len(fields))
	for i, f := range fields {
		all[i] = drawn{f, draw("field/" + f.String())}
		if f.needed {
			all[i].at--
		}
	}
	slices.SortStableFunc(all, func(a, b drawn) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	sorted := make([]field, len(all))
	for i := range all {
		sorted[i] = all[i].field
	}
	return sorted
}
