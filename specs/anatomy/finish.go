package anatomy

import (
	"strconv"
	"strings"

	"parity/specs/schema"
)

// finish names the resources and notes what is known of each.
func (in *inference) finish() {
	for _, c := range in.calls {
		if !c.done {
			in.role(c, nil, Other, "", "no path like those of resources")
		}
		r := in.model.Roles[c.op]
		if c.in != nil {
			r.Input.Media = c.in.Type
			r.Once = in.once(c)
		}
		if c.out != nil {
			r.Output.Media = c.out.Type
		}
	}
	var alive []*thing
	for _, t := range in.things {
		if t.gone == nil && len(t.calls) > 0 {
			alive = append(alive, t)
		}
	}
	in.name(alive)
	in.words = map[string]*thing{}
	for _, t := range alive {
		for t.up != nil && t.up.gone != nil {
			t.up = t.up.gone
		}
		r := t.res
		if t.up != nil && len(t.up.calls) > 0 {
			r.Parent = t.up.res
		}
		r.Within, r.Singleton, r.Record = t.within(), t.alone != nil, t.record
		r.ID = in.idOf(t)
		r.ID.Client = in.chosen(t, r.ID)
		r.ID.Also = in.also(t, r.ID)
		word := singular(t.word)
		if other := in.words[word]; other == nil || other.alone != nil || t.alone == nil && t.depth() < other.depth() {
			in.words[word] = t
		}
	}
	for _, t := range alive {
		in.fields(t)
		t.res.Unique = in.unique(t)
		t.res.Why = t.why()
		in.places(t)
	}
	in.order(alive)
	in.model.Errors = in.errors()
}

// once finds the field of a body that holds an idempotency key: by its name, or
// by a name for tokens and what is said of it.
func (in *inference) once(c *call) string {
	if c.method == "GET" || c.method == "DELETE" {
		return ""
	}
	shape := in.shape(c.takes())
	for _, name := range []string{"idempotencykey", "idempotentkey", "idempotencyid", "idempotencytoken", "idempotency"} {
		if f := shape.get(name); f != nil && in.kind(f.schema) == "string" {
			return f.name
		}
	}
	for _, name := range []string{"clienttoken", "clientrequesttoken", "clientrequestid", "requesttoken", "requestid", "uniquerequestid", "transactionkey"} {
		f := shape.get(name)
		if f != nil && in.kind(f.schema) == "string" && strings.Contains(strings.ToLower(f.schema.View().Description), "idempoten") {
			return f.name
		}
	}
	return ""
}

// places notes for each call whose the thing is, and the headers.
func (in *inference) places(t *thing) {
	for _, c := range t.calls {
		r := in.model.Roles[c.op]
		stop := ""
		if r.In == "path" {
			stop = r.Member
		}
		var words []string
		r.Within, words = c.route.owners(stop)
		r.Parents = in.parents(t, r.Within, words)
		if above := t.nested[c]; above != "" {
			r.Above, r.Parents = c.keys[len(c.keys)-1], map[string]string{above: c.keys[len(c.keys)-1]}
		}
		if t.res.Parents == nil && (t.memb == nil || r.Member != "" && r.In == "path") {
			t.res.Parents = r.Parents
		}
		in.headers(c, r)
	}
}

// owners lists the parameters of a path up to one, and the words before them.
func (r *route) owners(stop string) (params, words []string) {
	word := ""
	for _, s := range r.steps {
		switch {
		case s.word != "":
			word = s.word
		case s.param == stop:
			return params, words
		default:
			params, words = append(params, s.param), append(words, word)
		}
	}
	return params, words
}

func (in *inference) headers(c *call, r *Role) {
	for i := range c.params {
		if c.params[i].In == "header" {
			switch canon(c.params[i].Name) {
			case "prefer":
				r.Prefer = true
			case "ifmatch":
				r.IfMatch = true
			}
		}
	}
	for i := range c.responses {
		if c.responses[i].Status == "412" {
			r.IfMatch = true
		}
		for _, h := range c.responses[i].Headers {
			if strings.EqualFold(h.Name, "ETag") {
				r.ETag = true
			}
		}
	}
}

