package generic

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"parity/fakes/chance"
	"parity/specs/schema"
)

// sampled gives a value that a schema allows, the same for the same seed. It is
// the one door to whatever makes values up.
func sampled(s *schema.Schema, seed chance.Seed) any {
	return maker{seed: seed}.value(s, "", 0)
}

// completed gives a value with what its schema requires and it does not have.
func completed(s *schema.Schema, value any, seed chance.Seed) any {
	return maker{seed: seed}.complete(s, value, "", 0)
}

type maker struct{ seed chance.Seed }

const deepSample = 8

func (m maker) complete(s *schema.Schema, value any, at string, depth int) any {
	if s == nil || depth > deepSample {
		return value
	}
	switch x := value.(type) {
	case map[string]any:
		f := formOf(s)
		for _, name := range f.names {
			inner, there := x[name]
			if !there && !f.required[name] {
				continue
			}
			var made any
			if there {
				made = m.complete(f.fields[name], inner, at+"/"+name, depth+1)
			} else {
				made = m.value(f.fields[name], at+"/"+name, depth+1)
			}
			x = path{name}.set(x, made)
		}
		for name := range f.required {
			if _, there := x[name]; !there {
				x = path{name}.set(x, "x")
			}
		}
		return x
	case []any:
		items := typed(s).Items
		out := slices.Clone(x)
		for i := range out {
			out[i] = m.complete(items, out[i], at+"/"+strconv.Itoa(i), depth+1)
		}
		return out
	}
	return value
}

func (m maker) value(s *schema.Schema, at string, depth int) any {
	if s == nil || depth > deepSample {
		return nil
	}
	v := s.View()
	switch {
	case v.Const != nil:
		return v.Const.Value()
	case v.Enum.Len() > 0:
		return v.Enum.At(chance.Pick(m.seed, v.Enum.Len(), at)).Value()
	case v.Example != nil && fits(s, v.Example.Value(), 0):
		return v.Example.Value()
	case v.Default != nil && fits(s, v.Default.Value(), 0) && v.Default.Value() != nil:
		return v.Default.Value()
	}
	parts := slices.Concat(v.OneOf, v.AnyOf)
	if len(parts) > 0 && len(v.Properties) == 0 && len(v.AllOf) == 0 {
		return m.value(parts[0], at, depth+1)
	}
	t := typed(s)
	switch {
	case len(t.Properties) > 0 || len(v.AllOf) > 0 && t.Is("object") || len(t.Types) > 0 && t.Types[0] == "object":
		f := formOf(s)
		out := map[string]any{}
		for _, name := range f.names {
			if f.required[name] || depth < 3 {
				out[name] = m.value(f.fields[name], at+"/"+name, depth+1)
			}
		}
		for name := range f.required {
			if _, there := out[name]; !there {
				out[name] = "x"
			}
		}
		return out
	case len(t.Types) == 0:
		return "x"
	}
	return m.scalar(t, at, depth)
}

func (m maker) scalar(t *schema.View, at string, depth int) any {
	switch t.Types[0] {
	case "array":
		n := 1
		if t.MinItems != nil {
			n = max(n, *t.MinItems)
		}
		out := []any{}
		if t.Items != nil && depth < deepSample {
			for i := range n {
				out = append(out, m.value(t.Items, at+"/"+strconv.Itoa(i), depth+1))
			}
		}
		return out
	case "boolean":
		return chance.Pick(m.seed, 2, at) == 0
	case "integer", "number":
		low, high := bounds(t, t.Format)
		return low + int64(chance.Draw(m.seed, at)*math.Min(1000, float64(high-low)))
	case "string":
		switch t.Format {
		case "date-time":
			return "2026-01-02T03:04:05Z"
		case "date":
			return "2026-01-02"
		case "uri", "url":
			return "https://example.com/" + chance.ID(m.seed, 6, at)
		case "email":
			return chance.ID(m.seed, 6, at) + "@example.com"
		case "uuid":
			return "3f1c2a44-7c1e-4a52-9d63-" + chance.Hash(chance.ID(m.seed, 8, at))[:12]
		}
		n := 8
		if t.MinLength != nil {
			n = max(n, *t.MinLength)
		}
		return chance.ID(m.seed, min(n, *cmp.Or(t.MaxLength, &n)), at)
	}
	return nil
}
