package zendesk

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
)

// searchArticles finds published articles by words, those with most of them in
// the title first.
func searchArticles(c *call) (answer, *refusal) {
	asked := c.query("query")
	if asked == "" && c.query("label_names") == "" && c.query("section") == "" && c.query("category") == "" {
		return answer{}, titled(http.StatusBadRequest, "Parameter Missing", "One of the following parameters is required: query, category, section, label_names")
	}
	words := strings.Fields(strings.ToLower(strings.Trim(asked, `"`)))
	type ranked struct {
		shown map[string]any
		score int
	}
	var found []ranked
	for r := range c.Tx.Newest(full(articles), 0) {
		shown := c.fake.index.See(c.Tx, articles+"/"+r.ID, r.Value(), c.Now)
		if shown == nil || shown["draft"] == true || !c.narrowed(shown) {
			continue
		}
		score, all := 0, true
		for _, word := range words {
			inTitle, inBody := mentions(cast.Text(shown["title"]), word), mentions(bare(cast.Text(shown["body"])), word)
			labelled := slices.Contains(labelNames(shown["label_names"]), word)
			all = all && (inTitle || inBody || labelled)
			if inTitle {
				score += 10
			}
			if inBody || labelled {
				score++
			}
		}
		if all {
			found = append(found, ranked{with(c.render(shown), map[string]any{"snippet": snippet(cast.Text(shown["body"]), words), "result_type": "article"}), score})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return b.score - a.score })
	number, size, refused := c.pageNumber(mostPerPage)
	if refused != nil {
		return answer{}, refused
	}
	if _, sent := c.Input.Query["per_page"]; !sent {
		size = 25
	}
	total, skip := len(found), (number-1)*size
	results := []any{}
	for _, one := range found[min(skip, total):min(skip+size, total)] {
		results = append(results, one.shown)
	}
	value := map[string]any{"results": results, "count": int64(total), "next_page": nil, "previous_page": nil, "page": int64(number), "per_page": int64(size), "page_count": int64((total + size - 1) / size)}
	if skip+size < total {
		value["next_page"] = c.pageLink(number + 1)
	}
	if number > 1 {
		value["previous_page"] = c.pageLink(number - 1)
	}
	return answer{value: value}, nil
}

// narrowed holds an article against the filters of a search.
func (c *call) narrowed(shown map[string]any) bool {
	if locale := c.query("locale"); locale != "" && locale != "*" && !slices.Contains(strings.Split(strings.ToLower(locale), ","), strings.ToLower(cast.Text(shown["locale"]))) {
		return false
	}
	if section := c.query("section"); section != "" && !slices.Contains(ids(section), id(shown, "section_id")) {
		return false
	}
	if category := c.query("category"); category != "" {
		section, ok := c.find(sections, id(shown, "section_id"))
		if !ok || !slices.Contains(ids(category), id(section.Value(), "category_id")) {
			return false
		}
	}
	if wanted := labelNames(c.query("label_names")); len(wanted) > 0 && !slices.ContainsFunc(labelNames(shown["label_names"]), func(l string) bool { return slices.Contains(wanted, l) }) {
		return false
	}
	for parameter, t := range map[string]term{"created_after": {operator: ">"}, "created_before": {operator: "<"}, "updated_after": {operator: ">"}, "updated_before": {operator: "<"}} {
		if t.value = c.query(parameter); t.value != "" && !t.when(cast.Text(shown[strings.SplitN(parameter, "_", 2)[0]+"_at"]), c.Now) {
			return false
		}
	}
	return true
}

// snippet is the beginning of a text, with the words that were looked for marked.
func snippet(body string, words []string) string {
	parts := strings.Fields(bare(body))
	parts = parts[:min(len(parts), 40)]
	for i, part := range parts {
		if slices.ContainsFunc(words, func(w string) bool { return mentions(part, w) }) {
			parts[i] = "<em>" + part + "</em>"
		}
	}
	return strings.Join(parts, " ")
}
