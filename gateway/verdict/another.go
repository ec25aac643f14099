package verdict

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"parity/fakes/world"
)

// An agent that works through a list may leave out the one item that it could not
// read, and go on with the next. What it does to that one does not rest on the
// answer that never came:
//
//	#1 GET tickets ▶ 1 by ada, 2 by bob   #2 GET users/ada ╳   #3 GET users/bob ✓
//	#4 PUT tickets/2          for another: #1 had told the two apart
//	#5 POST mail to bob@…     for another: #3 had named him
//	#6 POST message "done"    nothing shows for whom: it may rest on #2

// forAnother tells a write that is done to another thing than the one that a call
// was about: one that an answer to a like question had named, or that a list
// has apart from it. What speaks of all, or has in it what that call asked for, or
// what only its answer has, is not.
func (j *judge) forAnother(n, c *call) bool {
	own := askedFor(c)
	if len(own) == 0 || mentionsName(n, own) || j.speech.everything.MatchString(n.read().prose) {
		return false
	}
	at := aims(n)
	only := map[string]bool{} // what n may have from the answer to c alone
	for mark := range n.read().marks {
		if c.read().shown[mark] {
			only[mark] = true
		}
	}
	found := false
	const most = 128
	reads := j.before(n)
	for _, r := range reads[max(0, len(reads)-most):] {
		if !whole(r) || r == c {
			continue
		}
		for mark := range only {
			if r.read().shown[mark] {
				delete(only, mark)
			}
		}
		found = found || r.name() == c.name() && !meet(askedFor(r), own) && (meet(at, askedFor(r)) || meet(at, r.read().shown) && !meet(at, c.read().shown)) || setsApart(r, own, at)
	}
	return found && len(only) == 0
}

// askedFor are the names of what a call is about: the record that its path ends
// with, what names one thing in its query, or what it writes to. None: it asks for
// a list.
func askedFor(c *call) map[string]bool {
	switch {
	case single(c):
		return namesIn(c.x.Path)
	case c.reads():
		return marksIn(nil, c.x.Query)
	}
	return aims(c)
}

// mentionsName tells a call that has one of some names in it: as a part of its path, as a
// value, or, where it is long enough to be no other word, anywhere.
func mentionsName(n *call, own map[string]bool) bool {
	for _, part := range strings.Split(strings.TrimSuffix(n.x.Path, ".json"), "/") {
		if own[strings.ToLower(part)] {
			return true
		}
	}
	if hasValue(fieldsOf(n), own) {
		return true
	}
	found := false
	eachWord(strings.ToLower(readable(n.x.Path+" "+n.x.Query)+" "+readable(string(n.x.Body))), func(word string, _, _ int) {
		found = found || len(word) >= plain && own[word]
	})
	return found
}

// aims are what a write is done to: what its path names, to whom it goes, and what
// its fields name.
func aims(n *call) map[string]bool {
	all := map[string]bool{}
	template := strings.Split(n.x.Operation, "/")
	actual := strings.Split(strings.TrimSuffix(n.x.Path, ".json"), "/")
	for i, part := range slices.Backward(template) { // a base path stands before the template
		if at := len(actual) - len(template) + i; strings.HasPrefix(part, "{") && at >= 0 {
			all[strings.ToLower(actual[at])] = true
		}
	}
	for name, v := range flat(fieldsOf(n)) {
		if text := fmt.Sprint(v); v != nil && (marking(text) && !strings.Contains(text, " ") || hasWord(lastPart(name), "id")) {
			all[strings.ToLower(text)] = true
		}
	}
	delete(all, "")
	return all
}

// setsApart tells whether an answer has a list in which the thing of some names is
// one item, and what a write is done to is another.
func setsApart(r *call, own, at map[string]bool) bool {
	body := bytes.ToLower(r.x.ReplyBody)
	there := func(name string) bool { return bytes.Contains(body, []byte(name)) }
	if !anyName(own, there) || !anyName(at, there) {
		return false
	}
	value, err := world.Decode(r.x.ReplyBody)
	if err != nil {
		return false
	}
	apart := false
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			for _, inner := range x {
				walk(inner)
			}
		case []any:
			mine, its := false, false
			for _, item := range x {
				object := asMap(item)
				switch first, second := tellsOfOne(object, own), tellsOfOne(object, at); {
				case first && second:
					return // it is the same
				case first:
					mine = true
				case second:
					its = true
				}
			}
			apart = apart || mine && its
		}
	}
	walk(value)
	return apart
}

func anyName(set map[string]bool, is func(string) bool) bool {
	for name := range set {
		if is(name) {
			return true
		}
	}
	return false
}

// tellsOfOne tells an item of a list that has one of some names: as its id, or, where
// it is long enough to be no count, wherever it stands.
func tellsOfOne(item map[string]any, of map[string]bool) bool {
	if slices.ContainsFunc(idsOf(item), func(id string) bool { return of[strings.ToLower(id)] }) {
		return true
	}
	long := map[string]bool{}
	for name := range of {
		if len(name) > plain {
			long[name] = true
		}
	}
	return hasValue(item, long)
}

// hasValue tells whether something decoded is, or has in it, one of some names as a
// value.
func hasValue(v any, of map[string]bool) bool {
	switch x := v.(type) {
	case nil, bool:
		return false
	case map[string]any:
		for _, inner := range x {
			if hasValue(inner, of) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(x, func(inner any) bool { return hasValue(inner, of) })
	}
	return of[strings.ToLower(fmt.Sprint(v))]
}
