package faults

import (
	"fmt"
	"strconv"
	"time"

	"parity/fakes"
	"parity/specs"
)

// cascade fails calls that depend on others which have failed.
//
//	stripe  ╳ 503 ─────┄┄ for ┄┄─────▶
//	crm          ╳ 503      ╳ 503     │ answers again
func cascade() *Fault {
	return &Fault{
		Name:     "cascade",
		Phase:    Before,
		Live:     LiveInstead,
		Decides:  true,
		Lasts:    true,
		Summary:  "An operation fails because another that it depends on has failed a short while ago; nothing has happened.",
		Reaction: "Bounded retries with growing gaps, then it stops; work that depends on neither goes on.",
		Judging:  Judging{Class: Limited, Outlasts: true},
		Unswept:  "no one call shows it",
		Example: `no-refunds-without-charges:
  call: stripe POST /v1/refunds
  inject: cascade
  with: {from: stripe GET /v1/charges/*, for: 5m}`,
		Params: []Param{
			{Name: "from", Kind: Call, Doc: "what it depends on: one of those is down while the latest such call of the run has failed (5xx, or no answer)", Example: "stripe *"},
			{
				Name: "for", Kind: Duration, Default: time.Minute, Min: int64(time.Millisecond), Max: int64(24 * time.Hour),
				Doc: "how long after that call, on the run's clock", Example: "5m",
			},
			{Name: "status", Kind: Choice, Choices: []string{"424", "500", "502", "503", "504"}, Default: "503", Doc: "HTTP status", Example: "502"},
			{Name: "retry_after", Kind: Duration, Max: int64(24 * time.Hour), Doc: "a Retry-After header, in whole seconds", Example: "30s"},
		},
		build: func(a Args) (Injection, error) {
			if !a.has("from") {
				return nil, &ArgError{Key: "from", Message: "say what it depends on, such as stripe *"}
			}
			status, _ := strconv.Atoi(a.text("status")) // one of its choices
			after, err := a.whole("retry_after")
			return dependent{refusal: refusal{status: status, after: after}, from: a.patterns("from"), during: a.duration("for")}, err
		},
	}
}

type dependent struct {
	refusal
	from   []Pattern
	during time.Duration
}

// Misfit refuses what would be down because it is down.
func (d dependent) Misfit(op *specs.Operation, _ fakes.Fake) string {
	for _, p := range d.from {
		if p.Match(op) {
			return op.Name() + " is one of those that it is to depend on"
		}
	}
	return ""
}

// Open looks at what was called in this run, and at nothing else: a service
// that is down and was not asked is not known to be.
func (d dependent) Open(m CallContext) Gate {
	var failed time.Time
	from := d.from[0]
	for _, p := range d.from {
		if at := m.Failing(p); at.After(failed) {
			failed, from = at, p
		}
	}
	if failed.IsZero() {
		return Gate{Why: from.String() + " has not failed, or answers again"}
	}
	if since := m.Now.Sub(failed); since >= d.during {
		return Gate{Why: fmt.Sprintf("%s failed %v ago, and it lasts %v", from, since.Truncate(time.Millisecond), d.during)}
	}
	return Gate{Open: true}
}

// Limit is none: no calls are counted.
func (d dependent) Limit() int { return 0 }

var (
	_ Gatekeeper = dependent{}
	_ Requirer   = dependent{}
)
