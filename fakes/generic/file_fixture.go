package generic

import (
	"fmt"
	"maps"

	"parity/fakes/cast"
	"parity/fakes/world"
	"parity/specs/anatomy"
	"parity/specs/document"
)

// fixtures reads the records that every new world has.
func (b *file) fixtures(n *document.Node) {
	if !b.optional(n, "lists of records by resource, such as contacts: [{id: con_1, …}]") {
		return
	}
	for i := range n.Len() {
		list := n.At(i)
		if !b.isResource(list, list.Name) {
			continue
		}
		if !list.Is(document.Array) {
			b.wrong(list, list.Name+" is a list of records", "")
			continue
		}
		var of *anatomy.Resource
		for _, r := range b.fake.model.Resources {
			if r.Name == list.Name {
				of = r
			}
		}
		own := b.out.resources[list.Name]
		if own == nil {
			own = &rules{}
			b.out.resources[list.Name] = own
		}
		seen := map[string]bool{}
		for j := range list.Len() {
			if value := b.fixture(list.At(j), of, seen); value != nil {
				own.fixtures = append(own.fixtures, value)
			}
		}
	}
}

func (b *file) fixture(n *document.Node, r *anatomy.Resource, seen map[string]bool) map[string]any {
	value, ok := n.Value().(map[string]any)
	if !ok {
		b.wrong(n, "a record is an object", "")
		return nil
	}
	f := formOf(r.Record)
	for i := range n.Len() {
		at := n.At(i)
		if b.field(at, f, at.Name) {
			b.fits(at, f, at.Name, at.Value())
		}
	}
	if r.Singleton {
		return value
	}
	id, _ := dotted(r.ID.Field).get(value)
	switch {
	case r.ID.Field == "":
		b.wrong(n, "records of "+r.Name+" do not show their ids, so they cannot be given here", "")
	case cast.Plain(id) == "":
		b.wrong(n, "a record wants its id", "add "+r.ID.Field+":")
	case seen[cast.Plain(id)]:
		b.wrong(n, "the id "+cast.Plain(id)+" is there twice", "")
	default:
		seen[cast.Plain(id)] = true
		return value
	}
	return nil
}

// begin puts the file's records into a new world.
func (f *Fake) begin(tx *world.Tx) error {
	for _, r := range f.order {
		for i, given := range r.rules.fixtures {
			value := r.defaults()
			maps.Copy(value, given)
			value = r.fresh(value)
			value = f.fixed("fixture", r.full, fmt.Sprint(i)).least(r.Record, value)
			id, _ := dotted(r.ID.Field).get(value)
			var in scope
			for _, param := range r.Within {
				for field, of := range r.Parents {
					if held, ok := dotted(field).get(value); ok && of == param {
						in.ids, in.fields = append(in.ids, cast.Plain(held)), append(in.fields, field)
					}
				}
			}
			if _, err := tx.Insert(r.full, r.key(in, cast.Plain(id)), value); err != nil {
				return fmt.Errorf("fixtures of %s: %w", f.service, err)
			}
		}
	}
	return nil
}
