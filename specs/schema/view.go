package schema

import (
	"errors"
	"slices"

	"parity/specs/document"
)

// A View is what one schema says itself; what it says by AllOf, AnyOf and OneOf
// stays there. Fields have their zero value where it says nothing.
type View struct {
	Broken error // it is a reference that leads nowhere
	Always *bool // it is true or false: anything goes, or nothing

	Types    []string // boolean integer number string array object null; none: any
	Nullable bool     // null goes too, whatever Types say
	Enum     *document.Node
	Const    *document.Node
	Format   string
	Pattern  string // as written: a regular expression of ECMA-262

	Low, High            *float64 // minimum, maximum
	Above, Below         *float64 // exclusiveMinimum, exclusiveMaximum
	MultipleOf           *float64
	MinLength, MaxLength *int
	MinItems, MaxItems   *int
	MinFields, MaxFields *int
	UniqueItems          bool
	Properties           []Property // in the order of the document
	Required             []string
	Rest                 *Schema // additionalProperties, where it is a schema
	Closed               bool    // additionalProperties: false
	Items                *Schema
	PrefixItems          []*Schema
	AllOf, AnyOf, OneOf  []*Schema
	Not                  *Schema
	Discriminator        *Discriminator
	ReadOnly, WriteOnly  bool
	Deprecated           bool
	Description          string
	Default, Example     *document.Node // Example: example, else the first of examples
	XML                  *document.Node
	Later                bool // it has keywords of JSON Schema that View leaves out (if, contains, patternProperties …)
	node                 *document.Node
	set                  *Set
}

// A Property is a named part of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// A Discriminator says by which property one of several shapes is chosen.
type Discriminator struct {
	Property string
	Mapping  map[string]*Schema // values that are not simply the name of a schema
}

// Get gives a property by its name; nil when View does not name it.
func (v *View) Get(name string) *Schema {
	for i := range v.Properties {
		if v.Properties[i].Name == name {
			return v.Properties[i].Schema
		}
	}
	return nil
}

// Needs tells whether a property is required.
func (v *View) Needs(name string) bool {
	for _, other := range v.Required {
		if other == name {
			return true
		}
	}
	return false
}

// Is tells whether a type is among Types, or goes because there are none.
func (v *View) Is(kind string) bool {
	if len(v.Types) == 0 {
		return true
	}
	for _, other := range v.Types {
		if other == kind || other == "number" && kind == "integer" {
			return true
		}
	}
	return false
}

// Node gives the object that the schema is written as; nil for a schema that
// says nothing.
func (v *View) Node() *document.Node { return v.node }

// Extension gives a field x-…; nil when it is not there.
func (v *View) Extension(name string) *document.Node { return v.node.Get(name) }

func read(s *Schema) *View {
	n := s.node
	v := &View{node: n, set: s.set}
	switch n.Kind() {
	case document.Bool:
		always := n.True()
		v.Always = &always
		return v
	case document.Object:
	default:
		if n.Kind() != document.Null {
			v.Broken = errors.New("a schema is an object")
		}
		return v
	}
	if ref, ok := n.Ref(); ok {
		v.reference(s, ref)
		if v.Broken != nil || s.set.Dialect == OpenAPI30 {
			v.Nullable = n.Get("nullable").True()
			return v
		}
	}
	for i := range n.Len() {
		v.keyword(n.At(i))
	}
	v.bounds()
	if v.unlike() {
		v.Format = ""
	}
	return v
}

// unlike tells whether no text of the lengths that a schema takes has its
// format: ids of 24 characters are no UUIDs, whatever it says. The lengths were
// counted, the format is a guess.
func (v *View) unlike() bool {
	n := map[string]int{"uuid": 36, "date": 10}[v.Format]
	return n > 0 && (v.MaxLength != nil && *v.MaxLength < n || v.MinLength != nil && *v.MinLength > n)
}

// reference puts what a reference leads to beside the keywords that stand with
// it.
func (v *View) reference(s *Schema, ref string) {
	next, err := s.set.Document.Resolve(s.node, ref)
	if err != nil {
		v.Broken = err
		return
	}
	target := s.set.At(next)
	if target.Target() == s || target == s {
		v.Broken = errors.New("reference goes round in a circle")
		return
	}
	if _, still := next.Ref(); still && target.Target() == target && !target.siblings() {
		v.Broken = errors.New("reference goes round in a circle, or leads nowhere")
		return
	}
	v.AllOf = append(v.AllOf, target)
}

