package generic

import (
	"slices"
	"strconv"
	"strings"

	"parity/specs/anatomy"
	"parity/specs/schema"
)

// Neighbours are what stands beside a list and speaks of pages, by their names.
//
//	{"data": [...], "page": 2, "pages": 5, "done": false,
//	 "meta": {"cursors": {"next": "c3"}}, "links": {"next": "https://…"}}
//
// A service may say the same in several places, and clients read any of them. A
// next page that is none would be asked for again and again: nothing of it is
// made up.
type neighbours struct {
	call *call
	page slice
	list *anatomy.Paging
}

// of gives a body with what a schema's fields promise, and the objects that have
// to be there or speak of pages.
func (n *neighbours) of(body any, s *schema.Schema, at path) any {
	const most = 4
	f := n.call.fake.library.form(s)
	for _, name := range f.names {
		inner, field := append(slices.Clone(at), name), f.fields[name]
		if slices.Equal(inner, pointer(n.list.Items)) {
			continue
		}
		v := typed(field)
		if len(n.call.fake.library.form(field).names) > 0 || slices.Contains(v.Types, "object") {
			if speaks := aboutPages(plainly(name)); len(at) < most && (f.required[name] || speaks) {
				made := n.of(nil, field, inner)
				if made == nil && f.required[name] {
					made = map[string]any{}
				}
				if made != nil {
					body = path{name}.into(body, made)
				}
			}
			continue
		}
		if value, ok := n.says(v, field, inner); ok && fits(field, value, 0) {
			body = path{name}.into(body, value)
		}
	}
	return body
}

// aboutPages tells whether an object of that name speaks of pages.
func aboutPages(name string) bool {
	return slices.ContainsFunc([]string{"meta", "pag", "link", "cursor", "resultset", "resultinfo", "listinfo"}, func(part string) bool {
		return strings.Contains(name, part)
	})
}

// says gives what one field says, by its name.
func (n *neighbours) says(v *schema.View, s *schema.Schema, at path) (any, bool) {
	name := plainly(at[len(at)-1])
	switch {
	case slices.Contains(v.Types, "integer"):
		return n.counts(name)
	case slices.Contains(v.Types, "boolean"):
		return n.holds(name)
	case slices.Contains(v.Types, "string") && strings.HasPrefix(name, "total"): // "totalSetSize": "12"
		count, ok := n.counts(name)
		return strconv.FormatInt(count, 10), ok
	case slices.Contains(v.Types, "string") && len(at) == 1 && name == "object" && v.Enum == nil && v.Const == nil && v.Example == nil && v.Default == nil:
		return "list", true // as the services do that name their objects so
	case slices.Contains(v.Types, "string") && len(at) > 1 && n.page.more() && strings.Contains(name, "next"):
		if isAddress(s, at) {
			return n.call.pageURL(n.list, n.page.from+len(n.page.items), n.page.limit, n.page.next), true
		}
		return n.page.next, n.list.Cursor != "" && n.page.next != ""
	}
	return nil, false
}

// isAddress tells whether a field about another page holds its address.
func isAddress(s *schema.Schema, at path) bool {
	for _, name := range at {
		plain := plainly(name)
		if strings.Contains(plain, "link") || slices.ContainsFunc([]string{"url", "uri", "href"}, func(end string) bool { return strings.HasSuffix(plain, end) }) {
			return true
		}
	}
	v := typed(s)
	return v.Format == "uri" || v.Format == "url" || strings.HasPrefix(v.Example.Text(), "http")
}

// holds tells whether what a flag is named for is so.
func (n *neighbours) holds(name string) (is, ok bool) {
	switch {
	case slices.Contains([]string{"done", "last", "islast", "islastpage", "lastpage", "complete", "iscomplete", "finished", "endoflist", "endofresults", "exhausted"}, name):
		return !n.page.more(), true
	case strings.Contains(name, "prev"):
		return n.page.from > 0, true
	case strings.Contains(name, "next"), strings.Contains(name, "more"), strings.Contains(name, "truncated"):
		return n.page.more(), true
	}
	return false, false
}

// counts gives what a number beside a list says, by its name.
func (n *neighbours) counts(name string) (int64, bool) {
	p := n.page
	pages := strings.Contains(name, "page")
	switch number := int64(n.list.First + p.from/max(p.limit, 1)); {
	case name == "page" || name == "pagenumber" || name == "currentpage" || name == "pageno" || name == "pageindex":
		return number, n.list.Page != ""
	case pages && strings.Contains(name, "next"):
		return number + 1, n.list.Page != "" && p.more()
	case pages && strings.Contains(name, "item") && !strings.Contains(name, "per"):
		return int64(len(p.items)), true
	case pages && (strings.Contains(name, "total") || strings.Contains(name, "count") || name == "pages"):
		return int64(p.pages()), true
	case strings.Contains(name, "total") || slices.Contains([]string{"results", "found", "numfound", "matches", "hits"}, name):
		return int64(p.total), true
	case strings.Contains(name, "count") || name == "size" && !pages:
		return int64(len(p.items)), true
	case strings.Contains(name, "limit") || strings.Contains(name, "size") || strings.Contains(name, "perpage"):
		return int64(p.limit), true
	case name == "offset" || name == "start" || name == "from" || name == "skip":
		return int64(p.from), true
	}
	return 0, false
}
