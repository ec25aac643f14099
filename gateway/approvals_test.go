package gateway_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
)

// clerkly is a profile in which making a customer wants an approval, and anything else
// does not.
const clerkly = `
profile: desk
seed: 7
services:
  stripe: {}
clock: {mode: stepped, start: 2026-03-02T13:00:00Z}
identities:
  bot: {presents: {value: sk_test_parityparity}, may: irreversible}
policy:
  gates:
    customers: {call: stripe POST /v1/customers, then: approve, by: [clerk], expires: 10m, skip: {override: 15m}}
  approvals: {ANSWER}
  approvers:
    clerk: {APPROVER}
`

func deskWhere(answer, approver string) string {
	return strings.NewReplacer("ANSWER", answer, "APPROVER", approver).Replace(clerkly)
}

// told is what a call was answered, and what of approvals.
type told struct {
	Status int
	Code   string // X-Parity-Refused
	State  string // of the approval
	id     string
}

// asks posts a customer.
func asks(t *testing.T, h *harness, name string, header ...string) told {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+h.Addr()+"/stripe/v1/customers", strings.NewReader("name="+name))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_parityparity")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	reply, err := h.direct(false, false).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, reply.Body)
	id, state, _ := strings.Cut(reply.Header.Get("Parity-Approval"), "; state=")
	return told{reply.StatusCode, reply.Header.Get("X-Parity-Refused"), state, id}
}

// A stand-in decides on the run's clock, the same call is then made once, and each
// later one wants another yes: with the record replayed to the byte.
func TestAnApprovedCallIsMadeOnce(t *testing.T) {
	t.Parallel()
	h := open(t, deskWhere("answer: refuse", "decides: approve, after: 2s"))
	var got []told
	for range 5 {
		got = append(got, asks(t, h, "Ada"))
	}
	ask := func(code string) told { return told{Status: 403, Code: code, State: "pending"} }
	want := []told{ask("approval-required"), ask("approval-required"), {Status: 200, State: "used"}, ask("approval-used"), ask("approval-required")}
	if diff := cmp.Diff(want, got, cmp.Transformer("told", func(x told) [3]any { return [3]any{x.Status, x.Code, x.State} })); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	events, _ := h.events()
	made := 0
	for i := range events {
		if x := events[i].Exchange; x != nil && x.Committed {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d calls have committed", made)
	}
	h.repeats()
}

// repeats replays the record of the run, which departs nowhere.
func (h *harness) repeats() {
	h.t.Helper()
	if err := h.Close(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	came, err := k.Replay(h.t.Context(), "")
	if err != nil || came.At != 0 || came.Carried > 0 {
		h.t.Errorf("the replay departs at %d, carried %d: %v, %v", came.At, came.Carried, came.Differences, err)
	}
}

// A call that waits is answered as if nobody had been asked, once the stand-in has
// said yes, and nothing else is made of it; its record replays.
func TestACallWaitsForItsAnswer(t *testing.T) {
	t.Parallel()
	h := open(t, deskWhere("answer: wait, wait: 20s", "decides: approve, after: 20ms"))
	if got := asks(t, h, "Ada"); got.Status != 200 || got.State != "used" {
		t.Errorf("%+v", got)
	}
	h.repeats()
}

// A call that waits for somebody who does not answer is refused as one that does
// not wait, and its approval stays.
func TestACallThatWaitedInVainIsRefused(t *testing.T) {
	t.Parallel()
	h := open(t, deskWhere("answer: wait, wait: 30ms", "decides: nothing"))
	got := asks(t, h, "Ada")
	if got.Status != 403 || got.Code != "approval-required" || got.State != "pending" {
		t.Errorf("%+v", got)
	}
	h.repeats()
}

// What was approved is good no longer than its gate says, and a yes that nobody
// gives lapses: both by the run's clock.
func TestApprovalsRunOutOnTheRunsClock(t *testing.T) {
	t.Parallel()
	h := open(t, deskWhere("lapses: 1h", "person: true"), func(s *gateway.Settings) { s.Token = controlToken })
	first := asks(t, h, "Ada")
	says(t, h, first.id, client.Decision{Decision: "approve", By: "ada"})
	h.advance(h.Run.ID, "11m")
	second := asks(t, h, "Ada")
	if second.Code != "approval-expired" || second.id == first.id {
		t.Errorf("%+v after %+v", second, first)
	}
	h.advance(h.Run.ID, "61m")
	if third := asks(t, h, "Ada"); third.Code != "approval-required" || third.id == second.id {
		t.Errorf("%+v after %+v, which has lapsed", third, second)
	}
}

func says(t *testing.T, h *harness, id string, d client.Decision) {
	t.Helper()
	if _, err := h.control().Decide(t.Context(), h.Run.ID, id, d); err != nil {
		t.Fatal(err)
	}
}

// A reset gives up what was asked for and what was said; a fork has both.
func TestApprovalsForkAndAreSetBack(t *testing.T) {
	t.Parallel()
	h := open(t, deskWhere("answer: refuse", "person: true"), func(s *gateway.Settings) { s.Token = controlToken })
	asked := asks(t, h, "Ada")
	says(t, h, asked.id, client.Decision{Decision: "approve", By: "ada"})
	if _, err := h.control().Fork(t.Context(), h.Run.ID, client.Fork{Names: []string{"aside"}}); err != nil {
		t.Fatal(err)
	}
	if got := asks(t, h, "Ada", "Parity-Run", "aside"); got.Status != 200 {
		t.Errorf("in the fork: %+v", got)
	}
	if _, err := h.control().Reset(t.Context(), h.Run.ID); err != nil {
		t.Fatal(err)
	}
	if got := asks(t, h, "Ada"); got.Status != 403 || got.State != "pending" {
		t.Errorf("after the reset: %+v", got)
	}
}

// An override lets pass as many calls as it says, for as long as it says.
func TestAnOverrideEnds(t *testing.T) {
	t.Parallel()
	h := open(t, deskWhere("answer: refuse", "person: true"), func(s *gateway.Settings) { s.Token = controlToken })
	if _, err := h.control().Override(t.Context(), h.Run.ID, client.NewOverride{Gate: "customers", By: "ada", Because: "the queue is on fire", For: "16m"}); err == nil {
		t.Error("it is longer than the gate allows")
	}
	if _, err := h.control().Override(t.Context(), h.Run.ID, client.NewOverride{Gate: "customers", By: "ada", Because: "the queue is on fire", Max: 1}); err != nil {
		t.Fatal(err)
	}
	if got := asks(t, h, "Ada"); got.Status != 200 {
		t.Errorf("%+v", got)
	}
	if got := asks(t, h, "Bob"); got.Status != 403 {
		t.Errorf("the second: %+v", got)
	}
	events, _ := h.events()
	for i := range events {
		if x := events[i].Exchange; x != nil && x.Committed && (x.Policy.Skipped != "override" || !strings.Contains(x.Policy.SkipBy, "on fire")) {
			t.Errorf("it does not say who let it pass: %+v", x.Policy)
		}
	}
	h.repeats()
}

// A draft is answered as if it were done, and nothing is.
func TestADraftChangesNothing(t *testing.T) {
	t.Parallel()
	h := open(t, strings.Replace(deskWhere("answer: refuse", "person: true"), "policy:\n", "policy:\n  stage: 2\n  drafts: capture\n", 1), func(s *gateway.Settings) { s.Token = controlToken })
	if got := asks(t, h, "Ada"); got.Status != 200 {
		t.Errorf("%+v", got)
	}
	if n := h.customers(h.Run.ID); n != 0 {
		t.Errorf("%d customers are there", n)
	}
	events, _ := h.events()
	last := events[len(events)-1].Exchange
	if last.Outcome != trail.Captured || last.Committed || last.Policy.Draft == "" {
		t.Errorf("%+v", last.Policy)
	}
	h.repeats()
}

// A profile without policy journals nothing of it.
func TestWithoutPolicyNothingIsSaidOfIt(t *testing.T) {
	t.Parallel()
	h := open(t, quiet)
	asks(t, h, "Ada")
	events, _ := h.events()
	for i := range events {
		if x := events[i].Exchange; x != nil && x.Policy != nil {
			t.Errorf("%+v", x.Policy)
		}
	}
	if s := events[0].Start; s.Stage != 0 || s.Stamp.Policy != "" || s.Standing != nil {
		t.Errorf("%+v", s)
	}
}

// Of two calls that wait because a rule has them wait, both with one approval, one
// is made.
func TestTwoCallsThatWaitDoNotShareAnApproval(t *testing.T) {
	t.Parallel()
	h := open(t, deskWhere("answer: refuse", "decides: approve")+"faults:\n  slow: {call: stripe POST /v1/customers, inject: timeout, with: {for: 300ms, commits: every}, trigger: {tries: 9}}\n")
	asks(t, h, "Ada")
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+h.Addr()+"/stripe/v1/customers", strings.NewReader("name=Ada"))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Authorization", "Bearer sk_test_parityparity")
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if reply, err := h.single().Do(r); err == nil { // most are lost
				reply.Body.Close()
			}
		})
	}
	both.Wait()
	events, _ := h.events()
	made := 0
	for i := range events {
		if x := events[i].Exchange; x != nil && x.Committed {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d calls have committed", made)
	}
}

