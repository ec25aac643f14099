package github

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// hookEvents are those that a webhook may ask for, of what is played here and
// beside it.
var hookEvents = []string{
	"*", "branch_protection_rule", "check_run", "check_suite", "commit_comment", "create", "delete", "deployment", "deployment_status", "discussion", "fork",
	"gollum", "issue_comment", "issues", "label", "member", "meta", "milestone", "page_build", "ping", "project", "project_card", "project_column", "public",
	"pull_request", "pull_request_review", "pull_request_review_comment", "pull_request_review_thread", "push", "registry_package", "release", "repository",
	"repository_dispatch", "star", "status", "team_add", "watch", "workflow_dispatch", "workflow_job", "workflow_run",
}

func (c *call) showHook(r repo, value map[string]any) map[string]any {
	id := number(value, "id")
	at := c.at(r) + "/hooks/" + decimal(id)
	created := textOr(value, "created_at", c.now())
	config := map[string]any{
		"url": value["url"], "content_type": textOr(value, "content_type", "form"), "insecure_ssl": textOr(value, "insecure_ssl", "0"),
	}
	if kit.Text(value, "secret") != "" {
		config["secret"] = "********"
	}
	last := cast.Object(value["last_response"])
	if last == nil {
		last = map[string]any{"code": nil, "status": "unused", "message": nil}
	}
	return map[string]any{
		"type": "Repository", "id": id, "name": "web", "active": value["active"] != false, "events": hookWants(value), "config": config,
		"created_at": created, "updated_at": textOr(value, "updated_at", created), "url": at, "test_url": at + "/test", "ping_url": at + "/pings",
		"deliveries_url": at + "/deliveries", "last_response": last,
	}
}

func hookWants(value map[string]any) []any {
	if events := listOf(value["events"]); len(events) > 0 {
		return events
	}
	return []any{"push"}
}

func listHooks(c *call, r repo) (answer, *refusal) {
	return listed(c, c.byRepo(hooks, r), func(record *world.Record) any { return c.showHook(r, record.Value()) }), nil
}

// readHook lays what a request says over a webhook.
func (c *call) readHook(r repo, value map[string]any) *refusal {
	config := cast.Object(c.Input.Body["config"])
	for _, field := range []string{"url", "content_type", "secret"} {
		if _, given := config[field]; given {
			value[field] = kit.Text(config, field)
		}
	}
	if given, ok := config["insecure_ssl"]; ok {
		value["insecure_ssl"] = titleIn(given)
	}
	at, err := url.Parse(kit.Text(value, "url"))
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return failed(custom("Hook", "url is missing a scheme"))
	}
	if !slices.Contains([]string{"json", "form"}, textOr(value, "content_type", "form")) {
		return failed(custom("Hook", "content_type is not included in the list"))
	}
	if c.has("active") {
		value["active"] = c.flag("active")
	}
	events := cast.Texts(value["events"])
	if c.has("events") {
		events = cast.Texts(c.Input.Body["events"])
	}
	events = without(unique(append(events, cast.Texts(c.Input.Body["add_events"])...)), cast.Texts(c.Input.Body["remove_events"]))
	for _, one := range events {
		if !slices.Contains(hookEvents, one) {
			return failed(custom("Hook", "The \"%s\" event cannot be subscribed to on this hook", kit.Clip(one)))
		}
	}
	value["events"] = cast.Anys(events)
	for _, other := range c.byRepo(hooks, r) {
		if other.ID != kit.Text(value, "id") && kit.Text(other.Value(), "url") == kit.Text(value, "url") && kit.Same(hookWants(other.Value()), hookWants(value)) {
			return failed(custom("Hook", "Hook already exists on this repository"))
		}
	}
	return nil
}

