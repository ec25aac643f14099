package googlecalendar

import (
	"maps"
	"net/http"
	"strings"
	"time"

	"parity/fakes/kit"
)

func getEvent(c *call, calendar map[string]any) (answer, *refusal) {
	event, refused := c.event(calendar, c.Input.Path["eventId"])
	if refused != nil {
		return answer{}, refused
	}
	in, refused := c.viewed(calendar)
	if refused != nil {
		return answer{}, refused
	}
	return one(c.shownEvent(calendar, event, in))
}

func insertEvent(c *call, calendar map[string]any) (answer, *refusal) {
	id, refused := c.newID(calendar)
	if refused != nil {
		return answer{}, refused
	}
	return c.create(calendar, id, kit.Text(c.Input.Body, "iCalUID"))
}

// newID is the id of a new event: the client's own, or one that is made up.
// Source: the description of events.id: base32hex, 5 to 1024 characters.
func (c *call) newID(calendar map[string]any) (string, *refusal) {
	id := kit.Text(c.Input.Body, "id")
	if id == "" {
		return c.base32(26), nil
	}
	if len(id) < 5 || len(id) > 1024 || strings.Trim(id, "0123456789abcdefghijklmnopqrstuv") != "" {
		return "", invalid("Invalid resource id value.")
	}
	c.adopt(calendar)
	of := kit.Text(calendar, "id")
	if known, ok := c.get(events, c.keyOf(of, id)); ok && calendarOf(known) == of {
		return "", duplicate()
	}
	return id, nil
}

// base32 makes up characters of base32hex.
func (c *call) base32(n int) string {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	made := []byte(c.NewID("", n))
	for i, b := range made {
		made[i] = digits[int(b)%len(digits)]
	}
	return string(made)
}

// create makes an event of a call's body.
func (c *call) create(calendar map[string]any, id, uid string) (answer, *refusal) {
	of := kit.Text(calendar, "id")
	if uid == "" {
		uid = id + "@google.com"
	}
	draft := c.drafted(map[string]any{
		"kind": "calendar#event", "id": id, "created": seconds(c.Now), "sequence": int64(0), "iCalUID": uid, "eventType": "default",
		"creator": map[string]any{"email": c.user()}, "organizer": map[string]any{"email": of},
	}, c.Input.Body, false)
	if kind := kit.Text(c.Input.Body, "eventType"); kind != "" {
		draft["eventType"] = kind
	}
	if sequence, ok := c.Input.Body["sequence"].(int64); ok && sequence > 0 {
		draft["sequence"] = sequence
	}
	start, end, refused := c.checked(calendar, draft)
	if refused != nil {
		return answer{}, refused
	}
	if refused = c.confer(draft); refused == nil {
		refused = c.proper(events, draft)
	}
	if refused != nil {
		return answer{}, refused
	}
	event := c.save(calendar, draft, start, end)
	c.invite(calendar, nil, event)
	return one(c.shownEvent(calendar, event, c.zoneOf(calendar)))
}

// save writes an event as it is from now on, and the copies of its guests.
func (c *call) save(calendar, value map[string]any, start, end moment) map[string]any {
	before, _ := c.get(events, c.keyOf(kit.Text(calendar, "id"), kit.Text(value, "id")))
	saved := c.store(calendar, value, start, end)
	c.copied(calendar, before, saved)
	return saved
}

// store writes an event of one calendar, and tells who watches that.
func (c *call) store(calendar, value map[string]any, start, end moment) map[string]any {
	of, id := kit.Text(calendar, "id"), kit.Text(value, "id")
	stamp := c.stir(of, c.Now)
	value["etag"], value["updated"] = etagOf(stamp), millis(time.UnixMicro(stamp))
	indexed(of, value, start, end, stamp)
	record := c.put(events, c.keyOf(of, id), value)
	c.notify("/calendars/" + of + "/events")
	return record.Value()
}

func updateEvent(c *call) (answer, *refusal) { return c.change(true) }
func patchEvent(c *call) (answer, *refusal)  { return c.change(false) }

