package approval

import (
	"encoding/json"
	"time"

	"parity/fakes"
	"parity/faults/trail"
)

// What became of an approval besides its states.
const (
	SaidAsked    = "asked"
	SaidOverride = "override" // of a gate: it is of no approval
)

// An Entry is one thing that became of an approval, as a run's events have it:
// somebody was asked, decided, or made the call.
type Entry struct {
	Run       string         `json:"run"`
	Event     uint64         `json:"event"`
	At        time.Time      `json:"at"` // on the run's clock
	ID        string         `json:"id,omitempty"`
	Gate      string         `json:"gate"`
	What      string         `json:"what"` // asked, the state that it came to, or override
	Identity  string         `json:"identity,omitempty"`
	Operation string         `json:"operation,omitempty"`
	Approver  string         `json:"approver,omitempty"`  // who is asked
	StandsIn  bool           `json:"stands_in,omitempty"` // the one who is asked is no person
	By        *trail.Speaker `json:"by,omitempty"`        // who said it; nil: nobody did
	Note      string         `json:"note,omitempty"`
	Set       map[string]any `json:"set,omitempty"`
	Until     time.Time      `json:"until,omitzero"` // of an override
	Max       int            `json:"max,omitempty"`
}

// noted is what an entry needs of an approval's record.
type noted struct {
	ID        string         `json:"id"`
	Gate      string         `json:"gate"`
	State     string         `json:"state"`
	Identity  string         `json:"identity"`
	Operation string         `json:"operation"`
	Approver  string         `json:"approver"`
	StandsIn  bool           `json:"stands_in"`
	At        int            `json:"at"` // which of those who may be asked
	By        *trail.Speaker `json:"by"`
	Note      string         `json:"note"`
	Set       map[string]any `json:"set"`
}

// History is what became of approvals by one event of a run. What a record cannot
// be read of is left out: it is no approval that this Parity knows.
func History(run string, e *trail.Event) (all []Entry) {
	if w := e.Word; w != nil && w.Decision == SaidOverride {
		by := w.By
		all = append(all, Entry{
			Run: run, Event: e.Seq, At: e.At.Time(), Gate: w.Gate, What: SaidOverride, By: &by, Note: w.Note, Until: w.Until.Time(), Max: w.Max,
		})
	}
	if w := e.Word; w != nil && w.Decision == SayApproveRule {
		by := w.By
		all = append(all, Entry{Run: run, Event: e.Seq, At: e.At.Time(), Gate: "rule " + w.Rule, What: SayApproveRule, By: &by, Note: w.Note})
	}
	for _, c := range whole(e.Delta) {
		var is, was noted
		if json.Unmarshal(c.After, &is) != nil || len(c.Before) > 0 && json.Unmarshal(c.Before, &was) != nil {
			continue
		}
		if is.State == was.State && is.At == was.At {
			continue
		}
		all = append(all, is.entry(run, e))
	}
	return all
}

// whole are the changes of approvals, each record's as one: an event may write one
// more than once.
func whole(delta []trail.Change) (all []trail.Change) {
	place := map[string]int{}
	for _, c := range delta {
		if c.Collection != fakes.ApprovalsCollection || len(c.After) == 0 {
			continue
		}
		at, seen := place[c.ID]
		if !seen {
			place[c.ID] = len(all)
			all = append(all, c)
			continue
		}
		all[at].After = c.After
	}
	return all
}

func (n *noted) entry(run string, e *trail.Event) Entry {
	entry := Entry{
		Run: run, Event: e.Seq, At: e.At.Time(), ID: n.ID, Gate: n.Gate, What: n.State, Identity: n.Identity, Operation: n.Operation,
		Approver: n.Approver, StandsIn: n.StandsIn,
	}
	switch n.State {
	case Pending:
		entry.What = SaidAsked
	case Approved, Rejected, Changed, Revoked:
		entry.By, entry.Note, entry.Set = n.By, n.Note, n.Set
	case Escalated:
		if e.Word != nil {
			by := e.Word.By
			entry.By, entry.Note = &by, e.Word.Note
		}
	}
	return entry
}
