package specs

import (
	"encoding/base64"
	"errors"
	"math"
	"regexp"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A translation writes OpenAPI schemas as JSON Schema: draft 7 for OpenAPI 3.0,
// 2020-12 for later ones. Real documents mix the dialects, so nullable and the
// boolean exclusiveMinimum are understood in both.
type translation struct {
	schemas *schemas
	mode    mode
}

// ref translates a schema where it stands. One that is referred to by name
// stays a reference, so that recursion ends, unless it is a leaf.
func (t translation) ref(ref *openapi3.SchemaRef) any {
	if ref == nil || ref.Value == nil {
		return true
	}
	if ref.Ref != "" && !isLeaf(ref.Value) {
		return map[string]any{"$ref": t.schemas.address(ref.Value, t.mode)}
	}
	return t.schema(ref.Value)
}

// isLeaf tells whether a schema holds no other schema.
func isLeaf(s *openapi3.Schema) bool {
	return len(s.OneOf)+len(s.AnyOf)+len(s.AllOf)+len(s.Properties)+len(s.PrefixItems)+len(s.PatternProperties)+
		len(s.DependentSchemas)+len(s.Defs) == 0 &&
		s.Not == nil && s.Items == nil && s.Contains == nil && s.PropertyNames == nil && s.If == nil && s.Then == nil &&
		s.Else == nil && s.AdditionalProperties.Schema == nil && s.UnevaluatedItems.Schema == nil && s.UnevaluatedProperties.Schema == nil
}

func (t translation) schema(s *openapi3.Schema) any {
	if s.Always != nil {
		return *s.Always
	}
	out := map[string]any{}
	t.types(out, s)
	numbers(out, s)
	texts(out, s)
	t.arrays(out, s)
	t.objects(out, s)
	t.combinations(out, s)
	if t.schemas.modern {
		t.later(out, s)
	}
	if s.Nullable {
		return t.expanded(nullable(out), s)
	}
	return t.expanded(out, s)
}

func (t translation) types(out map[string]any, s *openapi3.Schema) {
	if types := s.Type.Slice(); len(types) > 0 {
		list := make([]any, len(types))
		for i, name := range types {
			list[i] = name
		}
		out["type"] = list
	}
	if len(s.Enum) > 0 {
		out["enum"] = slices.Clone(s.Enum)
	}
	if s.Format != "" {
		out["format"] = s.Format
	}
}

func numbers(out map[string]any, s *openapi3.Schema) {
	bound := func(inclusive, exclusive string, value *float64, strict openapi3.ExclusiveBound) {
		switch {
		case value != nil && strict.Bool != nil && *strict.Bool:
			out[exclusive] = *value
		case value != nil:
			out[inclusive] = *value
		}
		if strict.Value != nil {
			out[exclusive] = *strict.Value
		}
	}
	bound("minimum", "exclusiveMinimum", s.Min, s.ExclusiveMin)
	bound("maximum", "exclusiveMaximum", s.Max, s.ExclusiveMax)
	if s.MultipleOf != nil && *s.MultipleOf > 0 {
		out["multipleOf"] = *s.MultipleOf
	}
}

func texts(out map[string]any, s *openapi3.Schema) {
	if s.MinLength > 0 {
		out["minLength"] = number(s.MinLength)
	}
	if s.MaxLength != nil {
		out["maxLength"] = number(*s.MaxLength)
	}
	if s.Pattern != "" {
		// Patterns are ECMA's; one that Go cannot read judges nothing, rather
		// than costing the whole schema.
		if _, err := regexp.Compile(s.Pattern); err == nil {
			out["pattern"] = s.Pattern
		}
	}
}

func (t translation) arrays(out map[string]any, s *openapi3.Schema) {
	if s.Items != nil {
		out["items"] = t.ref(s.Items)
	}
	if s.MinItems > 0 {
		out["minItems"] = number(s.MinItems)
	}
	if s.MaxItems != nil {
		out["maxItems"] = number(*s.MaxItems)
	}
	if s.UniqueItems {
		out["uniqueItems"] = true
	}
}

func (t translation) objects(out map[string]any, s *openapi3.Schema) {
	if len(s.Properties) > 0 {
		out["properties"] = t.named(s.Properties)
	}
	if required := t.required(s); len(required) > 0 {
		out["required"] = required
	}
	switch extra := s.AdditionalProperties; {
	case extra.Schema != nil:
		out["additionalProperties"] = t.ref(extra.Schema)
	case extra.Has != nil: // true counts too: it makes properties evaluated
		out["additionalProperties"] = *extra.Has
	}
	if s.MinProps > 0 {
		out["minProperties"] = number(s.MinProps)
	}
	if s.MaxProps != nil {
		out["maxProperties"] = number(*s.MaxProps)
	}
}

// required leaves out what this side does not send.
func (t translation) required(s *openapi3.Schema) []any {
	var names []any
	for _, name := range s.Required {
		if property := s.Properties[name]; property != nil && property.Value != nil {
			if t.mode == request && property.Value.ReadOnly || t.mode == reply && property.Value.WriteOnly {
				continue
			}
		}
		names = append(names, name)
	}
	return names
}

func (t translation) combinations(out map[string]any, s *openapi3.Schema) {
	for keyword, list := range map[string]openapi3.SchemaRefs{"allOf": s.AllOf, "anyOf": s.AnyOf, "oneOf": s.OneOf} {
		if len(list) > 0 {
			out[keyword] = t.list(list)
		}
	}
	if s.Not != nil {
		out["not"] = t.ref(s.Not)
	}
}

// later adds the keywords that OpenAPI has since 3.1.
func (t translation) later(out map[string]any, s *openapi3.Schema) {
	if s.Const != nil {
		out["const"] = s.Const
	}
	for keyword, ref := range map[string]*openapi3.SchemaRef{
		"if": s.If, "then": s.Then, "else": s.Else, "contains": s.Contains, "propertyNames": s.PropertyNames,
	} {
		if ref != nil {
			out[keyword] = t.ref(ref)
		}
	}
	for keyword, named := range map[string]openapi3.Schemas{"patternProperties": s.PatternProperties, "dependentSchemas": s.DependentSchemas} {
		if len(named) > 0 {
			out[keyword] = t.named(named)
		}
	}
	if len(s.PrefixItems) > 0 {
		out["prefixItems"] = t.list(s.PrefixItems)
	}
	for keyword, count := range map[string]*uint64{"minContains": s.MinContains, "maxContains": s.MaxContains} {
		if count != nil {
			out[keyword] = number(*count)
		}
	}
	if len(s.DependentRequired) > 0 {
		needs := map[string]any{}
		for name, others := range s.DependentRequired {
			list := make([]any, len(others))
			for i, other := range others {
				list[i] = other
			}
			needs[name] = list
		}
		out["dependentRequired"] = needs
	}
	for keyword, extra := range map[string]openapi3.BoolSchema{"unevaluatedItems": s.UnevaluatedItems, "unevaluatedProperties": s.UnevaluatedProperties} {
		if extra.Schema != nil {
			out[keyword] = t.ref(extra.Schema)
		} else if extra.Has != nil {
			out[keyword] = *extra.Has
		}
	}
}

func (t translation) list(refs openapi3.SchemaRefs) []any {
	out := make([]any, len(refs))
	for i, ref := range refs {
		out[i] = t.ref(ref)
	}
	return out
}

func (t translation) named(refs openapi3.Schemas) map[string]any {
	out := make(map[string]any, len(refs))
	for name, ref := range refs {
		out[name] = t.ref(ref)
	}
	return out
}

// expanded lets a record stand where its id does, in the replies of a service
// that can expand ids.
func (t translation) expanded(out any, s *openapi3.Schema) any {
	target, ok := s.Extensions[extensionRef].(string)
	if !ok || t.mode != reply || !t.schemas.expand {
		return out
	}
	choices := []any{out}
	for _, ref := range t.schemas.claims[target] {
		choices = append(choices, map[string]any{"$ref": t.schemas.address(ref.Value, t.mode)})
	}
	return map[string]any{"anyOf": choices}
}

// nullable adds null to what a schema takes. Next to a combination null must
// be a choice of its own: a type beside it would not reach inside.
func nullable(out map[string]any) any {
	_, all := out["allOf"]
	_, anyOf := out["anyOf"]
	_, one := out["oneOf"]
	_, not := out["not"]
	types, typed := out["type"].([]any)
	if all || anyOf || one || not || !typed && len(out) > 0 {
		return map[string]any{"anyOf": []any{map[string]any{"type": "null"}, out}}
	}
	if typed && !slices.Contains(types, any("null")) {
		out["type"] = append(types, "null")
	}
	if enum, ok := out["enum"].([]any); ok && !slices.Contains(enum, nil) {
		out["enum"] = append(enum, nil)
	}
	return out
}

func number(n uint64) float64 { return float64(n) }

// formats are those of OpenAPI that JSON Schema does not have. The rest of
// them (float, double, binary, password) say nothing that can be checked.
func formats() []*jsonschema.Format {
	within := func(low, high float64) func(any) error {
		return func(value any) error {
			n, ok := value.(float64)
			if whole, isWhole := value.(int64); isWhole {
				n, ok = float64(whole), true
			}
			if ok && (n < low || n > high) {
				return errors.New("number is out of range")
			}
			return nil
		}
	}
	return []*jsonschema.Format{
		{Name: "int32", Validate: within(math.MinInt32, math.MaxInt32)},
		{Name: "int64", Validate: within(math.MinInt64, math.MaxInt64)},
		{Name: "byte", Validate: func(value any) error {
			if text, ok := value.(string); ok {
				_, err := base64.StdEncoding.DecodeString(text)
				return err
			}
			return nil
		}},
	}
}
