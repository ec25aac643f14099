package hubspot

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// Engagements of v1 are the activities of v3: an engagement's id is its record's,
// and its metadata are properties of that.
// Source: developers.hubspot.com/docs/methods/engagements/engagements-overview.

// mostEngagements is how many engagements a page has by default; v1 gives
// mostListsV1 at most.
const usualEngagements = 100

// An activity is a type of engagement: its name in v1, and the fields of its
// metadata with the property that holds each.
type activity struct {
	kind, collection string
	fields           []string // pairs
}

var activities = [...]activity{
	{"NOTE", "notes", []string{"body", "hs_note_body"}},
	{"TASK", "tasks", []string{
		"body", "hs_task_body", "subject", "hs_task_subject", "status", "hs_task_status", "forObjectType", "hs_task_for_object_type",
		"priority", "hs_task_priority", "taskType", "hs_task_type", "completionDate", "hs_task_completion_date",
	}},
	{"CALL", "calls", []string{
		"toNumber", "hs_call_to_number", "fromNumber", "hs_call_from_number", "status", "hs_call_status", "durationMilliseconds", "hs_call_duration",
		"recordingUrl", "hs_call_recording_url", "body", "hs_call_body", "disposition", "hs_call_disposition", "title", "hs_call_title",
	}},
	{"EMAIL", "emails", []string{"subject", "hs_email_subject", "html", "hs_email_html", "text", "hs_email_text", "status", "hs_email_status"}},
	{"MEETING", "meetings", []string{
		"body", "hs_meeting_body", "title", "hs_meeting_title", "startTime", "hs_meeting_start_time", "endTime", "hs_meeting_end_time",
		"internalMeetingNotes", "hs_internal_meeting_notes", "externalUrl", "hs_meeting_external_url", "meetingOutcome", "hs_meeting_outcome",
	}},
}

// activityNamed gives the activity of a type as v1 names it: emails have three.
func activityNamed(kind string) (activity, bool) {
	if kind == "INCOMING_EMAIL" || kind == "FORWARDED_EMAIL" {
		kind = "EMAIL"
	}
	for _, a := range activities {
		if a.kind == kind {
			return a, true
		}
	}
	return activity{}, false
}

// An engagement is one record, with its kind.
type engagement struct {
	activity

	o *objectType
	r *world.Record
}

// engagementOf finds an engagement by its id.
func (c *call) engagementOf(id string) (engagement, bool) {
	for _, a := range activities {
		o := c.fake.types.byName[a.collection]
		if r, there := c.find(o, id); there {
			return engagement{a, o, r}, true
		}
	}
	return engagement{}, false
}

// namedEngagement finds the engagement of the path. Where there is none, the
// answer is empty.
func (c *call) namedEngagement() (engagement, *refusal) {
	e, there := c.engagementOf(c.Input.Path["engagementId"])
	if !there {
		return e, &refusal{status: http.StatusNotFound, bare: true, header: []string{"X-Hubspot-Notfound", "true"}}
	}
	return e, nil
}

// engagementEnds are the types that engagements are associated with, and the
// fields that list them.
var engagementEnds = [...][2]string{{"contactIds", "contacts"}, {"companyIds", "companies"}, {"dealIds", "deals"}, {"ticketIds", "tickets"}, {"quoteIds", "quotes"}}

