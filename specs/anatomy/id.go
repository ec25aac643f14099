package anatomy

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/specs/document"
	"parity/specs/schema"
)

// An identity is where a thing's id stands, and its schema there.
type identity struct {
	ID
	schema *schema.Schema
}

// names are the fields that are ids where no field is called one.
var idNames = []string{
	"id", "uuid", "guid", "uid", "sid", "gid", "key", "identifier", "objectid", "slug", "name", "code", "login", "username", "handle",
	"number", "email", "token", "ref", "reference", "href", "arn",
}

// textual are ids that people choose.
var textual = set("name", "slug", "username", "key", "login", "code", "handle", "title", "email", "label")

// idOf finds the id of a thing.
func (in *inference) idOf(t *thing) ID {
	var found identity
	if t.memb != nil {
		found.Param = t.memb.name()
	}
	if t.alone != nil {
		return found.ID
	}
	pattern := in.paramSchema(t)
	if t.memb == nil {
		found.Field, found.schema = in.asked(t)
		if hint := in.hint(t); found.Field == "" && hint != "" {
			if f := in.shape(t.record).get(hint); f != nil && in.kind(f.schema) != "object" && in.kind(f.schema) != "array" {
				found.Field, found.schema = f.name, f.schema
			} else {
				found.Field, found.schema = in.told(t, in.shape(t.record), hint)
			}
		}
	}
	if found.Field == "" {
		found.Field, found.schema = in.idField(t, pattern)
	}
	if found.schema == nil {
		found.schema = pattern
	}
	if found.schema != nil {
		v := in.core(found.schema).View()
		found.Type, found.Format, found.Pattern = in.kind(found.schema), v.Format, v.Pattern
		found.Prefix = prefixOf(v.Pattern, example(found.schema), example(pattern))
	}
	if found.Type == "" {
		found.Type = "string"
	}
	if found.Type == "number" {
		found.Type = "integer"
	}
	return found.ID
}

// example gives what a schema shows, as text.
func example(s *schema.Schema) string {
	if s == nil {
		return ""
	}
	if n := s.Node().Get("example"); n.Is(document.String) {
		return n.Text()
	}
	return s.View().Example.Text()
}

// paramSchema is the schema of the parameter that names a member.
func (in *inference) paramSchema(t *thing) *schema.Schema {
	if t.memb == nil {
		return nil
	}
	for _, c := range t.memb.calls {
		if len(c.keys) == 0 {
			continue
		}
		for i := range c.params {
			if p := &c.params[i]; p.In == "path" && p.Name == c.keys[len(c.keys)-1] {
				return p.Schema
			}
		}
	}
	return nil
}

// asked finds the field of the record by which procedures name a member: all
// that read, change or delete one take it.
func (in *inference) asked(t *thing) (string, *schema.Schema) {
	fields := in.shape(t.record)
	one := singular(t.word)
	for _, name := range []string{"id", one + "id", one + "name", one + "arn", one + "identifier", one, "name", "arn", "key", "uuid", "identifier"} {
		f := fields.get(name)
		if f == nil || in.kind(f.schema) == "object" || in.kind(f.schema) == "array" {
			continue
		}
		takes, lacks := 0, 0
		for _, p := range t.colls {
			for _, c := range p.calls {
				switch c.rough() {
				case Read, Delete:
					if c.route.verb == "" {
						continue
					}
					if c.parameter("query", name) != nil || in.shape(c.takes()).get(name) != nil {
						takes++
					} else {
						lacks++
					}
				}
			}
		}
		if takes > 0 && lacks == 0 {
			return f.name, f.schema
		}
	}
	return "", nil
}

