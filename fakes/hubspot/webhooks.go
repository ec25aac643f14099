package hubspot

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// How often a webhook is sent, and how long its tries are apart.
// Source: developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3.
const (
	mostTries = 10
	allTries  = 24 * time.Hour
)

// announce sends an event to each subscription that wants it: an endpoint, its
// app's secret, and the names of events, such as contact.creation; none means
// all.
func (c *call) announce(o *objectType, id, event, property, value string) {
	kind := o.singular + "." + event
	for r := range c.Tx.Oldest(c.fake.store.Full(subscriptions), 0) {
		url, wanted := c.wantedBy(r, kind, property)
		if !wanted {
			continue
		}
		body := map[string]any{
			"eventId": number(c.NewID("", 6)).Int64(), "subscriptionId": whole(r.ID), "portalId": c.settings.portal(), "appId": whole(c.settings.appID),
			"occurredAt": c.Now.UnixMilli(), "subscriptionType": kind, "attemptNumber": int64(0), "objectId": whole(id), "changeSource": "INTEGRATION",
		}
		if property != "" {
			body["propertyName"], body["propertyValue"] = property, value
		}
		if flag, ok := map[string]string{"creation": "CREATED", "deletion": "DELETED"}[event]; ok {
			body["changeFlag"] = flag
		}
		c.queue(fakes.Delivery{
			Service: name, ID: r.ID + "/" + c.NewID("", 12), URL: url, Attempt: 1, Due: c.Now,
			Body: world.Encode([]any{body}), Event: cast.Plain(body["eventId"]),
		})
	}
}

func wants(subscription map[string]any, field, one string) bool {
	names := cast.Texts(subscription[field])
	return len(names) == 0 || slices.Contains(names, one)
}

func (c *call) queue(d fakes.Delivery) {
	kit.Must(name, kit.Deliver(c.Tx, d)) // an address that a fixture wrote: told as such
}

// Sign gives the headers of one attempt: the signature of version 3 is over
// method, address, body and time.
func (f *Fake) Sign(fc *fakes.Call, d fakes.Delivery) http.Header {
	at := strconv.FormatInt(fc.Now.UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(f.secret(fc, d)))
	mac.Write([]byte(http.MethodPost + d.URL + string(d.Body) + at)) // a hash never fails
	plain := sha256.Sum256(append([]byte(f.secret(fc, d)), d.Body...))
	return kit.Headers(
		"Content-Type", "application/json",
		"User-Agent", "HubSpot Connect 2.0 (http://dev.hubspot.com/) (namespace: webhooks-nio-http-client) - WebhooksExecutorDaemon-executor",
		"X-Hubspot-Signature", hexOf(plain[:]),
		"X-Hubspot-Signature-Version", "v1",
		"X-Hubspot-Signature-V3", base64.StdEncoding.EncodeToString(mac.Sum(nil)),
		"X-Hubspot-Request-Timestamp", at,
	)
}

func hexOf(sum []byte) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(sum))
	for _, b := range sum {
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out)
}

// secret is that of the app of a delivery's subscription.
func (f *Fake) secret(fc *fakes.Call, d fakes.Delivery) string {
	for r := range fc.Tx.Oldest(f.store.Full(subscriptions), 0) {
		if len(d.ID) > len(r.ID) && d.ID[:len(r.ID)+1] == r.ID+"/" {
			if app := cast.Text(r.Value()["appId"]); app != "" {
				return f.secretOf(fc, app)
			}
			return cast.Text(r.Value()["secret"])
		}
	}
	return ""
}

// secretOf is the secret of an app, which no API shows: what a fixture says, else
// the app's id.
func (f *Fake) secretOf(fc *fakes.Call, app string) string {
	if r, there := f.store.Get(fc.Tx, webhookSettings, app); there {
		if secret := cast.Text(r.Value()["secret"]); secret != "" {
			return secret
		}
	}
	return app
}

// Delivered sends what was not taken again, up to ten times in a day.
func (f *Fake) Delivered(fc *fakes.Call, d fakes.Delivery, a fakes.Answer) {
	if a.Taken() || d.Attempt > mostTries {
		return
	}
	c := &call{Call: fc, fake: f}
	d.Due = fc.Now.Add(allTries / (1 << (mostTries - min(d.Attempt, mostTries))) / 2)
	was, is := fmt.Sprintf(`"attemptNumber":%d`, d.Attempt-1), fmt.Sprintf(`"attemptNumber":%d`, d.Attempt)
	d.Body = bytes.Replace(d.Body, []byte(was), []byte(is), 1)
	d.Attempt++
	c.queue(d)
}
