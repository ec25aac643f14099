package generic

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"parity/specs/anatomy"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// A resource is things of one kind, and how they are kept.
type resource struct {
	*anatomy.Resource
	full   string // its collection in the world
	parent *resource
	form   *form
	calling

	creates bool                 // an operation makes members; those of other resources are there from the start
	linked  bool                 // whose a record is may stand beside it
	local   bool                 // an id says who is meant within its parents alone
	seeded  bool                 // the behaviour file has records
	half    bool                 // a field of 32 bits holds its ids
	told    bool                 // a client can learn ids, or chooses them
	homes   []*openapi.Operation // of one member, which the path names
	shown   bool                 // a reply of the contract has a body; else nothing is said of any
	rules   rules

	begins func() beginnings
}

// Calling is how requests name a member.
type calling struct {
	member   *schema.Schema  // nil: not known
	standing map[string]bool // ids that mean one that is there from the start, beside those that are made
	tenant   bool            // most of the service is below one of it, whose id a client is set up with
}

// The hidden collections of a service, beside those of its resources.
const (
	linksSuffix  = "/links"  // which members are whose
	latentSuffix = "/latent" // what became of members that were there from the start
	keysSuffix   = "/keys"   // idempotency keys
)

// resources makes ready what a model found.
func (f *Fake) resources() {
	f.res = make(map[*anatomy.Resource]*resource, len(f.model.Resources))
	for _, r := range f.model.Resources {
		made := &resource{Resource: r, full: f.service + "." + r.Name, form: f.library.form(r.Record), rules: f.rules.of(r.Name)}
		made.creates = made.rules.made
		made.seeded = len(made.rules.fixtures) > 0
		if r.Record == nil && r.ID.Field == "" && !r.Singleton {
			own := *r
			own.ID.Field = "id" // nobody says what one looks like, and it has to have a name
			made.Resource = &own
		}
		made.begins = sync.OnceValue(func() beginnings {
			b := made.beginnings()
			b.job = f.jobOf(made)
			return b
		})
		f.res[r] = made
		f.order = append(f.order, made)
	}
	for _, r := range f.order {
		r.parent = f.res[r.Parent]
		r.local = len(r.Within) > 0 && r.ID.Client
	}
	for _, role := range f.model.Roles {
		r := f.res[role.Resource]
		if r == nil {
			continue
		}
		r.shown = r.shown || role.Output.Media != ""
		f.linked = f.linked || len(role.Parents) < len(role.Within)
		remembers := len(role.Parents) < len(role.Within)
		switch role.Kind {
		case anatomy.Create:
			r.creates = true
			r.linked = r.linked || remembers
			r.local = r.local || r.ID.Client && len(role.Within) > 0
		case anatomy.Upsert:
			r.linked = r.linked || remembers
			r.creates = r.creates || !r.Singleton
			r.local = r.local || len(role.Within) > 0
		}
	}
	for _, r := range f.order {
		r.narrow()
	}
	f.memberTypes()
	f.tenants()
	f.tellers()
}

// kept tells whether members can be records at all.
func (r *resource) kept() bool {
	if r.Record == nil {
		return true
	}
	v := typed(r.Record)
	return v.Is("object")
}

// latent tells whether members are there that nobody made.
func (r *resource) latent() bool { return !r.creates && !r.seeded }

// join makes one text of several ids.
func join(ids []string) string {
	escaped := make([]string, len(ids))
	for i, id := range ids {
		escaped[i] = url.PathEscape(id)
	}
	return strings.Join(escaped, "/")
}

// A scope says whose members are meant: by the ids of their parents, outermost
// first, and the fields of a record that hold them.
type scope struct {
	ids    []string
	fields []string // "": the record does not say it, so it is kept beside it
}

