package gateway_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/gateway"
	"parity/profiles"
)

func TestADivergenceIsToldUntilItIsClosed(t *testing.T) {
	t.Parallel()
	h := open(t, quiet)
	must(t, h.single(), "GET", "http://"+h.Addr()+"/stripe/v1/customers", "")
	h.eventsOf(h.Run.ID) // what waits to be written is written
	var out bytes.Buffer
	d := gateway.Diverging{Root: h.root, Profile: h.file, Divergence: profiles.Divergence{Run: h.Run.ID, Production: "Refunded twice."}}
	for range 2 { // on one day
		if err := d.Add(&out); err != nil {
			t.Fatal(err)
		}
	}
	if d.Date = "soon"; d.Add(&out) == nil {
		t.Error("soon is no day")
	}
	d.Date = ""
	today := time.Now().UTC().Format(time.DateOnly)
	if !strings.Contains(out.String(), "has divergence "+today+":") || !strings.Contains(out.String(), "has divergence "+today+"-2:") || !strings.Contains(out.String(), "2 cases open") {
		t.Error(out.String())
	}
	again := openIn(t, t.TempDir(), read(t, h.file))
	must(t, again.single(), "GET", "http://"+again.Addr()+"/stripe/v1/customers", "")
	if n := again.metric(`parity_divergences{month="` + today[:7] + `"}`); n != "2" {
		t.Errorf("the metric is %q", n)
	}
	again.eventsOf(again.Run.ID)
	for format, says := range map[string]string{"json": `"divergences": [`, "markdown": "what failed in production on " + today + " though rehearsal " + h.Run.ID + " had passed: Refunded twice", "text": "what failed in production on"} {
		out.Reset()
		if err := gateway.PrintReport(&out, again.root, again.Run.ID, format, gateway.Look{}); err != nil || !strings.Contains(out.String(), says) {
			t.Errorf("%s: %v\n%s", format, err, out.String())
		}
	}
	out.Reset()
	d.Name = today
	if err := d.Close(&out); err != nil || !strings.Contains(out.String(), "1 case open") {
		t.Errorf("%v %s", err, out.String())
	}
	out.Reset()
	if err := gateway.ListDivergences(&out, h.file); err != nil || strings.Index(out.String(), today+"-2  ") > strings.Index(out.String(), "closed "+today) {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// A rehearsal that failed has shown that something is wrong; a profile of the
// library is nobody's to write to.
func TestNoDivergenceWhereTheRehearsalFailed(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: judged\nextends: [baseline]\nfaults:\n  it: {call: stripe.PostPaymentIntents, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}\n")
	c := h.proxied(false)
	for _, key := range []string{"a", "b"} { // what may have been paid is paid again
		_, _, _, _ = call(t, c, "POST", "https://api.stripe.com/v1/payment_intents", payment, "Idempotency-Key", key)
	}
	h.close()
	own := filepath.Join(t.TempDir(), "p.yaml")
	if err := os.WriteFile(own, []byte("profile: p\nservices: {stripe: {}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ profile, run, says string }{
		{own, h.Run.ID, "failed on it: it did show that something is wrong"},
		{"baseline", "gone", "baseline is no file"},
		{filepath.Join(filepath.Dir(own), "none.yaml"), "gone", "no such file"},
	} {
		d := gateway.Diverging{Root: h.root, Profile: c.profile, Divergence: profiles.Divergence{Run: c.run, Production: "x"}}
		if err := d.Add(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.profile, err)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
