package notion_test

import (
	"fmt"
	"slices"
	"testing"
)

// Pages of a query follow each other, and the last one reads no more than the
// first: it used to walk from the newest page to where its cursor stands.
func TestALaterPageOfAQueryReadsWhatItShows(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	source := tasks(r)
	var want []string
	for i := range 30 {
		want = append(want, r.Must(200, task(r, source, fmt.Sprint(i), nil)).Text("id"))
	}
	slices.Reverse(want)
	target := "/v1/data_sources/" + source + "/query"
	first := r.Steps("POST", target, `{"page_size":5}`)
	var got []string
	cursor := ""
	for range 10 {
		body := `{"page_size":5` + cursor + `}`
		if steps := r.Steps("POST", target, body); steps > first+2 { // it looks up the cursor
			t.Errorf("behind %d pages: %d steps, the first page took %d", len(got), steps, first)
		}
		page := r.Must(200, r.Send("POST", target, body, "Content-Type", "application/json"))
		got = append(got, page.IDs("results")...)
		if page.At("has_more") != true {
			break
		}
		cursor = `,"start_cursor":"` + page.Text("next_cursor") + `"`
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages\n%v, want\n%v", got, want)
	}
	r.Must(400, r.Send("POST", target, `{"start_cursor":"`+rootPage+`"}`, "Content-Type", "application/json"))
}