func (c *call) showEngagement(e engagement) map[string]any {
	value := e.r.Value()
	held, kept := cast.Object(value["properties"]), cast.Object(value["v1"])
	kind := e.kind
	if direction := cast.Text(held["hs_email_direction"]); direction != "" {
		kind = direction
	}
	head := map[string]any{
		"id": whole(e.r.ID), "portalId": c.settings.portal(), "active": true, "createdAt": millis(cast.Text(value["createdAt"])),
		"lastUpdated": millis(cast.Text(value["updatedAt"])), "type": kind, "timestamp": millis(cast.Text(held["hs_timestamp"])),
		"allAccessibleTeamIds": []any{}, "queueMembershipIds": []any{}, "bodyPreviewIsTruncated": false, "gdprDeleted": false,
	}
	if owner := cast.Text(held["hubspot_owner_id"]); owner != "" {
		head["ownerId"] = whole(owner)
	}
	metadata := map[string]any{}
	for i := 0; i < len(e.fields); i += 2 {
		if text, has := held[e.fields[i+1]].(string); has {
			metadata[e.fields[i]] = c.asMetadata(e.o, e.fields[i+1], text)
		}
	}
	for field, v := range cast.Object(kept["metadata"]) {
		metadata[field] = v
	}
	for field, v := range cast.Object(kept["engagement"]) {
		head[field] = v
	}
	associations := map[string]any{"ownerIds": []any{}, "workflowIds": []any{}, "contentIds": []any{}, "marketingEventIds": []any{}}
	for _, end := range engagementEnds {
		ids := []any{}
		for _, l := range c.links(e.o, e.r.ID, c.fake.types.byName[end[1]]) {
			ids = append(ids, whole(l.id))
		}
		associations[end[0]] = ids
	}
	if ids := cast.List(kept["ownerIds"]); ids != nil {
		associations["ownerIds"] = ids
	}
	attachments := []any{}
	for _, id := range strings.FieldsFunc(cast.Text(held["hs_attachment_ids"]), func(r rune) bool { return r == ';' }) {
		attachments = append(attachments, map[string]any{"id": whole(id)})
	}
	return map[string]any{"engagement": head, "associations": associations, "attachments": attachments, "metadata": metadata}
}

// asMetadata writes a property as metadata has it: numbers and times are numbers.
func (c *call) asMetadata(o *objectType, property, value string) any {
	switch d := c.definition(o, property); {
	case d != nil && d.kind == "datetime":
		return millis(value)
	case d != nil && d.kind == "number":
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			return n
		}
	}
	return value
}

// fromMetadata reads what is given of an engagement: properties, and what is
// kept as it came.
func (c *call) fromMetadata(a activity) (given, kept map[string]any) {
	head, metadata := cast.Object(c.Input.Body["engagement"]), cast.Object(c.Input.Body["metadata"])
	given, kept = map[string]any{}, map[string]any{}
	rest := map[string]any{}
	for field, v := range metadata {
		if i := slices.Index(a.fields, field); i >= 0 && i%2 == 0 {
			given[a.fields[i+1]] = v
		} else if v != nil {
			rest[field] = v
		}
	}
	if len(rest) > 0 {
		kept["metadata"] = rest
	}
	if kind := cast.Text(head["type"]); a.kind == "EMAIL" && kind != "" {
		given["hs_email_direction"] = kind
	}
	for field, property := range map[string]string{"timestamp": "hs_timestamp", "ownerId": "hubspot_owner_id"} {
		if v := head[field]; v != nil {
			given[property] = v
		}
	}
	var ids []string
	for _, one := range cast.Objects(c.Input.Body["attachments"]) {
		ids = append(ids, cast.Plain(one["id"]))
	}
	if ids != nil {
		given["hs_attachment_ids"] = strings.Join(ids, ";")
	}
	if owners := slices.DeleteFunc(listed(cast.Object(c.Input.Body["associations"])["ownerIds"]), func(id any) bool { return id == nil }); len(owners) > 0 {
		kept["ownerIds"] = owners
	}
	return given, kept
}

