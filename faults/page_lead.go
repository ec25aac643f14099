package faults

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parity/specs"
)

// An aim is where a page is to lead: to where a parameter has a value.
type aim struct {
	name, value string
	size        string // the parameter that limits a page, where an address is to have another value of it; "" leaves it
	most        string // that value; "": none
}

// leadTo has a page say that there are more, and where. like is a page that has
// more behind it: it shows how the service says so.
func (p *page) leadTo(a *Answer, like *page, to aim) {
	for _, pointer := range p.anatomy.Next {
		if value, there := specs.ValueAt(like.value, pointer); there {
			p.value = putAt(ensure(p.value, pointer), pointer, to.in(value))
		}
	}
	if more := p.anatomy.More; more != "" && !slices.Contains(p.anatomy.Next, more) {
		if value, there := specs.ValueAt(like.value, more); there {
			if _, counts := value.(int64); !counts {
				value = to.in(value)
			}
			p.value = putAt(ensure(p.value, more), more, value)
		}
	}
	a.Put(p.value)
	if next := linked(like.header, "next"); next != "" {
		unlink(a.Header, "next")
		a.Header.Set("Link", strings.Join(append(linksOf(a.Header), "<"+to.address(next)+`>; rel="next"`), ", "))
	}
}

// leadsBy gives the parameter that a page leads on by, and its value there; ""
// where it does not say.
func (p *page) leadsBy() (name, value string) {
	a := p.anatomy
	names := append(a.Cursors[:len(a.Cursors):len(a.Cursors)], a.Page, a.Offset)
	links := []string{linked(p.header, "next")}
	for _, pointer := range a.Next {
		at, _ := specs.ValueAt(p.value, pointer)
		links = append(links, textsOf(at)...)
	}
	for _, text := range links {
		u, err := url.Parse(text)
		if err != nil || !strings.Contains(text, "?") {
			continue
		}
		query := u.Query()
		for _, name := range names {
			if name != "" && query.Has(name) {
				return name, query.Get(name)
			}
		}
	}
	for _, text := range links {
		for _, name := range names {
			if name != "" && text != "" && !strings.Contains(text, "?") {
				return name, text
			}
		}
	}
	return "", ""
}

// textsOf are the texts and numbers of what a page says of the next one.
func textsOf(value any) []string {
	fields, ok := value.(map[string]any)
	if !ok {
		return []string{idText(value)}
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		all = append(all, textsOf(fields[name])...)
	}
	return all
}

// ensure makes the objects that hold what a pointer leads to.
func ensure(value any, pointer string) any {
	names := specs.PointerNames(pointer)
	for n := 1; n < len(names); n++ {
		outer := specs.Pointer(names[:n]...)
		if held, _ := specs.ValueAt(value, outer); !isObject(held) {
			value = putAt(value, outer, map[string]any{})
		}
	}
	return value
}

// in makes what a page says of the next one lead there.
func (to aim) in(shown any) any {
	switch v := shown.(type) {
	case string:
		if strings.Contains(v, "?") {
			return to.address(v)
		}
		return to.value
	case int64:
		if n, err := strconv.ParseInt(to.value, 10, 64); err == nil {
			return n
		}
	case map[string]any:
		other, _ := duplicate(v).(map[string]any)
		for key, inner := range other {
			other[key] = to.in(inner)
		}
		return other
	}
	return shown
}

// address is one with other values of parameters.
func (to aim) address(was string) string {
	u, err := url.Parse(was)
	if err != nil {
		return was
	}
	query := u.Query()
	query.Set(to.name, to.value)
	switch {
	case to.size == "":
	case to.most == "":
		query.Del(to.size)
	default:
		query.Set(to.size, to.most)
	}
	u.RawQuery = query.Encode()
	return u.String()
}
