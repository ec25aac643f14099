package faults

import (
	"time"

	"parity/fakes"
	"parity/specs"
)

// asyncAccept answers before the work is done.
//
//	write ─▶ 202, Location ┄┄ wait ┄┄ ─▶ act ─▶ commit
//	             └▶ GET pending … GET pending … GET succeeded
func asyncAccept() *Fault {
	return &Fault{
		Name:     "async-accept",
		Phase:    After,
		Decides:  true,
		Summary:  "The service's own job, or else 202 with a place to look: the work stays pending, is done later, fails later, or is done twice.",
		Reaction: "Polls no faster than it is told; submits no second time; calls it done only when the place to look says so.",
		Judging:  Judging{Class: Accepted},
		Forms:    []Form{{Rank: 240, With: map[string]any{"wait": "2s", "retry_after": "1s"}, Fits: fitsWrites}},
		Example: `refund-later:
  call: stripe POST /v1/refunds
  inject: async-accept
  with: {wait: 2m, ends: fails}
  trigger: {nth: 1}`,
		Params: []Param{
			{
				Name: "wait", Kind: Duration, Default: 30 * time.Second, Min: int64(time.Millisecond), Max: int64(48 * time.Hour),
				Doc: "how long the work stays pending, on the run's clock; the world changes when it is over", Example: "2m",
			},
			{
				Name: "retry_after", Kind: Duration, Default: 5 * time.Second, Min: int64(time.Second), Max: int64(24 * time.Hour),
				Doc: "what polls are told to wait, in whole seconds", Example: "10s",
			},
			{
				Name: "ends", Kind: Choice, Choices: []string{"succeeds", "fails", "stays", "twice"}, Default: "succeeds",
				Doc: "how: the work is done; it fails and nothing has changed; it stays pending for ever; it is done twice", Example: "fails",
			},
		},
		build: func(a Args) (Injection, error) {
			j := acceptance{Job{Wait: a.duration("wait"), RetryAfter: a.duration("retry_after"), Ends: a.text("ends")}}
			if j.job.RetryAfter%time.Second != 0 {
				return nil, &ArgError{Key: "retry_after", Message: "the header says whole seconds"}
			}
			return j, nil
		},
	}
}

// Job is work that is accepted now and done later.
type Job struct {
	Rule       string
	Wait       time.Duration
	RetryAfter time.Duration
	Ends       string // succeeds, fails, stays or twice
}

type acceptance struct{ job Job }

// Misfit wants an operation that does something.
func (a acceptance) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if op.Effect == specs.Read {
		return op.Name() + " changes nothing that could be done later"
	}
	return ""
}

func (a acceptance) Apply(p *Plan, m CallContext) Mark {
	job := a.job
	job.Rule = p.owner
	p.Job = &job
	if job.Ends == "twice" {
		p.AskAs(Ask{Twice: true}, func(_, again fakes.Reply) Done {
			if again.Status/100 != 2 {
				return Done{Did: "the work was accepted; the service refuses to do it twice"}
			}
			return Done{Did: "the work was accepted, and is done twice"}
		})
	}
	return Mark{Wait: job.RetryAfter, Until: m.Now.Add(job.RetryAfter)}
}
