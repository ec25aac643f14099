package generic

import (
	"encoding/base64"
	"maps"
	"slices"
	"sync"
	"time"

	"parity/fakes/cast"
	"parity/specs/sample"
	"parity/specs/schema"
)

// A form is what a schema says of an object, put together from all that it is
// made of: allOf, and each shape that oneOf and anyOf leave open.
type form struct {
	names    []string // of fields, in the order of the document
	fields   map[string]*schema.Schema
	required map[string]bool
	sure     map[string][]*schema.Schema // of fields, all that are said of them whatever shape is meant
	may      map[string]bool             // required by some shape
	rests    []*schema.View              // parts that say what fields of other names than theirs have to be
	open     bool                        // fields of other names may come

	plain func() map[string]string // the field that each name means, in any way of writing
}

// mostParts bounds how many schemas a form is put together from.
const mostParts = 64

func formOf(s *schema.Schema) *form {
	f := &form{
		fields: map[string]*schema.Schema{}, required: map[string]bool{},
		sure: map[string][]*schema.Schema{}, may: map[string]bool{},
	}
	if s == nil {
		f.open = true
		return f
	}
	f.gather(s, true, map[*schema.Schema]bool{})
	f.open = f.open || len(f.names) == 0 && !s.View().Closed
	f.plain = sync.OnceValue(f.plainNames)
	return f
}

func (f *form) plainNames() map[string]string {
	all := make(map[string]string, len(f.names))
	for _, name := range slices.Backward(f.names) {
		all[plainly(name)] = name // the first is meant
	}
	return all
}

func (f *form) gather(s *schema.Schema, sure bool, met map[*schema.Schema]bool) {
	target := s.Target()
	if met[target] || len(met) > mostParts {
		return
	}
	met[target] = true
	v := s.View()
	for _, p := range v.Properties {
		if f.fields[p.Name] == nil {
			f.names = append(f.names, p.Name)
			f.fields[p.Name] = p.Schema
		}
		if sure {
			f.sure[p.Name] = append(f.sure[p.Name], p.Schema)
		}
	}
	if sure && v.Rest != nil {
		f.rests = append(f.rests, v)
	}
	f.open = f.open || v.Rest != nil || v.Node().Get("additionalProperties").True()
	for _, name := range v.Required {
		f.may[name] = true
		f.required[name] = f.required[name] || sure
	}
	for _, part := range v.AllOf {
		f.gather(part, sure, met)
	}
	for _, part := range slices.Concat(v.OneOf, v.AnyOf) {
		only := len(v.OneOf)+len(v.AnyOf) == 1
		f.gather(part, sure && only, met)
	}
}

// has tells whether the form names a field.
func (f *form) has(name string) bool { return f.fields[name] != nil }

// at gives the schema of a field, dotted; nil where the form has none.
func (f *form) at(field path) *schema.Schema {
	for i, name := range field {
		s := f.fields[name]
		if s == nil || i == len(field)-1 {
			return s
		}
		f = formOf(s)
	}
	return nil
}

// same tells whether two schemas are one.
func same(a, b *schema.Schema) bool {
	return a != nil && b != nil && a.Target() == b.Target()
}

// mould gives of a record what a form has a place for. A value that does not fit
// its place is completed or bent, where it plainly means one that does.
func (f *Fake) mould(into *form, record map[string]any) map[string]any {
	out := make(map[string]any, len(record))
	for name, value := range record {
		if !into.has(name) {
			if into.open {
				if f.mayStand(into, name, value) {
					out[name] = value
				}
				continue
			}
			own, ok := into.alike(name)
			if _, given := record[own]; !ok || given {
				continue
			}
			name = own
		}
		if held, ok := f.fitted(into, name, value); ok {
			out[name] = held
		}
	}
	return out
}

// mayStand tells whether a value is what each part of a form says of fields
// that it does not name.
func (f *Fake) mayStand(into *form, name string, value any) bool {
	return !slices.ContainsFunc(into.rests, func(v *schema.View) bool {
		return v.Get(name) == nil && !f.library.Fits(v.Rest, value, sample.Reply)
	})
}

// alike gives the field that another name means, in another way of writing:
// requests may have displayName where records have DisplayName.
func (f *form) alike(name string) (string, bool) {
	if len(f.names) == 0 {
		return "", false
	}
	own, ok := f.plain()[plainly(name)]
	return own, ok
}

// fitted gives a value as a form's field takes it.
func (f *Fake) fitted(into *form, name string, value any) (any, bool) {
	takes := func(v any) bool {
		return !slices.ContainsFunc(into.sure[name], func(s *schema.Schema) bool { return !f.library.Fits(s, v, sample.Reply) }) && f.mayStand(into, name, v)
	}
	s := into.fields[name]
	if _, list := value.([]any); list && !f.mayStand(into, name, value) {
		return nil, false
	}
	if len(into.sure[name]) == 0 { // of a shape that may or may not be meant
		return value, fits(s, value, 0)
	}
	if takes(value) {
		return value, true
	}
	if object, ok := value.(map[string]any); ok && fits(s, value, 0) {
		whole := f.fixed("mould", name).least(s, object)
		return whole, takes(whole) || fits(s, whole, 0)
	}
	if bent, ok := bend(s, value); ok && takes(bent) {
		return bent, true
	}
	_, list := value.([]any)
	return value, list && fits(s, value, 0) // its items are completed with the record
}

// deepest bounds how far into a value fits looks.
const deepest = 12

