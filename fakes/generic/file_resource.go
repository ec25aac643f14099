package generic

import (
	"fmt"
	"maps"
	"slices"

	"parity/fakes/cast"
	"parity/specs/anatomy"
	"parity/specs/document"
)

// resource reads what the file says of one resource.
func (b *file) resource(n *document.Node) {
	if !b.object(n, "a resource", "record", "id", "list", "defaults", "server", "unique", "refers", "states",
		"created", "updated", "version", "status") {
		return
	}
	r := b.meant(n)
	if r == nil {
		return
	}
	own := &rules{}
	b.out.resources[r.Name] = own
	if name, ok := b.text(n.Get("record")); ok {
		if s := b.fake.api.Component(name); s != nil {
			r.Record = s
		} else if name == "any" { // whatever is sent
			r.Record = nil
			r.Server, r.Version, r.Created, r.Updated, r.Status = nil, "", "", "", ""
		} else {
			b.unknown(n.Get("record"), "schema", name, b.components())
		}
	}
	f := formOf(r.Record)
	b.id(n.Get("id"), r, own, f)
	for key, into := range map[string]*string{"created": &r.Created, "updated": &r.Updated, "version": &r.Version, "status": &r.Status} {
		if name, ok := b.text(n.Get(key)); ok && b.field(n.Get(key), f, name) {
			*into = name
		}
	}
	b.fields(n.Get("server"), f, &r.Server)
	b.fields(n.Get("unique"), f, &r.Unique)
	own.defaults = b.defaults(n.Get("defaults"), f)
	b.refers(n.Get("refers"), r, own, f)
	own.states = b.states(n.Get("states"), r, f)
	if list := n.Get("list"); b.optional(list, "it has items, cursor, next …") {
		for _, role := range b.fake.model.Roles {
			if role.Resource == r && role.Kind == anatomy.List && role.List != nil {
				role.List = b.list(list, role.List, f)
			}
		}
		b.listKeys(list, own)
		b.idle(list, r)
	}
}

// meant finds the resource that has a name, or makes one that the inference has
// not found.
func (b *file) meant(n *document.Node) *anatomy.Resource {
	var names []string
	for _, r := range b.fake.model.Resources {
		if r.Name == n.Name {
			return r
		}
		names = append(names, r.Name)
	}
	if n.Get("record") == nil || nearest(n.Name, names) != "" {
		b.unknownKey(n, "resource", names)
		return nil
	}
	r := &anatomy.Resource{Name: n.Name, ID: anatomy.ID{Field: "id", Type: "string"}, Why: "the behaviour file names it"}
	b.fake.model.Resources = append(b.fake.model.Resources, r)
	return r
}

func (b *file) components() []string {
	var names []string
	for _, p := range b.fake.api.Components() {
		names = append(names, p.Name)
	}
	return names
}

func (b *file) id(n *document.Node, r *anatomy.Resource, own *rules, f *form) {
	if n == nil || !b.object(n, "id", "field", "form", "by", "also") {
		return
	}
	if name, ok := b.text(n.Get("field")); ok && b.field(n.Get("field"), f, name) {
		r.ID.Field = name
	}
	b.fields(n.Get("also"), f, &r.ID.Also)
	if source, ok := b.text(n.Get("form")); ok {
		form, err := parseForm(source)
		if err != nil {
			b.wrong(n.Get("form"), fmt.Sprintf("the form of an id is not understood: %v", err), "")
		}
		own.id = form
	}
	if who, ok := b.choice(n.Get("by"), "client", "server"); ok {
		r.ID.Client = who == "client"
	}
}

func (b *file) fields(n *document.Node, f *form, into *[]string) {
	names, ok := b.texts(n)
	if !ok {
		return
	}
	for i, name := range names {
		b.field(n.At(i), f, name)
	}
	*into = names
}

func (b *file) defaults(n *document.Node, f *form) map[string]any {
	if !b.optional(n, "fields with their values, such as {status: active}") {
		return nil
	}
	out := map[string]any{}
	for i := range n.Len() {
		v := n.At(i)
		if b.field(v, f, v.Name) && b.fits(v, f, v.Name, v.Value()) {
			out[v.Name] = v.Value()
		}
	}
	return out
}

// fits checks that a field takes a value.
func (b *file) fits(n *document.Node, f *form, name string, value any) bool {
	s := f.at(dotted(name))
	if s == nil || fits(s, value, 0) {
		return true
	}
	hint := ""
	if choices := typed(s).Enum; choices.Len() > 0 {
		hint = "it is one of " + joinValues(choices)
	}
	b.wrong(n, name+" cannot be "+cast.Plain(value), hint)
	return false
}

func joinValues(choices *document.Node) string {
	out := ""
	for i := range choices.Len() {
		if i > 0 {
			out += ", "
		}
		out += choices.At(i).Scalar()
	}
	return out
}

// refers reads which fields hold ids: {company_id: companies}, or {company_id:
// {to: companies, must: exist}}.
func (b *file) refers(n *document.Node, r *anatomy.Resource, own *rules, f *form) {
	if !b.optional(n, "fields with the resource whose id they hold, such as {company_id: companies}") {
		return
	}
	r.Refers = maps.Clone(r.Refers)
	if r.Refers == nil {
		r.Refers = map[string]string{}
	}
	for i := range n.Len() {
		v := n.At(i)
		to, must := v, false
		if v.Is(document.Object) {
			if !b.object(v, v.Name, "to", "must") {
				continue
			}
			to = v.Get("to")
			if v.Get("must") != nil {
				_, must = b.choice(v.Get("must"), "exist")
			}
		}
		name, ok := b.text(to)
		if !ok {
			if to == nil {
				b.wrong(v, v.Name+" does not say to what it refers", "add to: companies")
			}
			continue
		}
		if !b.field(v, f, v.Name) || !b.isResource(to, name) {
			continue
		}
		r.Refers[v.Name] = name
		if must {
			if own.must == nil {
				own.must = map[string]string{}
			}
			own.must[v.Name] = name
		}
	}
}

func (b *file) isResource(n *document.Node, name string) bool {
	var names []string
	for _, r := range b.fake.model.Resources {
		names = append(names, r.Name)
	}
	if slices.Contains(names, name) {
		return true
	}
	b.unknown(n, "resource", name, names)
	return false
}

func (b *file) states(n *document.Node, r *anatomy.Resource, f *form) *states {
	if n == nil || !b.object(n, "states", "field", "start", "moves") {
		return nil
	}
	s := &states{field: r.Status}
	if name, ok := b.text(n.Get("field")); ok && b.field(n.Get("field"), f, name) {
		s.field, r.Status = name, name
	}
	if s.field == "" {
		b.wrong(n, "states wants the field that holds them", "add field: status")
		return nil
	}
	if start := n.Get("start"); start != nil && b.fits(start, f, s.field, start.Value()) {
		s.start = start.Value()
	}
	moves := n.Get("moves")
	if !b.optional(moves, "states with those that may follow, such as {open: [won, lost]}") {
		return s
	}
	s.moves = map[string][]string{}
	for i := range moves.Len() {
		from := moves.At(i)
		to, ok := b.texts(from)
		if !ok || !b.fits(from, f, s.field, from.Name) {
			continue
		}
		for j, name := range to {
			b.fits(from.At(j), f, s.field, name)
		}
		s.moves[from.Name] = to
	}
	return s
}
