package approval

import (
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
	"parity/faults/trail"
)

// Why a call is not let through by the approvals that there are. The set is
// closed: metrics use it as a label.
const (
	CodeRequired = "approval-required"
	CodeRejected = "approval-rejected"
	CodeChanged  = "approval-changed"
	CodeExpired  = "approval-expired"
	CodeStale    = "approval-stale"
	CodeUsed     = "approval-used"
	CodeRevoked  = "approval-revoked"
	CodeUnknown  = "approval-unknown"
)

// A Call is what wants to be let through.
type Call struct {
	Identity string
	Binding  string
	About    string // as About has it
	Named    string // by the client, in Parity-Approval; "": none
	Rejected time.Duration
	Leaves   // what it rests on as it is read now
}

// A Standing is how a call stands.
type Standing struct {
	Approval Approval // that it rests on, or that is in its way
	There    bool     // there is one
	Code     string   // "": it may be made
	Anew     bool     // another is to be asked for
	Other    Approval // that was asked for instead already; none: its value is nil
}

// Of finds the approval that a call rests on, or that is in its way.
func Of(tx *world.Tx, c Call) (Approval, bool) { return newest(tx, c) }

// Look tells how a call stands, and notes of an approval that it is good no more.
// Whoever names one that does not fit has nobody asked again who was asked for
// this very call already, and gets round no rejection of it.
func Look(tx *world.Tx, now time.Time, c Call) Standing {
	if c.Named == "" {
		return look(tx, now, c)
	}
	named, ok := Get(tx, c.Named)
	if !ok || named.Identity() != c.Identity {
		return Standing{Code: CodeUnknown}
	}
	s := Standing{Approval: named, There: true, Code: CodeStale, Anew: true}
	if named.covers(c.Binding) {
		s = named.stands(tx, now, c)
	}
	if !s.Anew {
		return s
	}
	c.Named = ""
	switch other := look(tx, now, c); {
	case other.Code == CodeRejected:
		return other
	case !other.Anew:
		s.Anew, s.Other = false, other.Approval
	}
	return s
}

// look tells how a call stands that names no approval.
func look(tx *world.Tx, now time.Time, c Call) Standing {
	if a, ok := newest(tx, c); ok {
		return a.stands(tx, now, c)
	}
	if c.About != "" {
		for record := range tx.Find(fakes.ApprovalsCollection, "about", c.About, 0) {
			if other := (Approval{record.Value()}); other.Granted() && now.Before(other.Instant("expires")) {
				return Standing{Approval: other, There: true, Code: CodeStale, Anew: true}
			}
		}
	}
	return Standing{Code: CodeRequired, Anew: true}
}

// covers tells whether an approval is of a call: as it was asked for, or as it
// was changed.
func (a Approval) covers(binding string) bool {
	return a.value["fits"] == binding || a.value["asked_for"] == binding
}

// newest finds the latest approval of a call: one that was granted before one
// that is in its way.
func newest(tx *world.Tx, c Call) (found Approval, ok bool) {
	var latest int64
	for _, field := range []string{"fits", "asked_for"} {
		for record := range tx.Find(fakes.ApprovalsCollection, field, c.Binding, 0) {
			a := Approval{record.Value()}
			if c.Named != "" && a.ID() != c.Named {
				continue
			}
			if at := cast.Int(a.value["asked"]); !ok || at > latest {
				found, ok, latest = a, true, at
			}
			break
		}
	}
	return found, ok
}

// stands tells how a call stands by its approval.
func (a Approval) stands(tx *world.Tx, now time.Time, c Call) Standing {
	s := Standing{Approval: a, There: true}
	fits := a.value["fits"] == c.Binding
	switch state := a.State(); {
	case a.Waits():
		s.Code = CodeRequired
	case state == Rejected && now.Before(a.Instant("decided").Add(c.Rejected)):
		s.Code = CodeRejected
	case a.Granted() && !now.Before(a.Instant("expires")):
		s.Approval, s.Code, s.Anew = a.with(tx, map[string]any{"state": Expired}), CodeExpired, true
	case a.Granted() && !fits:
		s.Code = CodeChanged
	case a.Granted() && a.moved(tx, c) != "":
		s.Approval, s.Code, s.Anew = a.with(tx, map[string]any{"state": Stale, "moved": a.moved(tx, c)}), CodeStale, true
	case a.Granted():
	case state == Used:
		s.Code, s.Anew = CodeUsed, true
	case state == Revoked:
		s.Code, s.Anew = CodeRevoked, true
	default:
		s.Code, s.Anew, s.There = CodeRequired, true, false
	}
	return s
}

// moved names a record that is not as it was when the approval was asked for; "":
// all are.
func (a Approval) moved(tx *world.Tx, c Call) string {
	if c.Live {
		return a.movedThere(c)
	}
	for _, b := range cast.Objects(a.value["bound"]) {
		name := cast.Text(b["record"])
		collection, id, _ := strings.Cut(name, "/")
		version := int64(0)
		if r, ok := tx.Get(collection, id); ok {
			version = int64(r.Version) //nolint:gosec // counts writes
		}
		if version != cast.Int(b["version"]) {
			return name
		}
	}
	return ""
}

// movedThere names what a call rests on at its real service that is not as it was
// when a person was asked about it. What was approved without a look there, or by
// nobody who is known to be a person, is no yes to it.
func (a Approval) movedThere(c Call) string {
	rests := cast.Objects(a.value["rests"])
	if !a.Live() || a.By() != trail.ByPerson || c.Lost > 0 && cast.Int(a.value["lost"]) != int64(c.Lost) { //nolint:gosec // counts events
		return "(the call)"
	}
	for i, r := range c.Rest {
		if i >= len(rests) || cast.Text(rests[i]["at"]) != r.At || cast.Text(rests[i]["shows"]) != r.Shows {
			return r.At
		}
	}
	if n := len(c.Rest); n < len(rests) {
		return cast.Text(rests[n]["at"])
	}
	return ""
}

// GiveBack has an approval that a call has used, and that did not leave after all,
// be as it was.
func (a Approval) GiveBack(tx *world.Tx) {
	was := Approved
	if a.Set() != nil {
		was = Changed
	}
	a.with(tx, map[string]any{"state": was, "used": nil, "used_at": nil})
}

// Use notes that the call was made: nothing else may be made by the approval.
func (a Approval) Use(tx *world.Tx, now time.Time, event uint64) {
	a.with(tx, map[string]any{"state": Used, "used": now.UnixNano(), "used_at": int64(event)}) //nolint:gosec // counts events
}

// Lose makes an approval void in one of the ways in which one is lost.
func (a Approval) Lose(tx *world.Tx, now time.Time, how string) Approval {
	switch how {
	case "expired":
		return a.with(tx, map[string]any{"expires": now.UnixNano()})
	case "revoked":
		return a.with(tx, map[string]any{"state": Revoked})
	case "used":
		return a.with(tx, map[string]any{"state": Used, "used": now.UnixNano()})
	case "other-version":
		return a.with(tx, map[string]any{"bound": []any{map[string]any{"record": fakes.ApprovalsCollection + "/" + how, "version": int64(1)}}})
	case "never-arrives":
		a.settled(tx)
		return a.with(tx, map[string]any{"state": Pending, "decided": nil, "by": nil, "expires": nil})
	}
	return a
}
