package gateway_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// A record that is younger than a cache was answered with 404 out of it, which
// no cache has of an id that nobody knew. It has the oldest version that there
// was, says how old that is, and has lists as they were.
func TestACacheHasTheOldestVersionOfWhatIsYoungerThanIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		makes, changes, reads, lists ask
		id, list, header             string
	}{
		"stripe": {
			makes: ask{"POST", "https://api.stripe.com/v1/customers", "name=Ada"}, changes: ask{"POST", "https://api.stripe.com/v1/customers/ID", "name=Eve"},
			reads: ask{"GET", "https://api.stripe.com/v1/customers/ID", ""}, lists: ask{"GET", "https://api.stripe.com/v1/customers", ""}, id: "id", list: "data",
		},
		"notes": {
			makes: ask{"POST", "https://notes.example/notes", `{"text":"Ada"}`}, changes: ask{"PATCH", "https://notes.example/notes/ID", `{"text":"Eve"}`},
			reads: ask{"GET", "https://notes.example/notes/ID", ""}, lists: ask{"GET", "https://notes.example/notes", ""}, id: "id", list: "items",
		},
		"slack": {
			makes: ask{"POST", "https://slack.com/api/conversations.create", `{"name":"ada"}`}, changes: ask{"POST", "https://slack.com/api/conversations.rename", `{"channel":"ID","name":"eve"}`},
			reads: ask{"GET", "https://slack.com/api/conversations.info?channel=ID", ""}, lists: ask{"GET", "https://slack.com/api/conversations.list", ""},
			id: "channel.id", list: "channels", header: bot,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, "profile: young\nseed: 7\nservices: {stripe: {}, slack: {fixtures: [slack-messy]}, notes: {contract: notes.yaml}}\nclock: {mode: stepped, step: 10s}\nfaults:\n"+
				"  cache: {call: [stripe GET *, notes GET *, slack GET *], inject: stale-cache, with: {age: 50s}}\n", beside(t, "notes.yaml", notes))
			b := &bench{h, h.proxied(false)}
			var with []string
			if c.header != "" {
				with = []string{"Authorization", c.header}
			}
			do := func(a ask, id string) (map[string]any, string, string) {
				a.target, a.body = strings.ReplaceAll(a.target, "ID", id), strings.ReplaceAll(a.body, "ID", id)
				reply, text := b.does(a, with...)
				var body map[string]any
				if err := json.Unmarshal([]byte(text), &body); err != nil {
					t.Fatalf("%s: %v %s", a.target, err, text)
				}
				return body, reply.Header.Get("Age"), text
			}
			made, _, _ := do(c.makes, "")
			id := at(made, c.id)
			do(c.changes, id)
			if _, age, text := do(c.reads, id); age != "20" || !strings.Contains(strings.ToLower(text), "ada") {
				t.Errorf("it shows, of age %q: %s; made %s", age, text, made)
			}
			if body, age, text := do(c.lists, id); age != "50" || strings.Contains(text, id) || body[c.list] == nil {
				t.Errorf("the list, of age %q: %s", age, text)
			}
			for range 2 {
				do(c.reads, id)
			}
			if _, age, text := do(c.reads, id); age != "50" || !strings.Contains(strings.ToLower(text), "eve") {
				t.Errorf("once it is older than the cache, of age %q: %s", age, text)
			}
			b.replays()
		})
	}
}
