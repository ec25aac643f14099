package specs

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"parity/specs/body"
	"parity/specs/document"
	"parity/specs/schema"
)

// A sieve passes values that are surely right, and leaves the others to JSON
// Schema, which decides and says what is wrong. Nearly every value passes, and
// a record with 45 fields does so in under 2 µs without an allocation; the
// library takes 21 µs and 259 allocations for it, mostly for its numbers, which
// it compares as fractions made from text.
//
// What a sieve passes the library must pass as well: a test holds the two
// against each other. A keyword that is not known here passes nothing.
type sieve struct {
	never      bool         // passes nothing
	making     bool         // not finished: met again before that, it is part of itself
	kinds      schema.Kinds // 0: any type
	enum       []any        // scalars; nil: any value
	choices    map[any]bool // the same, where there are many
	low, high  float64
	short      int // characters, at least
	long       int // characters, at most
	pattern    jsonschema.Regexp
	properties map[string]*sieve
	required   []string
	rest       *sieve // of properties that have no name; nil: anything
	closed     bool   // no other properties
	fewest     int    // properties or items, at least
	most       int
	items      *sieve // nil: anything
	all, any   []*sieve
}

// sieve makes the sieve of a schema, once for each side; it is called under mu.
func (s *schemas) sieve(of *schema.Schema, mode mode) *sieve {
	of = of.Target()
	key := sided{of, mode}
	if known, ok := s.sieves[key]; ok {
		return known
	}
	out := coarse()
	if s.depth++; s.depth > deepestChain {
		s.depth--
		out.never = true
		return out
	}
	defer func() { s.depth-- }()
	s.sieves[key] = out
	view := of.View()
	if view.Always != nil {
		out.never = !*view.Always
		return out
	}
	if !sievable(view) {
		out.never = true
		return out
	}
	out.making = true
	s.scalars(out, view)
	s.parts(out, view, mode)
	out.making = false
	if target := view.Extension(extensionRef).Text(); target != "" && mode == reply && s.expand {
		// The id, as it is written here, or one of the target's records.
		id := *out
		choices := []*sieve{&id}
		for _, claim := range s.claims(target) {
			choices = append(choices, s.sieve(claim, mode))
		}
		*out = *coarse()
		out.any = choices
	}
	return out
}

// coarse passes everything.
func coarse() *sieve {
	return &sieve{low: math.Inf(-1), high: math.Inf(1), long: math.MaxInt, most: math.MaxInt}
}

// sided is a schema as one side reads it.
type sided struct {
	schema *schema.Schema // a target
	mode   mode
}

// sievable tells whether a schema has only keywords that a sieve knows.
func sievable(v *schema.View) bool {
	if v.Broken != nil {
		return true // anything goes
	}
	unknown := len(v.OneOf)+len(v.PrefixItems) > 0 || v.Later || v.Not != nil || v.Const != nil || v.MultipleOf != nil || v.UniqueItems ||
		v.Discriminator != nil && len(v.AnyOf) > 0 || v.Node().Get("additionalItems") != nil
	switch {
	case !asserted(v.Format):
	case sure(v.Format) != nil:
		unknown = unknown || v.Pattern != ""
	case v.Format == "int64": // every int64 is one
		unknown = unknown || len(v.Types) != 1 || v.Types[0] != "integer"
	default:
		unknown = true
	}
	for i := range v.Enum.Len() {
		switch v.Enum.At(i).Kind() {
		case document.Null, document.String, document.Bool:
		default:
			unknown = true
		}
	}
	// Null beside a combination, or beside no type, is a choice of its own in
	// the translation; only the ordinary case is followed here.
	if v.Nullable && (len(v.AllOf)+len(v.AnyOf) > 0 || len(v.Types) == 0) {
		return !unknown && len(v.AllOf)+len(v.AnyOf) > 0
	}
	return !unknown
}

func (s *schemas) scalars(v *sieve, from *schema.View) {
	v.kinds = from.Kinds()
	if from.Nullable && v.kinds != 0 {
		v.kinds |= schema.Null
	}
	if from.Enum.Len() > 0 {
		v.enum, _ = from.Enum.Value().([]any)
		if from.Nullable && v.kinds != 0 {
			v.enum = append(v.enum, nil)
		}
		if len(v.enum) > manyChoices {
			v.choices = make(map[any]bool, len(v.enum))
			for _, choice := range v.enum {
				v.choices[choice] = true
			}
		}
	}
	for _, low := range []*float64{from.Low, above(from.Above)} {
		if low != nil {
			v.low = max(v.low, *low)
		}
	}
	for _, high := range []*float64{from.High, below(from.Below)} {
		if high != nil {
			v.high = min(v.high, *high)
		}
	}
	if from.MinLength != nil {
		v.short = *from.MinLength
	}
	if from.MaxLength != nil {
		v.long = *from.MaxLength
	}
	if from.Pattern != "" {
		if pattern, err := s.pattern(from.Pattern); err == nil {
			v.pattern = pattern
		}
	}
	if from.Format != "" && v.pattern == nil {
		v.pattern = sure(from.Format)
	}
}

