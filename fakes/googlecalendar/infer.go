package googlecalendar

import (
	"encoding/json"
	"maps"
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Infer puts in what a write of a recording takes for granted: whose calendar
// it goes to, in which zone that is, under which other address it is known, and
// the event that is deleted.
func (f *Fake) Infer(fc *fakes.Call, status int, body []byte, made map[string]bool) {
	c := &call{Call: fc, fake: f, zones: map[string]*time.Location{}}
	path, id := fc.Input.Path["calendarId"], fc.Input.Path["eventId"]
	if status == http.StatusNoContent && fc.Operation.ID == "calendar.events.delete" && !made[id] {
		c.inferEvent(path, id)
		return
	}
	var decoded map[string]any
	if status != http.StatusOK || json.Unmarshal(body, &decoded) != nil {
		return
	}
	event, ok := world.Normalise(decoded).(map[string]any)
	if !ok || kit.Text(event, "kind") != "calendar#event" {
		return
	}
	organizer, _ := event["organizer"].(map[string]any)
	email := kit.Text(organizer, "email")
	seen := map[string]any{"id": email}
	if name := kit.Text(organizer, "displayName"); name != "" {
		seen["summary"] = name
	}
	switch {
	case fc.Operation.ID == "calendar.events.move" && email != "":
		c.learn(c.query("destination"), seen)
		return
	case fc.Operation.ID == "calendar.events.insert" || fc.Operation.ID == "calendar.events.quickAdd":
		c.become(kit.Text(event, "creator.email")) // whoever calls
	}
	if organizer["self"] == true && email != "" {
		c.learn(path, seen)
	}
	if calendar, refused := c.calendar(path); refused == nil {
		c.inferZone(calendar, event)
		c.inferReminders(calendar, event)
	}
}

// inferEvent makes an event of which nothing is known but that it was there.
// No list shows it.
func (c *call) inferEvent(path, id string) {
	calendar, refused := c.calendar(path)
	if refused != nil || id == "" {
		return
	}
	if _, refused := c.event(calendar, id); refused == nil {
		return
	}
	value := c.completed(calendar, map[string]any{"id": id, "unlisted": true})
	if c.sound(events, value) {
		c.put(events, c.keyOf(kit.Text(calendar, "id"), id), value)
	}
}

// inferZone takes a calendar to be in the zone of an event that is shown as
// clocks there show it, unless its zone was read.
func (c *call) inferZone(calendar, event map[string]any) {
	if cast.Object(calendar["seen"])["timeZone"] == true {
		return
	}
	for _, field := range []string{"start", "end"} {
		shown := kit.Text(event, field+".dateTime")
		zone, ok := c.zone(kit.Text(event, field+".timeZone"))
		at, err := time.Parse(time.RFC3339, shown)
		if ok && err == nil && at.In(zone).Format(time.RFC3339) == shown {
			c.settle(kit.Text(calendar, "id"), map[string]any{"timeZone": zone.String()})
			return
		}
	}
}

// inferReminders takes a calendar to remind as an event of whole days is
// reminded of, of which the client said nothing.
func (c *call) inferReminders(calendar, event map[string]any) {
	id := kit.Text(calendar, "id")
	entry, ok := c.get(entries, id)
	reminders, _ := event["reminders"].(map[string]any)
	if !ok || entry["stamp"] != epoch().UnixMicro() || c.Input.Body["reminders"] != nil || kit.Text(event, "start.date") == "" {
		return
	}
	value := maps.Clone(entry)
	value["defaultReminders"] = []any{}
	if overrides := cast.List(reminders["overrides"]); overrides != nil {
		value["defaultReminders"] = overrides
	}
	if c.sound(entries, value) {
		c.put(entries, id, value)
	}
}