// patch notes how a body of changes is meant.
func (in *inference) patch(r *Role, c *call) {
	if r.Kind != Update || c.in == nil {
		return
	}
	r.Patch = c.patch
	operations := func(s *schema.Schema) bool {
		items := in.items(s)
		return items != nil && in.shape(items).get("op") != nil && in.shape(items).get("path") != nil
	}
	if operations(c.in.Schema) {
		r.Patch = "json"
		return
	}
	for i := range in.shape(c.in.Schema).fields { // {"patch": [{"op": …}], "comment": …}
		if f := &in.shape(c.in.Schema).fields[i]; operations(f.schema) {
			r.Patch, r.Input = "json", Envelope{Path: token(f.name), Many: true, Known: true, Schema: in.items(f.schema)}
		}
	}
}

// why says how a thing was found.
func (t *thing) why() string {
	var parts []string
	for _, p := range t.colls {
		parts = append(parts, "all at "+p.path())
	}
	if t.memb != nil {
		parts = append(parts, "one at "+t.memb.path())
	}
	if t.alone != nil {
		parts = append(parts, "the only one at "+t.alone.path())
	}
	if len(parts) > 4 {
		parts = append(parts[:3], strconv.Itoa(len(parts)-3)+" more")
	}
	return strings.Join(parts, ", ")
}

func (p *place) path() string {
	if p.up == nil {
		return ""
	}
	if p.word == "" {
		return p.up.path() + "/{" + p.param + "}"
	}
	return p.up.path() + "/" + p.word
}

// name gives each thing a name of its own: its word, else with that of what it
// is in.
func (in *inference) name(all []*thing) {
	byWord := map[string][]*thing{}
	var order []string
	for _, t := range all {
		name := identifier(t.word)
		if len(byWord[name]) == 0 {
			order = append(order, name)
		}
		byWord[name] = append(byWord[name], t)
	}
	taken := map[string]bool{}
	for _, name := range order {
		taken[name] = true
	}
	for _, name := range order {
		plain := plainest(byWord[name])
		for i, t := range byWord[name] {
			if t.res.Name = name; i == plain {
				continue
			}
			long := name
			for p := t.base().up; p != nil && taken[long]; p = p.up {
				if p.word != "" && !prefix(p.word) {
					long = identifier(p.word) + "_" + long
				}
			}
			for n := 2; taken[long]; n++ {
				long = name + "_" + strconv.Itoa(n)
			}
			taken[long] = true
			t.res.Name = long
		}
	}
}

// plainest is the one of several of a name that keeps it: the one that is in
// nothing, which could lend it a name, else the one most is done with, else that
// with the shortest path.
func plainest(all []*thing) int {
	best := 0
	for i, other := range all {
		if alone := lone(other); alone != lone(all[best]) {
			if alone {
				best = i
			}
			continue
		}
		n, most := len(other.calls), len(all[best].calls)
		if n > most || n == most && other.seat().steps() < all[best].seat().steps() {
			best = i
		}
	}
	return best
}

// steps counts the words and parameters of a place's path.
func (p *place) steps() int {
	n := 0
	for ; p.up != nil; p = p.up {
		n++
	}
	return n
}

// base is the place of a thing's word.
func (t *thing) base() *place {
	p := t.seat()
	for p.word == "" && p.up != nil && p.up.up != nil {
		p = p.up
	}
	return p
}

func (t *thing) seat() *place {
	switch {
	case t.memb != nil:
		return t.memb
	case t.alone != nil:
		return t.alone
	default:
		return t.colls[0]
	}
}

// order lists the resources, parents before children.
func (in *inference) order(all []*thing) {
	listed := map[*Resource]bool{}
	var add func(t *thing, depth int)
	add = func(t *thing, depth int) {
		if listed[t.res] || depth > 64 {
			return
		}
		if t.up != nil && t.up.res == t.res.Parent && t.res.Parent != nil {
			add(t.up, depth+1)
		}
		if !listed[t.res] {
			listed[t.res] = true
			in.model.Resources = append(in.model.Resources, t.res)
		}
	}
	for _, t := range all {
		add(t, 0)
	}
}

// lone tells whether no word stands before a thing's own in its path.
func lone(t *thing) bool {
	for p := t.base().up; p != nil; p = p.up {
		if p.word != "" && !prefix(p.word) {
			return false
		}
	}
	return true
}
