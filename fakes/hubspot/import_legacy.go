package hubspot

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes/cast"
)

// importLegacy takes in what the APIs before v3 show.
func (c *call) importLegacy(shown map[string]any) {
	path, reads := c.Operation.Path, c.Operation.Method == http.MethodGet
	switch {
	case strings.HasSuffix(path, "/contacts/all"), strings.HasSuffix(path, "/contacts/recent"):
		c.importMembers(shown)
	case strings.HasPrefix(path, "/contacts/v1/lists"):
		c.importLists(shown)
	case strings.Contains(path, "/properties"):
		c.importOldProperties(shown)
	case strings.HasPrefix(path, "/owners/"):
		c.importOwnersV2(shown)
	case strings.Contains(path, "/forms"):
		c.importForms(shown)
	case strings.HasPrefix(path, "/content/api/v2/blog-posts"):
		c.importPosts(shown)
	case strings.HasPrefix(path, "/content/"):
		c.importBlogs(shown)
	case strings.HasPrefix(path, "/engagements/"):
		c.importEngagements(shown)
	case strings.HasPrefix(path, "/crm-associations/"):
		c.importAssociationsV1(shown)
	case strings.HasPrefix(path, "/deals/v1/pipelines"):
		c.importPipelinesV1(shown)
	case strings.HasPrefix(path, "/deals/"):
		c.importDeals(shown)
	case strings.HasPrefix(path, "/companies/v2/companies/{companyId}/"):
		c.importStaff(shown)
	case strings.HasPrefix(path, "/companies/v2/"):
		c.importCompanies(shown)
	case path == "/contacts/v1/contact/createOrUpdate/email/{email}" && shown["isNew"] == false:
		c.importObject(c.contacts(), map[string]any{"id": cast.Plain(shown["vid"]), "properties": map[string]any{"email": strings.ToLower(c.Input.Path["email"])}})
	case shown["vid"] != nil && shown["properties"] != nil:
		if utk := c.Input.Path["utk"]; utk != "" {
			shown["utk"] = utk
		}
		c.importContact(shown)
	case strings.HasSuffix(path, "/vids/batch") || strings.HasSuffix(path, "/batch/") && reads || strings.HasSuffix(path, "/emails/batch"):
		for _, one := range shown {
			if m, ok := one.(map[string]any); ok {
				c.importContact(m)
			}
		}
	case shown["contacts"] != nil:
		c.importFound(shown)
	case !reads && digits(c.Input.Path["vid"]):
		c.importObject(c.contacts(), map[string]any{"id": c.Input.Path["vid"]})
	case !reads && c.Input.Path["email"] != "":
		c.importObject(c.contacts(), map[string]any{"id": c.id("contacts"), "properties": map[string]any{"email": strings.ToLower(c.Input.Path["email"])}})
	}
}

// importFound takes in contacts that a search of v1 found.
func (c *call) importFound(shown map[string]any) {
	last := ""
	for _, one := range cast.Objects(shown["contacts"]) {
		c.importContact(one)
		last = cast.Plain(one["vid"])
	}
	if c.Operation.Path == "/contacts/v1/search/query" {
		c.remember("v1/search/"+c.query("q"), shown["total"])
		if shown["has-more"] == true {
			c.goOn("v1/search/"+c.query("q"), last)
		}
	}
}

// modern writes a value as the APIs from v3 on do: where a property is a time,
// milliseconds become an instant.
func (c *call) modern(o *objectType, property, value string) string {
	d := c.definition(o, property)
	if d == nil || d.kind != "datetime" {
		return value
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return instant(time.UnixMilli(n))
	}
	return value
}

// versioned reads properties as the old APIs have them, and their versions.
func (c *call) versioned(o *objectType, shown map[string]any) (held, history map[string]any) {
	props, _ := shown["properties"].(map[string]any)
	held, history = map[string]any{}, map[string]any{}
	for property, one := range props {
		p, _ := one.(map[string]any)
		value, ok := p["value"].(string)
		if !ok {
			continue
		}
		c.importDefinition(o, property)
		held[property] = c.modern(o, property, value)
		var versions []any
		for _, v := range cast.Objects(p["versions"]) {
			version := map[string]any{"value": c.modern(o, property, cast.Plain(v["value"])), "timestamp": v["timestamp"]}
			for field, names := range map[string][]string{"source": {"source-type", "source"}, "sourceId": {"source-id", "sourceId"}, "sourceLabel": {"source-label", "sourceLabel"}} {
				for _, from := range names {
					if s, ok := v[from].(string); ok {
						version[field] = s
					}
				}
			}
			if v["selected"] == true {
				version["selected"] = true
			}
			versions = append(versions, version)
		}
		if versions != nil {
			history[property] = versions
		}
	}
	return held, history
}

