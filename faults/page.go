package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"parity/fakes/world"
	"parity/specs"
	"parity/specs/body"
)

// A page is a reply read as part of a list.
//
//	{"data": [ … ], "has_more": true, "next": "c2", "total": 41}
//	          items       more           next        total        and Link: <…>; rel="next"
type page struct {
	anatomy *specs.Anatomy
	value   any
	items   []any
	header  http.Header
	before  int64 // items of the list that come before it; below 0: not known
}

// goesOn tells whether a list shows by its pages that there are more: by saying
// so, or where pages are counted, by how many items it has in all.
func goesOn(a *specs.Anatomy) bool { return a.More != "" || len(a.Next) > 0 || a.Link || counts(a) }

// counts tells a list whose pages say no more than how many items there are.
func counts(a *specs.Anatomy) bool {
	return a.Total != "" && (a.Page != "" || a.Offset != "") && a.More == "" && len(a.Next) == 0 && !a.Link
}

// pageOf reads a page; nil where there is no list in the reply.
func pageOf(op *specs.Operation, status int, header http.Header, data []byte) *page {
	if !op.Anatomy.List || status/100 != 2 {
		return nil
	}
	value, wrong := body.DecodeJSON(data)
	if wrong != nil {
		return nil
	}
	found, _ := specs.ValueAt(value, op.Anatomy.Items)
	items, ok := found.([]any)
	if !ok {
		return nil
	}
	return &page{anatomy: &op.Anatomy, value: value, items: items, header: header, before: -1}
}

// FindsNothing tells whether a reply says that nothing is there: a list without items,
// a status, or an error within a success, as Slack words it.
func FindsNothing(op *specs.Operation, status int, reply []byte) bool {
	if status == http.StatusNotFound {
		return true
	}
	if p := pageOf(op, status, nil, reply); p != nil {
		return len(p.items) == 0
	}
	var answer struct {
		OK    *bool  `json:"ok"`
		Error string `json:"error"`
	}
	return json.Unmarshal(reply, &answer) == nil && answer.OK != nil && !*answer.OK && strings.HasSuffix(answer.Error, "_not_found")
}

// pageAsked reads the page that answers a request.
func pageAsked(op *specs.Operation, in specs.Input, status int, header http.Header, data []byte) *page {
	p := pageOf(op, status, header, data)
	if p == nil || !counts(&op.Anatomy) {
		return p
	}
	number, numbered := counted(in, op.Anatomy.Page)
	offset, _ := counted(in, op.Anatomy.Offset)
	size, sized := counted(in, limiter(&op.Anatomy, in))
	switch number -= int64(op.Anatomy.First); {
	case !numbered || number <= 0:
		p.before = offset
	case sized:
		p.before = number * size
	}
	return p
}

func (a *Answer) page() *page {
	return pageAsked(a.Call.Operation, a.Call.Input, a.Status, a.Header, a.Body)
}

// more tells whether the page says that there are more.
func (p *page) more() bool {
	if p.anatomy.More != "" {
		value, there := specs.ValueAt(p.value, p.anatomy.More)
		if flag, ok := value.(bool); there && ok {
			return flag
		}
		if there && truthy(value) {
			return true
		}
	}
	for _, pointer := range p.anatomy.Next {
		value, _ := specs.ValueAt(p.value, pointer)
		if _, text := value.(string); text && truthy(value) {
			return true
		}
	}
	if total, ok := specs.ValueAt(p.value, p.anatomy.Total); ok && counts(p.anatomy) && p.before >= 0 {
		all, err := strconv.ParseInt(idText(total), 10, 64)
		return err == nil && p.before+int64(len(p.items)) < all
	}
	return linked(p.header, "next") != ""
}

// ids lists what the items are named by; "" for those without a name.
func (p *page) ids() []string {
	ids := make([]string, len(p.items))
	for i, item := range p.items {
		ids[i] = p.idOf(item)
	}
	return ids
}

// idOf finds the id of an item: where the contract says, else by the names
// that services give to ids.
func (p *page) idOf(item any) string {
	fields, ok := item.(map[string]any)
	if !ok {
		return idText(item)
	}
	if p.anatomy.ID != "" {
		if id, ok := specs.ValueAt(item, "/"+strings.ReplaceAll(p.anatomy.ID, ".", "/")); ok && idText(id) != "" {
			return idText(id)
		}
	}
	for _, name := range []string{
		"id", "uuid", "uid", "vid", "companyId", "dealId", "listId", "sg_message_id", "msg_id", "api_key_id", "batch_id", "toObjectId", "ts", "key",
		"number", "login", "sha", "email", "name",
	} {
		if id := idText(fields[name]); id != "" {
			return id
		}
	}
	return ""
}

