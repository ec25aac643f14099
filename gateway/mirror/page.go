package mirror

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"parity/fakes/cast"
	"parity/specs"
)

var nextLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<([^>]+)>\s*;[^,]*\brel="?next"?`)
})

// nextPage gives the address of the page after one, which was asked for by a query.
func nextPage(e *Exchange, query string) (path, next string, more bool) {
	a := &e.Operation.Anatomy
	u, err := url.Parse(e.Request.URL)
	items, _ := e.items()
	if err != nil || len(items) == 0 {
		return "", "", false
	}
	if a.More != "" {
		if v, ok := specs.ValueAt(e.Said, a.More); ok && v == false {
			return "", "", false
		}
	}
	if m := nextLink().FindStringSubmatch(e.Response.Value("link")); m != nil {
		return onward(u, m[1])
	}
	for _, at := range a.Next {
		v, _ := specs.ValueAt(e.Said, at)
		text := cast.Plain(v)
		switch {
		case text == "":
		case strings.Contains(text, "://"), strings.HasPrefix(text, "/"):
			return onward(u, text)
		case a.Cursor != "":
			return u.EscapedPath(), with(query, a.Cursor, text), true
		}
	}
	switch {
	case a.More != "" && len(a.Next) == 0 && a.Cursor != "" && a.Offset == "" && a.Page == "":
		return u.EscapedPath(), with(query, a.Cursor, identity(cast.Object(items[len(items)-1]), a.ID)), true
	case a.Offset != "" && len(a.Next) == 0:
		had, _ := strconv.Atoi(u.Query().Get(a.Offset))
		return u.EscapedPath(), with(query, a.Offset, strconv.Itoa(had+len(items))), true
	case a.Page != "" && len(a.Next) == 0 && !a.Link:
		at := a.First
		if n, err := strconv.Atoi(u.Query().Get(a.Page)); err == nil {
			at = n
		}
		return u.EscapedPath(), with(query, a.Page, strconv.Itoa(at+1)), true
	}
	return "", "", false
}

// onward is the path and query of an address that a reply names: whatever its host,
// it is asked of where this reply came from.
func onward(from *url.URL, text string) (path, query string, ok bool) {
	u, err := from.Parse(text)
	if err != nil {
		return "", "", false
	}
	return u.EscapedPath(), u.RawQuery, true
}

// with is a query with another value of one parameter.
func with(query, name, value string) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		values = url.Values{}
	}
	values.Set(name, value)
	return values.Encode()
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Path == "" {
		return "/"
	}
	return u.EscapedPath()
}
