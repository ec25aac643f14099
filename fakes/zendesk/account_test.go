package zendesk_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestCustomStatusesGoWithTheirCategory(t *testing.T) {
	t.Parallel()
	r := rig(t)
	g := r.Must(201, r.JSON("POST", "/api/v2/custom_statuses", object{"custom_status": object{"status_category": "hold", "agent_label": "With the carrier", "end_user_label": "On its way"}}))
	carrier := g.At("custom_status.id")
	faketest.Want(t, g, object{"custom_status.raw_agent_label": "With the carrier", "custom_status.default": false})
	number := ticket(r, nil)
	standard := get(r, "/api/v2/custom_statuses?status_categories=open,hold")
	if n := standard.Len("custom_statuses"); n != 3 {
		t.Errorf("%d statuses of two categories", n)
	}
	faketest.Want(t, r.Must(200, put(r, number, object{"custom_status_id": carrier})), object{"ticket.status": "hold", "ticket.custom_status_id": carrier})
	faketest.Want(t, r.Must(200, put(r, number, object{"status": "hold"})), object{"ticket.custom_status_id": carrier})
	g = r.Must(200, put(r, number, object{"status": "open"}))
	faketest.Want(t, g, object{"ticket.custom_status_id": 360000000641})
	r.Must(422, put(r, number, object{"custom_status_id": 7}))
	faketest.Want(t, r.Must(200, r.JSON("PUT", fmt.Sprintf("/api/v2/custom_statuses/%.0f", carrier), object{"custom_status": object{"status_category": "open", "agent_label": "Carrier"}})), object{"custom_status.status_category": "hold", "custom_status.agent_label": "Carrier"})
	r.Must(422, r.JSON("PUT", "/api/v2/custom_statuses/360000000641", object{"custom_status": object{"active": false}}))
}

func TestRulesThatCannotBeCarriedOutAreRefused(t *testing.T) {
	t.Parallel()
	r := rig(t)
	fine, todo := []object{cond("status", "is", "open")}, []object{act("priority", "low")}
	for _, test := range []struct {
		kind   string
		fields object
		says   string
	}{
		{"trigger", object{"title": "t", "actions": todo}, "Conditions: you must select at least one condition"},
		{"trigger", object{"title": "t", "all": fine}, "Actions: you must select at least one action"},
		{"trigger", object{"title": "t", "all": []object{cond("mood", "is", "x")}, "actions": todo}, "Conditions: mood is not a valid field"},
		{"trigger", object{"title": "t", "all": []object{cond("PENDING", "is", 24)}, "actions": todo}, "Conditions: PENDING is not a valid field"},
		{"trigger", object{"title": "t", "all": []object{cond("status", "resembles", "x")}, "actions": todo}, "Conditions: resembles is not a valid operator for status"},
		{"trigger", object{"title": "t", "all": []object{cond("priority", "is", "asap")}, "actions": todo}, "Conditions: asap is not a valid value for priority"},
		{"trigger", object{"title": "t", "all": fine, "actions": []object{act("priority", "asap")}}, "Actions: asap is not a valid value for priority"},
		{"trigger", object{"title": "t", "all": fine, "actions": []object{act("dance", "x")}}, "Actions: dance is not a valid field"},
		{"automation", object{"title": "t", "all": []object{cond("update_type", "is", "Create")}, "actions": todo}, "Conditions: update_type is not a valid field"},
		{"automation", object{"title": "t", "all": []object{cond("priority", "is", "low"), cond("OPEN", "is", 4)}, "actions": todo}, "Conditions: at least one of status, type, group, assignee or requester must be in all"},
		{"automation", object{"title": "t", "all": []object{cond("status", "is", "open"), cond("OPEN", "greater_than", 4)}, "actions": todo}, "Automation must have a condition that is true only once, or an action that nullifies one of its conditions"},
	} {
		g := r.JSON("POST", "/api/v2/"+test.kind+"s.json", object{test.kind: test.fields})
		if g.Status != 422 || g.Text("details.base.0.description") != test.says {
			t.Errorf("%v: %d %s", test.fields, g.Status, g.Raw)
		}
	}
	rule(r, "trigger", object{"title": "Old words", "all": []object{cond("ticket_type_id", "is", "2"), cond("status_id", "less_than", "3")}, "actions": []object{act("priority_id", "4")}})
	faketest.Want(t, get(r, "/api/v2/tickets/"+ticket(r, object{"type": "incident"})), object{"ticket.priority": "urgent"})
	n := rule(r, "trigger", object{"title": "Two", "conditions": object{"all": fine, "any": []object{cond("type", "is", "task")}}, "actions": todo})
	faketest.Want(t, get(r, "/api/v2/triggers/"+n), object{"trigger.conditions.all.0.field": "status", "trigger.conditions.any.0.value": "task"})
	faketest.Want(t, r.Must(200, r.JSON("PUT", "/api/v2/triggers/"+n, object{"trigger": object{"title": "One"}})), object{"trigger.conditions.any.0.value": "task"})
	faketest.Want(t, get(r, "/api/v2/triggers/search?query=one"), object{"count": 1})
	faketest.Want(t, r.Must(200, r.JSON("PUT", "/api/v2/triggers/update_many", object{"triggers": []object{{"id": json.Number(n), "active": false}}})), object{"triggers.0.active": false})
	r.Must(422, r.JSON("POST", "/api/v2/slas/policies", object{"sla_policy": object{"title": "S", "policy_metrics": []object{{"metric": "joy", "priority": "low", "target": 5}}}}))
}

