package profiles

import (
	"errors"
	"net/netip"
	"slices"
	"strings"

	"parity/fakes/expression"
	"parity/fakes/world"
	"parity/specs"
)

// formKeys are the keys that say what is expected.
func formKeys() []string {
	return []string{"never", "no_call_to", "at_most", "at_least", "exactly", "each", "eventually", "finally", "only_changes", "holds", "always"}
}

// fitting tells which other keys narrow a form down.
func fitting(form string) []string {
	switch form {
	case Counts:
		return []string{"call", "new", "per"}
	case Each:
		return []string{"needs", "where", "within", "enforce"}
	case MaxAge:
		return []string{"max_age"}
	case Elapsed:
		return []string{"elapsed"}
	}
	return nil
}

// form finds what an expectation says, and refuses keys that do not go
// together.
func (b *binder) form(f field) (string, bool) {
	before := b.errors
	var said []string
	for _, key := range formKeys() {
		if f.item.get(key) != nil {
			said = append(said, key)
		}
	}
	if len(said) == 0 {
		b.wrong(f.place, "say one of "+strings.Join(formKeys(), ", "), "expectation %s does not say what is expected", f.name)
		return "", false
	}
	form := b.formOf(f, said)
	for _, other := range said[1:] {
		if form == Counts && (other == "at_least" || other == "at_most") && said[0] != "exactly" && said[len(said)-1] != "exactly" {
			continue
		}
		b.wrong(f.item.get(other).place, "make two expectations of it", "expectation %s says both %s and %s", f.name, said[0], other)
	}
	b.strays(f, form, said)
	b.lacks(f, form)
	return form, b.errors == before && f.item.sound()
}

func (b *binder) formOf(f field, said []string) string {
	switch said[0] {
	case "at_most", "at_least", "exactly":
		return Counts
	case "each":
		for _, form := range []string{MaxAge, Elapsed} {
			if f.item.get("needs") == nil && f.item.get(form) != nil {
				return form
			}
		}
	}
	return said[0]
}

// strays notes keys that another form has.
func (b *binder) strays(f field, form string, said []string) {
	for _, g := range f.item.fields {
		if slices.Contains(said, g.name) || slices.Contains(fitting(form), g.name) || slices.Contains([]string{"when", "because", "enabled"}, g.name) {
			continue
		}
		hint := ""
		switch {
		case g.name == "max_age":
			hint = "within says how long before needs may be; max_age goes with each alone"
		case g.name == "elapsed":
			hint = "elapsed goes with each alone: make two expectations of it"
		case slices.Contains(fitting(MaxAge), g.name) || slices.Contains(fitting(Each), g.name):
			hint = g.name + " goes with each"
		case form == Never || form == Each:
			hint = said[0] + " names the calls itself; " + g.name + " goes with at_most, at_least and exactly"
		default:
			hint = g.name + " goes with at_most, at_least and exactly"
		}
		b.wrong(g.place, hint, "expectation %s: %s does not go with %s", f.name, g.name, said[0])
	}
	if when := f.item.get("when"); form == Always && when != nil {
		b.wrong(when.place, "leave it out", "expectation %s: always has no when", f.name)
	}
	if f.item.get("enforce").flag(false) && f.item.get("when") != nil {
		b.wrong(f.item.get("when").place, "leave out one of them", "expectation %s: what is enforced is enforced on each call, and has no when", f.name)
	}
}

// lacks notes what a form wants and does not have.
func (b *binder) lacks(f field, form string) {
	it := f.item
	switch {
	case form == Counts && it.get("call") == nil && it.get("new") == nil:
		b.wrong(f.place, "add call: stripe POST /v1/refunds, or new: stripe.refunds", "expectation %s does not say what is counted", f.name)
	case form == Counts && it.get("call") != nil && it.get("new") != nil:
		b.wrong(it.get("new").place, "make two expectations of it", "expectation %s counts calls and new records at once", f.name)
	case form == Each && it.get("needs") == nil:
		b.wrong(f.place, "add needs: stripe GET /v1/charges/{charge}, max_age: 30s, or elapsed: 2s", "expectation %s does not say what each call wants", f.name)
	}
	least, most := it.get("at_least"), it.get("at_most")
	if least.ok() && most.ok() && least.count() > most.count() {
		b.wrong(least.place, "put them the other way round", "expectation %s: at least %d and at most %d cannot both be", f.name, least.count(), most.count())
	}
	for _, key := range []string{"within", "max_age", "elapsed"} {
		if age := it.get(key); age.ok() && age.span() == 0 {
			b.wrong(age.place, "such as "+key+": 30s", "expectation %s: nothing is that close or that quick: %s is 0", f.name, key)
		}
	}
}

// kept finds a collection of the profile's services by its name.
func (b *binder) kept(name string) (world.Collection, bool) {
	service, _, _ := strings.Cut(name, ".")
	if s, ok := b.catalogue.Service(service); ok && b.bound[service] {
		for _, c := range s.Collections {
			if c.Name == name {
				return c, true
			}
		}
	}
	return world.Collection{}, false
}

