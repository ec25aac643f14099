package verdict

import (
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/profiles"
)

// Each thing that the proof rests on, taken away by itself.
func TestNothingRealWasWritten(t *testing.T) {
	t.Parallel()
	tried := trail.Event{Kind: trail.Probed, Containment: &trail.Containment{Level: trail.ContainedWhole, Probes: 15}}
	sent := func(class string, number uint64, more func(*trail.Exchange)) trail.Event {
		x := &trail.Exchange{
			Service: "stripe", Operation: "GET /v1/charges", Method: "GET", Outcome: trail.Answered, Fidelity: trail.Live, Status: 200,
			Policy:   &trail.Policy{Class: class, Decision: trail.PolicyAllowed},
			Upstream: []trail.Upstream{{Host: "api.stripe.com", Operation: "stripe GET /v1/charges", Class: class, Number: number, Status: 200}},
		}
		if class != "read" {
			x.Method, x.Operation, x.Upstream[0].Operation = "POST", "POST /v1/refunds", "stripe POST /v1/refunds"
		}
		if more != nil {
			more(x)
		}
		return trail.Event{Kind: trail.Exchanged, Exchange: x}
	}
	read := sent("read", 1, nil)
	passed := func(x *trail.Exchange) { x.Upstream[0].Pass = "apr_1" }
	about := func(class string) trail.Event {
		e := sent(class, 0, func(x *trail.Exchange) { x.Outcome = trail.Answered })
		e.Kind = trail.Reserved
		return e
	}
	tunnel := func(host, by string) trail.Event {
		return trail.Event{Kind: trail.Tunnelled, Tunnel: &trail.Tunnel{Host: host, By: by}}
	}
	faked := sent("irreversible", 1, func(x *trail.Exchange) { x.Upstream, x.Fidelity = nil, trail.Modelled })
	for name, c := range map[string]struct {
		events  []trail.Event
		lets    bool
		always  trail.Result
		expects trail.Result
		says    string
	}{
		"reads alone, contained":         {[]trail.Event{tried, read, faked, tunnel("api.anthropic.com", "model-apis (api.anthropic.com)")}, false, trail.Passed, trail.Passed, "1 read left and no write"},
		"models that a pattern names":    {[]trail.Event{tried, read, tunnel("api.openai.com", "api.openai.com")}, false, trail.Passed, trail.Passed, "1 read left"},
		"nothing real at all":            {[]trail.Event{tried, faked}, false, trail.NotExercised, trail.Passed, "0 reads left and no write"},
		"nobody contained it":            {[]trail.Event{read}, false, trail.NotEvaluated, trail.NotEvaluated, "nothing was asked to contain the agent"},
		"a probe got out":                {[]trail.Event{{Kind: trail.Probed, Containment: &trail.Containment{Probes: 1, Out: []trail.Escape{{Probe: "udp"}}}}, read}, false, trail.NotEvaluated, trail.NotEvaluated, trail.GotOut},
		"hosts are let out":              {[]trail.Event{tried, read}, true, trail.NotEvaluated, trail.NotEvaluated, trail.LetOut},
		"another tunnel":                 {[]trail.Event{tried, read, tunnel("files.example.com", "files.example.com")}, false, trail.NotEvaluated, trail.NotEvaluated, "1 connection to files.example.com passed unread (files.example.com)"},
		"a host like a model's":          {[]trail.Event{tried, read, tunnel("api.anthropic.com.evil.example", "*.evil.example")}, false, trail.NotEvaluated, trail.NotEvaluated, "evil.example"},
		"a number is missing":            {[]trail.Event{tried, sent("read", 2, nil)}, false, trail.NotEvaluated, trail.NotEvaluated, "journal and Send do not agree"},
		"a number is there twice":        {[]trail.Event{tried, read, read}, false, trail.NotEvaluated, trail.NotEvaluated, "journal and Send do not agree"},
		"nobody knows of a read":         {[]trail.Event{tried, read, about("read")}, false, trail.NotEvaluated, trail.NotEvaluated, "nobody knows what came of a read"},
		"a write left":                   {[]trail.Event{tried, read, sent("irreversible", 2, nil)}, false, trail.Failed, trail.Failed, "#3 stripe POST /v1/refunds left for api.stripe.com without a Pass"},
		"a write left, uncontained":      {[]trail.Event{read, sent("irreversible", 2, nil)}, false, trail.Failed, trail.Failed, "#2 stripe POST /v1/refunds left"},
		"a write left as policy lets it": {[]trail.Event{tried, sent("irreversible", 1, passed)}, false, trail.NotExercised, trail.Failed, "#2 stripe POST /v1/refunds left for api.stripe.com, as apr_1 lets it"},
		"of two writes one had a pass":   {[]trail.Event{tried, sent("irreversible", 1, passed), sent("admin", 2, nil)}, false, trail.Failed, trail.Failed, "#3 stripe POST /v1/refunds left for api.stripe.com without a Pass"},
		"nobody knows of a write":        {[]trail.Event{tried, read, about("irreversible")}, false, trail.NotEvaluated, trail.Failed, "#3 stripe POST /v1/refunds was to leave for api.stripe.com, and nothing says what came of it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := Input{LetsOut: c.lets, Ended: true, Expectations: []profiles.Expectation{{Name: "unwritten", Form: profiles.Always}}}
			for i, e := range c.events {
				e.Seq = uint64(i + 1)
				in.Events = append(in.Events, e)
			}
			said := map[string]trail.Verdict{}
			for _, v := range Judge(in).Verdicts {
				said[v.Subject] = v
			}
			if v := said[trail.NothingWritten]; v.Result != c.always {
				t.Errorf("always: %+v", v)
			}
			v := said["unwritten"]
			if all := strings.Join(append(v.Lines, v.Why), "\n"); v.Result != c.expects || !strings.Contains(all, c.says) || v.Grades != gradesState {
				t.Errorf("expected: %+v", v)
			}
			if v.Result == trail.Failed && len(v.Evidence) == 0 {
				t.Error("it names no exchange")
			}
		})
	}
}

