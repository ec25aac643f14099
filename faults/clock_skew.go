package faults

import (
	"net/http"
	"time"

	"parity/fakes"
	"parity/specs"
)

// clockSkew has the service's clock go wrong.
//
//	run      12:00:00
//	Date     11:50:00
func clockSkew() *Fault {
	return &Fault{
		Name:     "clock-skew",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "A Date that is minutes off; or a request with a credential is refused, for its time is not the service's.",
		Reaction: "It is reported.",
		Lasts:    true,
		Judging:  Judging{Class: ClockOff, Twinless: always},
		Unswept:  "only what an agent says shows what it made of it",
		Example: `clock-behind:
  call: stripe *
  inject: clock-skew
  with: {by: 17m, direction: behind}`,
		Params: []Param{
			{Name: "by", Kind: Duration, Default: 10 * time.Minute, Min: int64(time.Second), Max: int64(366 * 24 * time.Hour), Doc: "how far off the service's clock is", Example: "17m"},
			{Name: "direction", Kind: Choice, Choices: []string{"ahead", "behind"}, Default: "ahead", Doc: "which way", Example: "behind"},
			{Name: "refuse", Kind: Flag, Default: false, Doc: "requests that carry a credential are refused, as where they are signed with their time", Example: "true"},
			{Name: "status", Kind: Choice, Choices: []string{"401", "403"}, Default: "401", Doc: "of the refusal", Example: "403"},
		},
		build: func(a Args) (Injection, error) {
			s := skew{by: a.duration("by"), refuses: a.flag("refuse"), status: http.StatusUnauthorized}
			if a.text("status") == "403" {
				s.status = http.StatusForbidden
			}
			if a.text("direction") == "behind" {
				s.by = -s.by
			}
			return s, nil
		},
	}
}

type skew struct {
	by      time.Duration
	refuses bool
	status  int
}

// Misfit wants a credential where a call is to be refused for the time it was
// signed at.
func (s skew) Misfit(op *specs.Operation, fake fakes.Fake) string {
	if _, identifies := fake.(fakes.Identifier); s.refuses && fake != nil && !identifies {
		return op.Service + " takes no credentials: there is nothing signed to refuse"
	}
	return ""
}

func (s skew) Apply(p *Plan, m CallContext) Mark {
	refused := s.refuses && p.Say == nil && p.Page == nil
	if refused {
		p.Skip, p.decided = true, true
		p.Say = &fakes.Problem{
			Kind: fakes.Unauthorised, Status: s.status,
			Message: "The difference between the request's time and the server's time, " + m.Now.Add(s.by).Format(time.RFC3339) + ", is too large.",
		}
	}
	p.Amend(func(a *Answer) Done {
		a.Header.Set("Date", a.Now.Add(s.by).UTC().Format(http.TimeFormat))
		did := "dated it " + s.by.Abs().String() + " ahead"
		if s.by < 0 {
			did = "dated it " + s.by.Abs().String() + " behind"
		}
		if refused {
			did += ", and refused it for its time"
		}
		return Done{Did: did}
	})
	return Mark{}
}
