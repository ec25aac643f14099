package googlecalendar

import (
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// may tells whether a record may be of this list, without decoding it.
func (l *listing) may(record *world.Record) bool {
	of, ok := record.At("calendarId").(string)
	if !ok {
		of = cast.Text(record.At("calendar"))
	}
	if of != l.of || l.after != "" { // which marks the place, whatever it says
		return of == l.of
	}
	for word := range strings.FieldsSeq(l.text) {
		if !record.Says(strings.Trim(word, `"`)) {
			return false
		}
	}
	return true
}

// keeps holds one event against what is asked for.
func (l *listing) keeps(event map[string]any) bool {
	if event["unlisted"] == true {
		return false
	}
	if l.after != "" && event["id"] == l.after && l.order != "updated" {
		return true // it marks the place, whatever has become of it; it is not shown again
	}
	if event["status"] == cancelled && !l.deleted && l.since == 0 && (l.single || event["recurringEventId"] == nil) {
		return false
	}
	if len(l.kinds) > 0 && !slices.Contains(l.kinds, event["eventType"]) {
		return false
	}
	return l.within(event) && l.says(event) && l.tagged(event)
}

// within tells whether an event meets the window. A series does from its first
// instance to its last.
func (l *listing) within(event map[string]any) bool {
	if l.min.IsZero() && l.max.IsZero() {
		return true
	}
	in := l.call.zoneOf(l.calendar)
	start, _ := recorded(event["start"], in)
	end, _ := recorded(event["end"], in)
	if start.day != "" && start.day == end.day {
		end.at = start.at.AddDate(0, 0, 1) // the one day all the same
	}
	if !l.max.IsZero() && !start.at.Before(l.max) {
		return false
	}
	if l.min.IsZero() {
		return true
	}
	if event["recurrence"] != nil {
		if s, ok := l.call.seriesOf(l.calendar, event); ok {
			last, ends := s.ends()
			return !ends || last.After(l.min)
		}
	}
	return end.at.After(l.min) || end.at.Equal(start.at) && end.at.Equal(l.min)
}

// says looks for each word of q in what an event says.
// Source: the description of q.
func (l *listing) says(event map[string]any) bool {
	if l.text == "" {
		return true
	}
	for word := range strings.FieldsSeq(l.text) {
		if !mentions(event, strings.Trim(word, `"`)) {
			return false
		}
	}
	return true
}

// mentions tells whether a word, in small letters, is in what an event says.
func mentions(event map[string]any, word string) bool {
	in := func(value map[string]any, fields ...string) bool {
		for _, field := range fields {
			if text, ok := value[field].(string); ok && strings.Contains(strings.ToLower(text), word) {
				return true
			}
		}
		return false
	}
	if in(event, "summary", "description", "location") {
		return true
	}
	if in(cast.Object(event["organizer"]), "email", "displayName") {
		return true
	}
	for _, attendee := range cast.List(event["attendees"]) {
		if one, _ := attendee.(map[string]any); in(one, "email", "displayName") {
			return true
		}
	}
	return false
}

// tagged holds an event's extended properties against those asked for.
func (l *listing) tagged(event map[string]any) bool {
	for parameter, kind := range map[string]string{"privateExtendedProperty": "private", "sharedExtendedProperty": "shared"} {
		properties, _ := cast.Object(event["extendedProperties"])[kind].(map[string]any)
		for _, wanted := range cast.List(l.call.Input.Query[parameter]) {
			field, value, _ := strings.Cut(cast.Text(wanted), "=")
			if has, ok := properties[field].(string); !ok || has != value {
				return false
			}
		}
	}
	return true
}
