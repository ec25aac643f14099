package faults

import "parity/specs"

// permissionChange narrows what a caller may do, from a call on.
//
//	call ─▶ ✓ ── ╳ to: read ╳ ── call ─▶ 403 not-granted ── read ─▶ ✓
func permissionChange() *Fault {
	return &Fault{
		Name:     "permission-change",
		Phase:    Policy,
		Lasts:    true,
		Summary:  "What a caller may do at a service is narrowed while it works: what was permitted is refused with 403 for the rest of the run, or with a 404 that hides it.",
		Reaction: "At most one repeat; no wider operation and no other credential is tried; it stops and says so.",
		Judging:  Judging{Class: Narrowed},
		Unswept:  "it takes something away for the rest of a run: one cell would be many",
		Example: `rights-are-taken-away:
  call: github *
  inject: permission-change
  with: {to: read}
  trigger: {nth: 5}
  because: Roles are changed by people who do not know what is running.`,
		Params: []Param{
			{
				Name: "to", Kind: Choice, Choices: []string{"none", "read", "draft", "reversible", "irreversible"}, Default: "read",
				Doc: "the highest class that is left to the identity at the service of the call, from the call on that the trigger names; none: not even reads. A grant that is lower already stays", Example: "draft",
			},
			{Name: "mask", Kind: Flag, Default: false, Doc: "what is refused is answered as if it were not there: 404 in place of 403", Example: "true"},
		},
		build: func(a Args) (Injection, error) {
			return narrowing{to: a.text("to"), mask: a.flag("mask")}, nil
		},
	}
}

// Narrow is what is left of a caller's grant at a service.
type Narrow struct {
	To   string // the highest class; one that is no class: nothing
	Mask bool   // a refusal is a 404 that hides what there is
}

type narrowing struct {
	to   string
	mask bool
}

// Attends takes note of every call: what is narrowed is narrowed for all that the
// caller asks of the service.
func (n narrowing) Attends(*specs.Operation) bool { return true }

// Lingers tells that the caller's grant is narrowed already.
func (n narrowing) Lingers(m CallContext) bool { return m.Noted(narrowed+m.Call.Identity) != nil }

// Mind holds it for a caller once it has struck: what the rule does not name has
// nothing to do with it before.
func (n narrowing) Mind(_ *Plan, m CallContext) Gate {
	return Gate{Open: !m.Aside || n.Lingers(m)}
}

// narrowed begins the name of the note that a caller's grant is narrowed.
const narrowed = "narrowed/"

func (n narrowing) Apply(p *Plan, m CallContext) Mark {
	if p.Narrow == nil {
		p.Narrow = &Narrow{To: n.to, Mask: n.mask}
	}
	if !n.Lingers(m) {
		p.Note(narrowed+m.Call.Identity, map[string]any{"to": n.to})
	}
	p.OnRuling(func(r Ruling) Done {
		if !r.Refused {
			return Nothing("the call is within what is left")
		}
		return Done{Did: "narrowed what the caller may do: " + n.to + " is the most"}
	})
	return Mark{}
}