func createEngagement(c *call) (answer, *refusal) {
	a, known := activityNamed(cast.Text(cast.Object(c.Input.Body["engagement"])["type"]))
	if !known {
		return answer{}, &refusal{status: http.StatusBadRequest, message: "Engagement type is not valid"}
	}
	o := c.fake.types.byName[a.collection]
	given, kept := c.fromMetadata(a)
	if given["hs_timestamp"] == nil {
		given["hs_timestamp"] = c.Now.UnixMilli()
	}
	set, flaws := c.check(o, given)
	if len(flaws) > 0 {
		return answer{}, flawedV1(flaws)
	}
	if refused := c.endsOfEngagement(); refused != nil {
		return answer{}, refused
	}
	e := engagement{a, o, c.make(o, set, apiSource)}
	return ok(c.showEngagement(c.tieEngagement(e, kept)))
}

// endsOfEngagement refuses to associate an engagement with what is not there.
func (c *call) endsOfEngagement() *refusal {
	sent := cast.Object(c.Input.Body["associations"])
	var strangers []any
	for _, end := range engagementEnds {
		o := c.fake.types.byName[end[1]]
		for _, id := range cast.List(sent[end[0]]) {
			if id != nil && !c.alive(o, cast.Plain(id)) {
				strangers = append(strangers, o.upper+"="+cast.Plain(id)+" is not valid")
			}
		}
	}
	if strangers == nil {
		return nil
	}
	return &refusal{status: http.StatusBadRequest, message: "One or more associations are invalid", errors: strangers}
}

// tieEngagement associates an engagement with what is given, and keeps what
// properties do not hold.
func (c *call) tieEngagement(e engagement, kept map[string]any) engagement {
	sent := cast.Object(c.Input.Body["associations"])
	for _, end := range engagementEnds {
		o := c.fake.types.byName[end[1]]
		ids, given := sent[end[0]].([]any)
		if !given {
			continue
		}
		for _, l := range c.links(e.o, e.r.ID, o) {
			if !slices.ContainsFunc(ids, func(id any) bool { return cast.Plain(id) == l.id }) {
				c.cut(e.o, e.r.ID, o, l.id)
			}
		}
		for _, id := range ids {
			if id != nil {
				c.put(association{from: e.o, fromID: e.r.ID, to: o, toID: cast.Plain(id)})
			}
		}
	}
	if len(kept) > 0 {
		value := changed(e.r.Value())
		held := changed(cast.Object(value["v1"]))
		if held == nil {
			held = map[string]any{}
		}
		for field, v := range kept {
			held[field] = v
		}
		value["v1"] = held
		e.r = c.fake.store.Update(c.Tx, e.o.collection, e.r.ID, value)
	}
	return e
}

func getEngagement(c *call, e engagement) (answer, *refusal) { return ok(c.showEngagement(e)) }

func updateEngagement(c *call, e engagement) (answer, *refusal) {
	given, kept := c.fromMetadata(e.activity)
	set, flaws := c.check(e.o, given)
	if len(flaws) > 0 {
		return answer{}, flawedV1(flaws)
	}
	if refused := c.endsOfEngagement(); refused != nil {
		return answer{}, refused
	}
	e.r = c.alter(e.o, e.r, set, apiSource)
	return ok(c.showEngagement(c.tieEngagement(e, kept)))
}

func archiveEngagement(c *call, e engagement) (answer, *refusal) {
	c.retire(e.o, e.r)
	return doneTyped()
}

// engagements lists all engagements by their ids, or by when they were changed,
// newest first.
func (c *call) engagements(newest bool) []engagement {
	var all []engagement
	for _, a := range activities {
		o := c.fake.types.byName[a.collection]
		for _, r := range c.present(o, "", 0) {
			all = append(all, engagement{a, o, r})
		}
	}
	slices.SortStableFunc(all, func(a, b engagement) int {
		if newest {
			return strings.Compare(cast.Text(b.r.Value()["updatedAt"]), cast.Text(a.r.Value()["updatedAt"]))
		}
		return int(whole(a.r.ID) - whole(b.r.ID))
	})
	return all
}