// Whoever is asked is told, with a signature that they can check, while the call is
// still held; and once for each approval.
func TestWhoeverIsAskedIsTold(t *testing.T) {
	t.Parallel()
	told := make(chan [2]string, 4)
	sink := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		told <- [2]string{r.Header.Get("Parity-Signature"), string(body)}
	}))
	t.Cleanup(sink.Close)
	h := open(t, deskWhere("answer: refuse", "person: true, notify: {env: HOOK, secret: {env: HOOK_SECRET}}"), func(s *gateway.Settings) {
		s.Getenv = func(name string) string {
			return map[string]string{"HOOK": sink.URL, "HOOK_SECRET": "between us"}[name]
		}
	})
	first := asks(t, h, "Ada")
	asks(t, h, "Ada")
	second := asks(t, h, "Bob")
	for _, id := range []string{first.id, second.id} {
		got := <-told
		when, sum, _ := strings.Cut(strings.TrimPrefix(got[0], "t="), ",v1=")
		mac := hmac.New(sha256.New, []byte("between us"))
		mac.Write([]byte(when + "." + got[1]))
		if want := hex.EncodeToString(mac.Sum(nil)); sum != want {
			t.Errorf("signed %s; want %s", sum, want)
		}
		if !strings.Contains(got[1], first.id) && !strings.Contains(got[1], second.id) || strings.Contains(got[1], "Ada") {
			t.Errorf("%s: %s", id, got[1])
		}
	}
	select {
	case again := <-told:
		t.Errorf("told once more: %s", again[1])
	default:
	}
}
