package notion

import (
	"cmp"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// A hit is a page or data source as the search index shows it.
type hit struct {
	kind  string
	id    string
	value map[string]any
}

// search finds pages and data sources by their titles, as the index has them.
func search(c *call) (map[string]any, *refusal) {
	body := c.body()
	size, cursor, refused := c.bodyPage()
	if refused != nil {
		return nil, refused
	}
	if wrong := first(body.at("query").optional(func(p place) problem { return p.isText(maxContent) }), body.only("query", "sort", "filter", "start_cursor", "page_size")); wrong != nil {
		return nil, invalid("body", wrong)
	}
	kind, trash, wrong := c.searched(body.at("filter"))
	if wrong != nil {
		return nil, invalid("body", wrong)
	}
	sign, refused := searchOrder(body.at("sort"))
	if refused != nil {
		return nil, refused
	}
	query, _ := body.at("query").value.(string)
	hits := c.hits(strings.Fields(strings.ToLower(query)), kind, trash)
	slices.SortStableFunc(hits, func(a, b hit) int {
		return sign * cmp.Compare(kit.Text(a.value, "last_edited_time"), kit.Text(b.value, "last_edited_time"))
	})
	found, next, refused := window(slices.Values(hits), func(h hit) string { return h.id }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := []any{}
	for _, h := range found {
		if h.kind == pages {
			results = append(results, c.showPage(h.value, nil))
		} else {
			results = append(results, c.showDataSource(h.value))
		}
	}
	if !c.since(v20250903) {
		return listed("page_or_database", results, next), nil
	}
	return listed("page_or_data_source", results, next), nil
}

// searched reads what kind of objects to find.
func (c *call) searched(at place) (kind string, trash bool, wrong problem) {
	if !at.sent || at.null() || len(cast.Object(at.value)) == 0 && at.isObject() == nil {
		return "", false, nil
	}
	if wrong := at.isObject(); wrong != nil {
		return "", false, wrong
	}
	trash = at.at("in_trash").value == true
	value, property := at.at("value"), at.at("property")
	if at.at("in_trash").sent && !value.sent {
		return "", trash, nil
	}
	second := "data_source"
	if !c.since(v20250903) {
		second = "database"
	}
	if wrong := first(value.isOne("page", second), property.isOne("object")); wrong != nil {
		return "", false, wrong
	}
	if value.value == "page" {
		return pages, trash, nil
	}
	return dataSources, trash, nil
}

// searchOrder reads the sort: 1 for the oldest first.
func searchOrder(at place) (int, *refusal) {
	if !at.sent || at.null() || at.at("property").value == "relevance" {
		return -1, nil
	}
	if wrong := first(at.isObject(), at.at("direction").isOneOrNone("ascending", "descending")); wrong != nil {
		return 0, invalid("body", wrong)
	}
	if at.at("timestamp").value != "last_edited_time" {
		return 0, refuse(`body.sort.timestamp should be "last_edited_time" when sorting by timestamp.`)
	}
	if at.at("direction").value == "ascending" {
		return 1, nil
	}
	return -1, nil
}

// hits are what the index shows of pages and data sources that have all of the
// words in their titles, the newest first.
func (c *call) hits(words []string, only string, trash bool) []hit {
	var all []hit
	for _, kind := range []string{pages, dataSources} {
		if only != "" && only != kind {
			continue
		}
		for r := range c.Tx.Newest(c.fake.store.Full(kind), 0) {
			shown := c.fake.index.See(c.Tx, r.ID, r.Value(), c.Now)
			if shown == nil || trashed(shown) != trash || shown["as_template"] != nil || len(words) > 0 && !called(shown, words) {
				continue
			}
			if (trash || !c.buried(r.Value())) && c.shared(r.Value()) {
				all = append(all, hit{kind, r.ID, shown})
			}
		}
	}
	return all
}

func called(value map[string]any, words []string) bool {
	title := plainText(value["title"])
	if kit.Text(value, "object") == "page" {
		title = titleOfPage(value)
	}
	title = strings.ToLower(title)
	for _, word := range words {
		if !strings.Contains(title, word) {
			return false
		}
	}
	return true
}
