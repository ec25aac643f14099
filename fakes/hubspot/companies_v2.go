package hubspot

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// showV2 writes a company as v2 shows it.
func (c *call) showV2(r *world.Record, names []string) map[string]any {
	held, _ := r.Value()["properties"].(map[string]any)
	kept, _ := r.Value()["v1"].(map[string]any)
	props := map[string]any{}
	for property := range held {
		if names == nil || slices.Contains(names, property) {
			props[property] = c.propertyV2(r, property)
		}
	}
	shown := map[string]any{
		"portalId": c.settings.portal(), "companyId": whole(r.ID), "isDeleted": false, "properties": props,
		"additionalDomains": []any{}, "stateChanges": []any{}, "mergeAudits": []any{},
	}
	for field, value := range kept {
		shown[field] = value
	}
	return shown
}

// propertyV2 shows a property's newest version, and those before it where they
// are asked for.
func (c *call) propertyV2(r *world.Record, property string) map[string]any {
	var all []any
	for i, v := range c.versionsOf(r, property) {
		if i > 0 && !c.flag("includePropertyVersions") {
			break
		}
		version := map[string]any{
			"name": property, "value": old(cast.Text(v["value"])), "timestamp": v["timestamp"], "source": v["source"], "sourceVid": []any{}, "requestId": c.correlation,
		}
		if id, ok := v["sourceId"].(string); ok {
			version["sourceId"] = id
		}
		if calculatedV2(property) && r.Value()["v1"] == nil {
			version["source"] = "CALCULATED"
		}
		all = append(all, version)
	}
	first, _ := all[0].(map[string]any)
	if property == "createdate" && len(all) == 1 && r.Value()["v1"] == nil {
		// Written by who made the company, and once more by the API itself.
		twin := changed(first)
		twin["sourceId"] = "API"
		all = append(all, twin)
	}
	return map[string]any{"value": first["value"], "timestamp": first["timestamp"], "source": first["source"], "sourceId": first["sourceId"], "versions": all}
}

// calculatedV2 tells whether HubSpot itself sets a property of a company.
func calculatedV2(property string) bool {
	return property == "hs_lastmodifieddate" || property == "website"
}

// shownV2 are the properties that the answer to a write shows.
func shownV2(set map[string]string, more ...string) []string {
	names := append([]string{"createdate", "hs_lastmodifieddate"}, more...)
	for property := range set {
		names = append(names, property)
	}
	if set["domain"] != "" {
		names = append(names, "website")
	}
	return names
}

func noCompany() *refusal {
	return &refusal{status: http.StatusNotFound, message: "resource not found"}
}

func (c *call) namedCompany() (*world.Record, *refusal) {
	r, there := c.find(c.companies(), c.Input.Path["companyId"])
	if !there {
		return nil, noCompany()
	}
	return r, nil
}

func createCompanyV2(c *call) (answer, *refusal) {
	set, flaws := c.check(c.companies(), givenV1(c.Input.Body["properties"]))
	if len(flaws) > 0 {
		return answer{}, flawedV1(flaws)
	}
	r := c.make(c.companies(), set, apiSource)
	return ok(c.showV2(r, shownV2(set)))
}

func getCompanyV2(c *call, r *world.Record) (answer, *refusal) {
	return ok(c.showV2(r, nil))
}

func updateCompanyV2(c *call, r *world.Record) (answer, *refusal) {
	set, flaws := c.check(c.companies(), givenV1(c.Input.Body["properties"]))
	if len(flaws) > 0 {
		return answer{}, flawedV1(flaws)
	}
	return ok(c.showV2(c.alter(c.companies(), r, set, apiSource), nil))
}

func archiveCompanyV2(c *call, r *world.Record) (answer, *refusal) {
	c.retire(c.companies(), r)
	return ok(map[string]any{"companyId": whole(r.ID), "deleted": true})
}

// batchCompaniesV1 takes changes of many companies, and makes them in a moment:
// here, at once. Those of companies that are not there come to nothing.
func batchCompaniesV1(c *call) (answer, *refusal) {
	type job struct {
		r   *world.Record
		set map[string]string
	}
	var jobs []job
	for _, one := range cast.List(c.Input.Value) {
		input, _ := one.(map[string]any)
		r, there := c.find(c.companies(), cast.Plain(input["objectId"]))
		set, flaws := c.check(c.companies(), givenV1(input["properties"]))
		if len(flaws) > 0 {
			return answer{}, flawedV1(flaws)
		}
		if there {
			jobs = append(jobs, job{r, set})
		}
	}
	for _, j := range jobs {
		c.alter(c.companies(), j.r, j.set, source{"API", "CompaniesBatchMutation"})
	}
	return answer{status: http.StatusAccepted, header: []string{"Content-Type", jsonType}}, nil
}

// present lists the records of a type that are there: by their ids, or newest
// first by when they were made or changed.
func (c *call) present(o *objectType, newestBy string, since int64) []*world.Record {
	var all []*world.Record
	for r := range c.Tx.Oldest(c.fake.store.Full(o.collection), 0) {
		if r.Value()["archived"] != true && (newestBy == "" || millis(cast.Text(r.Value()[newestBy])) >= since) {
			all = append(all, r)
		}
	}
	if newestBy != "" {
		slices.SortStableFunc(all, func(a, b *world.Record) int {
			return strings.Compare(cast.Text(b.Value()[newestBy]), cast.Text(a.Value()[newestBy]))
		})
	}
	return all
}

