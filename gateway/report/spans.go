package report

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/chance"
	"parity/faults/trail"
)

// Kinds of spans, codes and flags, as trace.proto numbers them.
const (
	kindInternal = 1
	kindServer   = 2
	statusError  = 2
	remoteParent = 0x300 // it is known where the parent is, and that is elsewhere
)

// spans makes spans of one run.
type spans struct {
	*masker
	r           *Report
	settlements map[uint64]trail.Settlement
	first, last int64 // real time, in nanoseconds
	attempts    map[string]otlpLink
	failed      map[uint64][]*trail.Verdict // by the event that shows it
}

func newSpans(r *Report, settlements map[uint64]trail.Settlement) *spans {
	t := &spans{masker: newMasker(), r: r, settlements: settlements, attempts: map[string]otlpLink{}, failed: map[uint64][]*trail.Verdict{}}
	if !r.Began.IsZero() {
		t.first = r.Began.UnixNano()
	}
	t.last = t.first
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		for _, seq := range v.Evidence {
			if v.Result == trail.Failed {
				t.failed[seq] = append(t.failed[seq], v)
			}
		}
	}
	return t
}

// id is the same for a run whenever it is asked, and another for each run: names
// of runs are short, and come again on other machines.
func (t *spans) id(what string, bytes int) string {
	return chance.Hash(t.r.Run, number(t.r.Seed), t.r.Began.String(), what)[:2*bytes]
}

func (t *spans) document(all []otlpSpan) otlpTraces {
	return otlpTraces{[]otlpResourceSpans{{
		Resource: otlpResource{some(
			attribute("service.name", "parity"), attribute("service.version", t.r.Parity), attribute("parity.run", t.r.Run),
			attribute("parity.profile", t.r.Profile), attribute("parity.seed", number(t.r.Seed)),
		)},
		Scopes: []otlpScopeSpans{{Scope: otlpScope{"parity", t.r.Parity}, Spans: all}},
	}}}
}

// masked is a part of the document without secrets.
func (t *spans) masked(part any) (string, error) {
	data, err := json.Marshal(part)
	if err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	return t.json(string(data)), nil
}

// exchange is the span of one exchange: a server's, whose parent is the span of
// the agent's client.
func (t *spans) exchange(e *trail.Event) otlpSpan {
	x := e.Exchange
	span := otlpSpan{
		TraceID: t.id("trace", 16), SpanID: t.id("event "+number(e.Seq), 8), Parent: t.id("run", 8), Kind: kindServer, Name: spanName(x),
		Attributes: t.attributes(e),
	}
	if parent, ok := parseTraceParent(fieldOf(x.Header, "Traceparent")); ok {
		span.Links = append(span.Links, otlpLink{span.TraceID, span.Parent, some(attribute("parity.link", "run"))})
		span.TraceID, span.Parent, span.Flags = parent.trace, parent.span, remoteParent|parent.flags
		span.TraceState = fieldOf(x.Header, "Tracestate")
	}
	if before, ok := t.attempts[x.Intent.ID]; ok && x.Intent.ID != "" {
		before.Attributes = some(attribute("parity.link", "attempt before"))
		span.Links = append(span.Links, before)
	}
	t.attempts[x.Intent.ID] = otlpLink{TraceID: span.TraceID, SpanID: span.SpanID}
	span.Start, span.End = t.times(e.Seq)
	for i := range x.Strikes {
		if s := &x.Strikes[i]; s.Fired {
			span.Events = append(span.Events, otlpEvent{span.Start, "parity.fault", some(
				attribute("parity.rule", s.Rule), attribute("parity.fault", s.Fault), attribute("parity.phase", s.Phase), attribute("parity.did", s.Did),
			)})
		}
	}
	for _, v := range t.failed[e.Seq] {
		span.Events = append(span.Events, t.verdict(v, span.End))
	}
	if why, broken := t.broken(e); broken {
		span.Status = &otlpStatus{Code: statusError, Message: why}
		kind := why
		if kind == "" {
			kind = strconv.Itoa(x.Status)
		}
		span.Attributes = append(span.Attributes, attribute("error.type", kind))
	}
	return span
}

// times are when an exchange began and ended on the wire.
func (t *spans) times(seq uint64) (start, end int64) {
	s, ok := t.settlements[seq]
	took := int64(max(s.Took, 0))
	switch {
	case ok && s.Began > 0:
		start = int64(s.Began)
	case ok && int64(s.Wall) > took:
		start = int64(s.Wall) - took
	default:
		start = t.last // nobody knows; it was not before the one before
	}
	if t.first == 0 {
		t.first = start
	}
	t.last = max(t.last, start+took)
	return start, start + took
}