func TestIdentitiesAndMerging(t *testing.T) {
	t.Parallel()
	r := rig(t)
	ada, double := user(r, "Ada", "ada@example.com", "end-user"), user(r, "Ada L.", "lovelace@example.com", "end-user")
	at := "/api/v2/users/" + ada + "/identities"
	n := r.Must(201, r.JSON("POST", at+".json", object{"identity": object{"type": "email", "value": "ADA@work.example"}})).Text("identity.id")
	faketest.Want(t, get(r, at+"/"+n), object{"identity.value": "ada@work.example", "identity.primary": false, "identity.verified": false})
	r.Must(422, r.JSON("POST", at, object{"identity": object{"type": "email", "value": "lovelace@example.com"}}))
	faketest.Want(t, r.Must(200, r.Send("PUT", at+"/"+n+"/verify.json", "")), object{"identity.verified": true})
	g := r.Must(200, r.Send("PUT", at+"/"+n+"/make_primary", ""))
	if got := g.Texts("identities", "primary"); !slices.Equal(got, []string{"false", "true"}) {
		t.Errorf("primary: %s", g.Raw)
	}
	faketest.Want(t, get(r, "/api/v2/users/"+ada), object{"user.email": "ada@work.example", "user.verified": true})
	r.Must(422, r.Send("DELETE", at+"/"+n, ""))
	r.Must(200, r.JSON("PUT", "/api/v2/users/"+ada, object{"user": object{"email": "ada@home.example"}}))
	if got := get(r, at).Texts("identities", "value"); !slices.Equal(got, []string{"ada@example.com", "ada@work.example", "ada@home.example"}) {
		t.Errorf("identities after another email: %v", got)
	}
	sent := len(r.Outbox())
	r.Must(200, r.Send("PUT", at+"/"+n+"/request_verification", ""))
	if all := r.Outbox(); len(all) != sent+1 || all[sent].To[0] != "ada@work.example" {
		t.Errorf("nobody was asked to verify: %+v", all)
	}
	number := ticket(r, object{"requester_id": json.Number(double)})
	faketest.Want(t, r.Must(200, r.JSON("PUT", "/api/v2/users/"+double+"/merge", object{"user": object{"id": json.Number(ada)}})), object{"user.id": json.Number(ada)})
	faketest.Want(t, get(r, "/api/v2/tickets/"+number), object{"ticket.requester_id": json.Number(ada)})
	faketest.Want(t, get(r, "/api/v2/users/"+double), object{"user.active": false})
	faketest.Want(t, get(r, "/api/v2/deleted_users"), object{"count": 1})
	r.Must(422, r.JSON("PUT", "/api/v2/users/360000000001/merge", object{"user": object{"id": json.Number(ada)}}))
	r.Must(400, r.JSON("POST", "/api/v2/users/"+ada+"/password", object{"password": 123}))
}

