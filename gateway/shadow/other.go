package shadow

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// What a call does to the record that its path names, whatever its operation is.
const (
	changes = "change"
	deletes = "delete"
)

// deed is what an act does to which record: PATCH, PUT and POST /…/update are one
// deed. "": it is none of these.
func (f *flat) deed() (does, record string) {
	path := f.Operation.Bare()
	for _, name := range parameters(path) {
		path = strings.ReplaceAll(path, "{"+name+"}", "\x00"+f.Input.Path[name])
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	does = map[string]string{http.MethodPut: changes, http.MethodPatch: changes, http.MethodPost: changes, http.MethodDelete: deletes}[f.Operation.Method]
	switch last := parts[len(parts)-1]; {
	case slices.Contains([]string{"update", "edit", "modify", "patch", "change", "replace", "save"}, last):
		parts = parts[:len(parts)-1]
	case slices.Contains([]string{"delete", "remove", "destroy"}, last):
		does, parts = deletes, parts[:len(parts)-1]
	}
	if len(parts) == 0 || does == "" {
		return "", ""
	}
	last := parts[len(parts)-1]
	if strings.HasPrefix(last, "\x00") {
		return does, strings.Join(parts, "/")
	}
	for _, name := range []string{"id", words.Singular(last) + "_id", words.Singular(last) + "Id", words.Singular(last)} {
		if l := f.leaves[inBody+" "+name]; l != nil {
			return does, strings.Join(append(parts, "\x00"+l.spelled), "/")
		}
	}
	return "", ""
}

// otherwise pairs what is left where both did the same to one record by two
// operations. That is interesting at best.
func (p *pairing) otherwise() {
	open := map[string][]*flat{}
	for _, f := range p.person {
		if does, record := f.deed(); !f.paired && does != "" {
			key := f.Operation.Service + " " + does + " " + record
			open[key] = append(open[key], f)
		}
	}
	for _, a := range p.agent {
		does, record := a.deed()
		if a.paired || does == "" {
			continue
		}
		for _, b := range open[a.Operation.Service+" "+does+" "+record] {
			if b.paired || b.called() == a.called() {
				continue
			}
			if one := p.loosely(a, b, does); one != nil {
				p.join(one)
				break
			}
		}
	}
}

// loosely is the pair of two acts of two operations; nil: they have nothing in
// common. A call that replaces a record says more than one that changes it: what one
// of them says alone is no difference.
func (p *pairing) loosely(a, b *flat, does string) *pair {
	one := &pair{agent: a, person: b, loosely: true}
	c := comparison{ids: map[string]string{}}
	for key, x := range a.leaves {
		if y := b.leaves[key]; y != nil && x.in == inBody {
			p.one(&c, a, b, x, y)
		}
	}
	if c.said+c.who == 0 && does != deletes || c.said > 0 && c.shared == 0 && c.grave() == 0 {
		return nil
	}
	slices.SortFunc(c.fields, func(x, y trail.Apart) int { return strings.Compare(x.Field, y.Field) })
	one.fields = c.fields
	one.why = append(one.why, fmt.Sprintf("the person did it by %s %s", b.Operation.Method, b.Operation.Bare()))
	if grave(a.Class) && !grave(b.Class) {
		one.why = append(one.why, fmt.Sprintf("the agent's way is %s, the person's is %s", a.Class, b.Class))
	}
	return one
}
