package anatomy

import (
	"strings"

	"parity/specs/schema"
)

// assign gives the calls at a place and below it their roles.
func (in *inference) assign(p *place, up, beside *thing) {
	next, aside := up, beside
	for p.thing != nil && p.thing.gone != nil {
		p.thing = p.thing.gone
	}
	for _, c := range p.calls {
		switch {
		case p.thing != nil && p.as == collection:
			in.ofCollection(p, c, p.thing)
		case p.thing != nil && p.as == member:
			in.ofMember(p, c, p.thing)
		case p.thing != nil && p.as == singleton:
			in.ofSingleton(c, p.thing)
		default:
			in.ofLoose(p, c, up, beside)
		}
	}
	if p.thing != nil {
		switch p.as {
		case collection:
			aside = p.thing
		case member:
			next, aside = p.thing, nil
		case singleton:
			next, aside = p.thing, nil
		}
	} else if p.word == "" && p.up != nil {
		aside = nil
	}
	for _, k := range p.kids {
		in.assign(k, next, aside)
	}
	if p.arg != nil {
		in.assign(p.arg, next, aside)
	}
}

func (in *inference) role(c *call, t *thing, kind Kind, name, why string) *Role {
	c.done = true
	c.succeed(kind)
	r := &Role{Kind: kind, Name: name, Status: c.status, Why: why}
	if t != nil {
		r.Resource = t.res
		t.calls = append(t.calls, c)
	}
	in.model.Roles[c.op] = r
	return r
}

// ofCollection is for calls at the place of all of a thing.
func (in *inference) ofCollection(p *place, c *call, t *thing) {
	kind := c.route.kind
	if c.route.verb != "" && kind == "" {
		r := in.action(c, t, c.route.verb, "a word after the collection that is no usual verb")
		if c.route.rpc && t.memb == nil {
			if r.Member, r.In = in.named(c, t); r.Member == "" {
				r.In = ""
			}
		}
		return
	}
	if c.route.verb == "" {
		kind = map[string]Kind{"GET": Read, "HEAD": Read, "POST": Create, "PUT": Replace, "PATCH": Update, "DELETE": Delete, "QUERY": Search}[c.method]
	}
	c.succeed(kind)
	key, where := "", ""
	if kind == Read || kind == Update || kind == Replace || kind == Delete || kind == Upsert {
		key, where = in.named(c, t)
	}
	switch kind {
	case Read:
		in.readAt(c, t, key, where)
	case List, Search:
		if _, ok := in.list(c.gives(), t.record, t.word); !ok && t.record == nil && c.gives() != nil {
			in.role(c, nil, Other, "", c.route.verb+" of "+t.word+" answers no list")
			return
		}
		in.lists(c, t, kind, "it asks for the collection")
	case Count:
		in.role(c, t, Count, c.route.verb, "its path ends with "+c.route.verb)
	case Create:
		in.creates(c, t)
	case Update, Replace, Upsert, Delete:
		in.writeAt(c, t, kind, key, where)
	default:
		in.role(c, nil, Other, "", "the method "+c.method+" says nothing here")
	}
}

func (in *inference) readAt(c *call, t *thing, key, where string) {
	s, ok := in.list(c.gives(), t.record, t.word)
	many := ok && (s.sure >= 4 || t.memb != nil && s.sure >= 2) || plural(t.word) && c.gives() == nil && c.route.verb == ""
	fits := t.record != nil && in.same(c.gives(), t.record)
	switch {
	case many && !(fits && s.sure < 8):
		in.lists(c, t, List, "GET of "+t.word+" answers many")
	case key != "" && where != "":
		r := in.role(c, t, Read, "", "it answers one, and "+key+" says which")
		r.Member, r.In = key, where
		r.Output = in.unwrap(c.gives(), t.record, t.word)
	case fits:
		r := in.role(c, t, Read, "", "GET of "+t.word+" answers one, and nothing says which")
		r.Output = in.unwrap(c.gives(), t.record, t.word)
	case c.route.verb == "" && t.memb != nil && c.gives() == nil:
		in.lists(c, t, List, "GET of the path above members; its reply is not described")
	default:
		in.role(c, nil, Other, "", "GET of "+t.word+" answers neither many nor one that it names")
	}
}

