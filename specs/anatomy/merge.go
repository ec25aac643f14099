package anatomy

// merge makes one thing of those that are the same by two ways: /posts/{id} and
// /users/{id}/posts.
func (in *inference) merge() {
	groups := map[string][]*thing{}
	var words []string
	for _, t := range in.things {
		if t.alone != nil {
			continue
		}
		word := singular(t.word)
		if groups[word] == nil {
			words = append(words, word)
		}
		groups[word] = append(groups[word], t)
	}
	for _, word := range words {
		in.unite(groups[word])
	}
	for _, t := range in.things {
		for t.up != nil && t.up.gone != nil {
			t.up = t.up.gone
		}
	}
	for _, word := range words { // those in things that have become one
		in.unite(groups[word])
	}
}

// unite joins things of one word: members first, then the lists without.
func (in *inference) unite(all []*thing) {
	for i, b := range all {
		for _, a := range all[:i] {
			if a.gone == nil && b.gone == nil && a.memb != nil && b.memb != nil {
				if host, guest := in.hosts(a, b); host != nil {
					host.join(guest)
				}
			}
		}
	}
	for _, guest := range all {
		if guest.gone != nil || guest.memb != nil {
			continue
		}
		var best *thing
		score := 0
		for _, host := range all {
			if host == guest || host.gone != nil || guest.inside(host) || host.inside(guest) {
				continue
			}
			if n := in.likeness(host, guest); n > score {
				best, score = host, n
			}
		}
		if best != nil {
			best.join(guest)
		}
	}
}

// hosts tells which of two things with members is to take in the other; nil
// for neither.
func (in *inference) hosts(a, b *thing) (host, guest *thing) {
	if a.record == nil || b.record == nil || !in.same(a.record, b.record) || a.inside(b) || b.inside(a) {
		return nil, nil
	}
	if b.depth() < a.depth() {
		a, b = b, a
	}
	switch {
	case !b.memb.has(Read): // which of them belong to another thing
		return nil, nil
	case a.up == b.up && a.base().up == b.base().up: // two words for the same
	case a.up == b.up && a.up != nil && a.depth() < b.depth():
	case a.depth() == 0 && b.depth() > 0 && (in.core(a.record) == in.core(b.record) || in.linked(b)):
	default:
		return nil, nil
	}
	if in.idOf(a).Field != in.idOf(b).Field {
		return nil, nil
	}
	return a, b
}

// likeness says how surely a list belongs to another thing; 0: it does not.
func (in *inference) likeness(host, guest *thing) int {
	if host.record == nil || guest.record == nil {
		return 0
	}
	exact := in.core(host.record) == in.core(guest.record)
	score := 0
	switch near := shared(host.seat(), guest.seat()); {
	case host.memb == nil && (!exact || host.depth() > guest.depth() || host.depth() > 0 && host.up != guest.up):
		return 0
	case exact:
		score = 100 + near
	case in.makes(guest, host):
		score = 50 + near
	case in.same(host.record, guest.record) && (near >= 2 || host.depth() == 0 || guest.depth() == 0):
		score = 10 + near
	default:
		return 0
	}
	if host.memb != nil {
		score += 100
	}
	across := guest.depth() == 0 || guest.depth() < host.depth() // those of all hosts
	if !across && !guest.colls[0].has(Create) && !in.linked(guest) && host.memb != nil {
		return 0 // which of them belong to another thing
	}
	return score
}

// shared counts the places that two have above them in common.
func shared(a, b *place) int {
	above := map[*place]bool{}
	for p := a; p.up != nil; p = p.up {
		above[p] = true
	}
	for p := b; p.up != nil; p = p.up {
		if above[p] {
			return p.steps()
		}
	}
	return 0
}

// makes tells whether a create call of one thing answers with the record of
// another.
func (in *inference) makes(t, of *thing) bool {
	for _, p := range t.colls {
		if c := p.of(Create); c != nil {
			e := in.unwrap(in.reply(c), of.record, of.word)
			return e.Fits && in.core(e.Schema) == in.core(of.record)
		}
	}
	return false
}

// linked tells whether records say whose they are, where a path says it.
func (in *inference) linked(t *thing) bool {
	seats := t.colls
	if t.memb != nil {
		seats = append(seats[:len(seats):len(seats)], t.memb)
	}
	for _, p := range seats {
		for _, c := range p.calls {
			stop := ""
			if p == t.memb && len(c.keys) > 0 {
				stop = c.keys[len(c.keys)-1]
			}
			if params, words := c.route.owners(stop); len(params) > 0 {
				return len(in.parents(t, params[len(params)-1:], words[len(words)-1:])) > 0
			}
		}
	}
	return false
}

// inside tells whether a thing is part of another: folders in folders.
func (t *thing) inside(other *thing) bool {
	for up := t.up; up != nil; up = up.up {
		if up == other {
			return true
		}
	}
	return false
}

// depth counts the path parameters that say whose a thing is.
func (t *thing) depth() int { return len(t.within()) }

func (t *thing) within() []string {
	p := t.seat()
	stop := ""
	if p == t.memb {
		stop = p.name()
	}
	for _, c := range p.calls {
		params, _ := c.route.owners(stop)
		return params
	}
	return p.within()
}

func (t *thing) join(guest *thing) {
	guest.gone = t
	if plural(guest.word) && !plural(t.word) {
		t.word = guest.word
	}
	t.colls = append(t.colls, guest.colls...)
	if t.record == nil {
		t.record = guest.record
	}
}
