package verdict

import (
	"strings"

	"parity/faults/trail"
)

// likely is the finding where a later call may be the lost one once more: it is
// where a label says so, and it is none where it sets what is there already.
func (t *retryTracker) likely(f finding, like *call) finding {
	j, lost := t.j, t.lost
	_, twice := j.effect(like)
	labelled := equalLabels(fieldsOf(lost), fieldsOf(like))
	switch {
	case !twice:
		t.aside(like, "set what was to be there: "+j.done(like))
		f.line, f.calls = j.storyOf(t.steps), t.calls
		return f
	case partOf(like, lost) && lost.changedThings():
		t.aside(like, "a part of the same once more: "+j.done(like))
		f.line, f.calls, f.reaction, f.presumed, f.remedy = j.storyOf(t.steps), t.calls, trail.Mishandled, true, j.remedy(lost)
		return f
	case labelled && lost.changedThings():
		t.aside(like, "the same once more, in other words: "+j.done(like))
		f.line, f.calls, f.reaction, f.remedy = j.storyOf(t.steps), t.calls, trail.Mishandled, j.remedy(lost)
		return f
	}
	t.aside(like, "the same operation, in other words")
	if like.name() != lost.name() && lost.changedThings() && len(t.steps) > 0 && t.j.readBack(lost, like.open).at == nil {
		t.steps[len(t.steps)-1].text = tag(like) + "the same by another operation: " + j.done(like)
		f.line, f.calls, f.reaction, f.presumed, f.remedy = j.storyOf(t.steps), t.calls, trail.Mishandled, true, j.remedy(lost)
		return f
	}
	if message(like) && lost.changedThings() && like.name() == lost.name() && figures(like.read().texts) == figures(lost.read().texts) && likenessOf(like.read().texts, lost.read().texts) >= 0.4 {
		t.steps[len(t.steps)-1].text = tag(like) + "told the same people much the same: " + j.done(like)
		f.line, f.calls, f.reaction, f.presumed, f.remedy = j.storyOf(t.steps), t.calls, trail.Mishandled, true, j.remedy(lost)
		return f
	}
	if likeness(like) != likeness(lost) && t.claim(&f) {
		return f // it differs in more than words: what was said of the lost one stands
	}
	f.line, f.calls, f.reaction, f.open = j.storyOf(t.steps), t.calls, trail.Unjudged, true
	f.doubt = lost.changedThings()
	f.why = "it may be the lost call once more, or another one: nothing shows which"
	return f
}

// reworded is a later call that may do once more what the lost one was for: the
// same operation with another text or amount, or another operation that makes a
// record of the same kind and name. An agent that had seen the first by then meant
// another.
func (t *retryTracker) reworded() *call {
	if t.j.meant(t.lost) {
		return nil
	}
	for _, c := range t.j.followed(t.lost) {
		if c.intent() == t.lost.intent() || c.reads() || !c.changedThings() || c.x.Service != t.lost.x.Service {
			continue
		}
		if partOf(c, t.lost) && !t.j.readBack(t.lost, c.open).shows {
			return c
		}
		if c.name() == t.lost.name() && c.x.Intent.Fingerprint != t.lost.x.Intent.Fingerprint && !otherOrder(t.lost, c) || c.name() != t.lost.name() && t.j.stands(t.lost, c) {
			if t.j.readBack(t.lost, c.open).shows {
				return nil
			}
			return c
		}
	}
	return nil
}

// partOf tells whether all that a call says to people, another one at the same
// place had said among more.
func partOf(c, whole *call) bool {
	mine, its := c.read().prose, "\n"+whole.read().prose+"\n"
	return c.name() == whole.name() && c.x.Path == whole.x.Path && len(mine) > 8 && len(mine) < len(its)-2 && strings.Contains(its, "\n"+mine+"\n")
}

// otherOrder tells two calls of an operation that name other things: by a label,
// or by the record that they are about.
func otherOrder(a, b *call) bool {
	if a.x.Path != b.x.Path || otherPeople(a, b) {
		return true
	}
	if message(a) && address(a) != "" && likenessOf(a.read().texts, b.read().texts) >= 0.4 {
		return otherLabels(fieldsOf(a), fieldsOf(b))
	}
	x, y := fieldsOf(a), fieldsOf(b)
	return otherLabels(x, y) || !alikeOrBare(x, y)
}

// otherPeople tells two calls that go to other addresses.
func otherPeople(a, b *call) bool {
	mine, its := address(a), address(b)
	return mine != "" && its != "" && mine != its
}

// alikeOrBare tells two bodies that name the same thing, or nothing at all.
func alikeOrBare(a, b map[string]any) bool {
	if alike(a, b) {
		return true
	}
	for _, name := range keys(a, b) {
		if _, text := a[name].(string); text && naming(name) && !same(a[name], b[name]) {
			return false
		}
		if inner, ok := a[name].(map[string]any); ok {
			if other, ok := b[name].(map[string]any); ok && !alikeOrBare(inner, other) {
				return false
			}
		}
	}
	return true
}

// stands tells a call that, by another operation, makes what the lost one made
// or would have: a record of the same kind, with the same name.
func (j *judge) stands(lost, c *call) bool {
	made, ok := principal(c, j.written(c))
	if !ok {
		made = touched{}
		for _, t := range j.written(c) {
			made = t
			break
		}
	}
	if was, ok := principal(lost, j.written(lost)); ok {
		return made.Collection == was.Collection && (made.ID == was.ID || alike(made.value, was.value) || equalLabels(made.value, was.value) ||
			namedLike(was.value, made.value))
	}
	return made.value != nil && meetNouns(c.read(), lost.read()) && meet(c.read().marks, lost.read().marks)
}

// namedLike tells two records whose names are much alike: as another operation
// puts them.
func namedLike(a, b map[string]any) bool {
	for _, name := range keys(a, b) {
		x, ok := a[name].(string)
		y, ok2 := b[name].(string)
		if ok && ok2 && naming(name) && likenessOf(x, y) >= 0.6 {
			return true
		}
	}
	return false
}
