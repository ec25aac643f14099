package overlay

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/specs"
)

// Bounds on the fake's own list of one call.
const (
	pageSize  = 100
	mostPages = 50
)

// A lister reads the fake's own list for a call, whatever page the call asks for.
type lister struct {
	*specs.Anatomy
	over Over
}

// parameters that say which page.
func (l lister) movers() []string {
	return slices.DeleteFunc(append(slices.Clone(l.Cursors), l.Cursor, l.Offset, l.Page), func(s string) bool { return s == "" })
}

// first tells whether a call asks for the first page.
func (l lister) first(call *fakes.Call) bool {
	for _, name := range l.movers() {
		v := given(call, name)
		if in, inner, nested := strings.Cut(strings.TrimSuffix(name, "]"), "["); nested {
			v = cast.Object(given(call, in))[inner]
		}
		text := cast.Plain(v)
		if text != "" && text != "0" && !(name == l.Page && text == strconv.Itoa(l.First)) {
			return false
		}
	}
	return true
}

// with is a call with a parameter; nil takes it away.
func set(call *fakes.Call, name string, v any) *fakes.Call {
	next := *call
	fields := &next.Input.Query
	if _, in := next.Input.Body[name]; in || next.Input.Body != nil && next.Operation.Method != http.MethodGet {
		fields = &next.Input.Body
	}
	*fields = maps.Clone(*fields)
	if *fields == nil {
		*fields = map[string]any{}
	}
	if in, inner, nested := strings.Cut(strings.TrimSuffix(name, "]"), "["); nested {
		held := maps.Clone(cast.Object((*fields)[in]))
		if held == nil {
			held = map[string]any{}
		}
		held[inner] = v
		if v == nil {
			delete(held, inner)
		}
		name, v = in, held
	}
	(*fields)[name] = v
	if v == nil || len(cast.Object(v)) == 0 && cast.Plain(v) == "" {
		delete(*fields, name)
	}
	return &next
}

// whole is a call for all of a list, from its begin; one for no list is as it is.
func (o Over) whole(call *fakes.Call) *fakes.Call {
	l := lister{&call.Operation.Anatomy, o}
	if !l.List {
		return call
	}
	next := call
	for _, name := range l.movers() {
		next = set(next, name, nil)
	}
	for _, name := range l.Limit {
		next = set(next, name, int64(pageSize))
	}
	return next
}

// all is the fake's whole list for a call, and what it refuses with where it does.
func (l lister) all(call *fakes.Call) (items []any, refused *fakes.Reply) {
	next := l.over.whole(call)
	reply := l.over.ask(next)
	if !good(reply) && len(l.Limit) > 0 { // it may be less
		for _, name := range l.Limit {
			next = set(next, name, given(call, name))
		}
		reply = l.over.ask(next)
	}
	if !good(reply) {
		return nil, &reply
	}
	for range mostPages {
		said, _ := parse(reply.Body)
		page := cast.List(at(said, l.Items))
		items = append(items, page...)
		name, v := l.after(next, reply, said, page, len(items))
		if v == nil || len(page) == 0 {
			break
		}
		next = set(next, name, v)
		if reply = l.over.ask(next); !good(reply) {
			break
		}
	}
	return items, nil
}

// after is what leads to the next page; nil where there is none.
func (l lister) after(call *fakes.Call, reply fakes.Reply, said any, page []any, sofar int) (name string, v any) {
	if l.More != "" && at(said, l.More) == false { // some have a link all the same
		return "", nil
	}
	for _, pointer := range l.Next {
		switch text := plain(at(said, pointer)); {
		case text == "":
		case strings.Contains(text, "?"):
			if u, err := url.Parse(text); err == nil {
				for _, mover := range l.movers() {
					if moved := u.Query().Get(mover); moved != "" {
						return mover, l.typed(mover, moved)
					}
				}
			}
		case l.Cursor != "":
			return l.Cursor, l.typed(l.Cursor, text)
		}
	}
	more := l.More != "" && at(said, l.More) == true || l.Link && strings.Contains(reply.Header.Get("Link"), `rel="next"`)
	total, _ := strconv.Atoi(plain(at(said, l.Total)))
	if l.Total != "" && sofar < total {
		more = true
	}
	switch {
	case !more || len(page) == 0:
	case l.Page != "" && l.Cursor == l.Page:
		now, _ := strconv.Atoi(cast.Plain(given(call, l.Page)))
		return l.Page, int64(max(now, l.First) + 1)
	case l.Offset != "":
		return l.Offset, int64(sofar)
	case l.Cursor != "" && len(l.Next) == 0:
		return l.Cursor, idIn(page[len(page)-1], l.ID)
	}
	return "", nil
}

func (l lister) typed(name, text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && (name == l.Page || name == l.Offset) {
		return n
	}
	return text
}

// totals corrects what headers say of how many there are.
func totals(h http.Header, by int) http.Header {
	clean := h.Clone()
	for _, name := range []string{"X-Total-Count", "X-Total", "Total-Count", "X-Pagination-Total-Count"} {
		if n, err := strconv.Atoi(h.Get(name)); err == nil {
			clean.Set(name, strconv.Itoa(max(n+by, 0)))
		}
	}
	return clean
}

// count corrects a total in a body.
func count(raw json.RawMessage, by int) json.RawMessage {
	if sum, ok := moved(raw, "0", json.Number(fmt.Sprint(by))); ok {
		return sum
	}
	return raw
}

// sorts are what a call says of the order that it wants, as one word each.
func sorts(call *fakes.Call) (words []string) {
	note := func(field, text string) {
		field = strings.ToLower(field)
		if text = squeeze(strings.FieldsFunc(text+" ", func(r rune) bool { return r == ' ' || r == ':' || r == ',' })[0]); len(text) > 3 && (strings.Contains(field, "sort") || strings.Contains(field, "order")) {
			words = append(words, text)
		}
	}
	walk("", call.Input.Query, 0, note)
	walk("", call.Input.Body, 0, note)
	return words
}