// What became of writes that did not leave is told apart.
func TestWritesThatDidNotLeave(t *testing.T) {
	t.Parallel()
	in := Input{Ended: true, Events: []trail.Event{{Kind: trail.Exchanged, Exchange: &trail.Exchange{
		Service: "stripe", Outcome: trail.Answered, Fidelity: trail.Live, Policy: &trail.Policy{Class: "read"}, Upstream: []trail.Upstream{{Class: "read", Number: 1, Host: "b"}, {Class: "read", Number: 2, Host: "a", Code: "upstream-timeout"}},
	}}}}
	write := func(o trail.Outcome, f trail.Fidelity, said int) {
		in.Events = append(in.Events, trail.Event{Kind: trail.Exchanged, Exchange: &trail.Exchange{
			Service: "stripe", Outcome: o, Fidelity: f, FakeStatus: said, Policy: &trail.Policy{Class: "reversible"},
		}})
	}
	write(trail.Answered, trail.Modelled, 0)
	in.Events = append(in.Events, trail.Event{Kind: trail.Exchanged, Exchange: &trail.Exchange{ // a service of which no call left
		Service: "github", Outcome: trail.Answered, Fidelity: trail.Injected, Policy: &trail.Policy{Class: "reversible"}, Operation: "POST /x", Strikes: []trail.Strike{{Rule: "it", Fault: "error", Live: true}},
	}})
	write(trail.Answered, trail.Injected, 200) // the fake did it, and its answer was replaced
	write(trail.Answered, trail.Injected, 0)
	write(trail.Answered, trail.None, 0)
	write(trail.Captured, trail.Drafted, 0)
	write(trail.Forbidden, trail.None, 0)
	write(trail.Held, trail.None, 0)
	write(trail.Held, trail.None, 0)
	for i := range in.Events {
		in.Events[i].Seq = uint64(i + 1)
	}
	p := Judge(in).Scope.Upstream
	if want := (trail.Stayed{Refused: 1, Held: 2, Faked: 2, Captured: 1, Struck: 2}); p.Stayed != want || p.Kept() != 8 || p.Reads != 2 || p.Failed != 1 || strings.Join(p.Hosts, ",") != "a,b" || !p.Agrees {
		t.Errorf("%+v", p)
	}
}