// idText writes an id as text; "" for what is none.
func idText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case nil, bool, map[string]any, []any:
		return ""
	}
	return string(world.Encode(value))
}

// without lists the ids of a page that another does not show.
func (p *page) without(other *page) []string {
	shown := map[string]bool{}
	for _, id := range other.ids() {
		shown[id] = true
	}
	var left []string
	for _, id := range p.ids() {
		if !shown[id] {
			left = append(left, id)
		}
	}
	return left
}

// hide has an answer say that there are no more, in the way that its contract
// allows: null, or nothing there, or an empty text.
func hide(a *Answer, p *page) {
	if more, ok := specs.ValueAt(p.value, p.anatomy.More); ok && p.anatomy.More != "" {
		if _, flag := more.(bool); flag {
			p.value = putAt(p.value, p.anatomy.More, false)
		} else {
			vanish(a, p, p.anatomy.More)
		}
	}
	for _, pointer := range p.anatomy.Next {
		vanish(a, p, pointer)
	}
	if total, _ := specs.ValueAt(p.value, p.anatomy.Total); counts(p.anatomy) && p.before >= 0 {
		shown, _ := specs.ValueAt(p.value, p.anatomy.Items)
		if items, ok := shown.([]any); ok && isNumber(total) { // it is all that says that there are more
			p.value = putAt(p.value, p.anatomy.Total, p.before+int64(len(items)))
		}
	}
	a.Put(p.value)
	unlink(a.Header, "next", "last")
}

func vanish(a *Answer, p *page, pointer string) {
	value, _ := specs.ValueAt(p.value, pointer)
	if _, text := value.(string); !truthy(value) || !text && !isObject(value) {
		return // a number stays, and is told apart by the flag beside it
	}
	whole := p.value
	for _, try := range []func(any){
		func(v any) { putAt(v, pointer, nil) },
		func(v any) { dropAt(v, pointer) },
		func(v any) { putAt(v, pointer, "") },
	} {
		other := duplicate(whole)
		try(other)
		if a.allows(other) {
			p.value = other
			return
		}
	}
}

func isNumber(value any) bool { _, ok := value.(int64); return ok }

func isObject(value any) bool { _, ok := value.(map[string]any); return ok }

// allows tells whether the contract has such a reply.
func (a *Answer) allows(value any) bool { return a.breaks(value) == 0 }

// breaks counts in how many ways the contract has no such reply.
func (a *Answer) breaks(value any) int {
	return len(a.Call.Operation.CheckReply(a.Status, a.Header.Get("Content-Type"), world.Encode(value)))
}

// linked gives the address that a Link header has for a relation; "" for none.
// Source: RFC 8288.
func linked(h http.Header, rel string) string {
	for _, link := range linksOf(h) {
		if strings.Contains(link, `rel="`+rel+`"`) {
			address, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(link), "<"), ">")
			return address
		}
	}
	return ""
}

// unlink takes relations out of a Link header.
func unlink(h http.Header, rels ...string) {
	var kept []string
	for _, link := range linksOf(h) {
		gone := false
		for _, rel := range rels {
			gone = gone || strings.Contains(link, `rel="`+rel+`"`)
		}
		if !gone {
			kept = append(kept, link)
		}
	}
	if h.Del("Link"); len(kept) > 0 {
		h.Set("Link", strings.Join(kept, ", "))
	}
}

// linksOf splits a Link header: a comma may stand inside an address.
func linksOf(h http.Header) []string {
	var links []string
	for _, line := range h.Values("Link") {
		from, inside := 0, false
		for i, c := range line {
			switch {
			case c == '<':
				inside = true
			case c == '>':
				inside = false
			case c == ',' && !inside:
				links, from = append(links, strings.TrimSpace(line[from:i])), i+1
			}
		}
		if rest := strings.TrimSpace(line[from:]); rest != "" {
			links = append(links, rest)
		}
	}
	return links
}

// ofItems is "3 of 5 items".
func ofItems(n, all int) string { return fmt.Sprintf("%d of %d items", n, all) }

// LeftOut reads, from the words for what a fault did, how many of how many items
// it left out of a page.
func LeftOut(did string) (left, all int, ok bool) {
	n, _ := fmt.Sscanf(did, "left out %d of %d items", &left, &all)
	return left, all, n == 2
}
