package github

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// The sizes of pages. More than the most is asked for in vain, not refused.
const (
	pageUsual = 30
	pageMost  = 100
)

// A slice of a list that is shown on one page.
type page struct {
	number, size, total int
}

// pageOf reads which page of a list a call asks for. What is no number counts
// for nothing, as at GitHub.
func (c *call) pageOf(total int) page {
	p := page{number: 1, size: pageUsual, total: total}
	if n, err := strconv.Atoi(c.query("per_page")); err == nil && n > 0 {
		p.size = min(n, pageMost)
	}
	if n, err := strconv.Atoi(c.query("page")); err == nil && n > 0 {
		p.number = n
	}
	return p
}

func (p page) bounds() (from, to int) {
	from = p.total
	if p.number-1 <= p.total/p.size {
		from = min((p.number-1)*p.size, p.total)
	}
	return from, min(from+p.size, p.total)
}

func (p page) last() int { return max(1, (p.total+p.size-1)/p.size) }

// listed answers with a page of a list, each item made when it is shown.
func listed[T any](c *call, all []T, show func(T) any) answer {
	items, p := paged(c, all, show)
	return answer{value: items, links: c.links(p)}
}

// counted answers with a page of a list inside an object that tells how many
// there are in all.
func counted[T any](c *call, field string, all []T, show func(T) any) answer {
	items, p := paged(c, all, show)
	return answer{value: map[string]any{"total_count": int64(len(all)), field: items}, links: c.links(p)}
}

func paged[T any](c *call, all []T, show func(T) any) ([]any, page) {
	p := c.pageOf(len(all))
	from, to := p.bounds()
	if told, ok := c.Tx.Get(countsCollection, c.listKey()); ok && cast.Int(told.Value()["last"]) == int64(len(all)) {
		p.total++ // the real service had more than it was asked to tell
	}
	items := make([]any, 0, to-from)
	for _, one := range all[from:to] {
		items = append(items, show(one))
	}
	return items, p
}

// listKey is where it is kept that a list had more than what was told of it.
func (c *call) listKey() string {
	parts := []string{"more", c.id}
	for _, name := range slices.Sorted(maps.Keys(c.Input.Path)) {
		parts = append(parts, strings.ToLower(c.Input.Path[name]))
	}
	return strings.Join(parts, "/")
}

// links makes the Link header; "" where all is on one page.
func (c *call) links(p page) string {
	if p.total <= p.size && p.number == 1 {
		return ""
	}
	var all []string
	add := func(rel string, number int) {
		all = append(all, "<"+c.address(number)+`>; rel="`+rel+`"`)
	}
	last := p.last()
	if p.number > 1 {
		add("prev", min(p.number-1, last))
	}
	if p.number < last {
		add("next", p.number+1)
		add("last", last)
	}
	if p.number > 1 {
		add("first", 1)
	}
	return strings.Join(all, ", ")
}

// address is that of another page of the list that a call reads: by the number
// of its repository, as GitHub gives it, where it has one.
func (c *call) address(number int) string {
	path := c.Operation.Path
	if rest, ok := strings.CutPrefix(path, "/repos/{owner}/{repo}"); ok {
		if repo, found := c.lookup(c.path("owner"), c.path("repo")); found {
			path = "/repositories/" + strconv.FormatInt(repo.rid(), 10) + rest
		}
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			segments[i] = escapePath(c.path(strings.Trim(name, "+}")))
		}
	}
	var query []string
	names := make([]string, 0, len(c.Input.Query))
	for one := range c.Input.Query {
		if one != "page" {
			names = append(names, one)
		}
	}
	slices.Sort(names)
	for _, one := range names {
		query = append(query, url.QueryEscape(one)+"="+url.QueryEscape(kit.Text(c.Input.Query, one)))
	}
	query = append(query, "page="+strconv.Itoa(number))
	return c.Base + strings.Join(segments, "/") + "?" + strings.Join(query, "&")
}

// escapePath escapes each segment of a path as GitHub does in addresses.
func escapePath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = strings.ReplaceAll(url.PathEscape(segment), "+", "%2B")
	}
	return strings.Join(segments, "/")
}
