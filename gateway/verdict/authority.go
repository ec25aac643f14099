package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/world"
	"parity/faults/trail"
)

// mostEvents is how many events are named of one thing that policy came to.
const mostEvents = 50

// authority is what policy came to in a run; nil: no call was held against any.
func (j *judge) authority() *trail.Authority {
	w := weighing{out: &trail.Authority{
		Blocked: []trail.Blocked{}, Asked: []trail.Asked{}, Drafts: []trail.Draft{}, Skipped: []trail.Skipped{}, Classes: []trail.ClassUse{},
	}}
	for _, c := range j.calls {
		if c.x.Policy != nil && c.line == 0 && c.done {
			w.call(c)
		}
	}
	if !w.any {
		return nil
	}
	at := map[string]int{}
	for _, e := range trail.Lasting(j.in.Events, j.in.Forks) {
		if e.Start != nil {
			w.out.Stage = e.Start.Stage
		}
		for _, d := range e.Delta {
			switch d.Collection {
			case fakes.ApprovalsCollection:
				w.approval(at, e, &d)
			case fakes.DraftsCollection:
				w.draft(e, &d)
			}
		}
	}
	slices.SortStableFunc(w.out.Classes, func(a, b trail.ClassUse) int { return cmp.Compare(a.Service, b.Service) })
	return w.out
}

// weighing gathers it.
type weighing struct {
	out *trail.Authority
	any bool
}

// call takes in a call that policy had a say about.
func (w *weighing) call(c *call) {
	p := c.x.Policy
	w.any = true
	if w.out.Stage == 0 {
		w.out.Stage = p.Stage
	}
	if p.Class != "" && c.x.Service != "" {
		u := entry(&w.out.Classes, func(u *trail.ClassUse) bool { return u.Service == c.x.Service && u.Class == p.Class })
		u.Service, u.Class = c.x.Service, p.Class
		u.Calls++
		if !c.letThrough() && !c.captured() {
			u.Stopped++
		}
	}
	if p.Skipped != "" {
		s := entry(&w.out.Skipped, func(s *trail.Skipped) bool { return s.How == p.Skipped && s.By == p.SkipBy })
		s.How, s.By = p.Skipped, p.SkipBy
		s.Calls, s.Events = s.Calls+1, listedAlso(s.Events, c.seq)
	}
	if p.Decision != trail.PolicyRefused || strings.HasPrefix(p.Code, "approval-") {
		return
	}
	what := c.name()
	if c.x.Operation == "" {
		what = strings.TrimSpace(first(c.x.Service, c.x.Host) + " " + c.x.Method + " " + c.x.Path)
	}
	b := entry(&w.out.Blocked, func(b *trail.Blocked) bool { return b.Call == what && b.Code == p.Code && b.By == p.By })
	b.Call, b.Code, b.By = what, p.Code, p.By
	b.Calls, b.Events = b.Calls+1, listedAlso(b.Events, c.seq)
}

// entry finds what is there already of a list, or adds an empty one.
func entry[T any](all *[]T, is func(*T) bool) *T {
	for i := range *all {
		if is(&(*all)[i]) {
			return &(*all)[i]
		}
	}
	var none T
	*all = append(*all, none)
	return &(*all)[len(*all)-1]
}

func listedAlso(events []uint64, seq uint64) []uint64 {
	if len(events) == mostEvents || slices.Contains(events, seq) {
		return events
	}
	return append(events, seq)
}

// approval takes in what an event made of an approval. What came of asking is the
// first answer: that it was used, or ran out, comes after.
func (w *weighing) approval(at map[string]int, e *trail.Event, d *trail.Change) {
	value, err := world.Decode(d.After)
	if err != nil || len(d.After) == 0 {
		return
	}
	i, known := at[d.ID]
	if !known {
		i = len(w.out.Asked)
		at[d.ID], w.out.Asked = i, append(w.out.Asked, trail.Asked{ID: d.ID, Said: "pending"})
	}
	a := &w.out.Asked[i]
	a.Events = listedAlso(a.Events, e.Seq)
	a.State = first(textOf(value, "state"), a.State)
	a.Gate, a.Call, a.Identity = textOf(value, "gate"), textOf(value, "operation"), textOf(value, "identity")
	a.Note = first(textOf(value, "note"), a.Note)
	switch a.State {
	case "approved", "rejected", "changed", "lapsed":
		a.Said = a.State
	case "used":
		if a.Said == "pending" {
			a.Said = "approved" // in one turn
		}
	}
	if by, ok := value["by"].(map[string]any); ok && textOf(by, "name") != "" {
		a.By = &trail.Speaker{Name: textOf(by, "name"), Kind: textOf(by, "kind")}
	}
	asked, _ := value["asked"].(int64)
	if decided, _ := value["decided"].(int64); decided > asked && a.Said != "pending" {
		a.Wait = time.Duration(decided - asked)
	}
}

// draft takes in a write that was kept.
func (w *weighing) draft(e *trail.Event, d *trail.Change) {
	value, err := world.Decode(d.After)
	if err != nil || d.Op != world.Create {
		return
	}
	predicted, _ := value["predicted"].(map[string]any)
	w.out.Drafts = append(w.out.Drafts, trail.Draft{
		ID: d.ID, Event: e.Seq, Call: textOf(value, "operation"), Identity: textOf(value, "identity"), Diff: foretold(predicted),
	})
}

// foretold words what a call would have done.
//
//	create stripe.refunds/(new): amount 12000, charge "ch_1"
//	update stripe.charges/ch_1: amount_refunded 0 → 12000
func foretold(predicted map[string]any) []string {
	const most = 20
	diff, _ := predicted["diff"].([]any)
	var lines []string
	for i, d := range diff {
		change, _ := d.(map[string]any)
		if i == most {
			return append(lines, fmt.Sprintf("and %d more", len(diff)-most))
		}
		line := strings.TrimSpace(textOf(change, "op") + " " + textOf(change, "record"))
		var parts []string
		after, _ := change["after"].(map[string]any)
		for _, name := range sorted(after) {
			parts = append(parts, name+" "+shortValue(after[name]))
		}
		fields, _ := change["fields"].(map[string]any)
		for _, name := range sorted(fields) {
			if both, ok := fields[name].([]any); ok && len(both) == 2 {
				was, is := shortValues(both[0], both[1])
				parts = append(parts, name+" "+was+" → "+is)
			}
		}
		if len(parts) > 0 {
			line += ": " + strings.Join(parts, ", ")
		}
		lines = append(lines, line)
	}
	if n, _ := predicted["webhooks"].(int64); n > 0 {
		lines = append(lines, fmt.Sprintf("webhooks: %d", n))
	}
	if n, _ := predicted["outbox"].(int64); n > 0 {
		lines = append(lines, fmt.Sprintf("messages: %d", n))
	}
	return lines
}

// textOf is a field of an object that is a text; "": it has none.
func textOf(object map[string]any, name string) string {
	text, _ := object[name].(string)
	return text
}
