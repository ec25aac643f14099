package slack_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/fakes/faketest"
)

func TestMessyFixtureLoads(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join("..", "fixture", "library", "slack", "slack-messy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.Fill(string(content))
	names := r.ok("conversations.list", "limit", "50").Texts("channels", "name")
	for _, name := range []string{"incidents", "incident", "general-old", "京都-offsite"} {
		if !strings.Contains(strings.Join(names, " "), name) {
			t.Errorf("no %s in %v", name, names)
		}
	}
	thread := r.ok("conversations.replies", "channel", "C0MESSYINC1", "ts", "1583201469.000200")
	faketest.Want(t, thread, map[string]any{"messages.0.reply_count": 3, "messages.0.user": "U0MESSYDANA", "messages.3.text": "it expired."})
	faketest.Want(t, r.ok("users.info", "user", "U0MESSYTKYO"), map[string]any{"user.tz_offset": 32400, "user.profile.display_name": "太郎", "user.is_bot": false, "user.profile.team": "T0PARITY01"})
	if r.ok("users.info", "user", "U0MESSYNOML").At("user.profile.email") != nil {
		t.Error("an email that nobody has")
	}
	r.refused("user_disabled", "chat.postMessage", "channel", "U0MESSYLEFT", "text", "hi")
	faketest.Want(t, r.ok("pins.list", "channel", "C0MESSYSUPP"), map[string]any{"items.0.message.ts": "1622532600.000300"})
	if len(r.Outbox()) != 0 || len(r.Deliveries()) != 0 {
		t.Error("what was there before counts as sent")
	}
	r.by(asUser, func(r rig) {
		if got := r.ok("search.messages", "query", "refund in:support-emea").Text("messages.total"); got != "2" {
			t.Errorf("%s found", got)
		}
	})
}
