package hubspot

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

func createContactV1(c *call) (answer, *refusal) {
	r, set, refused := c.saveV1(nil, givenV1(c.Input.Body["properties"]), apiSource)
	if refused != nil {
		return answer{}, refused
	}
	m := mode{versions: true, lists: true, made: true, properties: []string{"createdate", "lastmodifieddate"}}
	for property := range set {
		m.properties = append(m.properties, property)
	}
	return ok(c.showV1(r, m))
}

func getContactV1(c *call, r *world.Record) (answer, *refusal) {
	return ok(c.showV1(r, c.asksV1()))
}

func updateContactV1(c *call, r *world.Record) (answer, *refusal) {
	if _, _, refused := c.saveV1(r, givenV1(c.Input.Body["properties"]), apiSource); refused != nil {
		return answer{}, refused
	}
	return done()
}

func upsertContactV1(c *call) (answer, *refusal) {
	email := c.Input.Path["email"]
	given := givenV1(c.Input.Body["properties"])
	old := c.byProperty(c.contacts(), "email", email)
	if given["email"] == nil && old == nil {
		given["email"] = email
	}
	r, _, refused := c.saveV1(old, given, apiSource)
	if refused != nil {
		return answer{}, refused
	}
	return ok(map[string]any{"vid": whole(r.ID), "isNew": old == nil})
}

// batchContactsV1 makes or changes contacts by vid or by address; HubSpot takes
// it and does it in a moment.
func batchContactsV1(c *call) (answer, *refusal) {
	inputs := cast.List(c.Input.Value)
	if body, ok := c.Input.Body["contacts"]; ok {
		inputs = cast.List(body)
	}
	type job struct {
		r     *world.Record
		given map[string]any
	}
	var jobs []job
	var failures []any
	for i, one := range inputs {
		input, _ := one.(map[string]any)
		given := givenV1(input["properties"])
		var r *world.Record
		switch {
		case input["vid"] != nil:
			r, _ = c.find(c.contacts(), cast.Plain(input["vid"]))
			if r == nil {
				failures = append(failures, map[string]any{"index": int64(i), "error": map[string]any{"status": "error", "message": "contact does not exist"}})
				continue
			}
		case cast.Text(input["email"]) != "":
			if r = c.byProperty(c.contacts(), "email", cast.Text(input["email"])); r == nil {
				given["email"] = cast.Text(input["email"])
			}
		default:
			failures = append(failures, map[string]any{"index": int64(i), "error": map[string]any{"status": "error", "message": "Email address was not supplied"}})
			continue
		}
		if _, flaws := c.check(c.contacts(), given); len(flaws) > 0 {
			failures = append(failures, map[string]any{"index": int64(i), "propertyValidationResult": flawedV1(flaws).extra["validationResults"].([]any)[0]})
			continue
		}
		jobs = append(jobs, job{r, given})
	}
	if failures != nil {
		return answer{}, &refusal{status: http.StatusBadRequest, message: "Errors found processing batch update", extra: map[string]any{"failureMessages": failures, "invalidEmails": []any{}}}
	}
	for _, j := range jobs {
		if j.r == nil {
			j.r = c.byProperty(c.contacts(), "email", cast.Plain(j.given["email"])) // of the same batch
		}
		if _, _, refused := c.saveV1(j.r, j.given, batchSource); refused != nil {
			return answer{}, refused
		}
	}
	return answer{status: http.StatusAccepted}, nil
}

func archiveContactV1(c *call, r *world.Record) (answer, *refusal) {
	c.retire(c.contacts(), r)
	return ok(map[string]any{"vid": whole(r.ID), "deleted": true, "reason": "OK"})
}

func getContactsV1(c *call) (answer, *refusal) {
	value, m := map[string]any{}, c.asksV1()
	for _, utk := range c.words("utk") {
		if r := c.byCookie(utk); r != nil {
			value[r.ID] = c.showV1(r, m)
		}
	}
	for _, key := range append(c.words("vid"), c.words("email")...) {
		r, found := c.find(c.contacts(), key)
		if strings.Contains(key, "@") {
			r = c.byProperty(c.contacts(), "email", key)
			found = r != nil
		}
		if found {
			value[r.ID] = c.showV1(r, m)
		}
	}
	return ok(value)
}

func mergeContactsV1(c *call, a *world.Record) (answer, *refusal) {
	b, found := c.find(c.contacts(), cast.Plain(c.Input.Body["vidToMerge"]))
	if !found || a.ID == b.ID {
		return answer{}, &refusal{status: http.StatusBadRequest, message: "vid to merge is not a valid contact or is already in the process of being merged"}
	}
	c.merge(c.contacts(), a, b)
	return answer{status: http.StatusOK, header: []string{"Content-Type", "text/plain"}}, nil
}

