package zendesk

import (
	"net/http"
	"net/url"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// What is kept of webhooks that were called.
const (
	invocations = "webhook_invocations"
	attempts    = "webhook_attempts"
)

const jsonKind = "application/json; charset=utf-8"

// An invocation is one request that a webhook makes, by an event that it is
// subscribed to or by a rule.
type invocation struct {
	hook  map[string]any
	event string // its id
	kind  string // of the body
	body  []byte
	query string // beside the endpoint's own
}

// invocationID is the number of an invocation, which its event gives.
func invocationID(event string) string {
	letters := strings.ToUpper(strings.ReplaceAll(event, "-", ""))
	return "01" + letters[:min(24, len(letters))]
}

// invoke queues an invocation.
func (c *call) invoke(one invocation) {
	hook, endpoint := cast.Text(one.hook["id"]), cast.Text(one.hook["endpoint"])
	if one.query != "" {
		endpoint += map[bool]string{true: "&", false: "?"}[strings.Contains(endpoint, "?")] + one.query
	}
	header := customHeaders(one.hook)
	if one.kind != jsonKind {
		header["Content-Type"] = one.kind
	}
	n := invocationID(one.event)
	c.fake.store.Create(c.Tx, invocations, n, map[string]any{"id": n, "webhook_id": hook, "status": "pending", "status_code": nil, "latest_completed_at": nil})
	kit.Must(name, kit.Deliver(c.Tx, fakes.Delivery{
		Service: name, ID: hook + "/" + one.event, Method: cast.Text(one.hook["http_method"]), URL: endpoint, Body: one.body, Attempt: 1, Due: c.Now, Header: header, Event: one.event,
	}))
}

func customHeaders(hook map[string]any) map[string]string {
	headers, _ := hook["custom_headers"].(map[string]any)
	out := map[string]string{}
	for name, v := range headers {
		out[name] = cast.Plain(v)
	}
	return out
}

// callWebhook has a rule call a webhook with a body of its own, and gives the
// event that tells so.
func (e *edit) callWebhook(hookID string, v any, via map[string]any) map[string]any {
	hook, ok := e.c.Tx.Get(full(webhooks), hookID)
	if !ok || hook.Value()["status"] != "active" {
		return nil
	}
	one := invocation{hook: hook.Value(), event: uuid(e.c.NewID), kind: jsonKind}
	format := cast.Text(hook.Value()["request_format"])
	var said any
	if parts := cast.List(v); len(parts) > 1 {
		said = parts[1]
	}
	text := filling{e: e}
	switch pairs, many := said.([]any); {
	case many:
		if form := pairsOf(pairs, text); hook.Value()["http_method"] == "GET" || hook.Value()["http_method"] == "DELETE" {
			one.query = form
		} else {
			one.kind, one.body = "application/x-www-form-urlencoded", []byte(form)
		}
	case format == "json":
		text.escape = inJSON
		one.body = []byte(text.in(cast.Plain(said)))
	default:
		one.kind = map[string]string{"xml": "application/xml; charset=utf-8"}[format]
		one.kind, one.body = orDefault(one.kind, "application/x-www-form-urlencoded"), []byte(text.in(cast.Plain(said)))
	}
	e.calls = append(e.calls, one)
	return map[string]any{"id": e.c.fresh(audits), "type": "External", "via": via, "resource": hookID, "body": orDefault(string(one.body), one.query), "success": nil}
}

func pairsOf(pairs []any, text filling) string {
	form := url.Values{}
	for _, one := range pairs {
		if pair := list(one); len(pair) == 2 {
			form.Add(pair[0], text.in(pair[1]))
		}
	}
	return form.Encode()
}

// attempted keeps what came of one attempt.
func (c *call) attempted(n string, d fakes.Delivery, a fakes.Answer) {
	r, ok := c.Tx.Get(full(invocations), n)
	if !ok {
		return
	}
	status, code := "failed", any(nil)
	if a.Taken() {
		status = "success"
	}
	if a.Status > 0 {
		code = key(int64(a.Status))
	}
	c.fake.store.Update(c.Tx, invocations, n, with(r.Value(), map[string]any{"status": status, "status_code": code, "latest_completed_at": c.now()}))
	attempt := "01" + strings.ToUpper(c.NewID("", 24))
	payload := string(d.Body)
	c.fake.store.Create(c.Tx, attempts, attempt, map[string]any{
		"id": attempt, "invocation_id": n, "status": status, "completed_at": c.now(),
		"request":  map[string]any{"headers": []any{map[string]any{"key": "Content-Type", "value": orDefault(d.Header["Content-Type"], jsonKind)}, map[string]any{"key": "User-Agent", "value": "Zendesk Webhook"}}, "payload": payload},
		"response": map[string]any{"headers": []any{}, "payload": kit.Clip(a.Error), "status_code": code},
	})
}

// byCursorOnly has a list paged by cursor, whether or not the call says so.
func (c *call) byCursorOnly(l listing) (answer, *refusal) {
	if _, cursor := c.Input.Query["page"].(map[string]any); !cursor {
		c.Input.Query = with(c.Input.Query, map[string]any{"page": map[string]any{}})
	}
	return c.list(l)
}

func listInvocations(c *call, hook *world.Record) (answer, *refusal) {
	some := c.those(invocations, "webhook_id", hook.ID, nil)
	if filter, ok := c.Input.Query["filter"].(map[string]any); ok {
		if status := cast.Text(filter["status"]); status != "" {
			kept := some[:0]
			for _, r := range some {
				if r.Value()["status"] == status {
					kept = append(kept, r)
				}
			}
			some = kept
		}
	}
	return c.byCursorOnly(listing{collection: invocations, under: "invocations", some: some, narrowed: true, show: func(r *world.Record) map[string]any {
		out := with(r.Value(), nil)
		delete(out, "webhook_id")
		return out
	}})
}

func listAttempts(c *call, hook *world.Record) (answer, *refusal) {
	r, refused := c.member(invocations, "invocation_id")
	if refused != nil || r.Value()["webhook_id"] != hook.ID {
		return answer{}, notFound()
	}
	return c.byCursorOnly(listing{collection: attempts, under: "attempts", some: c.those(attempts, "invocation_id", r.ID, nil), narrowed: true})
}

// testWebhook sends what a client asks for. What the endpoint says is not known
// before it is sent, so the answer shows none of it.
func testWebhook(c *call) (answer, *refusal) {
	asked, _ := c.Input.Body["request"].(map[string]any)
	hook := map[string]any{"id": "test", "name": "Test", "status": "active", "subscriptions": []any{}, "endpoint": "", "http_method": "POST", "request_format": "json"}
	if n := c.query("webhook_id"); n != "" {
		r, ok := c.Tx.Get(full(webhooks), n)
		if !ok {
			return answer{}, notFound()
		}
		hook = with(r.Value(), nil)
	}
	hook = with(hook, asked)
	if refused := sayWebhook(hook, hook); refused != nil {
		return answer{}, refused
	}
	c.invoke(invocation{hook: hook, event: uuid(c.NewID), kind: jsonKind, body: []byte(cast.Plain(hook["payload"]))})
	return answer{value: map[string]any{"response": map[string]any{"headers": []any{}, "payload": "", "status": http.StatusText(http.StatusAccepted)}}}, nil
}
