package faults

import (
	"fmt"
	"time"

	"parity/fakes"
)

// rateLimit refuses calls beyond a limit, and says when to come back. Once it
// has refused, its bucket stays shut until then.
//
//	│▮▮▮▮▮│▮▮ ✕ ✕ ✕ …wait… │▮▮
//	 window     429          open again
func rateLimit() *Fault {
	return &Fault{
		Name:     "rate-limit",
		Phase:    Before,
		Decides:  true,
		Summary:  "A refusal in the service's way (429, or what it uses), with when to come back.",
		Reaction: "No call in the same bucket before the wait is over; a wait beyond the budget means stop.",
		Params: []Param{
			{Name: "limit", Kind: Count, Min: 1, Max: mostCalls, Doc: "calls allowed in a window; without it the trigger alone decides", Example: "25"},
			{Name: "window", Kind: Duration, Default: time.Second, Min: int64(time.Millisecond), Max: int64(24 * time.Hour),
				Doc: "length of the sliding window, on the run's clock", Example: "1m"},
			{Name: "retry_after", Kind: Duration, Default: 2 * time.Second, Min: int64(time.Second), Max: int64(24 * time.Hour),
				Doc: "what the client is told to wait, in whole seconds", Example: "30s"},
			{Name: "as", Kind: Choice, Choices: []string{"seconds", "date", "unsaid"}, Default: "seconds",
				Doc: "how Retry-After is written; unsaid leaves it out", Example: "date"},
		},
		build: func(a Args) (Injection, error) {
			l := limit{limit: int(a.count("limit")), window: a.duration("window"), after: a.duration("retry_after"), as: a.text("as")}
			if l.after%time.Second != 0 {
				return nil, &ArgError{Key: "retry_after", Message: fmt.Sprintf("%v is not in whole seconds, which is all that the header can say", l.after)}
			}
			return l, nil
		},
	}
}

type limit struct {
	limit  int
	window time.Duration
	after  time.Duration
	as     string
}

// Open keeps the bucket shut while an earlier refusal holds, and otherwise
// asks whether the window is full.
func (l limit) Open(m Meeting) Gate {
	if l.limit == 0 || m.Until.After(m.Now) {
		return Gate{Open: true}
	}
	if used := m.Uses(m.Now.Add(-l.window)); used < l.limit {
		return Gate{Why: fmt.Sprintf("%d of %d calls in the window", used, l.limit), Use: true}
	}
	return Gate{Open: true}
}

// Limit is what Open compares the calls in its window with: more of them than
// that, and it does not matter how many.
func (l limit) Limit() int { return l.limit }

func (l limit) Strike(p *Plan, m Meeting) Mark {
	until := m.Until
	if !until.After(m.Now) {
		until = m.Now.Add(l.after)
	}
	wait := (until.Sub(m.Now) + time.Second - 1).Truncate(time.Second)
	p.Skip = true
	p.Say = &fakes.Trouble{Kind: fakes.RateLimited}
	switch l.as {
	case "seconds":
		p.Say.RetryAfter = wait
	case "date":
		p.Say.RetryDate = until
	default:
		wait = 0
	}
	return Mark{Wait: wait, Until: until}
}
