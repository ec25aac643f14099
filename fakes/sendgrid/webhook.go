package sendgrid

import (
	"maps"
	"net/http"
	"net/url"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// mostWebhooks an account may have.
const mostWebhooks = 5

// webhookFlags are the events that a webhook may ask for.
var webhookFlags = []string{
	"account_status_change", "group_resubscribe", "delivered", "group_unsubscribe", "spam_report", "bounce", "deferred",
	"unsubscribe", "processed", "open", "click", "dropped",
}

// emptyWebhook is what there is before one is set up.
func emptyWebhook() map[string]any {
	value := map[string]any{"enabled": false, "url": "", "oauth_client_id": "", "oauth_token_url": "", "friendly_name": nil}
	for _, flag := range webhookFlags {
		value[flag] = false
	}
	return value
}

func listWebhooks(c *call) (answer, *refusal) {
	all := []any{}
	for r := range c.Tx.Oldest(full(webhooks), 0) {
		all = append(all, r.Value())
	}
	return ok(map[string]any{"max_allowed": int64(mostWebhooks), "webhooks": all}), nil
}

// webhook finds the webhook that the path names, else the oldest, which there
// may not be.
func (c *call) webhook() (*world.Record, *refusal) {
	if _, named := c.Input.Path["id"]; named {
		return c.member(webhooks, "id", refuse(http.StatusNotFound, "", "webhook not found"))
	}
	for r := range c.Tx.Oldest(full(webhooks), 0) {
		return r, nil
	}
	return nil, nil
}

func getWebhook(c *call, record *world.Record) (answer, *refusal) {
	if record == nil {
		return ok(emptyWebhook()), nil
	}
	return ok(record.Value()), nil
}

func createWebhook(c *call) (answer, *refusal) {
	if cast.Text(c.Input.Body["url"]) == "" {
		return answer{}, invalid("url", "url is required")
	}
	if c.Tx.Len(full(webhooks)) >= mostWebhooks {
		return answer{}, invalid("", "maximum number of webhooks reached")
	}
	record, refused := c.newWebhook()
	if refused != nil {
		return answer{}, refused
	}
	return created(record.Value()), nil
}

func (c *call) newWebhook() (*world.Record, *refusal) {
	value := emptyWebhook()
	if refused := c.describeWebhook(value); refused != nil {
		return nil, refused
	}
	id := c.id(c.uuid)
	value["id"], value["created_date"], value["updated_date"] = id, c.Now.UTC().Format(time.RFC3339), c.Now.UTC().Format(time.RFC3339)
	c.keep(keysCollection, id, map[string]any{"id": id, "seed": c.NewID("", 43)})
	if c.Identity == fakes.Fixture && c.Input.Body["signed"] == true {
		if key, made := c.key(id); made {
			value["public_key"] = publicKey(key)
		}
	}
	return c.put(webhooks, id, value), nil
}

// describeWebhook lays what was sent over a webhook.
func (c *call) describeWebhook(value map[string]any) *refusal {
	body := c.Input.Body
	if given, sent := body["url"].(string); sent {
		if u, err := url.Parse(given); given != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
			return invalid("url", "url must be a valid http or https URL")
		}
		value["url"] = given
	}
	for _, field := range append([]string{"enabled", "friendly_name", "oauth_client_id", "oauth_token_url"}, webhookFlags...) {
		if v, sent := body[field]; sent {
			value[field] = v
		}
	}
	if value["enabled"] == true && cast.Text(value["url"]) == "" {
		return invalid("url", "url is required when enabled is true")
	}
	return nil
}

func updateWebhook(c *call, record *world.Record) (answer, *refusal) {
	if record == nil {
		made, refused := c.newWebhook()
		if refused != nil {
			return answer{}, refused
		}
		return ok(made.Value()), nil
	}
	value := maps.Clone(record.Value())
	if refused := c.describeWebhook(value); refused != nil {
		return answer{}, refused
	}
	value["updated_date"] = c.Now.UTC().Format(time.RFC3339)
	return ok(c.put(webhooks, record.ID, value).Value()), nil
}

func deleteWebhook(c *call, record *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, webhooks, record.ID)
	if _, has := c.Tx.Get(keysCollection, record.ID); has {
		c.drop(keysCollection, record.ID)
	}
	return noContent, nil
}

func signedReply(record *world.Record) answer {
	if record == nil {
		return ok(map[string]any{"public_key": ""})
	}
	return ok(map[string]any{"id": record.ID, "public_key": cast.Text(record.Value()["public_key"])})
}

func getSigned(c *call, record *world.Record) (answer, *refusal) {
	return signedReply(record), nil
}

// updateSigned turns signatures on, by which the public key is shown, or off.
func updateSigned(c *call, record *world.Record) (answer, *refusal) {
	if record == nil {
		return answer{}, refuse(http.StatusNotFound, "", "webhook not found")
	}
	value := without(record.Value(), "public_key")
	if c.Input.Body["enabled"] == true {
		if _, has := c.Tx.Get(keysCollection, record.ID); !has { // it came with a fixture, as it stands
			c.keep(keysCollection, record.ID, map[string]any{"id": record.ID, "seed": c.NewID("", 43)})
		}
		key, made := c.key(record.ID)
		if !made {
			return answer{}, refuse(http.StatusInternalServerError, "", "internal server error")
		}
		value["public_key"] = publicKey(key)
	}
	return signedReply(c.put(webhooks, record.ID, value)), nil
}

// testWebhook posts one of each event, made up, to a URL.
func testWebhook(c *call) (answer, *refusal) {
	to, endpoint := cast.Text(c.Input.Body["url"]), cast.Text(c.Input.Body["id"])
	if record, known := c.get(webhooks, endpoint); known && to == "" {
		to = cast.Text(record.Value()["url"])
	}
	if u, err := url.Parse(to); err != nil || u.Host == "" {
		return answer{}, invalid("url", "url must be a valid http or https URL")
	}
	if endpoint == "" {
		endpoint = "test"
	}
	all := []any{}
	for _, kind := range []string{"processed", "deferred", "delivered", "open", "click", "bounce", "dropped", "spamreport", "unsubscribe", "group_unsubscribe", "group_resubscribe"} {
		all = append(all, c.sampleEvent(kind))
	}
	c.deliver(endpoint, to, encode(all))
	return noContent, nil
}

func (c *call) sampleEvent(kind string) map[string]any {
	e := map[string]any{
		"email": "example@test.com", "timestamp": c.Now.Unix(), "smtp-id": "<" + c.NewID("", 12) + "@ismtpd-555>", "event": kind, "category": []any{"cat facts"},
		"sg_event_id": c.NewID("", 22), "sg_message_id": c.NewID("", 22) + ".recvd-test-1-0.0",
	}
	more := map[string]map[string]any{
		"deferred":  {"response": "400 try again later", "attempt": "5"},
		"delivered": {"response": "250 OK"},
		"open":      {"useragent": "Mozilla/4.0 (compatible; MSIE 6.1; Windows XP; .NET CLR 1.1.4322; .NET CLR 2.0.50727)", "ip": outboundIP},
		"click":     {"useragent": "Mozilla/4.0 (compatible; MSIE 6.1; Windows XP; .NET CLR 1.1.4322; .NET CLR 2.0.50727)", "ip": outboundIP, "url": "http://www.sendgrid.com/"},
		"bounce":    {"reason": "500 unknown recipient", "status": "5.0.0"},
		"dropped":   {"reason": bounced, "status": "5.0.0"},
	}
	maps.Copy(e, more[kind])
	return e
}
