package hubspot

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// defining is when HubSpot's own properties are said to have been made.
const defining = "2019-08-06T02:41:08.029Z"

// shown writes a property as it is shown. HubSpot's own definition cannot be
// changed, an account's can.
func (d *definition) shown() map[string]any {
	if d.stored {
		shown := changed(d.value)
		delete(shown, "id")
		delete(shown, "objectType")
		delete(shown, "listed")
		delete(shown, "old")
		return shown
	}
	options := make([]any, len(d.options))
	for i, o := range d.options {
		options[i] = map[string]any{"label": o.label, "value": o.value, "description": "", "displayOrder": int64(i), "hidden": false}
	}
	if d.kind == "bool" {
		options = []any{
			map[string]any{"label": "True", "value": "true", "description": "", "displayOrder": int64(0), "hidden": false},
			map[string]any{"label": "False", "value": "false", "description": "", "displayOrder": int64(1), "hidden": false},
		}
	}
	shown := map[string]any{
		"name": d.name, "label": d.label, "type": d.kind, "fieldType": d.field, "description": d.description, "groupName": d.group,
		"options": options, "displayOrder": int64(-1), "calculated": d.calculated, "externalOptions": d.external,
		"hasUniqueValue": d.unique, "hidden": d.hidden, "hubspotDefined": true, "formField": !d.readOnly,
		"createdAt": defining, "updatedAt": defining, "archived": false, "dataSensitivity": "non_sensitive",
		"modificationMetadata": map[string]any{"archivable": false, "readOnlyDefinition": true, "readOnlyValue": d.readOnly},
	}
	if len(options) > 0 {
		shown["modificationMetadata"].(map[string]any)["readOnlyOptions"] = d.external || d.readOnly
	}
	return shown
}

func listProperties(c *call, o *objectType) (answer, *refusal) {
	return ok(map[string]any{"results": c.propertiesOf(o, c.flag("archived"))})
}

// propertiesOf lists the properties of a type: HubSpot's own and the account's.
func (c *call) propertiesOf(o *objectType, archived bool) []any {
	listed := false
	var own []any
	changedOnes := map[string]bool{}
	for _, r := range c.stored(o) {
		if changedOnes[cast.Text(r.Value()["name"])] = true; (r.Value()["archived"] == true) != archived {
			continue
		}
		listed = listed || r.Value()["listed"] == true
		own = append(own, defineRecord(r.Value()).shown())
	}
	results := []any{}
	if !archived && !listed { // what the account was seen to have stands for all
		for _, d := range defined(o) {
			if !changedOnes[d.name] {
				results = append(results, d.shown())
			}
		}
	}
	return append(results, own...)
}

// stored lists a type's properties that are records, oldest first.
func (c *call) stored(o *objectType) []*world.Record {
	var all []*world.Record
	for r := range c.fake.store.Find(c.Tx, properties, "objectType", o.name) {
		all = append(all, r)
	}
	slices.Reverse(all)
	return all
}

// unknownProperties is the answer to a property that there is none of.
func noProperty(property string) *refusal {
	return &refusal{
		status: http.StatusNotFound, category: notFoundCategory, sub: "PropertyError.PROPERTY_NOT_FOUND",
		message: fmt.Sprintf("Property %q does not exist", kit.Clip(property)), context: map[string]any{"propertyName": []any{kit.Clip(property)}},
	}
}

func getProperty(c *call, o *objectType) (answer, *refusal) {
	property := c.Input.Path["propertyName"]
	if r, there := c.fake.store.Get(c.Tx, properties, o.name+"/"+property); there && (r.Value()["archived"] == true) == c.flag("archived") {
		return ok(defineRecord(r.Value()).shown())
	}
	if d := c.definition(o, property); d != nil && !c.flag("archived") {
		return ok(d.shown())
	}
	return answer{}, noProperty(property)
}

