package gateway_test

import (
	"fmt"
	"strings"
)

// notionDay has an agent keep a handbook for an afternoon. What production-like says
// of payments, sessions and queues is met there, and Notion has no part in it. The
// latency is cut, and the wait that it tells is 1 s in place of 3 s.
func notionDay() meeting {
	return meeting{
		profile: "notion-bad-day", play: notionAfternoon, more: `services: {notion: {fixtures: [notion-messy]}}
` + elsewhere + `  notion-latency: {with: {fixed: 1ms}}
  notion-refuse-for-a-while: {with: {retry_after: 1s}}
`,
		failed: []string{"always: bounded retries", "always: one effect per intent", "notion-lose-a-page", "notion-refuse-for-a-while", "notion-fall-over-now-and-then"},
	}
}

func notionAfternoon(a *hand) {
	for i := range 6 { // who is there
		a.sitsOut("GET", "notion", fmt.Sprint("/v1/users?page_size=", 2+i), nil)
	}
	note := object{"parent": object{"page_id": handbook}, "rich_text": []any{object{"text": object{"content": "Out of date."}}}}
	if a.careful {
		if r := a.says("POST", "notion", "/v1/comments", note); !r.fine() {
			a.sitsOut("GET", "notion", "/v1/comments?block_id="+handbook, nil)
		}
	} else {
		a.insists("POST", "notion", "/v1/comments", note)
	}
	for i := range 6 {
		a.countsTasks(4 + i)
	}
	for i := range 24 { // enough for what happens by chance
		title := object{"properties": object{"title": object{"title": []any{object{"text": object{"content": fmt.Sprint("Handbook ", i)}}}}}}
		a.sitsOut("PATCH", "notion", "/v1/pages/"+handbook, title)
	}
}

// countsTasks notes how many tasks there are: the naive client after one page, the
// careful one after the last.
func (a *hand) countsTasks(size int) {
	const query = "/v1/databases/" + board + "/query"
	r := a.sitsOut("POST", "notion", query, object{"page_size": size})
	for a.careful && strings.Contains(string(r.body), `"has_more":true`) {
		r = a.sitsOut("POST", "notion", query, object{"page_size": size, "start_cursor": r.at("next_cursor")})
	}
	text := []any{object{"text": object{"content": fmt.Sprint("Counted ", size)}}}
	a.sitsOut("POST", "notion", "/v1/comments", object{"parent": object{"page_id": handbook}, "rich_text": text})
}
