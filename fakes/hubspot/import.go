package hubspot

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Import puts into the world what HubSpot's answer to a call shows: records,
// what is particular to the account, and what the caller may not do.
func (f *Fake) Import(fc *fakes.Call, status int, body []byte) {
	if fc.Operation == nil {
		return
	}
	c := &call{Call: fc, fake: f}
	c.settings = c.account()
	shown := decoded(body)
	c.importAccount(shown)
	switch {
	case status == http.StatusForbidden:
		c.importLack()
	case status == http.StatusConflict:
		c.importConflict(shown)
	case status/100 != 2:
	case c.legacy():
		c.importLegacy(shown)
	default:
		c.importCurrent(shown)
	}
}

// decoded reads JSON as records hold it: whole numbers as int64.
func decoded(body []byte) map[string]any {
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return map[string]any{}
	}
	switch x := typed(v).(type) {
	case map[string]any:
		return x
	case []any:
		return map[string]any{bareList: x}
	}
	return map[string]any{}
}

// bareList is where a reply that is nothing but a list is found.
const bareList = "(list)"

func typed(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for name, inner := range x {
			x[name] = typed(inner)
		}
	case []any:
		for i, inner := range x {
			x[i] = typed(inner)
		}
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n
		}
		n, err := x.Float64()
		if err != nil {
			return x.String()
		}
		return n
	}
	return v
}

// keep writes a record that is not there yet and holds against the contract.
func (c *call) keep(collection, id string, value map[string]any) {
	if _, there := c.fake.store.Get(c.Tx, collection, id); there || id == "" {
		return
	}
	if len(c.fake.store.Contract.CheckRecord(collection, value)) > 0 {
		return
	}
	// Lists are in the order of ids: those that are greater come after.
	var later []*world.Record
	if digits(id) {
		for r := range c.Tx.Oldest(c.fake.store.Full(collection), 0) {
			if whole(r.ID) > whole(id) {
				later = append(later, r)
			}
		}
	}
	c.fake.store.Create(c.Tx, collection, id, value)
	for _, r := range later {
		c.fake.store.Delete(c.Tx, collection, r.ID)
		c.fake.store.Create(c.Tx, collection, r.ID, r.Value())
	}
}

var inPortal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`in portal (\S+) \(`) })

// importAccount learns which account it is.
func (c *call) importAccount(shown map[string]any) {
	portal := ""
	if m := inPortal().FindStringSubmatch(cast.Text(shown["message"])); m != nil {
		portal = m[1]
	}
	walk(shown, func(m map[string]any) {
		for _, field := range []string{"portalId", "portal-id", "portal_id"} {
			if n, ok := m[field].(int64); ok && portal == "" {
				portal = strconv.FormatInt(n, 10)
			}
		}
	})
	if portal != "" {
		c.keep(account, account, map[string]any{"id": account, "portalId": portal})
		c.settings = c.account()
	}
}

func walk(v any, visit func(map[string]any)) {
	switch x := v.(type) {
	case map[string]any:
		visit(x)
		for _, inner := range x {
			walk(inner, visit)
		}
	case []any:
		for _, inner := range x {
			walk(inner, visit)
		}
	}
}

// importLack remembers that the caller's token has no scopes.
func (c *call) importLack() {
	if _, known := c.Tx.Get(tokensCollection, c.Identity); known || c.Identity == "" {
		return
	}
	value := map[string]any{"id": c.Identity, "issued": c.Now.Unix(), "scopes": []any{}}
	_, err := c.Tx.Insert(tokensCollection, c.Identity, value)
	kit.Must(name, err) // the collection is declared
}

var existing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`Existing ID: ([0-9]+)`) })

// importConflict learns of the contact that has an address.
func (c *call) importConflict(shown map[string]any) {
	given, _ := c.Input.Body["properties"].(map[string]any)
	if given == nil {
		given = givenV1(c.Input.Body["properties"])
	}
	email := cast.Plain(given["email"])
	id := ""
	if m := existing().FindStringSubmatch(cast.Text(shown["message"])); m != nil {
		id = m[1]
	}
	if profile, ok := shown["identityProfile"].(map[string]any); ok {
		id = cast.Plain(profile["vid"])
	}
	if email != "" {
		c.importObject(c.contacts(), map[string]any{"id": id, "properties": map[string]any{"email": strings.ToLower(email)}})
	}
}

// importCurrent takes in what the APIs from v3 on show.
func (c *call) importCurrent(shown map[string]any) {
	path := c.Operation.Path
	switch {
	case strings.HasPrefix(path, "/crm/v3/properties/") && !strings.Contains(path, "/groups"):
		c.importProperties(shown)
	case strings.HasPrefix(path, "/crm/v3/pipelines/"):
		c.importPipelines(shown)
	case strings.HasPrefix(path, "/crm/v3/owners"):
		for _, one := range each(shown) {
			c.keep(owners, cast.Text(one["id"]), one)
		}
	case strings.HasPrefix(path, "/crm/v3/schemas"), strings.HasPrefix(path, "/crm/v3/lists"), strings.HasPrefix(path, "/settings/v3/users"):
		c.importSettings(shown)
	case strings.Contains(path, "/associations/{toObjectType}") && c.Operation.Method == http.MethodGet:
		c.importLinks(shown)
	case strings.Contains(path, "/objects/"):
		c.importObjects(shown)
	}
}