// fits tells whether a value is of a schema's types and choices, as far as that
// is quickly told. What it says nothing of is left to the checks.
func fits(s *schema.Schema, value any, depth int) bool {
	if s == nil || depth > deepest {
		return true
	}
	v := s.View()
	if value == nil {
		return v.Nullable || slices.Contains(v.Types, "null") || len(v.Types) == 0 && v.Enum == nil && someNull(v)
	}
	if !v.Is(typeOf(value)) || !chosen(v, value) {
		return false
	}
	for _, part := range v.AllOf {
		if !fits(part, value, depth+1) {
			return false
		}
	}
	for _, group := range [][]*schema.Schema{v.OneOf, v.AnyOf} {
		if len(group) > 0 && !slices.ContainsFunc(group, func(s *schema.Schema) bool { return fits(s, value, depth+1) }) {
			return false
		}
	}
	return within(v, value, depth)
}

// someNull tells whether null goes where the types are left to the parts.
func someNull(v *schema.View) bool {
	parts := slices.Concat(v.OneOf, v.AnyOf)
	if len(parts) == 0 {
		return len(v.AllOf) == 0 || !slices.ContainsFunc(v.AllOf, func(s *schema.Schema) bool { return !fits(s, nil, deepest-2) })
	}
	return slices.ContainsFunc(parts, func(s *schema.Schema) bool { return fits(s, nil, deepest-2) })
}

// within looks at what a value holds.
func within(v *schema.View, value any, depth int) bool {
	switch x := value.(type) {
	case map[string]any:
		for name, inner := range x {
			s := v.Get(name)
			if s == nil {
				if v.Closed && len(v.AllOf) == 0 {
					return false
				}
				s = v.Rest
			}
			if s != nil && !fits(s, inner, depth+1) {
				return false
			}
		}
	case []any:
		for _, item := range x {
			if v.Items != nil && !fits(v.Items, item, depth+1) {
				return false
			}
		}
	case string:
		n := len([]rune(x))
		return inFormat(v.Format, x) && (v.MinLength == nil || n >= *v.MinLength) && (v.MaxLength == nil || n <= *v.MaxLength)
	case int64:
		return between(v, float64(x))
	case float64:
		return between(v, x)
	}
	return true
}

// inFormat looks at the formats that values of one contract are written in and
// those of another are not.
func inFormat(format, words string) bool {
	switch format {
	case "date":
		_, err := time.Parse(time.DateOnly, words)
		return err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339Nano, words)
		return err == nil
	case "uuid":
		return isUUID(words)
	case "byte":
		_, err := base64.StdEncoding.DecodeString(words)
		return err == nil
	}
	return true
}

func between(v *schema.View, n float64) bool {
	return (v.Low == nil || n >= *v.Low) && (v.High == nil || n <= *v.High) &&
		(v.Above == nil || n > *v.Above) && (v.Below == nil || n < *v.Below)
}

func chosen(v *schema.View, value any) bool {
	if v.Const != nil && cast.Plain(v.Const.Value()) != cast.Plain(value) {
		return false
	}
	if v.Enum == nil {
		return true
	}
	for i := range v.Enum.Len() {
		if cast.Plain(v.Enum.At(i).Value()) == cast.Plain(value) {
			return true
		}
	}
	return false
}

func typeOf(value any) string {
	switch value.(type) {
	case bool:
		return "boolean"
	case int64:
		return "integer"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "null"
}

// bend gives a value in the type that a schema wants, where it plainly means
// one: "12" for a number, an id where an object with an id is shown, one where a
// list is.
func bend(s *schema.Schema, value any) (any, bool) {
	bent := convert(s, value)
	if bent == nil || !fits(s, bent, 0) {
		return nil, false
	}
	return bent, true
}

func convert(s *schema.Schema, value any) any {
	v := typed(s)
	words, isText := text(value)
	switch {
	case isText && slices.Contains(v.Types, "string"):
		if at, ok := instant(value); ok && (v.Format == "date" || v.Format == "date-time") {
			return stampText(v, at)
		}
		return words
	case isText && (slices.Contains(v.Types, "integer") || slices.Contains(v.Types, "number")):
		return numberOf(words)
	case isText && slices.Contains(v.Types, "boolean"):
		if words == "true" || words == "false" {
			return words == "true"
		}
	case slices.Contains(v.Types, "array") && v.Items != nil:
		if fits(v.Items, value, 0) {
			return []any{value}
		}
	}
	if list, ok := value.([]any); ok && v.Items != nil && slices.Contains(v.Types, "array") {
		return convertAll(v.Items, list)
	}
	if object, ok := value.(map[string]any); ok {
		return convertFields(s, object)
	}
	return nil
}

// convertAll bends each item of a list; those that cannot be are left out.
func convertAll(items *schema.Schema, list []any) any {
	out := make([]any, 0, len(list))
	for _, item := range list {
		if fits(items, item, 0) {
			out = append(out, item)
		} else if bent, ok := bend(items, item); ok {
			out = append(out, bent)
		}
	}
	return out
}

// convertFields bends each field of an object, and leaves out those that cannot
// be.
func convertFields(s *schema.Schema, object map[string]any) any {
	f := formOf(s)
	if len(f.names) == 0 {
		return nil
	}
	out := maps.Clone(object)
	for name, value := range object {
		at := f.fields[name]
		if at == nil || fits(at, value, 0) {
			continue
		}
		if bent, ok := bend(at, value); ok {
			out[name] = bent
		} else {
			delete(out, name)
		}
	}
	return out
}

// typed gives the view that says a schema's types: its own, or that of a part.
func typed(s *schema.Schema) *schema.View {
	v := s.View()
	for range 8 {
		if len(v.Types) > 0 {
			return v
		}
		parts := slices.Concat(v.AllOf, v.OneOf, v.AnyOf)
		next := slices.IndexFunc(parts, func(s *schema.Schema) bool { return len(s.View().Types) > 0 || len(s.View().AllOf) > 0 })
		if next < 0 {
			return v
		}
		v = parts[next].View()
	}
	return v
}
