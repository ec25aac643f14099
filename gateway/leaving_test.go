package gateway_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"parity/gateway"
	"parity/gateway/client"
)

// A setting is what policy a sequence of calls meets.
type setting struct {
	mode   string // for fmt, of a service
	policy bool
}

// leavingSettings are the modes, and one of several of them.
func leavingSettings() map[string]string {
	return map[string]string{
		"fake": "fake", "live-read": "live-read", "shadow": "shadow", "record": "record", "live": "live",
		"mixed": `{"*": live-read, "%[1]s POST *": shadow, "%[1]s DELETE *": record}`,
	}
}

// leavingPolicy has a gate of each sort, a stand-in that says yes to all, and a
// person.
const leavingPolicy = `
identities:
  bot: {presents: {value: sk_test_agentsOwn0000000}, may: admin}
policy:
  drafts: capture
  strangers: admin
  gates:
    opens: {call: [trap POST /tickets, stripe POST /v1/customers], then: allow, because: One is easily closed.}
    edits: {call: [trap PATCH *, stripe POST /v1/refunds], then: approve, by: [clerk], skip: {override: 15m}}
    puts: {call: trap PUT *, then: approve, by: [ada], skip: {override: 15m}}
    closes: {call: trap DELETE *, then: draft}
    keys: {call: trap POST /keys, then: refuse}
  approvers:
    clerk: {decides: approve, after: 1s}
    ada: {person: true}
`

// livePolicy has what may let a write leave, and what looks like it.
const livePolicy = `
identities:
  bot: {presents: {value: sk_test_agentsOwn0000000}, may: admin}
policy:
  stage: 3
  drafts: capture
  strangers: admin
  gates:
    opens: {call: [trap POST /tickets, stripe POST /v1/customers], then: allow, because: One is easily closed.}
    puts: {call: trap PUT *, then: allow, live: true, because: It goes back.}
    edits: {call: trap PATCH *, then: approve, by: [clerk], skip: {override: 15m}}
    refunds: {call: stripe POST /v1/refunds, then: approve, by: [ada], skip: {override: 15m}}
    deletes: {call: googlecalendar DELETE *, then: draft}
    keys: {call: trap POST /keys, then: refuse}
  approvers:
    clerk: {decides: approve, after: 1s}
    ada: {person: true}
`

// A leaver is the gateways that sequences run against, each opened when the first
// comes to it, and the real service behind all of them.
type leaver struct {
	t  *testing.T
	w  *witness
	mu sync.Mutex
	on map[setting]*opened

	sequences, calls, left, wrote int
}

// opened is a gateway, and one client of its control port.
type opened struct {
	*harness
	k   *client.Client
	ada *client.Client // a person, who proves it
}

func (l *leaver) at(s setting) *opened {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.on[s]; h != nil {
		return h
	}
	text := "profile: leaving\nseed: 7\nservices:\n"
	for _, name := range []string{"trap", "stripe", "googlecalendar"} {
		text += fmt.Sprintf("  %s:\n    mode: %s\n", name, strings.ReplaceAll(leavingSettings()[s.mode], "%[1]s", name))
		if s.mode != "fake" {
			text += fmt.Sprintf("    upstream: {credential: {env: STRIPE_REAL}, hosts: [%q], roots: %q, account: test, timeout: 5s}\n    record: %q\n", l.w.host, l.w.roots, l.t.TempDir())
		}
		if name == "trap" {
			text += "    contract: trap.yaml\n    hosts: [trap.example]\n    classes: {\"trap GET /export/{name}\": irreversible}\n"
		}
	}
	text += "clock: {mode: stepped}\n"
	switch {
	case s.policy && s.mode == "live":
		text += livePolicy
	case s.policy:
		text += leavingPolicy
	}
	h := open(l.t, text, shared, withRealKey, beside(l.t, "trap.yaml", trap), func(s *gateway.Settings) { s.MaxRuns = 1 << 30 })
	l.on[s] = &opened{h, h.control(), h.person(l.t)}
	return l.on[s]
}

// sequencesEach is how many sequences each of rapid's hundred rounds has.
func sequencesEach(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("PARITY_SEQUENCES")); err == nil {
		return max(1, n/100)
	}
	if testing.Short() {
		return 1
	}
	t.Log("100 sequences; PARITY_SEQUENCES=10000 has more")
	return 1
}