// each lists what a reply shows: the results of a list, or the one record.
func each(shown map[string]any) []map[string]any {
	results, ok := shown["results"].([]any)
	if !ok {
		return []map[string]any{shown}
	}
	var all []map[string]any
	for _, one := range results {
		if m, ok := one.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
}

func (c *call) importObjects(shown map[string]any) {
	o, ok := c.typeNamed(c.Input.Path["objectType"])
	if !ok {
		return
	}
	last := ""
	for _, one := range each(shown) {
		if id := cast.Text(one["id"]); id != "" && one["new"] != true {
			c.importObject(o, one)
			last = id
		}
	}
	if id := c.Input.Path["objectId"]; digits(id) && last == "" { // changed or archived: so it was there
		c.importObject(o, map[string]any{"id": id})
	}
	switch {
	case strings.HasSuffix(c.Operation.Path, "/search"):
		c.remember(c.asking(o), shown["total"])
	case shown["paging"] != nil && c.Operation.Method == http.MethodGet:
		c.goOn(o.name, last)
	}
}

// importObject takes in a record, or what is seen of one for the first time.
func (c *call) importObject(o *objectType, one map[string]any) {
	seen, _ := one["properties"].(map[string]any)
	held := map[string]any{}
	for property, value := range seen {
		if s, ok := value.(string); ok && s != "" {
			held[property] = s
			c.importDefinition(o, property)
		}
	}
	id := cast.Text(one["id"])
	if r, there := c.fake.store.Get(c.Tx, o.collection, id); there {
		c.more(o, r.Value(), one, held)
		c.importAttached(o, id, one)
		return
	}
	at := c.supposed()
	value := map[string]any{"id": id, "properties": held, "createdAt": instant(at), "updatedAt": instant(at), "archived": one["archived"] == true}
	for _, field := range []string{"createdAt", "updatedAt", "archivedAt"} {
		if s := cast.Text(one[field]); s != "" {
			value[field] = s
		}
	}
	for property, value := range map[string]string{"hs_object_id": id, o.created: cast.Text(value["createdAt"]), o.modified: cast.Text(value["updatedAt"])} {
		if held[property] == nil {
			held[property] = value
		}
	}
	if o.custom {
		value["type"] = o.name
	}
	c.keep(o.collection, id, value)
	c.importAttached(o, id, one)
}

// supposed is when a record was made of which nothing tells that.
func (c *call) supposed() time.Time { return c.Now.Add(-day).UTC().Truncate(time.Millisecond) }

// more adds what earlier replies did not show: properties that are not shown
// unless asked for, and all of a record that was only known to be there.
func (c *call) more(o *objectType, before, one, held map[string]any) {
	had, _ := before["properties"].(map[string]any)
	value, after := changed(before), changed(had)
	mentioned := before["createdAt"] == instant(c.supposed()) && cast.Text(one["createdAt"]) != ""
	for property, told := range held {
		if mentioned || after[property] == nil && !contains(o.defaults, property) {
			after[property] = told
		}
	}
	if mentioned {
		for _, field := range []string{"createdAt", "updatedAt", "archivedAt", "archived"} {
			if told, ok := one[field]; ok {
				value[field] = told
			}
		}
		for property, field := range map[string]string{o.created: "createdAt", o.modified: "updatedAt"} {
			if held[property] == nil {
				after[property] = value[field]
			}
		}
	}
	if len(after) == len(had) && !mentioned {
		return
	}
	value["properties"] = after
	c.fake.store.Update(c.Tx, o.collection, cast.Text(before["id"]), value)
}

func contains(names []string, one string) bool {
	for _, n := range names {
		if n == one {
			return true
		}
	}
	return false
}

// importDefinition learns of a property by its being there.
func (c *call) importDefinition(o *objectType, property string) {
	if c.definition(o, property) != nil {
		return
	}
	c.keep(properties, o.name+"/"+property, map[string]any{
		"id": o.name + "/" + property, "objectType": o.name, "name": property, "label": property, "type": "string", "fieldType": "text",
		"description": "", "groupName": groupOf(o), "options": []any{}, "hasUniqueValue": false, "hidden": false, "formField": false,
	})
}

func (c *call) importProperties(shown map[string]any) {
	o, ok := c.typeNamed(c.Input.Path["objectType"])
	if !ok {
		return
	}
	_, lists := shown["results"].([]any)
	for _, one := range each(shown) {
		value := maps.Clone(one)
		property := cast.Text(value["name"])
		value["id"], value["objectType"] = o.name+"/"+property, o.name
		if lists && c.Operation.Method == http.MethodGet {
			value["listed"] = true
		}
		c.keep(properties, o.name+"/"+property, value)
	}
}

func (c *call) importPipelines(shown map[string]any) {
	o, ok := c.typeNamed(c.Input.Path["objectType"])
	if !ok || strings.Contains(c.Operation.Path, "/stages") {
		return
	}
	for _, one := range each(shown) {
		value := maps.Clone(one)
		id := o.name + "/" + cast.Text(one["id"])
		value["id"], value["objectType"] = id, o.name
		c.keep(pipelines, id, value)
	}
}
