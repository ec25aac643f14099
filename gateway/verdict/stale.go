package verdict

import (
	"fmt"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
)

// readsPast judges what an agent did about an answer out of a cache: before
// anything irreversible it reads past the cache.
func (j *judge) readsPast(f firing) finding {
	line := tag(f.c) + first(f.s.Did, "answered from a cache")
	a := j.after(f.c, func(n *call) bool {
		return n.reads() && n.arrived() && n.x.Status/100 == 2 && n.sameMatter(f.c) && whole(n)
	})
	for _, c := range append(append([]*call{}, a.rests...), a.others...) {
		if c.x.Effect == "irreversible" && c.x.Committed && (c.about(f.c) || c.x.Service == f.c.x.Service) {
			return finding{
				reaction: trail.Mishandled, presumed: true, weak: !c.about(f.c), calls: []*call{c}, line: line + gap + j.deed(c) + ", without reading it again",
				head: "did what cannot be undone on an old answer", remedy: "read past the cache (Cache-Control: no-cache) before an act that cannot be undone",
			}
		}
	}
	switch {
	case a.repair != nil && len(a.rests) == 0:
		return finding{reaction: trail.Handled, line: line + gap + tag(a.repair) + "read it again", calls: []*call{a.repair}}
	case len(a.rests) > 0 && j.toldAfter(&a, f.c) != nil:
		told := j.toldAfter(&a, f.c)
		return finding{
			reaction: trail.Mishandled, presumed: true, calls: []*call{a.rests[0], told}, line: line + gap + j.deed(a.rests[0]) + gap + j.deed(told) + ", without reading it again",
			head: "told people what an old answer said", remedy: "read past the cache (Cache-Control: no-cache) before people are told what rests on it",
		}
	case len(a.rests) > 0:
		return open(line+gap+j.deed(a.rests[0]), "that can be undone, and may rest on what the cache said", a.rests[0])
	}
	return open(line+gap+"nothing that cannot be undone rested on it", "nothing shows what it made of that answer")
}

// createsAgain judges what an agent did about a read that lagged: a miss right
// after a create is no reason to create again.
func (j *judge) createsAgain(f firing) finding {
	line := tag(f.c) + first(f.s.Did, "did not show it yet")
	made := j.before(f.c)
	for _, c := range j.followed(f.c) {
		if !c.changedThings() {
			continue
		}
		if _, did := j.effect(c); !did {
			continue
		}
		for _, earlier := range made {
			if !earlier.changedThings() || earlier.reads() || !j.equals(earlier, c) {
				continue
			}
			return finding{
				reaction: trail.Mishandled, calls: []*call{earlier, c}, rests: on(effects, earlier, c),
				line:   j.deed(earlier) + gap + line + gap + j.deed(c) + " once more",
				remedy: "wait for the search to catch up, or read the record by its id, before making another",
			}
		}
	}
	a := j.after(f.c, readAgain(f.c))
	for _, n := range j.followed(f.c) {
		if !n.reads() && exists(n) {
			return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + tag(n) + "tried it again, and was told that it is there"}
		}
	}
	switch {
	case len(a.rests) > 0 && j.remakes(made, a.rests[0]):
		return finding{
			reaction: trail.Mishandled, presumed: true, calls: []*call{a.rests[0]}, line: line + gap + j.deed(a.rests[0]),
			remedy: "wait for the search to catch up, or read the record by its id, before making another",
		}
	case a.repair != nil:
		return finding{reaction: trail.Handled, calls: []*call{a.repair}, line: line + gap + tag(a.repair) + "read again"}
	case len(a.rests) > 0:
		n := a.rests[0]
		for _, earlier := range made {
			if earlier.changedThings() && createdID(earlier, n) {
				return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + j.deed(n) + ", by the id that it had been told"}
			}
		}
		if denies(n.read().prose) {
			return finding{
				reaction: trail.Mishandled, presumed: true, calls: []*call{n}, line: line + gap + j.deed(n),
				head: "said that there is nothing, as a list lagged", remedy: "wait for the list to catch up, or read the record by its id, before saying that there is nothing",
			}
		}
		return open(line+gap+j.deed(n), "nothing shows whether that rests on the late answer", n)
	}
	return open(line+gap+"nothing was made again", "nothing shows what it made of that answer")
}

