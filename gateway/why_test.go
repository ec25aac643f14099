package gateway_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/gateway/kept"
)

const asked = quiet + `
faults:
  second:
    call: stripe POST /v1/customers
    inject: ambiguous-success
    with: {reply: reset}
    trigger: {nth: 2}
  large:
    call: stripe POST /v1/customers
    when: request.body.balance > 100
    inject: error
  all:
    call: stripe POST *
    inject: error
    with: {status: 503}
  slow: {call: stripe *, inject: latency, with: {fixed: 1ms}}
  reads: {call: [stripe GET /v1/customers, stripe GET /v1/charges], inject: timeout}
  refused: {call: stripe *, inject: connect-refused, trigger: {nth: 99}}
  idle: {call: stripe *, inject: timeout, enabled: false}
expect:
  looks: {each: stripe POST /v1/refunds, needs: stripe GET /v1/charges, enforce: true}
`

func standings(t *testing.T, a kept.Asking) (*kept.Told, map[string]kept.Standing) {
	t.Helper()
	told, err := kept.Why(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]kept.Standing{}
	for _, s := range told.Rules {
		all[s.Rule] = s
	}
	return told, all
}

// What is said of a call is what then happens to it; asking changes nothing.
func TestWhySaysWhatThenHappens(t *testing.T) {
	t.Parallel()
	h := open(t, asked)
	c := h.single()
	at := "http://" + h.Addr() + "/stripe/v1/customers"
	a := kept.Asking{Root: h.root, Run: h.Run.ID, Call: "stripe POST /v1/customers", Body: []byte(`{"name": "Ada"}`)}
	for n := range 4 {
		key := string(rune('a' + n/2)) // the second is a retry of the first
		a.Header = []string{"Idempotency-Key: " + key}
		seq, world, tallies := h.Run.Hashes()
		told, stand := standings(t, a)
		if s, w, c := h.Run.Hashes(); s != seq || w != world || c != tallies {
			t.Fatalf("asking changed the run")
		}
		_, _, _, _ = call(t, c, http.MethodPost, at, "name=Ada", "Idempotency-Key", key) // the third has no answer
		events := h.eventsOf(h.Run.ID)
		made := events[len(events)-1]
		if len(made.Exchange.Strikes) != 4 {
			t.Fatalf("%+v", made.Exchange.Strikes)
		}
		for _, s := range made.Exchange.Strikes {
			if got := stand[s.Rule]; !got.Met || got.Fires != s.Fired || got.Index != s.Index || s.Why != "" && !s.Outranked && got.Why != s.Why {
				t.Errorf("call %d: %+v\nwas to be %+v", n+1, s, got)
			}
		}
		if told.Status != made.Exchange.Status || n > 0 && told.Identity != made.Identity {
			t.Errorf("call %d: %d for %s\nwas to be %d for %s", n+1, made.Exchange.Status, made.Identity, told.Status, told.Identity)
		}
	}
}

func TestWhyEachOtherRuleWouldNotFire(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	profile := filepath.Join(dir, "p.yaml")
	if err := os.WriteFile(profile, []byte(asked), 0o600); err != nil {
		t.Fatal(err)
	}
	a := kept.Asking{Root: dir, Profile: profile, Call: "stripe.PostCustomers"}
	_, stand := standings(t, a)
	got := map[string]string{}
	for name, s := range stand {
		got[name] = s.Why
	}
	if d := cmp.Diff(map[string]string{
		"second":  "intent 1, and it hits number 2",
		"large":   got["large"], // as the expression has it
		"all":     "",
		"slow":    "",
		"reads":   "its call does not match: it is about stripe GET /v1/customers and 1 other",
		"refused": "it is about connections, before any request is known",
		"idle":    "it is switched off",
	}, got); d != "" {
		t.Error(d)
	}
	if !strings.HasPrefix(got["large"], "when: ") || !stand["all"].Fires || !stand["slow"].Fires {
		t.Errorf("%+v", stand)
	}
	for call, want := range map[string]struct {
		body, refused, policy string
		status                int
	}{
		"stripe POST /v1/refunds":          {`{"charge": "ch_1"}`, "Out of order (looks)", "nothing leaves", http.StatusConflict},
		"stripe POST /v1/payment_intents":  {`{"amount": "much"}`, "refused with 400", "nothing leaves", http.StatusBadRequest},
		"GET https://nowhere.example/x":    {"", "is not allowed", "no service of this profile", http.StatusForbidden},
		"stripe GET /v1/nothing/like/this": {"", "has no operation", "nothing leaves", http.StatusNotFound},
	} {
		a.Call, a.Body = call, []byte(want.body)
		told, stand := standings(t, a)
		if !strings.Contains(told.Refused, want.refused) || !strings.Contains(told.Policy, want.policy) || told.Status != want.status {
			t.Errorf("%s: %d %q %q", call, told.Status, told.Refused, told.Policy)
		}
		for name, s := range stand {
			if s.Fires || s.Why == "" {
				t.Errorf("%s: %s: %+v", call, name, s)
			}
		}
	}
	for _, call := range []string{"stripe", "strip POST /v1/refunds", "stripe POST v1/refunds", "stripe.PostNothing", "POST /v1/refunds"} {
		a.Call, a.Body = call, nil
		if told, err := kept.Why(t.Context(), a); err == nil {
			t.Errorf("%s: %+v", call, told)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("asking left something behind: %v %v", entries, err)
	}
}