func (in *inference) lists(c *call, t *thing, kind Kind, why string) {
	if kind == List && c.method == "POST" && c.route.verb == "" {
		kind = Search
	}
	if kind == List && c.route.below("search") {
		kind = Search
	}
	r := in.role(c, t, kind, c.route.verb, why)
	s, ok := in.list(c.gives(), t.record, t.word)
	r.Output = Envelope{Path: s.path, Many: true, Known: c.gives() != nil, Schema: s.items, Fits: ok && t.record != nil && in.same(s.items, t.record)}
	if !ok {
		r.Output.Many, r.Output.Schema = false, c.gives()
	}
	r.List = in.paging(c, t, s)
	if scalar := in.kind(s.items); ok && (scalar == "string" || scalar == "integer") {
		r.List.IDs = true
	}
}

func (in *inference) creates(c *call, t *thing) {
	if s, ok := in.list(c.gives(), t.record, t.word); ok && s.sure >= 6 && c.route.verb == "" && in.asks(c) {
		in.lists(c, t, Search, "POST that answers many, and takes what they are asked for by")
		return
	}
	r := in.role(c, t, Create, "", "POST to "+t.word)
	if c.route.verb != "" {
		r.Why = c.route.verb + " in its path"
	}
	r.Merges = merging().MatchString(strings.Join(split(c.op.ID), " ") + ". " + c.op.Node.Get("summary").Text())
	in.wrap(r, c, t)
}

// below tells whether a word stands in a path.
func (r *route) below(word string) bool {
	for _, s := range r.steps {
		if s.word == word {
			return true
		}
	}
	return false
}

// asks tells whether a body speaks of pages or of a query.
func (in *inference) asks(c *call) bool {
	shape := in.shape(c.takes())
	for _, name := range []string{"limit", "pagesize", "query", "filter", "filters", "cursor", "offset", "page", "pagenumber", "sort", "perpage", "pagetoken"} {
		if shape.get(name) != nil {
			return true
		}
	}
	return false
}

// wrap notes where the record stands in the body and in the reply.
func (in *inference) wrap(r *Role, c *call, t *thing) {
	r.Input = in.unwrap(c.takes(), t.record, t.word)
	r.Output = in.unwrap(c.gives(), t.record, t.word)
	if !r.Output.Fits && (r.Kind == Create || r.Kind == Upsert) {
		r.Key, r.Keyed = in.keyIn(c.gives(), t, "", 0)
	}
}

// keyIn finds the id of what was made in a reply that does not show it.
func (in *inference) keyIn(s *schema.Schema, t *thing, path string, depth int) (string, bool) {
	const deepest = 8 // lists of lists
	if depth > deepest {
		return "", false
	}
	switch in.kind(s) {
	case "string", "integer":
		return path, depth == 0 || path != ""
	case "array":
		return in.keyIn(in.items(s), t, path+"/0", depth+1)
	case "object":
	default:
		return "", false
	}
	shape := in.shape(s)
	id := in.idOf(t)
	one := singular(t.word)
	for _, name := range []string{
		canon(id.Field[strings.LastIndexByte(id.Field, '.')+1:]), canon(id.Param), "id", one + "id", "itemid", "uuid", "guid", "key", "sid",
		"identifier", "uid", one + "key", one + "arn", "arn", one + "name", "name", "code", "number", one,
	} {
		if f := shape.get(name); f != nil && name != "" && (in.kind(f.schema) == "string" || in.kind(f.schema) == "integer") {
			return path + token(f.name), true
		}
	}
	if depth >= 2 {
		return "", false
	}
	for i := range shape.fields {
		f := &shape.fields[i]
		if name := canon(f.name); wrappers[name] || singular(name) == one {
			if found, ok := in.keyIn(f.schema, t, path+token(f.name), depth+1); ok {
				return found, true
			}
		}
	}
	return "", false
}

