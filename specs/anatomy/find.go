package anatomy

import (
	"strings"

	"parity/specs/schema"
)

// A thing is a resource that is being found.
type thing struct {
	res    *Resource
	up     *thing
	word   string // of its path
	colls  []*place
	memb   *place // of one of it
	alone  *place // of the one there is
	record *schema.Schema
	calls  []*call          // that have a role with it
	gone   *thing           // it is one with another
	nested map[*call]string // lists of those in one of it, with the field that says in which
	hint   string           // see the method hint
	hinted bool
}

// visit finds the things at a place and below it. up is whose they are, beside
// the collection that the place stands next to the members of.
func (in *inference) visit(p *place, up, beside *thing) {
	next, aside := up, beside
	if p.word != "" {
		in.settle(p, up, beside)
	}
	if p.thing != nil && p.as == collection {
		aside = p.thing
	}
	if p.thing != nil && p.as == singleton {
		next = p.thing
	}
	for _, k := range p.kids {
		in.visit(k, next, aside)
	}
	for m := p.arg; m != nil; m = m.arg {
		if m.thing != nil && m.as != loose {
			next = m.thing
		} else {
			in.oddly(m, next)
			if m.thing != nil && m.as == member {
				next = m.thing
			}
		}
		for _, k := range m.kids {
			in.visit(k, next, nil)
		}
	}
}

// settle says what a word's place is.
func (in *inference) settle(p *place, up, beside *thing) {
	m := p.chain()
	if m != nil && m != p.arg && len(p.arg.kids) > 0 && len(p.calls) == 0 && !in.membered(m) {
		m = nil
	}
	switch {
	case m != nil && m.arg != nil && len(m.arg.calls) > 0 && (in.shelf(m, p.word) || m.makes()) && in.membered(m.arg):
		t := in.thing(p, up) // /secrets/{vault} lists, /secrets/{vault}/{name} is one
		t.take(m, collection)
		t.take(m.arg, member)
		if len(p.calls) > 0 {
			t.take(p, collection)
		}
		t.record = in.recordOf(t)
	case m != nil && (in.membered(m) || in.listing(p, p.word) && !in.listing(m, p.word)):
		t := in.thing(p, up)
		t.take(m, member)
		if in.apart(p) { // GET and PATCH /user beside /user/{id}
			in.only(p, up)
		} else if len(p.calls) > 0 {
			t.take(p, collection)
		}
		t.record = in.recordOf(t)
	case m == nil && p.find("POST") != nil && p.find("GET") == nil && p.arg != nil && len(p.arg.kids) > 0 && in.made(p):
		t := in.thing(p, up) // POST /uploads and POST /uploads/{id}/cancel
		t.take(p.arg, member)
		t.take(p, collection)
		t.record = in.recordOf(t)
	case len(p.calls) == 0:
	case in.listing(p, p.word) && !(beside != nil && in.echo(p, beside)), in.procedures(p):
		t := in.thing(p, up)
		t.take(p, collection)
		t.record = in.recordOf(t)
	case in.single(p):
		in.only(p, up)
	}
}

// shelf tells whether a parameter's place lists: its own GET does, and not a
// word behind it (/cards/{idCard}/list is the list that a card is on).
func (in *inference) shelf(m *place, word string) bool {
	get := m.find("GET")
	return in.listing(m, word) && (get == nil || in.listed(in.reply(get), nil, word))
}

// makes tells whether nothing but making is done at a place.
func (p *place) makes() bool {
	return (p.find("PUT") != nil || p.find("POST") != nil) && len(p.calls) == 1 && p.arg != nil && p.arg.has(Read) && !p.arg.has(Replace, Upsert)
}

// only makes a place that of something of which there is one.
func (in *inference) only(p *place, up *thing) {
	t := in.thing(p, up)
	t.alone, p.thing, p.as = p, t, singleton
	t.record = in.recordOf(t)
}

// apart tells whether a place above members is no collection of them.
func (in *inference) apart(p *place) bool {
	get := p.find("GET")
	return get != nil && p.find("POST") == nil && (p.find("PATCH") != nil || p.find("PUT") != nil) && in.kind(in.reply(get)) == "object" &&
		!in.listing(p, p.word) && !needs(get)
}

