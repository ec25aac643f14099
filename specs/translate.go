package specs

import (
	"fmt"
	"maps"
	"slices"

	"parity/specs/document"
	"parity/specs/schema"
)

// A translation writes OpenAPI schemas as JSON Schema: draft 7 for OpenAPI 3.0
// and Swagger, 2020-12 for later ones. Real documents mix the dialects, so
// nullable and the boolean exclusiveMinimum are understood in both.
type translation struct {
	schemas *schemas
	mode    mode
	hidden  []string // properties that this side does not send, known from a schema around this one
}

// ref translates a schema where it stands. One that is referred to by name
// stays a reference, so that recursion ends, unless it is a leaf.
func (t translation) ref(of *schema.Schema) any {
	if of == nil {
		return true
	}
	t.schemas.translated++
	if of.Referred() && !isLeaf(of.View()) {
		return map[string]any{"$ref": t.schemas.address(of, t.mode)}
	}
	return t.schema(of)
}

// isLeaf tells whether a schema holds no other schema, nor anything long.
func isLeaf(v *schema.View) bool {
	return v.Enum.Len() <= largestInline && len(v.OneOf)+len(v.AnyOf)+len(v.AllOf)+len(v.Properties)+len(v.PrefixItems) == 0 &&
		!v.Later && v.Not == nil && v.Items == nil && v.Rest == nil && v.Node().Get("$defs") == nil
}

func (t translation) schema(of *schema.Schema) any {
	v := of.View()
	if v.Broken != nil {
		t.schemas.fault(of.Node(), "broken-reference", v.Broken.Error()+"; anything goes there")
		return true
	}
	if v.Always != nil {
		return *v.Always
	}
	out := map[string]any{}
	types(out, v)
	numbers(out, v)
	t.texts(out, v)
	t.arrays(out, v)
	t.objects(out, v)
	t.combinations(out, v)
	if v.Later {
		t.later(out, v.Node())
	}
	if v.Nullable {
		return t.expanded(nullable(out), v)
	}
	return t.expanded(out, v)
}

func types(out map[string]any, v *schema.View) {
	if len(v.Types) > 0 {
		list := make([]any, len(v.Types))
		for i, name := range v.Types {
			list[i] = name
		}
		out["type"] = list
	}
	if v.Enum.Len() > 0 {
		out["enum"] = once(v.Enum)
	}
	if v.Const != nil {
		out["const"] = v.Const.Value()
	}
	if asserted(v.Format) {
		out["format"] = v.Format
	}
}

// once lists the values of an enum, each once: JSON Schema has it so, and would
// judge nothing where a document says one twice.
func once(enum *document.Node) []any {
	all := make([]any, 0, enum.Len())
	met := map[string]bool{}
	for i := range enum.Len() {
		value := enum.At(i).Value()
		if text := fmt.Sprintf("%T %v", value, value); !met[text] {
			met[text] = true
			all = append(all, value)
		}
	}
	return all
}

func numbers(out map[string]any, v *schema.View) {
	for keyword, bound := range map[string]*float64{
		"minimum": v.Low, "maximum": v.High, "exclusiveMinimum": v.Above, "exclusiveMaximum": v.Below, "multipleOf": v.MultipleOf,
	} {
		if bound != nil {
			out[keyword] = *bound
		}
	}
}

func counts(out map[string]any, bounds map[string]*int) {
	for keyword, bound := range bounds {
		if bound != nil {
			out[keyword] = *bound
		}
	}
}

func (t translation) texts(out map[string]any, v *schema.View) {
	counts(out, map[string]*int{"minLength": v.MinLength, "maxLength": v.MaxLength})
	if v.Pattern != "" {
		// One that no engine reads judges nothing, rather than costing the whole
		// schema.
		if _, err := t.schemas.pattern(v.Pattern); err == nil {
			out["pattern"] = v.Pattern
		} else {
			t.schemas.fault(v.Node(), "bad-pattern", err.Error()+"; it judges nothing")
		}
	}
}

