package anatomy

import (
	"parity/specs/schema"
)

// wrappers are names under which a body holds what it is about.
var wrappers = set("data", "result", "results", "item", "record", "response", "payload", "body", "entity", "resource", "object", "value",
	"content", "document", "output", "returnvalue", "responsedata", "model")

// shelves are names under which a reply holds a list.
var shelves = set("data", "items", "results", "result", "value", "values", "entries", "records", "list", "rows", "content", "contents",
	"elements", "objects", "nodes", "hits", "members", "resources", "docs", "documents", "entities", "collection", "edges", "page",
	"payload", "response", "member", "embedded", "children", "entry", "info", "item")

// pagers are fields of replies that speak of pages.
var pagers = set("hasmore", "next", "nextcursor", "nextpagetoken", "nextpage", "nextlink", "total", "totalcount", "count", "page", "pages",
	"pagination", "paging", "meta", "metadata", "links", "limit", "offset", "cursor", "nexttoken", "totalresults", "totalpages", "perpage",
	"pagesize", "nextpageuri", "pageinfo", "resultinfo", "self", "previous", "prev", "prevcursor", "totalitems", "size", "odatanextlink",
	"first", "last", "firstid", "lastid", "currentpage", "marker", "nextmarker", "etag", "kind", "object", "success", "status", "type", "ok", "message",
	"totalrows", "totalentries", "responsemetadata", "islast", "maxresults", "startat", "selflink", "apiversion", "start", "end", "firstpageuri", "previouspageuri",
	"lastpageuri", "uri", "numpages", "nextpageurl", "previouspageurl", "nexturl", "prevurl", "startindex", "itemsperpage", "truncated", "istruncated")

// A spot is a list in a reply.
type spot struct {
	path  string
	items *schema.Schema
	sure  int
}

// listed tells whether a reply is surely a list, record or no record.
func (in *inference) listed(reply, record *schema.Schema, word string) bool {
	s, ok := in.list(reply, record, word)
	return ok && s.sure >= 5
}

// list finds where a reply holds its list: record is what one of it looks like,
// nil where that is not known; word names the place in its path.
func (in *inference) list(reply, record *schema.Schema, word string) (spot, bool) {
	var best spot
	found := false
	in.spots(reply, record, word, "", 0, func(s spot) {
		if !found || s.sure > best.sure {
			best, found = s, true
		}
	})
	return best, found
}

func (in *inference) spots(reply, record *schema.Schema, word, path string, depth int, yield func(spot)) {
	switch in.kind(reply) {
	case "array":
		items := in.items(reply)
		s := spot{path: path, items: items, sure: 6}
		if record != nil && in.same(items, record) {
			s.sure += 6
		}
		yield(s)
		return
	case "object", "":
	default:
		return
	}
	shape := in.shape(reply)
	if len(shape.fields) == 0 {
		return
	}
	lists, paged := 0, 0
	for i := range shape.fields {
		f := &shape.fields[i]
		if in.kind(f.schema) == "array" {
			lists++
		} else if pagers[canon(f.name)] {
			paged++
		}
	}
	own := shape.get("id") != nil || shape.get("uuid") != nil
	for i := range shape.fields {
		f := &shape.fields[i]
		name := canon(f.name)
		switch in.kind(f.schema) {
		case "array":
			yield(spot{
				path: path + token(f.name), items: in.items(f.schema),
				sure: in.weigh(f, record, word, lists, paged, len(shape.fields), own) - depth,
			})
		case "object":
			if depth < 2 && (len(shape.fields) == 1 || wrappers[name] || shelves[name] || singular(name) == singular(word)) {
				in.spots(f.schema, record, word, path+token(f.name), depth+1, yield)
			}
		}
	}
}

