package faults

import (
	"fmt"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
)

// duplicateEffect has one call make two records.
//
//	POST /charges ─▶ ch_1 ─▶ 200 ch_1
//	             └─▶ ch_2
func duplicateEffect() *Fault {
	return &Fault{
		Name:     "duplicate-effect",
		Phase:    After,
		Summary:  "One call, one answer, and two records: what it makes is made once more, with all that follows from it.",
		Reaction: "Notices on read-back; reports; does not delete blindly.",
		Judging:  Judging{Class: DoneTwice, Twinless: always},
		Forms:    []Form{{Rank: 210, Fits: fitsWrites}},
		Example: `two-for-one:
  call: stripe.PostPaymentIntents
  inject: duplicate-effect
  trigger: {nth: 1}`,
		build: func(Args) (Injection, error) { return twin{}, nil },
	}
}

type twin struct{}

// Misfit wants an operation that makes something.
func (twin) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if op.Effect == specs.Read {
		return op.Name() + " changes nothing: there is nothing to double"
	}
	if op.Method == "DELETE" || op.Method == "PATCH" {
		return op.Name() + " makes no record that could be there twice"
	}
	return ""
}

// Apply asks the fake twice. Where the service refuses a twin, a copy of what
// was made is put beside it.
func (twin) Apply(p *Plan, _ CallContext) Mark {
	var first, second []world.Change
	p.Repeat(func(once, again []world.Change) { first, second = once, again })
	p.Edit(AfterCall, func(s *Scene) Done {
		switch {
		case len(second) > 0:
			return Done{Did: doubledAs(first, second[0].Collection, second[0].ID)}
		case len(first) == 0:
			return Nothing("the call made no record")
		case s.Copier == nil:
			return Nothing("the service takes no second record like this one")
		}
		made := first[0]
		copied, err := s.Copier.Copy(s.Call, made.Collection, made.ID)
		if err != nil {
			return Nothing(err.Error())
		}
		return Done{Did: doubledAs(first, made.Collection, copied)}
	})
	return Mark{}
}

func doubledAs(first []world.Change, collection, id string) string {
	if len(first) == 0 {
		return fmt.Sprintf("made %s %s too", collection, id)
	}
	return fmt.Sprintf("made %s %s beside %s", collection, id, first[0].ID)
}
