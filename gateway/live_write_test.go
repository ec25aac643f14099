package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/gateway/people"
	"parity/gateway/report"
)

// lives is a profile in which some writes leave for the real service.
func (r *realService) lives(stage int, gates string) string {
	return r.profile("live", "") + fmt.Sprintf(`
policy:
  stage: %d
  gates: {%s}
  approvers: {ada: {person: true}, desk: {decides: approve, after: 1s}}
`, stage, gates)
}

// writes counts the writes that came to the real service.
func (r *realService) writes() (n int) {
	for _, call := range r.saw() {
		if !strings.HasPrefix(call, "GET ") {
			n++
		}
	}
	return n
}

// person decides about what a run asks, with a token of their own.
func (h *harness) person(t *testing.T) *client.Client {
	t.Helper()
	token, err := people.Add(filepath.Join(h.root, people.FileName), "ada", time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(client.Options{URL: "http://" + h.Control(), Token: token})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// says has somebody say yes to an approval.
func (h *harness) says(t *testing.T, by *client.Client, id string) error {
	t.Helper()
	a, err := by.Approval(t.Context(), h.Run.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	_, err = by.Decide(t.Context(), h.Run.ID, id, client.Decision{Decision: "approve", By: "bob", Digest: a.Digest})
	return err
}

// sends makes a call with a form.
func (h *harness) sends(t *testing.T, method, path, form string, header ...string) (told, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+h.Addr()+"/stripe"+path, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_parityparity")
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	reply, err := h.direct(false, false).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, _ := io.ReadAll(reply.Body)
	id, state, _ := strings.Cut(reply.Header.Get("Parity-Approval"), "; state=")
	return told{reply.StatusCode, reply.Header.Get("X-Parity-Refused"), state, id}, string(body)
}

func (h *harness) again(t *testing.T) {
	t.Helper()
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replayed: %d %v: %s", code, err, said.String())
	}
}

// At stage 3 each write leaves once a person has approved it, and no other does: not
// by who stands in, not by what somebody says who proves nothing. What the real service
// answers goes to the agent, and the run's world has it.
func TestAWriteLeavesOnceAPersonHasApprovedIt(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	made := must(t, r.direct(false, false), "POST", "http://"+r.Addr()+"/stripe/v1/customers", "description=Ada")
	id := fmt.Sprint(made["id"])
	before := r.writes()
	h := open(t, r.lives(3, ""), withRealKey, shared)
	ada := h.person(t)
	held, body := h.sends(t, "POST", "/v1/customers/"+id, "description=Ada+II")
	if held.Status != 403 || held.Code != "approval-required" || held.State != "pending" || !strings.Contains(body, "needs an approval") {
		t.Fatalf("the first try: %+v %s", held, body)
	}
	if a, err := ada.Approval(t.Context(), h.Run.ID, held.id); err != nil || !a.Live || len(a.Rests) != 1 || !strings.HasSuffix(a.Rests[0].At, id) || a.Approver != "ada" || len(a.Predicted.Diff) != 1 {
		t.Errorf("what is asked: %+v %v", a, err)
	}
	if err := h.says(t, h.control(), held.id); err == nil || !strings.Contains(err.Error(), "token of their own") {
		t.Errorf("somebody who proves nothing: %v", err)
	}
	for range 3 { // by then the stand-in would have
		if still, _ := h.sends(t, "POST", "/v1/customers/"+id, "description=Ada+II"); still.Status != 403 || still.State != "pending" {
			t.Errorf("before anybody has said yes: %+v", still)
		}
	}
	if n := r.writes(); n != before {
		t.Fatalf("%d writes before anybody has said yes", n-before)
	}
	if err := h.says(t, ada, held.id); err != nil {
		t.Fatal(err)
	}
	done, body := h.sends(t, "POST", "/v1/customers/"+id, "description=Ada+II", "Idempotency-Key", "k-1")
	if done.Status != 200 || done.State != "used" || !strings.Contains(body, "Ada II") || done.Code != "" {
		t.Fatalf("the approved call: %+v %s", done, body)
	}
	again, _ := h.sends(t, "POST", "/v1/customers/"+id, "description=Ada+II", "Idempotency-Key", "k-1")
	if again.Status != 403 || again.Code != "approval-used" || again.id == held.id {
		t.Errorf("once more: %+v", again)
	}
	if n := r.writes(); n != before+1 {
		t.Errorf("the real service saw %d writes", n-before)
	}
	if record, ok := h.Run.World().Get("stripe.customers", id); !ok || record.Value()["description"] != "Ada II" {
		t.Errorf("the run's world has %v", record)
	}
	if got := must(t, h.single(), "GET", "http://"+h.Addr()+"/stripe/v1/customers/"+id, ""); got["description"] != "Ada II" {
		t.Errorf("read again: %v", got["description"])
	}
	h.events()
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if p := k.Report().Upstream; p == nil || p.Writes != 1 || p.Passes != 1 || p.Unknown != 0 || !p.Agrees {
		t.Errorf("the proof is %+v", p)
	}
	nowhere(t, h.root, "canary")
	h.again(t)
}

// What was approved rests on what the real record showed: where that has moved by
// the time of the call, nothing leaves, and somebody is asked anew.
func TestAnApprovalIsOfTheRealRecordAsItWas(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	c := r.direct(false, false)
	made := must(t, c, "POST", "http://"+r.Addr()+"/stripe/v1/customers", "description=Ada")
	path := "/v1/customers/" + fmt.Sprint(made["id"])
	h := open(t, r.lives(3, ""), withRealKey, shared)
	ada := h.person(t)
	held, _ := h.sends(t, "POST", path, "description=Ada+II")
	if err := h.says(t, ada, held.id); err != nil {
		t.Fatal(err)
	}
	must(t, c, "POST", "http://"+r.Addr()+"/stripe"+path, "description=Someone")
	before := r.writes()
	moved, body := h.sends(t, "POST", path, "description=Ada+II")
	if moved.Status != 403 || moved.Code != "approval-stale" || moved.id == held.id || !strings.Contains(body, "has changed") || r.writes() != before {
		t.Fatalf("after it has moved: %+v %s, and %d writes", moved, body, r.writes()-before)
	}
	if a, err := ada.Approval(t.Context(), h.Run.ID, moved.id); err != nil || len(a.Predicted.Diff) != 1 || fmt.Sprint(a.Predicted.Diff[0].Fields["description"][0]) != "Someone" {
		t.Errorf("what is shown anew: %+v %v", a.Predicted, err)
	}
	if err := h.says(t, ada, moved.id); err != nil {
		t.Fatal(err)
	}
	if done, body := h.sends(t, "POST", path, "description=Ada+II"); done.Status != 200 || r.writes() != before+1 {
		t.Errorf("%+v %s, and %d writes", done, body, r.writes()-before)
	}
	h.again(t)
}

// From stage 4 a gate with live: true lets pass what can be taken back, and nothing
// else; a gate without does not, nor does a class that the profile has lowered.
func TestWhatAGateLetsLeave(t *testing.T) {
	t.Parallel()
	const open3, shut = `g: {call: "stripe POST /v1/customers/{customer}", then: allow, because: It goes back., live: true}`, `g: {call: "stripe POST /v1/customers/{customer}", then: allow, because: It goes back.}`
	for _, c := range []struct {
		name, gates string
		stage       int
		leaves      bool
	}{{"stage 4", open3, 4, true}, {"stage 5", open3, 5, true}, {"stage 3", open3, 3, false}, {"without live", shut, 4, false}, {"no gate", "", 5, false}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := realServices(t, quiet, "stripe", nil)
			made := must(t, r.direct(false, false), "POST", "http://"+r.Addr()+"/stripe/v1/customers", "name=Ada")
			before := r.writes()
			h := open(t, r.lives(c.stage, c.gates), withRealKey)
			got, body := h.sends(t, "POST", "/v1/customers/"+fmt.Sprint(made["id"]), "name=Bea")
			if left := r.writes() > before; left != c.leaves || (got.Status == 200) != c.leaves {
				t.Errorf("%+v %s, left: %v", got, body, left)
			}
			h.again(t)
		})
	}
}

