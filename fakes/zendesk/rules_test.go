package zendesk_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func rule(r *faketest.Rig, kind string, fields object) string {
	r.T.Helper()
	return r.Must(201, r.JSON("POST", "/api/v2/"+kind+"s", object{kind: fields})).Text(kind + ".id")
}

func cond(field, operator string, value any) object {
	return object{"field": field, "operator": operator, "value": value}
}

func act(field string, value any) object { return object{"field": field, "value": value} }

// events gives the events of an audit of a kind, as "field: from > to" or their body.
func events(g faketest.Got, kind string) (out []string) {
	for _, one := range g.At("audit.events").([]any) {
		event := one.(map[string]any)
		if event["type"] != kind {
			continue
		}
		from, _ := event["via"].(map[string]any)
		title := ""
		if from != nil {
			title = from["source"].(map[string]any)["from"].(map[string]any)["title"].(string) + ": "
		}
		if kind == "Change" {
			was, _ := event["previous_value"].(string)
			is, _ := event["value"].(string)
			field := event["field_name"].(string)
			if field == "custom_status_id" {
				continue
			}
			out = append(out, title+field+" "+was+">"+is)
			continue
		}
		out = append(out, title)
	}
	return out
}

func TestTriggersRunInOrderAndOnceEach(t *testing.T) {
	t.Parallel()
	r := rig(t)
	// The first sees what the second did only when it is looked at again.
	rule(r, "trigger", object{"title": "Escalate", "position": 20, "all": []object{cond("current_tags", "includes", "vip"), cond("update_type", "is", "Create")}, "actions": []object{act("priority", "urgent")}})
	rule(r, "trigger", object{"title": "Mark", "position": 30, "conditions": object{"all": []object{}, "any": []object{cond("subject_includes_word", "includes", "gold platinum"), cond("priority", "is", "low")}}, "actions": []object{act("current_tags", "vip")}})
	rule(r, "trigger", object{"title": "Never", "position": 10, "all": []object{cond("priority", "is", "urgent"), cond("status", "is", "pending")}, "actions": []object{act("status", "solved")}})
	g := r.Must(201, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{"subject": "Gold customer waits", "comment": object{"body": "x"}}}))
	faketest.Want(t, g, object{"ticket.tags": []string{"vip"}, "ticket.priority": "urgent", "ticket.status": "new"})
	if got := events(g, "Change"); !slices.Equal(got, []string{"Mark: tags >", "Escalate: priority >urgent"}) {
		t.Errorf("the audit tells of %q", got)
	}
	g = r.Must(201, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{"subject": "Tin", "comment": object{"body": "x"}}}))
	faketest.Want(t, g, object{"ticket.tags": []string{}, "ticket.priority": nil})
}

func TestTriggersSeeWhatChanged(t *testing.T) {
	t.Parallel()
	r := rig(t)
	grace := user(r, "Grace", "grace@example.com", "agent")
	for title, all := range map[string][]object{
		"to_pending":   {cond("status", "value", "pending")},
		"from_pending": {cond("status", "value_previous", "pending")},
		"assigned":     {cond("assignee_id", "changed", nil)},
		"by_customer":  {cond("role", "is", "end_user"), cond("comment_is_public", "is", "true")},
		"noted":        {cond("comment_is_public", "is", "false")},
		"said_refund":  {cond("comment_includes_word", "includes", "refund")},
		"above_normal": {cond("priority", "greater_than", "normal"), cond("priority", "changed", nil)},
	} {
		rule(r, "trigger", object{"title": title, "all": append(all, cond("update_type", "is", "Change")), "actions": []object{act("current_tags", title)}})
	}
	number := ticket(r, object{"requester": object{"name": "Ada", "email": "ada@example.com"}})
	for _, step := range []struct {
		who    string
		fields object
		tags   []string
	}{
		{"owner@example.com", object{"status": "pending", "tags": []string{}}, []string{"to_pending"}},
		{"owner@example.com", object{"subject": "Other", "tags": []string{}}, nil},
		{"owner@example.com", object{"assignee_id": grace, "tags": []string{}}, []string{"assigned"}},
		{"owner@example.com", object{"comment": object{"body": "note", "public": false}, "tags": []string{}}, []string{"noted"}},
		{"owner@example.com", object{"priority": "normal", "tags": []string{}}, nil},
		{"owner@example.com", object{"priority": "high", "tags": []string{}}, []string{"above_normal"}},
		{"owner@example.com", object{"status": "open", "comment": "A Refund, then", "tags": []string{}}, []string{"from_pending", "said_refund"}},
	} {
		faketest.Want(t, r.Must(200, put(r, number, step.fields)), object{"ticket.tags": append([]string{}, step.tags...)})
	}
	r.Must(200, r.JSON("PUT", "/api/v2/requests/"+number, object{"request": object{"comment": object{"body": "Thanks"}}}, "Authorization", basic("ada@example.com")))
	faketest.Want(t, get(r, "/api/v2/tickets/"+number), object{"ticket.tags": []string{"by_customer", "from_pending", "said_refund"}})
}

