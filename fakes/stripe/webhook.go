package stripe

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// again is how long after a failed attempt the next one is made: "for up to
// three days with an exponential back off".
// Source: docs.stripe.com/webhooks#automatic-retries; the steps are not known.
var again = [...]time.Duration{
	time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 12 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// createEndpoint is the one answer that shows the secret which signs what is
// sent.
// mostEndpoints is how many an account in test mode may have.
// Source: docs.stripe.com/webhooks.
const mostEndpoints = 16

func createEndpoint(c *call) (answer, *refusal) {
	if c.Tx.Len(full(webhookEndpoints)) >= mostEndpoints {
		return answer{}, unsaved(invalid("", "", "You have reached the maximum of %d test webhook endpoints.", mostEndpoints))
	}
	value := map[string]any{
		"id": c.NewID("we_1", 23), "object": "webhook_endpoint", "api_version": nil, "application": nil,
		"created": c.now(), "description": nil, "enabled_events": []any{}, "livemode": false,
		"secret": c.NewID("whsec_", 32), "status": "enabled",
	}
	assign(value, c.Input.Body, "api_version")
	if refused := c.endpoint(value); refused != nil {
		return answer{}, refused
	}
	record := c.create(webhookEndpoints, value)
	if c.flag("connect") {
		kit.Keep(c.Tx, connectCollection, record.ID, map[string]any{"connect": true})
	}
	return answer{record: record, collection: webhookEndpoints}, nil
}

func updateEndpoint(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	if refused := c.endpoint(value); refused != nil {
		return answer{}, refused
	}
	if off, sent := c.Input.Body["disabled"].(bool); sent {
		value["status"] = map[bool]string{true: "disabled", false: "enabled"}[off]
	}
	return answer{record: c.update(webhookEndpoints, value), collection: webhookEndpoints}, nil
}

// endpoint lays over a record what may be said of an endpoint.
func (c *call) endpoint(value map[string]any) *refusal {
	if c.has("url") {
		address, err := url.Parse(c.text("url"))
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
			return unsaved(invalid("url", "url_invalid", "Invalid URL: An explicit scheme (such as https) must be provided."))
		}
	}
	assign(value, c.Input.Body, "description", "url")
	if kinds := cast.List(c.Input.Body["enabled_events"]); len(kinds) > 0 {
		for _, kind := range kinds {
			if kind != "*" && !strings.Contains(cast.Text(kind), ".") {
				return unsaved(invalid("enabled_events", "", "Invalid enabled_events: %s is not the type of an event.", kit.Clip(cast.Text(kind))))
			}
		}
		value["enabled_events"] = kinds
	}
	merged, refused := c.metadata(value["metadata"])
	value["metadata"] = merged
	return refused
}

func deleteEndpoint(c *call, old *world.Record) (answer, *refusal) {
	c.remove(webhookEndpoints, old.ID)
	return answer{value: tombstone(old)}, nil
}

// tombstone is what is said of a record that is deleted.
func tombstone(r *world.Record) map[string]any {
	return map[string]any{"id": r.ID, "object": r.Value()["object"], "deleted": true}
}

// endpointsFor lists the endpoints that want an event of a kind.
func (c *call) endpointsFor(kind string) []*world.Record {
	var found []*world.Record
	for endpoint := range c.Tx.Oldest(full(webhookEndpoints), 0) {
		wanted := cast.List(endpoint.Value()["enabled_events"])
		if endpoint.Value()["status"] == "enabled" && c.hears(endpoint.ID) && (slices.Contains(wanted, any("*")) || slices.Contains(wanted, any(kind))) {
			found = append(found, endpoint)
		}
	}
	return found
}

// hears tells whether an endpoint is told of what happens in the account: one of
// its own is, and of a connected account the platform's for that.
func (c *call) hears(endpoint string) bool {
	_, connect := c.Tx.Get(connectCollection, endpoint)
	if c.account != "" && connect {
		return c.ownerOf(endpoint) == ""
	}
	return !connect && c.mine(endpoint)
}

// deliver queues an event for an endpoint. One that came late or twice is told
// by its id, which is part of the delivery's.
func (c *call) deliver(event, endpoint *world.Record) {
	err := kit.Deliver(c.Tx, fakes.Delivery{
		Service: name, ID: event.ID + "/" + endpoint.ID, URL: cast.Text(endpoint.Value()["url"]),
		Body: event.JSON(), Attempt: 1, Due: c.present(), Event: event.ID,
	})
	kit.Must(name, err)
}

// Sign gives the headers of an attempt: its signature is of the attempt's
// instant. Source: docs.stripe.com/webhooks#verify-manually.
func (f *Fake) Sign(c *fakes.Call, d fakes.Delivery) http.Header {
	header := kit.Headers(
		"Content-Type", "application/json; charset=utf-8",
		"User-Agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
		"Accept", "*/*; q=0.5, application/xml", "Cache-Control", "no-cache",
	)
	_, id, _ := strings.Cut(d.ID, "/")
	endpoint, ok := c.Tx.Get(full(webhookEndpoints), id)
	if !ok {
		return header
	}
	at := strconv.FormatInt(c.Now.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(cast.Text(endpoint.Value()["secret"])))
	mac.Write([]byte(at + ".")) // never fails
	mac.Write(d.Body)
	header["Stripe-Signature"] = []string{"t=" + at + ",v1=" + hex.EncodeToString(mac.Sum(nil))}
	return header
}

// Delivered takes an event that was accepted off what is pending, and tries
// again later what was not.
func (f *Fake) Delivered(fc *fakes.Call, d fakes.Delivery, a fakes.Answer) {
	c := &call{Call: fc, fake: f, version: f.version}
	eventID, endpointID, _ := strings.Cut(d.ID, "/")
	c.account = c.ownerOf(eventID)
	endpoint, there := c.Tx.Get(full(webhookEndpoints), endpointID)
	if !a.Taken() {
		if there && endpoint.Value()["status"] == "enabled" && d.Attempt <= len(again) {
			d.Due, d.Attempt = c.Now.Add(again[d.Attempt-1]), d.Attempt+1
			kit.Must(name, kit.Deliver(c.Tx, d))
		}
		return
	}
	if event, ok := c.find(events, eventID); ok && whole(event.Value()["pending_webhooks"]) > 0 {
		value := changed(event)
		value["pending_webhooks"] = whole(value["pending_webhooks"]) - 1
		c.update(events, value)
	}
}
