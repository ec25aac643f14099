package specs

import (
	"maps"
	"slices"
	"strings"

	"parity/specs/openapi"
	"parity/specs/schema"
)

// A Form is what is known of a value: which fields it may have. Of several
// schemas it may have the fields of any. A schema that says nothing, and an
// object of any fields, may have all. The zero Form has none, as a text has.
type Form struct {
	schemas []*schema.Schema
	expand  func(collection string) Form // what a field that refers may hold in the place of an id; nil: it does not
	fields  map[string]func() Form       // that are named in the place of schemas
	items   *Form                        // of a list in the place of schemas
	free    bool
	others  []Form
}

// deepestParts bounds how far the parts of a schema are followed: what is below may
// be there.
const deepestParts = 12

// FormOf is of an object with named fields, each made when it is asked for.
func FormOf(fields map[string]func() Form) Form { return Form{fields: fields} }

// FreeForm is of a value that may have all fields.
func FreeForm() Form { return Form{free: true} }

// ListForm is of a list of items.
func ListForm(items Form) Form { return Form{items: &items} }

// EitherForm is of a value that has any of several forms.
func EitherForm(all ...Form) Form { return Form{others: all} }

// Field gives what is known of a field; known tells whether there may be such a
// field.
func (f Form) Field(name string) (field Form, known bool) {
	if f.free {
		return FreeForm(), true
	}
	if made, ok := f.fields[name]; ok {
		return made(), true
	}
	var found []Form
	for _, s := range f.schemas {
		of := sought{name: name, expand: f.expand}
		of.in(s, deepestParts)
		if of.free {
			return FreeForm(), true
		}
		if len(of.found) > 0 {
			found = append(found, Form{schemas: of.found, expand: f.expand})
		}
		for _, target := range of.targets {
			if of, ok := f.expand(target).Field(name); ok {
				found = append(found, of)
			}
		}
	}
	for _, other := range f.others {
		if of, ok := other.Field(name); ok {
			found = append(found, of)
		}
	}
	return EitherForm(found...), len(found) > 0
}

// Item gives what is known of the items of a list; known tells whether it may be
// one.
func (f Form) Item() (item Form, known bool) {
	if f.free {
		return FreeForm(), true
	}
	var found []Form
	if f.items != nil {
		found = append(found, *f.items)
	}
	for _, s := range f.schemas {
		of := sought{item: true}
		of.in(s, deepestParts)
		if of.free {
			return FreeForm(), true
		}
		if len(of.found) > 0 {
			found = append(found, Form{schemas: of.found, expand: f.expand})
		}
	}
	for _, other := range f.others {
		if of, ok := other.Item(); ok {
			found = append(found, of)
		}
	}
	return EitherForm(found...), len(found) > 0
}

// Complete tells whether there can be no fields but those that are known: no
// schema is asked, which may leave some out.
func (f Form) Complete() bool {
	return !f.free && len(f.schemas) == 0 && !slices.ContainsFunc(f.others, func(other Form) bool { return !other.Complete() })
}

