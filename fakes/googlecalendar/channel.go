package googlecalendar

import (
	"crypto/sha1"
	"encoding/base64"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Bounds on channels.
const (
	channelLife  = 7 * day // where the client says none
	firstRetry   = 2 * time.Second
	mostAttempts = 6
)

// watch opens a channel: one message at once, and one for each change, none of
// which says what changed.
//
//	watch ──▶ sync (1) ──change──▶ exists (2) ──▶ … ──▶ expiry, or channels.stop
//
// Source: developers.google.com/workspace/calendar/api/guides/push.
func watch(user bool) handler {
	return func(c *call) (answer, *refusal) {
		path := strings.TrimSuffix(strings.TrimPrefix(c.Operation.Path, "/calendar/v3"), "/watch")
		asked := path
		if user {
			path = c.mine(path)
		} else {
			calendar, refused := c.reachable("reader")
			if refused != nil {
				return answer{}, refused
			}
			asked = strings.Replace(path, "{calendarId}", url.PathEscape(c.Input.Path["calendarId"]), 1)
			path = strings.Replace(path, "{calendarId}", kit.Text(calendar, "id"), 1)
		}
		channel, refused := c.opened(path, c.Base+"/calendar/v3"+asked+"?alt=json")
		if refused != nil {
			return answer{}, refused
		}
		c.put(channels, kit.Text(channel, "id"), channel)
		c.push(channel, "sync")
		return many(only(channel, "kind", "id", "resourceId", "resourceUri", "token", "expiration"))
	}
}

// opened reads what a client says of a channel.
func (c *call) opened(path, uri string) (map[string]any, *refusal) {
	id, address := kit.Text(c.Input.Body, "id"), kit.Text(c.Input.Body, "address")
	kind := kit.Text(c.Input.Body, "type")
	u, err := url.Parse(address)
	switch {
	case id == "":
		return nil, missing("entity.id")
	case len(id) > 64 || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=") != "":
		return nil, refused(http.StatusBadRequest, "invalidValue", "Invalid value for channel id.")
	case kind != "web_hook" && kind != "webhook":
		return nil, refused(http.StatusBadRequest, "push.unknownDeliveryMethod", "Unknown channel type: "+kit.Clip(kind))
	case address == "" || err != nil || u.Host == "":
		return nil, refused(http.StatusBadRequest, "push.webhookUrlInvalid", "Invalid WebHook callback: "+kit.Clip(address))
	case u.Scheme != "https" && !here(u.Hostname()):
		return nil, refused(http.StatusBadRequest, "push.webhookUrlNotHttps", "WebHook callback must be HTTPS: "+kit.Clip(address))
	}
	if known, ok := c.get(channels, id); ok && !over(known, c.Now) {
		return nil, refused(http.StatusBadRequest, "channelIdNotUnique", "Channel id "+id+" not unique")
	}
	expires, refused := c.expiry()
	if refused != nil {
		return nil, refused
	}
	sum := sha1.Sum([]byte(path))
	channel := map[string]any{
		"kind": "api#channel", "id": id, "type": kind, "address": address, "resourceId": base64.RawURLEncoding.EncodeToString(sum[:]), "resourceUri": uri,
		"expiration": strconv.FormatInt(expires.UnixMilli(), 10), "expires": expires.UnixMilli(), "watches": path, "sent": int64(1), "owner": c.Identity,
	}
	if token := kit.Text(c.Input.Body, "token"); token != "" {
		channel["token"] = token
	}
	return channel, nil
}

// here tells whether a host is this machine, where nobody has a certificate.
func here(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func over(channel map[string]any, now time.Time) bool {
	return now.UnixMilli() >= cast.Int(channel["expires"])
}

// expiry reads when a channel is to end: an instant in milliseconds, or after
// some seconds.
func (c *call) expiry() (time.Time, *refusal) {
	expires := c.Now.Add(channelLife)
	if text := kit.Text(c.Input.Body, "expiration"); text != "" {
		millis, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return expires, invalid("Invalid value for: expiration")
		}
		expires = time.UnixMilli(millis).UTC()
	} else if text := kit.Text(c.Input.Body, "params.ttl"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 32)
		if err != nil || seconds < 1 {
			return expires, invalid("Invalid value for: ttl")
		}
		expires = c.Now.Add(time.Duration(seconds) * time.Second)
	}
	if !expires.After(c.Now) {
		return expires, invalid("Channel expiration time must be in the future.")
	}
	return expires.Truncate(time.Millisecond), nil
}

func stopChannel(c *call) (answer, *refusal) {
	id := kit.Text(c.Input.Body, "id")
	channel, ok := c.get(channels, id)
	if !ok || over(channel, c.Now) || kit.Text(channel, "resourceId") != kit.Text(c.Input.Body, "resourceId") {
		return answer{}, refused(http.StatusNotFound, "notFound", "Channel '"+kit.Clip(id)+"' not found for project '0'")
	}
	c.fake.store.Delete(c.Tx, channels, id)
	return done()
}

// notify tells the channels that watch a path that something there changed.
func (c *call) notify(path string) {
	for record := range c.fake.store.Find(c.Tx, channels, "watches", path) {
		if over(record.Value(), c.Now) {
			continue
		}
		channel := maps.Clone(record.Value())
		channel["sent"] = cast.Int(channel["sent"]) + 1
		c.push(c.put(channels, record.ID, channel).Value(), "exists")
	}
}

// push queues a message: all of it is in its headers.
func (c *call) push(channel map[string]any, state string) {
	number := kit.Text(channel, "sent")
	expires, _ := channel["expires"].(int64)
	header := map[string]string{
		"X-Goog-Channel-Id": kit.Text(channel, "id"), "X-Goog-Channel-Expiration": time.UnixMilli(expires).UTC().Format(http.TimeFormat),
		"X-Goog-Resource-State": state, "X-Goog-Message-Number": number,
		"X-Goog-Resource-Id": kit.Text(channel, "resourceId"), "X-Goog-Resource-Uri": kit.Text(channel, "resourceUri"),
	}
	if token := kit.Text(channel, "token"); token != "" {
		header["X-Goog-Channel-Token"] = token
	}
	delivery := fakes.Delivery{
		Service: name, ID: kit.Text(channel, "id") + "/" + number, URL: kit.Text(channel, "address"), Header: header, Attempt: 1, Due: c.Now.Add(time.Second),
	}
	if err := kit.Deliver(c.Tx, delivery); err != nil {
		panic(err) // deliveries are not declared: a mistake of the world's maker
	}
}

// Sign gives the headers that every message has.
func (f *Fake) Sign(*fakes.Call, fakes.Delivery) http.Header {
	return kit.Headers(
		"Content-Type", `application/json; charset="utf-8"`,
		"Accept", "*/*",
		"User-Agent", "APIs-Google; (+https://developers.google.com/webmasters/APIs-Google)",
	)
}

// Delivered tries again, later and later, where the endpoint said 500, 502, 503
// or 504, or nothing; any other refusal loses the message.
// Source: developers.google.com/workspace/calendar/api/guides/push.
func (f *Fake) Delivered(call *fakes.Call, d fakes.Delivery, a fakes.Answer) {
	switch a.Status {
	case 0, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return
	}
	if d.Attempt >= mostAttempts {
		return
	}
	again := d
	again.Attempt, again.Due = d.Attempt+1, call.Now.Add(firstRetry<<d.Attempt)
	if err := kit.Deliver(call.Tx, again); err != nil {
		panic(err) // it was delivered before
	}
}
