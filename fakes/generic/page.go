package generic

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs/anatomy"
	"parity/specs/schema"
)

// usualLimit is how many a page holds where the contract does not say.
const usualLimit = 20

// A slice is one page of the members that match.
type slice struct {
	items []*entry
	limit int
	from  int // how many come before it
	total int
	next  string // a cursor; "" where there is no next page
	last  string // a cursor to the page before
}

// pages counts the pages that there are.
func (p slice) pages() int { return (p.total + p.limit - 1) / max(p.limit, 1) }

func (p slice) more() bool { return p.from+len(p.items) < p.total }

// page cuts out the page that is asked for.
func (c *call) page(list *anatomy.Paging, all members) (slice, *refusal) {
	p := slice{total: all.size(), limit: c.limit(list)}
	if most := typed(c.listSchema(list)).MaxItems; most != nil && (p.limit == 0 || p.limit > *most) {
		p.limit = *most
	}
	if p.limit == 0 {
		p.limit = p.total
	}
	end := p.total
	from, refused := c.start(list, all, p.limit)
	if refused != nil {
		return slice{}, refused
	}
	if wanted, ok := c.asked(list.Before); ok { // the page that ends right before it
		behind, refused := c.after(list, all, cast.Plain(wanted))
		if refused != nil {
			return slice{}, refused
		}
		end = min(max(behind-1, 0), p.total) // it may be anything that a client makes up
		from = end - p.limit
	}
	p.from = min(max(from, 0), end)
	p.items = all.cut(p.from, min(p.from+p.limit, end))
	if p.more() && len(p.items) > 0 {
		p.next = c.cursor(list, p.items[len(p.items)-1], p.from+len(p.items))
	}
	if before := p.from - p.limit; p.from > 0 {
		p.last = "" // to the top
		if before > 0 {
			p.last = c.cursor(list, all.cut(before-1, before)[0], before)
		}
	}
	return p, nil
}

// listSchema is the schema of a list in the reply; nil where nothing is said.
func (c *call) listSchema(list *anatomy.Paging) *schema.Schema {
	return c.fake.library.at(c.success(c.usual(http.StatusOK)...).schema(), pointer(list.Items))
}

// limit gives how many are asked for, within what the contract allows; 0: all.
func (c *call) limit(list *anatomy.Paging) int {
	n := list.Default
	wanted, ok := c.asked(list.Limit)
	if list.Limit == "" {
		wanted, ok = c.unsaid("limit", "per_page", "page_size", "pageSize", "perPage", "maxResults")
	}
	if ok {
		if asked, ok := numbered(wanted).(int64); ok && asked > 0 {
			n = int(min(asked, 1<<20))
		}
	}
	paged := list.Limit != "" || list.Cursor != "" || list.Offset != "" || list.Page != "" || list.Next != ""
	if n <= 0 && paged {
		n = usualLimit
	}
	if list.Most > 0 {
		n = min(n, list.Most)
		if n <= 0 {
			n = list.Most
		}
	}
	return max(n, 0)
}

// unsaid gives a parameter of pages that a client sends though its contract has
// none: clients know of pages that documents forget.
func (c *call) unsaid(names ...string) (any, bool) {
	if len(c.Input.Query) == 0 {
		return nil, false
	}
	for _, name := range names {
		if v, ok := c.Input.Query[name]; ok && v != nil && v != "" {
			return v, true
		}
	}
	return nil, false
}

// start gives how many members come before the page that is asked for.
func (c *call) start(list *anatomy.Paging, all members, limit int) (int, *refusal) {
	wanted, ok := c.asked(list.Cursor)
	if list.Style == "none" || list.Cursor == "" && list.Offset == "" && list.Page == "" { // where the next page is, an address may tell that no parameter does
		wanted, ok = c.unsaid("cursor", "after", "starting_after", "page_token", "pageToken")
	}
	if ok {
		return c.after(list, all, cast.Plain(wanted))
	}
	if wanted, ok := c.asked(list.Offset); ok {
		n, _ := numbered(wanted).(int64)
		return int(min(max(n, 0), int64(all.size()))), nil
	}
	if wanted, ok := c.asked(list.Page); ok {
		n, _ := numbered(wanted).(int64)
		n = max(n-int64(list.First), 0)
		if limit > 0 && n > int64(all.size()/limit)+1 {
			return all.size(), nil
		}
		return int(n) * limit, nil
	}
	return 0, nil
}

// cursorMark begins what a cursor says, so that an id is not taken for one.
const cursorMark = "p1:"

// cursor names the place behind a member: where it stood, and which it was, so
// that the next page begins there whatever is written in between.
func (c *call) cursor(list *anatomy.Paging, last *entry, before int) string {
	if s := c.fake.library.at(c.success().schema(), pointer(list.Next)); s != nil && list.Next != "" && !list.IsURL {
		if v := typed(s); len(v.Types) > 0 && !v.Is("string") {
			return strconv.Itoa(before)
		}
	}
	order := uint64(0)
	if last.stored != nil {
		order = last.stored.Order
	}
	words := cursorMark + strconv.Itoa(before) + ":" + strconv.FormatUint(order, 10) + ":" + last.key
	return base64.RawURLEncoding.EncodeToString([]byte(words))
}