// importContact takes in a contact as v1 shows it, whole.
func (c *call) importContact(shown map[string]any) {
	o, id := c.contacts(), cast.Plain(shown["vid"])
	held, history := c.versioned(o, shown)
	for _, profile := range cast.Objects(shown["identity-profiles"]) {
		for _, identity := range cast.Objects(profile["identities"]) {
			if identity["type"] == "EMAIL" && held["email"] == nil {
				held["email"] = strings.ToLower(cast.Plain(identity["value"]))
			}
		}
	}
	kept := map[string]any{}
	for field, value := range shown {
		if field != "vid" && field != "properties" && field != "portal-id" {
			kept[field] = value
		}
	}
	c.importOld(o, id, held, history, kept, shown["addedAt"])
}

// importOld writes a record of an old API.
func (c *call) importOld(o *objectType, id string, held, history, kept map[string]any, at any) {
	if r, there := c.fake.store.Get(c.Tx, o.collection, id); there {
		c.more(o, r.Value(), nil, held)
		return
	}
	made := c.Now.Add(-day)
	if n, ok := at.(int64); ok {
		made = time.UnixMilli(n)
	}
	value := map[string]any{"id": id, "properties": held, "createdAt": instant(made), "updatedAt": instant(made), "archived": false, "v1": kept}
	for property, field := range map[string]string{"createdate": "createdAt", o.modified: "updatedAt"} {
		if s, ok := held[property].(string); ok && millis(s) != 0 {
			value[field] = s
		}
	}
	if len(history) > 0 {
		value["history"] = history
	}
	c.keep(o.collection, id, value)
}

func (c *call) importMembers(shown map[string]any) {
	listID, last := c.Input.Path["listId"], ""
	for _, one := range cast.Objects(shown["contacts"]) {
		c.importContact(one)
		last = cast.Plain(one["vid"])
		if at, ok := one["addedAt"].(int64); ok && listID != "" {
			key := listID + "/" + last
			c.keep(memberships, key, map[string]any{"id": key, "list": listID, "vid": last, "addedAt": at})
		}
	}
	if shown["has-more"] != true {
		return
	}
	switch {
	case listID != "":
		c.goOn("v1/list/"+listID, last)
	case strings.HasSuffix(c.Operation.Path, "/recent"):
		c.goOn("v1/contacts/recent", last)
	default:
		c.goOn("v1/contacts", last)
	}
}

func (c *call) importLists(shown map[string]any) {
	all := cast.Objects(shown["lists"])
	if shown["listId"] != nil {
		all = []map[string]any{shown}
	}
	last := ""
	for _, one := range all {
		value := changed(one)
		last = cast.Plain(one["listId"])
		value["id"] = last
		delete(value, "portalId")
		c.keep(lists, last, value)
	}
	if shown["has-more"] == true {
		c.goOn("v1/"+c.Operation.Path[strings.LastIndexByte(c.Operation.Path, '/')+1:], last)
	}
	for _, vid := range cast.List(shown["updated"]) { // so they were there
		id := cast.Plain(vid)
		c.importObject(c.contacts(), map[string]any{"id": id})
		if strings.HasSuffix(c.Operation.Path, "/remove") {
			key := c.Input.Path["listId"] + "/" + id
			c.keep(memberships, key, map[string]any{"id": key, "list": c.Input.Path["listId"], "vid": id, "addedAt": c.Now.UnixMilli()})
		}
	}
}

func (c *call) importForms(shown map[string]any) {
	for _, one := range append(cast.Objects(shown[bareList]), shown) {
		guid := cast.Text(one["guid"])
		if guid == "" && len(one) <= 1 {
			guid = c.Input.Path["guid"] // deleted: so it was there
		}
		value := changed(one)
		value["id"], value["guid"] = guid, guid
		for _, field := range []string{"portalId", "embeddedCode", "fields", bareList} {
			delete(value, field)
		}
		c.keep(forms, guid, value)
	}
}

