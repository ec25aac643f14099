package googlecalendar

import (
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// mostCalendars is how many calendars one question may be about.
// Source: the description of calendarExpansionMax.
const mostCalendars = 50

func freeBusy(c *call) (answer, *refusal) {
	low, refused := c.bound("timeMin")
	if refused != nil {
		return answer{}, refused
	}
	high, refused := c.bound("timeMax")
	if refused != nil {
		return answer{}, refused
	}
	if !low.Before(high) {
		return answer{}, emptyRange()
	}
	in := time.UTC
	if asked := kit.Text(c.Input.Body, "timeZone"); asked != "" {
		zone, ok := c.zone(asked)
		if !ok {
			return answer{}, invalid("Invalid time zone.")
		}
		in = zone
	}
	found := map[string]any{}
	most := mostCalendars
	if asked, ok := c.Input.Body["calendarExpansionMax"].(int64); ok && asked > 0 {
		most = int(min(asked, mostCalendars))
	}
	for i, item := range cast.List(c.Input.Body["items"]) {
		id := kit.Text(cast.Object(item), "id")
		calendar, refused := c.calendar(id)
		switch {
		case i >= most:
			found[id] = map[string]any{"errors": []any{map[string]any{"domain": global, "reason": "tooManyCalendarsRequested"}}, "busy": []any{}}
		case refused != nil:
			found[id] = map[string]any{"errors": []any{map[string]any{"domain": global, "reason": "notFound"}}, "busy": []any{}}
		default:
			found[id] = map[string]any{"busy": c.busy(calendar, low, high, in)}
		}
	}
	return many(map[string]any{"kind": "calendar#freeBusy", "timeMin": millis(low), "timeMax": millis(high), "calendars": found})
}

// bound reads an instant of the question.
func (c *call) bound(field string) (time.Time, *refusal) {
	text := kit.Text(c.Input.Body, field)
	if text == "" {
		return time.Time{}, missing("Missing " + field + " parameter.")
	}
	at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
	if err != nil {
		return time.Time{}, badRequest()
	}
	return at, nil
}

// busy lists when a calendar is taken, what overlaps or touches as one.
func (c *call) busy(calendar map[string]any, low, high time.Time, in *time.Location) []any {
	type period struct{ start, end time.Time }
	c.adopt(calendar)
	l := &listing{call: c, calendar: calendar, of: kit.Text(calendar, "id"), single: true, min: low, max: high, order: "startTime", limit: 1 << 30}
	var taken []period
	zone := c.zoneOf(calendar)
	for _, event := range l.found() {
		start, _ := recorded(event["start"], zone)
		end, _ := recorded(event["end"], zone)
		if event["transparency"] == "transparent" || c.declined(event, l.of) || !start.at.Before(end.at) {
			continue
		}
		taken = append(taken, period{start.at, end.at})
	}
	for _, unseen := range cast.List(calendar["busy"]) {
		between, _ := unseen.(map[string]any)
		if start, end := instantOf(between, "start"), instantOf(between, "end"); start.Before(high) && end.After(low) {
			taken = append(taken, period{start, end})
		}
	}
	slices.SortFunc(taken, func(a, b period) int { return a.start.Compare(b.start) })
	merged := taken[:0]
	for _, p := range taken {
		if n := len(merged); n > 0 && !p.start.After(merged[n-1].end) {
			if p.end.After(merged[n-1].end) {
				merged[n-1].end = p.end
			}
			continue
		}
		merged = append(merged, p)
	}
	busy := make([]any, 0, len(merged))
	for _, p := range merged {
		if p.start.Before(low) {
			p.start = low
		}
		if p.end.After(high) {
			p.end = high
		}
		busy = append(busy, map[string]any{"start": p.start.In(in).Format(time.RFC3339), "end": p.end.In(in).Format(time.RFC3339)})
	}
	return busy
}

// declined tells whether the calendar's owner will not come.
func (c *call) declined(event map[string]any, of string) bool {
	for _, attendee := range cast.List(event["attendees"]) {
		one, _ := attendee.(map[string]any)
		if strings.EqualFold(kit.Text(one, "email"), of) {
			return one["responseStatus"] == "declined"
		}
	}
	return false
}
