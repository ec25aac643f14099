package googlecalendar

import (
	"encoding/base64"
	"maps"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

const (
	confirmed   = "confirmed"
	cancelled   = "cancelled"
	needsAction = "needsAction"
	// longest is how long an event may take that is found by when it begins;
	// longer ones, and those that recur, are looked at each time.
	longest = 31 * day
)

// unseen are the fields of a record that the API does not have.
func unseen() []string {
	return []string{"calendar", "calendarId", "from", "stamp", "long", "series", "uid", "bare", "unlisted"}
}

// keyOf is an event's id in the world: its own, unless an event of another
// calendar has that already.
func (c *call) keyOf(calendar, id string) string {
	if known, ok := c.get(events, id); !ok || calendarOf(known) == calendar {
		return id
	}
	return id + "@" + calendar
}

func calendarOf(event map[string]any) string {
	if of, ok := event["calendarId"].(string); ok {
		return of
	}
	return kit.Text(event, "calendar")
}

// event finds an event of a calendar: a record, or an instance that follows
// from one.
func (c *call) event(calendar map[string]any, id string) (map[string]any, *refusal) {
	c.adopt(calendar)
	of := kit.Text(calendar, "id")
	if known, ok := c.get(events, c.keyOf(of, id)); ok && calendarOf(known) == of {
		return known, nil
	}
	if instance, ok := c.derived(calendar, id); ok {
		return instance, nil
	}
	return nil, notFound()
}

// instantOf reads an instant of a record.
func instantOf(value map[string]any, field string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, kit.Text(value, field))
	if err != nil {
		return epoch()
	}
	return at.UTC()
}

// completed fills in what an event of the real service always has.
func (c *call) completed(calendar, event map[string]any) map[string]any {
	id, of := kit.Text(event, "id"), kit.Text(calendar, "id")
	value := maps.Clone(event)
	maker := c.user()
	if _, lives := c.resident(of); lives {
		maker = of
	}
	made := instantOf(event, "created")
	if event["created"] == nil && event["updated"] != nil {
		made = instantOf(event, "updated")
	}
	for field, otherwise := range map[string]any{
		"kind": "calendar#event", "status": confirmed, "created": seconds(made), "updated": millis(made), "sequence": int64(0),
		"creator": map[string]any{"email": maker}, "organizer": map[string]any{"email": of}, "iCalUID": id + "@google.com", "eventType": "default",
	} {
		if value[field] == nil {
			value[field] = otherwise
		}
	}
	unanswered(value)
	stamp := instantOf(value, "updated").UnixMicro()
	if value["etag"] == nil {
		value["etag"] = etagOf(stamp)
	}
	in := c.zoneOf(calendar)
	start, ok := recorded(value["start"], in)
	if !ok {
		start = moment{at: made.Truncate(time.Hour), zone: kit.Text(calendar, "timeZone")}
	}
	end, ok := recorded(value["end"], in)
	if !ok || end.at.Before(start.at) || (end.day == "") != (start.day == "") {
		end = start.shifted(start.at, time.Hour)
		if start.day != "" {
			end = start.shifted(start.at, day)
		}
	}
	value["start"], value["end"] = start.kept(), end.kept()
	if value["reminders"] == nil {
		value["reminders"] = c.reminders(of, start.day != "")
	}
	return indexed(of, value, start, end, stamp)
}

// unanswered says of guests who are not said to have answered that they have
// not.
func unanswered(value map[string]any) {
	guests := cast.List(value["attendees"])
	if len(guests) == 0 {
		return
	}
	all := make([]any, len(guests))
	for i, item := range guests {
		all[i] = item
		if guest := maps.Clone(cast.Object(item)); guest != nil && guest["responseStatus"] == nil {
			guest["responseStatus"] = needsAction
			all[i] = guest
		}
	}
	value["attendees"] = all
}

// indexed gives a record the fields by which it is found.
func indexed(calendar string, value map[string]any, start, end moment, stamp int64) map[string]any {
	delete(value, "calendar")
	value["calendarId"], value["from"], value["stamp"], value["uid"] = calendar, start.at.Unix(), stamp, value["iCalUID"]
	delete(value, "long")
	if value["recurrence"] != nil || end.at.Sub(start.at) > longest {
		value["long"] = calendar
	}
	if master := kit.Text(value, "recurringEventId"); master != "" {
		value["series"] = calendar + "/" + master
	}
	return value
}

// link is where an event is shown in the browser.
func link(calendar, id string) string {
	calendar = strings.Replace(strings.Replace(calendar, groupHost, "@g", 1), "@gmail.com", "@m", 1)
	return "https://www.google.com/calendar/event?eid=" + base64.RawURLEncoding.EncodeToString([]byte(id+" "+calendar))
}

