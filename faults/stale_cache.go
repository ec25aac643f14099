package faults

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/specs"
)

// staleCache answers reads out of a cache that was filled a while ago, and says
// so. It keeps what somebody was answered, so that of a record which is younger
// than the cache it has the oldest version, and no refusal from before.
//
//	         ┄┄┄┄┄ age ┄┄┄┄┄
//	old  v1 ──────── v2 ────│ GET ─▶ v1, Age: 300
//	young     POST v1 ─ v2 ─│ GET ─▶ v1, Age: 40
func staleCache() *Fault {
	return &Fault{
		Name:     "stale-cache",
		Phase:    InReply,
		Summary:  "A read is answered from a cache: as things were, with Age and a cache hit in the headers.",
		Reaction: "Reads again past the cache before an irreversible act.",
		Judging:  Judging{Class: Cached, Lessens: true},
		Forms:    []Form{{Rank: 260, First: true, With: map[string]any{"age": "10m"}, Fits: func(u Usage) bool { return u.AfterWrite && u.BeforeIrreversible }}},
		Example: `charges-from-a-cache:
  call: stripe GET /v1/charges/{charge}
  inject: stale-cache
  with: {age: 5m}
  trigger: {nth: 1}
  because: A cache in between shows a charge as it was before its refund.`,
		Params: []Param{
			{
				Name: "age", Kind: Duration, Default: 5 * time.Minute, Min: int64(time.Second), Max: int64(7 * 24 * time.Hour),
				Doc: "how old the answer is, on the run's clock, in whole seconds; of what is younger, the oldest that there was to answer, and Age says so; a client that asks past caches (Cache-Control: no-cache) is answered as things are", Example: "10m",
			},
		},
		build: func(a Args) (Injection, error) { return cached{age: a.duration("age").Truncate(time.Second)}, nil },
	}
}

type cached struct{ age time.Duration }

// Misfit wants what a cache keeps: answers to GET.
func (c cached) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if op.Method != http.MethodGet || op.Effect != specs.Read {
		return op.Name() + " is no GET: no cache answers it"
	}
	return ""
}

// Beside lets a client have its way that asks past caches.
func (c cached) Beside(m CallContext) Gate {
	if m.Call.Fresh {
		return Gate{Why: "the client asks past caches"}
	}
	return Gate{Open: true}
}

// Limit is none: no calls are counted.
func (c cached) Limit() int { return 0 }

// PastCaches tells whether a field of a request's head says that no cache is to
// answer.
// Source: RFC 9111, 5.2.1 and 5.4.
func PastCaches(name, value string) bool {
	value = strings.ToLower(value)
	switch {
	case strings.EqualFold(name, "Cache-Control"):
		return strings.Contains(value, "no-cache") || strings.Contains(value, "no-store") || value == "max-age=0"
	case strings.EqualFold(name, "Pragma"):
		return strings.Contains(value, "no-cache")
	}
	return false
}

func (c cached) Apply(p *Plan, m CallContext) Mark {
	op, asked := m.Call.Operation, false
	p.AskAs(Ask{Ago: c.age, Answered: true}, func(now, then fakes.Reply) Done {
		asked = true
		done, differs := older(op, now, then)
		if !differs {
			done = Done{Did: "answered from a cache, which is right"}
		}
		return done
	})
	p.Amend(func(a *Answer) Done {
		if !asked {
			return Nothing("another rule decided the outcome, and no cache answered")
		}
		a.Header.Set("Age", strconv.FormatInt(int64(p.Ask.Ago/time.Second), 10))
		a.Header.Set("X-Cache", "HIT")
		return Done{}
	})
	return Mark{}
}

// Refuses tells whether a service answers that it does not do what is asked:
// some say so inside a 200.
func Refuses(r fakes.Reply) bool { return r.Status/100 != 2 || r.Result["ok"] == false }

var (
	_ Requirer = cached{}
	_ Filter   = cached{}
)
