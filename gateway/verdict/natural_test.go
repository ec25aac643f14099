package verdict

import (
	"testing"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs"
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

// Labels that were added to an issue once more after a lost answer, or after none,
// were a blind retry, though an issue has each label once.
func TestWhatChangesNothingWhenCalledAgainIsNoBlindRetry(t *testing.T) {
	t.Parallel()
	const add = "POST /repos/{owner}/{repo}/issues/{issue_number}/labels"
	for name, c := range map[string]struct {
		idempotent, done bool
		want             trail.Reaction
	}{
		"done, and by its contract":     {true, true, trail.Handled},
		"not done, and by its contract": {true, false, trail.Handled},
		"done, and nothing says so":     {false, true, trail.Mishandled},
	} {
		tape := newTape()
		tape.rule(loseRule, ambiguous, false)
		tape.in.Operation = func(string, string) *specs.Operation {
			return &specs.Operation{Anatomy: specs.Anatomy{Idempotent: c.idempotent}}
		}
		call := func() *shot {
			return tape.call(add, "l.1").path("/repos/a/b/issues/5/labels").body(`{"labels":["customer"]}`)
		}
		first := call().strike(loseRule, ambiguous).reset()
		if c.done {
			first.makes("labels", "label_00000001", "")
		}
		first.put()
		call().changes("issues", "5", `,"at":1`, `,"at":2`).put()
		if v := tape.verdict(t, loseRule); v.Reaction != c.want {
			t.Errorf("%s: %s: %q", name, v.Reaction, v.Lines)
		}
	}
}