func TestMemberships(t *testing.T) {
	t.Parallel()
	r := rig(t)
	grace := user(r, "Grace", "grace@example.com", "agent")
	second := r.Must(201, r.JSON("POST", "/api/v2/groups", object{"group": object{"name": "Second"}})).Text("group.id")
	g := r.Must(201, r.JSON("POST", "/api/v2/group_memberships.json", object{"group_membership": object{"user_id": json.Number(grace), "group_id": json.Number(second)}}))
	faketest.Want(t, g, object{"group_membership.default": true})
	faketest.Want(t, r.Must(422, r.JSON("POST", "/api/v2/users/"+grace+"/group_memberships", object{"group_membership": object{"group_id": json.Number(second)}})), object{"details.user_id.0.error": "DuplicateValue"})
	first := r.Must(201, r.JSON("POST", "/api/v2/users/"+grace+"/group_memberships", object{"group_membership": object{"group_id": 360000000101}})).Text("group_membership.id")
	g = r.Must(200, r.Send("PUT", "/api/v2/users/"+grace+"/group_memberships/"+first+"/make_default.json", ""))
	if got := g.Texts("group_memberships", "default"); !slices.Equal(got, []string{"false", "true"}) {
		t.Errorf("defaults: %s", g.Raw)
	}
	r.Must(204, r.Send("DELETE", "/api/v2/users/"+grace+"/group_memberships/"+first, ""))
	faketest.Want(t, get(r, "/api/v2/users/"+grace), object{"user.default_group_id": json.Number(second)})
	job := r.Must(200, r.JSON("POST", "/api/v2/group_memberships/create_many.json", object{"group_memberships": []object{{"user_id": json.Number(grace), "group_id": 360000000101}, {"user_id": 5, "group_id": 6}}})).Text("job_status.id")
	r.Wait(5 * time.Second)
	faketest.Want(t, get(r, "/api/v2/job_statuses/"+job), object{"job_status.status": "completed", "job_status.results.0.success": true, "job_status.results.1.success": false, "job_status.job_type": "Bulk Create Group membership"})
}

func TestBatchesAndBodiesAsClientsSendThem(t *testing.T) {
	t.Parallel()
	r := rig(t)
	many := make([]object, 101)
	for i := range many {
		many[i] = object{"name": fmt.Sprint("o", i)}
	}
	faketest.Want(t, r.Must(400, r.JSON("POST", "/api/v2/organizations/create_many.json", object{"organizations": many})), object{"error": "TooManyValues", "description": "Parameter  cannot specify more than 100 values", "max_count": 100})
	ids := strings.TrimSuffix(strings.Repeat("1,", 101), ",")
	faketest.Want(t, r.Must(400, r.Send("DELETE", "/api/v2/tickets/destroy_many.json?ids="+ids, "")), object{"error": "TooManyValues"})
	number := ticket(r, object{"tags": "b a c"})
	faketest.Want(t, get(r, "/api/v2/tickets.json?page%5Bsize%5D=1&page%5Bafter%5D="), object{"meta.has_more": false, "tickets.0.id": 1})
	g := get(r, "/api/v2/tags.json?page%5Bsize%5D=2")
	faketest.Want(t, g, object{"tags.0.name": "a", "tags.1.name": "b", "meta.has_more": true})
	faketest.Want(t, get(r, strings.TrimPrefix(g.Text("links.next"), r.Base)), object{"tags.0.name": "c", "meta.has_more": false})
	user(r, "Ada", "ada@example.com", "end-user")
	user(r, "Grace", "grace@example.com", "agent")
	faketest.Want(t, get(r, "/api/v2/users.json?role%5B%5D=agent&role%5B%5D=end-user"), object{"count": 2})
	r.Must(204, r.JSON("DELETE", "/api/v2/tickets/"+number+".json", object{"ticket": object{"id": 1}}))
	if g := r.Must(200, r.Send("PUT", "/api/v2/deleted_tickets/"+number+"/restore.json", "")); g.Raw != "{}" {
		t.Errorf("restored: %s", g.Raw)
	}
}