func TestTriggersTellPeopleAndWebhooks(t *testing.T) {
	t.Parallel()
	r := rig(t)
	hook := r.Must(201, r.JSON("POST", "/api/v2/webhooks", object{"webhook": object{"name": "h", "endpoint": "https://hooks.example/z?a=1", "http_method": "POST", "request_format": "json", "status": "active", "subscriptions": []string{"conditional_ticket_events"}}})).Text("webhook.id")
	grace := user(r, "Grace Hopper", "grace@example.com", "agent")
	n := rule(r, "trigger", object{"title": "Tell", "all": []object{cond("priority", "value", "urgent")}, "actions": []object{
		act("notification_user", []string{"assignee_id", "#{{ticket.id}} {{ticket.title}}", "For {{ticket.assignee.first_name}}: {{ticket.latest_comment}}"}),
		act("notification_webhook", []string{hook, `{"id": "{{ticket.id}}", "said": "{{ticket.title}}", "none": "{{ticket.nothing}}"}`}),
		act("comment_value", "Escalated by rule"),
	}})
	number := ticket(r, object{"subject": `A "hot" one`, "assignee_id": grace})
	before := len(r.Outbox())
	g := r.Must(200, put(r, number, object{"priority": "urgent"}))
	sent := r.Outbox()
	if len(sent) != before+1 || sent[before].To[0] != "grace@example.com" || sent[before].Summary != `#1 A "hot" one` || sent[before].Content["body"] != "For Grace: Escalated by rule" {
		t.Errorf("mail: %+v", sent[before:])
	}
	if got := events(g, "External"); !slices.Equal(got, []string{"Tell: "}) || len(events(g, "Notification")) != 1 || len(events(g, "Comment")) != 1 {
		t.Errorf("events: %s", g.Raw)
	}
	faketest.Want(t, get(r, "/api/v2/tickets/"+number+"/comments"), object{"count": 2, "comments.1.public": false, "comments.1.via.source.from.id": json.Number(n)})
	d, header := r.Attempt(500)
	if string(d.Body) != `{"id": "1", "said": "A \"hot\" one", "none": ""}` || d.URL != "https://hooks.example/z?a=1" || header.Get("X-Zendesk-Webhook-Signature") == "" {
		t.Errorf("delivery: %+v %s", d, d.Body)
	}
	g = get(r, "/api/v2/webhooks/"+hook+"/invocations")
	faketest.Want(t, g, object{"invocations.0.status": "failed", "invocations.0.status_code": "500", "meta.has_more": false})
	faketest.Want(t, get(r, "/api/v2/webhooks/"+hook+"/invocations/"+header.Get("X-Zendesk-Webhook-Invocation-Id")+"/attempts"), object{"attempts.0.status": "failed", "attempts.0.request.payload": string(d.Body)})
}

func TestAutomationsRunByTheHour(t *testing.T) {
	t.Parallel()
	r := rig(t)
	r.Now = time.Date(2026, 3, 1, 12, 10, 0, 0, time.UTC)
	rule(r, "automation", object{"title": "Bump", "all": []object{cond("status", "is", "pending"), cond("PENDING", "is", 24), cond("current_tags", "not_includes", "bumped")}, "actions": []object{act("set_tags", "bumped"), act("notification_user", []string{"requester_id", "Still there?", "#{{ticket.id}}"})}})
	rule(r, "automation", object{"title": "Give up", "all": []object{cond("status", "is", "pending"), cond("PENDING", "greater_than", 48)}, "actions": []object{act("status", "solved")}})
	number := ticket(r, object{"requester": object{"name": "Ada", "email": "ada@example.com"}})
	r.Must(200, put(r, number, object{"status": "pending"}))
	sent := len(r.Outbox())
	for _, step := range []struct {
		wait   time.Duration
		status string
		tags   []string
		mails  int
	}{
		{23 * time.Hour, "pending", nil, 0},
		{2 * time.Hour, "pending", []string{"bumped"}, 1},
		{22 * time.Hour, "pending", []string{"bumped"}, 1},
		{3 * time.Hour, "solved", []string{"bumped"}, 1},
		{95 * time.Hour, "solved", []string{"bumped"}, 1},
		{4 * time.Hour, "closed", []string{"bumped"}, 1},
	} {
		r.Wait(step.wait)
		faketest.Want(t, get(r, "/api/v2/tickets/"+number), object{"ticket.status": step.status, "ticket.tags": append([]string{}, step.tags...)})
		if n := len(r.Outbox()) - sent; n != step.mails {
			t.Errorf("after %v: %d mails, want %d", step.wait, n, step.mails)
		}
	}
	audits := get(r, "/api/v2/tickets/"+number+"/audits")
	if got := audits.Texts("audits", "via.source.from.title"); !slices.Equal(got, []string{"", "", "Bump", "Give up", "Close ticket 4 days after status is set to solved"}) {
		t.Errorf("who did it: %q", got)
	}
	faketest.Want(t, audits, object{"audits.2.author_id": -1, "audits.2.via.source.rel": "automation", "audits.2.events.0.via.channel": "rule"})
	// One that is made later looks at what is there.
	old := ticket(r, nil)
	r.Wait(5 * time.Hour)
	rule(r, "automation", object{"title": "Old", "all": []object{cond("status", "less_than", "solved"), cond("NEW", "greater_than", 4)}, "actions": []object{act("priority", "high"), act("status", "open")}})
	r.Wait(time.Hour)
	faketest.Want(t, get(r, "/api/v2/tickets/"+old), object{"ticket.priority": "high"})
}

