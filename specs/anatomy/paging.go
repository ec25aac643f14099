package anatomy

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/specs/document"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// Names of what lists are paged by, in canonical writing, the likeliest first.
var (
	limits = []string{
		"limit", "perpage", "pagesize", "maxresults", "pagelimit", "top", "first", "take", "count", "size", "max", "maxitems", "maxrecords",
		"maxkeys", "rows", "results", "resultsperpage", "itemsperpage", "numresults", "num", "n", "amount", "pagesizelimit", "querylimit",
		"listlimit", "pagemax", "maxpagesize", "maxresultsperpage", "pglimit", "batchsize", "recordsperpage", "maxcount", "resultlimit", "hitsperpage", "length",
	}
	cursors = []string{
		"cursor", "startingafter", "pagetoken", "nexttoken", "after", "aftercursor", "continuationtoken", "continue", "pagecursor", "nextcursor",
		"marker", "nextpagetoken", "skiptoken", "startkey", "exclusivestartkey", "bookmark", "paginationtoken", "nextmarker", "startcursor", "sinceid",
		"afterid", "startafter", "lastkey", "scrollid", "lastid", "continuation", "pageafter", "paginationkey", "next", "starttoken", "nextkey",
	}
	befores = []string{"endingbefore", "before", "beforecursor", "previoustoken", "prevcursor", "pagebefore", "beforeid", "endcursor", "until", "untilid"}
	offsets = []string{"offset", "skip", "start", "startindex", "startat", "pageoffset", "from", "firstresult", "startposition", "startrow", "pagestart", "first"}
	pages   = []string{"page", "pagenumber", "pageno", "pageindex", "currentpage", "pagenum", "p", "pagination", "pg", "pageid"}

	nexts = []string{
		"nextpagetoken", "nextcursor", "nexttoken", "next", "nextpage", "nextlink", "odatanextlink", "nextpageuri", "nextpageurl",
		"nexturl", "cursor", "endcursor", "nextmarker", "continuationtoken", "continue", "after", "nextpagecursor", "lastevaluatedkey", "nexthref",
		"nextoffset", "scrollid", "marker", "lastid", "nextrecordsurl", "bookmark", "atnextlink", "paginationtoken",
	}
	mores  = []string{"hasmore", "more", "hasnext", "hasnextpage", "istruncated", "truncated", "moreitems", "moreresults", "hasmoreitems", "hasmorepages", "moredata"}
	totals = []string{
		"total", "totalcount", "totalresults", "totalitems", "totalelements", "totalrecords", "totalrows", "totalsize", "totalentries",
		"odatacount", "count", "numfound", "recordcount", "resultcount", "totalobjects", "itemstotal", "nbhits", "totalhits", "recordstotal", "totalnumber", "sum",
	}
	prevs = []string{
		"previouscursor", "prevcursor", "prev", "previous", "previouspage", "prevpage", "previouspageuri", "prevpagetoken", "previouspagetoken",
		"previoustoken", "startcursor", "before", "previouslink", "prevlink", "firstid", "previousurl", "prevurl",
	}
	sorts  = []string{"sort", "sortby", "orderby", "order", "ordering", "sortfield", "sortkey", "sortcolumn", "sorting", "sorts", "sortorder"}
	orders = []string{"direction", "sortorder", "order", "sortdirection", "sortdir", "dir", "orderdirection", "orderdir", "sorttype", "sortingorder", "desc", "ascending", "descending", "reverse"}
	texts  = []string{"q", "query", "search", "searchtext", "searchterm", "searchquery", "keyword", "keywords", "text", "filtertext", "term", "fulltext", "quicksearch", "s"}
)

