package hubspot

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// schemaName is what types of the account's own may be called.
// Source: developers.hubspot.com/docs/guides/api/crm/objects/custom-objects.
var schemaName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`) })

// always are the types with which each type of the account's own can be
// associated without saying so.
var always = [...]string{"emails", "meetings", "notes", "tasks", "calls", "communications", "postal_mail"}

func noSchema(given string) *refusal {
	return &refusal{
		status: http.StatusNotFound, category: notFoundCategory, sub: "ObjectTypeError.OBJECT_TYPE_NOT_FOUND",
		message: "Unable to infer object type from: " + kit.Clip(given), context: map[string]any{"objectType": []any{kit.Clip(given)}},
	}
}

// showSchema writes a schema whole: with the properties of its type, and with
// what its records can be associated with.
func (c *call) showSchema(value map[string]any) map[string]any {
	shown := c.showDefinition(value)
	delete(shown, "portalId")
	o := customOf(value)
	shown["metaType"], shown["restorable"] = "PORTAL_SPECIFIC", true
	shown["properties"] = c.propertiesOf(o, false)
	shown["associations"] = c.schemaTies(o, value)
	return shown
}

// showDefinition writes a schema as the answer to its change does.
func (c *call) showDefinition(value map[string]any) map[string]any {
	shown := changed(value)
	shown["id"] = strings.TrimPrefix(cast.Text(value["objectTypeId"]), "2-")
	shown["portalId"] = c.settings.portal()
	delete(shown, "associations")
	return shown
}

// schemaTies lists the ways of association of a type, in both directions.
func (c *call) schemaTies(o *objectType, value map[string]any) []any {
	all := []any{}
	for _, one := range cast.List(value["associations"]) {
		all = append(all, one)
		a := cast.Object(one)
		if to, ok := c.typeNamed(cast.Text(a["toObjectTypeId"])); ok && a["fromObjectTypeId"] == o.id && to.id != o.id {
			back := changed(a)
			back["id"], back["fromObjectTypeId"], back["toObjectTypeId"] = cast.Plain(made(to.name, o.name)), to.id, o.id
			all = append(all, back)
		}
	}
	return all
}

func listSchemas(c *call) (answer, *refusal) {
	results := []any{}
	for r := range c.Tx.Oldest(c.fake.store.Full(schemas), 0) {
		if (r.Value()["archived"] == true) == c.flag("archived") {
			results = append(results, c.showSchema(r.Value()))
		}
	}
	return ok(map[string]any{"results": results})
}

// namedSchema finds the schema of the path, archived or not.
func (c *call) namedSchema() (*world.Record, *refusal) {
	given := c.Input.Path["objectType"]
	r := c.schemaNamed(given)
	if r == nil || r.Value()["archived"] == true && !c.flag("archived") {
		return nil, noSchema(given)
	}
	return r, nil
}

func getSchema(c *call) (answer, *refusal) {
	if o, standard := c.fake.types.standard(c.Input.Path["objectType"]); standard {
		return ok(c.standardSchema(o))
	}
	r, refused := c.namedSchema()
	if refused != nil {
		return answer{}, refused
	}
	return ok(c.showSchema(r.Value()))
}

// standardSchema writes the schema of a type that every account has.
func (c *call) standardSchema(o *objectType) map[string]any {
	associations := []any{}
	for _, t := range c.fake.types.ties {
		if t.from == o.name {
			associations = append(associations, map[string]any{
				"id": strconv.FormatInt(t.id, 10), "fromObjectTypeId": o.id, "toObjectTypeId": c.fake.types.byName[t.to].id, "name": t.name,
				"createdAt": nil, "updatedAt": nil,
			})
		}
	}
	display := ""
	if len(o.searched) > 0 {
		display = o.searched[0]
	}
	return map[string]any{
		"id": o.id, "objectTypeId": o.id, "name": o.upper, "fullyQualifiedName": o.upper, "metaType": "HUBSPOT", "archived": false,
		"labels":             map[string]any{"singular": label(o.singular), "plural": label(o.name)},
		"requiredProperties": cast.Anys(o.required), "searchableProperties": cast.Anys(o.searched), "primaryDisplayProperty": display,
		"secondaryDisplayProperties": []any{}, "properties": c.propertiesOf(o, false), "associations": associations, "restorable": true,
	}
}

func createSchema(c *call) (answer, *refusal) {
	given := c.Input.Body
	plain := c.text("name")
	if !schemaName().MatchString(plain) {
		return answer{}, invalid("Object type name '%s' is invalid: names begin with a letter and hold letters, digits and underscores", kit.Clip(plain))
	}
	full := "p" + c.settings.portalID + "_" + plain
	if _, standard := c.fake.types.standard(plain); standard || c.schemaNamed(plain) != nil {
		return answer{}, &refusal{
			status: http.StatusConflict, category: "OBJECT_ALREADY_EXISTS", sub: "ObjectTypeError.OBJECT_TYPE_ALREADY_EXISTS",
			message: "Object type with name " + full + " already exists",
		}
	}
	var known []string
	for _, one := range cast.List(given["properties"]) {
		known = append(known, cast.Text(cast.Object(one)["name"]))
	}
	if refused := unknownNames(given, known); refused != nil {
		return answer{}, refused
	}
	id := c.schemaID()
	value := map[string]any{
		"id": id, "objectTypeId": id, "name": plain, "fullyQualifiedName": full, "labels": given["labels"], "archived": false,
		"requiredProperties": listed(given["requiredProperties"]), "searchableProperties": listed(given["searchableProperties"]),
		"secondaryDisplayProperties": listed(given["secondaryDisplayProperties"]), "primaryDisplayProperty": c.display(given),
		"createdAt": c.now(), "updatedAt": c.now(), "createdByUserId": int64(100), "updatedByUserId": int64(100),
	}
	for _, field := range []string{"description", "allowsSensitiveProperties"} {
		if sent, ok := given[field]; ok && sent != nil {
			value[field] = sent
		}
	}
	o := customOf(value)
	ties, refused := c.wantedTies(o, given["associatedObjects"])
	if refused != nil {
		return answer{}, refused
	}
	value["associations"] = ties
	made, refused := c.schemaProperties(o, given["properties"])
	if refused != nil {
		return answer{}, refused
	}
	for _, property := range made {
		c.keepProperty(property)
	}
	c.fake.store.Create(c.Tx, schemas, id, value)
	return answer{status: http.StatusCreated, value: c.showSchema(value)}, nil
}

// schemaID is the id of the account's next type.
func (c *call) schemaID() string {
	for n := 10000000 + number(c.NewID("", 8)).Int64()%80000000; ; n++ {
		id := "2-" + strconv.FormatInt(n, 10)
		if _, taken := c.fake.store.Get(c.Tx, schemas, id); !taken {
			return id
		}
	}
}
