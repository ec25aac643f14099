package anatomy

import (
	"regexp"
	"slices"
	"strings"

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
		"odatacount", "count", "numfound", "recordcount", "resultcount", "totalobjects", "itemstotal", "nbhits", "totalhits", "recordstotal", "totalnumber",
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
	if c.method == "POST" && c.in != nil && !c.queried() {
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

// bodily is the same call with the fields of its body in place of a query.
func (in *inference) bodily(c *call) *call {
	other := *c
	other.params, other.names = nil, nil
	for _, f := range in.shape(c.takes()).fields {
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
		return kind != "array" && kind != "boolean"
	}
	if q := take(limits, number); q != nil {
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
	if v.Low != nil && *v.Low == 0 || fromZero.MatchString(q.Node.Get("description").Text()+" "+v.Description) {
		return 0
	}
	return 1
}

var fromZero = regexp.MustCompile(`(?i)zero[- ](based|indexed)|0[- ](based|indexed)|(start|begin|count)(s|ing)? (from|at|with) (0|zero)\b|first page is (0|zero)\b`)

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

// pointers finds what the reply says of other pages: beside the list, in what
// holds it, or in an object there that speaks of pages.
func (in *inference) pointers(p *Paging, c *call, s spot) {
	reply := c.gives()
	if reply == nil || s.path == "" {
		return
	}
	in.pointersIn(p, c, reply, "", 0)
	path, at := "", reply
	for _, name := range strings.Split(strings.TrimPrefix(s.path, "/"), "/") {
		f := in.shape(at).get(canon(name))
		if f == nil || in.kind(f.schema) != "object" {
			return
		}
		path, at = path+token(f.name), f.schema
		in.pointersIn(p, c, at, path, 0)
	}
}

func (in *inference) pointersIn(p *Paging, c *call, of *schema.Schema, path string, depth int) {
	shape := in.shape(of)
	if len(shape.fields) > 60 {
		return
	}
	if f := in.pointer(&p.Next, p, shape, path, nexts, "string integer number"); f != nil {
		p.IsURL = isURL(f)
	}
	in.pointer(&p.More, p, shape, path, mores, "boolean")
	in.pointer(&p.Total, p, shape, path, totals, "integer number string")
	in.pointer(&p.Prev, p, shape, path, prevs, "string integer number")
	for _, name := range []string{p.Limit, p.Offset, p.Page} {
		if f := shape.get(canon(name)); name != "" && f != nil && path+token(f.name) != p.Items && path+token(f.name) != p.Next && in.kind(f.schema) != "object" && in.kind(f.schema) != "array" {
			if p.Echo == nil {
				p.Echo = map[string]string{}
			}
			p.Echo[path+token(f.name)] = name
		}
	}
	if depth == 2 {
		return
	}
	for i := range shape.fields {
		f := &shape.fields[i]
		if name := canon(f.name); path+token(f.name) != p.Items && aboutPages(name) && in.kind(f.schema) == "object" {
			in.pointersIn(p, c, f.schema, path+token(f.name), depth+1)
		}
	}
	if p.Next == "" && depth == 0 {
		in.likely(p, shape, path)
	}
}

// pointer finds a field of one of some names: where it is an object, what in it
// is a cursor, an offset or an address.
func (in *inference) pointer(to *string, p *Paging, shape *shape, path string, names []string, kinds string) *field {
	if *to != "" {
		return nil
	}
	for _, name := range names {
		f := shape.get(name)
		if f == nil || path+token(f.name) == p.Items {
			continue
		}
		kind := in.kind(f.schema)
		if kind == "object" {
			if g := in.within(f, p); g != nil && strings.Contains(kinds, "string") {
				*to = path + token(f.name) + token(g.name)
				return g
			}
			continue
		}
		if kind == "" || strings.Contains(kinds, kind) {
			*to = path + token(f.name)
			return f
		}
	}
	return nil
}

// within finds what says where the next page begins in an object that is about
// it: the field that is named as the parameter is goes before others.
func (in *inference) within(f *field, p *Paging) *field {
	names := []string{canon(p.Cursor), canon(p.Offset), canon(p.Page), "href", "startingafter", "cursor", "pagetoken", "after", "token", "offset", "url", "uri"}
	for _, name := range names {
		g := in.shape(f.schema).get(name)
		if name == "" || g == nil {
			continue
		}
		if kind := in.kind(g.schema); kind != "object" && kind != "array" && kind != "boolean" {
			return g
		}
	}
	return nil
}

// aboutPages tells whether an object of that name speaks of pages.
func aboutPages(name string) bool {
	for _, part := range []string{"meta", "pag", "link", "cursor", "resultset", "resultinfo", "listinfo"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "info" || name == "next"
}

// likely takes for the next cursor what is named as the parameter is, or speaks
// of a cursor, where no field has one of the usual names.
func (in *inference) likely(p *Paging, shape *shape, path string) {
	if p.Cursor == "" {
		return
	}
	for i := range shape.fields {
		f := &shape.fields[i]
		name, at := canon(f.name), path+token(f.name)
		if in.kind(f.schema) != "string" || at == p.Items || at == p.Prev || slices.Contains([]string{"previous", "prev", "before"}, name) {
			continue
		}
		near := name == canon(p.Cursor) || strings.Contains(name, "next") || strings.Contains(name, "cursor") || strings.Contains(name, "continuation") ||
			strings.HasSuffix(name, "pagetoken")
		if near && !strings.Contains(name, "prev") && !strings.Contains(name, "before") && !strings.Contains(name, "start") {
			p.Next, p.IsURL = at, isURL(f)
			return
		}
	}
}

func isURL(f *field) bool {
	name := canon(f.name)
	v := f.schema.View()
	for _, part := range []string{"url", "uri", "link", "href"} {
		if strings.HasSuffix(name, part) {
			return true
		}
	}
	text := strings.ToLower(v.Description)
	return v.Format == "uri" || v.Format == "url" || v.Format == "uri-reference" || strings.HasPrefix(v.Example.Text(), "http") || strings.HasPrefix(v.Example.Text(), "/") ||
		strings.Contains(text, "url") || strings.Contains(text, "uri")
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