// change writes an event, or an instance, which becomes an exception.
func (c *call) change(replaces bool) (answer, *refusal) {
	calendar, refused := c.reachable("writer")
	if refused != nil {
		return answer{}, refused
	}
	old, refused := c.event(calendar, c.Input.Path["eventId"])
	if refused == nil {
		refused = c.matched(kit.Text(old, "etag"))
	}
	if refused == nil {
		refused = c.guest(calendar, old)
	}
	if refused != nil {
		return answer{}, refused
	}
	draft := c.drafted(old, c.Input.Body, replaces)
	start, end, refused := c.checked(calendar, draft)
	if refused == nil {
		refused = c.sequenced(old, draft)
	}
	if refused == nil {
		refused = c.confer(draft)
	}
	if refused == nil {
		refused = c.proper(events, draft)
	}
	if refused != nil {
		return answer{}, refused
	}
	delete(draft, "bare")
	event := c.save(calendar, draft, start, end)
	c.spread(calendar, old, event)
	if c.foreign(calendar, old) {
		event = c.answered(calendar, old, event)
	} else {
		c.invite(calendar, old, event)
	}
	return one(c.shownEvent(calendar, event, c.zoneOf(calendar)))
}

// guest keeps an attendee from what only the organizer may set.
func (c *call) guest(calendar, event map[string]any) *refusal {
	if kit.Text(event, "organizer.email") == kit.Text(calendar, "id") || event["guestsCanModify"] == true {
		return nil
	}
	for field, usual := range map[string]bool{"guestsCanInviteOthers": true, "guestsCanModify": false, "guestsCanSeeOtherGuests": true} {
		is := usual
		if set, ok := event[field].(bool); ok {
			is = set
		}
		if wanted, ok := c.Input.Body[field].(bool); ok && wanted != is {
			r := refused(http.StatusForbidden, "forbiddenForNonOrganizer", "Shared properties can only be changed by the organizer of the event.")
			r.domain = ofCalendar
			return r
		}
	}
	return nil
}

// sequenced counts a change of when an event is. A client that knows an older
// one is refused.
func (c *call) sequenced(old, draft map[string]any) *refusal {
	before, _ := old["sequence"].(int64)
	after := before
	for _, field := range []string{"start", "end", "recurrence"} {
		if !kit.Same(old[field], draft[field]) {
			after = before + 1
		}
	}
	if sent, ok := c.Input.Body["sequence"].(int64); ok {
		if sent < before {
			return invalid("Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.")
		}
		after = max(after, sent)
	}
	draft["sequence"] = after
	return nil
}

func deleteEvent(c *call, calendar map[string]any) (answer, *refusal) {
	event, refused := c.event(calendar, c.Input.Path["eventId"])
	if refused == nil {
		refused = c.matched(kit.Text(event, "etag"))
	}
	if refused != nil {
		return answer{}, refused
	}
	if event["status"] == cancelled {
		return answer{}, gone()
	}
	c.cancel(calendar, event)
	for _, exception := range c.exceptions(calendar, kit.Text(event, "id")) {
		if exception["status"] != cancelled {
			c.cancel(calendar, exception)
		}
	}
	if c.foreign(calendar, event) {
		c.decline(calendar, event)
	} else {
		c.invite(calendar, event, nil)
	}
	return done()
}

// cancel marks an event as deleted: it stays, and can be read.
func (c *call) cancel(calendar, event map[string]any) {
	value := maps.Clone(event)
	value["status"] = cancelled
	in := c.zoneOf(calendar)
	start, _ := recorded(value["start"], in)
	end, _ := recorded(value["end"], in)
	c.save(calendar, value, start, end)
}

