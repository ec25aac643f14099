package sendgrid

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// What a mail takes on its way, in the run's time.
const (
	inTransit    = 2 * time.Second
	retryAfter   = 15 * time.Minute // a mail that was deferred is tried again
	reportsAfter = 10 * time.Minute // somebody reads it and calls it spam
)

// Kinds of timers.
const (
	arriveTimer = "arrive"
	reportTimer = "report"
	sendTimer   = "send"
	importTimer = "import"
	postTimer   = "post-events"
)

// SendGrid's addresses, as events and activity show them; from a range that is
// for examples.
const (
	outboundIP = "198.51.100.17"
	originIP   = "203.0.113.9"
)

// suppressed tells why an address gets no mail: it bounced before, reported
// spam, or unsubscribed. Blocks keep nothing back. Some settings of a mail ask
// for it to be sent all the same.
func (c *call) suppressed(e *envelope, email string) string {
	id := strings.ToLower(email)
	bypass := func(setting string) bool {
		settings := cast.Object(e.mail["mail_settings"])
		return cast.Object(settings["bypass_list_management"])["enable"] == true || cast.Object(settings[setting])["enable"] == true
	}
	has := func(collection, id string) bool { _, known := c.get(collection, id); return known }
	switch {
	case has(bounces, id) && !bypass("bypass_bounce_management"):
		return bounced
	case has(invalidEmails, id) && !bypass("bypass_bounce_management"):
		return invalidTo
	case has(spamReports, id) && !bypass("bypass_spam_management"):
		return reported
	case has(unsubscribes, id) && !bypass("bypass_unsubscribe_management"):
		return unsubscribed
	}
	if group, given := cast.Object(e.mail["asm"])["group_id"].(int64); given && !bypass("bypass_unsubscribe_management") {
		if has(groupSuppressions, groupMember(group, id)) {
			return unsubscribed
		}
	}
	return ""
}

// note keeps a mail to one address, and sets out what becomes of it.
func (c *call) note(e *envelope, id, to, subject, dropped string) {
	value := map[string]any{
		"id": id, "from_email": cast.Text(e.from()["email"]), "subject": subject, "to_email": to, "status": "processed",
		"opens_count": int64(0), "clicks_count": int64(0), "last_event_time": iso(c.Now), "events": []any{},
		"categories": cast.List(e.mail["categories"]), "created": c.Now.Unix(),
	}
	if value["categories"] == nil || len(cast.List(e.mail["categories"])) == 0 {
		value["categories"] = []any{}
	}
	if args := e.both("custom_args"); len(args) > 0 {
		value["unique_args"] = string(encode(args))
	}
	if id := cast.Text(e.mail["template_id"]); id != "" {
		value["template_id"] = id
	}
	if group, given := cast.Object(e.mail["asm"])["group_id"].(int64); given {
		value["asm_group_id"] = group
	}
	if e.key != "" {
		value["api_key_id"] = e.key
	}
	record := c.fake.store.Create(c.Tx, messages, id, value)
	activity.Note(c.Tx, id, nil, c.Now)
	if dropped != "" {
		c.happen(record, "dropped", "not_delivered", map[string]any{"reason": dropped})
		c.bumpFor(value, dropMetric(dropped), 1)
		return
	}
	c.happen(record, "processed", "processed", nil)
	c.bumpFor(value, "processed", 1)
	c.after(inTransit, arriveTimer, id)
}

func dropMetric(reason string) string {
	switch reason {
	case bounced:
		return "bounce_drops"
	case reported:
		return "spam_report_drops"
	case unsubscribed:
		return "unsubscribe_drops"
	}
	return "invalid_emails"
}

// after sets a timer.
func (c *call) after(wait time.Duration, kind, subject string) {
	kit.Must(name, kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: kind, Subject: subject, Due: c.Now.Add(wait)}))
}

// Fire does what is due.
func (f *Fake) Fire(fc *fakes.Call, t fakes.Timer) {
	c := &call{Call: fc, fake: f}
	switch t.Kind {
	case arriveTimer:
		c.arrive(t.Subject)
	case reportTimer:
		c.report(t.Subject)
	case sendTimer:
		c.release(t.Subject)
	case importTimer:
		c.work(t.Subject)
	case postTimer:
		c.post(t.Subject)
	case singleSendTimer:
		c.trigger(t.Subject)
	case openTimer, clickTimer, leaveTimer:
		c.act(t.Kind, t.Subject)
	}
}

