package faults

import (
	"fmt"
	"time"

	"parity/fakes"
	"parity/specs"
)

// cursorExpired takes the place in a list away from whoever goes on in it.
//
//	first page ──▶ next: c2 ───┄ ttl ┄───▶ c2 ─▶ refused: start over
func cursorExpired() *Fault {
	return &Fault{
		Name:     "cursor-expired",
		Phase:    InTime,
		Decides:  true,
		Summary:  "A cursor older than its lifetime is refused in the service's way, or leads nowhere: to the same page again, or to an empty one.",
		Reaction: "Starts over from the first page, with no splice of the two halves; does not go round in circles.",
		Judging:  Judging{Class: PlaceLost, Lessens: true},
		Forms:    []Form{{Rank: 170, First: true, With: map[string]any{"how": "refused"}, Fits: fitsPaged}},
		Example: `cursors-go-stale:
  call: stripe GET /v1/charges
  inject: cursor-expired
  with: {ttl: 10m}
  trigger: {first: 1}
  because: Page tokens live for minutes to two days; a slow loop over a long list outlives them.`,
		Params: []Param{
			{
				Name: "ttl", Kind: Duration, Min: int64(time.Millisecond), Max: int64(30 * 24 * time.Hour),
				Doc: "how old a cursor may be, on the run's clock, counted from when the caller last asked for a first page (per: request.path.… tells lists apart); without it each call with a cursor is hit", Example: "2d",
			},
			{
				Name: "how", Kind: Choice, Choices: []string{"refused", "repeated", "empty"}, Default: "refused",
				Doc: "refused: as the service does; repeated: the page says that the next one is at the same cursor, or is the first one again; empty: no items, and the same cursor again", Example: "repeated",
			},
		},
		build: func(a Args) (Injection, error) { return expiry{ttl: a.duration("ttl"), how: a.text("how")}, nil },
	}
}

type expiry struct {
	ttl time.Duration
	how string
}

// Misfit wants a list that is gone on in, and for a refusal a cursor: the
// number of a page does not expire.
func (x expiry) Misfit(op *specs.Operation, _ fakes.Fake) string {
	switch a := &op.Anatomy; {
	case !a.List:
		return op.Name() + " gives no list"
	case len(a.Cursors) == 0 && a.Page == "" && a.Offset == "":
		return op.Name() + " gives a list whole: it takes no cursor"
	case x.how == "refused" && len(a.Cursors) == 0:
		return op.Name() + " is paged by numbers, which do not expire (how: repeated or empty goes with them)"
	}
	return ""
}

// Beside lets first pages be, and remembers when they were asked for; and
// cursors that are not old enough.
func (x expiry) Beside(m CallContext) Gate {
	if _, value := x.carried(m.Call); value == "" {
		return Gate{Why: "it asks for a first page", Use: x.ttl > 0}
	}
	if x.ttl == 0 {
		return Gate{Open: true}
	}
	if m.First.IsZero() {
		return Gate{Why: "no first page was asked for: the cursor has no age"}
	}
	if age := m.Now.Sub(m.First); age < x.ttl {
		return Gate{Why: fmt.Sprintf("the list is %v old, and it lasts %v", age.Truncate(time.Millisecond), x.ttl)}
	}
	return Gate{Open: true}
}

func (x expiry) carried(r Request) (name, value string) {
	name, value = carried(r.Operation, r.Input)
	if a := &r.Operation.Anatomy; x.how == "refused" && (name == a.Page || name == a.Offset) {
		return "", "" // it pages by both, and this is no cursor
	}
	return name, value
}

// Limit keeps the last time that a first page was asked for.
func (x expiry) Limit() int { return 1 }

func (x expiry) Apply(p *Plan, m CallContext) Mark {
	if x.how == "refused" {
		p.Skip, p.Say = true, &fakes.Problem{Kind: fakes.CursorExpired}
		p.Amend(func(*Answer) Done { return Done{Did: "refused the cursor"} })
		return Mark{}
	}
	name, value := x.carried(m.Call)
	p.Amend(func(a *Answer) Done { return x.circle(a, name, value) })
	return Mark{}
}

// circle has a page lead to the cursor that it was asked for with. How a page
// says that there are more is seen from the first one.
func (x expiry) circle(a *Answer, name, value string) Done {
	op := a.Call.Operation
	reply := a.Ask(asking(op, a.Call.Input, name, nil))
	first, here := pageOf(op, reply.Status, reply.Header, reply.Body), a.page()
	if first == nil || here == nil || !first.more() {
		return Nothing("there is no list in the reply that could go on")
	}
	did := "led to the same cursor again"
	if len(op.Anatomy.Next) == 0 && linked(reply.Header, "next") == "" && x.how == "repeated" {
		a.Body, did = reply.Body, "gave the first page again"
		return Done{Did: did}
	}
	if x.how == "empty" {
		here.value, did = putAt(here.value, op.Anatomy.Items, []any{}), "gave no items, and the same cursor again"
	}
	here.leadTo(a, first, aim{name: name, value: value})
	return Done{Did: did}
}

var (
	_ Filter   = expiry{}
	_ Requirer = expiry{}
)
