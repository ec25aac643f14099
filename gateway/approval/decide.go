package approval

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/profiles/policy"
)

// Why a decision is not taken.
var (
	ErrMoved     = errors.New("it is not what was shown")
	ErrDecided   = errors.New("it is decided already")
	ErrLapsed    = errors.New("it has lapsed")
	ErrUnknown   = errors.New("there is no such approval")
	ErrNobody    = errors.New("nobody is left to ask")
	ErrWithout   = errors.New("a change says which fields of the body it sets")
	ErrUndecided = errors.New("nothing was approved that could be revoked")
	ErrUnproved  = errors.New("the call is REAL: it leaves for the real service, and whoever says yes shows a token of their own (`parity token new --operator NAME`, and PARITY_CONTROL_TOKEN)")
	ErrStandsIn  = errors.New("the call is REAL: it leaves for the real service, and nobody stands in for a person")
)

// What somebody may say.
const (
	SayApprove  = "approve"
	SayReject   = "reject"
	SayChange   = "change"
	SayEscalate = "escalate"
	SayRevoke   = "revoke"
)

// Said is what somebody says, and the digest of the call as they want it changed.
type Said struct {
	trail.Word
	Set    map[string]any
	Rebind func(a Approval, set map[string]any) string // the binding of the call with fields set
}

// Decide notes what somebody says. Who says the digest of what they had seen is
// told where it is another by now.
func Decide(tx *world.Tx, now time.Time, p *policy.Authority, w Said) (Approval, error) {
	a, ok := Get(tx, w.ID)
	switch {
	case !ok:
		return a, ErrUnknown
	case w.Digest != "" && w.Digest != a.value["digest"]:
		return a, ErrMoved
	case a.State() == Lapsed:
		return a, ErrLapsed
	case w.Decision == SayRevoke && !a.Granted():
		return a, fmt.Errorf("it is %s: %w", a.State(), ErrUndecided)
	case w.Decision != SayRevoke && !a.Waits():
		return a, fmt.Errorf("it is %s: %w", a.State(), ErrDecided)
	case a.Live() && (w.Decision == SayApprove || w.Decision == SayChange) && w.By.Kind != trail.ByPerson:
		return a, ErrUnproved
	case w.Decision == SayEscalate:
		return a.escalate(tx, now, p, w)
	case w.Decision == SayChange && len(w.Set) == 0:
		return a, ErrWithout
	}
	a.settled(tx)
	set := map[string]any{"decided": now.UnixNano(), "by": map[string]any{"name": w.By.Name, "kind": w.By.Kind}}
	if w.Note != "" {
		set["note"] = w.Note
	}
	switch w.Decision {
	case SayReject:
		set["state"] = Rejected
	case SayRevoke:
		set["state"] = Revoked
	case SayApprove:
		set["state"], set["expires"] = Approved, a.until(now)
	case SayChange:
		set["state"], set["expires"], set["set"] = Changed, a.until(now), w.Set
		set["fits"] = w.Rebind(a, w.Set)
	default:
		return a, fmt.Errorf("there is no decision %q: say approve, reject, change, escalate or revoke", w.Decision)
	}
	return a.with(tx, set), nil
}

// until is how long it is good, decided now.
func (a Approval) until(now time.Time) int64 { return now.UnixNano() + cast.Int(a.value["good_for"]) }

// escalate asks the next, or one that is named.
func (a Approval) escalate(tx *world.Tx, now time.Time, p *policy.Authority, w Said) (Approval, error) {
	next := int(cast.Int(a.value["at"])) + 1
	if w.To != "" {
		list := cast.Texts(a.value["approvers"])
		if next = slices.Index(list, w.To); next < 0 {
			if _, known := p.Approvers[w.To]; !known {
				return a, fmt.Errorf("the policy has no approver %q: %w", w.To, ErrNobody)
			}
			next = len(list)
			if a.Live() && !p.Approvers[w.To].Person {
				return a, fmt.Errorf("%q is no person: %w", w.To, ErrStandsIn)
			}
			a.value = a.with(tx, map[string]any{"approvers": cast.Anys(append(slices.Clone(list), w.To))}).value
		}
	}
	if a.approver(next) == "" {
		return a, ErrNobody
	}
	a.settled(tx)
	set := map[string]any{"state": Escalated}
	if w.Note != "" {
		set["note"] = w.Note
	}
	return a.with(tx, set).hand(tx, now, p, next), nil
}

// Fire has a stand-in decide, or an approval lapse.
func Fire(tx *world.Tx, now time.Time, p *policy.Authority, due fakes.Timer, rebind func(Approval, map[string]any) string) {
	a, ok := Get(tx, due.Subject)
	if !ok || !a.Waits() {
		return
	}
	if due.Kind == fakes.LapseTimer {
		a.settled(tx)
		a.with(tx, map[string]any{"state": Lapsed})
		return
	}
	if p == nil {
		return
	}
	by, ok := p.Approvers[cast.Text(a.value["approver"])]
	if !ok || !by.StandsIn() || a.Live() || by.First && a.later(tx) { // a save may have made another of them
		return
	}
	w := Said{Word: trail.Word{ID: a.ID(), Decision: by.Decides, By: trail.Speaker{Name: by.Name, Kind: trail.ByRehearsed}, Note: by.Note}, Set: by.Set, Rebind: rebind}
	if by.Every > 0 && cast.Int(a.value["nth"])%int64(by.Every) == 0 {
		w.Decision = SayReject
	}
	if by.Every > 0 && w.Decision == by.Decides {
		w.Note = "" // which says why it rejects
	}
	if _, err := Decide(tx, now, p, w); err != nil {
		panic(err) // it waits, and a stand-in says what there is to say
	}
}

// later tells whether the same was asked for before, in other words.
func (a Approval) later(tx *world.Tx) bool {
	about := cast.Text(a.value["about"])
	if about == "" {
		return false
	}
	for record := range tx.Find(fakes.ApprovalsCollection, "about", about, 0) {
		if record.ID != a.ID() && cast.Int(record.Value()["asked"]) <= cast.Int(a.value["asked"]) && record.Value()["asked_for"] != a.value["asked_for"] {
			return true
		}
	}
	return false
}
