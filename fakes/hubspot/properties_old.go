package hubspot

import (
	"fmt"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// oldType is the type that a path of an old API is about.
func (c *call) oldType() *objectType {
	if o, known := c.typeNamed(c.Input.Path["objectType"]); known {
		return o
	}
	kind, _, _ := strings.Cut(strings.TrimPrefix(c.Operation.Path, "/"), "/")
	return c.fake.types.byName[kind]
}

// oldProperty writes a property as old APIs show it.
func (c *call) oldProperty(d *definition) map[string]any {
	now := d.shown()
	options := []any{}
	for _, one := range cast.List(now["options"]) {
		o, _ := one.(map[string]any)
		options = append(options, map[string]any{
			"label": o["label"], "value": o["value"], "displayOrder": o["displayOrder"], "hidden": o["hidden"] == true, "description": o["description"], "readOnly": false, "doubleData": 0.0,
		})
	}
	shown := map[string]any{
		"name": now["name"], "label": now["label"], "description": now["description"], "groupName": now["groupName"], "type": now["type"], "fieldType": now["fieldType"],
		"options": options, "displayOrder": now["displayOrder"], "hidden": now["hidden"] == true, "formField": now["formField"] == true, "calculated": now["calculated"] == true,
		"externalOptions": now["externalOptions"] == true, "hubspotDefined": now["hubspotDefined"] == true, "readOnlyValue": d.readOnly, "readOnlyDefinition": !d.stored,
		"deleted": now["archived"] == true, "favorited": false, "favoritedOrder": int64(-1), "mutableDefinitionNotDeletable": false, "referencedObjectType": nil,
		"createdAt": millis(cast.Text(now["createdAt"])), "updatedAt": millis(cast.Text(now["updatedAt"])), "createdUserId": nil, "updatedUserId": nil, "textDisplayHint": nil,
		"numberDisplayHint": nil, "optionsAreMutable": nil, "showCurrencySymbol": false, "currencyPropertyName": nil, "isCustomizedDefault": false, "searchableInGlobalSearch": false,
		"optionSortStrategy": nil, "hasUniqueValue": now["hasUniqueValue"] == true, "searchTextAnalysisMode": nil, "calculationFormula": nil, "displayMode": "current_value",
	}
	if kept, ok := d.value["old"].(map[string]any); ok {
		for field, value := range kept {
			shown[field] = value
		}
	}
	return shown
}

func listOldProperties(c *call) (answer, *refusal) {
	o, listed := c.oldType(), false
	all, own, taken := []any{}, []any{}, map[string]bool{}
	for _, r := range c.stored(o) {
		if taken[cast.Text(r.Value()["name"])] = true; r.Value()["archived"] == true {
			continue
		}
		listed = listed || r.Value()["listed"] == true
		own = append(own, c.oldProperty(defineRecord(r.Value())))
	}
	if !listed {
		for _, d := range defined(o) {
			if !taken[d.name] {
				all = append(all, c.oldProperty(d))
			}
		}
	}
	return answer{status: http.StatusOK, list: append(all, own...)}, nil
}

func noOldProperty(property string) *refusal {
	return &refusal{status: http.StatusNotFound, message: fmt.Sprintf("Property '%s' does not exist", kit.Clip(property))}
}

func getOldProperty(c *call) (answer, *refusal) {
	d := c.definition(c.oldType(), c.Input.Path["propertyName"])
	if d == nil {
		return answer{}, noOldProperty(c.Input.Path["propertyName"])
	}
	return ok(c.oldProperty(d))
}

func createOldProperty(c *call) (answer, *refusal) {
	o := c.oldType()
	given := changed(c.Input.Body)
	for field, usual := range map[string]any{"label": given["name"], "type": "string", "fieldType": "text", "groupName": groupOf(o)} {
		if given[field] == nil {
			given[field] = usual
		}
	}
	value, refused := c.newProperty(o, given)
	if refused != nil {
		refused.category, refused.sub = "", ""
		return answer{}, refused
	}
	c.keepProperty(value)
	return ok(c.oldProperty(defineRecord(value)))
}

func updateOldProperty(c *call) (answer, *refusal) {
	o, property := c.oldType(), c.Input.Path["propertyName"]
	d := c.definition(o, property)
	if d == nil {
		return answer{}, noOldProperty(property)
	}
	value := d.shown()
	value["id"], value["objectType"], value["updatedAt"] = o.name+"/"+property, o.name, c.now()
	for _, field := range []string{"label", "description", "groupName", "type", "fieldType"} {
		if sent, ok := c.Input.Body[field]; ok && sent != nil {
			value[field] = sent
		}
	}
	if sent, ok := c.Input.Body["options"]; ok {
		value["options"] = options(sent)
	}
	c.keepProperty(value)
	return ok(c.oldProperty(defineRecord(value)))
}

func archiveOldProperty(c *call) (answer, *refusal) {
	o, property := c.oldType(), c.Input.Path["propertyName"]
	if c.definition(o, property) == nil {
		return answer{}, noOldProperty(property)
	}
	given, refused := c.archiveProperties(o, []string{property})
	if refused != nil {
		refused.category = ""
	}
	return given, refused
}

func listOldGroups(c *call) (answer, *refusal) {
	o := c.oldType()
	one := func(group map[string]any) map[string]any {
		return map[string]any{"name": group["name"], "displayName": group["label"], "displayOrder": group["displayOrder"], "hubspotDefined": group["name"] == groupOf(o)}
	}
	all := []any{one(ownGroup(o))}
	for r := range c.fake.store.Find(c.Tx, groups, "objectType", o.name) {
		all = append(all, one(r.Value()))
	}
	return answer{status: http.StatusOK, list: all}, nil
}

// ownerV2 writes an owner as v2 has it.
func (c *call) ownerV2(value map[string]any) map[string]any {
	at, changedAt := millis(cast.Text(value["createdAt"])), millis(cast.Text(value["updatedAt"]))
	userID := value["userId"]
	return map[string]any{
		"portalId": c.settings.portal(), "ownerId": whole(cast.Text(value["id"])), "type": "PERSON", "firstName": cast.Text(value["firstName"]), "lastName": cast.Text(value["lastName"]),
		"email": value["email"], "createdAt": at, "updatedAt": changedAt, "signature": "", "hasContactsAccess": value["archived"] != true, "activeUserId": userID, "userIdIncludingInactive": userID,
		"isActive": value["archived"] != true, "activeSalesforceId": "0", "quotas": []any{},
		"remoteList": []any{map[string]any{"id": whole(cast.Text(value["id"])), "portalId": c.settings.portal(), "ownerId": whole(cast.Text(value["id"])), "remoteId": cast.Plain(userID), "remoteType": "HUBSPOT", "active": value["archived"] != true}},
	}
}

func listOwnersV2(c *call) (answer, *refusal) {
	all, email := []any{}, c.query("email")
	for r := range c.Tx.Oldest(c.fake.store.Full(owners), 0) {
		if (email == "" || r.Value()["email"] == email) && (r.Value()["archived"] != true || c.flag("includeInactive")) {
			all = append(all, c.ownerV2(r.Value()))
		}
	}
	return answer{status: http.StatusOK, list: all}, nil
}

func getOwnerV2(c *call) (answer, *refusal) {
	if r, there := c.fake.store.Get(c.Tx, owners, c.Input.Path["ownerId"]); there {
		return ok(c.ownerV2(r.Value()))
	}
	return answer{}, &refusal{status: http.StatusNotFound, message: "Owner with id " + kit.Clip(c.Input.Path["ownerId"]) + " does not exist"}
}