// paging finds how a list is asked for and answered.
func (in *inference) paging(c *call, t *thing, s spot) *Paging {
	p := &Paging{Items: s.path, Style: "none"}
	if c.method == "POST" && c.in != nil && (!c.queried() || in.asks(c)) {
		c, p.Body = in.bodily(c), true
	}
	used := map[string]bool{}
	take := func(names []string, ok func(*openapi.Parameter) bool) *openapi.Parameter {
		for _, name := range names {
			if found := c.parameter("query", name); found != nil && !used[found.Name] && ok(found) {
				used[found.Name] = true
				return found
			}
		}
		return nil
	}
	in.knobs(p, c, take)
	if deep := deepPage(c); deep != nil && p.Limit == "" { // page[size]
		in.deep(p, c, used)
	}
	in.mirrored(p, c, take)
	in.pointers(p, c, s)
	in.style(p, c)
	in.filters(p, c, t, used, take)
	return p
}

// queried tells whether a call has a query.
func (c *call) queried() bool {
	for i := range c.params {
		if c.params[i].In == "query" {
			return true
		}
	}
	return false
}

// bodily is the same call with the fields of its body beside those of its query.
func (in *inference) bodily(c *call) *call {
	other := *c
	other.params, other.names = slices.Clone(c.params), slices.Clone(c.names)
	for _, f := range in.shape(c.takes()).fields {
		if in.kind(f.schema) == "object" && aboutPages(canon(f.name)) { // pagination: {per_page, starting_after}
			for _, g := range in.shape(f.schema).fields {
				other.params = append(other.params, openapi.Parameter{Name: f.name + "[" + g.name + "]", In: "query", Schema: g.schema, Node: g.schema.Node()})
				other.names = append(other.names, canon(g.name))
			}
			continue
		}
		other.params = append(other.params, openapi.Parameter{Name: f.name, In: "query", Required: f.needed, Schema: f.schema, Node: f.schema.Node()})
		other.names = append(other.names, canon(f.name))
	}
	return &other
}

type taker func(names []string, ok func(*openapi.Parameter) bool) *openapi.Parameter

func (in *inference) knobs(p *Paging, c *call, take taker) {
	number := func(q *openapi.Parameter) bool {
		kind := in.kind(q.Schema)
		return kind == "" || kind == "integer" || kind == "number" || kind == "string" && q.Schema.View().Enum == nil
	}
	scalar := func(q *openapi.Parameter) bool {
		kind := in.kind(q.Schema)
		return kind != "array" && kind != "boolean" && kind != "object"
	}
	if q := take(bounding(c), number); q != nil {
		p.Limit = q.Name
		p.Default, p.Most = bounds(q.Schema)
	}
	q := take(cursors, func(q *openapi.Parameter) bool { return scalar(q) && in.cursory(q) })
	if q == nil {
		q = take(tokens(c), scalar)
	}
	if q != nil {
		p.Cursor = q.Name
		if q := take(befores, scalar); q != nil {
			p.Before = q.Name
		}
	}
	if q := take(pages, scalar); q != nil {
		if in.kind(q.Schema) == "string" && strings.Contains(strings.ToLower(q.Node.Get("description").Text()), "token") {
			p.Cursor = q.Name
		} else {
			p.Page, p.First = q.Name, firstPage(q)
		}
	}
	if q := take(offsets, number); q != nil {
		p.Offset = q.Name
	}
}

// bounding gives the names of limits. Where first stands beside another one, it
// says where a page begins: ?first=20&max=10.
func bounding(c *call) []string {
	others := slices.DeleteFunc(slices.Clone(limits), func(name string) bool { return name == "first" })
	if slices.ContainsFunc(others, func(name string) bool { return c.parameter("query", name) != nil }) {
		return others
	}
	return limits
}

// tokens names the parameters that speak of a cursor by a part of their names.
func tokens(c *call) []string {
	var names []string
	for i, name := range c.names {
		for _, part := range []string{"cursor", "pagetoken", "nexttoken", "batchtoken", "continuationtoken", "paginationtoken"} {
			if c.params[i].In == "query" && strings.Contains(name, part) && !strings.Contains(name, "prev") && !strings.Contains(name, "before") {
				names = append(names, name)
			}
		}
	}
	return names
}

// firstPage is the number that the first page has: 0 where its parameter's
// default, example, least value or description says so.
func firstPage(q *openapi.Parameter) int {
	v := q.Schema.View()
	for _, shown := range []*document.Node{v.Default, q.Node.Get("example"), v.Example} {
		if n, ok := shown.Count(); ok {
			return min(n, 1)
		}
	}
	if v.Low != nil && *v.Low == 0 || fromZero().MatchString(q.Node.Get("description").Text()+" "+v.Description) {
		return 0
	}
	return 1
}

