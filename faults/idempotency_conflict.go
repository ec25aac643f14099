package faults

import (
	"fmt"
	"time"

	"parity/fakes"
	"parity/specs"
)

// idempotencyConflict has an idempotency key fail its purpose.
//
//	in-flight   key ─▶ act ─▶ commit ─▶ 409 … 409 │ the stored answer
//	reused      key ─▶ ╳ 400 or 422, for good
//	forgotten   key ─▶ answer … the same key ─▶ acts anew
func idempotencyConflict() *Fault {
	return &Fault{
		Name:     "idempotency-conflict",
		Phase:    Before,
		Decides:  true,
		Summary:  "An idempotency key is refused, as still in flight or as used for another request; or it is forgotten, and the call with it acts anew.",
		Reaction: "Waits with the same key; takes a new key only after a look.",
		Judging:  Judging{Class: Unanswered},
		Forms:    []Form{{Rank: 140, With: map[string]any{"how": "in-flight", "for": "2s"}, Fits: func(u Usage) bool { return u.Keyed }}},
		Example: `twin-in-flight:
  call: stripe POST /v1/payment_intents
  inject: idempotency-conflict
  with: {how: in-flight, for: 5s}
  trigger: {nth: 1}`,
		Params: []Param{
			{
				Name: "how", Kind: Choice, Choices: []string{"in-flight", "reused", "forgotten"}, Default: "in-flight",
				Doc: "in-flight: another call with the key is under way, whose work is done, and whose answer is given once it is over; " +
					"reused: the key belongs to another request, now and later; forgotten: a call with a key that was used before acts anew", Example: "forgotten",
			},
			{
				Name: "for", Kind: Duration, Min: int64(time.Millisecond), Max: int64(48 * time.Hour),
				Doc: "on the run's clock: of in-flight, how long the other call takes (5s); of forgotten, how long keys are remembered (without it, not at all)", Example: "24h",
			},
		},
		build: func(a Args) (Injection, error) {
			c := conflict{how: a.text("how"), lasts: a.duration("for")}
			switch {
			case c.how == "reused" && a.has("for"):
				return nil, &ArgError{Key: "for", Message: "a key that was used for another request stays used"}
			case c.how == "in-flight" && !a.has("for"):
				c.lasts = 5 * time.Second
			}
			return c, nil
		},
	}
}

type conflict struct {
	how   string
	lasts time.Duration
}

// Misfit wants a service that honours keys at this operation.
func (c conflict) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if !op.Keyed() {
		return op.Name() + " takes no idempotency key"
	}
	return ""
}

// Mind lets calls without a key be, and looks up what is known of the key.
func (c conflict) Mind(p *Plan, m CallContext) Gate {
	if m.Call.Key == "" {
		return Gate{Why: "the call carries no idempotency key"}
	}
	note := m.Noted(c.name(m))
	since, known := noted(note, "since")
	switch {
	case c.how == "forgotten" && !known:
		p.NoteTaken(c.name(m), map[string]any{"since": m.Now.UnixNano()})
		return Gate{Why: "the key is new"}
	case c.how == "forgotten" && m.Now.Before(since.Add(c.lasts)):
		return Gate{Why: "the key is remembered"}
	case c.how == "in-flight" && known && !m.Now.Before(since.Add(c.lasts)):
		return Gate{Why: "the call that held the key is over"}
	}
	return Gate{Open: true, Held: known && c.how != "forgotten"}
}

func (c conflict) name(m CallContext) string { return "key " + m.Call.Identity + " " + m.Call.Key }

func (c conflict) Apply(p *Plan, m CallContext) Mark {
	since, known := noted(m.Noted(c.name(m)), "since")
	switch c.how {
	case "reused":
		p.Skip, p.Say = true, &fakes.Problem{Kind: fakes.KeyReused}
	case "forgotten":
		p.NoteTaken(c.name(m), map[string]any{"since": m.Now.UnixNano()})
		p.AskAs(Ask{Keyless: true}, func(_, again fakes.Reply) Done {
			if again.Status/100 != 2 {
				return Done{Did: fmt.Sprintf("the key was forgotten; the call was refused with %d", again.Status)}
			}
			return Done{Did: "the key was forgotten: the call acted anew"}
		})
		return Mark{}
	default:
		if known { // the other call has done its work already
			p.Skip = true
		} else {
			since = m.Now
		}
		p.Say = &fakes.Problem{Kind: fakes.KeyInFlight}
		until := since.Add(c.lasts)
		p.Note(c.name(m), map[string]any{"since": since.UnixNano()})
		return Mark{Wait: until.Sub(m.Now), Until: until}
	}
	p.Note(c.name(m), map[string]any{"since": m.Now.UnixNano()})
	return Mark{}
}
