package gateway_test

import (
	"fmt"
	"strings"
	"testing"
)

// A limit that operations share is one rule that names them: they use up one
// bucket, and whichever is refused is told of the same reset. per says whose
// bucket it is; another credential has its own where it says nothing.
func TestOperationsShareALimit(t *testing.T) {
	t.Parallel()
	const other = "Bearer sk_test_other0000000000000000000"
	list := ask{"GET", "https://memos.example/memos", ""}
	for name, c := range map[string]struct {
		rule string
		want string // status, and Retry-After, of: write, list, list, write of the same; list, write, of another credential
	}{
		"each identity has its own": {"call: [memos.listMemos, memos.createMemo], inject: rate-limit, with: {limit: 2, window: 1m, retry_after: 30s}", "201 200 429/30 429/29 200 201"},
		"a glob":                    {"call: memos *, inject: rate-limit, with: {limit: 2, window: 1m, retry_after: 30s}", "201 200 429/30 429/29 200 201"},
		"all share one":             {"call: [memos.listMemos, memos.createMemo], inject: rate-limit, with: {limit: 2, window: 1m, retry_after: 30s}, per: request.host", "201 200 429/30 429/29 429/28 429/27"},
		"in points":                 {"call: [memos.listMemos, memos.createMemo], inject: rate-limit, with: {limit: 6, cost: 3, window: 1m, retry_after: 30s}", "201 200 429/30 429/29 200 201"},
		"a quota":                   {"call: [memos.listMemos, memos.createMemo], inject: quota, with: {limit: 2, period: hour}", "201 200 429/3598 429/3597 200 201"},
		"one for each":              {"call: [memos.listMemos, memos.createMemo], inject: quota, with: {limit: 2, period: hour}, per: request.method", "201 200 200 201 429/3596 429/3595"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule := c.rule
			trigger := ""
			if before, per, ok := strings.Cut(rule, ", per: "); ok {
				rule, trigger = before, ", trigger: {per: "+per+"}"
			}
			b := newBench(t, "1s", "  shared: {"+rule+trigger+"}\n")
			var got []string
			for i, a := range []ask{writes, list, list, writes, list, writes} {
				var header []string
				if i > 3 {
					header = []string{"Authorization", other}
				}
				reply, _ := b.does(a, header...)
				said := fmt.Sprint(reply.StatusCode)
				if after := reply.Header.Get("Retry-After"); after != "" {
					said += "/" + after
				}
				got = append(got, said)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("answered %s, want %s", strings.Join(got, " "), c.want)
			}
			b.replays()
		})
	}
}
