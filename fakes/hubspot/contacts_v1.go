package hubspot

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mode is how much of a contact v1 shows.
type mode struct {
	properties []string // nil: all
	versions   bool     // with the versions of each
	lists      bool     // with the lists that it is in
	made       bool     // as it has just been made
	noForms    bool     // without the forms that it sent
}

// contactsV1 is the type that v1 is about, and companiesV2 that of v2.
func (c *call) contacts() *objectType  { return c.fake.types.byName["contacts"] }
func (c *call) companies() *objectType { return c.fake.types.byName["companies"] }

// givenV1 reads properties as v1 has them: a list of names and values.
func givenV1(v any) map[string]any {
	given := map[string]any{}
	for _, one := range cast.List(v) {
		p, _ := one.(map[string]any)
		key := cast.Text(p["property"])
		if key == "" {
			key = cast.Text(p["name"])
		}
		if key == "" {
			continue
		}
		given[key] = p["value"]
		if p["value"] == nil {
			given[key] = ""
		}
	}
	return given
}

// flawedV1 words flaws as the APIs before v3 do.
func flawedV1(flaws []flaw) *refusal {
	results := make([]any, len(flaws))
	for i, f := range flaws {
		results[i] = map[string]any{"isValid": false, "message": f.message, "error": f.code, "name": f.name}
	}
	return &refusal{status: http.StatusBadRequest, message: "Property values were not valid", extra: map[string]any{"validationResults": results}}
}

// What versions say of writes by the APIs before v3.
var (
	apiSource   = source{kind: "API"}
	batchSource = source{kind: "BATCH_UPDATE"}
)

// tomcatPage is what v1 says of a vid that is no number.
const tomcatPage = `<html><head><title>Apache Tomcat/6.0.30 - Error report</title><style><!--H1 {font-family:Tahoma,Arial,sans-serif;color:white;background-color:#525D76;font-size:22px;} H2 {font-family:Tahoma,Arial,sans-serif;color:white;background-color:#525D76;font-size:16px;} H3 {font-family:Tahoma,Arial,sans-serif;color:white;background-color:#525D76;font-size:14px;} BODY {font-family:Tahoma,Arial,sans-serif;color:black;background-color:white;} B {font-family:Tahoma,Arial,sans-serif;color:white;background-color:#525D76;} P {font-family:Tahoma,Arial,sans-serif;background:white;color:black;font-size:12px;}A {color : black;}A.name {color : black;}HR {color : #525D76;}--></style> </head><body><h1>HTTP Status 404 - Not Found</h1><HR size="1" noshade="noshade"><p><b>type</b> Status report</p><p><b>message</b> <u>Not Found</u></p><p><b>description</b> <u>The requested resource (Not Found) is not available.</u></p><HR size="1" noshade="noshade"><h3>Apache Tomcat/6.0.30</h3></body></html>`

// saveV1 makes a contact, or changes one.
func (c *call) saveV1(r *world.Record, given map[string]any, by source) (*world.Record, map[string]string, *refusal) {
	o := c.contacts()
	set, flaws := c.check(o, given)
	if len(flaws) > 0 {
		return nil, nil, flawedV1(flaws)
	}
	if email := set["email"]; email != "" {
		if other := c.byProperty(o, "email", email); other != nil && (r == nil || other.ID != r.ID) {
			return nil, nil, c.existsV1(other)
		}
	}
	if r == nil {
		return c.make(o, set, by), set, nil
	}
	return c.alter(o, r, set, by), set, nil
}

// existsV1 is the answer to a second contact of an address: who has it.
func (c *call) existsV1(r *world.Record) *refusal {
	var identities []any
	for _, one := range c.identities(r) {
		i, _ := one.(map[string]any)
		identity := map[string]any{"type": i["type"], "value": i["value"], "timestamp": i["timestamp"]}
		if i["is-primary"] == true {
			identity["isPrimary"] = true
		}
		identities = append(identities, identity)
	}
	return &refusal{status: http.StatusConflict, message: "Contact already exists", extra: map[string]any{
		"error": "CONTACT_EXISTS",
		"identityProfile": map[string]any{
			"vid": whole(r.ID), "identity": identities, "linkedVid": []any{}, "isContact": true, "savedAtTimestamp": millis(cast.Text(r.Value()["createdAt"])),
		},
	}}
}