// Whatever is called, and in whatever disguise, under each mode, stage and
// approval: a real service sees no write that policy has not let leave, and of
// forks and replays nothing.
func TestSequencesOfCallsWriteNothingThatPolicyDoesNotLetLeave(t *testing.T) {
	t.Parallel()
	l := &leaver{t: t, w: witnessed(t), on: map[setting]*opened{}}
	each := sequencesEach(t)
	rapid.Check(t, func(rt *rapid.T) {
		s := setting{rapid.SampledFrom([]string{"live-read", "live-read", "live", "live", "shadow", "record", "mixed", "fake"}).Draw(rt, "mode"), rapid.Bool().Draw(rt, "policy")}
		s.policy = s.policy || s.mode == "live" // which says how far the agent has come
		for range each {
			l.sequence(rt, s)
		}
	})
	t.Logf("%d sequences of %d calls; %d calls came to the real service, %d of them writes that policy let leave", l.sequences, l.calls, l.left, l.wrote)
	if l.left == 0 {
		t.Error("nothing came to the real service at all")
	}
}

// sequence has one run meet some calls, and what people do meanwhile.
func (l *leaver) sequence(rt *rapid.T, s setting) {
	h, stage := l.at(s), 0
	if s.policy {
		stage = rapid.IntRange(1, 5).Draw(rt, "stage")
	}
	made, err := h.k.Make(l.t.Context(), client.NewRun{Stage: stage})
	if err != nil {
		rt.Fatal(err)
	}
	run := made[0]
	l.sequences++
	l.w.takes(rapid.SampledFrom([]string{"t1", "t1", "cus_1", "t1/ring", "../tickets/flush", "t1%2Fring", "flush", "FLUSH"}).Draw(rt, "the real id"))
	o := &outing{stage: stage, live: s.mode == "live" && s.policy, yes: map[string]bool{}}
	plain, last := true, wired{}
	for n := range rapid.IntRange(2, 7).Draw(rt, "steps") {
		l.meanwhile(rt, h, run, o)
		w := last
		if n == 0 || !rapid.Bool().Draw(rt, "the same again") {
			w = drawCall(rt)
		}
		last = w
		l.calls++
		plain = plain && w.plain
		status, approval := w.puts(l.t, h.Addr(), run)
		came := l.w.takes(l.w.id)
		o.left += len(came)
		wrote := 0
		for _, a := range came {
			if why := a.acts(); why != "" {
				if wrote++; wrote > 1 || !o.lets(w, a, approval) {
					rt.Fatalf("%s, stage %d, %s\nis answered %d %s, and the real service saw %s\nwhich is %s", s.mode, stage, w, status, approval, a, why)
				}
			}
			if s.mode == "fake" {
				rt.Fatalf("%s left in mode fake", a)
			}
			shown(rt, a)
		}
		o.wrote += wrote
	}
	l.left, l.wrote = l.left+o.left, l.wrote+o.wrote
	l.afterwards(rt, h, run, o, plain)
}

// An outing is what left of one run, and what may.
type outing struct {
	stage       int
	live        bool
	yes         map[string]bool // approvals that a person has given, and nothing has used
	left, wrote int
}

// lets tells whether policy lets a write leave: as the agent made it, once for each
// yes of a person, or where a gate opens for what goes back.
func (o *outing) lets(w wired, a arrival, approval string) bool {
	at, _, _ := strings.Cut(a.target, "?")
	asked, _, _ := strings.Cut(w.path, "?")
	if !o.live || o.stage < 3 || a.method != w.method || at != strings.TrimRight(onTheWire(asked), "/") || a.body != w.body {
		return false
	}
	id, state, _ := strings.Cut(approval, "; state=")
	if state == "used" && o.yes[id] {
		delete(o.yes, id)
		return true
	}
	return approval == "" && o.stage >= 4 && w.method == "PUT" && w.service == "trap"
}

