package zendesk

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

func webhookHandlers() map[string]handler {
	return map[string]handler{
		"ListWebhooks":                  listWebhooks,
		"CreateOrCloneWebhook":          createWebhook,
		"ShowWebhook":                   on(webhooks, "webhook_id", showWebhook),
		"UpdateWebhook":                 on(webhooks, "webhook_id", changeWebhook),
		"PatchWebhook":                  on(webhooks, "webhook_id", changeWebhook),
		"DeleteWebhook":                 on(webhooks, "webhook_id", deleteWebhook),
		"ShowWebhookSigningSecret":      on(webhooks, "webhook_id", showSecret),
		"ResetWebhookSigningSecret":     on(webhooks, "webhook_id", resetSecret),
		"TestWebhook":                   testWebhook,
		"ListWebhookInvocations":        on(webhooks, "webhook_id", listInvocations),
		"ListWebhookInvocationAttempts": on(webhooks, "webhook_id", listAttempts),
	}
}

// withoutSecret is a webhook as reads show it.
func (c *call) withoutSecret(r *world.Record) map[string]any {
	out := with(r.Value(), nil)
	delete(out, "signing_secret")
	return out
}

func listWebhooks(c *call) (answer, *refusal) {
	some := c.every(webhooks, nil)
	if filter, ok := c.Input.Query["filter"].(map[string]any); ok {
		some = slices.DeleteFunc(some, func(r *world.Record) bool {
			holds, status := cast.Text(filter["name_contains"]), cast.Text(filter["status"])
			return holds != "" && !strings.Contains(cast.Text(r.Value()["name"]), holds) || status != "" && r.Value()["status"] != status
		})
	}
	return c.byCursorOnly(listing{collection: webhooks, some: some, narrowed: true, show: c.withoutSecret})
}

func createWebhook(c *call) (answer, *refusal) {
	said := c.part("webhook")
	if source := c.query("clone_webhook_id"); source != "" {
		r, ok := c.Tx.Get(full(webhooks), source)
		if !ok {
			return answer{}, notFound()
		}
		said = with(r.Value(), said)
	}
	value := map[string]any{
		"name": "", "status": "active", "subscriptions": []any{}, "created_at": c.now(), "created_by": key(c.callerID()), "updated_at": c.now(),
		"updated_by": key(c.callerID()), "endpoint": "", "http_method": "", "request_format": "",
		"signing_secret": c.newSecret(),
	}
	if refused := sayWebhook(value, said); refused != nil {
		return answer{}, refused
	}
	value["id"] = "01" + strings.ToUpper(c.NewID("", 24))
	r := c.fake.store.Create(c.Tx, webhooks, cast.Text(value["id"]), value)
	return answer{status: http.StatusCreated, value: map[string]any{"webhook": r.Value()}}, nil
}

// sayWebhook takes what a client says of a webhook. Of its authentication only
// the kind is kept: what comes from outside as a secret is not.
func sayWebhook(value, said map[string]any) *refusal {
	for _, field := range []string{"name", "status", "endpoint", "http_method", "request_format", "description", "custom_headers"} {
		if v, sent := said[field]; sent && v != nil {
			value[field] = v
		}
	}
	if v, sent := said["subscriptions"]; sent {
		value["subscriptions"] = cast.Anys(list(v))
	}
	if auth, ok := said["authentication"].(map[string]any); ok {
		value["authentication"] = map[string]any{"type": cast.Plain(auth["type"]), "add_position": cast.Plain(auth["add_position"])}
	}
	for _, field := range []string{"name", "endpoint", "http_method", "request_format", "status"} {
		if cast.Text(value[field]) == "" {
			return badWebhook(field, "is required")
		}
	}
	u, err := url.Parse(cast.Text(value["endpoint"]))
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return badWebhook("endpoint", "must be a valid URL")
	case !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, cast.Text(value["http_method"])):
		return badWebhook("http_method", "is not supported")
	case !slices.Contains([]string{"json", "xml", "form_encoded"}, cast.Text(value["request_format"])):
		return badWebhook("request_format", "is not supported")
	case value["status"] != "active" && value["status"] != "inactive":
		return badWebhook("status", "must be active or inactive")
	}
	return nil
}