// keptNames lists the collections of the profile's services.
func (b *binder) keptNames() []string {
	var names []string
	for _, s := range b.catalogue.Services() {
		for _, c := range s.Collections {
			if b.bound[s.Name] && !c.Hidden {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// collection holds the name of a collection against those there are. Of one
// that may go on, such as stripe.charges.amount, it gives what follows.
func (b *binder) collection(it *item, name string, further bool) (found, rest string, ok bool) {
	service, _, dotted := strings.Cut(name, ".")
	switch _, there := b.catalogue.Service(service); {
	case b.failed[service]:
		return "", "", false // and it was said why
	case !there:
		hint := didYouMean(service, b.catalogue.Names())
		if !dotted {
			hint = "a collection is written SERVICE.COLLECTION, such as stripe.charges"
		}
		b.wrong(it.place, hint, "there is no service %s", shorten(service))
		return "", "", false
	case !b.bound[service]:
		b.wrong(it.place, "add it: services: {"+service+": {}}", "this profile does not bind %s", service)
		return "", "", false
	}
	for found = name; ; {
		c, is := b.kept(found)
		if is && c.Hidden {
			b.wrong(it.place, "", "%s is bookkeeping of the gateway's, not of the service", found)
			return "", "", false
		}
		if is {
			return found, strings.TrimPrefix(strings.TrimPrefix(name, found), "."), true
		}
		i := strings.LastIndexByte(found, '.')
		if i < 0 || !further {
			b.wrong(it.place, b.nearestKept(name), "there is no collection %s", shorten(name))
			return "", "", false
		}
		found = found[:i]
	}
}

func (b *binder) nearestKept(name string) string {
	if steps := strings.Split(name, "."); len(steps) > 2 {
		if word, ok := nearest(strings.Join(steps[:2], "."), b.keptNames()); ok {
			return "did you mean " + word + "." + strings.Join(steps[2:], ".")
		}
	}
	service, _, _ := strings.Cut(name, ".")
	var own []string
	for _, n := range b.keptNames() {
		if strings.HasPrefix(n, service+".") {
			own = append(own, n)
		}
	}
	return didYouMean(name, own)
}

func (b *binder) collections(it *item) []string {
	if !it.ok() {
		return nil
	}
	var all []string
	for _, e := range it.list {
		if !e.ok() {
			continue
		}
		if name, _, ok := b.collection(e, e.str(), false); ok {
			all = append(all, name)
		}
	}
	return all
}

func (b *binder) changeable(it *item) []Changeable {
	var all []Changeable
	for _, e := range it.entries() {
		name, rest, ok := b.collection(e, e.str(), true)
		if !ok {
			continue
		}
		all = append(all, Changeable{name, rest})
		b.changes(e, name, rest)
	}
	return all
}

// changes refuses a field that no record of a collection has, and no answer about
// one shows.
func (b *binder) changes(e *item, collection, path string) {
	service, short, _ := strings.Cut(collection, ".")
	first, _, _ := strings.Cut(path, ".")
	for _, op := range b.opsOf(service) {
		if op.Anatomy.Collection == short && op.Effect == specs.Read {
			if shows, _ := op.ShowsField(first); shows {
				return
			}
		}
	}
	if s, ok := b.catalogue.Service(service); path != "" && ok && s.Contract != nil {
		form := s.Contract.RecordForm(short)
		if _, known := form.Field(first); !known {
			b.wrong(e.place, didYouMean(first, form.Names()), "%s has no %s", collection, shorten(first))
		}
	}
}

// aboutTheRun refuses a condition that says nothing of the run.
func (b *binder) aboutTheRun(f field, form string, c *Condition) {
	if c == nil {
		return
	}
	at := f.item.get(form).place
	switch {
	case !c.Needs("world") && !c.Needs("calls"):
		b.wrong(at, "it speaks of world and calls", "expectation %s: %s is the same whatever happens", f.name, form)
	case form == Finally && !c.Needs("world"):
		b.wrong(at, "write holds: in its place", "expectation %s: finally is about the world at the end, and this is about calls", f.name)
	}
}

// CallFields are what each of calls has.
func CallFields() []string {
	return []string{
		"seq", "at", "elapsed", "service", "operation", "method", "host", "url", "path", "query", "body", "status", "result", "effect",
		"committed", "replayed", "outcome", "fidelity", "arrived", "faults", "identity", "intent", "attempt", "key",
		"decision", "approval", "class", "route",
	}
}

// recipient holds an entry of no_call_to against the services there are.
func (b *binder) recipient(e *item) {
	name := e.str()
	if b.failed[name] {
		return
	}
	if _, ok := b.catalogue.Service(name); ok {
		return
	}
	host := strings.TrimPrefix(name, "*.")
	_, notAddress := netip.ParseAddr(host)
	switch {
	case strings.ContainsAny(name, " /"):
		b.wrong(e.place, "calls are what never: names; this names services and hosts", "%s is neither a service nor a host", shorten(name))
	case !strings.Contains(host, ".") && host != "localhost" && notAddress != nil:
		b.wrong(e.place, didYouMean(name, b.catalogue.Names()), "there is no service %s", shorten(name))
	}
}

func asLocated(err error) (*expression.Error, bool) {
	var located *expression.Error
	return located, errors.As(err, &located)
}
