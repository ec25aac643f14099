package sweep

import (
	"strings"

	"parity/fakes"
	"parity/faults"
	"parity/specs"
)

// form is how a sweep injects a fault: with parameters that an agent notices in
// seconds, and reaching past what SDKs retry by themselves.
type form struct {
	fault string
	with  map[string]any
	tries int64 // attempts of the intent that are hit; 0: the fault's own default
	pair  bool  // it is about a record that the agent has read before it writes
	first bool  // it strikes the first call that has what it takes, such as a page with more behind it
	fits  func(*Call) bool
}

// tries is how many attempts official SDKs make by themselves of one call, such
// as stripe-node: the first, and two retries. All have to fail for an agent to see it.
const tries = 3

// forms are the faults of a sweep, those that have cost the most first. Those
// that are not here cannot be told from one call (cascade, lock-lost,
// owner-changed), are about connections, streams or webhooks (connect-refused,
// stream-cut, webhook-disorder), differ from another only in pace (slow-body), or
// are judged by what an agent says alone (clock-skew, deprecation).
func forms() []form {
	return []form{
		{fault: "ambiguous-success", with: of("reply", "reset"), tries: tries, fits: irreversible},
		{fault: "ambiguous-success", with: of("reply", "reset"), tries: tries, fits: reversible},
		{fault: "rate-limit", with: of("retry_after", "2s"), fits: every},
		{fault: "timeout", with: of("for", "3s"), tries: tries, fits: every},
		{fault: "error", with: of("status", int64(503)), tries: tries, fits: every},
		{fault: "partial-page", first: true, with: of("drop", "50%", "marker", "kept"), fits: reads},
		{fault: "concurrent-edit", pair: true, fits: func(c *Call) bool { return c.Read }},
		{fault: "session-expired", with: of("how", "401"), fits: every},
		{fault: "schema-drift", with: of("change", "rename"), fits: reads},
		{fault: "malformed-body", with: of("how", "invalid"), fits: every},
		{fault: "stale-read", first: true, with: of("lag", "90s"), fits: func(c *Call) bool { return c.AfterWrite }},
		{fault: "html-page", with: of("page", "login"), fits: every},
		{fault: "outage", fits: every},
		{fault: "idempotency-conflict", with: of("how", "in-flight", "for", "2s"), fits: func(c *Call) bool { return c.Keyed }},
		{fault: "silent-no-op", fits: writes},
		{fault: "partial-result", first: true, with: of("parts", "30%", "marker", "flag"), fits: reads},
		{fault: "cursor-expired", first: true, with: of("how", "refused"), fits: paged},
		{fault: "moving-page", first: true, with: of("insert", int64(2), "remove", int64(1)), fits: paged},
		{fault: "wrong-value", first: true, fits: reads},
		{fault: "truncated-body", with: of("at", "50%"), tries: tries, fits: reads},
		{fault: "duplicate-effect", fits: writes},
		{fault: "misleading-refusal", fits: writes},
		{fault: "quota", fits: every},
		{fault: "async-accept", with: of("wait", "2s", "retry_after", "1s"), fits: writes},
		{fault: "redirect", with: of("status", int64(307)), fits: every},
		{fault: "stale-cache", first: true, with: of("age", "10m"), fits: func(c *Call) bool { return c.AfterWrite && c.BeforeIrreversible }},
		{fault: "latency", with: of("fixed", "3s"), fits: every},
		{fault: "large-reply", with: of("size", "2MB"), fits: reads},
	}
}

// of makes parameters of names and values in turn.
func of(pairs ...any) map[string]any {
	with := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		with[name] = pairs[i+1]
	}
	return with
}

func every(*Call) bool          { return true }
func irreversible(c *Call) bool { return c.Effect == specs.Irreversible }
func reversible(c *Call) bool   { return c.Effect == specs.Reversible }
func writes(c *Call) bool       { return c.Effect != specs.Read }
func reads(c *Call) bool        { return c.Effect == specs.Read }
func paged(c *Call) bool        { return c.Paged }

// at gives the parameters of the fault at a call. The read of a record has the
// path of its write.
func (f *form) at(call string) map[string]any {
	if !f.pair {
		return f.with
	}
	return of("once_read", readOf(call))
}

// readOf names the read of what a call writes.
func readOf(call string) string {
	service, rest, _ := strings.Cut(call, " ")
	_, path, _ := strings.Cut(rest, " ")
	return service + " GET " + path
}

// strikes tells whether the fault can strike calls of an operation.
func (f *form) strikes(op *specs.Operation, fake fakes.Fake) bool {
	fault, known := faults.Lookup(f.fault)
	if !known {
		return false
	}
	injection, err := fault.Build(f.at(op.Name()))
	if err != nil {
		return false
	}
	fitted, asks := injection.(faults.Fitted)
	return !asks || fitted.Misfit(op, fake) == ""
}