// Names lists the fields that are known, sorted.
func (f Form) Names() []string {
	names := map[string]bool{}
	for name := range f.fields {
		names[name] = true
	}
	for _, s := range f.schemas {
		of := sought{all: names}
		of.in(s, deepestParts)
	}
	for _, other := range f.others {
		for _, name := range other.Names() {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// sought looks through a schema and its parts for one field, for the items of
// lists, or for the names of all fields.
type sought struct {
	name string
	item bool
	all  map[string]bool

	expand  func(collection string) Form
	found   []*schema.Schema
	targets []string // collections whose records stand in the place of ids
	free    bool
}

func (l *sought) in(s *schema.Schema, depth int) {
	v := s.View()
	parts := slices.Concat(v.AllOf, v.AnyOf, v.OneOf)
	switch {
	case s == nil || depth == 0 || v.Broken != nil || v.Later || open(v) || v.Always != nil && *v.Always:
		l.free = true
		return
	case v.Always != nil:
		return
	}
	l.target(v)
	named := v.Kinds() == 0 && len(parts) == 0 && v.Enum == nil && v.Const == nil && !v.Closed // any value, but for what is named
	switch {
	case l.item:
		l.itemsOf(v, named && len(v.Properties) == 0)
	case len(v.Properties) > 0 || v.Rest != nil || v.Closed:
		l.fieldsOf(v)
	case v.Items == nil && v.PrefixItems == nil && (named || v.Kinds()&schema.Object != 0 && len(parts) == 0):
		l.free = true
	}
	for _, part := range parts {
		if !silent(part) || len(v.Properties) == 0 && !slices.ContainsFunc(parts, speaks) {
			l.in(part, depth-1)
		}
	}
}

// silent tells a part that says nothing of fields: only which of those that are
// named elsewhere there have to be.
func silent(part *schema.Schema) bool { return !speaks(part) }

func speaks(part *schema.Schema) bool {
	v := part.View()
	objects := v.Kinds() == 0 || v.Kinds() == schema.Object
	return !objects || v.Broken != nil || v.Later || v.Always != nil || len(v.Properties) > 0 || v.Rest != nil || open(v) ||
		v.Items != nil || len(v.AllOf)+len(v.AnyOf)+len(v.OneOf) > 0 || len(v.Required) == 0 && v.Not == nil
}

// open tells an object that says itself that it may have any fields.
func open(v *schema.View) bool { return v.Node().Get("additionalProperties").True() }

func (l *sought) fieldsOf(v *schema.View) {
	if l.all != nil {
		for _, p := range v.Properties {
			l.all[p.Name] = true
		}
		return
	}
	switch field := v.Get(l.name); {
	case field != nil:
		l.found = append(l.found, field)
	case v.Rest != nil:
		l.found = append(l.found, v.Rest)
	}
}

func (l *sought) itemsOf(v *schema.View, named bool) {
	switch {
	case v.Items != nil:
		l.found = append(l.found, v.Items)
	case v.PrefixItems != nil:
		l.found = append(l.found, v.PrefixItems...)
	case v.Kinds()&schema.Array != 0 || named:
		l.free = true
	}
}

// target notes the record that may stand where an id is, if it may.
func (l *sought) target(v *schema.View) {
	if target := v.Extension(extensionRef).Text(); target != "" && l.expand != nil && !l.item && l.all == nil {
		l.targets = append(l.targets, target)
	}
}

// RecordForm is what the document says of a collection's records.
func (c *Contract) RecordForm(collection string) Form {
	records := c.collection(collection).records
	if len(records) == 0 {
		return FreeForm()
	}
	f := Form{expand: c.expanding()}
	for _, k := range records {
		f.schemas = append(f.schemas, k.schema)
	}
	return f
}

func (c *Contract) expanding() func(string) Form {
	if !c.schemas.expand {
		return nil
	}
	return c.RecordForm
}

// Form is what the contract says of a part of the operation's exchanges: InQuery,
// InBody, InResult (of any status) or InPath.
func (o *Operation) Form(part string) Form {
	if o.parts == nil {
		return FreeForm() // made by hand: nothing is known of it
	}
	var schemas []*schema.Schema
	switch part {
	case InBody:
		b, wrong := o.source.Body()
		if len(wrong) > 0 {
			return FreeForm()
		}
		if b != nil {
			schemas = described(b.Content)
		}
	case InResult:
		responses, _ := o.source.Responses()
		for _, r := range responses {
			for _, s := range described(r.Content) {
				if strings.HasPrefix(r.Status, "2") || !anything(s) { // how it fails, most contracts leave open
					schemas = append(schemas, s)
				}
			}
		}
	default:
		return o.parameters(part)
	}
	return Form{schemas: schemas, expand: o.contract.expanding()}
}

// described are the schemas of a body; a kind of content without one says nothing
// beside others.
func described(content []openapi.Media) []*schema.Schema {
	var all []*schema.Schema
	for _, m := range content {
		if m.Schema != nil {
			all = append(all, m.Schema)
		}
	}
	if len(all) == 0 && len(content) > 0 {
		all = append(all, nil)
	}
	return all
}

// anything tells a schema that says of no field whether it is there.
func anything(s *schema.Schema) bool {
	of := sought{all: map[string]bool{}}
	of.in(s, deepestParts)
	return of.free
}

// parameters is a form of the parameters in one place. One that is written
// page[after], or ids[], is of an object, or of a list.
func (o *Operation) parameters(in string) Form {
	all, _ := o.source.Parameters()
	fields := map[string]func() Form{}
	for _, p := range all {
		if p.In == inQueryString && in == InQuery {
			return FreeForm()
		}
		if p.In != in {
			continue
		}
		fields[p.Name] = func() Form { return Form{schemas: []*schema.Schema{p.Schema}} }
		if base, _, split := strings.Cut(p.Name, "["); split {
			fields[base] = FreeForm
		}
	}
	return FormOf(fields)
}
