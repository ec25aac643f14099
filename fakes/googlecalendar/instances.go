package googlecalendar

import (
	"cmp"
	"slices"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

func listInstances(c *call, calendar map[string]any) (answer, *refusal) {
	master, refused := c.event(calendar, c.Input.Path["eventId"])
	if refused != nil {
		return answer{}, refused
	}
	in, refused := c.viewed(calendar)
	if refused != nil {
		return answer{}, refused
	}
	low, high, refused := c.window()
	if refused != nil {
		return answer{}, refused
	}
	skip, refused := c.skipped()
	if refused != nil {
		return answer{}, refused
	}
	limit := min(c.count("maxResults", usualPage), mostPage)
	all := c.instancesOf(calendar, master, low, high, skip+limit+1)
	page, more := cut(all, skip, limit)
	calendar, _ = c.get(calendars, kit.Text(calendar, "id"))
	value := c.eventsOf(calendar, in)
	items := make([]any, len(page))
	for i, event := range page {
		items[i] = c.shownEvent(calendar, event, in)
	}
	value["items"] = items
	if more {
		value["nextPageToken"] = c.pageToken(skip+len(page), "")
	} else {
		value["nextSyncToken"] = c.tokenAt(events+":"+kit.Text(calendar, "id"), kit.Text(calendar, "id"), cast.Int(calendar["stamp"]))
	}
	return many(value)
}

// instancesOf gives the instances of a series, exceptions in their places, by
// when they begin: the first most, and perhaps more. An event that does not
// recur is its own instance.
func (c *call) instancesOf(calendar, master map[string]any, low, high time.Time, most int) []map[string]any {
	deleted, original := c.flag("showDeleted"), c.query("originalStart")
	wanted, _ := time.Parse(time.RFC3339Nano, original)
	in := c.zoneOf(calendar)
	var all []map[string]any
	keep := func(event map[string]any) {
		start, _ := recorded(event["start"], in)
		end, _ := recorded(event["end"], in)
		first, ok := recorded(event["originalStartTime"], in)
		switch {
		case event["status"] == cancelled && !deleted,
			!low.IsZero() && !end.at.After(low), !high.IsZero() && !start.at.Before(high),
			original != "" && !(ok && (first.at.Equal(wanted) || first.day == original && first.day != "")):
		default:
			all = append(all, event)
		}
	}
	s, ok := c.seriesOf(calendar, master)
	if !ok {
		keep(master)
		return all
	}
	own := map[string]bool{}
	for _, exception := range c.exceptions(calendar, kit.Text(master, "id")) {
		own[kit.Text(exception, "id")] = true
		keep(exception)
	}
	from := low
	if from.IsZero() {
		from = s.start.at.Add(-time.Second)
	}
	if original != "" { // on which day it begins, wherever that is
		if day, err := time.Parse(dateLayout, original[:min(len(original), len(dateLayout))]); err == nil {
			from, high = latest(from, day.AddDate(0, 0, -2)), earliest(high, day.AddDate(0, 0, 3))
		}
	}
	most += len(all)
	for at := range s.starts(from, high) {
		if instance := s.instance(master, at); !own[kit.Text(instance, "id")] {
			keep(instance)
		}
		if len(all) >= most {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b map[string]any) int {
		return cmp.Compare(cast.Int(a["from"]), cast.Int(b["from"]))
	})
	return all
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// earliest takes a zero time for no bound.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