var fromZero = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)zero[- ](based|indexed)|0[- ](based|indexed)|(start|begin|count)(s|ing)? (from|at|with) (0|zero)\b|first page is (0|zero)\b`)
})

// cursory tells whether a parameter is no date: after and next may be.
func (in *inference) cursory(q *openapi.Parameter) bool {
	format := q.Schema.View().Format
	return format != "date-time" && format != "date"
}

func bounds(s *schema.Schema) (usual, most int) {
	v := s.View()
	usual, _ = v.Default.Count()
	if v.High != nil && *v.High >= 1 && *v.High < 1e6 {
		most = int(*v.High)
	}
	return usual, most
}

// deepPage finds a parameter page that is an object.
func deepPage(c *call) *openapi.Parameter {
	for i := range c.params {
		if p := &c.params[i]; p.In == "query" && (strings.HasPrefix(p.Name, "page[") || p.Name == "page" && p.Style == "deepObject") {
			return p
		}
	}
	return nil
}

// deep reads page[size], page[number], page[cursor] as their canonical names
// are: pagesize, pagenumber, pagecursor.
func (in *inference) deep(p *Paging, c *call, used map[string]bool) {
	q := deepPage(c)
	if q.Style != "deepObject" {
		return
	}
	shape := in.shape(q.Schema)
	for i := range shape.fields {
		f := &shape.fields[i]
		name := q.Name + "[" + f.name + "]"
		switch canon(f.name) {
		case "size", "limit":
			p.Limit = name
			p.Default, p.Most = bounds(f.schema)
		case "number":
			p.Page, p.First = name, 1
		case "offset":
			p.Offset = name
		case "after", "cursor":
			p.Cursor = name
		}
	}
	if p.Page == q.Name {
		p.Page = ""
	}
	used[q.Name] = true
}

// style says which way of paging it is.
func (in *inference) style(p *Paging, c *call) {
	linked := false
	for i := range c.responses {
		if c.responses[i].Status != c.status {
			continue
		}
		for _, h := range c.responses[i].Headers {
			linked = linked || strings.EqualFold(h.Name, "Link")
		}
	}
	if q := c.parameter("query", canon(p.Page)); q != nil && p.Cursor == "" && in.kind(q.Schema) == "string" && p.Next != "" && !p.IsURL &&
		in.kind(in.at(c.gives(), p.Next)) == "string" {
		p.Cursor, p.Page, p.First = p.Page, "", 0
	}
	if q := c.parameter("query", canon(p.Offset)); q != nil && p.Offset != "" && in.kind(q.Schema) == "string" {
		if p.Next != "" && !p.IsURL && p.Cursor == "" && in.kind(in.at(c.gives(), p.Next)) == "string" {
			p.Cursor = p.Offset // a token that the page before has told
			p.Offset = ""
		}
	}
	if p.Cursor == "" && p.Offset == "" && p.Page == "" && p.Next != "" && !p.IsURL { // the next page is asked for by what is said to end it
		for _, name := range befores {
			if q := c.parameter("query", name); q != nil && p.Cursor == "" && in.kind(in.at(c.gives(), p.Next)) == in.kind(q.Schema) {
				p.Cursor = q.Name
			}
		}
	}
	switch {
	case p.Cursor != "":
		p.Style = "cursor"
	case p.Offset != "":
		p.Style = "offset"
	case p.Page != "":
		p.Style = "page"
	}
	if linked && p.Next == "" && p.Cursor == "" {
		p.Style = "link"
	}
	if p.Style == "none" && p.Next != "" && p.IsURL {
		p.Style = "link"
	}
}

// at follows a JSON pointer of names into a schema.
func (in *inference) at(s *schema.Schema, pointer string) *schema.Schema {
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		f := in.shape(s).get(canon(name))
		if f == nil {
			return nil
		}
		s = f.schema
	}
	return s
}