// onTheWire is a path with its bytes beyond ASCII escaped, as an address has to be.
func onTheWire(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if c < 0x80 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// shown asks that a call has the real key, and nothing of the agent's.
func shown(rt *rapid.T, a arrival) {
	for name, values := range a.header {
		for _, v := range values {
			if strings.Contains(v, "agents") || strings.Contains(v, "other.example") || name == "Upgrade" || name == "Cookie" {
				rt.Fatalf("%s came with %s: %s", a, name, v)
			}
		}
	}
	if !strings.Contains(a.header.Get("Authorization"), realKey) && !strings.HasPrefix(a.header.Get("Authorization"), "Basic ") {
		rt.Fatalf("%s came without its key: %v", a, a.header)
	}
}

// meanwhile has somebody do something, or not.
func (l *leaver) meanwhile(rt *rapid.T, h *opened, run client.Run, o *outing) {
	k, ctx := h.k, l.t.Context()
	switch rapid.SampledFrom([]string{"", "", "", "clock", "override", "approve", "a person", "a person", "reset"}).Draw(rt, "meanwhile") {
	case "clock":
		_, _ = k.MoveClock(ctx, run.ID, client.Move{Advance: "2s"})
	case "override":
		_, _ = k.Override(ctx, run.ID, client.NewOverride{Gate: rapid.SampledFrom([]string{"edits", "puts", "refunds"}).Draw(rt, "gate"), By: "ada", Because: "the queue is on fire"})
	case "approve":
		waiting, _ := k.Approvals(ctx, run.ID, "pending")
		for _, a := range waiting {
			_, _ = k.Decide(ctx, run.ID, a.ID, client.Decision{Decision: "approve", By: "ada", Digest: a.Digest})
		}
	case "a person":
		waiting, _ := k.Approvals(ctx, run.ID, "pending")
		for _, a := range waiting {
			if _, err := h.ada.Decide(ctx, run.ID, a.ID, client.Decision{Decision: "approve", Digest: a.Digest}); err == nil {
				o.yes[a.ID] = true
			}
		}
	case "reset":
		_, _ = k.Reset(ctx, run.ID)
	}
}

// afterwards forks the run, and decides it again: nothing leaves. What the record
// has is what came, and where its calls are in no disguise, what is decided again.
func (l *leaver) afterwards(rt *rapid.T, h *opened, run client.Run, o *outing, plain bool) {
	defer func() { _, _ = h.k.End(l.t.Context(), run.ID, nil) }()
	if rapid.IntRange(0, 3).Draw(rt, "fork") == 0 {
		forks, err := h.k.Fork(l.t.Context(), run.ID, client.Fork{})
		if err != nil {
			rt.Fatal(err)
		}
		for range 2 {
			drawCall(rt).puts(l.t, h.Addr(), forks[0])
		}
		if came := l.w.takes(l.w.id); len(came) > 0 {
			rt.Fatalf("a fork let leave %v", came)
		}
		_, _ = h.k.End(l.t.Context(), forks[0].ID, nil)
	}
	if rapid.IntRange(0, 3).Draw(rt, "record") > 0 {
		return
	}
	k, err := h.Kept(run.ID)
	if err != nil {
		rt.Fatal(err)
	}
	// What the witness takes for a read, as a batch of reads, may be a write to Parity.
	if p := k.Report().Upstream; o.left > 0 && (p == nil || p.Reads+p.Writes != o.left || p.Writes < o.wrote || !p.Agrees) {
		rt.Fatalf("%d calls came, %d of them writes, and the record says %+v", o.left, o.wrote, p)
	}
	if again, err := k.Replay(l.t.Context(), ""); err != nil || plain && again.At > 0 {
		rt.Fatalf("replayed: %+v %v", again, err)
	}
	if came := l.w.takes(l.w.id); len(came) > 0 {
		rt.Fatalf("a replay let leave %v", came)
	}
}

// What a body says decides whether a call left; decided again, it says the same.
func TestACallThatIsKeptForItsBodyIsReplayedAsKept(t *testing.T) {
	t.Parallel()
	l := &leaver{t: t, w: witnessed(t), on: map[setting]*opened{}}
	h := l.at(setting{"live-read", false})
	made, err := h.k.Make(t.Context(), client.NewRun{})
	if err != nil {
		t.Fatal(err)
	}
	w := wired{service: "trap", method: "POST", path: "/v1/tickets/search", body: `{"q":"t1?_method=DELETE"}`, header: []string{"Content-Type: application/json"}}
	w.puts(t, h.Addr(), made[0])
	if came := l.w.takes("t1"); len(came) > 0 {
		t.Errorf("%v left", came)
	}
	k, err := h.Kept(made[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := k.Replay(t.Context(), ""); err != nil || again.At > 0 {
		t.Errorf("replayed: %+v %v", again, err)
	}
}