// identities are what a contact is known by: its address and what a browser
// would be.
func (c *call) identities(r *world.Record) []any {
	held, _ := r.Value()["properties"].(map[string]any)
	at := millis(cast.Text(r.Value()["createdAt"]))
	var all []any
	if email := cast.Text(held["email"]); email != "" {
		all = append(all, map[string]any{"type": "EMAIL", "value": email, "timestamp": at, "is-primary": true, "source": "UNSPECIFIED"})
	}
	return append(all, map[string]any{"type": "LEAD_GUID", "value": guidOf(r.ID), "timestamp": at, "source": "UNSPECIFIED"})
}

// guidOf makes a UUID of an id: the same one each time.
func guidOf(id string) string {
	seed := id
	for len(seed) < 24 {
		seed += "k" + id
	}
	return uuidOf(seed[:24])
}

// identityProfile is whom a contact stands for: the answer to its creation says
// more of it than reads do, as recorded.
func (c *call) identityProfile(r *world.Record, m mode) map[string]any {
	identities := c.identities(r)
	if m.made {
		return map[string]any{
			"vid": whole(r.ID), "is-deleted": false, "is-contact": false, "pointer-vid": int64(0), "previous-vid": int64(0), "linked-vids": []any{},
			"saved-at-timestamp": int64(0), "deleted-changed-timestamp": int64(0), "identities": identities,
		}
	}
	for _, one := range cast.Objects(identities) {
		delete(one, "source")
	}
	return map[string]any{"vid": whole(r.ID), "saved-at-timestamp": millis(cast.Text(r.Value()["createdAt"])), "deleted-changed-timestamp": int64(0), "identities": identities}
}

// showV1 writes a contact as v1 shows it.
func (c *call) showV1(r *world.Record, m mode) map[string]any {
	held, _ := r.Value()["properties"].(map[string]any)
	kept, _ := r.Value()["v1"].(map[string]any)
	token := "AO_T-m" + strings.ReplaceAll(guidOf(r.ID), "-", "") + strings.ReplaceAll(guidOf(r.ID+"0"), "-", "")
	shown := map[string]any{
		"vid": whole(r.ID), "canonical-vid": whole(r.ID), "merged-vids": mergedVids(r), "portal-id": c.settings.portal(), "is-contact": true,
		"profile-token": token, "profile-url": fmt.Sprintf("https://app.hubspot.com/contacts/%s/contact/%s", c.settings.portalID, r.ID),
		"merge-audits": []any{}, "identity-profiles": []any{c.identityProfile(r, m)},
	}
	if !m.noForms {
		shown["form-submissions"] = []any{}
	}
	if m.lists {
		shown["list-memberships"] = c.listsOf(r.ID)
	}
	for field, value := range kept {
		if field != "addedAt" && field != "utk" && (field != "list-memberships" || m.lists) && (field != "form-submissions" || !m.noForms) {
			shown[field] = value
		}
	}
	props := map[string]any{}
	for property := range held {
		if m.properties == nil || slices.Contains(m.properties, property) {
			props[property] = c.propertyV1(r, property, m.versions)
		}
	}
	shown["properties"] = props
	return shown
}

func mergedVids(r *world.Record) []any {
	all := []any{}
	for _, id := range cast.Texts(r.Value()["merged"]) {
		all = append(all, whole(id))
	}
	return all
}

// listsOf are the lists that a contact is in.
func (c *call) listsOf(vid string) []any {
	all := []any{}
	for r := range c.fake.store.Find(c.Tx, memberships, "vid", vid) {
		all = append(all, map[string]any{"static-list-id": whole(cast.Text(r.Value()["list"])), "internal-list-id": whole(cast.Text(r.Value()["list"])), "timestamp": r.Value()["addedAt"], "vid": whole(vid), "is-member": true})
	}
	return all
}

