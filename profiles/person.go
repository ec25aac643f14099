package profiles

import (
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
)

// DoesNothing is what a person does who comes, and leaves again.
const DoesNothing = "nothing"

// A Person stands in for one for whom a service waits, by the clock.
type Person struct {
	Name, Service string
	Waits         string // the kind of what waits, such as "checkout"; "": whatever they can do something with
	Does          string // the act; DoesNothing: none
	After         time.Duration
	Every         int // each so many-th of what waits is theirs; 0: all
	With          map[string]any

	collections []string // of what they can do something with
}

// For tells whether the person is there for what waits.
func (p *Person) For(service, kind, collection string) bool {
	return p.Service == service && (p.Waits == "" || p.Waits == kind) && slices.Contains(p.collections, collection)
}

func personKey() *key {
	return &key{kind: object, doc: "Somebody who stands in for a person that a service waits for: who pays on a page, authenticates, presses a button. The first in file order who is there for what waits has it.", keys: []key{
		{name: "service", kind: name, full: true, example: "acme-crm", doc: "The service that waits."},
		{name: "waits", kind: text, example: "checkout", otherwise: "whatever the act can be done with", doc: "What they are there for, as `parity act` calls it."},
		{name: "does", kind: text, full: true, example: "complete", doc: "The act, as `parity act` calls it; nothing leaves it waiting."},
		{name: "after", kind: span, example: "30s", otherwise: "at once", doc: "How long after it began to wait, on the run's clock."},
		{name: "every", kind: whole, least: 1, most: 100_000, example: "3", otherwise: "1", doc: "They have each so many-th of what they are there for; the others are left to whoever comes after them."},
		{name: "with", kind: anything, example: "{card: pm_card_visa}", doc: "What goes with the act."},
	}}
}

// people reads who stands in for people, in file order.
func (b *binder) people() (all []Person) {
	for _, f := range b.tree.get("people").all() {
		if !f.item.ok() {
			continue
		}
		before := b.errors
		b.complete(f, "person")
		p := Person{
			Name: f.name, Service: f.item.get("service").str(), Waits: f.item.get("waits").str(), Does: f.item.get("does").str(),
			After: f.item.get("after").span(), Every: int(f.item.get("every").count()), //nolint:gosec // bounded
		}
		if with := f.item.get("with"); with.ok() {
			p.With = cast.Object(scalarOf(with))
			if p.With == nil {
				b.wrong(with.place, "such as with: {card: pm_card_visa}", "person %s: with is a map", f.name)
			}
		}
		if b.errors == before {
			b.personLint(f, &p)
		}
		all = append(all, p)
	}
	return all
}

// personLint refuses what a person cannot do, and finds what they act on.
func (b *binder) personLint(f field, p *Person) {
	at := func(key string) place { return f.item.get(key).where(f.place) }
	service, known := b.catalogue.Service(p.Service)
	acts := service.ActsOf()
	switch {
	case !known || b.tree.get("services").get(p.Service) == nil:
		b.wrong(at("service"), didYouMean(p.Service, namesOf(b.tree.get("services"))), "person %s: %s is no service of this profile", p.Name, shorten(p.Service))
		return
	case len(acts) == 0:
		b.wrong(at("service"), "take it out", "person %s: nothing of %s waits for a person", p.Name, p.Service)
		return
	}
	var kinds, names, with []string
	for _, a := range acts {
		kinds = append(kinds, a.Waits)
		if p.Waits != "" && p.Waits != a.Waits {
			continue
		}
		names = append(names, a.Name)
		if a.Name == p.Does || p.Does == DoesNothing {
			p.collections, with = append(p.collections, a.Collection), append(with, a.With...)
		}
	}
	switch {
	case len(names) == 0:
		b.wrong(at("waits"), didYouMean(p.Waits, distinct(kinds)), "person %s: nothing of %s waits as %s", p.Name, p.Service, shorten(p.Waits))
		return
	case len(p.collections) == 0:
		b.wrong(at("does"), didYouMean(p.Does, distinct(append(names, DoesNothing))), "person %s: %s is no act of %s", p.Name, shorten(p.Does), strings.TrimSpace(p.Service+" "+p.Waits))
		return
	}
	for name := range p.With {
		if !slices.Contains(with, name) {
			b.wrong(at("with"), didYouMean(name, distinct(with)), "person %s: nothing called %s goes with %s", p.Name, shorten(name), p.Does)
		}
	}
}

func distinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
