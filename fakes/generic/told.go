package generic

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/fakes/kit"

	"parity/specs/anatomy"
	"parity/specs/openapi"
	"parity/specs/sample"
	"parity/specs/schema"
)

// A contract may create members of which no reply tells the id, and have
// operations that take one all the same. A client has such ids from elsewhere:
// from a screen, from a file. Where an operation describes no refusal for one
// that is not there, its contract says that it is: then it was there from the
// start, until it is deleted. Where an id can be learnt, one that nobody made is
// not there, described or not.

// tellers finds the resources whose ids a client can learn or chooses itself.
func (f *Fake) tellers() {
	var l library // of which only these few are looked at: what calls need is kept when they come
	for _, operation := range f.api.Operations {
		role := f.model.Roles[operation]
		if role == nil {
			continue
		}
		r := f.res[role.Resource]
		if r == nil || r.told {
			continue
		}
		switch role.Kind {
		case anatomy.Upsert: // where the reply may say that it made one
			r.told = (&plan{role: role, replies: repliesOf(operation)}).response("201") != nil
		case anatomy.Create, anatomy.List, anatomy.Search:
			r.told = r.ID.Client || role.Keyed || role.List != nil && role.List.IDs || r.toldBy(&l, role, operation)
		}
	}
}

// toldBy tells whether a reply of an operation has a place for an id.
func (r *resource) toldBy(l *library, role *anatomy.Role, operation *openapi.Operation) bool {
	t := (&plan{role: role, replies: repliesOf(operation)}).success()
	if t.header("Location") {
		return true
	}
	if t.media == nil {
		return false
	}
	at := pointer(role.Output.Path)
	if role.List != nil {
		at = pointer(role.List.Items)
	}
	s := l.at(t.schema(), at)
	if v := typed(s); s != nil && v.Items != nil {
		s = v.Items
	}
	return r.tells(l, s) || r.tells(l, t.schema())
}

// tells tells whether a schema has a field that holds an id.
func (r *resource) tells(l *library, s *schema.Schema) bool {
	if s == nil {
		return false
	}
	f := l.form(s)
	if r.ID.Field != "" && f.at(dotted(r.ID.Field)) != nil {
		return true
	}
	return slices.ContainsFunc(f.names, r.isID)
}

// isID tells whether a field beside a record has the name of its id.
func (r *resource) isID(name string) bool {
	return name == "id" || r.named(name)
}

// presumed tells whether members are there that nobody made, because nobody
// can know which there are, and the operation has no way to say that one is not.
func (c *call) presumed(r *resource) bool {
	if r.seeded || r.told && !r.Singleton {
		return false
	}
	return !c.plan.misses()
}

// misses tells whether an operation describes a refusal of what is not there.
func (p *plan) misses() bool {
	return p.failure(http.StatusNotFound).of != nil || p.meant("not_found") != 0
}

// newest gives the member that a call means without naming it; where there is
// none, and no way to say so, the first of those that nobody made.
func (c *call) newest(r *resource, in scope) (*entry, bool) {
	if all := c.all(r, in); all.size() > 0 {
		return all.cut(all.size()-1, all.size())[0], true
	}
	if c.plan.misses() || r.seeded {
		return nil, false
	}
	return c.derived(r, in, c.startID(r, in, 0))
}

// location is where a member that a call made can be read; "" where no address
// is known.
func (c *call) location(e *entry) string {
	own, _, procedure := strings.Cut(strings.ReplaceAll(c.plan.source.Path, "?", "#"), "#")
	base := c.Base + kit.Path(strings.TrimSuffix(c.Operation.Path, c.plan.source.Path), escaped(c.Input.Path))
	if !procedure && (c.plan.role.Member != "" || c.plan.res.Singleton) {
		return base + kit.Path(own, escaped(c.Input.Path))
	}
	own = strings.TrimSuffix(own, "/")
	above := own
	for _, home := range c.plan.res.homes {
		collection := home.Path[:strings.LastIndexByte(home.Path, '/')]
		if collection == own {
			above = own
			break
		}
		if !strings.ContainsRune(kit.Path(collection, c.Input.Path), '{') && (above == own || procedure) {
			above, procedure = collection, false
		}
	}
	if procedure {
		return ""
	}
	return base + kit.Path(above, escaped(c.Input.Path)) + "/" + url.PathEscape(c.idOf(e))
}

// keyed puts the id of what was made where a reply that is no record has it, and
// beside the record where the reply has it there.
func (c *call) keyed(around map[string]any, t target, e *entry) map[string]any {
	r, s := c.plan.res, t.schema()
	if s == nil || r.Singleton {
		return around
	}
	f := c.fake.library.form(s)
	id := c.idOf(e)
	for _, name := range f.names {
		if _, there := around[name]; there || !r.isID(name) || len(f.sure[name]) == 0 {
			continue
		}
		if held, ok := c.fake.fitted(f, name, id); ok {
			around[name] = held
		}
	}
	at := pointer(c.plan.role.Key)
	place := c.fake.library.at(s, at)
	if !c.plan.role.Keyed || len(at) == 0 || place == nil || slices.Contains(at, "0") {
		return around
	}
	if held, ok := c.fake.bentTo(place, id); ok {
		return at.set(around, held)
	}
	return around
}

// bentTo gives a value as a schema takes it.
func (f *Fake) bentTo(s *schema.Schema, value any) (any, bool) {
	if f.library.Fits(s, value, sample.Reply) {
		return value, true
	}
	bent, ok := bend(s, value)
	return bent, ok && f.library.Fits(s, bent, sample.Reply)
}
