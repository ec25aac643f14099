package hubspot

import (
	"net/http"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func listed(given any) []any { return append([]any{}, cast.List(given)...) }

// display is the property by which records of a new type are named: the one
// that is said, else the one that says so of itself.
func (c *call) display(given map[string]any) string {
	if said := cast.Text(given["primaryDisplayProperty"]); said != "" {
		return said
	}
	for _, one := range cast.List(given["properties"]) {
		if p := cast.Object(one); p["isPrimaryDisplayLabel"] == true {
			return cast.Text(p["name"])
		}
	}
	return ""
}

// unknownNames refuses a schema that names properties which its type does not
// have.
func unknownNames(given map[string]any, known []string) *refusal {
	for _, field := range []string{"requiredProperties", "searchableProperties", "secondaryDisplayProperties", "primaryDisplayProperty"} {
		names := cast.Texts(given[field])
		if one := cast.Text(given[field]); one != "" {
			names = []string{one}
		}
		for _, property := range names {
			if !slices.Contains(known, property) {
				r := invalid("Property %q is named in %s but does not exist on the object type", kit.Clip(property), field)
				r.context = map[string]any{"propertyName": []any{kit.Clip(property)}}
				return r
			}
		}
	}
	return nil
}

// schemaProperties makes the properties of a new type; what is not said of one
// is that of a plain text.
func (c *call) schemaProperties(o *objectType, given any) ([]map[string]any, *refusal) {
	var all []map[string]any
	for _, one := range cast.List(given) {
		full := map[string]any{"type": "string", "fieldType": "text", "groupName": groupOf(o)}
		for field, value := range cast.Object(one) {
			if value != nil && field != "groupName" {
				full[field] = value
			}
		}
		value, refused := c.newProperty(o, full)
		if refused != nil {
			return nil, refused
		}
		all = append(all, value)
	}
	return all, nil
}

// wantedTies reads what a new type is to be associated with.
func (c *call) wantedTies(o *objectType, given any) ([]any, *refusal) {
	all := []any{}
	seen := map[string]bool{}
	for _, name := range append(cast.Texts(given), always[:]...) {
		to, known := c.typeNamed(name)
		if !known {
			return nil, unknownType(name)
		}
		if !seen[to.id] {
			seen[to.id] = true
			all = append(all, c.schemaTie(o, to, o.singular+"_to_"+to.singular))
		}
	}
	return all, nil
}

func (c *call) schemaTie(from, to *objectType, name string) map[string]any {
	return map[string]any{
		"id": cast.Plain(made(from.name, to.name)), "fromObjectTypeId": from.id, "toObjectTypeId": to.id, "name": name, "createdAt": c.now(), "updatedAt": c.now(),
	}
}

func updateSchema(c *call, r *world.Record) (answer, *refusal) {
	o := customOf(r.Value())
	var known []string
	for _, one := range c.propertiesOf(o, false) {
		known = append(known, cast.Text(cast.Object(one)["name"]))
	}
	if refused := unknownNames(c.Input.Body, known); refused != nil {
		return answer{}, refused
	}
	value := changed(r.Value())
	for _, field := range []string{
		"labels", "description", "requiredProperties", "searchableProperties", "secondaryDisplayProperties", "primaryDisplayProperty", "allowsSensitiveProperties",
	} {
		if sent, given := c.Input.Body[field]; given && sent != nil {
			value[field] = sent
		}
	}
	value["updatedAt"] = c.now()
	return ok(c.showDefinition(c.fake.store.Update(c.Tx, schemas, r.ID, value).Value()))
}

// archiveSchema takes a type away: for good where archived=true asks for that,
// which sets its name free. A type that has records stays.
// Source: developers.hubspot.com/docs/guides/api/crm/objects/custom-objects.
func archiveSchema(c *call, r *world.Record) (answer, *refusal) {
	o := customOf(r.Value())
	for one := range c.fake.store.Find(c.Tx, customObjects, "type", o.name) {
		if one.Value()["archived"] != true {
			return answer{}, invalid("Object type %s cannot be deleted while it has objects", cast.Text(r.Value()["fullyQualifiedName"]))
		}
	}
	if c.flag("archived") {
		for _, property := range c.stored(o) {
			c.fake.store.Delete(c.Tx, properties, property.ID)
		}
		c.fake.store.Delete(c.Tx, schemas, r.ID)
		return done()
	}
	value := changed(r.Value())
	value["archived"], value["updatedAt"] = true, c.now()
	c.fake.store.Update(c.Tx, schemas, r.ID, value)
	return done()
}

// createSchemaTie lets records of a type be associated with those of another.
func createSchemaTie(c *call, r *world.Record) (answer, *refusal) {
	o := customOf(r.Value())
	from, to := o, o
	for field, o := range map[string]**objectType{"fromObjectTypeId": &from, "toObjectTypeId": &to} {
		named, known := c.typeNamed(c.text(field))
		if !known {
			return answer{}, unknownType(c.text(field))
		}
		*o = named
	}
	if from.id != o.id && to.id != o.id {
		return answer{}, invalid("An association definition of %s has to begin or end there", o.upper)
	}
	name := c.text("name")
	if name == "" {
		name = from.singular + "_to_" + to.singular
	}
	held := listed(r.Value()["associations"])
	for _, one := range held {
		if a := cast.Object(one); a["name"] == name && a["fromObjectTypeId"] == from.id && a["toObjectTypeId"] == to.id {
			return answer{}, &refusal{status: http.StatusConflict, category: "OBJECT_ALREADY_EXISTS", message: "An association definition with the name " + kit.Clip(name) + " already exists"}
		}
	}
	t := c.schemaTie(from, to, name)
	value := changed(r.Value())
	value["associations"] = append(held, t)
	c.fake.store.Update(c.Tx, schemas, r.ID, value)
	return answer{status: http.StatusCreated, value: t}, nil
}

func archiveSchemaTie(c *call, r *world.Record) (answer, *refusal) {
	given := c.Input.Path["associationIdentifier"]
	value := changed(r.Value())
	value["associations"] = slices.DeleteFunc(listed(r.Value()["associations"]), func(one any) bool {
		a := cast.Object(one)
		return a["id"] == given || a["name"] == given
	})
	c.fake.store.Update(c.Tx, schemas, r.ID, value)
	return done()
}
