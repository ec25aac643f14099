package zendesk

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// Bounds of exports: how often one may ask, how much comes at once, and how much
// of the present is left out.
// Sources: developer.zendesk.com/api-reference/ticketing/ticket-management/incremental_exports;
// support.zendesk.com, article 8143500919322.
const (
	exportsPerMinute = 10
	mostExported     = 1000
	exportLag        = time.Minute
)

func exportHandlers() map[string]handler {
	return map[string]handler{
		"IncrementalTicketExportCursor": func(c *call) (answer, *refusal) { return c.exportByCursor(tickets) },
		"IncrementalTicketExportTime":   func(c *call) (answer, *refusal) { return c.exportByTime(tickets, tickets, changed, c.show) },
		"IncrementalUserExportCursor":   func(c *call) (answer, *refusal) { return c.exportByCursor(users) },
		"IncrementalUserExportTime":     func(c *call) (answer, *refusal) { return c.exportByTime(users, users, changed, c.show) },
		"IncrementalOrganizationExport": func(c *call) (answer, *refusal) { return c.exportByTime(organizations, organizations, changed, c.show) },
		"IncrementalTicketEvents":       func(c *call) (answer, *refusal) { return c.exportByTime(audits, "ticket_events", made, c.ticketEvent) },
		"ListTicketMetricEvents":        func(c *call) (answer, *refusal) { return c.exportByTime(metricEvents, metricEvents, happened, c.show) },
		"IncrementalHelpCenterArticles": func(c *call) (answer, *refusal) { return c.exportByTime(articles, articles, changed, c.show) },
	}
}

// exportByCursor walks a collection in the order of its changes. A cursor says
// after which change to go on.
func (c *call) exportByCursor(collection string) (answer, *refusal) {
	if refused := c.exportsLeft(); refused != nil {
		return answer{}, refused
	}
	after, mark := int64(0), ""
	if cursor := c.query("cursor"); cursor != "" {
		data, err := base64.StdEncoding.DecodeString(cursor)
		at, rest, ok := strings.Cut(string(data), "|")
		n, bad := strconv.ParseFloat(at, 64)
		if err != nil || !ok || bad != nil {
			return answer{}, named(http.StatusBadRequest, "InvalidValue", "cursor is not valid")
		}
		after, mark = int64(n), rest
	} else {
		start, refused := c.startTime()
		if refused != nil {
			return answer{}, refused
		}
		after = start
	}
	some := c.changedSince(collection, after, changed)
	if n, ok := whole(mark); ok {
		some = slices.DeleteFunc(some, func(r *world.Record) bool { return changed(r) == after && id(r.Value(), "id") <= n })
	}
	size := min(c.exportSize(), len(some))
	more := size < len(some)
	some = some[:size]
	value := map[string]any{collection: c.shown(listing{show: c.show}, some), "end_of_stream": !more, "before_url": nil, "before_cursor": nil}
	cursor := c.query("cursor")
	if size > 0 {
		cursor = exportCursor(some[size-1])
	} else if cursor == "" {
		cursor = base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf("%d.0|", after)))
	}
	value["after_cursor"] = cursor
	value["after_url"] = c.link(func(q url.Values) { q.Del("start_time"); q.Set("cursor", cursor) })
	c.sideload(value, collection)
	return answer{value: value}, nil
}

// exportByTime pages by time: the end of one page begins the next, so that what
// changed at that instant is on both. All of one instant are on one page.
func (c *call) exportByTime(collection, under string, when func(*world.Record) int64, show func(*world.Record) map[string]any) (answer, *refusal) {
	if refused := c.exportsLeft(); refused != nil {
		return answer{}, refused
	}
	start, refused := c.startTime()
	if refused != nil {
		return answer{}, refused
	}
	some := c.changedSince(collection, start, when)
	size := min(c.exportSize(), len(some))
	for size > 0 && size < len(some) && when(some[size]) == when(some[size-1]) {
		size++
	}
	more := size < len(some)
	some = some[:size]
	end := start
	if size > 0 {
		end = when(some[size-1])
	}
	next := end
	if more && end == start { // a page of one instant would begin itself
		next++
	}
	value := map[string]any{under: c.shown(listing{show: show}, some), "count": int64(size), "end_time": end, "end_of_stream": !more}
	value["next_page"] = c.link(func(q url.Values) { q.Set("start_time", key(next)) })
	c.sideload(value, under)
	return answer{value: value}, nil
}

// exportsLeft counts the calls of exports, which have a limit of their own.
func (c *call) exportsLeft() *refusal {
	if allowed := c.fake.limits.Take(c.Tx, "exports", exportsPerMinute, time.Minute, c.Now); allowed.Over {
		return tooMany(allowed.Reset.Sub(c.Now))
	}
	return nil
}

func (c *call) startTime() (int64, *refusal) {
	start, ok := whole(c.query("start_time"))
	switch {
	case !ok:
		return 0, titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: start_time")
	case start > c.Now.Add(-exportLag).Unix():
		return 0, named(http.StatusBadRequest, "StartTimeTooRecent", "Too recent start_time. Use a start_time older than 60 seconds")
	}
	return start, nil
}

func (c *call) exportSize() int {
	if n, ok := c.Input.Query["per_page"].(int64); ok && n > 0 {
		return int(min(n, mostExported))
	}
	return mostExported
}

// changed is when a record was changed, in seconds.
func changed(r *world.Record) int64 {
	if n := id(r.Value(), "generated_timestamp"); n != 0 {
		return n
	}
	return seconds(r, "updated_at")
}

// made and happened are when a record was made, and what it tells of.
func made(r *world.Record) int64     { return seconds(r, "created_at") }
func happened(r *world.Record) int64 { return seconds(r, "time") }

func seconds(r *world.Record, field string) int64 {
	at, _ := moment(cast.Text(r.Value()[field]))
	return at.Unix()
}

func exportCursor(r *world.Record) string {
	return base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf("%d.0|%s", changed(r), r.ID)))
}

// changedSince gives what changed at an instant or later, but for what changed
// within the last minute, by when it did.
func (c *call) changedSince(collection string, after int64, when func(*world.Record) int64) (some []*world.Record) {
	until := c.Now.Add(-exportLag).Unix()
	if collection == tickets {
		for r := range c.Tx.Ascending(full(tickets), "generated_timestamp", after) {
			if changed(r) > until {
				break
			}
			some = append(some, r)
		}
	} else {
		some = c.every(collection, func(r *world.Record) bool { return when(r) >= after && when(r) <= until })
	}
	slices.SortStableFunc(some, func(a, b *world.Record) int {
		if n := when(a) - when(b); n != 0 {
			return int(n)
		}
		return int(id(a.Value(), "id") - id(b.Value(), "id"))
	})
	if c.query("exclude_deleted") == "true" {
		some = slices.DeleteFunc(some, func(r *world.Record) bool { return r.Value()["status"] == "deleted" })
	}
	return some
}