func (t translation) arrays(out map[string]any, v *schema.View) {
	rest := "items"
	if len(v.PrefixItems) > 0 {
		first := "items"
		if t.schemas.modern {
			first = "prefixItems"
		} else {
			rest = "additionalItems"
		}
		out[first] = t.list(v.PrefixItems)
	}
	if v.Items != nil {
		out[rest] = t.plain().ref(v.Items)
	} else if more := v.Node().Get("additionalItems"); more != nil && len(v.PrefixItems) > 0 {
		out[rest] = t.plain().ref(v.Set().At(more))
	}
	counts(out, map[string]*int{"minItems": v.MinItems, "maxItems": v.MaxItems})
	if v.UniqueItems {
		out["uniqueItems"] = true
	}
}

// plain is the translation of what stands deeper: what is hidden here is not
// hidden there.
func (t translation) plain() translation {
	mode := t.mode
	if mode == merged {
		mode = lenient
	}
	return translation{schemas: t.schemas, mode: mode}
}

// beside is the translation of what says something of the same value, and is
// told of nothing that is hidden.
func (t translation) beside() translation { return translation{schemas: t.schemas, mode: t.mode} }

func (t translation) objects(out map[string]any, v *schema.View) {
	if len(v.Properties) > 0 {
		named := make(map[string]any, len(v.Properties))
		for _, p := range v.Properties {
			named[p.Name] = t.plain().ref(p.Schema)
		}
		out["properties"] = named
	}
	if required := t.required(v); len(required) > 0 {
		list := make([]any, len(required))
		for i, name := range required {
			list[i] = name
		}
		out["required"] = list
	}
	if v.Rest != nil {
		out["additionalProperties"] = t.plain().ref(v.Rest)
	} else if extra := v.Node().Get("additionalProperties"); extra.Is(document.Bool) && !(v.Closed && t.open(v)) { // true counts too: it makes properties evaluated
		out["additionalProperties"] = !v.Closed
	}
	counts(out, map[string]*int{"minProperties": v.MinFields, "maxProperties": v.MaxFields})
}

// required leaves out what this side does not send.
func (t translation) required(v *schema.View) []string {
	var names []string
	for _, name := range v.Required {
		if !t.hides(v, name) && !slices.Contains(t.hidden, name) {
			names = append(names, name)
		}
	}
	return names
}

// hides tells whether a schema marks a property as one that this side does not
// send.
func (t translation) hides(v *schema.View, name string) bool {
	property := v.Get(name)
	if property == nil {
		return false
	}
	of := property.View()
	readOnly, writeOnly := of.ReadOnly, of.WriteOnly
	node := property.Node() // the keyword may stand beside a reference
	readOnly, writeOnly = readOnly || node.Get("readOnly").True(), writeOnly || node.Get("writeOnly").True()
	return t.mode.sent() && readOnly || t.mode == reply && writeOnly
}

// deepestMade ends the search among the schemas that a schema is made of.
const deepestMade = 8

// hiding collects what a schema and those that it is made of do not send: what
// one of them requires another may mark.
func (t translation) hiding(v *schema.View, met map[*schema.View]bool, depth int) []string {
	if met[v] || depth > deepestMade {
		return nil
	}
	met[v] = true
	var names []string
	for _, p := range v.Properties {
		if t.hides(v, p.Name) {
			names = append(names, p.Name)
		}
	}
	for _, part := range v.AllOf {
		names = append(names, t.hiding(part.View(), met, depth+1)...)
	}
	return names
}

func (t translation) combinations(out map[string]any, v *schema.View) {
	if v.Not != nil {
		out["not"] = t.plain().ref(v.Not)
	}
	if len(v.AllOf)+len(v.AnyOf)+len(v.OneOf) == 0 {
		return
	}
	inner := t
	if t.mode != record {
		inner.hidden = slices.Concat(t.hidden, t.hiding(v, map[*schema.View]bool{}, 0))
	}
	if t.open(v) {
		inner.mode = merged
		t.closes(out, v)
	}
	if len(v.AllOf) > 0 {
		out["allOf"] = inner.branches(v.AllOf)
	}
	for keyword, list := range map[string][]*schema.Schema{"anyOf": v.AnyOf, "oneOf": v.OneOf} {
		if len(list) == 0 {
			continue
		}
		branches := inner.branches(list)
		chosen := any(nil)
		if v.Discriminator != nil {
			chosen = discriminated(v, list, branches)
		}
		if chosen == nil && keyword == "oneOf" && (t.mode == lenient || t.mode == merged) {
			chosen = map[string]any{"anyOf": branches}
		}
		if chosen != nil {
			all, _ := out["allOf"].([]any)
			out["allOf"] = append(all, chosen)
			continue
		}
		out[keyword] = branches
	}
}