// propertyName is what properties may be called.
var propertyName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_]{0,99}$`) })

// newProperty holds a new property against what properties may be.
func (c *call) newProperty(o *objectType, given map[string]any) (map[string]any, *refusal) {
	property := cast.Text(given["name"])
	switch {
	case !propertyName().MatchString(property):
		return nil, invalid("Property name '%s' is invalid: names are lower case, begin with a letter and hold letters, digits and underscores", kit.Clip(property))
	case c.definition(o, property) != nil:
		return nil, &refusal{
			status: http.StatusConflict, category: "OBJECT_ALREADY_EXISTS", sub: "Properties.PROPERTY_EXISTS",
			message: fmt.Sprintf("A property named '%s' already exists.", property),
		}
	case !c.groupThere(o, cast.Text(given["groupName"])):
		return nil, invalid("Property group %s does not exist.", kit.Clip(cast.Text(given["groupName"])))
	case cast.Text(given["type"]) == "enumeration" && len(cast.List(given["options"])) == 0 && given["externalOptions"] != true:
		return nil, invalid("Enumeration properties must have at least one option")
	}
	value := map[string]any{
		"id": o.name + "/" + property, "objectType": o.name, "name": property, "label": given["label"], "type": given["type"], "fieldType": given["fieldType"],
		"description": "", "groupName": given["groupName"], "options": options(given["options"]), "displayOrder": int64(-1), "calculated": false,
		"externalOptions": false, "hasUniqueValue": false, "hidden": false, "hubspotDefined": false, "formField": false,
		"createdAt": c.now(), "updatedAt": c.now(), "createdUserId": "100", "updatedUserId": "100", "archived": false, "dataSensitivity": "non_sensitive",
		"modificationMetadata": map[string]any{"archivable": true, "readOnlyDefinition": false, "readOnlyValue": false},
	}
	if len(cast.List(value["options"])) > 0 {
		value["modificationMetadata"].(map[string]any)["readOnlyOptions"] = false
	}
	for _, field := range []string{"description", "displayOrder", "externalOptions", "hasUniqueValue", "hidden", "formField", "referencedObjectType", "calculationFormula", "dataSensitivity"} {
		if sent, ok := given[field]; ok && sent != nil {
			value[field] = sent
		}
	}
	return value, nil
}

func options(given any) []any {
	all := []any{}
	for i, one := range cast.List(given) {
		o, _ := one.(map[string]any)
		full := map[string]any{"label": o["label"], "value": o["value"], "description": "", "displayOrder": int64(i), "hidden": false}
		for _, field := range []string{"description", "displayOrder", "hidden"} {
			if sent, ok := o[field]; ok && sent != nil {
				full[field] = sent
			}
		}
		all = append(all, full)
	}
	return all
}

func (c *call) keepProperty(value map[string]any) map[string]any {
	id := cast.Text(value["id"])
	if _, there := c.fake.store.Get(c.Tx, properties, id); there {
		c.fake.store.Update(c.Tx, properties, id, value)
	} else {
		c.fake.store.Create(c.Tx, properties, id, value)
	}
	return defineRecord(value).shown()
}

func createProperty(c *call, o *objectType) (answer, *refusal) {
	value, refused := c.newProperty(o, c.Input.Body)
	if refused != nil {
		return answer{}, refused
	}
	return answer{status: http.StatusCreated, value: c.keepProperty(value)}, nil
}

func updateProperty(c *call, o *objectType) (answer, *refusal) {
	property := c.Input.Path["propertyName"]
	d := c.definition(o, property)
	if d == nil {
		return answer{}, noProperty(property)
	}
	value := d.shown()
	value["id"], value["objectType"] = o.name+"/"+property, o.name
	for _, field := range []string{"label", "type", "fieldType", "description", "groupName", "displayOrder", "hidden", "formField", "calculationFormula"} {
		if sent, ok := c.Input.Body[field]; ok && sent != nil {
			value[field] = sent
		}
	}
	if sent, ok := c.Input.Body["options"]; ok {
		value["options"] = options(sent)
	}
	value["updatedAt"] = c.now()
	return ok(c.keepProperty(value))
}

func archiveProperty(c *call, o *objectType) (answer, *refusal) {
	return c.archiveProperties(o, []string{c.Input.Path["propertyName"]})
}

func (c *call) archiveProperties(o *objectType, names []string) (answer, *refusal) {
	for _, property := range names {
		d := c.definition(o, property)
		if d == nil {
			continue
		}
		if !d.stored || d.value["hubspotDefined"] == true {
			return answer{}, invalid("Property %s is defined by HubSpot and cannot be archived", property)
		}
		value := changed(d.value)
		value["archived"], value["archivedAt"], value["updatedAt"] = true, c.now(), c.now()
		c.fake.store.Update(c.Tx, properties, o.name+"/"+property, value)
	}
	return done()
}

func batchReadProperties(c *call, o *objectType, inputs []map[string]any) (answer, *refusal) {
	b := batch{status: http.StatusOK}
	for _, input := range inputs {
		if d := c.definition(o, cast.Text(input["name"])); d != nil {
			b.results = append(b.results, d.shown())
			continue
		}
		b.errors = append(b.errors, noProperty(cast.Text(input["name"])).item(map[string]any{"propertyName": []any{cast.Text(input["name"])}}))
	}
	return c.reply(b)
}

func batchCreateProperties(c *call, o *objectType, inputs []map[string]any) (answer, *refusal) {
	b := batch{status: http.StatusCreated}
	for _, input := range inputs {
		value, refused := c.newProperty(o, input)
		if refused != nil {
			b.errors = append(b.errors, refused.item(map[string]any{"name": []any{cast.Text(input["name"])}}))
			continue
		}
		b.results = append(b.results, c.keepProperty(value))
	}
	return c.reply(b)
}

func batchArchiveProperties(c *call, o *objectType, inputs []map[string]any) (answer, *refusal) {
	names := make([]string, len(inputs))
	for i, input := range inputs {
		names[i] = cast.Text(input["name"])
	}
	return c.archiveProperties(o, names)
}
