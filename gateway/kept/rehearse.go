package kept

import (
	"context"
	"strings"

	"parity/faults/trail"
	"parity/gateway/client"
)

// Rehearsed is what a call would do, without anybody who makes it: no rule is
// asked, since faults are not what it does.
type Rehearsed struct {
	Service   string             `json:"service"`
	Operation string             `json:"operation,omitempty"`
	Identity  string             `json:"identity,omitempty"`
	Run       string             `json:"run,omitempty"` // as its next call; "": as the first of a fresh one
	Profile   string             `json:"profile"`
	Revision  string             `json:"revision"`
	Status    int                `json:"status"`              // that the caller would get
	Policy    *trail.Policy      `json:"policy,omitempty"`    // what policy says of the call
	Refused   string             `json:"refused,omitempty"`   // why nothing would be done
	Predicted *client.Prediction `json:"predicted,omitempty"` // what would be done, now or once somebody has said yes; nil: nothing
}

// Changes are what would become of records.
func (r *Rehearsed) Changes() []client.Change {
	if r.Predicted == nil {
		return nil
	}
	return r.Predicted.Diff
}

// Rehearse says what a call would do. Everything is decided as a gateway would, on
// a copy of the run that is kept nowhere: nothing changes.
func Rehearse(ctx context.Context, a Asking) (*Rehearsed, error) {
	a.Predicts = true
	s, err := a.scratch(ctx)
	if err != nil {
		return nil, err
	}
	u, err := s.unsent(a)
	if err != nil {
		return nil, err
	}
	rev := s.live.Revision()
	o, err := s.line.Foretell(s.live, s.now, u)
	if err != nil {
		return nil, err
	}
	r := &Rehearsed{
		Service: o.Entry.Service, Operation: strings.TrimSpace(o.Entry.Service + " " + o.Entry.Operation), Identity: o.Identity, Run: s.name,
		Profile: rev.Profile.Name, Revision: rev.Profile.Revision, Status: o.Reply.Status, Policy: o.Entry.Policy,
	}
	if o.Predicted != nil {
		shown, err := asShown[client.Prediction](o.Predicted)
		if err != nil {
			return nil, err
		}
		r.Predicted = &shown
	}
	switch {
	case o.Entry.Outcome == trail.Held: // nobody has been asked
		r.Refused = "somebody has to say yes first; the call would ask for it"
	case o.Answered:
		r.Refused, _, _ = strings.Cut(o.Entry.Note, "\n")
		for _, v := range o.Entry.Violations {
			r.Refused = strings.TrimSpace(v.In+" "+v.Pointer) + ": " + v.Message
			break
		}
	case r.Predicted != nil: // as its service answers, whatever a rule would do
		r.Status = r.Predicted.Status
	}
	return r, nil
}
