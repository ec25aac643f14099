package googlecalendar

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A listing is what a list of events asks for.
type listing struct {
	call      *call
	calendar  map[string]any
	of        string
	in        *time.Location // in which the reply shows times
	single    bool           // recurring events as their instances
	deleted   bool
	order     string
	min, max  time.Time // zero: no bound
	since     int64     // only what changed after it; 0: all
	syncs     bool      // since is a sync token's
	limit     int
	skip      int    // of what is found, in its order
	after     string // the last item of the page before
	horizon   time.Time
	uid, text string
	kinds     []any
}

// The sizes of pages. Source: the description of maxResults.
const (
	usualPage = 250
	mostPage  = 2500
)

func listEvents(c *call, l *listing) (answer, *refusal) {
	found := l.found()
	if i := slices.IndexFunc(found, func(event map[string]any) bool { return event["id"] == l.after }); i >= 0 {
		l.skip = min(l.skip, i+1)
	}
	page, more := cut(found, l.skip, l.limit)
	value := c.eventsOf(l.calendar, l.in)
	items := make([]any, len(page))
	for i, event := range page {
		items[i] = l.item(event)
	}
	value["items"] = items
	stamp, _ := l.calendar["stamp"].(int64)
	switch {
	case more:
		value["nextPageToken"] = c.pageToken(l.skip+len(page), kit.Text(page[len(page)-1], "id"))
	case l.syncable():
		value["nextSyncToken"] = c.tokenAt(events+":"+l.of, l.of, stamp)
	}
	return many(value)
}

// eventsOf is the envelope of a list of events.
func (c *call) eventsOf(calendar map[string]any, in *time.Location) map[string]any {
	of := kit.Text(calendar, "id")
	updated := kit.Text(calendar, "updated")
	if updated == "" {
		updated = millis(epoch())
	}
	zone := kit.Text(calendar, "timeZone")
	if asked := c.query("timeZone"); asked != "" {
		zone = asked
	}
	return map[string]any{
		"kind": "calendar#events", "etag": c.stateOf(of), "summary": c.summaryOf(of, calendar), "description": kit.Text(calendar, "description"),
		"updated": updated, "timeZone": zone, "accessRole": c.role(of), "defaultReminders": c.defaultReminders(of),
	}
}

// item shows an event of a list. What is deleted shows no more than that to a
// client that only syncs.
func (l *listing) item(event map[string]any) map[string]any {
	out := l.call.shownEvent(l.calendar, event, l.in)
	if event["status"] == cancelled && l.syncs && !l.deleted && event["recurringEventId"] == nil {
		return only(out, "kind", "etag", "id", "status")
	}
	return out
}

// syncable tells whether a list may be continued by a sync token: not one that
// shows a part of the calendar.
func (l *listing) syncable() bool {
	c := l.call
	for _, narrow := range restrictions() {
		if c.sent(narrow) {
			return false
		}
	}
	return true
}

// restrictions are the parameters that a sync token does not go with.
// Source: the description of syncToken.
func restrictions() []string {
	return []string{"iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax", "updatedMin"}
}

func (c *call) listing() (*listing, *refusal) {
	calendar, refused := c.reachable("freeBusyReader")
	if refused != nil {
		return nil, refused
	}
	c.adopt(calendar)
	calendar, _ = c.get(calendars, kit.Text(calendar, "id")) // adopting may have changed it
	l := &listing{
		call: c, calendar: calendar, of: kit.Text(calendar, "id"), single: c.flag("singleEvents"), deleted: c.flag("showDeleted"),
		order: c.query("orderBy"), uid: c.query("iCalUID"), text: strings.ToLower(c.query("q")), limit: min(c.count("maxResults", usualPage), mostPage),
		kinds: cast.List(c.Input.Query["eventTypes"]),
	}
	if l.in, refused = c.viewed(calendar); refused != nil {
		return nil, refused
	}
	if l.order == "startTime" && !l.single {
		return nil, refused400("The requested ordering is not available for the particular query.")
	}
	if l.min, l.max, refused = c.window(); refused != nil {
		return nil, refused
	}
	if refused := l.changes(); refused != nil {
		return nil, refused
	}
	l.skip, l.after, refused = c.resumed()
	return l, refused
}

func refused400(message string) *refusal { return refused(400, "badRequest", message) }

// window reads timeMin and timeMax.
func (c *call) window() (lowest, highest time.Time, refused *refusal) {
	lowest, bounded, refused := c.instant("timeMin")
	if refused != nil {
		return lowest, highest, refused
	}
	highest, ends, refused := c.instant("timeMax")
	if refused == nil && bounded && ends && !lowest.Before(highest) {
		refused = emptyRange()
	}
	return lowest, highest, refused
}

