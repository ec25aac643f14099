package profiles

import (
	"net/http"
	"slices"
	"strings"

	"parity/faults"
	"parity/specs"
)

// A naming is what patterns may name at some place of a profile.
type naming int

const (
	loosely    naming = iota // also parts of a service that are not played
	operations               // operations that there are
	calls                    // operations, or calls by their path: hubspot POST /crm/v3/objects/contacts
)

// patterns reads operations, or calls.
func (b *binder) patterns(it *item, as naming) []faults.Pattern {
	if !it.ok() {
		return nil
	}
	var all []faults.Pattern
	for _, e := range it.list {
		if !e.ok() {
			continue
		}
		p, err := faults.ParsePattern(e.str())
		if err != nil {
			b.wrong(e.place, "such as "+e.key.example, "%v", err)
			continue
		}
		if p = b.plainly(p, as); b.known(e, p, as) {
			all = append(all, p)
		}
	}
	return all
}

// plainly takes off an operation's path what clients may add to it: what is judged
// afterwards goes by the path alone.
func (b *binder) plainly(p faults.Pattern, as naming) faults.Pattern {
	if as != operations || b.settled {
		return p
	}
	for _, op := range b.opsOf(p.Service()) {
		if suffix := op.Suffix(); suffix != "" && strings.HasSuffix(p.String(), suffix) && p.Match(op) {
			if plain, err := faults.ParsePattern(strings.TrimSuffix(p.String(), suffix)); err == nil {
				return plain
			}
		}
	}
	return p
}

// known holds a pattern against the services and their operations.
func (b *binder) known(e *item, p faults.Pattern, as naming) bool {
	if b.settled {
		return true
	}
	service := p.Service()
	if service != "" {
		_, ok := b.catalogue.Service(service)
		switch {
		case b.failed[service]:
			return true // and it was said why
		case !ok:
			b.wrong(e.place, didYouMean(service, b.catalogue.Names()), "there is no service %s", shorten(service))
			return false
		case !b.bound[service] && as != loosely:
			b.wrong(e.place, "add it: services: {"+service+": {}}", "this profile does not bind %s", service)
			return false
		}
	}
	if b.matched[p.String()] {
		return true
	}
	ops := b.opsOf(service)
	if slices.ContainsFunc(ops, p.Match) {
		b.matched[p.String()] = true
		return true
	}
	word, near := nearestTo(p, ops)
	if at := slices.IndexFunc(ops, p.May); as != loosely && at >= 0 && !misspelt(p, word) {
		return b.writtenOut(e, p, ops[at], as)
	}
	switch {
	case len(b.ops) == 0, as == loosely && !near:
		return true
	case as == loosely && distance(word, p.String()) > 2: // a part of the service that is not played
		return true
	case as == loosely:
		b.warn(e.place, "did you mean "+word, "%s is not an operation of the contract", shorten(e.str()))
		return true
	}
	hint := "Parity serves only what its contract has"
	if near {
		hint = "did you mean " + word
	}
	b.wrong(e.place, hint, "%s matches no operation", shorten(e.str()))
	return false
}

// writtenOut holds a path with values in it against the contract of one of the
// operations that it may be a call of.
func (b *binder) writtenOut(e *item, p faults.Pattern, op *specs.Operation, as naming) bool {
	if as == operations {
		b.wrong(e.place, "name the operation: "+op.Name(), "%s is the path of some calls, which the call of a rule may name, and nothing here", shorten(e.str()))
		return false
	}
	if why := refused(p, b.opsOf(p.Service())); why != "" {
		b.wrong(e.place, "write a value that the contract takes, or "+op.Name(), "%s is no call: %s", shorten(e.str()), why)
		return false
	}
	return true
}

// refused says what is wrong with the values of a path in every operation that
// it may be a call of; "" where there is one of them that takes them.
func refused(p faults.Pattern, ops []*specs.Operation) (why string) {
	for _, op := range ops {
		if !p.May(op) {
			continue
		}
		wrong := ""
		_, violations := op.Read(specs.Request{Path: p.Values(op), Header: http.Header{}})
		for _, v := range violations {
			if _, said := p.Values(op)[strings.TrimPrefix(v.Pointer, "/")]; v.In == "path" && said {
				wrong = "{" + strings.TrimPrefix(v.Pointer, "/") + "} " + v.Message
			}
		}
		if why = wrong; why == "" {
			return ""
		}
	}
	return why
}

// opsOf gives the operations that a pattern for a service may name: "" is any.
func (b *binder) opsOf(service string) []*specs.Operation {
	if s, ok := b.catalogue.Service(service); ok && b.bound[service] && s.Contract != nil {
		return s.Contract.Operations
	}
	return b.ops
}

// nearestTo finds the operation whose name is written most like p, with those
// values in its path that p has.
func nearestTo(p faults.Pattern, ops []*specs.Operation) (string, bool) {
	byID := !strings.Contains(p.String(), " ")
	var names []string
	for _, op := range ops {
		switch {
		case byID:
			names = append(names, op.Service+"."+op.ID)
		default:
			names = append(names, op.Name())
			if written := filledAs(p.String(), op.Name()); written != op.Name() && written != p.String() {
				names = append(names, written)
			}
		}
	}
	return nearest(p.String(), names)
}

// filledAs is an operation's name with the values that a path of as many
// segments has in the place of its parameters, if it is much the same otherwise.
func filledAs(written, name string) string {
	values, parts := strings.Split(written, "/"), strings.Split(name, "/")
	if len(values) != len(parts) {
		return name
	}
	for i, part := range parts {
		switch {
		case !strings.HasPrefix(part, "{") || !strings.HasSuffix(part, "}"):
			if distance(values[i], part) > max(1, len(part)/3) {
				return name
			}
		case values[i] != "" && !strings.ContainsAny(values[i], "{}*?["):
			parts[i] = values[i]
		}
	}
	return strings.Join(parts, "/")
}

// misspelt tells whether what a path has in the place of a value is a word of
// another path with a slip in it: customers/serach is no customer.
func misspelt(p faults.Pattern, word string) bool {
	was, is := strings.Split(p.String(), "/"), strings.Split(word, "/")
	if len(was) != len(is) || was[0] != is[0] { // service and method
		return false
	}
	slips := 0
	for i := range was {
		switch {
		case was[i] == is[i]:
		case len(was[i]) < 4, strings.ContainsAny(was[i], "0123456789*?"), strings.HasPrefix(is[i], "{"), distance(was[i], is[i]) > min(2, len(was[i])/3):
			return false
		default:
			slips++
		}
	}
	return slips == 1
}