func listCompaniesV2(c *call) (answer, *refusal) {
	names := append(c.words("properties"), c.words("propertiesWithHistory")...)
	if names == nil {
		names = []string{}
	}
	limit, after := c.count("limit", mostListsV1), c.number("offset")
	if _, sent := c.Input.Query["limit"]; !sent {
		limit = mostV1
	}
	shown, last, more := []any{}, after, false
	for _, r := range c.present(c.companies(), "", 0) {
		if whole(r.ID) <= after {
			continue
		}
		if more = len(shown) == limit; more {
			break
		}
		shown, last = append(shown, c.showV2(r, names)), whole(r.ID)
	}
	return ok(map[string]any{"companies": shown, "has-more": more || c.wentOn("v2/companies", cast.Plain(last)), "offset": last})
}

func recentCompaniesV2(c *call) (answer, *refusal) {
	field := map[bool]string{true: "createdAt", false: "updatedAt"}[strings.HasSuffix(c.Operation.Path, "/created")]
	return c.recent(c.present(c.companies(), field, c.number("since")), "v2/recent", func(r *world.Record) map[string]any { return c.showV2(r, nil) })
}

// recent answers with a page of what was made or changed of late.
func (c *call) recent(all []*world.Record, listed string, show func(*world.Record) map[string]any) (answer, *refusal) {
	from, count := c.offset(), c.count("count", mostV1)
	end := min(from+count, len(all))
	shown, last := []any{}, ""
	for _, r := range all[min(from, end):end] {
		shown, last = append(shown, show(r)), r.ID
	}
	return ok(map[string]any{"results": shown, "hasMore": end < len(all) || c.wentOn(listed, last), "offset": int64(end), "total": max(int64(len(all)), c.counted(listed))})
}

func companiesByDomainV2(c *call) (answer, *refusal) {
	asked, _ := c.Input.Body["requestOptions"].(map[string]any)
	var names []string // nil: all
	if wanted, ok := asked["properties"].([]any); ok {
		names = cast.Texts(wanted)
	}
	results, last := []any{}, int64(0)
	for r := range c.fake.store.Find(c.Tx, "companies", "properties.domain", c.Input.Path["domain"]) {
		if r.Value()["archived"] != true {
			results, last = append(results, c.showV2(r, names)), max(last, whole(r.ID))
		}
	}
	slices.Reverse(results)
	if c.Operation.Method == http.MethodGet {
		return answer{status: http.StatusOK, list: results}, nil
	}
	return ok(map[string]any{"results": results, "hasMore": false, "offset": map[string]any{"companyId": last, "isPrimary": true}})
}

func companyContactsV2(c *call, r *world.Record) (answer, *refusal) {
	count, after := c.count("count", mostV1), c.number("vidOffset")
	vids, contacts, last, more := []any{}, []any{}, after, false
	for _, l := range c.links(c.companies(), r.ID, c.contacts()) {
		if whole(l.id) <= after {
			continue
		}
		if more = len(vids) == count; more {
			break
		}
		contact, _ := c.find(c.contacts(), l.id)
		held, _ := contact.Value()["properties"].(map[string]any)
		var props []any
		for _, property := range []string{"createdate", "email", "firstname", "lastmodifieddate", "lastname"} {
			if value := cast.Text(held[property]); value != "" {
				props = append(props, map[string]any{"name": property, "value": old(value), "sourceVid": []any{}})
			}
		}
		vids, last = append(vids, whole(l.id)), whole(l.id)
		contacts = append(contacts, map[string]any{
			"identities": []any{map[string]any{"vid": whole(l.id), "identity": c.identities(contact), "linkedVid": []any{}}},
			"properties": props, "formSubmissions": []any{}, "listMembership": []any{}, "vid": whole(l.id), "portalId": c.settings.portal(), "isContact": true, "vids": []any{}, "imports": []any{}, "publicToken": "", "canonicalVid": whole(l.id), "mergeAudit": []any{}, "mergedVids": []any{}, "campaigns": []any{}, "stateChanges": []any{},
		})
	}
	if strings.HasSuffix(c.Operation.Path, "/vids") {
		return ok(map[string]any{"vids": vids, "vidOffset": last, "hasMore": more})
	}
	return ok(map[string]any{"contacts": contacts, "vidOffset": last, "hasMore": more})
}

func (c *call) companyAndContact() (association, *refusal) {
	r, refused := c.namedCompany()
	if refused != nil {
		return association{}, refused
	}
	if !c.alive(c.contacts(), c.Input.Path["vid"]) {
		return association{}, noContact()
	}
	return association{from: c.contacts(), fromID: c.Input.Path["vid"], to: c.companies(), toID: r.ID}, nil
}

func addCompanyContactV2(c *call, a association) (answer, *refusal) {
	c.put(a)
	r, _ := c.find(c.companies(), a.toID)
	return ok(c.showV2(r, nil))
}

func removeCompanyContactV2(c *call, a association) (answer, *refusal) {
	c.cut(a.from, a.fromID, a.to, a.toID)
	return done()
}
