package sample

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"parity/specs/document"
	"parity/specs/schema"
)

// A judge tells whether values fit schemas. It is quick and short of words: it
// is here to choose between what was made. What a contract's users are told is
// not its business.
type judge struct {
	library *Library
	side    Side
	steps   int            // schemas looked at
	scope   []*schema.View // that say something of the very value being looked at
}

// Bounds of one judgement. What is not judged within them fits.
const (
	maxSteps   = 50_000
	maxInPlace = 48
)

// usualScope is how many schemas say something of the same value at most, as a
// rule.
const usualScope = 8

// maxJudged bounds all the judgements that one value is made by, or broken by.
// Each takes all the steps that it may where choices lead to the same choices.
const maxJudged = 20 * maxSteps

// judges is fits, within what is left of a run.
func (r *run) judges(s *schema.Schema, value any) bool {
	if r.judged > maxJudged {
		return true
	}
	j := judge{library: r.library, side: r.Side, scope: make([]*schema.View, 0, usualScope)}
	ok := j.fits(s, value, 0)
	r.judged += j.steps
	return ok
}

func (l *Library) fits(s *schema.Schema, value any, side Side) bool {
	j := judge{library: l, side: side, scope: make([]*schema.View, 0, usualScope)}
	return j.fits(s, value, 0)
}

// fits tells whether a value is as a schema says; depth counts schemas that say
// something of the same value.
func (j *judge) fits(s *schema.Schema, value any, depth int) bool {
	if j.steps++; j.steps > maxSteps || depth > maxInPlace {
		return true
	}
	v := s.View()
	switch {
	case v.Always != nil:
		return *v.Always
	case v.Node() == nil:
		return true
	case value == nil && v.Nullable:
		return v.Enum == nil || among(v.Enum, nil)
	}
	if !kindFits(kindsOf(v), value) || v.Enum != nil && !among(v.Enum, value) || v.Const != nil && !equal(v.Const.Value(), value) {
		return false
	}
	was := len(j.scope)
	j.scope = append(j.scope, v)
	for _, other := range v.AllOf {
		j.scope = append(j.scope, other.View())
	}
	defer func() { j.scope = j.scope[:was] }()
	switch value := value.(type) {
	case string:
		if !j.library.textFits(v, value) {
			return false
		}
	case map[string]any:
		if !j.object(v, value) {
			return false
		}
	case []any:
		if !j.array(v, value) {
			return false
		}
	default:
		if number, ok := asNumber(value); ok && !numberFits(v, number) {
			return false
		}
	}
	return j.combined(s, v, value, depth)
}

func (j *judge) combined(s *schema.Schema, v *schema.View, value any, depth int) bool {
	for _, other := range v.AllOf {
		if !j.fits(other, value, depth+1) {
			return false
		}
	}
	if len(v.AnyOf) > 0 && !slices.ContainsFunc(v.AnyOf, func(o *schema.Schema) bool { return j.fits(o, value, depth+1) }) {
		return false
	}
	if len(v.OneOf) > 0 && j.count(v.OneOf, value, depth) != 1 {
		return j.named(v, value, depth)
	}
	if v.Not != nil && j.fits(v.Not, value, depth+1) {
		return false
	}
	return !v.Later || j.later(s, v, value, depth)
}

func (j *judge) count(list []*schema.Schema, value any, depth int) (n int) {
	for _, other := range list {
		if j.fits(other, value, depth+1) {
			n++
		}
	}
	return n
}

// named tells whether a discriminator points out one of several shapes that a
// value fits.
func (j *judge) named(v *schema.View, value any, depth int) bool {
	record, ok := value.(map[string]any)
	if v.Discriminator == nil || !ok {
		return false
	}
	chosen := target(v, record[v.Discriminator.Property])
	return chosen != nil && j.fits(chosen, value, depth+1)
}

// target finds the branch of oneOf or anyOf that a discriminator's value names.
func target(v *schema.View, name any) *schema.Schema {
	text, ok := name.(string)
	if !ok || v.Discriminator == nil {
		return nil
	}
	mapped := v.Discriminator.Mapping[text]
	for _, list := range [][]*schema.Schema{v.OneOf, v.AnyOf} {
		for _, branch := range list {
			if mapped != nil && branch.Target() == mapped.Target() || mapped == nil && branch.Name() == text {
				return branch
			}
		}
	}
	return nil
}

func (j *judge) inside(s *schema.Schema, value any) bool {
	outer := j.scope
	j.scope = outer[len(outer):] // nothing, and what room there is
	ok := j.fits(s, value, 0)
	j.scope = outer
	return ok
}