// old writes a value as the APIs before v3 do: times are milliseconds.
func old(value string) string {
	if len(value) > len(toSeconds) && value[4] == '-' && value[10] == 'T' {
		if n := millis(value); n != 0 {
			return strconv.FormatInt(n, 10)
		}
	}
	return value
}

const toSeconds = "2006-01-02T15:04:05"

func (c *call) propertyV1(r *world.Record, property string, versions bool) map[string]any {
	shown := map[string]any{"value": old(cast.Text(cast.Object(r.Value()["properties"])[property]))}
	if !versions {
		return shown
	}
	var all []any
	for _, v := range c.versionsOf(r, property) {
		version := map[string]any{
			"value": old(cast.Text(v["value"])), "source-type": v["source"], "source-id": nil, "source-label": nil, "timestamp": v["timestamp"], "selected": v["selected"] == true,
		}
		if id, ok := v["sourceId"].(string); ok {
			version["source-id"] = id
		}
		if name, ok := v["sourceLabel"].(string); ok {
			version["source-label"] = name
		}
		all = append(all, version)
	}
	shown["versions"] = all
	return shown
}

// versionsOf are the versions of a property, newest first: the one there is,
// where no other is known.
func (c *call) versionsOf(r *world.Record, property string) []map[string]any {
	history, _ := r.Value()["history"].(map[string]any)
	var all []map[string]any
	for _, one := range cast.List(history[property]) {
		if v, ok := one.(map[string]any); ok {
			all = append(all, v)
		}
	}
	if all == nil {
		held, _ := r.Value()["properties"].(map[string]any)
		kind, at := "API", millis(cast.Text(r.Value()["createdAt"]))
		if strings.HasSuffix(property, "lastmodifieddate") {
			kind, at = "CALCULATED", millis(cast.Text(r.Value()["updatedAt"]))
		}
		all = []map[string]any{{"value": held[property], "timestamp": at, "source": kind}}
	}
	return all
}

// asksV1 reads how much is to be shown: all, with versions, unless the query
// says less.
func (c *call) asksV1() mode {
	m := mode{versions: c.query("propertyMode") != "value_only", lists: true, noForms: c.query("formSubmissionMode") == "none"}
	if names := c.words("property"); names != nil {
		m.properties = append(names, "lastmodifieddate")
	}
	if shows, sent := c.Input.Query["showListMemberships"].(bool); sent {
		m.lists = shows
	}
	return m
}

// noContactOf tells which address no contact has.
func noContactOf(email string) *refusal {
	r := noContact()
	r.category, r.errors = notFoundCategory, []any{map[string]any{"message": "The contact e:" + kit.Clip(email) + " does not exist."}}
	return r
}

func noContact() *refusal {
	return &refusal{status: http.StatusNotFound, message: "contact does not exist"}
}

// byCookie finds the contact that a browser's cookie was seen with: the token is
// that of the contact, or among what it was seen with.
func (c *call) byCookie(utk string) *world.Record {
	for r := range c.Tx.Oldest(c.fake.store.Full("contacts"), 0) {
		kept, _ := r.Value()["v1"].(map[string]any)
		held, _ := r.Value()["properties"].(map[string]any)
		if r.Value()["archived"] != true && utk != "" && (kept["utk"] == utk || held["usertoken"] == utk || guidOf(r.ID) == utk) {
			return r
		}
	}
	return nil
}

// namedV1 finds the contact that a path names, by vid or by address.
func (c *call) namedV1() (*world.Record, *refusal) {
	o := c.contacts()
	if email, ok := c.Input.Path["email"]; ok {
		if r := c.byProperty(o, "email", email); r != nil {
			return r, nil
		}
		return nil, noContactOf(email)
	}
	if utk, ok := c.Input.Path["utk"]; ok {
		if r := c.byCookie(utk); r != nil {
			return r, nil
		}
		return nil, noContact()
	}
	vid := c.Input.Path["vid"]
	if !digits(vid) {
		return nil, &refusal{status: http.StatusNotFound, page: tomcatPage}
	}
	if r, ok := c.find(o, vid); ok {
		return r, nil
	}
	return nil, noContact()
}