func createHook(c *call, r repo) (answer, *refusal) {
	if text := c.text("name"); text != "" && text != "web" {
		return answer{}, failed(wrong("Hook", "name", codeInvalid))
	}
	if len(cast.Object(c.Input.Body["config"])) == 0 {
		return answer{}, failed(wrong("Hook", "config", codeField))
	}
	value := map[string]any{"id": decimal(c.newID(hooks)), "repo": r.key(), "name": "web", "active": true, "created_at": c.now(), "updated_at": c.now()}
	if refused := c.readHook(r, value); refused != nil {
		return answer{}, refused
	}
	record := c.create(hooks, value)
	c.ping(r, record)
	shown := c.showHook(r, record.Value())
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func (c *call) ping(r repo, record *world.Record) {
	c.send(r, record.Value(), "ping", map[string]any{"zen": "Rehearse before you perform.", "hook_id": number(record.Value(), "id"), "hook": c.showHook(r, record.Value())})
}

// onHook answers a call about one webhook.
func onHook(act onRecord) handler { return onKept(hooks, "hook_id", levelAdmin, act) }

func getHook(c *call, r repo, hook *world.Record) (answer, *refusal) {
	return answer{value: c.showHook(r, hook.Value())}, nil
}

func updateHook(c *call, r repo, hook *world.Record) (answer, *refusal) {
	value := changed(hook)
	if refused := c.readHook(r, value); refused != nil {
		return answer{}, refused
	}
	value["updated_at"] = c.now()
	return answer{value: c.showHook(r, c.update(hooks, value).Value())}, nil
}

func deleteHook(c *call, _ repo, hook *world.Record) (answer, *refusal) {
	for record := range c.fake.store.Find(c.Tx, hookDeliveries, "hook", hook.ID) {
		must(kit.Delivered(c.Tx, name, record.ID))
		c.remove(hookDeliveries, record.ID)
	}
	c.remove(hooks, hook.ID)
	return answer{status: http.StatusNoContent}, nil
}

func pingHook(c *call, r repo, hook *world.Record) (answer, *refusal) {
	c.ping(r, hook)
	return answer{status: http.StatusNoContent}, nil
}

func listDeliveries(c *call, r repo, hook *world.Record) (answer, *refusal) {
	all := slices.Collect(c.fake.store.Find(c.Tx, hookDeliveries, "hook", hook.ID))
	return listed(c, all, func(record *world.Record) any {
		value := record.Value()
		return map[string]any{
			"id": number(value, "id"), "guid": value["guid"], "delivered_at": textOr(value, "delivered_at", c.now()), "redelivery": value["redelivery"] == true,
			"duration": 0.1, "status": textOr(value, "status", "pending"), "status_code": cast.Int(value["status_code"]), "event": value["event"],
			"action": value["action"], "installation_id": nil, "repository_id": r.rid(), "throttled_at": nil,
		}
	}), nil
}

func redeliver(c *call, r repo, hook *world.Record) (answer, *refusal) {
	record, ok := c.get(hookDeliveries, c.path("delivery_id"))
	if !ok || kit.Text(record.Value(), "hook") != hook.ID {
		return answer{}, notFound()
	}
	c.queue(hook.Value(), record.Value(), true)
	return answer{status: http.StatusAccepted, value: map[string]any{}}, nil
}

// notify tells the webhooks of a repository what has happened.
func (c *call) notify(r repo, event string, body map[string]any) {
	for _, record := range c.byRepo(hooks, r) {
		wants := cast.Texts(hookWants(record.Value()))
		if record.Value()["active"] != false && (slices.Contains(wants, event) || slices.Contains(wants, "*")) {
			c.send(r, record.Value(), event, maps.Clone(body))
		}
	}
}

// send writes down one delivery of a webhook and queues it.
func (c *call) send(r repo, hook map[string]any, event string, body map[string]any) {
	if fresh, ok := c.byKey(r.key()); ok {
		r = fresh
	}
	body["repository"], body["sender"] = c.repoShort(r), c.brief(textOr(map[string]any{"login": c.viewer}, "login", viewerDefault))
	if c.isOrg(r.owner()) {
		body["organization"] = c.showOrgShort(r.owner())
	}
	payload := string(world.Encode(body))
	if textOr(hook, "content_type", "form") == "form" {
		payload = "payload=" + url.QueryEscape(payload)
	}
	action, _ := body["action"].(string)
	value := map[string]any{"event": event, "body": payload, "guid": guid(c.NewID("", 24))}
	if action != "" {
		value["action"] = action
	}
	c.queue(hook, value, false)
}

// guid makes a UUID of what was drawn.
func guid(drawn string) string {
	text := strings.ToLower(strings.ReplaceAll(requestID(drawn), ":", "")) + strings.ToLower(strings.ReplaceAll(requestID(drawn+"2"), ":", ""))
	return text[:8] + "-" + text[8:12] + "-4" + text[13:16] + "-a" + text[17:20] + "-" + text[20:32]
}
