package slack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"parity/fakes/world"
	"parity/specs"
)

// odd are values that no argument expects, and some that one does.
var odd = []any{
	nil, "", " ", "x", "C0GENERAL01", "U0PERSON002", "-1", "0", "1e400", "1700000000.000100", "99999999999999999999", "🎉", strings.Repeat("é", 5000),
	true, false, 0, -5, 3.5, 1e300,
	[]any{},
	[]any{nil, 1, "x", map[string]any{}},
	[]any{map[string]any{"type": 7}},
	[]any{[]any{}},
	map[string]any{},
	map[string]any{"type": []any{}, "blocks": map[string]any{}},
	map[string]any{"type": "modal", "title": "x", "blocks": []any{1}},
	`[{"type":"section","text":7}]`, `[{"type":"section","fields":[1,{"type":"mrkdwn"}]}]`, `[{"id":null}]`, `{"event_type":1}`, "dGVhbTpD", "bmV4dF90czp4", `[`,
	`[{"type":"header","text":{"type":"plain_text"}}]`, "modal", `{"type":"home","blocks":[{"type":"divider","block_id":9}]}`, "C0GENERAL01,C0GENERAL01", "in:#x from: \"",
}

// arguments lists what an operation takes: the same in its query and its body.
func arguments(o *specs.Operation) []string {
	var names []string
	parameters, _ := o.Source().Parameters()
	for i := range parameters {
		if parameters[i].Name != "token" {
			names = append(names, parameters[i].Name)
		}
	}
	return names
}

// Whatever is sent, each method has an answer that its contract allows: the rig
// holds each reply against it, and a panic ends the test.
func TestOddArguments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ts := r.post(general, "here")
	fine := map[string]any{
		"channel": general, "channel_id": general, "ts": ts, "timestamp": ts, "message_ts": ts, "name": "tada", "user": ahmed, "users": ahmed, "text": "x",
		"view": `{"type":"home","blocks":[]}`, "user_id": ahmed, "files": `[{"id":"F1"}]`, "title": "t", "type": "link", "link": "https://a.example", "query": "x", "post_at": "1900000000",
	}
	for _, o := range r.Service.Contract.Operations {
		if o.Method != "POST" || !strings.HasPrefix(o.Path, "/api/") || strings.Contains(o.Path, "{") || o.ID == "auth_revoke" {
			continue
		}
		for _, name := range arguments(o) {
			for i, value := range odd {
				body := map[string]any{}
				for other, usual := range fine {
					body[other] = usual
				}
				body[name] = value
				text, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				token := asBot
				if i%2 == 0 {
					token = asUser
				}
				g := r.Send("POST", o.Path, string(text), "Content-Type", "application/json", "Authorization", token+strings.Repeat("x", i))
				if g.Status != 200 && g.Status != 429 {
					t.Errorf("%s %s=%v: %d", o.Path, name, value, g.Status)
				}
			}
		}
	}
}

// The same calls give the same world.
func TestTwiceTheSame(t *testing.T) {
	t.Parallel()
	play := func() string {
		r := newRig(t)
		r.Fill(endpoint)
		id := r.channel("twice")
		ts := r.post(id, "one <@"+bot+">")
		r.post(id, "two", "thread_ts", ts)
		r.ok("reactions.add", "channel", id, "timestamp", ts, "name", "eyes")
		r.upload("a.txt", "abc")
		r.ok("conversations.open", "users", ahmed+","+mei)
		r.ok("chat.delete", "channel", id, "ts", ts)
		var all []string
		for _, name := range r.World.Collections() {
			for record := range r.World.Oldest(name, 0) {
				all = append(all, name+" "+record.ID+" "+string(world.Encode(record.Value())))
			}
		}
		return strings.Join(all, "\n")
	}
	if a, b := play(), play(); a != b {
		t.Error("two worlds")
	}
}