// above and below give the next number inside a bound that is not itself
// allowed.
func above(bound *float64) *float64 { return toward(bound, math.Inf(1)) }
func below(bound *float64) *float64 { return toward(bound, math.Inf(-1)) }

func toward(bound *float64, end float64) *float64 {
	if bound == nil {
		return nil
	}
	next := math.Nextafter(*bound, end)
	return &next
}

func (s *schemas) parts(v *sieve, from *schema.View, mode mode) {
	of := func(part *schema.Schema) *sieve {
		if part == nil {
			return nil
		}
		return s.sieve(part, mode)
	}
	if len(from.Properties) > 0 {
		v.properties = make(map[string]*sieve, len(from.Properties))
		for _, p := range from.Properties {
			v.properties[p.Name] = of(p.Schema)
		}
	}
	v.required = (translation{schemas: s, mode: mode}).required(from)
	v.rest, v.closed, v.items = of(from.Rest), from.Closed, of(from.Items)
	for _, fewest := range []*int{from.MinItems, from.MinFields} {
		if fewest != nil {
			v.fewest = max(v.fewest, *fewest)
		}
	}
	for _, most := range []*int{from.MaxItems, from.MaxFields} {
		if most != nil {
			v.most = min(v.most, *most)
		}
	}
	for _, part := range from.AllOf {
		v.all = append(v.all, of(part))
	}
	for _, part := range from.AnyOf {
		v.any = append(v.any, of(part))
	}
	for _, part := range slices.Concat(v.all, v.any) {
		// Nothing of a value is used up on the way: passes would not end.
		v.never = v.never || part != nil && part.making
	}
	if from.Nullable && len(v.all)+len(v.any) > 0 {
		inner, null := *v, coarse()
		null.kinds = schema.Null
		*v = *coarse()
		v.any = []*sieve{null, &inner}
	}
}

// passes tells whether a value is surely right, in so many steps. A nil sieve
// passes anything.
func (v *sieve) passes(value any, depth int, left *int) bool {
	if v == nil {
		return true
	}
	if *left--; *left < 0 || v.never || depth > 2*body.MaxDepth || v.enum != nil && !v.chosen(value) {
		return false
	}
	var fits bool
	switch value := value.(type) {
	case nil:
		fits = v.is(schema.Null)
	case bool:
		fits = v.is(schema.Boolean)
	case string:
		fits = v.is(schema.String) && v.text(value)
	case int64:
		fits = v.is(schema.Integer|schema.Number) && v.within(value)
	case float64:
		fits = v.is(schema.Number) && value >= v.low && value <= v.high && !math.IsInf(value, 0) // not a number is neither
	case map[string]any:
		fits = v.is(schema.Object) && v.object(value, depth, left)
	case []any:
		fits = v.is(schema.Array) && v.array(value, depth, left)
	}
	for _, part := range v.all {
		fits = fits && part.passes(value, depth+1, left)
	}
	if !fits || len(v.any) == 0 {
		return fits
	}
	for _, part := range v.any {
		if part.passes(value, depth+1, left) {
			return true
		}
	}
	return false
}

func (v *sieve) is(kind schema.Kinds) bool { return v.kinds == 0 || v.kinds&kind != 0 }

// within leaves to the library what float64 cannot tell apart.
func (v *sieve) within(value int64) bool {
	const exact = 1 << 53
	n := float64(value)
	return n >= v.low && n <= v.high && (value <= exact && value >= -exact || math.IsInf(v.low, 0) && math.IsInf(v.high, 0))
}

func (v *sieve) chosen(value any) bool {
	switch value.(type) {
	case nil, string, bool:
		if v.choices != nil {
			return v.choices[value]
		}
		return slices.Contains(v.enum, value)
	default: // not comparable, or equal in more ways than one
		return false
	}
}

func (v *sieve) text(value string) bool {
	if len(value) < v.short || len(value) > v.long || v.short > 1 {
		if n := utf8.RuneCountInString(value); n < v.short || n > v.long {
			return false
		}
	}
	return v.pattern == nil || v.pattern.MatchString(value)
}

func (v *sieve) object(value map[string]any, depth int, left *int) bool {
	if len(value) < v.fewest || len(value) > v.most {
		return false
	}
	for _, name := range v.required {
		if _, ok := value[name]; !ok {
			return false
		}
	}
	for name, inner := range value {
		part, ok := v.properties[name]
		if !ok {
			if v.closed {
				return false
			}
			part = v.rest
		}
		if part != nil && !part.passes(inner, depth+1, left) {
			return false
		}
	}
	return true
}

func (v *sieve) array(value []any, depth int, left *int) bool {
	if len(value) < v.fewest || len(value) > v.most {
		return false
	}
	if v.items != nil {
		for _, item := range value {
			if !v.items.passes(item, depth+1, left) {
				return false
			}
		}
	}
	return true
}
