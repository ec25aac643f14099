package report

import (
	"cmp"
	"time"

	"parity/faults/trail"
)

// authority says in words what changed of what an agent may do.
func authority(e *trail.Event) string {
	switch {
	case e.Credential != nil:
		return credential(e.Credential)
	case e.Act != nil:
		return acted(e.Act)
	}
	return worded(e.Word)
}

// worded says in words what somebody said about an approval or a gate.
func worded(w *trail.Word) string {
	by := w.By.Name
	switch w.By.Kind {
	case trail.ByClaimed:
		by += " (as whoever held the control token says)"
	case trail.ByRehearsed:
		by += " (rehearsed)"
	}
	text := by + " let calls pass gate " + w.Gate
	switch {
	case w.Rule != "":
		text = by + " let rule " + w.Rule + " strike where real services are called"
	case w.ID != "":
		text = by + " said " + w.Decision + " to " + w.ID
	}
	if w.To != "" {
		text += ", to " + w.To
	}
	if w.Until != 0 {
		text += " until " + w.Until.Time().Format(time.RFC3339)
	}
	if w.Note != "" {
		text += ": " + w.Note
	}
	return text
}

// credential says in words what became of a credential.
func credential(c *trail.CredentialChange) string {
	return "the credential of " + c.Identity + " at " + cmp.Or(c.Service, "all services") + " was " + c.What
}