// A write of which nobody knows what came is not made again: a person is asked, and
// is told of it; the agent is, too, in the service's words.
func TestAWriteWithoutAReplyIsUnknownAndNotSentAgain(t *testing.T) {
	t.Parallel()
	cut := true
	r := realServices(t, quiet, "stripe", func(w http.ResponseWriter, q *http.Request) bool {
		if q.Method == http.MethodGet || !cut {
			return false
		}
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{")
			_ = c.Close()
		}
		return true
	})
	made := must(t, r.direct(false, false), "POST", "http://"+r.Addr()+"/stripe/v1/customers", "name=Ada")
	path := "/v1/customers/" + fmt.Sprint(made["id"])
	h := open(t, r.lives(4, `g: {call: "stripe POST /v1/customers/{customer}", then: allow, because: It goes back., live: true}`), withRealKey)
	lost, body := h.sends(t, "POST", path, "name=Bea", "Idempotency-Key", "k-1")
	if lost.Status != 502 || lost.Code != "upstream-unreachable" || !strings.Contains(body, "nobody knows whether it was done") || !strings.Contains(body, `"error"`) {
		t.Fatalf("cut in the middle: %+v %s", lost, body)
	}
	cut = false
	before := r.writes()
	for _, form := range []string{"name=Bea", "name=Cyd"} { // by what it says, and by its key
		got, body := h.sends(t, "POST", path, form, "Idempotency-Key", "k-1")
		if got.Status != 403 || got.Code != "approval-required" || !strings.Contains(body, "left for the real service before (#") || r.writes() != before {
			t.Errorf("%s: %+v %s, and %d writes", form, got, body, r.writes()-before)
		}
	}
	held, _ := h.sends(t, "POST", path, "name=Bea", "Idempotency-Key", "k-1")
	ada := h.person(t)
	if a, err := ada.Approval(t.Context(), h.Run.ID, held.id); err != nil || a.Lost == 0 {
		t.Errorf("what is asked: %+v %v", a, err)
	}
	if err := h.says(t, ada, held.id); err != nil {
		t.Fatal(err)
	}
	if done, body := h.sends(t, "POST", path, "name=Bea", "Idempotency-Key", "k-1"); done.Status != 200 || r.writes() != before+1 {
		t.Errorf("approved anew: %+v %s", done, body)
	}
	h.events()
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	rep := k.Report()
	var page bytes.Buffer
	if err := report.Markdown(&page, rep); err != nil || rep.Upstream.Lost != 1 || rep.Upstream.Writes != 2 || !strings.Contains(page.String(), "of 1 write nobody knows what came (#") {
		t.Errorf("%v %+v %s", err, rep.Upstream, page.String())
	}
	for _, v := range rep.Verdicts {
		if v.Result == trail.Passed {
			t.Errorf("%s passed, though nobody knows what was done", v.Subject)
		}
	}
	h.again(t)
}