func TestServiceLevels(t *testing.T) {
	t.Parallel()
	r := rig(t)
	r.Now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r.Must(201, r.JSON("POST", "/api/v2/slas/policies.json", object{"sla_policy": object{"title": "Incidents", "filter": object{"all": []object{cond("type", "is", "incident")}, "any": []object{}}, "policy_metrics": []object{
		{"priority": "high", "metric": "first_reply_time", "target": 60, "business_hours": false},
		{"priority": "high", "metric": "requester_wait_time", "target": 600, "business_hours": false},
		{"priority": "high", "metric": "next_reply_time", "target": 30, "business_hours": false},
		{"priority": "low", "metric": "agent_work_time", "target": 1, "business_hours": false},
	}}}))
	number := ticket(r, object{"type": "incident", "priority": "high", "requester": object{"name": "Ada", "email": "ada@example.com"}})
	plain := get(r, "/api/v2/tickets/"+ticket(r, nil)+"?include=slas")
	faketest.Want(t, plain, object{"ticket.slas.policy_metrics": []any{}})
	at := "/api/v2/tickets/" + number + "?include=slas,metric_events"
	// Nobody has said anything but the agent who opened it.
	faketest.Want(t, get(r, at), object{"ticket.slas.policy_metrics.0.metric": "requester_wait_time", "ticket.slas.policy_metrics.0.stage": "active", "ticket.slas.policy_metrics.0.breach_at": "2026-03-01T22:00:00Z", "ticket.slas.policy_metrics.0.hours": 10})
	say := func(body string) {
		r.Must(200, r.JSON("PUT", "/api/v2/requests/"+number, object{"request": object{"comment": object{"body": body}}}, "Authorization", basic("ada@example.com")))
	}
	say("Help")
	faketest.Want(t, get(r, at), object{"ticket.slas.policy_metrics.0.metric": "first_reply_time", "ticket.slas.policy_metrics.0.breach_at": "2026-03-01T13:00:00Z", "ticket.slas.policy_metrics.0.hours": 1})
	r.Wait(90 * time.Minute) // too late
	r.Must(200, put(r, number, object{"status": "pending", "comment": "Did you try again?"}))
	faketest.Want(t, get(r, at), object{"ticket.slas.policy_metrics.0.stage": "achieved", "ticket.slas.policy_metrics.1.stage": "paused", "ticket.slas.policy_metrics.1.breach_at": nil, "ticket.slas.policy_metrics.1.hours": 8})
	r.Wait(20 * time.Hour) // the requester's time
	say("Yes")
	faketest.Want(t, get(r, at), object{
		"ticket.slas.policy_metrics.1.metric": "next_reply_time", "ticket.slas.policy_metrics.1.breach_at": "2026-03-02T10:00:00Z", "ticket.slas.policy_metrics.1.minutes": 30,
		"ticket.slas.policy_metrics.2.breach_at": "2026-03-02T18:00:00Z",
	})
	r.Must(200, put(r, number, object{"status": "solved", "comment": "Good"}))
	r.Wait(2 * time.Minute)
	g := get(r, "/api/v2/incremental/ticket_metric_events.json?start_time=0")
	var told []string
	for _, one := range g.At("ticket_metric_events").([]any) {
		if e := one.(map[string]any); e["ticket_id"] == float64(1) && e["metric"] == "reply_time" && e["type"] != "update_status" {
			told = append(told, e["type"].(string)+" "+strings.TrimPrefix(e["time"].(string), "2026-03-0"))
		}
	}
	want := []string{"activate 1T12:00:00Z", "apply_sla 1T12:00:00Z", "apply_sla 1T12:00:00Z", "breach 1T13:00:00Z", "fulfill 1T13:30:00Z", "activate 2T09:30:00Z", "fulfill 2T09:30:00Z"}
	if !slices.Equal(told, want) {
		t.Errorf("metric events: %q, want %q", told, want)
	}
	faketest.Want(t, get(r, "/api/v2/tickets/"+number+"/metrics"), object{"ticket_metric.replies": 2, "ticket_metric.reply_time_in_minutes.calendar": 90, "ticket_metric.agent_wait_time_in_minutes.calendar": 1200, "ticket_metric.requester_wait_time_in_minutes.calendar": 90, "ticket_metric.solved_at": "2026-03-02T09:30:00Z"})
}