// open tells whether properties that a schema does not name may come with
// others that it is made of, or is a part of.
func (t translation) open(v *schema.View) bool {
	return t.mode == merged || t.mode == lenient && (closedIn(v, 0) || v.Closed && len(v.AllOf)+len(v.AnyOf)+len(v.OneOf) > 0)
}

// closes takes no properties but those that some part of a schema names.
func (t translation) closes(out map[string]any, v *schema.View) {
	names := map[string]bool{}
	if t.mode == merged || !namesIn(v, names, 0) {
		return
	}
	list := make([]any, 0, len(names))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		list = append(list, name)
	}
	if len(list) > 0 {
		out["propertyNames"] = map[string]any{"enum": list}
	}
}

// branches translates alternatives. Those that require what is hidden, or are
// made of such, are told.
func (t translation) branches(list []*schema.Schema) []any {
	out := make([]any, len(list))
	for i, one := range list {
		view := one.View()
		if len(t.hidden) > 0 && (slices.ContainsFunc(t.hidden, view.Needs) || len(view.AllOf)+len(view.AnyOf)+len(view.OneOf) > 0) {
			out[i] = map[string]any{"$ref": t.schemas.address(one, t.mode, slices.Clone(t.hidden)...)}
			continue
		}
		out[i] = t.beside().ref(one)
	}
	return out
}

// later adds the keywords that OpenAPI has since 3.1, as they stand.
func (t translation) later(out map[string]any, n *document.Node) {
	set := t.schemas.set
	for i := range n.Len() {
		switch field := n.At(i); field.Name {
		case "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
			out[field.Name] = t.plain().ref(set.At(field))
		case "patternProperties", "dependentSchemas":
			named := map[string]any{}
			for j := range field.Len() {
				if _, err := t.schemas.pattern(field.At(j).Name); err == nil || field.Name != "patternProperties" {
					named[field.At(j).Name] = t.plain().ref(set.At(field.At(j)))
				}
			}
			out[field.Name] = named
		case "dependencies":
			t.dependencies(out, field)
		case "minContains", "maxContains":
			if count, ok := field.Count(); ok {
				out[field.Name] = count
			}
		case "dependentRequired":
			out[field.Name] = field.Value()
		}
	}
}

// dependencies are what drafts before 2019 have for two keywords.
func (t translation) dependencies(out map[string]any, n *document.Node) {
	all, _ := out["allOf"].([]any)
	for i := range n.Len() {
		field := n.At(i)
		var then any = map[string]any{"required": field.Value()}
		if field.Is(document.Object) || field.Is(document.Bool) {
			then = t.plain().ref(t.schemas.set.At(field))
		}
		all = append(all, map[string]any{"if": map[string]any{"type": "object", "required": []any{field.Name}}, "then": then})
	}
	if len(all) > 0 {
		out["allOf"] = all
	}
}

func (t translation) list(of []*schema.Schema) []any {
	out := make([]any, len(of))
	for i, one := range of {
		out[i] = t.plain().ref(one)
	}
	return out
}

// expanded lets a record stand where its id does, in the replies of a service
// that can expand ids.
func (t translation) expanded(out any, v *schema.View) any {
	target := v.Extension(extensionRef).Text()
	if target == "" || t.mode != reply || !t.schemas.expand {
		return out
	}
	choices := []any{out}
	for _, claim := range t.schemas.claims(target) {
		choices = append(choices, map[string]any{"$ref": t.schemas.address(claim, t.mode)})
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