// made tells whether a POST answers something with an id.
func (in *inference) made(p *place) bool {
	e := in.unwrap(in.reply(p.find("POST")), nil, p.word)
	return !e.Many && e.Schema != nil && in.shape(e.Schema).get("id") != nil
}

func (in *inference) thing(p *place, up *thing) *thing {
	for up != nil && up.gone != nil {
		up = up.gone
	}
	t := &thing{up: up, word: p.word, res: &Resource{}}
	in.things = append(in.things, t)
	return t
}

func (t *thing) take(p *place, as seat) {
	p.thing, p.as = t, as
	if as == member {
		t.memb = p
	} else {
		t.colls = append(t.colls, p)
	}
}

// oddly looks at a parameter below a member, with no word between:
// /secrets/{name}/{version}.
func (in *inference) oddly(m *place, up *thing) {
	if len(m.calls) == 0 || m.up == nil || m.up.thing == nil || m.up.as != member || !in.membered(m) {
		return
	}
	t := in.thing(m, up)
	t.word = m.param
	t.take(m, member)
	t.record = in.recordOf(t)
}

// membered tells whether one thing stands at a place.
func (in *inference) membered(m *place) bool {
	if m.has(Replace, Update, Delete, Upsert) {
		return true
	}
	get := m.of(Read)
	switch {
	case get == nil:
		return m.has(Create) && len(m.up.calls) > 0 && m.up.has(Read, List)
	case !in.listed(in.reply(get), nil, ""):
		return !in.watches(get)
	}
	// It may be a record that has a list, or a list of the one that is asked for.
	all := m.up.of(Read, List)
	if all == nil {
		return false
	}
	whole, ok := in.list(in.reply(all), nil, m.up.word)
	if !ok {
		return false
	}
	part, _ := in.list(get.gives(), nil, m.up.word)
	return in.core(whole.items) == in.core(get.gives()) ||
		in.core(whole.items) == in.core(part.items) && strings.HasSuffix(canon(m.param), "id") && in.kind(part.items) == "object"
}

// watches tells whether a call answers with events of changes.
func (in *inference) watches(c *call) bool {
	shape := in.shape(c.gives())
	return len(shape.fields) == 2 && shape.get("object") != nil && shape.get("type") != nil
}

// listing tells whether a place lists.
func (in *inference) listing(p *place, word string) bool {
	if p.has(List) {
		return true
	}
	for _, c := range p.calls {
		if c.route.verb == "" && c.method == "GET" || c.route.kind == Read && c.method == "GET" {
			s, ok := in.list(in.reply(c), nil, word)
			if kind := in.kind(s.items); ok && s.sure >= 5 && (kind == "object" || kind == "" || p.arg != nil || p.has(Create)) {
				return true
			}
		}
	}
	return false
}

// procedures tells whether a place is a thing that procedures deal with:
// conversations.list and conversations.info.
func (in *inference) procedures(p *place) bool {
	named := 0
	for _, c := range p.calls {
		if c.route.verb != "" && c.route.kind != "" && c.route.kind != Search && c.route.kind != Count {
			named++
		}
	}
	if p.find("GET") != nil || p.find("POST") != nil {
		return named > 0 && p.has(List, Create) && (p.arg != nil || p.has(Read, Update, Delete, Upsert))
	}
	return named > 1 && p.has(List, Read) && p.has(List, Create, Update, Delete, Upsert)
}

// single tells whether there is one thing at a place.
func (in *inference) single(p *place) bool {
	get := p.find("GET")
	switch {
	case get != nil && in.listed(in.reply(get), nil, p.word):
		return false
	case get != nil && (p.find("PUT") != nil || p.find("PATCH") != nil || p.find("DELETE") != nil):
		return true
	case get != nil && p.find("POST") != nil:
		return in.partly(p.find("POST").takes(), in.reply(get))
	case get != nil:
		return selves[canon(p.word)] && !needs(get)
	default:
		return p.find("PUT") != nil && p.find("DELETE") != nil
	}
}