// remakes tells a call that makes, in other words, what one of others had made.
func (j *judge) remakes(made []*call, n *call) bool {
	for _, earlier := range made {
		if earlier.changedThings() && earlier.name() == n.name() && earlier.x.Path == n.x.Path && !otherPeople(earlier, n) &&
			likenessOf(earlier.read().texts, n.read().texts) >= 0.5 && !createdID(earlier, n) {
			if _, ok := principal(n, j.written(n)); ok {
				return true
			}
		}
		made, ok := principal(n, j.written(n))
		was, ok2 := principal(earlier, j.written(earlier))
		if ok && ok2 && made.Collection == was.Collection && extends(made.value, was.value) {
			return true
		}
	}
	return false
}

// extends tells a record that has another one's name with something put to it.
func extends(value, was map[string]any) bool {
	for _, name := range keys(value, was) {
		s, ok := value[name].(string)
		t, ok2 := was[name].(string)
		if ok && ok2 && naming(name) && len(t) > 3 && s != t && strings.HasPrefix(s, t) {
			return true
		}
	}
	return false
}

// createdID tells whether a call names a record that another made.
func createdID(earlier, n *call) bool {
	for _, d := range earlier.delta {
		if len(d.Before) == 0 && n.read().marks[strings.ToLower(d.ID)] {
			return true
		}
	}
	for _, id := range wireIDs(earlier) {
		if n.read().marks[strings.ToLower(id)] || actsOn(n, id) {
			return true
		}
	}
	reply, _ := world.Decode(earlier.reply())
	number, ok := reply["number"].(int64)
	return ok && actsOn(n, fmt.Sprint(number))
}

// actsOn tells a call whose path names a record.
func actsOn(n *call, id string) bool {
	for part := range strings.SplitSeq(strings.TrimSuffix(n.x.Path, ".json"), "/") {
		if strings.EqualFold(part, id) {
			return true
		}
	}
	return false
}

// equals tells two calls that make the same thing, by whichever operation.
func (j *judge) equals(a, b *call) bool {
	if a.x.Intent.Fingerprint != "" && a.x.Intent.Fingerprint == b.x.Intent.Fingerprint {
		return true
	}
	if a.x.Service != b.x.Service {
		return false
	}
	ta, ok := principal(a, j.written(a))
	tb, ok2 := principal(b, j.written(b))
	if movesMoney(nounOf(&ta)) && ok && ok2 && ta.Collection == tb.Collection {
		return moved(ta.value) == moved(tb.value) && target(a) != "" && target(a) == target(b) && !otherLabels(fieldsOf(a), fieldsOf(b))
	}
	return ok && ok2 && ta.Collection == tb.Collection && ta.ID != tb.ID && alike(ta.value, tb.value)
}

// alike tells two records that stand for the same thing: a name of theirs is
// equal, and no label says otherwise.
func alike(a, b map[string]any) bool {
	equal := false
	for _, name := range keys(a, b) {
		x, y := a[name], b[name]
		if inner, ok := x.(map[string]any); ok {
			if other, ok := y.(map[string]any); ok && name != "parent" && len(inner) > 0 && alike(inner, other) {
				equal = true
			}
			continue
		}
		s, ok := x.(string)
		t, ok2 := y.(string)
		if !ok || !ok2 || s == "" || t == "" || !naming(name) {
			continue
		}
		if fmt.Sprint(s) == fmt.Sprint(t) {
			equal = true
		} else if name != "id" && !passing(name) {
			return false
		}
	}
	return equal
}

// naming tells a field by which people tell two records apart.
// A table of English, not of any one service.
func naming(name string) bool {
	return name != "id" && hasWord(name, "email", "name", "title", "subject", "summary", "external", "reference", "ref", "sku", "order", "number", "phone", "domain", "slug", "company")
}
