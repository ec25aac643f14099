package profiles_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parity/profiles"
)

const customers = `{"service": %q, "source": "https://api.stripe.com", "mirror": {"from": "upstream api.stripe.com", "at": %q, "sampled": "5%%, at most 500"}, "exchanges": [
  {"request": {"method": "GET", "url": "https://api.stripe.com/v1/customers"},
   "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": "{\"object\":\"list\",\"url\":\"/v1/customers\",\"has_more\":false,\"data\":[{\"id\":\"cus_1\",\"object\":\"customer\",\"created\":1767225600,\"email\":\"a@people.example\",\"livemode\":false}]}"}}
]}`

// A mirror says how old it is: to lint, once it is older than it may be, and in the
// known differences. All runs of a profile begin with one world of it.
func TestMirrorSaysHowOldItIs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, service, at, fresh string
		lint, wrong              string
	}{
		{"new", "stripe", "2026-11-27T12:00:00Z", "", "", ""},
		{"old", "stripe", "2026-11-25T12:00:00Z", "", "mirrors/stripe.json shows stripe as it was 60h ago, and 1d are fresh", ""},
		{"old and said so", "stripe", "2026-11-25T12:00:00Z", ", fresh: 72h", "", ""},
		{"new, and to be newer", "stripe", "2026-11-27T12:00:00Z", ", fresh: 1h", "12h ago, and 1h are fresh", ""},
		{"of another service", "slack", "2026-11-27T12:00:00Z", "", "", "is a conversation with slack, not with stripe"},
	} {
		dir := t.TempDir()
		writeAll(t, dir, map[string]string{
			"p.yaml":              "profile: p\nextends: [stripe]\nservices: {stripe: {fixtures: [mirrors/stripe.json]" + test.fresh + "}}\n",
			"mirrors/stripe.json": fmt.Sprintf(customers, test.service, test.at),
		})
		p, err := profiles.Load("./p.yaml", options(t, dir))
		if test.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := p.Silent.Error(); len(p.Silent) > 0 != (test.lint != "") || !strings.Contains(got, test.lint) || len(p.Warnings) > 0 {
			t.Errorf("%s: %s", test.name, got)
		}
		d := p.Differences[len(p.Differences)-1]
		if d.Name != profiles.MirrorAge || !strings.Contains(d.Here, "stripe (upstream api.stripe.com) as it was at 2026-11-2") || !strings.Contains(d.Here, "sampled: 5%") || len(d.Covers) != 1 {
			t.Errorf("%s: %+v", test.name, d)
		}
		if p.Start.Seed == nil || len(p.Mirrors()) != 1 || p.Aged(p.Mirrors()[0].At.Add(26*time.Hour)) != "Its age when the run was made: stripe 26h." {
			t.Errorf("%s: %v %v", test.name, p.Start.Seed, p.Mirrors())
		}
		if again, err := profiles.Parse("p.yaml", p.Content, options(t, dir)); err != nil || again.Start.Hash() != p.Start.Hash() {
			t.Errorf("%s: written down it is another one: %v", test.name, err)
		}
	}
}