// partly tells whether most fields of a body are those of another.
func (in *inference) partly(a, b *schema.Schema) bool {
	small, big := in.shape(a), in.shape(b)
	shared := 0
	for name := range small.index {
		if _, ok := big.index[name]; ok {
			shared++
		}
	}
	return shared > 0 && shared*3 >= len(small.index)
}

// needs tells whether a call cannot be made without a query.
func needs(c *call) bool {
	for i := range c.params {
		if c.params[i].In == "query" && c.params[i].Required {
			return true
		}
	}
	return false
}

// echo tells whether a place beside a collection's members lists the same
// records: /contacts/recent.
func (in *inference) echo(p *place, of *thing) bool {
	get := p.find("GET")
	if get == nil || len(p.calls) > 1 || p.arg != nil || of.record == nil {
		return false
	}
	s, ok := in.list(in.reply(get), of.record, of.word)
	return ok && in.same(s.items, of.record)
}

// reply is the schema of a call's success.
func (in *inference) reply(c *call) *schema.Schema {
	if c.status == "" && c.out == nil {
		c.succeed(c.rough())
	}
	return c.gives()
}

// recordOf finds what one of a thing looks like: by reading it, else by the
// list, else by what writes it.
func (in *inference) recordOf(t *thing) *schema.Schema {
	var listed *schema.Schema
	for _, p := range t.colls {
		for _, c := range p.calls {
			if k := c.rough(); k != List && !(k == Read && c.method == "GET") {
				continue
			}
			if s, ok := in.list(in.reply(c), nil, t.word); ok && s.sure >= 2 && listed == nil && in.kind(s.items) == "object" {
				listed = in.core(s.items)
			}
		}
	}
	for _, p := range []*place{t.memb, t.alone} {
		if p == nil {
			continue
		}
		for _, kind := range []Kind{Read, Replace, Update, Upsert, Create} {
			c := p.of(kind)
			if c == nil || in.reply(c) == nil {
				continue
			}
			e := in.unwrap(c.gives(), listed, t.word)
			if listed != nil && e.Schema != nil && in.choice(listed, in.core(e.Schema)) {
				return listed
			}
			if e.Fits || e.Schema != nil && kind == Read && len(in.shape(e.Schema).fields) > 0 { // a list may show less of it
				return in.core(e.Schema)
			}
			if kind == Read && listed == nil && in.free(e.Schema) { // what a write answers is no more than a receipt
				return in.core(e.Schema)
			}
		}
	}
	for _, p := range t.colls {
		if c := p.of(Read); listed == nil && c != nil && c.route.verb != "" {
			if e := in.unwrap(in.reply(c), nil, t.word); len(in.shape(e.Schema).fields) > 0 {
				return in.core(e.Schema)
			}
		}
	}
	if listed != nil {
		return listed
	}
	return in.written(t)
}

// free tells whether a schema takes an object with whatever fields, and names
// none.
func (in *inference) free(s *schema.Schema) bool {
	return in.kind(s) == "object" && len(in.shape(s).fields) == 0 && !in.core(s).View().Closed
}

// receipt tells whether a reply says nothing of what was sent: a task, an
// operation, an acknowledgement.
func (in *inference) receipt(c *call) bool {
	sent, told := in.shape(in.unwrap(c.takes(), nil, "").Schema), in.shape(in.reply(c))
	if len(sent.index) == 0 || len(told.index) == 0 {
		return false
	}
	for name := range sent.index {
		if told.get(name) != nil {
			return false
		}
	}
	return true
}

// written is what the bodies that make a thing look like.
func (in *inference) written(t *thing) *schema.Schema {
	for _, p := range append([]*place{t.memb, t.alone}, t.colls...) {
		if p == nil {
			continue
		}
		for _, kind := range []Kind{Create, Upsert, Replace, Update} {
			c := p.of(kind)
			if c == nil {
				continue
			}
			bodies := []*schema.Schema{in.reply(c), c.takes()}
			if in.receipt(c) {
				bodies = bodies[1:]
			}
			for _, body := range bodies {
				if e := in.unwrap(body, nil, t.word); len(in.shape(e.Schema).fields) > 2 {
					return in.core(e.Schema)
				}
			}
		}
	}
	return nil
}
