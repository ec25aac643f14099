package github

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"maps"
	"net/http"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// queue puts a delivery of a webhook into the queue. GitHub makes one attempt;
// another is made when somebody asks for it.
// Source: docs.github.com/webhooks/using-webhooks/handling-failed-webhook-deliveries.
func (c *call) queue(hook, delivery map[string]any, again bool) {
	value := maps.Clone(delivery)
	id := decimal(c.newID(hookDeliveries))
	for field, one := range map[string]any{
		"id": id, "repo": hook["repo"], "hook": hook["id"], "redelivery": again, "status": "pending", "status_code": int64(0), "delivered_at": c.now(),
	} {
		value[field] = one
	}
	record := c.create(hookDeliveries, value)
	must(kit.Deliver(c.Tx, fakes.Delivery{
		Service: name, ID: id, URL: kit.Text(hook, "url"), Method: http.MethodPost, Header: map[string]string{"X-GitHub-Hook-ID": kit.Text(hook, "id")},
		Body: []byte(kit.Text(record.Value(), "body")), Attempt: 1, Due: c.Now, Event: kit.Text(record.Value(), "guid"),
	}))
}

// Sign gives the headers of a delivery.
// Source: docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers.
func (f *Fake) Sign(fc *fakes.Call, d fakes.Delivery) http.Header {
	c := f.call(fc)
	header := http.Header{}
	delivery, hook := c.hookOf(d)
	if hook == nil {
		return header
	}
	r, _ := c.byKey(kit.Text(hook.Value(), "repo"))
	header["Content-Type"] = []string{"application/x-www-form-urlencoded"}
	if textOr(hook.Value(), "content_type", "form") == "json" {
		header["Content-Type"] = []string{"application/json"}
	}
	guid := kit.Text(delivery.Value(), "guid")
	for field, value := range map[string]string{
		"User-Agent": "GitHub-Hookshot/" + guid[:7], "Accept": "*/*", "X-GitHub-Delivery": guid, "X-GitHub-Event": kit.Text(delivery.Value(), "event"),
		"X-GitHub-Hook-ID": hook.ID, "X-GitHub-Hook-Installation-Target-ID": decimal(r.rid()), "X-GitHub-Hook-Installation-Target-Type": "repository",
	} {
		header.Set(field, value)
	}
	if secret := kit.Text(hook.Value(), "secret"); secret != "" {
		header.Set("X-Hub-Signature", "sha1="+mac(sha1.New, secret, d.Body))
		header.Set("X-Hub-Signature-256", "sha256="+mac(sha256.New, secret, d.Body))
	}
	return header
}

// SigningKey is the hook's secret, which whoever made the hook has chosen.
func (f *Fake) SigningKey(fc *fakes.Call, d fakes.Delivery) string {
	_, hook := f.call(fc).hookOf(d)
	if hook == nil {
		return ""
	}
	return kit.Text(hook.Value(), "secret")
}

// hookOf is the record of a delivery, and the hook that it is for; nil: it is
// not there any more.
func (c *call) hookOf(d fakes.Delivery) (delivery, hook *world.Record) {
	delivery, _ = c.get(hookDeliveries, d.ID)
	if delivery != nil {
		hook, _ = c.get(hooks, kit.Text(delivery.Value(), "hook"))
	}
	return delivery, hook
}

func mac(of func() hash.Hash, secret string, body []byte) string {
	m := hmac.New(of, []byte(secret))
	m.Write(body)
	return hex.EncodeToString(m.Sum(nil))
}

// Delivered writes down what became of a delivery.
func (f *Fake) Delivered(fc *fakes.Call, d fakes.Delivery, a fakes.Answer) {
	c := f.call(fc)
	record, ok := c.get(hookDeliveries, d.ID)
	if !ok {
		return
	}
	value := changed(record)
	value["status_code"], value["delivered_at"] = int64(a.Status), c.now()
	words := map[bool]string{true: "OK", false: "Invalid HTTP Response: " + decimal(int64(a.Status))}[a.Status/100 == 2]
	if a.Status == 0 {
		words = "failed to connect to host"
	}
	value["status"] = words
	c.update(hookDeliveries, value)
	if hook, ok := c.get(hooks, kit.Text(value, "hook")); ok {
		told := changed(hook)
		state := "active"
		if a.Status/100 != 2 {
			state = "invalid_http_response"
		}
		told["last_response"] = map[string]any{"code": int64(a.Status), "status": state, "message": words}
		c.update(hooks, told)
	}
}