// arrive lets a mail reach its address, or not: a fixture says what becomes of
// mails to an address (sendgrid.mailboxes); those to a domain that cannot be
// bounce.
func (c *call) arrive(id string) {
	record, known := c.get(messages, id)
	if !known || record.Value()["status"] != "processed" {
		return
	}
	to := cast.Text(record.Value()["to_email"])
	box := c.mailbox(to)
	reason, status := cast.Text(box["reason"]), cast.Text(box["status"])
	or := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		return text
	}
	key := strings.ToLower(to)
	switch box["outcome"] {
	case "bounce":
		reason, status = or(reason, "550 5.1.1 The email account that you tried to reach does not exist."), or(status, "5.1.1")
		c.put(bounces, key, map[string]any{"id": key, "created": c.Now.Unix(), "email": to, "reason": reason, "status": status})
		c.happen(record, "bounce", "not_delivered", map[string]any{"reason": reason, "status": status, "type": "bounce", "bounce_classification": "Invalid Address"})
		c.bumpFor(record.Value(), "bounces", 1)
	case "block":
		reason, status = or(reason, "421 4.7.0 Try again later, closing connection."), or(status, "4.7.0")
		c.put(blocks, key, map[string]any{"id": key, "created": c.Now.Unix(), "email": to, "reason": reason, "status": status})
		c.happen(record, "bounce", "not_delivered", map[string]any{"reason": reason, "status": status, "type": "blocked", "bounce_classification": "Reputation"})
		c.bumpFor(record.Value(), "blocks", 1)
	case "invalid":
		reason = or(reason, "Mail domain mentioned in email address is unknown")
		c.put(invalidEmails, key, map[string]any{"id": key, "created": c.Now.Unix(), "email": to, "reason": reason})
		c.happen(record, "dropped", "not_delivered", map[string]any{"reason": invalidTo})
		c.bumpFor(record.Value(), "invalid_emails", 1)
	case "deferred":
		if !had(record, "deferred") {
			c.happen(record, "deferred", "processed", map[string]any{"response": or(reason, "451 4.3.0 Temporary error, try again later"), "attempt": "1"})
			c.bumpFor(record.Value(), "deferred", 1)
			c.after(retryAfter, arriveTimer, id)
			return
		}
		c.delivered(record)
	case "spam_report":
		c.delivered(record)
		c.after(reportsAfter, reportTimer, id)
	default:
		c.delivered(record)
	}
}

func (c *call) delivered(record *world.Record) {
	c.happen(record, "delivered", "delivered", map[string]any{"response": "250 OK"})
	c.bumpFor(record.Value(), "delivered", 1)
	c.begin(record.ID)
}

// report is somebody's click on "this is spam".
func (c *call) report(id string) {
	record, known := c.get(messages, id)
	if !known {
		return
	}
	to := cast.Text(record.Value()["to_email"])
	key := strings.ToLower(to)
	c.put(spamReports, key, map[string]any{"id": key, "created": c.Now.Unix(), "email": to, "ip": outboundIP})
	c.happen(record, "spamreport", "delivered", nil)
	c.bumpFor(record.Value(), "spam_reports", 1)
}

// mailbox tells what becomes of mails to an address.
func (c *call) mailbox(email string) map[string]any {
	key := strings.ToLower(email)
	if record, known := c.get(mailboxes, key); known {
		return record.Value()
	}
	_, domain, _ := strings.Cut(key, "@")
	if record, known := c.get(mailboxes, "@"+domain); known {
		return record.Value()
	}
	// Source: RFC 2606, 2: .invalid is for names that are sure not to exist.
	if strings.HasSuffix(domain, ".invalid") {
		return map[string]any{"outcome": "bounce", "status": "5.1.2", "reason": fmt.Sprintf("550 5.1.2 unable to get mx info: failed to get IPs from PTR record: lookup %s: no such host", domain)}
	}
	return map[string]any{"outcome": "delivered"}
}

func had(record *world.Record, event string) bool {
	for _, one := range cast.List(record.Value()["events"]) {
		if cast.Object(one)["event_name"] == event {
			return true
		}
	}
	return false
}

// atReceiver are the events that the receiver's server tells of.
var atReceiver = map[string]bool{"delivered": true, "bounce": true, "deferred": true, "spamreport": true}

// activityNames are what email activity calls events.
var activityNames = map[string]string{"bounce": "bounced", "spamreport": "spam_report"}

// happen adds an event to a mail, and tells webhooks.
func (c *call) happen(record *world.Record, event, status string, more map[string]any) {
	old, known := c.get(messages, record.ID)
	if !known {
		return
	}
	value := maps.Clone(old.Value())
	shown := map[string]any{"event_name": event, "processed": iso(c.Now)}
	if name, other := activityNames[event]; other {
		shown["event_name"] = name
	}
	for _, field := range []string{"reason", "response"} {
		if why, said := more[field]; said {
			shown["reason"] = why
		}
	}
	if kind := more["type"]; event == "bounce" {
		shown["bounce_type"] = map[any]string{"bounce": "hard", "blocked": "soft"}[kind]
	}
	if n, err := strconv.ParseInt(cast.Text(more["attempt"]), 10, 64); err == nil {
		shown["attempt_num"] = n
	}
	if agent := cast.Text(more["useragent"]); agent != "" {
		shown["http_user_agent"] = agent
	}
	if url := cast.Text(more["url"]); url != "" {
		shown["url"] = url
	}
	if atReceiver[event] {
		_, domain, _ := strings.Cut(cast.Text(value["to_email"]), "@")
		shown["mx_server"] = "mx." + domain
	}
	events := cast.List(value["events"])
	value["events"] = append(events[:len(events):len(events)], shown)
	value["status"], value["last_event_time"] = status, iso(c.Now)
	c.fake.store.Update(c.Tx, messages, record.ID, value)
	activity.Note(c.Tx, record.ID, old.Value(), c.Now)
	c.tell(value, event, more)
}