func moveEvent(c *call, from map[string]any) (answer, *refusal) {
	to, refused := c.calendar(c.query("destination"))
	if refused != nil {
		return answer{}, refused
	}
	event, refused := c.event(from, c.Input.Path["eventId"])
	if refused != nil {
		return answer{}, refused
	}
	source, target := kit.Text(from, "id"), kit.Text(to, "id")
	switch {
	case rank(c.role(target)) < rank("writer"):
		return answer{}, lowAccess("writer")
	case event["status"] == cancelled:
		return answer{}, gone()
	case kit.Text(event, "organizer.email") != source:
		r := refused403("cannotChangeOrganizer", "Cannot change the organizer of an event that is organized elsewhere.")
		return answer{}, r
	case event["recurringEventId"] != nil:
		return answer{}, refused403("cannotChangeOrganizerOfInstance", "Cannot change the organizer of an instance.")
	case source == target:
		return one(c.shownEvent(from, event, c.zoneOf(from)))
	}
	in := c.zoneOf(from)
	start, _ := recorded(event["start"], in)
	end, _ := recorded(event["end"], in)
	moved := maps.Clone(event)
	moved["organizer"] = map[string]any{"email": target}
	left := maps.Clone(event)
	left["status"], left["bare"] = cancelled, true
	c.save(from, left, start, end)
	for _, exception := range c.exceptions(from, kit.Text(event, "id")) {
		c.take(from, to, exception)
	}
	c.save(to, moved, start, end)
	c.invite(to, event, moved)
	// The reply shows the event as the source has it, before it forgets, as recorded.
	told := maps.Clone(event)
	told["status"], told["organizer"] = cancelled, map[string]any{"email": target}
	return one(c.shownEvent(from, told, in))
}

// take moves an exception after its series.
func (c *call) take(from, to, exception map[string]any) {
	in := c.zoneOf(from)
	start, _ := recorded(exception["start"], in)
	end, _ := recorded(exception["end"], in)
	moved := maps.Clone(exception)
	moved["organizer"] = map[string]any{"email": kit.Text(to, "id")}
	c.fake.store.Delete(c.Tx, events, c.keyOf(kit.Text(from, "id"), kit.Text(exception, "id")))
	c.save(to, moved, start, end)
}

func refused403(reason, message string) *refusal {
	r := refused(http.StatusForbidden, reason, message)
	r.domain = ofCalendar
	return r
}

func importEvent(c *call, calendar map[string]any) (answer, *refusal) {
	uid := kit.Text(c.Input.Body, "iCalUID")
	if uid == "" {
		return answer{}, missing("Missing iCal UID.")
	}
	c.adopt(calendar)
	c.quiet = true
	of := kit.Text(calendar, "id")
	for record := range c.fake.store.Find(c.Tx, events, "uid", uid) {
		if calendarOf(record.Value()) == of && record.Value()["recurringEventId"] == nil {
			return c.again(calendar, record.Value())
		}
	}
	answer, refused := c.create(calendar, "_"+c.base32(26), uid)
	if refused != nil {
		return answer, refused
	}
	return c.organized(calendar, answer)
}

// again imports an event that is there already.
func (c *call) again(calendar, old map[string]any) (answer, *refusal) {
	draft := c.drafted(old, c.Input.Body, true)
	start, end, refused := c.checked(calendar, draft)
	if refused == nil {
		refused = c.sequenced(old, draft)
	}
	if refused == nil {
		refused = c.proper(events, draft)
	}
	if refused != nil {
		return answer{}, refused
	}
	return one(c.shownEvent(calendar, c.save(calendar, draft, start, end), c.zoneOf(calendar)))
}

// organized gives an imported event the organizer that it came with.
func (c *call) organized(calendar map[string]any, a answer) (answer, *refusal) {
	organizer, _ := c.Input.Body["organizer"].(map[string]any)
	email := kit.Text(organizer, "email")
	of, id := kit.Text(calendar, "id"), kit.Text(a.value, "id")
	event, ok := c.get(events, c.keyOf(of, id))
	if email == "" || !ok {
		return a, nil
	}
	value := maps.Clone(event)
	value["organizer"] = texts(only(organizer, "email", "displayName"))
	if email != of {
		value["privateCopy"] = true
	}
	record := c.put(events, c.keyOf(of, id), value)
	return one(c.shownEvent(calendar, record.Value(), c.zoneOf(calendar)))
}
