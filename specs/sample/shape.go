package sample

import (
	"math"
	"slices"
	"sync/atomic"

	"parity/specs/document"
	"parity/specs/schema"
)

// kinds are what a value may be.
type kinds uint8

const (
	aNull kinds = 1 << iota
	aBool
	aWhole    // a number without a fraction
	aFraction // any other number
	aString
	anArray
	anObject

	aNumber = aWhole | aFraction
	anyKind = aNull | aBool | aNumber | aString | anArray | anObject
)

// kindsOf are the types that a schema names.
func kindsOf(v *schema.View) kinds {
	if len(v.Types) == 0 {
		return anyKind
	}
	var k kinds
	for _, name := range v.Types {
		switch name {
		case "null":
			k |= aNull
		case "boolean":
			k |= aBool
		case "integer":
			k |= aWhole
		case "number":
			k |= aNumber
		case "string":
			k |= aString
		case "array":
			k |= anArray
		case "object":
			k |= anObject
		}
	}
	if v.Nullable {
		k |= aNull
	}
	return k
}

// A shape is what several schemas say together, those that they are made of by
// allOf among them. What is still to be chosen, by anyOf and oneOf, is in
// groups.
type shape struct {
	library *Library
	parts   []*schema.Schema // a value must fit all of them
	decided []decision       // groups that are chosen already
	views   []*schema.View

	never     bool // nothing fits
	kinds     kinds
	choices   []any // of enum and const
	chosen    bool  // choices count
	formats   []string
	patterns  []string
	low, high float64
	above     bool // low itself does not fit
	below     bool
	multiples []float64

	short, long         int
	fewItems, manyItems int
	unique              bool
	prefix, items       [][]*schema.Schema
	onlyPrefix          bool // no items after prefix
	contains            []contained

	fewFields, manyFields int
	fields                []*field
	byName                map[string]*field
	required              []string
	closed                bool
	allowed               map[string]bool // where closed
	rest                  []*schema.Schema
	byPattern             []patterned
	names                 []*schema.Schema
	dependent             []*document.Node

	groups        []*group
	discriminator *schema.Discriminator
	hard          bool // a value must be tried: not, and the like
	examples      []any
	fallback      *document.Node // default
}

// A field is a property, in all that say something of it.
type field struct {
	name       string
	parts      []*schema.Schema
	readOnly   bool
	writeOnly  bool
	deprecated bool
	soft       bool // read or write only by something deeper down
	made       atomic.Pointer[shape]
}

// A decision is a choice that was made: of which group.
type decision struct {
	owner *schema.View
	kind  groupKind
}

// A group is shapes to choose from.
type group struct {
	decision
	branches      [][]*schema.Schema
	discriminator *schema.Discriminator
	next          []*nextShape
}

type groupKind uint8

const (
	ofAny groupKind = iota
	ofOne
	ofIf
)

type contained struct {
	of    *schema.Schema
	least int
}

type patterned struct {
	pattern string
	of      *schema.Schema
}

// limit is how many schemas are put together at most.
const limit = 400

// merge makes the shape of several schemas.
func (l *Library) merge(parts []*schema.Schema, decided []decision) *shape {
	s := &shape{
		library: l, parts: parts, decided: decided, kinds: anyKind, low: math.Inf(-1), high: math.Inf(1),
		long: math.MaxInt, manyItems: math.MaxInt, manyFields: math.MaxInt, byName: map[string]*field{},
	}
	for _, part := range parts {
		s.collect(part)
	}
	for _, v := range s.views {
		s.scalar(v)
		s.object(v)
		s.array(v)
		s.group(v)
		s.later(v)
		s.hints(v)
	}
	s.finish()
	return s
}

// collect lists the views, those of allOf after the one that has it.
func (s *shape) collect(part *schema.Schema) {
	v := part.View()
	if slices.Contains(s.views, v) || len(s.views) > limit {
		return
	}
	s.views = append(s.views, v)
	for _, other := range v.AllOf {
		s.collect(other)
	}
	if alone := single(v); alone != nil {
		s.collect(alone)
	}
	n := v.Node()
	if !v.Later || n == nil {
		return
	}
	for _, name := range []string{"$dynamicRef", "$recursiveRef"} {
		if ref := n.Get(name).Text(); ref != "" {
			if found, err := part.Set().Document.Resolve(n, ref); err == nil {
				s.collect(part.Set().At(found))
			}
		}
	}
}

// single is the one schema of an anyOf or oneOf that leaves no choice.
func single(v *schema.View) *schema.Schema {
	switch {
	case len(v.AnyOf) == 1 && len(v.OneOf) == 0:
		return v.AnyOf[0]
	case len(v.OneOf) == 1 && len(v.AnyOf) == 0:
		return v.OneOf[0]
	default:
		return nil
	}
}