func badWebhook(field, why string) *refusal {
	return &refusal{status: http.StatusBadRequest, body: map[string]any{"errors": []any{map[string]any{
		"code": "InvalidWebhook", "title": "Invalid webhook", "detail": field + " " + why, "source": map[string]any{"pointer": "webhook/" + field},
	}}}}
}

func showWebhook(c *call, r *world.Record) (answer, *refusal) {
	return answer{value: map[string]any{"webhook": c.withoutSecret(r)}}, nil
}

func changeWebhook(c *call, r *world.Record) (answer, *refusal) {
	value := with(r.Value(), map[string]any{"updated_at": c.now(), "updated_by": key(c.callerID())})
	if refused := sayWebhook(value, c.part("webhook")); refused != nil {
		return answer{}, refused
	}
	c.fake.store.Update(c.Tx, webhooks, r.ID, value)
	return answer{status: http.StatusNoContent}, nil
}

func deleteWebhook(c *call, r *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, webhooks, r.ID)
	return answer{status: http.StatusNoContent}, nil
}

func showSecret(c *call, r *world.Record) (answer, *refusal) {
	return answer{value: map[string]any{"signing_secret": cast.Object(r.Value()["signing_secret"])}}, nil
}

func (c *call) newSecret() map[string]any {
	return map[string]any{"algorithm": "SHA256", "secret": c.NewID("", 40) + "=="}
}

func resetSecret(c *call, r *world.Record) (answer, *refusal) {
	secret := c.newSecret()
	c.fake.store.Update(c.Tx, webhooks, r.ID, with(r.Value(), map[string]any{"signing_secret": secret}))
	return answer{status: http.StatusCreated, value: map[string]any{"signing_secret": secret}}, nil
}

// announceTicket tells of something that happened to a ticket.
func (c *call) announceTicket(what string, ticket, event map[string]any) {
	via, _ := ticket["via"].(map[string]any)
	detail := map[string]any{
		"actor_id": key(c.callerID()), "created_at": ticket["created_at"], "updated_at": ticket["updated_at"], "description": ticket["description"],
		"subject": ticket["subject"], "external_id": ticket["external_id"], "is_public": ticket["is_public"], "tags": ticket["tags"],
		"status": shout("status", ticket["status"]), "priority": shout("priority", ticket["priority"]), "type": shout("type", ticket["type"]),
		"form_id": shout("", ticket["ticket_form_id"]), "custom_status": shout("", ticket["custom_status_id"]), "via": map[string]any{"channel": via["channel"]},
	}
	for _, field := range []string{"id", "assignee_id", "brand_id", "group_id", "organization_id", "requester_id", "submitter_id"} {
		detail[field] = shout("", ticket[field])
	}
	c.push("ticket."+what, "zen:ticket:"+cast.Plain(ticket["id"]), "2022-11-06", detail, event)
}

// announce tells of something that happened to a user or an organization.
func (c *call) announce(kind, what string, record map[string]any) {
	if kind != "user" && kind != "organization" {
		return
	}
	detail := map[string]any{"id": cast.Plain(record["id"]), "created_at": record["created_at"], "updated_at": record["updated_at"], "external_id": record["external_id"]}
	if kind == "user" {
		for _, field := range []string{"email", "role", "default_group_id", "organization_id"} {
			detail[field] = shout("", record[field])
		}
	} else {
		detail["name"], detail["shared_tickets"], detail["shared_comments"] = record["name"], record["shared_tickets"], record["shared_comments"]
	}
	c.push(kind+"."+what, "zen:"+kind+":"+cast.Plain(record["id"]), "2022-06-20", detail, map[string]any{})
}

// push queues an event for each webhook that asked for it.
func (c *call) push(what, subject, version string, detail, event map[string]any) {
	if c.quiet || c.Identity == fakes.Fixture {
		return
	}
	for hook := range c.Tx.Oldest(full(webhooks), 0) {
		if hook.Value()["status"] != "active" || !slices.Contains(list(hook.Value()["subscriptions"]), "zen:event-type:"+what) {
			continue
		}
		n := uuid(c.NewID)
		c.invoke(invocation{hook: hook.Value(), event: n, kind: jsonKind, body: world.Encode(map[string]any{
			"type": "zen:event-type:" + what, "account_id": int64(accountID), "id": n, "time": c.Now.UTC().Format("2006-01-02T15:04:05.000000000Z"),
			"zendesk_event_version": version, "subject": subject, "detail": detail, "event": event,
		})})
	}
}