// What does not leave has used nothing: the real service cannot be reached at all.
func TestAWriteThatDoesNotLeaveUsesNothing(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	h := open(t, r.lives(3, ""), withRealKey, shared)
	ada := h.person(t)
	held, _ := h.sends(t, "POST", "/v1/customers", "name=Ada")
	if err := h.says(t, ada, held.id); err != nil {
		t.Fatal(err)
	}
	r.front.Close()
	got, body := h.sends(t, "POST", "/v1/customers", "name=Ada")
	if got.Status != 502 || !strings.Contains(body, "Nothing was sent") {
		t.Errorf("%+v %s", got, body)
	}
	if a, err := ada.Approval(t.Context(), h.Run.ID, held.id); err != nil || a.State != "approved" {
		t.Errorf("the approval is %+v %v", a, err)
	}
	h.again(t)
}

// A record that is in memory finds nothing again after a kill: no write leaves.
func TestNoWriteLeavesWithoutADisk(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	h := open(t, r.lives(4, `g: {call: "stripe POST /v1/customers/{customer}", then: allow, because: It goes back., live: true}`), withRealKey, func(s *gateway.Settings) { s.Memory = true })
	made := must(t, r.direct(false, false), "POST", "http://"+r.Addr()+"/stripe/v1/customers", "name=Ada")
	before := r.writes()
	got, body := h.sends(t, "POST", "/v1/customers/"+fmt.Sprint(made["id"]), "name=Bea")
	if got.Status != 403 || got.Code != "upstream-refused" || r.writes() != before {
		t.Errorf("%+v %s", got, body)
	}
}

