package hubspot

import (
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// typeNamed gives the type of a name: one that every account has, or one of the
// account's own, by its id (2-123), its full name (p62515_car), that without the
// account (p_car) or its plain name (car).
func (c *call) typeNamed(given string) (*objectType, bool) {
	if o, ok := c.fake.types.standard(given); ok {
		return o, true
	}
	if r := c.schemaNamed(given); r != nil {
		return customOf(r.Value()), r.Value()["archived"] != true
	}
	return c.fake.types.get(given)
}

// schemaNamed finds the schema that a name leads to; nil where there is none.
func (c *call) schemaNamed(given string) *world.Record {
	if r, ok := c.fake.store.Get(c.Tx, schemas, given); ok {
		return r
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(schemas), 0) {
		plain, full := cast.Text(r.Value()["name"]), cast.Text(r.Value()["fullyQualifiedName"])
		if strings.EqualFold(given, plain) || strings.EqualFold(given, full) || strings.EqualFold(given, "p_"+plain) {
			return r
		}
	}
	return nil
}

// ownTypes are the types that the account made itself, oldest first.
func (c *call) ownTypes() []*objectType {
	var all []*objectType
	for r := range c.Tx.Oldest(c.fake.store.Full(schemas), 0) {
		if r.Value()["archived"] != true {
			all = append(all, customOf(r.Value()))
		}
	}
	return all
}

// customOf is the type that a schema describes. Its records are kept under its
// id, whatever name they were asked for by.
func customOf(schema map[string]any) *objectType {
	id := cast.Text(schema["objectTypeId"])
	return &objectType{
		name: id, id: id, singular: cast.Text(schema["name"]), upper: cast.Text(schema["fullyQualifiedName"]),
		created: "hs_createdate", modified: "hs_lastmodifieddate", defaults: shownByDefault(), collection: customObjects, custom: true,
		required: cast.Texts(schema["requiredProperties"]), searched: cast.Texts(schema["searchableProperties"]),
	}
}

// pairName is the name of the unlabelled way in which two types are associated:
// what a schema calls it, else the names of both.
func (c *call) pairName(from, to *objectType) string {
	for _, o := range []*objectType{from, to} {
		r, ok := c.fake.store.Get(c.Tx, schemas, o.name)
		if !o.custom || !ok {
			continue
		}
		for _, one := range cast.List(r.Value()["associations"]) {
			a := cast.Object(one)
			if a["fromObjectTypeId"] == from.id && a["toObjectTypeId"] == to.id && cast.Text(a["name"]) != "" {
				return cast.Text(a["name"])
			}
		}
	}
	return from.singular + "_to_" + to.singular
}
