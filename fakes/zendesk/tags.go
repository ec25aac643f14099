package zendesk

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
)

// tagCounts gives the tags of tickets and how many have each, those used most
// first.
func (c *call) tagCounts() []any {
	counts := map[string]int64{}
	for r := range c.Tx.Oldest(full(tickets), 0) {
		for _, tag := range list(r.Value()["tags"]) {
			counts[tag]++
		}
	}
	names := make([]string, 0, len(counts))
	for tag := range counts {
		names = append(names, tag)
	}
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return int(counts[b] - counts[a])
		}
		return strings.Compare(a, b)
	})
	out := make([]any, len(names))
	for i, tag := range names {
		out[i] = map[string]any{"name": tag, "count": counts[tag]}
	}
	return out
}

// listTags answers the tags in use. They are no records, so that a cursor is a
// place among them.
func listTags(c *call) (answer, *refusal) {
	all := c.tagCounts()
	page, cursor := c.Input.Query["page"].(map[string]any)
	if !cursor {
		number, size, refused := c.pageNumber(mostPerPage)
		if refused != nil {
			return answer{}, refused
		}
		from := min((number-1)*size, len(all))
		until := min(from+size, len(all))
		value := map[string]any{"tags": all[from:until], "count": int64(len(all)), "next_page": nil, "previous_page": nil}
		if until < len(all) {
			value["next_page"] = c.pageLink(number + 1)
		}
		if number > 1 {
			value["previous_page"] = c.pageLink(number - 1)
		}
		return answer{value: value}, nil
	}
	size := mostPerPage
	if n, ok := whole(page["size"]); ok && n > 0 {
		size = int(min(n, mostPerPage))
	}
	from, ok := place(page["after"])
	if before, said := place(page["before"]); said && before > 0 {
		from = max(0, before-1-size)
	} else if !ok {
		return answer{}, badPage("The cursor is not valid")
	}
	from = min(from, len(all))
	until := min(from+size, len(all))
	meta := map[string]any{"has_more": until < len(all), "after_cursor": nil, "before_cursor": nil}
	links := map[string]any{"prev": nil, "next": nil}
	if until > from {
		after, before := placed(until), placed(from+1)
		meta["after_cursor"], meta["before_cursor"] = after, before
		links["next"] = c.link(func(q url.Values) { q.Del("page[before]"); q.Set("page[after]", after) })
		links["prev"] = c.link(func(q url.Values) { q.Del("page[after]"); q.Set("page[before]", before) })
	}
	return answer{value: map[string]any{"tags": all[from:until], "meta": meta, "links": links}}, nil
}

func placed(n int) string { return base64.StdEncoding.EncodeToString([]byte("t" + strconv.Itoa(n))) }

func place(v any) (int, bool) {
	cursor := cast.Plain(v)
	if cursor == "" {
		return 0, true
	}
	data, err := base64.StdEncoding.DecodeString(cursor)
	if err != nil || len(data) < 2 || data[0] != 't' {
		return 0, false
	}
	n, err := strconv.Atoi(string(data[1:]))
	return n, err == nil && n >= 0
}

func countTags(c *call) (answer, *refusal) { return c.count(len(c.tagCounts())) }

// completeTags gives the tags that begin as asked.
func completeTags(c *call) (answer, *refusal) {
	begin, found := strings.ToLower(c.query("name")), []any{}
	if len(begin) < 2 {
		return answer{}, invalidAttribute("name", "at least 2 characters long", "api/v2/autocomplete/tags")
	}
	for _, one := range c.tagCounts() {
		if tag := cast.Text(one.(map[string]any)["name"]); strings.HasPrefix(tag, begin) {
			found = append(found, tag)
		}
	}
	return answer{value: map[string]any{"tags": found}}, nil
}
