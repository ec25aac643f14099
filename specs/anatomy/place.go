package anatomy

import "slices"

// A place is where paths meet: a word or a parameter, below another place.
type place struct {
	up    *place
	word  string            // "" of a parameter
	param string            // its name at the first operation
	kids  []*place          // words below it, in the order of the document
	index map[string]*place // kids by their canonical words
	arg   *place            // the parameter below it
	calls []*call
	thing *thing // that it is the collection, a member or the one of
	as    seat
	dead  bool // its calls went elsewhere
}

// A seat is what a place is to its thing.
type seat uint8

const (
	loose seat = iota
	collection
	member
	singleton
)

func (p *place) kid(word string) *place { return p.index[key(word)] }

func (p *place) adopt(k *place) {
	if p.index == nil {
		p.index = map[string]*place{}
	}
	k.up = p
	p.index[key(k.word)] = k
	p.kids = append(p.kids, k)
}

func key(word string) string {
	if name := canon(word); name != "" {
		return name
	}
	return word
}

// put hangs a call on the place that its route leads to.
func (p *place) put(c *call) {
	for _, s := range c.route.steps {
		if s.word == "" {
			if p.arg == nil {
				p.arg = &place{up: p, param: s.param}
			}
			p = p.arg
			continue
		}
		next := p.kid(s.word)
		if next == nil {
			next = &place{word: s.word}
			p.adopt(next)
		}
		p = next
	}
	p.calls = append(p.calls, c)
}

// find gives the first call of a method that says no verb.
func (p *place) find(method string) *call {
	for _, c := range p.calls {
		if c.method == method && c.route.verb == "" {
			return c
		}
	}
	return nil
}

// has tells whether there is a call of one of the kinds, by its method or by
// its verb.
func (p *place) has(kinds ...Kind) bool {
	return p.of(kinds...) != nil
}

func (p *place) of(kinds ...Kind) *call {
	for _, kind := range kinds {
		for _, c := range p.calls {
			if c.rough() == kind {
				return c
			}
		}
	}
	return nil
}

// rough is what a call does by its method or its verb, wherever it stands. GET
// is Read, POST is Create.
func (c *call) rough() Kind {
	if c.route.verb != "" {
		return c.route.kind
	}
	switch c.method {
	case "GET":
		return Read
	case "POST":
		return Create
	case "PUT":
		return Replace
	case "PATCH":
		return Update
	case "DELETE":
		return Delete
	}
	return ""
}

// chain goes through parameters that follow one another to the one that is
// called: /repos/{owner}/{repo}. Nil when none is.
func (p *place) chain() *place {
	for m := p.arg; m != nil; m = m.arg {
		if len(m.calls) > 0 {
			return m
		}
	}
	return nil
}

// name is what the calls at a parameter's place call it.
func (p *place) name() string {
	for _, c := range p.calls {
		if len(c.keys) > 0 {
			return c.keys[len(c.keys)-1]
		}
	}
	return p.param
}

// within lists the path parameters above a place, outermost first.
func (p *place) within() []string {
	var all []string
	for at := p.up; at != nil; at = at.up {
		if at.word == "" && at.up != nil {
			all = append(all, at.param)
		}
	}
	slices.Reverse(all)
	return all
}

// marry puts words of one and of several together where they share no call:
// /pet/{id} beside /pets.
func (in *inference) marry(p *place) {
	var many map[string]*place
	for _, k := range p.kids {
		if plural(k.word) {
			if many == nil {
				many = map[string]*place{}
			}
			many[singular(k.word)] = k
		}
	}
	for _, one := range p.kids {
		if other := many[canon(one.word)]; other != nil && other != one && in.weds(one, other) {
			other.absorb(one)
			delete(p.index, key(one.word))
			one.dead = true
		}
	}
	p.kids = slices.DeleteFunc(p.kids, func(k *place) bool { return k.dead })
	for _, k := range p.kids {
		in.marry(k)
	}
	if p.arg != nil {
		in.marry(p.arg)
	}
}

func (in *inference) weds(one, many *place) bool {
	if one.collides(many) || one.arg != nil && many.arg != nil && one.arg.collides(many.arg) {
		return false
	}
	if get := one.find("GET"); get != nil && !in.listed(get.gives(), nil, one.word) {
		return false
	}
	return one.find("PATCH") == nil || one.find("POST") != nil // /user that is the caller
}

func (p *place) collides(q *place) bool {
	for _, a := range p.calls {
		for _, b := range q.calls {
			if a.method == b.method && canon(a.route.verb) == canon(b.route.verb) {
				return true
			}
		}
	}
	return false
}

// absorb takes over what stands at another place, and below it.
func (p *place) absorb(q *place) {
	p.calls = append(p.calls, q.calls...)
	if q.arg != nil {
		if p.arg == nil {
			p.arg = &place{up: p, param: q.arg.param}
		}
		p.arg.absorb(q.arg)
	}
	for _, k := range q.kids {
		if own := p.kid(k.word); own != nil {
			own.absorb(k)
			continue
		}
		p.adopt(k)
	}
}
