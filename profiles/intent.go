package profiles

import (
	"parity/faults"
	"parity/specs"
)

func intentsKey() key {
	fields := func(doc, example string) key {
		return key{kind: oneOrMany, some: true, of: &key{kind: text, example: example}, doc: doc}
	}
	by := fields("The only fields of query and body that tell two calls apart; the rest of a call may differ in one and the same intent.", "charge")
	by.name, by.example = "by", "[charge, amount]"
	ignoring := fields("Fields that do not tell two calls apart, besides keys, times and names of the try.", "metadata.run")
	ignoring.name, ignoring.example = "ignoring", "[metadata.run]"
	return key{
		name: "intents", kind: table, names: effectForm, doc: "What an agent means by a call, where fields say otherwise than is guessed, by operation: stripe POST /v1/refunds.",
		of: &key{kind: object, unit: true, doc: "What tells two intents of the operation apart.", keys: []key{by, ignoring}},
	}
}

// Meaning corrects what tells two calls of an operation apart; nil: the profile
// corrects nothing.
func (p *Profile) Meaning(op *specs.Operation) *faults.Meaning { return p.meanings[op] }

// intents reads how intents are told apart. Of two patterns that match an
// operation the first counts, which is the nearer file's.
func (b *binder) intents() map[*specs.Operation]*faults.Meaning {
	all := map[*specs.Operation]*faults.Meaning{}
	for _, f := range b.tree.get("intents").all() {
		it := f.item
		if !it.ok() {
			continue
		}
		by, ignoring := it.get("by"), it.get("ignoring")
		switch {
		case by == nil && ignoring == nil:
			b.wrong(it.place, "such as by: [charge, amount], or ignoring: [metadata.run]", "intents of %s: nothing says what tells them apart", shorten(f.name))
		case by != nil && ignoring != nil:
			b.wrong(ignoring.place, "keep one of them", "intents of %s: by names all that counts, so that nothing is left to ignore", shorten(f.name))
		}
		name := &item{place: f.place, key: &key{kind: text, example: "stripe POST /v1/refunds"}, value: f.name, source: f.name}
		patterns := b.patterns(&item{place: f.place, list: []*item{name}}, operations)
		if len(patterns) == 0 {
			continue
		}
		var matched []*specs.Operation
		for _, op := range b.opsOf(patterns[0].Service()) {
			if patterns[0].Match(op) {
				matched = append(matched, op)
			}
		}
		meaning := &faults.Meaning{By: b.asked(f.name, by, matched), Ignoring: b.asked(f.name, ignoring, matched)}
		for _, op := range matched {
			if all[op] == nil {
				all[op] = meaning
			}
		}
	}
	return all
}

// asked reads the fields of calls, each of which one of the operations may have.
func (b *binder) asked(of string, it *item, ops []*specs.Operation) []string {
	var fields []string
	for _, e := range it.entries() {
		if !e.ok() {
			continue
		}
		var known []string
		asks := false
		for _, op := range ops {
			asks = asks || op.Asks(e.str())
			known = append(known, op.AskNames()...)
		}
		if !asks && !b.settled {
			b.wrong(e.place, didYouMean(e.str(), known), "intents of %s: a call has no field %s", shorten(of), shorten(e.str()))
			continue
		}
		fields = append(fields, e.str())
	}
	return fields
}