// idField finds the field of the record that a member's parameter speaks of.
func (in *inference) idField(t *thing, pattern *schema.Schema) (string, *schema.Schema) {
	if t.record == nil {
		return "", nil
	}
	shape := in.shape(t.record)
	param := ""
	if t.memb != nil {
		param = canon(t.memb.name())
	}
	one := singular(t.word)
	want := in.kind(pattern)
	fits := func(f *field) bool {
		kind := in.kind(f.schema)
		return f != nil && kind != "object" && kind != "array" && kind != "boolean"
	}
	candidates := idCandidates(param, one)
	if name, s := in.told(t, shape, param); name != "" {
		return name, s
	}
	for _, name := range candidates {
		if f := shape.get(name); f != nil && fits(f) && !clash(want, in.kind(f.schema), name, param) {
			return f.name, f.schema
		}
	}
	for _, outer := range []string{"metadata", "meta", "sys", "data", "attributes", "system", "info", "base", one, "properties", "header", "identity"} {
		f := shape.get(outer)
		if f == nil || in.kind(f.schema) != "object" {
			continue
		}
		inner := in.shape(f.schema)
		for _, name := range candidates {
			if g := inner.get(name); g != nil && fits(g) {
				return f.name + "." + g.name, g.schema
			}
		}
	}
	return in.lastResort(shape, one)
}

// told finds the id in what a create call answers, where that names it as a
// member's parameter is named, and the record has nothing of that kind: POST
// /detector/{d}/ipset answers {"ipSetId": …} for /detector/{d}/ipset/{ipSetId}.
func (in *inference) told(t *thing, record *shape, param string) (string, *schema.Schema) {
	if param == "" || param == "id" || record.get(param) != nil || record.get("id") != nil || record.get("uuid") != nil {
		return "", nil
	}
	for _, p := range t.colls {
		c := p.of(Create)
		if c == nil {
			continue
		}
		f := in.shape(in.reply(c)).get(param)
		if f == nil && len(record.fields) == 0 { // nothing is said of the record
			f = in.shape(in.reply(c)).get("id")
		}
		if f != nil && (in.kind(f.schema) == "string" || in.kind(f.schema) == "integer") {
			return f.name, f.schema
		}
	}
	return "", nil
}

// clash tells whether a field cannot be what the parameter is: /repos/{repo} is
// text, and the id a number.
func clash(want, kind, name, param string) bool {
	return name == "id" && want == "string" && (kind == "integer" || kind == "number") && param != "" && !strings.HasSuffix(param, "id")
}

// idCandidates lists canonical names of fields, the likeliest first.
func idCandidates(param, one string) []string {
	var names []string
	switch param {
	case "username", "user", "login", "userlogin":
		names = append(names, "username", "login", "handle")
	}
	if param != "" && param != one {
		if param == one+"id" { // contact_id is id, where a record has both
			names = append(names, "id")
		}
		names = append(names, param)
		if rest := strings.TrimPrefix(param, one); rest != param && rest != "" {
			names = append(names, rest)
		}
		if strings.HasSuffix(param, "name") {
			names = append(names, "name")
		}
		for _, suffix := range []string{"slug", "sid", "gid", "uuid", "guid", "uid"} {
			if strings.HasSuffix(param, suffix) {
				names = append(names, suffix)
			}
		}
	}
	names = append(names, "id", one+"id", one+"uuid", one+"guid", one+"key", one+"sid", one+"name", one+"number", one+"code", one+"arn")
	if param == one {
		names = append(names, param)
	}
	return append(names, idNames...)
}

// lastResort takes the only field that ends as ids do.
func (in *inference) lastResort(shape *shape, one string) (string, *schema.Schema) {
	for i := range shape.fields {
		f := &shape.fields[i]
		name := canon(f.name)
		if kind := in.kind(f.schema); kind == "object" || kind == "array" {
			continue
		}
		if strings.HasSuffix(name, "id") && (f.needed && i < 3 || strings.HasSuffix(one, strings.TrimSuffix(name, "id"))) {
			return f.name, f.schema
		}
	}
	return "", nil
}