// pageEngagements answers with those that come after the offset, which is an id.
func (c *call) pageEngagements(all []engagement, list string) (answer, *refusal) {
	limit, after := c.count("limit", mostListsV1), c.number("offset")
	if _, sent := c.Input.Query["limit"]; !sent {
		limit = usualEngagements
	}
	shown, last, more := []any{}, after, false
	for _, e := range all {
		if whole(e.r.ID) <= after {
			continue
		}
		if more = len(shown) == limit; more {
			break
		}
		shown, last = append(shown, c.showEngagement(e)), whole(e.r.ID)
	}
	return ok(map[string]any{"results": shown, "hasMore": more || c.wentOn(list, cast.Plain(last)), "offset": last})
}

func listEngagements(c *call) (answer, *refusal) {
	return c.pageEngagements(c.engagements(false), "v1/engagements")
}

func recentEngagements(c *call) (answer, *refusal) {
	since, from, count := c.number("since"), c.offset(), c.count("count", 100)
	all := slices.DeleteFunc(c.engagements(true), func(e engagement) bool { return millis(cast.Text(e.r.Value()["updatedAt"])) < since })
	end := min(from+count, len(all))
	shown := []any{}
	for _, e := range all[min(from, end):end] {
		shown = append(shown, c.showEngagement(e))
	}
	return ok(map[string]any{"results": shown, "hasMore": end < len(all), "offset": int64(end), "total": int64(len(all))})
}

func associatedEngagements(c *call) (answer, *refusal) {
	o, known := c.fake.types.standard(strings.ToLower(c.Input.Path["objectType"]))
	if !known {
		return answer{}, gone()
	}
	var all []engagement
	for _, a := range activities {
		kind := c.fake.types.byName[a.collection]
		for _, l := range c.links(o, c.Input.Path["objectId"], kind) {
			if r, there := c.find(kind, l.id); there {
				all = append(all, engagement{a, kind, r})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b engagement) int { return int(whole(a.r.ID) - whole(b.r.ID)) })
	return c.pageEngagements(all, "v1/engagements/"+o.name+"/"+c.Input.Path["objectId"])
}

// importEngagements takes in engagements as v1 shows them.
func (c *call) importEngagements(shown map[string]any) {
	all := cast.Objects(shown["results"])
	if shown["engagement"] != nil {
		all = []map[string]any{shown}
	}
	for _, one := range all {
		head, metadata := cast.Object(one["engagement"]), cast.Object(one["metadata"])
		a, known := activityNamed(cast.Text(head["type"]))
		if !known {
			continue
		}
		o, id := c.fake.types.byName[a.collection], cast.Plain(head["id"])
		held := map[string]any{"hs_object_id": id, "hs_timestamp": instantOf(cast.Int(head["timestamp"]))}
		for i := 0; i < len(a.fields); i += 2 {
			if v, has := metadata[a.fields[i]]; has && v != nil {
				held[a.fields[i+1]] = c.modern(o, a.fields[i+1], cast.Plain(v))
			}
		}
		if owner := cast.Int(head["ownerId"]); owner != 0 {
			held["hubspot_owner_id"] = cast.Plain(owner)
		}
		created, updated := instantOf(cast.Int(head["createdAt"])), instantOf(cast.Int(head["lastUpdated"]))
		held["hs_createdate"], held["hs_lastmodifieddate"] = created, updated
		kept := map[string]any{"engagement": head, "metadata": metadata}
		c.keep(o.collection, id, map[string]any{"id": id, "properties": held, "createdAt": created, "updatedAt": updated, "archived": false, "v1": kept})
		c.importEngagementEnds(o, id, cast.Object(one["associations"]))
	}
}

func (c *call) importEngagementEnds(o *objectType, id string, associations map[string]any) {
	for _, end := range engagementEnds {
		to := c.fake.types.byName[end[1]]
		for _, other := range cast.List(associations[end[0]]) {
			c.importObject(to, map[string]any{"id": cast.Plain(other)})
			c.put(association{from: o, fromID: id, to: to, toID: cast.Plain(other)})
		}
	}
}