// broken tells whether the agent was left without a whole answer, or with a
// server's error; of the latter the status says all.
func (t *spans) broken(e *trail.Event) (why string, broken bool) {
	x := e.Exchange
	s := t.settlements[e.Seq]
	switch {
	case x.Wire.NoHead || x.Wire.HeadCut || x.Wire.Short || x.Wire.End != trail.Complete:
		why = ending(&x.Wire)
		if why == "" {
			why = string(x.Wire.End)
		}
		return why, true
	case s.ClientGone:
		return "the client left", true
	case s.Error != "":
		return s.Error, true
	}
	return "", x.Status >= http.StatusInternalServerError
}

// attributes are those of HTTP (https://opentelemetry.io/docs/specs/semconv/http/http-spans/),
// and what Parity alone knows.
func (t *spans) attributes(e *trail.Event) []otlpAttribute {
	x := e.Exchange
	s, settled := t.settlements[e.Seq]
	method, original := x.Method, ""
	if !slices.Contains(knownMethods(), method) {
		method, original = "_OTHER", x.Method
	}
	_, route, _ := strings.Cut(x.Operation, " ")
	scheme, _, _ := strings.Cut(address(x), ":")
	all := some(
		attribute("http.request.method", method), attribute("http.request.method_original", original), attribute("url.full", address(x)),
		attribute("url.scheme", scheme), attribute("url.path", x.Path), attribute("url.query", x.Query), attribute("http.route", route),
		attribute("server.address", x.Host), attribute("user_agent.original", fieldOf(x.Header, "User-Agent")),
		attribute("network.protocol.version", strings.TrimSuffix(strings.TrimPrefix(s.Proto, "HTTP/"), ".0")),
		attribute("parity.event", int64(e.Seq)), //nolint:gosec // no run has so many
		attribute("parity.service", x.Service), attribute("parity.operation", x.Operation), attribute("parity.effect", x.Effect),
		attribute("parity.identity", e.Identity), attribute("parity.intent", x.Intent.ID), attribute("parity.outcome", x.Outcome),
		attribute("parity.fidelity", joined(x.Fidelities())), attribute("parity.committed", x.Committed), attribute("parity.settled", settled),
		attribute("parity.wire", ending(&x.Wire)), attribute("parity.note", x.Note),
	)
	if x.Intent.Attempt > 0 {
		all = append(all, attribute("parity.attempt", int64(x.Intent.Attempt)))
	}
	if x.Status > 0 && !x.Wire.NoHead && !x.Wire.HeadCut {
		all = append(all, attribute("http.response.status_code", int64(x.Status)))
	}
	return all
}

// knownMethods are those of RFC 9110, and PATCH of RFC 5789.
func knownMethods() []string {
	return []string{"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"}
}

func spanName(x *trail.Exchange) string {
	switch {
	case x.Operation != "":
		return x.Operation
	case slices.Contains(knownMethods(), x.Method):
		return x.Method
	}
	return "HTTP"
}

// run is the span of the run as a whole, which has its verdicts.
func (t *spans) run() otlpSpan {
	r := t.r
	if r.Agent != nil && !r.Began.IsZero() {
		t.last = max(t.last, r.Began.Add(r.Agent.Took).UnixNano())
	}
	span := otlpSpan{
		TraceID: t.id("trace", 16), SpanID: t.id("run", 8), Name: "parity run", Kind: kindInternal, Start: t.first, End: t.last,
		Attributes: some(
			attribute("parity.missing", strings.Join(r.Missing, "; ")), attribute("parity.command", quote(t.command(r.Command))), attribute("parity.valid", r.Valid), attribute("parity.exit", int64(r.Exit)),
			attribute("parity.proved", proved(r)), attribute("parity.not_proved", unproved(r)),
		),
	}
	for i := range r.Verdicts {
		span.Events = append(span.Events, t.verdict(&r.Verdicts[i], t.last))
	}
	if failed(r.Judgement) || !r.Valid || len(r.Defects) > 0 || r.NoTraffic() {
		span.Status = &otlpStatus{Code: statusError, Message: "exit " + strconv.Itoa(r.Exit)}
	}
	return span
}

func (t *spans) verdict(v *trail.Verdict, at int64) otlpEvent {
	return otlpEvent{at, "parity.verdict", some(
		attribute("parity.subject", v.Subject), attribute("parity.kind", v.Kind), attribute("parity.grades", v.Grades), attribute("parity.result", v.Result),
		attribute("parity.reaction", v.Reaction), attribute("parity.lines", strings.Join(v.Lines, "\n")), attribute("parity.mend", v.Mend),
		attribute("parity.why", v.Why), attribute("parity.rests_on", v.Scope.Operations),
	)}
}

func fieldOf(fields []trail.Field, name string) string {
	for _, f := range fields {
		if http.CanonicalHeaderKey(f.Name) == name {
			return f.Value
		}
	}
	return ""
}
