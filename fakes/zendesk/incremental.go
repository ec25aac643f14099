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

func exportTickets(c *call) (answer, *refusal) { return c.exportBy(tickets) }

func exportUsers(c *call) (answer, *refusal) { return c.exportBy(users) }

// exportBy walks a collection in the order of its changes. A cursor says after
// which change to go on.
func (c *call) exportBy(collection string) (answer, *refusal) {
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
	size := c.exportSize()
	some, more := c.changedSince(collection, after, mark, size)
	value := map[string]any{collection: c.shown(listing{show: c.show}, some), "end_of_stream": !more, "before_url": nil, "before_cursor": nil}
	cursor := c.query("cursor")
	if n := len(some); n > 0 {
		cursor = exportCursor(some[n-1])
	} else if cursor == "" {
		cursor = base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf("%d.0|", after)))
	}
	value["after_cursor"] = cursor
	value["after_url"] = c.link(func(q url.Values) { q.Del("start_time"); q.Set("cursor", cursor) })
	c.sideload(value, collection)
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
	at, _ := moment(cast.Text(r.Value()["updated_at"]))
	return at.Unix()
}

func exportCursor(r *world.Record) string {
	return base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf("%d.0|%s", changed(r), r.ID)))
}

// changedSince gives what changed at an instant or later, after the record that
// the mark names, but for what changed within the last minute.
func (c *call) changedSince(collection string, after int64, mark string, size int) (some []*world.Record, more bool) {
	until := c.Now.Add(-exportLag).Unix()
	if collection == tickets {
		for r := range c.Tx.Ascending(full(tickets), "generated_timestamp", after) {
			if changed(r) > until {
				break
			}
			some = append(some, r)
		}
	} else {
		some = c.every(collection, func(r *world.Record) bool { return changed(r) >= after && changed(r) <= until })
	}
	slices.SortStableFunc(some, func(a, b *world.Record) int {
		if n := changed(a) - changed(b); n != 0 {
			return int(n)
		}
		return int(id(a.Value(), "id") - id(b.Value(), "id"))
	})
	if n, ok := whole(mark); ok {
		some = slices.DeleteFunc(some, func(r *world.Record) bool { return changed(r) == after && id(r.Value(), "id") <= n })
	}
	if c.query("exclude_deleted") == "true" {
		some = slices.DeleteFunc(some, func(r *world.Record) bool { return r.Value()["status"] == "deleted" })
	}
	if len(some) > size {
		return some[:size], true
	}
	return some, false
}

// exportTicketsSince pages by time: the end of one page begins the next.
func exportTicketsSince(c *call) (answer, *refusal) {
	if refused := c.exportsLeft(); refused != nil {
		return answer{}, refused
	}
	start, refused := c.startTime()
	if refused != nil {
		return answer{}, refused
	}
	some, more := c.changedSince(tickets, start, "", c.exportSize())
	end := start
	if len(some) > 0 {
		end = changed(some[len(some)-1])
	}
	value := map[string]any{"tickets": c.shown(listing{show: c.show}, some), "count": int64(len(some)), "end_time": end, "end_of_stream": !more}
	value["next_page"] = c.link(func(q url.Values) { q.Set("start_time", key(end)) })
	c.sideload(value, tickets)
	return answer{value: value}, nil
}
