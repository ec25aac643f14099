package report

import (
	"strings"
	"time"

	"parity/faults/trail"
)

// Armed is a rule that was in force in the run without being in its profile.
type Armed struct {
	Name  string        `json:"name"`
	Fault string        `json:"inject"`
	Calls []string      `json:"call"`
	From  uint64        `json:"from"`           // the event that armed it
	To    uint64        `json:"to,omitempty"`   // the one that disarmed it, or set the run back; 0: none did
	Until trail.Instant `json:"until,omitzero"` // on the run's clock; 0: until it is disarmed
}

// ArmedIn gives the rules that were armed, in order.
func ArmedIn(events []trail.Event) []Armed {
	var all []Armed
	over := func(seq uint64, fits func(*Armed) bool) {
		for i := range all {
			if all[i].To == 0 && fits(&all[i]) {
				all[i].To = seq
			}
		}
	}
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case trail.Armed:
			a := e.Arming
			all = append(all, Armed{Name: a.Name, Fault: a.Fault, Calls: a.Calls, From: e.Seq, Until: a.Until})
		case trail.Disarmed:
			over(e.Seq, func(a *Armed) bool { return a.Name == e.Arming.Name })
		case trail.SetBack:
			over(e.Seq, func(*Armed) bool { return true })
		case trail.RolledBack:
			over(e.Seq, func(a *Armed) bool { return a.From > e.Snapshot.Seq })
			for _, a := range all {
				if a.From <= e.Snapshot.Seq && a.To > e.Snapshot.Seq { // disarmed since, and back
					a.From, a.To = e.Seq, 0
					all = append(all, a)
				}
			}
		}
	}
	return all
}

// arming words the event that arms or disarms a rule.
func arming(e *trail.Event) string {
	a := e.Arming
	if e.Kind == trail.Disarmed {
		return "rule " + a.Name + " disarmed"
	}
	text := "rule " + a.Name + " armed: " + a.Fault + " at " + strings.Join(a.Calls, ", ")
	if a.Until != 0 {
		text += ", until " + a.Until.Time().Format(time.DateTime)
	}
	return text
}

// armed says which rules were armed, under the head of a report.
func (p *page) armed(all []Armed) {
	const few = 5
	for i, a := range all {
		if i == few {
			p.text(0, "And more; the trace has them: parity trace RUN armed")
			return
		}
		text := "Armed while it ran: " + a.Name + " (" + a.Fault + " at " + strings.Join(a.Calls, ", ") + ") from #" + number(a.From)
		switch {
		case a.To > 0:
			text += " to #" + number(a.To)
		case a.Until != 0:
			text += ", until " + a.Until.Time().Format(time.DateTime)
		}
		p.text(0, text)
	}
}
