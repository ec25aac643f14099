package profiles

import (
	"slices"
	"strings"

	"parity/specs"
)

func shadowKey() key {
	return key{name: "shadow", kind: object, doc: "How what the agent wrote is held against what people did: parity shadow compare.", keys: []key{{
		name: "acceptable", kind: oneOrMany, some: true, adds: true, of: &key{kind: text, example: "description"}, example: "[description, metadata.*]",
		doc: "Fields of query and body that may differ without anybody having to look: with all that is within them, where * stands for any one name, and numbers of items are left out. Those of profiles that are extended count too. Nothing of a field here is called dangerous, not even an amount.",
	}}}
}

// shadow reads which fields of writes may differ from what people say there.
func (b *binder) shadow() []string {
	var fields []string
	for _, e := range b.tree.get("shadow").get("acceptable").entries() {
		if !e.ok() {
			continue
		}
		names := strings.Split(e.str(), ".")
		switch {
		case slices.Contains(names, ""):
			b.wrong(e.place, "such as metadata.order_id, or metadata.*", "shadow.acceptable: %s is no field", shorten(e.str()))
			continue
		case names[0] == "*" && len(names) == 1:
			b.wrong(e.place, "name the fields", "shadow.acceptable: * would have nothing differ")
			continue
		case !b.settled && b.o.Start == nil && len(b.written()) > 0 && !slices.ContainsFunc(b.writing(), func(op *specs.Operation) bool { return writesField(op, names) }):
			b.warn(e.place, didYouMean(e.str(), b.written()), "shadow.acceptable: no write of these services has a field %s", shorten(e.str()))
		}
		if !slices.Contains(fields, e.str()) {
			fields = append(fields, e.str())
		}
	}
	return fields
}

// writing are the operations of the profile's services that change something.
func (b *binder) writing() (all []*specs.Operation) {
	for _, f := range b.tree.get("services").all() {
		for _, op := range b.opsOf(f.name) {
			if op.Service == f.name && b.effectOf(op) != specs.Read {
				all = append(all, op)
			}
		}
	}
	return all
}

// written are the fields at the top of what these take.
func (b *binder) written() (all []string) {
	for _, op := range b.writing() {
		all = append(all, op.AskNames()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// writesField tells whether the contract of an operation names a field of its calls,
// wherever lists stand on the way to it, or names what may hold any.
func writesField(op *specs.Operation, names []string) bool {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "*" })
	if len(names) == 0 {
		return false
	}
	named, _ := op.Promises(specs.InQuery, names[0])
	return named || op.TakesField(names[len(names)-1]) || len(names) > 1 && op.TakesField(names[0]) && op.Asks(strings.Join(names, "."))
}
