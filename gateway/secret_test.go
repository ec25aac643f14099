package gateway_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a client must keep secret is in no file of the run, and in no event.
func TestSecretsReachNoDisk(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := open(t, quiet, logInto(&log))
	c := h.proxied(false)
	const canary = "canaryQ7xZ2mWv9"
	const api = "https://api.stripe.com/v1/"
	send := func(method, target, form string, header ...string) {
		t.Helper()
		if _, _, _, err := call(t, c, method, target, form, header...); err != nil && !strings.Contains(err.Error(), "invalid character") {
			t.Fatal(err)
		}
	}
	send("GET", api+"charges", "", "Authorization", "Bearer sk_test_"+canary)
	send("GET", api+"charges", "", "Authorization", "Bearer sk_live_"+canary)
	send("GET", api+"charges", "", "Cookie", "session="+canary)
	send("GET", api+"charges", "", "X-Api-Key", canary)
	send("GET", api+"charges?api_key="+canary, "")
	send("GET", api+"payment_intents/pi_1?client_secret="+canary, "")
	send("POST", api+"customers", "password="+canary)
	send("POST", api+"customers", "secret[inner]="+canary+"&name=Ada")
	send("POST", api+"payment_methods", "type=card&card[number]="+canary+"&card[exp_month]=1&card[exp_year]=2030&card[cvc]="+canary)
	send("POST", api+"nothing_here", "token="+canary)
	send("POST", api+"customers", `{"token":"`+canary+`"}`, "Content-Type", "application/json")
	send("GET", "http://"+h.Addr()+"/nowhere?key="+canary, "", "Proxy-Authorization", canary)
	h.nowhere(canary, &log)
}

// nowhere asks that a secret is in no exchange and no record of it, in no line of
// the log, and in no file of the gateway's.
func (h *harness) nowhere(canary string, log *strings.Builder) {
	t := h.t
	t.Helper()
	events, settlements := h.events()
	for _, e := range events {
		if x := e.Exchange; x != nil && (strings.Contains(string(x.Body), canary) || strings.Contains(string(x.ReplyBody), canary)) {
			t.Errorf("in a body of event %d: %s … %s", e.Seq, x.Body, x.ReplyBody)
		}
		for _, change := range e.Delta {
			if strings.Contains(string(change.After), canary) {
				t.Errorf("in a record of event %d: %s", e.Seq, change.After)
			}
		}
	}
	for _, what := range []any{events, settlements} {
		text, err := json.Marshal(what)
		if err != nil {
			t.Fatal(err)
		}
		for at := strings.Index(string(text), canary); at >= 0; at = -1 {
			t.Errorf("kept: …%s…", text[max(0, at-200):min(len(text), at+60)])
		}
	}
	if strings.Contains(log.String(), canary) {
		t.Error("in the log")
	}
	err := filepath.WalkDir(h.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), canary) {
			t.Errorf("in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
