package verdict

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs/words"
)

// tape builds a run by hand: one event after another, a second apart, each
// with its settlement.
type tape struct {
	in  Input
	now time.Time
	who string
}

func newTape() *tape {
	return &tape{
		in:  Input{Settlements: map[uint64]trail.Settlement{}, Ended: true, Services: []string{"stripe"}, Agents: map[string]string{"stripe-other": "other"}},
		now: time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC), who: "stripe-agent",
	}
}

// shot is one call to be built.
type shot struct {
	t   *tape
	e   trail.Event
	x   trail.Exchange
	s   trail.Settlement
	who string // whose credential it comes with
}

func (t *tape) call(operation, intent string) *shot {
	t.now = t.now.Add(time.Second)
	method, path, _ := strings.Cut(operation, " ")
	effect := "irreversible"
	if method == "GET" {
		effect = "read"
	}
	s := &shot{t: t, who: t.who, x: trail.Exchange{
		Way: "proxy", Service: "stripe", Operation: operation, Effect: effect, Method: method, Host: "api.stripe.com", Path: path,
		Intent: trail.Intent{ID: intent, Attempt: 1}, Outcome: trail.Answered, Fidelity: trail.Modelled, Status: 200, Whole: true,
	}}
	s.s.Began = trail.At(t.now)
	s.s.Wall = trail.At(t.now.Add(10 * time.Millisecond))
	return s
}

func (s *shot) key(k string) *shot { s.x.Intent.Key = k; return s }

func (s *shot) path(p string) *shot { s.x.Path = p; return s }

func (s *shot) body(b string) *shot { s.x.Body = []byte(b); return s }

func (s *shot) status(n int) *shot { s.x.Status, s.x.Whole = n, n/100 == 2; return s }

func (s *shot) replies(b string) *shot { s.x.ReplyBody = []byte(b); return s }

func (s *shot) agent(name string) *shot {
	s.x.Header = append(s.x.Header, trail.Field{Name: "User-Agent", Value: name})
	return s
}

// makes adds a created record to the delta, and is answered with it.
func (s *shot) makes(collection, id, fields string) *shot {
	doc := `{"id":"` + id + `","object":"` + words.Singular(collection) + `"` + fields + `}`
	s.x.Committed = true
	s.x.ReplyBody = []byte(doc)
	s.e.Delta = append(s.e.Delta, trail.Change{Op: world.Create, Collection: "stripe." + collection, ID: id, Version: 1, After: []byte(doc)})
	return s
}

func (s *shot) changes(collection, id, before, after string) *shot {
	doc := func(fields string) []byte {
		return []byte(`{"id":"` + id + `","object":"` + words.Singular(collection) + `"` + fields + `}`)
	}
	s.x.Committed = true
	s.e.Delta = append(s.e.Delta, trail.Change{
		Op: world.Update, Collection: "stripe." + collection, ID: id, Version: 2, Before: doc(before), After: doc(after),
	})
	return s
}

func (s *shot) strike(rule, fault string) *shot {
	s.x.Strikes = append(s.x.Strikes, trail.Strike{
		Rule: rule, Hash: "h", Fault: fault, Per: s.t.who, Index: 1, Fired: true, Phase: "after",
	})
	return s
}

// missed adds a strike that did not fire.
func (s *shot) missed(rule, fault, why string) *shot {
	s.x.Strikes = append(s.x.Strikes, trail.Strike{
		Rule: rule, Hash: "h", Fault: fault, Per: s.t.who, Index: 1, Why: why,
	})
	return s
}

// reset loses the reply.
func (s *shot) reset() *shot {
	s.x.Wire, s.x.Whole = trail.Wire{NoHead: true, End: trail.Reset}, false
	return s
}

func (s *shot) refund(id string) *shot {
	return s.makes("refunds", id, `,"amount":12000,"currency":"usd","status":"succeeded"`).
		changes("charges", "ch_00000001", `,"amount_refunded":0`, `,"amount_refunded":12000`)
}

func (s *shot) took(d time.Duration) *shot {
	s.s.Wall = s.s.Began + trail.Instant(d)
	return s
}

func (s *shot) gone() *shot { s.s.ClientGone = true; return s }

func (s *shot) after(d time.Duration) *shot {
	s.t.now = s.t.now.Add(d - time.Second)
	s.s.Began, s.s.Wall = trail.At(s.t.now), trail.At(s.t.now.Add(10*time.Millisecond))
	return s
}

func (s *shot) wait(d time.Duration) *shot {
	last := &s.x.Strikes[len(s.x.Strikes)-1]
	last.Wait, last.Until = d, trail.At(s.t.now.Add(d))
	s.x.Fidelity, s.x.Committed = trail.Injected, false
	return s.status(429)
}

// put writes the event down and gives its number.
func (s *shot) put() uint64 {
	seq := s.put0()
	s.s.Of = seq
	s.t.in.Settlements[seq] = s.s
	return seq
}

// unsettled writes it down without what went out.
func (s *shot) unsettled() uint64 { return s.put0() }

func (s *shot) put0() uint64 {
	t := s.t
	x := s.x
	s.e.Seq, s.e.Kind, s.e.At, s.e.Identity, s.e.Exchange = uint64(len(t.in.Events)+1), trail.Exchanged, trail.At(t.now), s.who, &x
	t.in.Events = append(t.in.Events, s.e)
	return s.e.Seq
}

func (t *tape) rule(name, fault string, required bool) {
	t.in.Rules = append(t.in.Rules, RuleInfo{Name: name, Hash: "h", Fault: fault, Required: required, Because: "it happened"})
}

func (t *tape) verdict(tb testing.TB, subject string) trail.Verdict {
	tb.Helper()
	for _, v := range Judge(t.in).Verdicts {
		if v.Subject == subject {
			return v
		}
	}
	tb.Fatalf("no verdict on %q", subject)
	return trail.Verdict{}
}