var (
	prefixed  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z]{2,12}_`) })
	ofPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\^\(?([a-zA-Z]{2,12}[_-])`) })
)

// prefixOf finds what ids begin with.
func prefixOf(pattern string, examples ...string) string {
	if m := ofPattern().FindStringSubmatch(pattern); m != nil {
		return m[1]
	}
	if strings.HasPrefix(pattern, "^SM") || strings.HasPrefix(pattern, "^[A-Z]{2}") {
		return ""
	}
	for _, text := range examples {
		if p := prefixed().FindString(text); p != "" && len(text) > len(p)+5 {
			return p
		}
	}
	return ""
}

// others are fields that name a member as well as its id does, in many services.
var others = []string{"key", "slug", "login", "username", "handle", "sid", "uuid", "guid"}

// also finds the fields of a record by which a member may be named as well as by
// its id: those that the parameter speaks of (projectIdOrKey), and those that
// name one in many services.
func (in *inference) also(t *thing, id ID) []string {
	if t.memb == nil || t.record == nil || id.Field == "" {
		return nil
	}
	names := slices.Clone(others)
	words := split(t.memb.name())
	if i := slices.Index(words, "or"); i > 0 && i < len(words)-1 {
		names = append(names, "id", canon(strings.Join(words[i+1:], "")), words[i-1])
	}
	if m := named().FindStringSubmatch(in.saidOf(t)); m != nil {
		names = append(names, canon(m[1]), canon(m[1])+"address")
	}
	if name := canon(id.Field); name != "id" && slices.Contains(others, name) {
		names = append(names, "id")
	}
	var found []string
	shape := in.shape(t.record)
	for _, name := range names {
		f := shape.get(name)
		if f == nil || f.name == id.Field || slices.Contains(found, f.name) {
			continue
		}
		if kind := in.kind(f.schema); kind == "string" || kind == "integer" {
			found = append(found, f.name)
		}
	}
	return found
}

// named finds by what else a member may be named, in what is said of its
// parameter: "the contact's ID or email".
var named = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bid(?:entifier)?,? or (?:the |its |an? )?([a-z_]+)`)
})

// saidOf is what the document says of the parameter that names a member.
func (in *inference) saidOf(t *thing) string {
	for _, c := range t.memb.calls {
		for i := range c.params {
			if p := &c.params[i]; p.In == "path" && len(c.keys) > 0 && p.Name == c.keys[len(c.keys)-1] {
				return p.Node.Get("description").Text()
			}
		}
	}
	return ""
}

// dotted writes the path of a field below a JSON pointer.
func dotted(pointer, name string) string {
	if pointer == "" {
		return name
	}
	return strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".") + "." + name
}

// chosen tells whether the client chooses the id.
func (in *inference) chosen(t *thing, id ID) bool {
	if t.memb != nil && t.memb.has(Replace, Upsert) && !in.creatable(t) && !in.standing(t) {
		return true
	}
	if id.Field == "" {
		return false
	}
	for _, p := range t.colls {
		for _, c := range p.calls {
			if c.rough() == Create && in.asksFor(c, t, id) {
				return true
			}
		}
	}
	return false
}

// asksFor tells whether a create call takes the id, not as one of many fields
// that it might have.
func (in *inference) asksFor(c *call, t *thing, id ID) bool {
	if p := c.parameter("query", canon(id.Field)); p != nil && p.Required && c.route.rpc {
		return true
	}
	if c.takes() == nil {
		return false
	}
	shape := in.shape(in.unwrap(c.takes(), t.record, t.word).Schema)
	outer, inner, nested := strings.Cut(id.Field, ".")
	f := shape.get(canon(outer))
	if nested && f != nil {
		shape = in.shape(f.schema)
		f = shape.get(canon(inner))
	}
	if f == nil || readOnly(f.schema) {
		return false
	}
	name := canon(f.name)
	return f.needed || textual[name] || textual[strings.TrimPrefix(name, singular(t.word))]
}
