package faults

import (
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/specs"
)

// lockLost takes a lease away, by its time or by somebody else.
//
//	acquire ─▶ write ─▶ … ttl … ┊ write ─▶ ╳ 423     acquire ─▶ write
func lockLost() *Fault {
	return &Fault{
		Name:     "lock-lost",
		Phase:    InWorld,
		Decides:  true,
		Summary:  "A lease lapses or is stolen: writes to the record are refused with 423 or 409 until it is taken anew.",
		Reaction: "No more writes to that record until there is a new lease.",
		Judging:  Judging{Class: LeaseLost, Twinless: always},
		Unswept:  "no one call shows it",
		Example: `lapsed-lease:
  call: stripe POST /v1/customers/{customer}
  inject: lock-lost
  with: {acquire: "stripe GET /v1/customers/{customer}", ttl: 5m, by: nightly-import}`,
		Params: []Param{
			{Name: "acquire", Kind: Call, Doc: "the calls that take the lease, or renew it; without it, the first call of the rule for a record does, and after a loss the next read that the rule's call names", Example: "acme-crm POST /contacts/{contact_id}/lock"},
			{
				Name: "ttl", Kind: Duration, Min: int64(time.Millisecond), Max: int64(48 * time.Hour),
				Doc: "how long a lease lasts, on the run's clock; without it, it is stolen at the write that the trigger names", Example: "5m",
			},
			{Name: "by", Kind: Text, Doc: "who holds it then, as the refusal says", Example: "batch-worker-3"},
			{Name: "status", Kind: Choice, Choices: []string{"423", "409"}, Doc: "of the refusal; without it, the service's own", Example: "409"},
		},
		build: func(a Args) (Injection, error) {
			l := lease{acquire: a.patterns("acquire"), ttl: a.duration("ttl"), by: a.text("by"), depth: -1}
			switch a.text("status") {
			case "423":
				l.status = 423
			case "409":
				l.status = 409
			}
			for _, p := range l.acquire {
				if n := strings.Count(p.path, "{"); l.depth < 0 || n < l.depth {
					l.depth = n
				}
			}
			return l, nil
		},
	}
}

type lease struct {
	acquire []Pattern
	ttl     time.Duration
	by      string
	status  int
	depth   int // how many parameters of the path name the record; -1: all
}

// Attends takes note of the calls that take the lease.
func (l lease) Attends(op *specs.Operation) bool {
	return slices.ContainsFunc(l.acquire, func(p Pattern) bool { return p.Match(op) })
}

// Mind keeps since when the lease of a record is held, and by whom it is asked.
func (l lease) Mind(p *Plan, m CallContext) Gate {
	name, op := l.name(m), m.Call.Operation
	note := m.Noted(name)
	since, held := noted(note, "since")
	lost := note["lost"] == true || l.ttl > 0 && held && !m.Now.Before(since.Add(l.ttl))
	switch {
	case l.Attends(op):
		p.NoteTaken(name, map[string]any{"since": m.Now.UnixNano()})
		return Gate{Why: "it takes the lease"}
	case len(l.acquire) == 0 && op.Effect == specs.Read:
		if !held || lost {
			p.NoteTaken(name, map[string]any{"since": m.Now.UnixNano()})
		}
		return Gate{Why: "a read: it takes the lease where there is none"}
	case !held && len(l.acquire) > 0:
		return Gate{Why: "no lease was taken"}
	case !held && l.ttl > 0:
		p.NoteTaken(name, map[string]any{"since": m.Now.UnixNano()})
		return Gate{Why: "the first write takes the lease"}
	case l.ttl > 0 && !lost:
		return Gate{Why: "the lease holds until " + since.Add(l.ttl).Format(time.RFC3339)}
	}
	return Gate{Open: true, Held: note["lost"] == true}
}

func (l lease) name(m CallContext) string {
	return "lease " + m.Call.Identity + " " + strings.Join(subject(m.Call, l.depth), "/")
}

// subject gives the values of the parameters in a call's path, in their order:
// the first so many, or, below 0, all.
func subject(c Request, depth int) []string {
	var values []string
	rest := c.Operation.Path
	for depth < 0 || len(values) < depth {
		_, after, ok := strings.Cut(rest, "{")
		if !ok {
			break
		}
		name, after, _ := strings.Cut(after, "}")
		values, rest = append(values, c.Input.Path[name]), after
	}
	return values
}

func (l lease) Apply(p *Plan, m CallContext) Mark {
	since := m.Now.UnixNano()
	if at, ok := noted(m.Noted(l.name(m)), "since"); ok {
		since = at.UnixNano()
	}
	p.Note(l.name(m), map[string]any{"since": since, "lost": true})
	p.Skip, p.Say = true, &fakes.Problem{Kind: fakes.Locked, Status: l.status}
	if l.by != "" {
		p.Say.Message = "The record is locked by " + l.by + "."
	}
	return Mark{}
}
