package hubspot

import (
	"net/http"
	"strings"

	"parity/fakes/cast"
)

// importSettings takes in types of the account's own, lists of v3 and users of
// the account, where they were there before they were shown.
func (c *call) importSettings(shown map[string]any) {
	path := c.Operation.Path
	reads := c.Operation.Method == http.MethodGet || strings.HasSuffix(path, "/search")
	if !reads {
		return
	}
	switch {
	case strings.HasPrefix(path, "/crm/v3/schemas"):
		for _, one := range each(shown) {
			c.importSchema(one)
		}
	case path == "/settings/v3/users/teams", path == "/settings/v3/users/roles":
		for _, one := range each(shown) {
			kept := map[string]any{"id": one["id"], "name": one["name"]}
			if strings.HasSuffix(path, "/roles") {
				kept["requiresBillingWrite"] = one["requiresBillingWrite"] == true
			}
			c.keep(strings.TrimPrefix(path, "/settings/v3/users/"), cast.Text(one["id"]), kept)
		}
	case strings.HasPrefix(path, "/settings/"):
		for _, one := range each(shown) {
			kept := changed(one)
			delete(kept, "sendWelcomeEmail")
			c.keep(people, cast.Text(one["id"]), kept)
		}
	default:
		all := cast.Objects(shown["lists"])
		if one := cast.Object(shown["list"]); one != nil {
			all = append(all, one)
		}
		for _, one := range all {
			c.importSegment(one)
		}
	}
}

func (c *call) importSchema(one map[string]any) {
	id := cast.Text(one["objectTypeId"])
	if !strings.HasPrefix(id, "2-") {
		return
	}
	kept := changed(one)
	kept["id"] = id
	for _, field := range []string{"properties", "metaType", "restorable"} {
		delete(kept, field)
	}
	c.keep(schemas, id, kept)
	for _, property := range cast.Objects(one["properties"]) {
		value := changed(property)
		value["id"], value["objectType"], value["listed"] = id+"/"+cast.Text(property["name"]), id, true
		c.keep(properties, cast.Text(value["id"]), value)
	}
}

func (c *call) importSegment(one map[string]any) {
	id := cast.Plain(one["listId"])
	held := map[string]any{}
	for _, field := range []string{"objectTypeId", "processingType", "listVersion", "filtersUpdatedAt", "filterBranch"} {
		if one[field] != nil {
			held[field] = one[field]
		}
	}
	value := c.newList(cast.Text(one["name"]), one["processingType"] == dynamic, nil)
	value["id"], value["listId"], value["internalListId"], value[v3] = id, whole(id), whole(id), held
	value["createdAt"], value["updatedAt"] = millis(cast.Text(one["createdAt"])), millis(cast.Text(one["updatedAt"]))
	c.keep(lists, id, value)
}
