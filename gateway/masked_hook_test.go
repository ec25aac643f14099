package gateway_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parity/gateway/client"
	"parity/gateway/kept"
)

// A run that went on from its record signed webhooks with the mark that its
// record has in the place of the hook's secret, and nothing told of it.
func TestAWebhookThatIsSignedWithAMarkSaysSo(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: hooks\nseed: 7\nservices: {github: {}}\n", shared)
	const secret = "canaryQ7xZ2mWv9"
	e := newEndpoint(t)
	e.shown = func(r *http.Request) string {
		return r.Header.Get("X-Github-Event") + " " + r.Header.Get("X-Right") + r.URL.RawQuery
	}
	e.saw = func(r *http.Request, body []byte) {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		r.Header.Set("X-Right", fmt.Sprint(r.Header.Get("X-Hub-Signature-256") == "sha256="+hex.EncodeToString(mac.Sum(nil))))
	}
	run := h.make(client.NewRun{Names: []string{"hooked"}})[0]
	at, asOwner := run.URLs.Base+"/github", []string{"Content-Type", "application/json", "Authorization", "Bearer ghp_tester0123456789"}
	send := func(c *http.Client, method, target, body string) map[string]any {
		t.Helper()
		status, said, _, err := call(t, c, method, target, body, asOwner...)
		if err != nil || status/100 != 2 {
			t.Fatalf("%s %s: %d %v %v", method, target, status, said, err)
		}
		return said
	}
	c := h.single()
	repo := fmt.Sprint("/repos/", send(c, "GET", at+"/user", "")["login"], "/shop")
	send(c, "POST", at+"/user/repos", `{"name":"shop"}`)
	send(c, "POST", at+repo+"/hooks", `{"config":{"url":"`+e.URL+`/?token=`+secret+`","content_type":"json","secret":"`+secret+`"},"events":["issues"]}`)
	made := uint64(len(h.eventsOf("hooked")))
	send(c, "POST", at+repo+"/issues", `{"title":"one"}`)
	h.advance("hooked", "2s")
	h.close()
	next := h.reopen()
	again := strings.Replace(at, h.Addr(), next.Addr(), 1)
	send(next.single(), "POST", again+repo+"/issues", `{"title":"two"}`)
	next.advance("hooked", "2s")
	branch, err := next.control().Fork(t.Context(), "hooked", client.Fork{At: made, Names: []string{"branch"}})
	if err != nil {
		t.Fatal(err)
	}
	send(next.single(), "POST", branch[0].URLs.Base+"/github"+repo+"/issues", `{"title":"three"}`)
	next.advance("branch", "2s")
	if seen := e.seen(); strings.Count(seen, "issues true") != 1 || strings.Count(seen, "issues falsetoken=(redacted-") != 2 {
		t.Errorf("sent: %s", seen)
	}
	next.close()
	for name, want := range map[string]string{"hooked": "[false false true]", "branch": "true]"} {
		kept, err := kept.Read(h.root, name)
		if err != nil {
			t.Fatal(err)
		}
		var masked []bool
		for _, event := range kept.Events {
			if event.Delivery != nil {
				masked = append(masked, event.Delivery.Masked)
			}
		}
		if got := fmt.Sprint(masked); !strings.HasSuffix(got, want) || !slices.Contains(masked, true) {
			t.Errorf("%s: deliveries are masked as %s, want %s", name, got, want)
		}
		var told strings.Builder
		if err := printTrace(&told, h.root, name); err != nil || !strings.Contains(told.String(), "with a mark in place of a secret, since") {
			t.Errorf("the trace: %v\n%s", err, told.String())
		}
		told.Reset()
		if code, err := replayRun(t.Context(), &told, h.root, name, ""); code != 0 || err != nil {
			t.Errorf("replay: %d %v\n%s", code, err, told.String())
		}
	}
}