// found gives all events that are asked for, in the order of the list.
func (l *listing) found() []map[string]any {
	var all []map[string]any
	keep := func(event map[string]any) bool {
		is := l.keeps(event)
		if is {
			all = append(all, event)
		}
		return is
	}
	switch {
	case l.since > 0:
		for record := range l.call.Tx.Ascending(name+"."+events, "stamp", l.since+1) {
			if l.may(record) {
				l.unrolled(record.Value(), keep)
			}
		}
	case l.uid != "":
		for record := range l.call.Tx.Find(name+"."+events, "uid", l.uid, 0) {
			if l.may(record) {
				l.unrolled(record.Value(), keep)
			}
		}
	case !l.min.IsZero() || !l.max.IsZero() || l.order == "startTime":
		l.windowed(&all, keep)
	default:
		l.plain(&all, keep)
	}
	return l.sorted(all)
}

// plain walks the whole calendar in the order of creation, no further than the
// page goes.
func (l *listing) plain(all *[]map[string]any, keep func(map[string]any) bool) {
	for record := range l.call.made(l.of) {
		if !l.may(record) {
			continue
		}
		l.unrolled(record.Value(), keep)
		if len(*all) > l.skip+l.limit && l.order == "" {
			return
		}
	}
}

// made walks what may be a calendar's events, in the order of creation: those
// that are taken in, or all there are where some are not.
func (c *call) made(calendar string) iter.Seq[*world.Record] {
	own, ok := c.Tx.Row(name+"."+events, "calendarId", calendar)
	if later, _ := c.Tx.Row(name+"."+events, "calendar", calendar); !ok || later.Len() > 0 {
		return c.Tx.Oldest(name+"."+events, 0)
	}
	return own.From(0, false)
}

// windowed walks by when events begin. Where the list is in that order, it ends
// with the page; then series need be looked at no further.
func (l *listing) windowed(all *[]map[string]any, keep func(map[string]any) bool) {
	low, high := int64(-1<<62), int64(1<<62)
	if !l.min.IsZero() {
		low = l.min.Add(-longest).Unix() - 1
	}
	if !l.max.IsZero() {
		high = l.max.Unix() + 1
	}
	for record := range l.call.Tx.Ascending(name+"."+events, "from", low) {
		from, _ := record.At("from").(int64)
		if from > high {
			break
		}
		if !l.may(record) || record.At("long") != nil {
			continue
		}
		if len(*all) > l.skip+l.limit && l.order == "startTime" {
			l.horizon = time.Unix(from, 0)
			break
		}
		keep(record.Value())
	}
	for record := range l.call.Tx.Find(name+"."+events, "long", l.of, 0) {
		l.unrolled(record.Value(), keep)
	}
}

// unrolled gives an event as the list wants it: a series as itself, or as its
// instances, but for those that have a record of their own, and for those after
// the page: they follow each other in any order of a list.
func (l *listing) unrolled(event map[string]any, keep func(map[string]any) bool) {
	if event["recurrence"] == nil || !l.single {
		keep(event)
		return
	}
	if event["status"] == cancelled && !l.deleted && l.since == 0 {
		return
	}
	s, ok := l.call.seriesOf(l.calendar, event)
	if !ok {
		return
	}
	own := map[string]bool{}
	for _, exception := range l.call.exceptions(l.calendar, kit.Text(event, "id")) {
		own[kit.Text(exception, "id")] = true
	}
	until := l.max
	if !l.horizon.IsZero() && (until.IsZero() || l.horizon.Before(until)) {
		until = l.horizon
	}
	from := l.min
	if from.IsZero() {
		from = s.start.at.Add(-time.Second)
	}
	left := l.skip + l.limit + 1
	for at := range s.starts(from, until) {
		if instance := s.instance(event, at); !own[kit.Text(instance, "id")] && keep(instance) {
			left--
		}
		if left <= 0 {
			break
		}
	}
}

func (l *listing) sorted(all []map[string]any) []map[string]any {
	number := func(event map[string]any, field string) int64 { n, _ := event[field].(int64); return n }
	switch l.order {
	case "startTime":
		slices.SortStableFunc(all, func(a, b map[string]any) int {
			return cmp.Or(cmp.Compare(number(a, "from"), number(b, "from")), cmp.Compare(number(a, "stamp"), number(b, "stamp")))
		})
	case "updated":
		slices.SortStableFunc(all, func(a, b map[string]any) int { return cmp.Compare(number(a, "stamp"), number(b, "stamp")) })
	}
	return all
}

// cut gives one page.
func cut[T any](all []T, skip, limit int) (page []T, more bool) {
	skip = min(skip, len(all))
	end := min(skip+limit, len(all))
	return all[skip:end], end < len(all)
}
