package sample

import (
	"parity/specs/document"
	"parity/specs/schema"
)

// later judges by the keywords of JSON Schema that a View leaves out.
func (j *judge) later(s *schema.Schema, v *schema.View, value any, depth int) bool {
	n, set := v.Node(), s.Set()
	for _, name := range []string{"$dynamicRef", "$recursiveRef"} {
		if ref := n.Get(name).Text(); ref != "" {
			if found, err := set.Document.Resolve(n, ref); err == nil && !j.fits(set.At(found), value, depth+1) {
				return false
			}
		}
	}
	if when := n.Get("if"); when != nil {
		then := n.Get("then")
		if !j.fits(set.At(when), value, depth+1) {
			then = n.Get("else")
		}
		if then != nil && !j.fits(set.At(then), value, depth+1) {
			return false
		}
	}
	switch value := value.(type) {
	case map[string]any:
		return j.laterObject(s, v, value, depth)
	case []any:
		return j.laterArray(set, n, value)
	default:
		return true
	}
}

func (j *judge) laterArray(set *schema.Set, n *document.Node, value []any) bool {
	of := n.Get("contains")
	if of == nil {
		return true
	}
	found := 0
	for _, item := range value {
		if j.inside(set.At(of), item) {
			found++
		}
	}
	least, ok := n.Get("minContains").Count()
	if !ok {
		least = 1
	}
	most, ok := n.Get("maxContains").Count()
	return found >= least && (!ok || found <= most)
}

func (j *judge) laterObject(s *schema.Schema, v *schema.View, value map[string]any, depth int) bool {
	n, set := v.Node(), s.Set()
	names, patterns := n.Get("propertyNames"), n.Get("patternProperties")
	for name, field := range value {
		if names != nil && !j.inside(set.At(names), name) {
			return false
		}
		for i := range patterns.Len() {
			if j.library.matches(patterns.At(i).Name, name) && !j.inside(set.At(patterns.At(i)), field) {
				return false
			}
		}
	}
	for _, keyword := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		table := n.Get(keyword)
		for i := range table.Len() {
			if _, there := value[table.At(i).Name]; there && !j.depends(set, table.At(i), value, depth) {
				return false
			}
		}
	}
	rest := n.Get("unevaluatedProperties")
	if rest == nil || rest.True() {
		return true
	}
	seen := map[string]bool{}
	j.evaluated(s, v, value, seen, depth)
	for name, field := range value {
		if !seen[name] && (rest.False() || !j.inside(set.At(rest), field)) {
			return false
		}
	}
	return true
}

func (j *judge) depends(set *schema.Set, on *document.Node, value map[string]any, depth int) bool {
	if !on.Is(document.Array) {
		return j.fits(set.At(on), value, depth+1)
	}
	for _, name := range on.Texts() {
		if _, there := value[name]; !there {
			return false
		}
	}
	return true
}

// evaluated marks the properties that a schema, and those in its place that the
// value fits, say something of.
func (j *judge) evaluated(s *schema.Schema, v *schema.View, value map[string]any, seen map[string]bool, depth int) {
	if depth > maxInPlace {
		return
	}
	n := v.Node()
	patterns := n.Get("patternProperties")
	for name := range value {
		if v.Get(name) != nil || v.Rest != nil || n.Get("additionalProperties") != nil || j.library.matchesAny(patterns, name) {
			seen[name] = true
		}
	}
	var in []*schema.Schema
	in = append(append(append(in, v.AllOf...), v.AnyOf...), v.OneOf...)
	if v.Later {
		for _, name := range []string{"if", "then", "else"} {
			in = append(in, s.Set().At(n.Get(name)))
		}
		table := n.Get("dependentSchemas")
		for i := range table.Len() {
			if _, there := value[table.At(i).Name]; there {
				in = append(in, s.Set().At(table.At(i)))
			}
		}
	}
	for _, other := range in {
		if other != nil && j.fits(other, value, depth+1) {
			j.evaluated(other, other.View(), value, seen, depth+1)
		}
	}
}