// Whatever a run is set back to, an approval lets one write leave.
func TestNoApprovalIsUsedAgainAfterARollback(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	h := open(t, r.lives(3, ""), withRealKey, shared)
	ada := h.person(t)
	held, _ := h.sends(t, "POST", "/v1/customers", "name=Ada")
	if err := h.says(t, ada, held.id); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Run.TakeSnapshot("approved"); err != nil {
		t.Fatal(err)
	}
	if done, body := h.sends(t, "POST", "/v1/customers", "name=Ada"); done.Status != 200 {
		t.Fatalf("%+v %s", done, body)
	}
	if err := h.Run.RollBack("approved"); err != nil {
		t.Fatal(err)
	}
	if got, body := h.sends(t, "POST", "/v1/customers", "name=Ada"); got.Status != 403 || got.Code != "upstream-refused" || r.writes() != 1 {
		t.Errorf("%+v %s, and %d writes", got, body, r.writes())
	}
	e := h.eventsOf(h.Run.ID)
	if x := e[len(e)-1].Exchange; x == nil || len(x.Upstream) != 1 || x.Upstream[0].Unknown || x.Upstream[0].Code == "" || x.Fidelity != trail.None {
		t.Errorf("the record has %+v", x)
	}
}

// In the wait style the call itself goes on once a person has said yes, with what it
// is about read anew; what is asked about a call reaches nothing.
func TestALiveCallThatWaitsForAPerson(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	made := must(t, r.direct(false, false), "POST", "http://"+r.Addr()+"/stripe/v1/customers", "name=Ada")
	path := "/v1/customers/" + fmt.Sprint(made["id"])
	before := r.writes()
	h := open(t, strings.Replace(r.lives(3, ""), "  gates:", "  approvals: {answer: wait, wait: 30s}\n  gates:", 1), withRealKey, shared)
	ada := h.person(t)
	answered := make(chan told, 1)
	go func() {
		got, _ := h.sends(t, "POST", path, "name=Bea")
		answered <- got
	}()
	var asked []client.Approval
	waitFor(t, "somebody to be asked", func() bool {
		asked, _ = ada.Approvals(t.Context(), h.Run.ID, "pending")
		return len(asked) == 1
	})
	if err := h.says(t, ada, asked[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := <-answered; got.Status != 200 || got.State != "used" || r.writes() != before+1 {
		t.Errorf("%+v, and %d writes", got, r.writes()-before)
	}
	seen := len(r.saw())
	h.events()
	why, err := kept.Why(t.Context(), kept.Asking{Root: h.root, Run: h.Run.ID, Call: "stripe POST " + path, Body: []byte(`{"name": "Cyd"}`)})
	if err != nil || why.Permit == nil || why.Permit.Decision != trail.PolicyHeld || why.Permit.Route != "live" || len(r.saw()) != seen {
		t.Errorf("%v %+v, and the real service saw %v", err, why, r.saw()[seen:])
	}
	h.again(t)
}

// In a fork the fake does what would leave, by whoever may say yes there; the real
// service sees nothing of it, whatever was approved in the run that it comes from.
func TestAForkWritesToItsFake(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	h := open(t, r.lives(4, `g: {call: stripe POST /v1/customers, then: allow, because: It goes back., live: true}`), withRealKey, shared)
	_, _ = h.sends(t, "POST", "/v1/customers", "name=Ada")
	if r.writes() != 1 {
		t.Fatalf("the run itself: %v", r.saw())
	}
	forks, err := h.control().Fork(t.Context(), h.Run.ID, client.Fork{Names: []string{"aside"}})
	if err != nil {
		t.Fatal(err)
	}
	if made := must(t, h.single(), "POST", forks[0].URLs.Base+"/stripe/v1/customers", "name=Cyd"); made["name"] != "Cyd" || len(r.saw()) != 1 {
		t.Errorf("%v, and the real service saw %v", made, r.saw())
	}
}