func (s *shape) scalar(v *schema.View) {
	if v.Always != nil && !*v.Always {
		s.never = true
	}
	s.kinds &= kindsOf(v)
	if v.Enum != nil {
		s.choose(v.Enum)
	}
	if v.Const != nil {
		s.keep([]any{v.Const.Value()})
	}
	if v.Format != "" && !slices.Contains(s.formats, v.Format) {
		s.formats = append(s.formats, v.Format)
	}
	if v.Pattern != "" && !slices.Contains(s.patterns, v.Pattern) {
		s.patterns = append(s.patterns, v.Pattern)
	}
	s.from(v.Low, false)
	s.from(v.Above, true)
	s.to(v.High, false)
	s.to(v.Below, true)
	if v.MultipleOf != nil {
		s.multiples = append(s.multiples, *v.MultipleOf)
	}
	most(&s.short, v.MinLength)
	least(&s.long, v.MaxLength)
	if v.Not != nil {
		s.hard = true
	}
}

func (s *shape) from(bound *float64, strict bool) {
	if bound != nil && (*bound > s.low || *bound == s.low && strict) {
		s.low, s.above = *bound, strict
	}
}

func (s *shape) to(bound *float64, strict bool) {
	if bound != nil && (*bound < s.high || *bound == s.high && strict) {
		s.high, s.below = *bound, strict
	}
}

func most(held *int, bound *int) {
	if bound != nil {
		*held = max(*held, *bound)
	}
}

func least(held *int, bound *int) {
	if bound != nil {
		*held = min(*held, *bound)
	}
}

func (s *shape) choose(list *document.Node) {
	all := make([]any, list.Len())
	for i := range all {
		all[i] = list.At(i).Value()
	}
	s.keep(all)
}

// keep leaves only what is among some values.
func (s *shape) keep(values []any) {
	if !s.chosen {
		s.choices, s.chosen = values, true
		return
	}
	s.choices = slices.DeleteFunc(slices.Clone(s.choices), func(held any) bool {
		return !slices.ContainsFunc(values, func(other any) bool { return equal(held, other) })
	})
}

func (s *shape) object(v *schema.View) {
	most(&s.fewFields, v.MinFields)
	least(&s.manyFields, v.MaxFields)
	for _, p := range v.Properties {
		f := s.byName[p.Name]
		if f == nil {
			f = &field{name: p.Name}
			s.byName[p.Name] = f
			s.fields = append(s.fields, f)
		}
		if !slices.Contains(f.parts, p.Schema) {
			f.parts = append(f.parts, p.Schema)
		}
		own := p.Schema.View()
		f.readOnly = f.readOnly || own.ReadOnly
		f.writeOnly = f.writeOnly || own.WriteOnly
		f.deprecated = f.deprecated || own.Deprecated
		for _, deeper := range own.AllOf {
			f.soft = f.soft || deeper.View().ReadOnly || deeper.View().WriteOnly
		}
	}
	for _, name := range v.Required {
		if !slices.Contains(s.required, name) {
			s.required = append(s.required, name)
		}
	}
	if v.Discriminator != nil && s.discriminator == nil {
		s.discriminator = v.Discriminator
	}
	if v.Rest != nil {
		s.rest = append(s.rest, v.Rest)
	}
}

func (s *shape) array(v *schema.View) {
	most(&s.fewItems, v.MinItems)
	least(&s.manyItems, v.MaxItems)
	s.unique = s.unique || v.UniqueItems
	for i, item := range v.PrefixItems {
		if i == len(s.prefix) {
			s.prefix = append(s.prefix, nil)
		}
		s.prefix[i] = append(s.prefix[i], item)
	}
	if v.Items == nil {
		return
	}
	if always := v.Items.View().Always; always != nil && !*always {
		s.onlyPrefix = true
		return
	}
	s.items = append(s.items, []*schema.Schema{v.Items})
}

func (s *shape) group(v *schema.View) {
	alone := single(v)
	for kind, list := range [][]*schema.Schema{ofAny: v.AnyOf, ofOne: v.OneOf} {
		if len(list) == 0 || alone != nil || slices.Contains(s.decided, decision{v, groupKind(kind)}) {
			continue
		}
		g := &group{decision: decision{v, groupKind(kind)}, discriminator: v.Discriminator}
		for _, branch := range list {
			g.branches = append(g.branches, []*schema.Schema{branch})
		}
		s.groups = append(s.groups, g)
	}
}

// hints are examples and defaults, of those closest to the top first.
func (s *shape) hints(v *schema.View) {
	if v.Example != nil {
		s.examples = append(s.examples, v.Example.Value())
	}
	if v.Default != nil && s.fallback == nil {
		s.fallback = v.Default
	}
}

type nextShape = atomic.Pointer[shape]
