package sendgrid

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// What people do with mails that were delivered to them, in the run's time: a
// fixture says it of an address or a domain (sendgrid.mailboxes).
const (
	opensAfter  = 5 * time.Minute  // the first time
	opensAgain  = time.Hour        // each further time
	clicksAfter = 30 * time.Second // after the open that it belongs to
	leavesAfter = time.Minute      // after the first open
)

const (
	readerAgent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15"
	readerIP    = "203.0.113.77"
)

// Kinds of timers of what people do.
const (
	openTimer  = "open"
	clickTimer = "click"
	leaveTimer = "unsubscribe"
)

// linkOf finds where links of a page lead.
var linkOf = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<a\b[^>]*\bhref\s*=\s*["'](https?://[^"']+)["']`)
})

// mostActs is how many times a mail is opened or clicked at most.
const mostActs = 20

// expect notes what the owner of an address will do with a mail, as far as it
// can be told: an open needs a page, a click a link in it, and both that they
// are tracked.
func (c *call) expect(e *envelope, made map[string]any, id, to string) {
	box := c.mailbox(to)
	opens, clicks, leaves := cast.Int(box["opens"]), cast.Int(box["clicks"]), cast.Text(box["unsubscribe"])
	if opens == 0 && clicks == 0 && leaves == "" {
		return
	}
	page := ""
	for _, part := range cast.Objects(made["content"]) {
		if part["type"] == "text/html" {
			page = cast.Text(part["value"])
		}
	}
	var links []any
	for _, found := range linkOf().FindAllStringSubmatch(page, mostActs) {
		links = append(links, found[1])
	}
	if page == "" || !c.tracks(e, "open_tracking", "open") {
		opens = 0
	}
	if links == nil || !c.tracks(e, "click_tracking", "click") {
		clicks = 0
	}
	if url := cast.Text(box["url"]); url != "" && clicks > 0 {
		links = []any{url}
	}
	c.keep(actsCollection, id, map[string]any{"id": id, "opens": min(opens, mostActs), "clicks": min(clicks, mostActs), "links": links, "unsubscribe": leaves})
}

// tracks tells whether something is tracked: the mail says, else the account.
func (c *call) tracks(e *envelope, inMail, inAccount string) bool {
	if enabled, said := cast.Object(cast.Object(e.mail["tracking_settings"])[inMail])["enable"].(bool); said {
		return enabled
	}
	return c.setting("tracking_settings/" + inAccount)["enabled"] == true
}

// begin sets out what the owner of an address does with a mail that is there.
func (c *call) begin(id string) {
	record, expected := c.Tx.Get(actsCollection, id)
	if !expected {
		return
	}
	acts := record.Value()
	opens, clicks := cast.Int(acts["opens"]), cast.Int(acts["clicks"])
	for n := range opens {
		c.after(opensAfter+time.Duration(n)*opensAgain, openTimer, fmt.Sprintf("%s/%d", id, n))
	}
	for n := range clicks {
		c.after(opensAfter+time.Duration(n)*opensAgain+clicksAfter, clickTimer, fmt.Sprintf("%s/%d", id, n))
	}
	if acts["unsubscribe"] != "" {
		c.after(opensAfter+leavesAfter, leaveTimer, id+"/0")
	}
}

// act does one of these things.
func (c *call) act(kind, subject string) {
	id, number, _ := strings.Cut(subject, "/")
	record, known := c.get(messages, id)
	expected, noted := c.Tx.Get(actsCollection, id)
	if !known || !noted {
		return
	}
	more := map[string]any{"useragent": readerAgent, "ip": readerIP}
	switch kind {
	case openTimer:
		more["sg_content_type"], more["sg_machine_open"] = "html", false
		c.counted(record, "opens_count", "opens", "unique_opens")
		c.happen(record, "open", "delivered", more)
	case clickTimer:
		links := cast.List(expected.Value()["links"])
		n := 0
		for _, r := range number {
			n = n*10 + int(r-'0')
		}
		more["url"], more["url_offset"] = links[n%len(links)], map[string]any{"index": int64(n % len(links)), "type": "html"}
		c.counted(record, "clicks_count", "clicks", "unique_clicks")
		c.happen(record, "click", "delivered", more)
	case leaveTimer:
		c.leave(record, expected.Value()["unsubscribe"], more)
	}
}

// counted counts an open or a click: of the mail, and of the day.
func (c *call) counted(record *world.Record, field, metric, unique string) {
	old, _ := c.get(messages, record.ID)
	value := maps.Clone(old.Value())
	n := cast.Int(value[field])
	value[field] = n + 1
	c.fake.store.Update(c.Tx, messages, record.ID, value)
	activity.Note(c.Tx, record.ID, old.Value(), c.Now)
	c.bumpFor(value, metric, 1)
	if n == 0 {
		c.bumpFor(value, unique, 1)
	}
}

// leave unsubscribes the owner of an address from all mail, or from the group
// of the mail where it is of one.
func (c *call) leave(record *world.Record, how any, more map[string]any) {
	email := cast.Text(record.Value()["to_email"])
	id := strings.ToLower(email)
	if group, given := record.Value()["asm_group_id"].(int64); given && how == "group" {
		key := groupMember(group, id)
		c.put(groupSuppressions, key, map[string]any{"id": key, "group_id": group, "email": id, "created_at": c.Now.Unix()})
		c.happen(record, "group_unsubscribe", "delivered", more)
	} else {
		c.put(unsubscribes, id, map[string]any{"id": id, "created": c.Now.Unix(), "email": email})
		c.happen(record, "unsubscribe", "delivered", nil)
	}
	c.bumpFor(record.Value(), "unsubscribes", 1)
}