// writeAt is for changes to one of a collection that the path does not name.
func (in *inference) writeAt(c *call, t *thing, kind Kind, key, where string) {
	switch {
	case key != "" && kind == Delete, key != "" && t.memb == nil, key != "" && c.route.verb != "",
		key != "" && (t.memb == nil || t.memb.of(kind, Replace, Update) == nil):
		r := in.role(c, t, kind, "", "the "+where+" names one by "+key)
		r.Member, r.In = key, where
		in.wrap(r, c, t)
		in.patch(r, c)
	case kind == Upsert || kind == Replace && !in.creatable(t):
		r := in.role(c, t, Create, "", c.method+" to "+t.word+", and no other way to make one")
		in.wrap(r, c, t)
	case kind == Replace && c.route.verb == "" && c.makes():
		in.creates(c, t)
		in.model.Roles[c.op].Why = "PUT to " + t.word + ", which is called a creation"
	default:
		name := c.route.verb
		if name == "" {
			name = map[Kind]string{Delete: "delete_all", Replace: "replace_all", Update: "update_all"}[kind]
		}
		in.action(c, t, name, c.method+" of all of "+t.word)
	}
}

func (in *inference) creatable(t *thing) bool {
	for _, p := range t.colls {
		if p.has(Create) {
			return true
		}
	}
	return false
}

func (in *inference) action(c *call, t *thing, name, why string) *Role {
	r := in.role(c, t, Action, identifier(name), why)
	if t == nil {
		return r
	}
	in.wrap(r, c, t)
	if key, where := in.named(c, t); t.memb == nil && where == "body" { // POST /transfers/cancel, {"transfer_id": …}
		if f := in.shape(c.takes()).get(canon(key)); f != nil && f.needed {
			r.Member, r.In = key, where
		}
	}
	return r
}

// ofMember is for calls at the place of one of a thing.
func (in *inference) ofMember(p *place, c *call, t *thing) {
	kind := c.rough()
	if c.method == "HEAD" {
		kind = Read
	}
	why := c.method + " of one of " + t.word
	if c.route.verb != "" {
		why = c.route.verb + " of one of " + t.word
	}
	switch {
	case c.route.verb != "" && (kind == "" || kind == List || kind == Search || kind == Count || kind == Create && c.method != "PUT"):
		kind = Action
	case c.route.verb == "" && c.method == "POST":
		switch kind = Update; {
		case p.has(Replace, Update, Upsert) && !in.partly(c.takes(), t.record):
			kind = Action
		case !p.has(Read) && !in.creatable(t):
			kind, why = Upsert, "POST puts one of "+t.word+" there"
		}
	case kind == Create:
		kind = Upsert
	case kind == Replace && c.route.verb == "":
		switch {
		case in.upserts(c, t):
			kind, why = Upsert, "PUT makes one of "+t.word+" or replaces it"
		case in.sparing(p, c):
			kind, why = Update, "PUT of one of "+t.word+", of which what is not sent stays"
		}
	case kind == "":
		in.role(c, nil, Other, "", "the method "+c.method+" says nothing here")
		return
	}
	name := ""
	if kind == Action {
		if name = identifier(c.route.verb); c.route.verb == "" {
			name = "post"
		}
	}
	r := in.role(c, t, kind, name, why)
	r.Member, r.In = p.param, "path"
	if len(c.keys) > 0 {
		r.Member = c.keys[len(c.keys)-1]
	}
	in.wrap(r, c, t)
	in.patch(r, c)
}

// ofSingleton is for calls at the place of the one there is.
func (in *inference) ofSingleton(c *call, t *thing) {
	kind := c.rough()
	why := c.method + " of " + t.word + ", of which there is one"
	switch {
	case c.method == "HEAD":
		kind = Read
	case c.route.verb == "" && c.method == "POST":
		kind = Update
		if t.alone.has(Replace, Update) && t.alone.has(Delete) || t.alone.find("GET") == nil {
			kind = Create
		} else if t.alone.has(Replace, Update) {
			kind = Action
		}
	case kind == Replace && t.alone.has(Delete) && !t.alone.has(Create):
		kind = Upsert
	case kind == "", kind == List, kind == Search, kind == Count:
		kind = Action
	}
	name := ""
	if kind == Action {
		name = identifier(c.route.verb)
	}
	r := in.role(c, t, kind, name, why)
	in.wrap(r, c, t)
	in.patch(r, c)
}