// usualV1 is how many contacts a page of v1 has, and mostV1 how many at most.
const (
	usualV1     = 20
	mostV1      = 100
	mostListsV1 = 250
)

// count reads how many are asked for: too many are as many as there may be.
func (c *call) count(parameter string, most int) int {
	n, sent := c.Input.Query[parameter].(int64)
	if !sent || n < 1 {
		return usualV1
	}
	return int(min(n, int64(most)))
}

// offset reads how many are to be passed over.
func (c *call) offset() int { return int(max(0, min(c.number("offset"), farthest))) }

func (c *call) number(parameter string) int64 {
	return min(cast.Int(c.Input.Query[parameter]), 1<<53) // what JSON's numbers hold
}

// briefV1 is how lists show contacts: values alone, of the properties that are
// asked for or of the usual ones.
func (c *call) briefV1() mode {
	m := mode{versions: c.query("propertyMode") == "value_and_history", properties: []string{"firstname", "lastname", "company", "lastmodifieddate"}}
	if names := c.words("property"); names != nil {
		m.properties = append(names, "lastmodifieddate")
	}
	m.lists, _ = c.Input.Query["showListMemberships"].(bool)
	return m
}

func (c *call) listedV1(r *world.Record, m mode, added any) map[string]any {
	shown := c.showV1(r, m)
	shown["addedAt"] = added
	if added == nil {
		kept, _ := r.Value()["v1"].(map[string]any)
		if shown["addedAt"] = kept["addedAt"]; shown["addedAt"] == nil {
			shown["addedAt"] = millis(cast.Text(r.Value()["createdAt"]))
		}
	}
	return shown
}

func listContactsV1(c *call) (answer, *refusal) {
	count, from, m := c.count("count", mostV1), uint64(0), c.briefV1()
	if after := c.number("vidOffset"); after > 0 {
		if r, there := c.fake.store.Get(c.Tx, "contacts", cast.Plain(after)); there {
			from = r.Order
		}
	}
	contacts, last, more := []any{}, "", false
	for r := range c.Tx.Oldest(c.fake.store.Full("contacts"), from) {
		if r.Value()["archived"] == true {
			continue
		}
		if more = len(contacts) == count; more {
			break
		}
		contacts, last = append(contacts, c.listedV1(r, m, nil)), r.ID
	}
	more = more || c.wentOn("v1/contacts", last)
	return ok(map[string]any{"contacts": contacts, "has-more": more, "vid-offset": whole(last)})
}

// recentContactsV1 lists contacts by when they were made, or changed.
func recentContactsV1(c *call) (answer, *refusal) {
	field := "createdAt"
	if strings.Contains(c.Operation.Path, "recently_updated") {
		field = "updatedAt"
	}
	var all []*world.Record
	until := c.number("timeOffset")
	for r := range c.Tx.Newest(c.fake.store.Full("contacts"), 0) {
		if r.Value()["archived"] != true && (until == 0 || millis(cast.Text(r.Value()[field])) < until) {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b *world.Record) int {
		return strings.Compare(cast.Text(b.Value()[field]), cast.Text(a.Value()[field]))
	})
	count, m := c.count("count", mostV1), c.briefV1()
	contacts, last, at := []any{}, "", int64(0)
	for _, r := range all[:min(count, len(all))] {
		contacts, last, at = append(contacts, c.listedV1(r, m, millis(cast.Text(r.Value()[field])))), r.ID, millis(cast.Text(r.Value()[field]))
	}
	more := len(all) > count || c.wentOn("v1/contacts/recent", last)
	return ok(map[string]any{"contacts": contacts, "has-more": more, "vid-offset": whole(last), "time-offset": at})
}

func searchContactsV1(c *call) (answer, *refusal) {
	o := c.contacts()
	hits := c.hits(o, question{query: strings.ToLower(strings.TrimSpace(c.query("q")))})
	count, from := c.count("count", mostV1), c.offset()
	m := mode{versions: true}
	if names := c.words("property"); names != nil {
		m.properties = append(names, "lastmodifieddate")
	}
	contacts, last := []any{}, ""
	for _, hit := range hits[min(from, len(hits)):min(from+count, len(hits))] {
		if r, there := c.find(o, cast.Text(hit.value["id"])); there {
			contacts, last = append(contacts, c.showV1(r, m)), r.ID
		}
	}
	return ok(map[string]any{"query": c.query("q"), "offset": int64(from + len(contacts)), "has-more": from+count < len(hits) || c.wentOn("v1/search/"+c.query("q"), last), "total": max(int64(len(hits)), c.counted("v1/search/"+c.query("q"))), "contacts": contacts})
}