// weigh says how sure it is that a field is the list: 5 and more is sure.
func (in *inference) weigh(f *field, record *schema.Schema, word string, lists, paged, fields int, own bool) int {
	name, items := canon(f.name), in.items(f.schema)
	sure := 0
	switch {
	case word != "" && singular(name) == singular(word):
		sure += 5
	case shelves[name]:
		sure += 4
	}
	if in.kind(items) == "object" {
		sure++
	}
	if lists == 1 {
		sure++
		if fields == 1 || paged > 0 && paged >= fields-2 {
			sure += 3
		}
	}
	switch {
	case record == nil:
	case in.core(items) == record:
		sure += 7
	case in.same(items, record):
		sure += 5
	}
	if own {
		sure -= 4
	}
	return sure
}

// unwrap finds where a body holds its one record.
func (in *inference) unwrap(body, record *schema.Schema, word string) Envelope {
	e := Envelope{Known: body != nil, Schema: body}
	if body == nil {
		return e
	}
	if record == nil {
		return in.guess(body, nil, word, e, 0)
	}
	if in.same(body, record) {
		e.Fits = true
		return e
	}
	if found, ok := in.seek(body, record, word, e, 0); ok {
		return found
	}
	guessed := in.guess(body, record, word, e, 0)
	guessed.Fits = in.overlap(guessed.Schema, record) >= 0.4
	return guessed
}

// seek looks for the record in a body.
func (in *inference) seek(body, record *schema.Schema, word string, e Envelope, depth int) (Envelope, bool) {
	if items := in.items(body); items != nil {
		if in.same(items, record) {
			return Envelope{Path: e.Path, Many: true, Known: true, Fits: true, Schema: items}, true
		}
		return e, false
	}
	shape := in.shape(body)
	if len(shape.fields) > 60 {
		return e, false
	}
	for i := range shape.fields {
		f := &shape.fields[i]
		path := e.Path + token(f.name)
		if in.kind(f.schema) == "object" && in.same(f.schema, record) {
			return Envelope{Path: path, Known: true, Fits: true, Schema: f.schema}, true
		}
		if items := in.items(f.schema); items != nil && in.same(items, record) {
			return Envelope{Path: path, Many: true, Known: true, Fits: true, Schema: items}, true
		}
	}
	if depth == 2 {
		return e, false
	}
	for i := range shape.fields {
		f := &shape.fields[i]
		if name := canon(f.name); in.kind(f.schema) == "object" && (len(shape.fields) == 1 || wrappers[name] || shelves[name] || singular(name) == singular(word)) {
			if found, ok := in.seek(f.schema, record, word, Envelope{Path: e.Path + token(f.name), Known: true, Schema: f.schema}, depth+1); ok {
				return found, true
			}
		}
	}
	return e, false
}

// guess goes by names alone, where no record is known, or nothing like it is
// found. What the record has a field for is that field, and nothing around it.
func (in *inference) guess(body, record *schema.Schema, word string, e Envelope, depth int) Envelope {
	if items := in.items(body); items != nil && in.kind(items) != "string" {
		e.Many, e.Schema = true, items
		return e
	}
	shape := in.shape(body)
	if depth == 3 || len(shape.fields) == 0 || shape.get("id") != nil || shape.get("uuid") != nil || shape.get("type") != nil && shape.get("attributes") != nil {
		return e
	}
	one := singular(word)
	for i := range shape.fields {
		f := &shape.fields[i]
		name := canon(f.name)
		own := one != "" && singular(name) == one || len(shape.fields) == 1 && in.kind(f.schema) == "object"
		if !own && (!wrappers[name] || len(shape.fields) > 6) || in.shape(record).get(name) != nil {
			continue
		}
		next := f.schema
		if items := in.items(f.schema); items != nil && in.kind(items) == "object" {
			return Envelope{Path: e.Path + token(f.name), Many: true, Known: true, Schema: items}
		}
		if in.kind(next) == "object" && len(in.shape(next).fields) > 0 && (len(shape.fields) <= 8 || name == one) {
			return in.guess(next, record, word, Envelope{Path: e.Path + token(f.name), Known: true, Schema: next}, depth+1)
		}
	}
	return e
}