func (j *judge) object(v *schema.View, value map[string]any) bool {
	if v.MinFields != nil && len(value) < *v.MinFields || v.MaxFields != nil && len(value) > *v.MaxFields {
		return false
	}
	for _, name := range v.Required {
		if _, there := value[name]; !there && !j.hidden(name) {
			return false
		}
	}
	if v.Rest == nil && !v.Closed && len(v.Properties) == 0 {
		return true // patternProperties are looked at by later
	}
	known := 0
	for _, p := range v.Properties {
		field, there := value[p.Name]
		if !there {
			continue
		}
		known++
		if !j.inside(p.Schema, field) {
			return false
		}
	}
	if v.Rest == nil && !v.Closed || known == len(value) {
		return true
	}
	patterns := v.Node().Get("patternProperties")
	for name, field := range value {
		switch {
		case v.Get(name) != nil || j.library.matchesAny(patterns, name):
		case v.Closed, !j.inside(v.Rest, field):
			return false
		}
	}
	return true
}

// hidden tells whether a property is one that this side leaves out.
func (j *judge) hidden(name string) bool {
	return slices.ContainsFunc(j.scope, func(v *schema.View) bool {
		p := v.Get(name)
		return p != nil && (j.side == Request && p.View().ReadOnly || j.side == Reply && p.View().WriteOnly)
	})
}

func (j *judge) array(v *schema.View, value []any) bool {
	if v.MinItems != nil && len(value) < *v.MinItems || v.MaxItems != nil && len(value) > *v.MaxItems {
		return false
	}
	for i, item := range value {
		switch {
		case i < len(v.PrefixItems):
			if !j.inside(v.PrefixItems[i], item) {
				return false
			}
		case v.Items != nil && !j.inside(v.Items, item):
			return false
		}
	}
	return !v.UniqueItems || distinct(value)
}

func distinct(list []any) bool {
	met := make(map[string]bool, len(list))
	for _, value := range list {
		text := string(spell(nil, value))
		if met[text] {
			return false
		}
		met[text] = true
	}
	return true
}

// spell writes a value so that two are spelt alike where they are equal.
func spell(to []byte, value any) []byte {
	if n, ok := asNumber(value); ok {
		return strconv.AppendFloat(to, n+0, 'g', -1, 64) // no negative zero
	}
	switch v := value.(type) {
	case []any:
		to = append(to, '[')
		for _, item := range v {
			to = append(spell(to, item), ',')
		}
		return append(to, ']')
	case map[string]any:
		to = append(to, '{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			to = append(strconv.AppendQuote(to, name), ':')
			to = append(spell(to, v[name]), ',')
		}
		return append(to, '}')
	case string:
		return strconv.AppendQuote(to, v)
	default:
		return fmt.Append(to, v)
	}
}

func among(list *document.Node, value any) bool {
	for i := range list.Len() {
		if equal(list.At(i).Value(), value) {
			return true
		}
	}
	return false
}

func kindFits(k kinds, value any) bool { return k&kindOf(value) != 0 }

func kindOf(value any) kinds {
	switch value.(type) {
	case nil:
		return aNull
	case bool:
		return aBool
	case string:
		return aString
	case []any:
		return anArray
	case map[string]any:
		return anObject
	}
	number, ok := asNumber(value)
	switch {
	case !ok:
		return 0
	case number == math.Trunc(number):
		return aWhole
	default:
		return aFraction
	}
}

func asNumber(value any) (float64, bool) {
	switch n := value.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	case int:
		return float64(n), true
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	default:
		return 0, false
	}
}

func (l *Library) textFits(v *schema.View, text string) bool {
	if v.MinLength != nil || v.MaxLength != nil {
		length := utf8.RuneCountInString(text)
		if v.MinLength != nil && length < *v.MinLength || v.MaxLength != nil && length > *v.MaxLength {
			return false
		}
	}
	return (v.Pattern == "" || l.matches(v.Pattern, text)) && (v.Format == "" || formatFits(v.Format, text))
}

func numberFits(v *schema.View, n float64) bool {
	switch {
	case v.Low != nil && n < *v.Low, v.High != nil && n > *v.High, v.Above != nil && n <= *v.Above, v.Below != nil && n >= *v.Below,
		v.MultipleOf != nil && !multiple(n, *v.MultipleOf), v.Format == "int32" && (n < math.MinInt32 || n > math.MaxInt32):
		return false
	default:
		return true
	}
}

func multiple(n, of float64) bool {
	times := n / of
	return math.Abs(times-math.Round(times)) <= 1e-9*max(1, math.Abs(times))
}

func equal(a, b any) bool {
	if x, ok := asNumber(a); ok {
		y, ok := asNumber(b)
		return ok && x == y
	}
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			if other, there := b[name]; !there || !equal(value, other) {
				return false
			}
		}
		return true
	default:
		switch b.(type) {
		case []any, map[string]any:
			return false
		}
		return a == b
	}
}
