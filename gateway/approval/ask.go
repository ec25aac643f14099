package approval

import (
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/profiles/policy"
)

// An Asked is what an approval is asked for.
type Asked struct {
	ID        string
	Gate      string // or the stage
	Because   string
	Identity  string
	Operation string // such as "stripe POST /v1/refunds"
	Class     string
	Intent    string
	Event     uint64
	Binding   string   // the digest of the call
	By        []string // who is asked, in order
	Expires   time.Duration
	Request   map[string]any // path, query and body
	Leaves
	Seen
}

// Leaves is of a call that leaves for its real service.
type Leaves struct {
	Live bool
	Rest []Rest // what of the real service it rests on, as it was read
	Lost uint64 // the event of such a call that left before, and of which nobody knows what came; 0: there is none
}

// A Rest is a read of the real service, and what the record was known by that it
// has shown.
type Rest struct {
	Read  string // the operation
	At    string // path and query
	Shows string // a version, else a digest
}

func (l Leaves) value() []any {
	list := make([]any, len(l.Rest))
	for i, r := range l.Rest {
		list[i] = map[string]any{"read": r.Read, "at": r.At, "shows": r.Shows}
	}
	return list
}

// Seen is what a call would do, as its fake did it in a turn that was taken back.
type Seen struct {
	About     string         // the record that the call is about; "": none is known
	Bound     []Bound        // records that it rests on, as they were before it
	Predicted map[string]any // what a reviewer is shown
}

// A Bound is a record, as COLLECTION/ID, and its version; 0: it is not there.
type Bound struct {
	Record  string
	Version uint64
}

// Ask asks for an approval.
func Ask(tx *world.Tx, now time.Time, p *policy.Authority, of Asked) Approval {
	bound := make([]any, len(of.Bound))
	for i, b := range of.Bound {
		bound[i] = map[string]any{"record": b.Record, "version": int64(b.Version)} //nolint:gosec // counts writes
	}
	value := map[string]any{
		"id": of.ID, "gate": of.Gate, "state": Pending, "asked": now.UnixNano(),
		"identity": of.Identity, "operation": of.Operation, "class": of.Class, "intent": of.Intent, "event": int64(of.Event), //nolint:gosec // counts events
		"request": of.Request, "bound": bound, "predicted": of.Predicted,
		"fits": of.Binding, "asked_for": of.Binding, "asks": of.Identity, "about": of.about(), "good_for": int64(of.Expires),
	}
	if of.Because != "" {
		value["because"] = of.Because
	}
	shown := map[string]any{"request": of.Request, "predicted": of.Predicted, "bound": bound}
	if of.Live {
		value["live"], value["rests"] = true, of.value()
		shown["live"], shown["rests"] = true, value["rests"]
		if of.Lost > 0 {
			value["lost"] = int64(of.Lost) //nolint:gosec // counts events
		}
	}
	seen := chance.Hash(of.Gate, of.Binding, string(world.Encode(shown)))
	value["digest"] = seen[:16]
	a := Approval{value}
	by := make([]any, len(of.By))
	for i, name := range of.By {
		by[i] = name
	}
	value["approvers"] = by
	return a.hand(tx, now, p, 0)
}

// about tells apart what calls are about, for those of one identity.
func (of Asked) about() string { return About(of.Identity, of.Operation, of.About) }

// About names what calls of an identity to an operation are about: those of one
// name differ in their bodies alone.
func About(identity, operation, record string) string {
	if record == "" {
		return ""
	}
	return identity + " " + operation + " " + record
}

// hand asks the n-th of the approvers, and has it lapse where nobody answers.
func (a Approval) hand(tx *world.Tx, now time.Time, p *policy.Authority, n int) Approval {
	set := map[string]any{"at": int64(n), "lapses": now.Add(p.Asking.Lapses).UnixNano()}
	due, decides := time.Time{}, false
	if name := a.approver(n); name != "" {
		set["approver"] = name
		set["nth"] = a.earlier(tx, name) + 1
		by := p.Approvers[name]
		set["stands_in"] = !by.Person
		if by.StandsIn() && !a.Live() {
			due, decides = now.Add(by.After), true
		}
	}
	a = a.with(tx, set)
	must(kit.Schedule(tx, fakes.Timer{Service: fakes.ApprovalService, Kind: fakes.LapseTimer, Subject: a.ID(), Due: now.Add(p.Asking.Lapses)}))
	if decides {
		must(kit.Schedule(tx, fakes.Timer{Service: fakes.ApprovalService, Kind: fakes.ApprovalTimer, Subject: a.ID(), Due: due}))
	}
	return a
}

// approver is the n-th who is asked; "": nobody.
func (a Approval) approver(n int) string {
	list, _ := a.value["approvers"].([]any)
	if n < 0 || n >= len(list) {
		return ""
	}
	name, _ := list[n].(string)
	return name
}

// earlier is how often the identity's approvals were asked of an approver before:
// the newest one knows.
func (a Approval) earlier(tx *world.Tx, name string) int64 {
	for record := range tx.Find(fakes.ApprovalsCollection, "asks", a.Identity(), 0) {
		if record.ID != a.ID() && kit.Text(record.Value(), "approver") == name {
			return cast.Int(record.Value()["nth"])
		}
	}
	return 0
}
