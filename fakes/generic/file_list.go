package generic

import (
	"maps"
	"slices"
	"strings"

	"parity/specs/anatomy"
	"parity/specs/document"
)

// list gives a paging as the file corrects it: what it does not name stays as
// it was inferred, and "" says that there is none.
func (b *file) list(n *document.Node, inferred *anatomy.Paging, f *form) *anatomy.Paging {
	p := *inferred
	for key, into := range map[string]*string{
		"limit": &p.Limit, "cursor": &p.Cursor, "before": &p.Before, "offset": &p.Offset, "page": &p.Page,
		"sort": &p.Sort, "direction": &p.Order, "query": &p.Query,
	} {
		if name, ok := b.text(n.Get(key)); ok {
			*into = name
		}
	}
	for key, into := range map[string]*string{"items": &p.Items, "next": &p.Next, "more": &p.More, "total": &p.Total, "prev": &p.Prev} {
		if at, ok := b.pointer(n.Get(key)); ok {
			*into = at
		}
	}
	for key, into := range map[string]*int{"default": &p.Default, "most": &p.Most, "first": &p.First} {
		if c, ok := b.count(n.Get(key)); ok {
			*into = c
		}
	}
	if style, ok := b.choice(n.Get("style"), "cursor", "offset", "page", "link", "none"); ok {
		p.Style = style
	} else if p.Style == "none" { // a parameter that the file names says how
		for _, way := range [][2]string{{p.Cursor, "cursor"}, {p.Offset, "offset"}, {p.Page, "page"}} {
			if way[0] != "" && p.Style == "none" {
				p.Style = way[1]
			}
		}
	}
	if begins, ok := b.text(n.Get("begins")); ok && begins == "oldest" {
		p.Down = false
	}
	if at := n.Get("url"); at.Text() == "path" {
		p.IsURL, p.Local = true, true
	} else if isURL, ok := b.flag(at); ok {
		p.IsURL, p.Local = isURL, false
	}
	if echo := n.Get("echo"); b.optional(echo, "JSON pointers with the parameter that is repeated there") {
		p.Echo = b.table(echo)
	}
	if filters := n.Get("filters"); b.optional(filters, "parameters with the field that has to equal them") {
		p.Filters = b.table(filters)
		for i := range filters.Len() {
			b.field(filters.At(i), f, filters.At(i).Text())
		}
	}
	if ranges := n.Get("ranges"); b.optional(ranges, "parameters with a field and a bound, such as {min_amount: {field: amount, is: '>='}}") {
		p.Ranges = b.ranges(ranges, f)
	}
	return &p
}

// listKeys are the keys of list, checked once for all operations that have it.
func (b *file) listKeys(n *document.Node, own *rules) {
	b.object(n, "list", "items", "style", "limit", "default", "most", "cursor", "before", "offset", "page", "first", "next", "url", "more",
		"total", "prev", "echo", "filters", "ranges", "sort", "direction", "query", "begins")
	if begins, ok := b.choice(n.Get("begins"), "newest", "oldest"); ok && own != nil {
		own.newest = begins == "newest"
	}
	b.problems = slices.Compact(b.problems)
}

// idle warns of parameters that no list of a resource has: such a line does
// nothing.
func (b *file) idle(n *document.Node, r *anatomy.Resource) {
	known := map[string]bool{}
	for source, role := range b.fake.model.Roles {
		if role.Resource != r || role.List == nil {
			continue
		}
		parameters, _ := source.Parameters()
		for _, p := range parameters {
			known[p.Name] = true
		}
		if body, _ := source.Body(); body != nil {
			for _, m := range body.Content {
				for _, name := range formOf(m.Schema).names {
					known[name] = true
				}
			}
		}
	}
	tell := func(n *document.Node, name string) {
		if name, _, _ = strings.Cut(name, "["); name != "" && !known[name] && len(known) > 0 {
			b.warn(n, "no list of "+r.Name+" has a parameter "+name+": this does nothing unless a client sends it", "")
		}
	}
	for _, key := range []string{"limit", "cursor", "before", "offset", "page", "sort", "direction", "query"} {
		tell(n.Get(key), n.Get(key).Text())
	}
	for _, key := range []string{"filters", "ranges"} {
		for i := range n.Get(key).Len() {
			tell(n.Get(key).At(i), n.Get(key).At(i).Name)
		}
	}
}

func (b *file) table(n *document.Node) map[string]string {
	out := map[string]string{}
	for i := range n.Len() {
		if words, ok := b.text(n.At(i)); ok {
			out[n.At(i).Name] = words
		}
	}
	return out
}

func (b *file) ranges(n *document.Node, f *form) map[string]anatomy.Range {
	out := map[string]anatomy.Range{}
	for i := range n.Len() {
		v := n.At(i)
		if !b.object(v, v.Name, "field", "is") {
			continue
		}
		var bound anatomy.Range
		if name, ok := b.text(v.Get("field")); ok && b.field(v.Get("field"), f, name) {
			bound.Field = name
		}
		if is := v.Get("is"); is != nil {
			bound.Op, _ = b.choice(is, ">", ">=", "<", "<=")
		}
		out[v.Name] = bound
	}
	return out
}

// errors reads how refusals are worded.
func (b *file) errors(n *document.Node) {
	known := []string{
		"not_found", "already_exists", "precondition_failed", "invalid_request", "unauthorized", "method_not_allowed",
		"rate_limited", "invalid_transition", "invalid_reference", "invalid_value", "invalid_cursor", "patch_failed",
		"idempotency_key_in_use", "idempotency_key_reused", "unsupported_media_type", "too_large",
		"token_expired", "locked", "quota_exceeded", "gone",
	}
	if n == nil || !b.object(n, "errors", append([]string{"shape", "schema"}, known...)...) {
		return
	}
	for _, name := range known {
		if v := n.Get(name); v != nil {
			b.out.errors[name] = b.errorRule(v)
		}
	}
	model := &b.fake.model.Errors
	if name, ok := b.text(n.Get("schema")); ok {
		if s := b.fake.api.Component(name); s != nil {
			model.Schema = s
		} else {
			b.unknown(n.Get("schema"), "schema", name, b.components())
		}
	}
	shape := n.Get("shape")
	if shape == nil || !b.object(shape, "shape", "message", "code", "status", "field") {
		return
	}
	b.out.shape = map[string]string{}
	for i := range shape.Len() {
		if at, ok := b.pointer(shape.At(i)); ok {
			b.out.shape[shape.At(i).Name] = at
		}
	}
	places := maps.Clone(b.out.shape)
	model.Message, model.Code, model.Status = places["message"], places["code"], places["status"]
}

func (b *file) errorRule(n *document.Node) errorRule {
	var rule errorRule
	if !b.object(n, n.Name, "status", "code", "message") {
		return rule
	}
	if status, ok := b.count(n.Get("status")); ok {
		if status < 400 || status > 599 {
			b.wrong(n.Get("status"), "a refusal has a status from 400 to 599", "")
		}
		rule.status = status
	}
	if code := n.Get("code"); code.Is(document.Number) {
		rule.code, rule.number = code.Scalar(), true
	} else {
		rule.code, _ = b.text(code)
	}
	rule.message, _ = b.text(n.Get("message"))
	return rule
}