func TestExportsOfAllThatChanges(t *testing.T) {
	t.Parallel()
	r := rig(t)
	from := r.Now.Add(-time.Hour).Unix()
	r.Must(201, r.JSON("POST", "/api/v2/organizations", object{"organization": object{"name": "Acme"}}))
	number := ticket(r, object{"requester": object{"name": "Ada", "email": "ada@example.com"}})
	for i := range 3 {
		user(r, fmt.Sprint("U", i), fmt.Sprintf("u%d@example.com", i), "end-user")
	}
	r.Wait(2 * time.Minute)
	r.Must(200, put(r, number, object{"status": "pending", "comment": "Hello"}))
	r.Wait(2 * time.Minute)
	at := func(what, more string) faketest.Got {
		return get(r, fmt.Sprintf("/api/v2/incremental/%s.json?start_time=%d%s", what, from, more))
	}
	faketest.Want(t, at("organizations", ""), object{"count": 1, "end_of_stream": true, "organizations.0.name": "Acme"})
	// Four were made in one second: a page does not cut them.
	faketest.Want(t, at("users", "&per_page=2"), object{"count": 4, "end_of_stream": true, "end_time": r.Now.Add(-4 * time.Minute).Unix()})
	faketest.Want(t, at("users/cursor", "&per_page=2"), object{"end_of_stream": false})
	g := at("ticket_events", "&include=comment_events")
	faketest.Want(t, g, object{
		"count": 2, "ticket_events.0.ticket_id": 1, "ticket_events.0.event_type": "Audit", "ticket_events.0.child_events.0.body": "It does not print.", "ticket_events.1.via": "Web service",
		"ticket_events.1.child_events.0.comment_public": true, "ticket_events.1.child_events.1.status": "pending", "ticket_events.1.child_events.1.previous_value": "new",
	})
	faketest.Want(t, r.Must(400, r.Send("GET", fmt.Sprintf("/api/v2/incremental/organizations?start_time=%d", r.Now.Unix()), "")), object{"error": "StartTimeTooRecent"})
	g = get(r, "/api/v2/ticket_audits.json?limit=1")
	faketest.Want(t, g, object{"meta.has_more": true, "audits.0.ticket_id": 1})
	if g.Text("after_url") == "" {
		t.Errorf("no address of what follows: %s", g.Raw)
	}
}

func TestAgentsHearOfTheirTickets(t *testing.T) {
	t.Parallel()
	r := rig(t)
	grace, asGrace := user(r, "Grace", "grace@example.com", "agent"), basic("grace@example.com")
	number := ticket(r, object{"assignee_id": grace, "priority": "low"})
	r.Must(200, put(r, number, object{"priority": "high", "comment": "Look"}))
	r.Must(200, r.JSON("PUT", "/api/v2/tickets/"+number, object{"ticket": object{"comment": "Mine"}}, "Authorization", asGrace))
	g := r.Must(200, r.Send("GET", "/api/v2/activities.json", "", "Authorization", asGrace))
	faketest.Want(t, g, object{"count": 3, "actors.0.name": "Account Owner", "activities.2.verb": "tickets.assignment", "activities.2.title": "Account Owner assigned ticket #1 to you.", "activities.2.user.name": "Grace", "activities.2.object.ticket.id": 1})
	faketest.Want(t, get(r, "/api/v2/activities/count"), object{"count.value": 0})
	r.Must(200, r.Send("GET", "/api/v2/activities/"+g.IDs("activities")[0], "", "Authorization", asGrace))
}

