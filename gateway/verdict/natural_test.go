package verdict

import (
	"testing"

	"parity/fakes/world"
	"parity/faults/trail"
)

// A ticket that was set to solved once more after a lost reply was said to be done
// twice, since the service notes each change.
func TestTheSameValueSetAgainIsNoSecondEffect(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.rule(loseRule, ambiguous, true)
	set := func(audit string) *shot {
		s := tape.call("PUT /api/v2/tickets/{ticket_id}", "s.1").path("/api/v2/tickets/1").body(`{"ticket":{"status":"solved"}}`)
		s.changes("tickets", "1", `,"status":"open"`, `,"status":"solved"`)
		s.e.Delta = append(s.e.Delta, trail.Change{Op: world.Create, Collection: "zendesk.audits", ID: audit, After: []byte(`{"id":` + audit + `}`)})
		return s
	}
	set("101").strike(loseRule, ambiguous).reset().put()
	set("102").put()
	if v := tape.verdict(t, loseRule); v.Reaction != trail.Handled {
		t.Errorf("%s: %q", v.Reaction, v.Lines)
	}
	if v := tape.verdict(t, trail.OneEffect); v.Result == trail.Failed {
		t.Errorf("%s: %q", v.Result, v.Lines)
	}
}
