package profiles

import (
	"slices"
	"strings"

	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
)

func classesKey() key {
	return key{
		name: "classes", kind: table, names: effectForm, of: &key{kind: anything, example: "read"},
		doc: "What sort of act operations are (" + strings.Join(classWords(), ", ") + "), where the contract does not say or says it wrongly, by operation: a class; a list of {class, when}, of which the first that holds counts; or, where it takes GraphQL, {query, mutation, fields}.",
	}
}

// classes reads what operations are. Of two patterns the first counts.
func (b *binder) classes() map[*specs.Operation]*policy.Classing {
	all := map[*specs.Operation]*policy.Classing{}
	for _, s := range b.tree.get("services").all() {
		for _, f := range s.item.get("classes").all() {
			if !f.item.ok() {
				continue
			}
			ops := b.operationsOf(s.name, f, "classes")
			c := b.classing(f)
			if c == nil {
				continue
			}
			for _, op := range ops {
				if all[op] == nil {
					all[op] = c
				}
				b.loosened(f, op, c)
			}
		}
	}
	return all
}

// operationsOf finds the operations that an entry of a service names, with or
// without the service before them.
func (b *binder) operationsOf(service string, f field, of string) []*specs.Operation {
	text := f.name
	if method, _, ok := strings.Cut(text, " "); ok && method == strings.ToUpper(method) {
		text = service + " " + text
	}
	name := &item{place: f.place, key: &key{kind: anything, example: "stripe POST /v1/refunds"}, value: text, source: text}
	var found []*specs.Operation
	for _, p := range b.patterns(&item{place: f.place, list: []*item{name}}, operations) {
		if p.Service() != service {
			b.wrong(f.place, "these are the "+of+" of "+service, "services.%s.%s: %s is of another service", service, of, shorten(f.name))
			continue
		}
		for _, op := range b.opsOf(service) {
			if p.Match(op) {
				found = append(found, op)
			}
		}
	}
	return found
}

// loosened warns of a write that the profile alone calls a read.
func (b *binder) loosened(f field, op *specs.Operation, c *policy.Classing) {
	if b.settled || op.Method == "GET" || op.Method == "HEAD" {
		return
	}
	for _, one := range c.Cases {
		if one.Class == class.Read && class.Of(op, b.effectOf(op)).Class != class.Read {
			b.warn(f.place, "declare it in the contract, x-parity-class: read, if it is one", "%s is called a read here alone: that is good enough for fakes, and lets nothing out to a real service", op.Name())
			return
		}
	}
}

// classing reads one entry; nil where something is wrong with it.
func (b *binder) classing(f field) *policy.Classing {
	it := f.item
	switch {
	case it.isList():
		return b.cases(f)
	case it.isMap():
		return b.graphQL(f)
	}
	c, ok := b.class(it)
	if !ok {
		return nil
	}
	return &policy.Classing{Cases: []policy.Case{{Class: c}}}
}

func (b *binder) class(it *item) (class.Class, bool) {
	text, _ := it.value.(string)
	c := class.Class(text)
	if c.Rank() == 0 {
		b.wrong(it.place, didYouMean(text, classWords()), "%s is no class: say one of %s", shorten(it.source), strings.Join(classWords(), ", "))
		return "", false
	}
	return c, true
}

func (b *binder) cases(f field) *policy.Classing {
	c := &policy.Classing{}
	for i, e := range f.item.list {
		of := e.get("class")
		if !e.isMap() || of == nil || !e.onlyHas("class", "when") {
			b.wrong(e.place, "such as {class: draft, when: request.body.state == \"draft\"}", "classes of %s: each of several is {class, when}", shorten(f.name))
			return nil
		}
		is, ok := b.class(of)
		if !ok {
			return nil
		}
		if e.get("when") == nil && i < len(f.item.list)-1 {
			b.wrong(e.place, "put it last", "classes of %s: what stands behind this one never counts, since it holds always", shorten(f.name))
			return nil
		}
		one := policy.Case{Class: is}
		if when := e.get("when"); when != nil {
			if one.When = b.condition(when); one.When == nil {
				return nil
			}
			if one.When.Needs("result") || one.When.Needs("world") {
				b.wrong(when.place, "a gate's when may ask for it", "classes of %s: what a call is follows from its request alone", shorten(f.name))
				return nil
			}
		}
		c.Cases = append(c.Cases, one)
	}
	return c
}

// onlyHas tells whether a map has no other keys.
func (i *item) onlyHas(names ...string) bool {
	return !slices.ContainsFunc(i.fields, func(f field) bool { return !slices.Contains(names, f.name) })
}

func (b *binder) graphQL(f field) *policy.Classing {
	it := f.item
	if !it.onlyHas("query", "mutation", "fields") {
		b.wrong(it.place, "such as {query: read, mutation: irreversible, fields: {addNote: reversible}}", "classes of %s: of what takes GraphQL say query, mutation and fields", shorten(f.name))
		return nil
	}
	g := &class.Table{Query: class.Read, Mutation: class.Irreversible, Fields: map[string]class.Class{}}
	ok := true
	read := func(from *item, to *class.Class) {
		if from != nil {
			c, good := b.class(from)
			*to, ok = c, ok && good
		}
	}
	read(it.get("query"), &g.Query)
	read(it.get("mutation"), &g.Mutation)
	for _, one := range it.get("fields").all() {
		var c class.Class
		read(one.item, &c)
		g.Fields[one.name] = c
	}
	if !ok {
		return nil
	}
	return &policy.Classing{GraphQL: g}
}
