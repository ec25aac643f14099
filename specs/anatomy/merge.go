package anatomy

// merge makes one thing of those that are the same by two ways: /posts/{id} and
// /users/{id}/posts.
func (in *inference) merge() {
	groups := map[string][]*thing{}
	for _, t := range in.things {
		for t.up != nil && t.up.gone != nil {
			t.up = t.up.gone
		}
		if t.alone != nil {
			continue
		}
		word := singular(t.word)
		for _, other := range groups[word] {
			if other.gone != nil {
				continue
			}
			if host, guest := in.hosts(other, t); host != nil {
				host.join(guest)
				if guest == t {
					break
				}
			}
		}
		if t.gone == nil {
			groups[word] = append(groups[word], t)
		}
	}
}

// hosts tells which of two things is to take in the other; nil for neither.
func (in *inference) hosts(a, b *thing) (host, guest *thing) {
	if a.record != nil && b.record != nil && !in.same(a.record, b.record) {
		return nil, nil
	}
	if b.depth() < a.depth() && b.memb != nil || a.memb == nil && b.memb != nil {
		a, b = b, a
	}
	switch {
	case a.inside(b) || b.inside(a):
		return nil, nil
	case b.memb == nil && a.memb != nil:
		if a.record == nil || b.record == nil || b.depth() >= a.depth() && b.depth() > 0 && !b.colls[0].has(Create) && !in.linked(b) {
			return nil, nil
		}
	case a.memb == nil: // two lists
		if a.record == nil || b.record == nil || in.core(a.record) != in.core(b.record) || a.depth() > 0 && a.up != b.up {
			return nil, nil
		}
	case !b.memb.has(Read): // which of them belong to another thing
		return nil, nil
	case a.up == b.up && (a.depth() < b.depth() && a.up != nil || a.record != nil && b.record != nil && a.base().up == b.base().up):
	case a.depth() == 0 && b.depth() > 0 && a.record != nil && b.record != nil:
	default:
		return nil, nil
	}
	if a.memb != nil && b.memb != nil && a.record != nil && in.idOf(a).Field != in.idOf(b).Field {
		return nil, nil
	}
	return a, b
}

// linked tells whether records say whose they are, where a path says it.
func (in *inference) linked(t *thing) bool {
	for _, c := range t.colls[0].calls {
		params, words := c.route.owners("")
		if len(params) > 0 {
			return len(in.parents(t, params[len(params)-1:], words[len(words)-1:])) > 0
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
	switch {
	case t.memb != nil:
		return t.memb.within()
	case t.alone != nil:
		return t.alone.within()
	case len(t.colls) > 0:
		return t.colls[0].within()
	}
	return nil
}

func (t *thing) join(guest *thing) {
	guest.gone = t
	t.colls = append(t.colls, guest.colls...)
	if t.record == nil {
		t.record = guest.record
	}
}
