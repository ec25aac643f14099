package zendesk

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// mostPerPage is the size of a page that none says, and the largest.
const mostPerPage = 100

// A listing is what a list operation shows. Its records are all of a
// collection, oldest first, but for some that are left out, or those of some.
type listing struct {
	collection string
	keep       func(*world.Record) bool // nil: all
	left       int                      // how many keep leaves out
	some       []*world.Record
	narrowed   bool
	under      string // the envelope's key; "": the collection
	show       func(*world.Record) map[string]any
	most       int
}

// A slice is the part of a listing that one page shows.
type slice struct {
	records []*world.Record
	more    bool
}

// list answers with the page that the call asks for: by cursor where page is an
// object, else by number.
func (c *call) list(l listing) (answer, *refusal) {
	if l.under == "" {
		l.under = l.collection
	}
	if l.show == nil {
		l.show = c.show
	}
	if l.most == 0 {
		l.most = mostPerPage
	}
	l = c.sorted(l)
	if page, ok := c.Input.Query["page"].(map[string]any); ok {
		return c.byCursor(l, page)
	}
	return c.byNumber(l)
}

func (l listing) size(c *call) int {
	if l.narrowed {
		return len(l.some)
	}
	return c.Tx.Len(full(l.collection)) - l.left
}

func (c *call) byNumber(l listing) (answer, *refusal) {
	number, size, refused := c.pageNumber(l.most)
	if refused != nil {
		return answer{}, refused
	}
	const deepest = 10_000 // records; developer.zendesk.com/documentation/api-basics/pagination
	if number > 1 && number*size > deepest {
		return answer{}, named(http.StatusBadRequest, "InvalidPaginationDepth", "Number of records requested exceeds the limit of 10000. Use cursor based pagination instead.")
	}
	total, skip := l.size(c), (number-1)*size
	var records []*world.Record
	if l.narrowed {
		records = l.some[min(skip, total):min(skip+size, total)]
	} else {
		records = c.from(l, skip, size)
	}
	value := map[string]any{l.under: c.shown(l, records), "count": int64(total), "next_page": nil, "previous_page": nil}
	if skip+size < total {
		value["next_page"] = c.pageLink(number + 1)
	}
	if number > 1 {
		value["previous_page"] = c.pageLink(number - 1)
	}
	c.sideload(value, l.under)
	return answer{value: value}, nil
}

// from gives some records of a collection, those that so many come before.
func (c *call) from(l listing, before, size int) (records []*world.Record) {
	row, _ := c.Tx.Row(full(l.collection), "", "")
	skip := 0
	if l.left > 0 { // which of those before are left out has to be looked at
		skip, before = before, 0
	}
	for r := range row.From(before, false) {
		switch {
		case l.left > 0 && !l.keep(r):
		case skip > 0:
			skip--
		default:
			if records = append(records, r); len(records) == size {
				return records
			}
		}
	}
	return records
}

// pageNumber reads page and per_page.
func (c *call) pageNumber(most int) (number, size int, refused *refusal) {
	number, size = 1, most
	if sent, ok := c.Input.Query["page"]; ok {
		n, ok := whole(sent)
		if !ok {
			return 0, 0, invalidAttribute("page", "an integer", actionOf(c.Operation.Method, c.path()))
		}
		number = max(1, int(min(n, 1<<31)))
	}
	if n, ok := c.Input.Query["per_page"].(int64); ok && n > 0 {
		size = int(min(n, int64(most)))
	}
	return number, size, nil
}

// path is the path of the call, as its operation has it; "" where nobody calls.
func (c *call) path() string {
	if c.Operation == nil {
		return ""
	}
	path := c.Operation.Path
	for name, value := range c.Input.Path {
		path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
	}
	return path
}

func (c *call) method() string {
	if c.Operation == nil {
		return ""
	}
	return c.Operation.Method
}

func (c *call) pageLink(number int) string {
	return c.link(func(q url.Values) { q.Set("page", strconv.Itoa(number)) })
}

// link is the call's own address with other query parameters.
func (c *call) link(change func(url.Values)) string {
	q := url.Values{}
	for name, value := range c.Input.Query {
		if inner, ok := value.(map[string]any); ok {
			for field, one := range inner {
				q.Set(name+"["+field+"]", cast.Plain(one))
			}
			continue
		}
		q.Set(name, c.query(name))
	}
	change(q)
	return c.Base + c.path() + ".json?" + q.Encode()
}

