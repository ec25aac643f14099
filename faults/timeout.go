package faults

import "time"

// timeout gives no answer. The call is held until the client goes or a bound
// passes; whether the service goes on to do the work is the point of it.
//
//	request ─┄┄ hold ┄┄─▶ [ act ─▶ commit ] ─▶ closed, unanswered
func timeout() *Fault {
	return &Fault{
		Name:     "timeout",
		Phase:    Before,
		Decides:  true,
		Summary:  "No answer: held until the client goes or a bound passes, then closed.",
		Reaction: "A read may be retried within bounds; a write needs its idempotency key again, or a look first.",
		Judging:  Judging{Class: Unanswered},
		Forms:    []Form{{Rank: 40, With: map[string]any{"for": "3s"}, Tries: SDKTries, Fits: fitsAll}},
		Example: `no-answer:
  call: stripe POST /v1/refunds
  inject: timeout
  with: {for: 90s, commits: last}
  trigger: {nth: 1, tries: 3}`,
		Params: []Param{
			{
				Name: "for", Kind: Duration, Default: 90 * time.Second, Min: int64(time.Millisecond), Max: int64(time.Hour),
				Doc: "how long the call is held", Example: "40s",
			},
			{
				Name: "commits", Kind: Choice, Choices: []string{"never", "first", "last", "every"}, Default: "never",
				Doc: "which of the attempts does the work when the hold is over, the client gone or not", Example: "first",
			},
		},
		build: func(a Args) (Injection, error) {
			return held{bound: a.duration("for"), commits: a.text("commits")}, nil
		},
	}
}

type held struct {
	bound   time.Duration
	commits string
}

func (h held) Apply(p *Plan, m CallContext) Mark {
	acts := commitsNow(h.commits, m)
	p.Hold = &Hold{For: h.bound, Acts: acts}
	p.Skip = !acts
	p.Wire.NoHead = true
	p.Wire.End = "close"
	return Mark{}
}

// commitsNow says whether this attempt is one of those that change the world.
func commitsNow(commits string, m CallContext) bool {
	switch commits {
	case "never":
		return false
	case "first":
		return m.Attempt == 1
	case "last":
		return m.Attempt == m.Tries
	}
	return true
}
