package googlecalendar

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
)

// Subject names the record that a call is about. An instance that follows from
// a recurring event is none; nor is what was cancelled.
func (f *Fake) Subject(fc *fakes.Call) (collection, id string) {
	c := f.on(fc)
	path, kind := c.Input.Path, c.Operation.Anatomy.Collection
	switch {
	case kind == "settings" && path["setting"] != "":
		return c.there("settings", path["setting"])
	case kind == "calendar_list" && path["calendarId"] != "":
		entry, refused := c.entry(path["calendarId"])
		if refused != nil {
			return "", ""
		}
		return c.there(entries, kit.Text(entry, "id"))
	case path["calendarId"] == "":
		return "", ""
	}
	calendar, refused := c.calendar(path["calendarId"])
	if refused != nil {
		return "", ""
	}
	of := kit.Text(calendar, "id")
	switch {
	case path["eventId"] != "":
		key := c.keyOf(of, path["eventId"])
		event, ok := c.get(events, key)
		if in := calendarOf(event); !ok || in != of && (in != primary || of != c.first()) || event["status"] == cancelled {
			return "", ""
		}
		return f.store.Full(events), key
	case path["ruleId"] != "":
		return c.there(rules, of+"/"+path["ruleId"])
	case strings.HasSuffix(c.Operation.Path, "/calendars/{calendarId}"), strings.HasSuffix(c.Operation.Path, "/clear"):
		return c.there(calendars, of)
	}
	return "", ""
}

func (c *call) there(collection, id string) (string, string) {
	if value, ok := c.get(collection, id); !ok || value["deleted"] == true || value["role"] == "none" {
		return "", ""
	}
	return c.fake.store.Full(collection), id
}

// on is a call as handlers have it. It has no body: what its client sends is
// not what somebody else does.
func (f *Fake) on(fc *fakes.Call) *call {
	own := *fc
	own.Input.Body = nil
	return &call{Call: &own, fake: f, zones: map[string]*time.Location{}}
}

// Edit changes a record, with its etag. Guests are not told.
func (f *Fake) Edit(fc *fakes.Call, collection, id string, set map[string]any) error {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := f.on(fc)
	value, err := f.store.Laid(short, record, set)
	if err != nil {
		return err
	}
	if short != events {
		c.restamp(short, value)
		if err := f.store.Fits(short, id, value); err != nil {
			return err
		}
		f.store.Update(c.Tx, short, id, value)
		return nil
	}
	calendar, old, err := c.located(record.Value())
	if err != nil {
		return err
	}
	value = kit.Edited(old, set)
	if err := f.store.Fits(short, id, value); err != nil {
		return err
	}
	start, end, refused := c.checked(calendar, value)
	if refused == nil {
		refused = c.sequenced(old, value)
	}
	if refused != nil {
		return fmt.Errorf("googlecalendar event %s: %s", id, refused.message)
	}
	c.save(calendar, value, start, end)
	return nil
}

// located gives the calendar of an event, and the event as the service has it.
func (c *call) located(event map[string]any) (calendar, completed map[string]any, err error) {
	calendar, refused := c.calendar(calendarOf(event))
	if refused != nil {
		return nil, nil, fmt.Errorf("googlecalendar: the calendar of event %s is not there", kit.Text(event, "id"))
	}
	if event["calendarId"] == nil {
		event = c.completed(calendar, event)
	}
	return calendar, event, nil
}

// restamp moves along what tells one state of a record from the next.
func (c *call) restamp(collection string, value map[string]any) {
	switch collection {
	case calendars:
		value["etag"], value["updated"] = digest(value), millis(c.Now)
	default:
		stamp := max(c.Now.UnixMicro(), c.newest(collection)+1)
		value["etag"], value["stamp"] = stampTag(stamp), stamp
	}
}

// Remove deletes a record as Google does: it stays, and says that it is gone.
func (f *Fake) Remove(fc *fakes.Call, collection, id string) error {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := f.on(fc)
	value := maps.Clone(record.Value())
	switch short {
	case events:
		calendar, event, err := c.located(record.Value())
		if err != nil {
			return err
		}
		c.cancel(calendar, event)
		for _, exception := range c.exceptions(calendar, kit.Text(event, "id")) {
			if exception["status"] != cancelled {
				c.cancel(calendar, exception)
			}
		}
		return nil
	case calendars:
		if _, lives := c.resident(id); lives || id == c.user() {
			return fmt.Errorf("googlecalendar: the primary calendar of a user is not deleted")
		}
		c.empty(record.Value())
		now, _ := c.get(calendars, id)
		value = maps.Clone(now)
		value["deleted"] = true
		c.forget(id)
	case entries:
		c.unlist(id, record.Value())
		return nil
	case rules:
		value["role"] = "none"
		c.restamp(short, value)
	default:
		return fmt.Errorf("googlecalendar deletes no %s", short)
	}
	c.put(short, id, value)
	return nil
}

// Copy makes another event like one there is. There is one of all else.
func (f *Fake) Copy(fc *fakes.Call, collection, id string) (string, error) {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return "", err
	}
	if short != events {
		return "", fmt.Errorf("googlecalendar %s %s: there is one of it", short, id)
	}
	c := f.on(fc)
	calendar, event, err := c.located(record.Value())
	if err != nil {
		return "", err
	}
	value := maps.Clone(event)
	fresh := c.base32(26)
	value["id"], value["iCalUID"], value["created"], value["sequence"] = fresh, fresh+"@google.com", seconds(c.Now), int64(0)
	for _, field := range []string{"recurringEventId", "originalStartTime", "series", "htmlLink", "conferenceData", "hangoutLink"} {
		delete(value, field)
	}
	in := c.zoneOf(calendar)
	start, _ := recorded(value["start"], in)
	end, _ := recorded(value["end"], in)
	c.save(calendar, value, start, end)
	return c.keyOf(kit.Text(calendar, "id"), fresh), nil
}
