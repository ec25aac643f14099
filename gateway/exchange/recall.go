package exchange

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"parity/fakes/jobs"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/body"
)

// Recall makes the exchange of a recorded call of a run, as it stood before it
// was decided.
func (l *Line) Recall(r *Run, e *trail.Event) (*Exchange, error) {
	was, rev := e.Exchange, r.Revision()
	service, ok := rev.Catalogue.Service(was.Service)
	if !ok {
		return nil, fmt.Errorf("there is no service %s any more", was.Service)
	}
	m := service.Contract.Recall(was.Operation, was.Method, was.Path)
	var beside *known
	if adds, ok := rev.added[was.Service]; ok && m.Operation == nil && jobs.Serves(was.Path) {
		a := adds()
		service, m = a.service, a.service.Contract.Recall(was.Operation, was.Method, was.Path)
		beside = a.known[m.Operation]
	}
	if m.Operation == nil {
		return nil, fmt.Errorf("%s has no %s %s any more", was.Service, was.Method, was.Path)
	}
	request := &http.Request{Method: was.Method, URL: &url.URL{Path: was.Path, RawQuery: was.Query}, Host: was.Host, Header: http.Header{}}
	for _, f := range was.Header {
		request.Header.Add(f.Name, f.Value)
	}
	if header := m.Operation.Anatomy.Key; header != "" && was.Intent.Key != "" {
		request.Header.Set(header, was.Intent.Key)
	}
	input, err := Recorded(m, was)
	if err != nil {
		return nil, err
	}
	x := &Exchange{line: l, run: r, rev: rev, replaying: true}
	x.arrived = arrived{
		r: request, service: service, base: cmp.Or(was.Base, "https://"+was.Host), path: was.Path,
		op: m.Operation, input: input, identity: e.Identity, fingerprint: was.Intent.Fingerprint,
		preauthenticated: e.Identity != "" && (was.Fidelity == trail.Injected || was.Status != http.StatusUnauthorized),
	}
	if text, ok := input.Value.(string); ok && !body.IsJSON(body.Kind(request.Header.Get("Content-Type"))) {
		x.body = []byte(text) // a service may read text as it came
	}
	x.described, x.generation = true, recalled(was)
	x.waitsAgain = e.Kind == trail.Reserved && was.Policy != nil && was.Outcome == trail.Held
	x.known = cmp.Or(beside, x.rev.about(x.op))
	if x.known == nil {
		return nil, fmt.Errorf("the profile does not bind %s", was.Service)
	}
	x.entry = trail.Exchange{
		Way: was.Way, Service: was.Service, Operation: x.known.name, Bare: x.known.bare, OperationID: x.op.ID,
		Effect: x.known.effect, Method: was.Method,
		Host: was.Host, Path: was.Path, Query: was.Query, Header: was.Header, Body: was.Body, Violations: was.Violations,
	}
	x.was, x.routed = was.Upstream, was.Policy != nil && was.Policy.Route == string(policy.Live)
	x.struck = slices.ContainsFunc(was.Strikes, func(s trail.Strike) bool { return s.Live })
	x.authorise() // as when it came: its intent is told in the turn
	x.entry.Intent = was.Intent
	return x, nil
}

// Begin decides a recalled call, or as much of it as comes before it waits.
func (x *Exchange) Begin(t *run.Turn) *trail.Event { return x.firstTurn(t) }

// GoOn decides a call that waited, whose reservation and late half the record
// has.
func (x *Exchange) GoOn(was *trail.Exchange) func(*run.Turn) *trail.Event {
	x.entry.Reserved = was.Reserved
	x.waitsAgain = was.Outcome == trail.Held && was.Status == 0
	if x.waits && len(was.Upstream) > 0 {
		x.feed(was)
		return x.returned
	}
	if was.Policy != nil && was.Policy.Waited {
		return x.awaited
	}
	if x.plan.Hold != nil && was.FakeStatus == 0 {
		x.plan.Hold.Acts = false // its client had left, or the gateway ended
	}
	return x.lateTurn
}

// Recorded is a recorded call's input, as its contract reads it.
func Recorded(m specs.Match, was *trail.Exchange) (specs.Input, error) {
	in, _ := m.Operation.Read(specs.Request{Path: m.Path, Query: was.Query, Header: http.Header{}}) // the body is decoded already
	in.Body, in.Value = nil, nil
	if len(was.Body) == 0 {
		return in, nil
	}
	value, wrong := body.DecodeJSON(was.Body)
	if wrong != nil {
		return in, fmt.Errorf("body of %s: %w", m.Operation.Name(), wrong)
	}
	if object, ok := value.(map[string]any); ok {
		in.Body = object
	} else {
		in.Value = value
	}
	return in, nil
}