func TestImportedTicketsTellNobody(t *testing.T) {
	t.Parallel()
	r := rig(t)
	ada := user(r, "Ada", "ada@example.com", "end-user")
	g := r.Must(201, r.JSON("POST", "/api/v2/imports/tickets.json", object{"ticket": object{
		"subject": "Old", "requester_id": json.Number(ada), "status": "closed", "created_at": "2020-05-01T10:00:00Z", "updated_at": "2020-05-03T10:00:00Z",
		"comments": []object{{"author_id": json.Number(ada), "value": "First", "created_at": "2020-05-01T10:00:00Z"}, {"value": "Second", "public": false, "created_at": "2020-05-02T10:00:00Z"}},
	}}))
	faketest.Want(t, g, object{"ticket.status": "closed", "ticket.created_at": "2020-05-01T10:00:00Z", "ticket.updated_at": "2020-05-03T10:00:00Z"})
	faketest.Want(t, get(r, "/api/v2/tickets/1/comments"), object{"count": 2, "comments.1.public": false, "comments.1.created_at": "2020-05-02T10:00:00Z"})
	if n := len(r.Outbox()); n != 0 {
		t.Errorf("%d mails", n)
	}
}

func TestRatingsAndWhatStandsWithinRecords(t *testing.T) {
	t.Parallel()
	r := rig(t)
	number := ticket(r, object{"requester": object{"name": "Ada", "email": "ada@example.com"}})
	asAda := []string{"Authorization", basic("ada@example.com")}
	rating := object{"satisfaction_rating": object{"score": "good", "comment": "Quick"}}
	r.Must(422, r.JSON("POST", "/api/v2/tickets/"+number+"/satisfaction_rating", rating, asAda...))
	r.Must(200, put(r, number, object{"status": "solved"}))
	r.Must(403, r.JSON("POST", "/api/v2/tickets/"+number+"/satisfaction_rating", rating))
	r.Must(200, r.JSON("POST", "/api/v2/tickets/"+number+"/satisfaction_rating.json", rating, asAda...))
	faketest.Want(t, get(r, "/api/v2/satisfaction_ratings?score=good_with_comment"), object{"count": 1, "satisfaction_ratings.0.ticket_id": 1})
	faketest.Want(t, get(r, "/api/v2/tickets/"+number), object{"ticket.satisfaction_rating.score": "good"})

	field := r.Must(201, r.JSON("POST", "/api/v2/ticket_fields", object{"ticket_field": object{"type": "tagger", "title": "Plan", "custom_field_options": []object{{"name": "Gold", "value": "gold"}}}})).Text("ticket_field.id")
	at := "/api/v2/ticket_fields/" + field + "/options"
	option := r.Must(201, r.JSON("POST", at+".json", object{"custom_field_option": object{"name": "Tin", "value": "tin"}})).Text("custom_field_option.id")
	faketest.Want(t, r.Must(200, r.JSON("POST", at, object{"custom_field_option": object{"id": json.Number(option), "name": "Pewter", "value": "tin"}})), object{"custom_field_option.name": "Pewter"})
	faketest.Want(t, get(r, at), object{"count": 2})
	r.Must(204, r.Send("DELETE", at+"/"+option, ""))
	r.Must(404, r.Send("GET", at+"/"+option, ""))

	item := r.Must(201, r.JSON("POST", "/api/v2/dynamic_content/items.json", object{"item": object{"name": "Snow Day", "default_locale_id": 1, "content": "Hi"}})).Text("item.id")
	at = "/api/v2/dynamic_content/items/" + item + "/variants"
	r.Must(422, r.JSON("POST", at, object{"variant": object{"locale_id": 1, "content": "Again"}}))
	r.Must(201, r.JSON("POST", at, object{"variant": object{"locale_id": 8, "content": "Hallo"}}))
	faketest.Want(t, get(r, "/api/v2/dynamic_content/items/"+item), object{"item.placeholder": "{{dc.snow_day}}", "item.variants.1.content": "Hallo"})
}
