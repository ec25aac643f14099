package anatomy

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/specs/openapi"
	"parity/specs/schema"
)

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

// mirrored takes for the cursor a parameter of an unusual name that the reply
// tells anew for each page: iterator beside iterator and prevIterator.
func (in *inference) mirrored(p *Paging, c *call, take taker) {
	if p.Cursor != "" || p.Page != "" || p.Offset != "" || p.Limit == "" {
		return
	}
	told := in.shape(c.gives())
	var names []string
	for i, name := range c.names {
		q := &c.params[i]
		f := told.get(name)
		if q.In != "query" || name == "" || in.kind(q.Schema) != "string" || q.Schema.View().Enum != nil {
			continue
		}
		if next := told.get("next" + name); next != nil && in.kind(next.schema) == "string" {
			names = append(names, name)
		} else if f != nil && in.kind(f.schema) == "string" && (told.get("prev"+name) != nil || told.get("previous"+name) != nil || turning().MatchString(f.schema.View().Description)) {
			names = append(names, name)
		}
	}
	if q := take(names, func(*openapi.Parameter) bool { return true }); q != nil {
		p.Cursor = q.Name
	}
}

// turning matches what is said of a cursor.
var turning = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)next (page|batch|set)|following page|cursor|continu|(more|further|next) results`)
})

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
