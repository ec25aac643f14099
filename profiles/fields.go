package profiles

import (
	"slices"
	"strings"

	"parity/fakes/expression"
	"parity/faults"
	"parity/specs"
)

// roots are what the names of an expression stand for.
type roots map[string]func() specs.Form

// speaking is an expression that is held against what there is.
type speaking struct {
	b     *binder
	it    *item
	key   string
	roots roots
	spare bool // what says that it may be absent may be so everywhere: the calls are of any service
	known map[string]specs.Form
}

// fields refuses a field that the contract does not have. What is read from it is
// not looked at.
func (b *binder) fields(it *item, key string, reads []expression.Read, of roots, calls []faults.Pattern) {
	if b.settled || b.o.Start != nil || len(b.ops) == 0 {
		return // it was found right before, or there is no contract to hold it against
	}
	r := speaking{b: b, it: it, key: key, roots: of, known: map[string]specs.Form{}}
	r.spare = slices.ContainsFunc(calls, func(p faults.Pattern) bool { return p.Service() == "" })
	for _, read := range reads {
		r.step(read)
	}
}

func (r *speaking) step(read expression.Read) {
	last := len(read.Steps) - 1
	from, ok := r.form(read.Steps[:last])
	if !ok {
		return
	}
	if last == 2 && read.Steps[1] == "header" {
		r.header(read)
		return
	}
	if _, known := from.Field(read.Steps[last]); known || r.spare && read.Guarded {
		return
	}
	r.refuse(read, from)
}

// form is what a way leads to; false: it leads nowhere, which was said before.
func (r *speaking) form(steps []string) (specs.Form, bool) {
	if len(steps) == 1 {
		root, ok := r.roots[steps[0]]
		if !ok {
			return specs.Form{}, false
		}
		return root(), true
	}
	way := strings.Join(steps, "\x00")
	if f, ok := r.known[way]; ok {
		return f, true
	}
	from, ok := r.form(steps[:len(steps)-1])
	if !ok {
		return from, false
	}
	next := steps[len(steps)-1]
	to, known := from.Field(next)
	if next == expression.Item {
		to, known = from.Item()
	}
	if known {
		r.known[way] = to
	}
	return to, known
}

func (r *speaking) refuse(read expression.Read, from specs.Form) {
	last := len(read.Steps) - 1
	name, at := read.Steps[last], r.it.place
	if read.Line == 1 {
		at = r.it.at(read.Column)
	}
	owner := strings.ReplaceAll(strings.Join(read.Steps[:last], "."), "."+expression.Item, "")
	names := from.Names()
	hint := didYouMean(name, names)
	switch steps := read.Steps; {
	case steps[0] == "world" && last <= 2:
		if last == 2 { // the service alone is no collection, and its name is judged with it
			r.b.collection(&item{place: at}, steps[1]+"."+name, false)
		} else if !r.b.bound[name] {
			r.b.collection(&item{place: at}, name+".", false)
		}
		return
	case len(names) == 0:
		r.b.wrong(at, hint, "%s: %s has no fields, and %s is none of it", r.key, owner, shorten(name))
		return
	case steps[0] == "calls" && last == 2:
		owner = "a call"
	case last == 0:
		owner = "the record"
	case last > 0 && steps[last-1] == "path" && last <= 2:
		r.b.wrong(at, hint, "%s: no path of these calls has {%s}", r.key, name)
		return
	}
	if last == 0 && name == "record" {
		r.b.warn(at, "drop \"record.\": a field is named as it stands in the record", "%s: the contract knows no field record; nothing is counted by one that is not there", r.key)
		return
	}
	if !from.Complete() && !slices.ContainsFunc(names, func(word string) bool { return misspells(name, word) }) {
		r.b.warn(at, "look at what the service sends: if that has it too, all is well", "%s: the contract knows no %s in %s", r.key, shorten(name), owner)
		return
	}
	r.b.wrong(at, hint, "%s: %s has no %s", r.key, owner, shorten(name))
}

// misspells tells whether a name is a slip for a field: contracts leave fields out,
// so that one that is like no other may be there. createdAt is none for
// created, and image_48 none for image_24.
func misspells(name, field string) bool {
	name, field = strings.ToLower(name), strings.ToLower(field)
	letters := func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}
	d := distance(name, field)
	longer, shorter := name, field
	if len(longer) < len(shorter) {
		longer, shorter = shorter, longer
	}
	part := len(longer)-len(shorter) > 1 && strings.Contains(longer, shorter)
	return d <= max(1, min(2, len(name)/4)) && !part && len(shorter) > 2 && strings.Map(letters, name) != strings.Map(letters, field)
}