// A mark is the place behind a member that a cursor names.
type mark struct {
	key    string // the member's; or its id, where a client made the cursor up of one
	before int    // how many came up to it; -1: not said
	order  uint64 // of its record; 0: not said
}

func markOf(cursor string) mark {
	m := mark{key: cursor, before: -1}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || !strings.HasPrefix(string(raw), cursorMark) {
		return m
	}
	if parts := strings.SplitN(strings.TrimPrefix(string(raw), cursorMark), ":", 3); len(parts) == 3 {
		m.before, _ = strconv.Atoi(parts[0])             // it is ours
		m.order, _ = strconv.ParseUint(parts[1], 10, 64) // it is ours
		m.key = parts[2]
	}
	return m
}

// after finds the place that a cursor names; it may be an id as well.
func (c *call) after(list *anatomy.Paging, all members, cursor string) (int, *refusal) {
	m := markOf(cursor)
	if n, ok := all.behind(m); ok {
		return n, nil
	}
	if n, err := strconv.Atoi(cursor); err == nil && m.before < 0 && n >= 0 {
		return n, nil
	}
	if m.before >= 0 {
		return m.before - 1, nil
	}
	return 0, &refusal{
		status: http.StatusBadRequest, code: "invalid_cursor", field: list.Cursor,
		message: "The cursor " + list.Cursor + " names no place in this list.",
	}
}

// idOf gives a member's id as it stands in its record.
func (c *call) idOf(e *entry) string { return c.plan.res.idOf(e) }

func (r *resource) idOf(e *entry) string {
	if held, ok := dotted(r.ID.Field).get(e.value); ok && r.ID.Field != "" {
		return cast.Plain(held)
	}
	id := e.key
	if r.local {
		id = id[strings.LastIndexByte(id, '/')+1:]
		if decoded, err := url.PathUnescape(id); err == nil {
			id = decoded
		}
	}
	return id
}

// nextValue is what a reply says of the next page: its cursor, or its URL.
func (c *call) nextValue(p slice, list *anatomy.Paging) any {
	switch {
	case list.IsURL:
		return c.pageURL(list, p.from+len(p.items), p.limit, p.next)
	case list.Cursor == "" && list.Page != "":
		return int64(list.First + (p.from+len(p.items))/max(p.limit, 1))
	case list.Cursor == "" && list.Offset != "":
		return int64(p.from + len(p.items))
	}
	return p.next
}

// pageURL is where another page can be read.
func (c *call) pageURL(list *anatomy.Paging, from, limit int, cursor string) string {
	query := queryOf(c.Input.Query)
	for _, name := range c.Operation.Secrets(c.Input.Query) { // as services do: a link is no place for them
		query.Del(name)
	}
	switch {
	case list.Cursor != "":
		query.Del(list.Cursor)
		if cursor != "" {
			query.Set(list.Cursor, cursor)
		}
	case list.Page != "":
		query.Set(list.Page, strconv.Itoa(list.First+from/max(limit, 1)))
	case list.Offset != "":
		query.Set(list.Offset, strconv.Itoa(from))
	case cursor != "":
		query.Set("cursor", cursor)
	}
	address := c.Base + kit.Path(c.Operation.Path, escaped(c.Input.Path))
	if u, err := url.Parse(address); err == nil && list.Local {
		address = u.EscapedPath()
	}
	if len(query) == 0 {
		return address
	}
	return address + "?" + query.Encode()
}

func escaped(parameters map[string]string) map[string]string {
	out := maps.Clone(parameters)
	for name, value := range out {
		out[name] = url.PathEscape(value)
	}
	return out
}

// links says in headers which pages there are, where the contract does.
// Source: RFC 8288.
func (c *call) links(h http.Header, p slice, list *anatomy.Paging, t target) {
	if list.Style == "link" || t.header("Link") || list.Next == "" && list.Style != "none" && list.Style != "" { // else nobody learns where the next page is
		var parts []string
		if p.more() {
			parts = append(parts, "<"+c.pageURL(list, p.from+len(p.items), p.limit, p.next)+`>; rel="next"`)
		}
		if p.from > 0 {
			parts = append(parts, "<"+c.pageURL(list, max(p.from-p.limit, 0), p.limit, p.last)+`>; rel="prev"`)
		}
		if len(parts) > 0 {
			h.Set("Link", strings.Join(parts, ", "))
		}
	}
	for _, name := range []string{"X-Total-Count", "X-Total", "Total-Count"} {
		if t.header(name) {
			h.Set(name, strconv.Itoa(p.total))
		}
	}
	if t.header("X-Total-Pages") {
		h.Set("X-Total-Pages", strconv.Itoa(p.pages()))
	}
}

// record is a member as lists of package kit take it.
func (e *entry) record() *world.Record {
	if e.stored != nil {
		return e.stored
	}
	return world.Loose(e.key, e.value)
}

// queryOf writes a decoded query.
func queryOf(decoded map[string]any) url.Values {
	query := url.Values{}
	for name, value := range decoded {
		if items, ok := value.([]any); ok {
			for _, item := range items {
				query.Add(name, cast.Plain(item))
			}
			continue
		}
		query.Set(name, cast.Plain(value))
	}
	return query
}
