package shadow

import (
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/class"
	"parity/specs/schema"
	"parity/specs/words"
)

// amounts are words of names of money and of how much there is to be of a thing.
var amounts = strings.Fields("amount amounts price total subtotal cents sum balance fee fees cost costs gross net currency quantity qty percent discount budget")

// people are words of names of who or where something goes to.
var people = strings.Fields("cc bcc recipient recipients attendee attendees invitee invitees channel channels payee beneficiary phone iban destination email emails")

// ours are names of who it comes from: an address in one of these is no recipient.
var ours = strings.Fields("from sender reply author committer requester creator organizer")

// places are names of where data goes, in calls that decide that.
var places = strings.Fields("url uri endpoint callback webhook target_url")

// marks are last words of names that say which record is meant.
var marks = strings.Fields("id ids uuid gid iid sku ts ref branch base head")

// ordinary are names of one of a collection that are ordinary names of fields.
var ordinary = strings.Fields("label tag comment message note content status property event file type state kind name title description")

// loose are maps in which services keep what clients want to be kept.
var loose = strings.Fields("metadata custom_fields")

// sense is what a difference in a field would be: by the contract where it says
// enough, else by the names in its path. The README has these as a table.
func (p *pairing) sense(a *Act, l *leaf, says *field) trail.Sense {
	if l.in == inPath {
		return trail.SenseTarget
	}
	var names []string
	for _, name := range l.path {
		if !index(name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(loose, name) }) {
		return trail.SenseOther
	}
	last := names[len(names)-1]
	switch {
	case recipient(l, names, says), a.Class == class.Admin && has(last, places):
		return trail.SenseRecipient
	case p.refers(a, names):
		return trail.SenseTarget
	case slices.ContainsFunc(names, func(name string) bool { return has(name, amounts) }) && counts(l, says, last):
		return trail.SenseAmount
	case marked(last):
		return trail.SenseTarget
	}
	return trail.SenseOther
}

// refers tells a field that holds which record is meant: by what the contract says
// that it points into, or since it is called what one of a collection is.
func (p *pairing) refers(a *Act, names []string) bool {
	path := strings.Join(names, ".")
	if a.Contract == nil {
		return false
	}
	if _, ok := a.Contract.Refers(a.Operation.Anatomy.Collection, path); ok {
		return true
	}
	return p.kinds(a)[names[len(names)-1]]
}

// kinds are the names of one record of each collection of a contract, besides those
// that are ordinary words of fields.
func (p *pairing) kinds(a *Act) map[string]bool {
	if found := p.singular[a.Contract]; found != nil {
		return found
	}
	found := map[string]bool{}
	for _, op := range a.Contract.Operations {
		if name := words.Singular(op.Anatomy.Collection); name != "" && name != op.Anatomy.Collection && !slices.Contains(ordinary, name) {
			found[name] = true
		}
	}
	p.singular[a.Contract] = found
	return found
}

func has(name string, any []string) bool {
	return slices.Contains(any, strings.ToLower(name)) || slices.ContainsFunc(words.Split(name), func(word string) bool { return slices.Contains(any, word) })
}

// counts tells a value that says how much: a number, by the contract or as it is
// written, or the currency of one.
func counts(l *leaf, says *field, last string) bool {
	if has(last, []string{"currency"}) || says.decimal || says.kinds&(schema.Integer|schema.Number) != 0 {
		return true
	}
	switch v := l.value.(type) {
	case int64, float64:
		return true
	case string:
		return decimal().MatchString(v)
	}
	return false
}

// recipient tells a field of who or where something goes to. What somebody is
// called beside an address is none.
func recipient(l *leaf, names []string, says *field) bool {
	for _, name := range names {
		if has(name, ours) {
			return false
		}
	}
	last := names[len(names)-1]
	if _, is := l.value.(bool); is {
		return false
	}
	if len(names) > 1 && slices.Contains([]string{"name", "displayName", "display_name", "type", "optional", "responseStatus", "comment"}, last) {
		return false
	}
	return says.formats["email"] || slices.ContainsFunc(names, recipients)
}

// recipients tells a name, of one or of a list.
func recipients(name string) bool {
	all := words.Split(name)
	return name == "to" || has(name, people) && !slices.Contains(all, "settings") || len(all) == 2 && all[1] == "account" && (all[0] == "bank" || all[0] == "external")
}

// marked tells a name whose last word says which record is meant.
func marked(name string) bool {
	all := words.Split(name)
	return len(all) > 0 && slices.Contains(marks, all[len(all)-1])
}
