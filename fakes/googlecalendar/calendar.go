package googlecalendar

import (
	"maps"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
)

func getCalendar(c *call, calendar map[string]any) (answer, *refusal) {
	return one(shown(calendar, "updated", "stamp", "deleted", "seen", "busy"))
}

func insertCalendar(c *call) (answer, *refusal) {
	summary := kit.Text(c.Input.Body, "summary")
	if summary == "" {
		return answer{}, missing("Missing title.")
	}
	id := c.NewID("c_", 64)
	if !strings.Contains(id, "@") {
		id = "c_" + strings.ToLower(id[2:]) + groupHost
	}
	value := map[string]any{"kind": "calendar#calendar", "id": id, "timeZone": utc, "conferenceProperties": meets(), "updated": millis(c.Now), "stamp": c.Now.UnixMicro(), "dataOwner": c.user()}
	if refused := c.describe(value, c.Input.Body); refused != nil {
		return answer{}, refused
	}
	c.owned(id, value)
	c.notify(c.mine("/users/me/calendarList"))
	return one(shown(value, "updated", "stamp", "seen", "busy"))
}

// owned writes a new calendar, with its owner. A fixture may make one of
// somebody else's; its own are whosoever's the world turns out to be.
func (c *call) owned(id string, value map[string]any) {
	owner := c.user()
	if c.Identity == fakes.Fixture {
		delete(value, "dataOwner")
		owner = kit.Text(c.Input.Body, "dataOwner")
	}
	if owner != "" {
		value["dataOwner"] = owner
		stamp := c.Now.UnixMicro()
		c.put(rules, id+"/user:"+owner, ruleOf(id, "owner", map[string]any{"type": "user", "value": owner}, stamp))
	}
	c.put(calendars, id, value)
	switch {
	case c.Identity != fakes.Fixture:
		c.list(id, map[string]any{"selected": true})
	case owner == "":
		c.list(id, map[string]any{"accessRole": "owner", "selected": true})
	}
}

// describe lays what a client says of a calendar over it.
func (c *call) describe(calendar, body map[string]any) *refusal {
	for _, field := range []string{"summary", "description", "location", "timeZone"} {
		said, ok := body[field]
		if !ok {
			continue
		}
		text, _ := said.(string)
		switch {
		case field == "timeZone" && text != "":
			if _, known := c.zone(text); !known {
				return invalid("Invalid time zone.")
			}
			calendar[field] = text
		case text != "":
			calendar[field] = text
		case field == "description" || field == "location":
			delete(calendar, field)
		}
	}
	calendar["etag"] = digest(calendar)
	return nil
}

func updateCalendar(c *call) (answer, *refusal) {
	calendar, refused := c.reachable("writer")
	if refused == nil {
		refused = c.matched(kit.Text(calendar, "etag"))
	}
	if refused != nil {
		return answer{}, refused
	}
	value := maps.Clone(calendar)
	if c.Operation.Method == http.MethodPut {
		if kit.Text(c.Input.Body, "summary") == "" {
			return answer{}, missing("Missing title.")
		}
		delete(value, "description")
		delete(value, "location")
	}
	if refused := c.describe(value, c.Input.Body); refused != nil {
		return answer{}, refused
	}
	c.put(calendars, kit.Text(calendar, "id"), value)
	if entry, ok := c.listed(kit.Text(calendar, "id")); ok {
		c.list(kit.Text(calendar, "id"), shown(entry))
	}
	c.notify(c.mine("/users/me/calendarList"))
	return one(shown(value, "updated", "stamp", "deleted", "seen", "busy"))
}

func deleteCalendar(c *call) (answer, *refusal) {
	calendar, refused := c.reachable("owner")
	if refused == nil {
		refused = c.matched(kit.Text(calendar, "etag"))
	}
	if refused != nil {
		return answer{}, refused
	}
	id := kit.Text(calendar, "id")
	if id == c.user() {
		return answer{}, refused403("cannotDeletePrimaryCalendar", "The primary calendar of a user cannot be deleted; clear it instead.")
	}
	c.empty(calendar)
	value := maps.Clone(calendar)
	value["deleted"] = true
	c.put(calendars, id, value)
	c.forget(id)
	c.notify(c.mine("/users/me/calendarList"))
	return done()
}

func clearCalendar(c *call, calendar map[string]any) (answer, *refusal) {
	if kit.Text(calendar, "id") != c.user() {
		return answer{}, refused403("cannotClearSecondaryCalendar", "Only the primary calendar of a user can be cleared.")
	}
	c.empty(calendar)
	return done()
}

// empty deletes the events of a calendar.
func (c *call) empty(calendar map[string]any) {
	c.adopt(calendar)
	for record := range c.fake.store.Find(c.Tx, events, "calendarId", kit.Text(calendar, "id")) {
		if record.Value()["status"] != cancelled {
			c.cancel(calendar, record.Value())
		}
	}
}

// summaryOf is what the user calls a calendar.
func (c *call) summaryOf(id string, calendar map[string]any) string {
	if entry, ok := c.listed(id); ok && kit.Text(entry, "summaryOverride") != "" {
		return kit.Text(entry, "summaryOverride")
	}
	return kit.Text(calendar, "summary")
}

// list writes an entry of the list of calendars, and when it changed.
func (c *call) list(id string, entry map[string]any) map[string]any {
	before := int64(0)
	if old, ok := c.listed(id); ok {
		before, _ = old["stamp"].(int64)
	}
	stamp := max(c.Now.UnixMicro(), before+1, c.newest(entries)+1)
	entry["kind"], entry["id"], entry["stamp"] = "calendar#calendarListEntry", id, stamp
	entry["etag"] = stampTag(stamp)
	key := c.entryKey(c.user(), id)
	if key != id {
		entry["user"] = c.user()
	}
	return c.put(entries, key, entry).Value()
}