func (v *View) keyword(n *document.Node) {
	switch n.Name {
	case "type":
		v.types(n)
	case "nullable", "x-nullable":
		v.Nullable = v.Nullable || n.True()
	case "enum":
		if n.Is(document.Array) {
			v.Enum = n
		}
	case "const":
		v.Const = n
	case "format":
		v.Format = n.Text()
	case "pattern":
		v.Pattern = n.Text()
	case "properties":
		for i := range n.Len() {
			v.Properties = append(v.Properties, Property{n.At(i).Name, v.set.At(n.At(i))})
		}
	case "required":
		if n.Is(document.Array) { // a boolean is draft 3's, and says it of the property
			v.Required = unique(n.Texts())
		}
	case "additionalProperties":
		if n.Is(document.Object) {
			v.Rest = v.set.At(n)
		}
		v.Closed = n.False()
	case "items":
		if n.Is(document.Array) { // a draft's tuples
			v.PrefixItems = v.list(n)
		} else {
			v.Items = v.set.At(n)
		}
	case "prefixItems":
		v.PrefixItems = v.list(n)
	case "allOf":
		v.AllOf = append(v.AllOf, v.list(n)...)
	case "anyOf":
		v.AnyOf = v.list(n)
	case "oneOf":
		v.OneOf = v.list(n)
	case "not":
		v.Not = v.set.At(n)
	case "if", "then", "else", "contains", "minContains", "maxContains", "propertyNames", "patternProperties", "dependentSchemas",
		"dependentRequired", "dependencies", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$recursiveRef":
		v.Later = true
	default:
		v.notes(n)
	}
}

// notes are the keywords that say more about a value than what is valid.
func (v *View) notes(n *document.Node) {
	switch n.Name {
	case "discriminator":
		v.discriminator(n)
	case "readOnly":
		v.ReadOnly = n.True()
	case "writeOnly":
		v.WriteOnly = n.True()
	case "deprecated":
		v.Deprecated = n.True()
	case "description":
		v.Description = n.Text()
	case "default":
		v.Default = n
	case "example":
		v.Example = n
	case "examples":
		if v.Example == nil && n.Is(document.Array) && n.Len() > 0 {
			v.Example = n.At(0)
		}
	case "xml":
		v.XML = n
	}
}

func (v *View) types(n *document.Node) {
	for _, name := range n.Texts() {
		switch name {
		case "boolean", "integer", "number", "string", "array", "object", "null":
			if !slices.Contains(v.Types, name) {
				v.Types = append(v.Types, name)
			}
		case "file": // Swagger 2.0
			v.Types, v.Format = append(v.Types, "string"), "binary"
		}
	}
}

// unique leaves out what was there before.
func unique(texts []string) []string {
	var out []string
	for _, text := range texts {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func (v *View) list(n *document.Node) []*Schema {
	if !n.Is(document.Array) {
		return nil
	}
	all := make([]*Schema, n.Len())
	for i := range all {
		all[i] = v.set.At(n.At(i))
	}
	return all
}

func (v *View) discriminator(n *document.Node) {
	if n.Is(document.String) { // Swagger 2.0
		v.Discriminator = &Discriminator{Property: n.Text()}
		return
	}
	name := n.Get("propertyName").Text()
	if name == "" {
		return
	}
	v.Discriminator = &Discriminator{Property: name}
	mapping := n.Get("mapping")
	for i := range mapping.Len() {
		to := mapping.At(i)
		found, err := v.set.Document.Resolve(to, to.Text())
		if err != nil { // the plain name of a component
			found, err = v.set.Document.Resolve(to, "#/components/schemas/"+to.Text())
		}
		if err == nil {
			if v.Discriminator.Mapping == nil {
				v.Discriminator.Mapping = map[string]*Schema{}
			}
			v.Discriminator.Mapping[to.Name] = v.set.At(found)
		}
	}
}

// bounds reads the numbers. A bound that is no number says nothing.
func (v *View) bounds() {
	n := v.node
	number := func(name string) *float64 {
		if f, ok := n.Get(name).Float(); ok {
			return &f
		}
		return nil
	}
	count := func(name string) *int {
		if c, ok := n.Get(name).Count(); ok {
			return &c
		}
		return nil
	}
	v.Low, v.High, v.MultipleOf = number("minimum"), number("maximum"), number("multipleOf")
	if strict := n.Get("exclusiveMinimum"); strict.Is(document.Number) {
		v.Above = number("exclusiveMinimum")
	} else if strict.True() {
		v.Above, v.Low = v.Low, nil
	}
	if strict := n.Get("exclusiveMaximum"); strict.Is(document.Number) {
		v.Below = number("exclusiveMaximum")
	} else if strict.True() {
		v.Below, v.High = v.High, nil
	}
	if v.MultipleOf != nil && *v.MultipleOf <= 0 {
		v.MultipleOf = nil
	}
	v.MinLength, v.MaxLength = count("minLength"), count("maxLength")
	v.MinItems, v.MaxItems = count("minItems"), count("maxItems")
	v.MinFields, v.MaxFields = count("minProperties"), count("maxProperties")
	v.UniqueItems = n.Get("uniqueItems").True()
}

// Set gives the set that the schema is of.
func (v *View) Set() *Set { return v.set }
