package faults

import (
	"fmt"
	"time"

	"parity/fakes"
)

// quota refuses calls beyond an allowance until its period turns.
//
//	      day 1            │       day 2
//	▮▮▮▮▮▮▮▮▮▮ ✕ ✕ ✕ ✕ ✕ ✕ │ ▮▮▮▮▮
func quota() *Fault {
	return &Fault{
		Name:     "quota",
		Phase:    Before,
		Live:     LiveInstead,
		Decides:  true,
		Lasts:    true,
		Summary:  "Calls beyond an allowance are refused in the service's way until the virtual hour, day or month turns.",
		Reaction: "No call in the same bucket before the period turns, and no other credential to get around it; a wait beyond the budget means stop.",
		Judging:  Judging{Class: Limited, Outlasts: true},
		Forms:    []Form{{Rank: 230, Fits: fitsAll}},
		Example: `a-hundred-mails-a-day:
  call: sendgrid POST /v3/mail/send
  inject: quota
  with: {limit: 100, period: day}`,
		Params: []Param{
			{Name: "limit", Kind: Count, Min: 1, Max: mostCalls, Doc: "calls allowed in a period; without it the trigger alone decides which call finds the allowance used up", Example: "100"},
			{Name: "period", Kind: Choice, Choices: []string{"hour", "day", "month"}, Default: "day", Doc: "of the calendar, on the run's clock", Example: "month"},
			{Name: "zone", Kind: Text, Default: "UTC", Doc: "time zone in which days and months turn, by its IANA name", Example: "America/Los_Angeles"},
			{Name: "as", Kind: Choice, Choices: []string{"seconds", "date", "unsaid"}, Default: "seconds", Doc: "how Retry-After is written; unsaid leaves it out", Example: "unsaid"},
		},
		build: func(a Args) (Injection, error) {
			zone, err := time.LoadLocation(a.text("zone"))
			if err != nil || a.text("zone") == "Local" || a.text("zone") == "" {
				return nil, &ArgError{Key: "zone", Message: fmt.Sprintf("%q is no time zone; write it by its IANA name, such as Europe/Paris", a.text("zone"))}
			}
			return allowance{limit: int(a.count("limit")), period: a.text("period"), zone: zone, as: a.text("as")}, nil
		},
	}
}

type allowance struct {
	limit  int
	period string
	zone   *time.Location
	as     string
}

// bounds are the first instants of a period and of the one after it.
func (q allowance) bounds(now time.Time) (from, to time.Time) {
	now = now.In(q.zone)
	year, month, day := now.Date()
	switch q.period {
	case "hour":
		from = now.Add(-time.Duration(now.Minute())*time.Minute - time.Duration(now.Second())*time.Second - time.Duration(now.Nanosecond()))
		return from, from.Add(time.Hour) // of a day that is set forward or back, too
	case "month":
		return time.Date(year, month, 1, 0, 0, 0, 0, q.zone), time.Date(year, month+1, 1, 0, 0, 0, 0, q.zone)
	}
	return time.Date(year, month, day, 0, 0, 0, 0, q.zone), time.Date(year, month, day+1, 0, 0, 0, 0, q.zone)
}

// Open keeps the bucket shut until the period turns, and counts what it lets
// through.
func (q allowance) Open(m CallContext) Gate {
	if q.limit == 0 || m.Until.After(m.Now) {
		return Gate{Open: true}
	}
	from, _ := q.bounds(m.Now)
	if used := m.Uses(from.Add(-1)); used < q.limit { // what was used at the turn itself counts
		return Gate{Why: fmt.Sprintf("%d of %d calls in the %s", used, q.limit, q.period), Use: true}
	}
	return Gate{Open: true}
}

// Limit is what Open compares the calls in its period with.
func (q allowance) Limit() int { return q.limit }

// HoldsForAll: an allowance that is used up is so for every call.
func (q allowance) HoldsForAll() {}

func (q allowance) Apply(p *Plan, m CallContext) Mark {
	_, until := q.bounds(m.Now)
	p.Skip = true
	p.Say = &fakes.Problem{Kind: fakes.OverQuota}
	return Mark{Wait: tell(p.Say, q.as, m.Now, until), Until: until}
}

// tell has a refusal say when to come back, and gives the wait that it says.
func tell(say *fakes.Problem, as string, now, until time.Time) time.Duration {
	wait := (until.Sub(now) + time.Second - 1).Truncate(time.Second)
	switch as {
	case "seconds":
		say.RetryAfter = wait
	case "date":
		say.RetryDate = until
	default:
		return 0
	}
	return wait
}

var _ HoldsForAll = allowance{}
