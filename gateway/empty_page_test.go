package gateway_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// An empty page that leads on is not the end of a list: who follows it gets
// each item once, of each service whose pages say where they lead.
func TestAnEmptyPageLeadsOn(t *testing.T) {
	t.Parallel()
	triggers := []struct {
		rule  string
		empty int
	}{{", trigger: {nth: 1}", 1}, {", trigger: {nth: 2}", 1}, {"", -1}}
	for turn, l := range pagedLists() {
		if l.name == "sendgrid" {
			l.first.target = strings.Replace(l.first.target, "page_size=3", "page_size=1", 1)
		}
		if l.name == "stripe" { // its clients go on by the last item, which an empty page has not
			continue
		}
		for _, c := range sampled(t, triggers, turn) {
			trigger, empty := c.rule, c.empty
			t.Run(l.name+trigger, func(t *testing.T) {
				t.Parallel()
				r := l.open(t, "inject: partial-page, with: {drop: 100%}"+trigger)
				read := r.all()
				var whole [][]string
				for _, page := range read {
					if len(page) > 0 {
						whole = append(whole, page)
					}
				}
				n := len(read) - len(whole)
				if l.name == "github" && n == len(whole)+1 {
					n-- // its links lead to the repository by its number, which is another list
				}
				if empty > 0 && n != empty || empty < 0 && n != len(whole) {
					t.Errorf("%d pages are empty: %v", n, read)
				}
				fired := r.fired()
				if left := len(read) - len(whole); len(fired) != left {
					t.Errorf("recorded %q, with %d empty pages", fired, left)
				}
				all := slices.Concat(whole...)
				after := slices.IndexFunc(read, func(page []string) bool { return len(page) == 0 }) + 1
				if l.name == "github" && len(read[after]) == 0 {
					after++
				}
				if want := fmt.Sprintf("left out %d of %d items; the next page begins with them ", len(read[after]), len(read[after])); !strings.HasPrefix(fired[0], want) {
					t.Errorf("recorded %s, want %s", fired[0], want)
				}
				calm := l.open(t, "inject: latency, with: {fixed: 1ms}")
				if want := slices.Concat(calm.all()...); !slices.Equal(all, want) {
					t.Errorf("following gave %v, not %v", read, want)
				}
				calm.close()
				r.replays()
			})
		}
	}
}