// shownEvent is an event as a reply has it.
func (c *call) shownEvent(calendar, event map[string]any, in *time.Location) map[string]any {
	of := kit.Text(calendar, "id")
	out := shown(event, unseen()...)
	for _, field := range []string{"start", "end", "originalStartTime"} {
		if at, ok := recorded(event[field], c.zoneOf(calendar)); ok {
			out[field] = at.shown(in)
		}
	}
	id := kit.Text(event, "id")
	if event["bare"] == true {
		return c.left(calendar, event)
	}
	if event["status"] == cancelled && event["recurringEventId"] != nil {
		return only(out, "kind", "etag", "id", "status", "recurringEventId", "originalStartTime")
	}
	if c.role(of) == "freeBusyReader" || event["visibility"] == "private" && rank(c.role(of)) < rank("writer") {
		hidden := only(out, "kind", "etag", "id", "status", "htmlLink", "created", "updated", "start", "end", "iCalUID", "sequence", "recurringEventId", "originalStartTime", "eventType")
		hidden["visibility"], hidden["htmlLink"] = "private", link(of, id)
		return hidden
	}
	out["htmlLink"] = link(of, id)
	organizer := kit.Text(event, "organizer.email")
	out["creator"] = c.person(event["creator"], of)
	out["organizer"] = c.person(event["organizer"], of)
	if attendees, ok := event["attendees"].([]any); ok {
		c.showAttendees(out, attendees, of, organizer)
	}
	return out
}

// left is what an event leaves where it was moved away from, as recorded.
func (c *call) left(calendar, event map[string]any) map[string]any {
	nowhere := func(day string) map[string]any {
		return map[string]any{"dateTime": day + "T00:00:00Z", "timeZone": utc}
	}
	return map[string]any{
		"kind": "calendar#event", "etag": event["etag"], "id": event["id"], "status": cancelled, "updated": event["updated"],
		"htmlLink": link(kit.Text(calendar, "id"), kit.Text(event, "id")), "start": nowhere("2000-01-01"), "end": nowhere("2000-01-02"),
		"transparency": "transparent", "iCalUID": event["iCalUID"],
	}
}

func only(value map[string]any, fields ...string) map[string]any {
	out := make(map[string]any, len(fields))
	for _, field := range fields {
		if kept, ok := value[field]; ok {
			out[field] = kept
		}
	}
	return out
}

// person shows whoever made or organises an event. Secondary calendars have
// names of their own.
func (c *call) person(value any, of string) map[string]any {
	person, _ := value.(map[string]any)
	out := maps.Clone(person)
	if out == nil {
		out = map[string]any{}
	}
	email := kit.Text(person, "email")
	if email == of {
		out["self"] = true
	}
	if out["displayName"] == nil && strings.HasSuffix(email, groupHost) {
		if calendar, ok := c.get(calendars, email); ok && kit.Text(calendar, "summary") != "" {
			out["displayName"] = calendar["summary"]
		}
	}
	return out
}

func (c *call) showAttendees(out map[string]any, attendees []any, of, organizer string) {
	all := make([]any, 0, len(attendees))
	c.Spend(2 * len(attendees)) // each event and each instance has them for itself
	for _, attendee := range attendees {
		one, _ := attendee.(map[string]any)
		copied := maps.Clone(one)
		email := kit.Text(one, "email")
		if strings.EqualFold(email, organizer) {
			copied["organizer"] = true
		}
		if strings.EqualFold(email, of) {
			copied["self"] = true
		}
		all = append(all, copied)
	}
	veiled := out["guestsCanSeeOtherGuests"] == false && of != organizer
	if most := c.count("maxAttendees", len(all)); len(all) > most || veiled {
		kept := all[:0:0]
		for _, item := range all {
			if one := item.(map[string]any); one["self"] == true || veiled && one["organizer"] == true {
				kept = append(kept, item)
			}
		}
		all, out["attendeesOmitted"] = kept, true
	}
	out["attendees"] = all
	if len(all) == 0 {
		delete(out, "attendees")
	}
}

// reminders are those of an event that says none: the calendar's own, which for
// a whole day are written out, as recorded.
func (c *call) reminders(calendar string, allDay bool) map[string]any {
	if !allDay {
		return map[string]any{"useDefault": true}
	}
	value := map[string]any{"useDefault": false}
	if defaults := c.defaultReminders(calendar); len(defaults) > 0 {
		value["overrides"] = defaults
	}
	return value
}

func (c *call) defaultReminders(calendar string) []any {
	entry, ok := c.listed(calendar)
	if !ok {
		entry, _ = c.get(entries, c.entryKey(calendar, calendar)) // of whose primary calendar it is
	}
	if reminders, ok := entry["defaultReminders"].([]any); ok {
		return reminders
	}
	return []any{}
}

// stir notes that an event of a calendar changed, and gives the instant of the
// change in microseconds: later than any before, whatever the clock does, so
// that no sync token misses one.
func (c *call) stir(id string, at time.Time) int64 {
	calendar, ok := c.get(calendars, id)
	if !ok {
		return at.UnixMicro()
	}
	stamp := max(at.UnixMicro(), cast.Int(calendar["stamp"])+1)
	value := maps.Clone(calendar)
	value["stamp"], value["updated"] = stamp, millis(time.UnixMicro(stamp))
	c.fake.store.Update(c.Tx, calendars, id, value)
	return stamp
}
