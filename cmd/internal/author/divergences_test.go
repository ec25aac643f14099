package author_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/cmd/internal/author"
	"parity/cmd/internal/gatewaytest"
	"parity/profiles"
)

func TestADivergenceIsListedUntilItIsClosed(t *testing.T) {
	t.Parallel()
	h := gatewaytest.Open(t, gatewaytest.Quiet)
	h.Must("GET", h.Base("stripe")+"/v1/customers", "")
	h.Close()
	var out bytes.Buffer
	d := author.Divergence{Root: h.Root, Profile: h.File, Divergence: profiles.Divergence{Run: h.Run.ID, Production: "Refunded twice."}}
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
	out.Reset()
	d.Name = today
	if err := d.Close(&out); err != nil || !strings.Contains(out.String(), "1 case open") {
		t.Errorf("%v %s", err, out.String())
	}
	out.Reset()
	if err := author.ListDivergences(&out, h.File); err != nil || strings.Index(out.String(), today+"-2  ") > strings.Index(out.String(), "closed "+today) {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// A rehearsal that failed has shown that something is wrong; a profile of the
// library is nobody's to write to.
func TestNoDivergenceWhereTheRehearsalFailed(t *testing.T) {
	t.Parallel()
	h := gatewaytest.Open(t, "profile: judged\nextends: [baseline]\nfaults:\n  it: {call: stripe.PostPaymentIntents, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}\n")
	for _, key := range []string{"a", "b"} { // what may have been paid is paid again
		_, _, _ = h.Call("POST", h.Base("stripe")+"/v1/payment_intents", "amount=4900&currency=usd&confirm=true&payment_method=pm_card_visa&payment_method_types[0]=card", "Idempotency-Key", key)
	}
	h.Close()
	own := filepath.Join(t.TempDir(), "p.yaml")
	if err := os.WriteFile(own, []byte("profile: p\nservices: {stripe: {}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ profile, run, says string }{
		{own, h.Run.ID, "failed on it: it did show that something is wrong"},
		{"baseline", "gone", "baseline is no file"},
		{filepath.Join(filepath.Dir(own), "none.yaml"), "gone", "no such file"},
	} {
		d := author.Divergence{Root: h.Root, Profile: c.profile, Divergence: profiles.Divergence{Run: c.run, Production: "x"}}
		if err := d.Add(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.profile, err)
		}
	}
}