// scopeOf reads from a path whose members are meant.
func scopeOf(within []string, fields map[string]string, in map[string]string) scope {
	var s scope
	for _, param := range within {
		id, ok := in[param]
		if !ok {
			continue
		}
		field := ""
		for name, of := range fields {
			if of == param {
				field = name
			}
		}
		s.ids, s.fields = append(s.ids, id), append(s.fields, field)
	}
	return s
}

// up gives the scope in which the owner of a scope is, the first n ids.
func (s scope) up(n int) scope { return scope{s.ids[:n], make([]string, n)} }

// remembered tells whether records do not say all of it.
func (s scope) remembered() bool { return slices.Contains(s.fields, "") }

// key is the id that a member has in the world.
func (r *resource) key(s scope, id string) string {
	switch {
	case r.Singleton && len(s.ids) == 0:
		return r.Name
	case r.Singleton:
		return join(s.ids)
	case r.local:
		return join(slices.Concat(s.ids, []string{id}))
	}
	return id
}

// scopeName names the members of one parent.
func (r *resource) scopeName(s scope) string { return r.full + "|" + join(s.ids) }

// listings gives the roles that list a resource, in the order of the contract.
func (f *Fake) listings() map[*resource][]*anatomy.Role {
	all := map[*resource][]*anatomy.Role{}
	for _, operation := range f.api.Operations {
		if role := f.model.Roles[operation]; role != nil && role.List != nil {
			r := f.res[role.Resource]
			all[r] = append(all[r], role)
		}
	}
	return all
}

// indexes lists the fields that lists look up.
func (r *resource) indexes(listings []*anatomy.Role) []string {
	const most = 8
	var fields []string
	add := func(field string) {
		if field != "" && len(fields) < most && !slices.Contains(fields, field) && !slices.Contains(dotted(field), "") {
			fields = append(fields, field)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(r.Parents)) {
		add(field)
	}
	if r.ID.Field != "" && (r.local || r.ID.Field != "id") {
		add(r.ID.Field)
	}
	for _, field := range slices.Concat(r.ID.Also, r.Unique) {
		add(field)
	}
	for _, role := range listings {
		for _, field := range slices.Sorted(maps.Keys(role.Parents)) {
			add(field)
		}
		var filters []string
		for _, field := range role.List.Filters {
			filters = append(filters, field)
		}
		slices.Sort(filters)
		for _, field := range filters {
			add(field)
		}
	}
	return fields
}

// memberTypes finds the schemas of what names members: parameters of the path,
// else of the query, else fields of bodies.
func (f *Fake) memberTypes() {
	for _, in := range []string{inPath, inQuery, inBody} {
		for _, operation := range f.api.Operations {
			role := f.model.Roles[operation]
			if role == nil || role.Member == "" || role.In != in {
				continue
			}
			r := f.res[role.Resource]
			if r == nil {
				continue
			}
			if in == inPath && strings.HasSuffix(operation.Path, "/{"+role.Member+"}") {
				r.homes = append(r.homes, operation)
			}
			if r.member == nil {
				r.member = memberType(operation, role)
				r.standing = r.mentioned(operation, role)
			}
		}
	}
}

func memberType(operation *openapi.Operation, role *anatomy.Role) *schema.Schema {
	if role.In == inBody {
		body, _ := operation.Body()
		if body == nil || len(body.Content) == 0 {
			return nil
		}
		return formOf(body.Content[0].Schema).at(dotted(role.Member))
	}
	parameters, _ := operation.Parameters()
	for _, p := range parameters {
		if p.In == role.In && p.Name == role.Member {
			return p.Schema
		}
	}
	return nil
}

// narrow takes note of owners whose ids stand in fields of 32 bits.
func (r *resource) narrow() {
	for field, param := range r.Parents {
		s := r.form.at(dotted(field))
		if s == nil || typed(s).Format != "int32" {
			continue
		}
		for owner := r.parent; owner != nil; owner = owner.parent {
			if slices.Index(r.Within, param) == len(owner.Within) {
				owner.half = true
			}
		}
	}
}