func (c *call) byCursor(l listing, page map[string]any) (answer, *refusal) {
	size := l.most
	if sent, ok := page["size"]; ok {
		n, ok := whole(sent)
		if !ok || n < 1 || n > int64(l.most) {
			return answer{}, badPage("page[size] must be an integer between 1 and " + strconv.Itoa(l.most))
		}
		size = int(n)
	}
	after, ok1 := position(page["after"])
	before, ok2 := position(page["before"])
	if !ok1 || !ok2 {
		return answer{}, badPage("The cursor is not valid")
	}
	cut := c.cut(l, size, after, before)
	value := map[string]any{l.under: c.shown(l, cut.records)}
	meta := map[string]any{"has_more": cut.more, "after_cursor": nil, "before_cursor": nil}
	links := map[string]any{"prev": nil, "next": nil}
	if n := len(cut.records); n > 0 { // recorded: there are links at both ends of a page that holds anything
		first, last := cursorOf(cut.records[0]), cursorOf(cut.records[n-1])
		meta["after_cursor"], meta["before_cursor"] = last, first
		links["prev"] = c.cursorLink("before", first)
		links["next"] = c.cursorLink("after", last)
	}
	value["meta"], value["links"] = meta, links
	c.sideload(value, l.under)
	return answer{value: value}, nil
}

func badPage(detail string) *refusal {
	return &refusal{status: http.StatusBadRequest, body: map[string]any{"errors": []any{map[string]any{
		"code": "InvalidPaginationParameter", "title": "Pagination parameter is invalid", "detail": detail,
	}}}}
}

func (c *call) cursorLink(side, cursor string) string {
	return c.link(func(q url.Values) {
		q.Del("page[after]")
		q.Del("page[before]")
		q.Set("page["+side+"]", cursor)
	})
}

// cut takes the records after a cursor, or those next to it on its other side.
func (c *call) cut(l listing, size int, after, before uint64) slice {
	if !l.narrowed {
		if before > 0 {
			return backwards(c, l, size, before)
		}
		var s slice
		for r := range c.Tx.Oldest(full(l.collection), after) {
			if l.keep != nil && !l.keep(r) {
				continue
			}
			if len(s.records) == size {
				s.more = true
				break
			}
			s.records = append(s.records, r)
		}
		return s
	}
	from, until := 0, len(l.some)
	if after > 0 {
		from = 1 + slices.IndexFunc(l.some, func(r *world.Record) bool { return r.Order == after })
		if from == 0 { // it is gone: go on where it would be
			from = len(l.some)
			if i := slices.IndexFunc(l.some, func(r *world.Record) bool { return r.Order > after }); i >= 0 {
				from = i
			}
		}
	}
	if before > 0 {
		if i := slices.IndexFunc(l.some, func(r *world.Record) bool { return r.Order == before }); i >= 0 {
			until = i
		}
		return slice{records: l.some[max(0, until-size):until], more: until > size}
	}
	return slice{records: l.some[from:min(from+size, until)], more: from+size < until}
}

func backwards(c *call, l listing, size int, before uint64) slice {
	var s slice
	for r := range c.Tx.Newest(full(l.collection), before+1) {
		if l.left > 0 && (r.Order != before || !l.keep(r)) {
			before = 0 // it is not shown: the last page
		}
		break
	}
	for r := range c.Tx.Newest(full(l.collection), before) {
		if l.keep != nil && !l.keep(r) {
			continue
		}
		if len(s.records) == size {
			s.more = true
			break
		}
		s.records = append(s.records, r)
	}
	slices.Reverse(s.records)
	return s
}

// cursorOf is opaque, in the form of Zendesk's own.
func cursorOf(r *world.Record) string {
	inner := base64.StdEncoding.EncodeToString([]byte("p" + strconv.FormatUint(r.Order, 36)))
	return base64.StdEncoding.EncodeToString([]byte(`{"o":"id","v":"` + inner + `"}`))
}

// position reads a cursor; none is 0.
func position(v any) (uint64, bool) {
	cursor := cast.Plain(v)
	if cursor == "" {
		return 0, true
	}
	data, err := base64.StdEncoding.DecodeString(cursor)
	if err != nil {
		return 0, false
	}
	var held struct{ V string }
	if json.Unmarshal(data, &held) != nil {
		return 0, false
	}
	inner, err := base64.StdEncoding.DecodeString(held.V)
	if err != nil || len(inner) < 2 || inner[0] != 'p' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(inner[1:]), 36, 64)
	return n, err == nil
}

func (c *call) shown(l listing, records []*world.Record) []any {
	out := make([]any, len(records))
	for i, r := range records {
		out[i] = l.show(r)
	}
	return out
}