// importOldProperties takes in properties as old APIs show them; what later ones
// do not show is kept beside.
func (c *call) importOldProperties(shown map[string]any) {
	o := c.oldType()
	if o == nil {
		return
	}
	all, lists := cast.Objects(shown[bareList]), true
	if cast.Text(shown["name"]) != "" {
		all, lists = []map[string]any{shown}, false
	}
	for _, one := range all {
		property := cast.Text(one["name"])
		value := map[string]any{
			"id": o.name + "/" + property, "objectType": o.name, "old": one, "hasUniqueValue": one["hasUniqueValue"] == true, "options": options(one["options"]),
			"modificationMetadata": map[string]any{"archivable": false, "readOnlyDefinition": one["readOnlyDefinition"] == true, "readOnlyValue": one["readOnlyValue"] == true},
		}
		for _, field := range []string{"name", "label", "type", "fieldType", "description", "groupName", "hidden", "formField", "displayOrder", "calculated", "externalOptions", "hubspotDefined"} {
			if one[field] != nil {
				value[field] = one[field]
			}
		}
		if lists && c.Operation.Method == http.MethodGet {
			value["listed"] = true
		}
		c.keep(properties, o.name+"/"+property, value)
	}
}

func (c *call) importOwnersV2(shown map[string]any) {
	for _, one := range append(cast.Objects(shown[bareList]), shown) {
		id := cast.Plain(one["ownerId"])
		value := map[string]any{"id": id, "email": one["email"], "type": "PERSON", "firstName": cast.Plain(one["firstName"]), "lastName": cast.Plain(one["lastName"]), "archived": one["isActive"] == false}
		for field, from := range map[string]string{"createdAt": "createdAt", "updatedAt": "updatedAt"} {
			value[field] = instant(time.UnixMilli(cast.Int(one[from])))
		}
		if n, ok := one["activeUserId"].(int64); ok {
			value["userId"] = n
		}
		c.keep(owners, id, value)
	}
}

func (c *call) importBlogs(shown map[string]any) {
	all := cast.Objects(shown["objects"])
	if shown["id"] != nil {
		all = []map[string]any{shown}
	}
	for _, one := range all {
		value := changed(one)
		value["id"] = cast.Plain(one["id"])
		delete(value, "portal_id")
		c.keep(blogs, cast.Text(value["id"]), value)
	}
}

// importAllOld takes in the records of a list, whose id stands in a field, and
// gives the id of the last.
func (c *call) importAllOld(o *objectType, field string, all []map[string]any) (last string) {
	for _, one := range all {
		last = cast.Plain(one[field])
		held, history := c.versioned(o, one)
		kept := map[string]any{}
		for name, value := range one {
			if name != field && name != "properties" && name != "portalId" {
				kept[name] = value
			}
		}
		c.importOld(o, last, held, history, kept, nil)
	}
	return last
}

func (c *call) importCompanies(shown map[string]any) {
	all := append(cast.Objects(shown["companies"]), cast.Objects(shown["results"])...)
	if shown["companyId"] != nil && shown["properties"] != nil {
		all = []map[string]any{shown}
	}
	last := c.importAllOld(c.companies(), "companyId", all)
	if shown["has-more"] == true {
		c.goOn("v2/companies", last)
	}
	if strings.Contains(c.Operation.Path, "/recent/") {
		c.remember("v2/recent", shown["total"])
		if shown["hasMore"] == true {
			c.goOn("v2/recent", last)
		}
	}
	if id := c.Input.Path["companyId"]; digits(id) && last == "" && c.Operation.Method != http.MethodGet {
		c.importObject(c.companies(), map[string]any{"id": id})
	}
}

func (c *call) importPosts(shown map[string]any) {
	all := cast.Objects(shown["objects"])
	if shown["id"] != nil {
		all = []map[string]any{shown}
	}
	for _, one := range all {
		value := changed(one)
		value["id"] = cast.Plain(one["id"])
		delete(value, "portal_id")
		c.keep(blogPosts, cast.Text(value["id"]), value)
	}
	c.remember("posts/"+c.query("content_group_id"), shown["total_count"])
}

func (c *call) importDeals(shown map[string]any) {
	all := append(cast.Objects(shown["deals"]), cast.Objects(shown["results"])...)
	if shown["dealId"] != nil && shown["properties"] != nil {
		all = []map[string]any{shown}
	}
	last := c.importAllOld(c.deals(), "dealId", all)
	switch {
	case strings.Contains(c.Operation.Path, "/recent/"):
		c.remember("v1/deals/recent", shown["total"])
		if shown["hasMore"] == true {
			c.goOn("v1/deals/recent", last)
		}
	case shown["hasMore"] == true && strings.HasSuffix(c.Operation.Path, "/deal/paged"):
		c.goOn("v1/deals", last)
	}
	if id := c.Input.Path["dealId"]; digits(id) && last == "" && c.Operation.Method != http.MethodGet {
		c.importObject(c.deals(), map[string]any{"id": id})
	}
}
