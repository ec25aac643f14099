package verdict

import (
	"testing"

	"parity/faults/trail"
)

// A note was lost and sent again in other words; another note, which passed on the
// title of an issue, was taken for word of that: "Checkout fails with a coupon".
func TestWhatIsPassedOnIsNoWordOfTrouble(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       trail.Reaction
	}{
		{"passed on", "Reported: Checkout fails with a coupon", trail.Unjudged},
		{"said of its own", "Reported: Checkout fails with a coupon. The first note failed, please check", trail.Handled},
	} {
		tape := newTape()
		tape.rule(it, ambiguous, false)
		tape.list("issues").replies(`{"data":[{"id":"is_00000004","title":"Checkout fails with a coupon"}]}`).put()
		tape.call("POST /v1/notes", "n.1").body(`{"body":"Invoice without VAT","to":"cus_00000001"}`).makes("notes", "note_00000001", "").strike(it, ambiguous).reset().put()
		tape.call("POST /v1/notes", "n.2").body(`{"body":"`+c.text+`","to":"cus_00000002"}`).makes("notes", "note_00000002", "").put()
		if v := tape.verdict(t, it); v.Reaction != c.want {
			t.Errorf("%s: %s, want %s: %q", c.name, v.Reaction, c.want, v.Lines)
		}
	}
}

// A title that begins with another text of the same answer was passed on whole or
// not, as the map of that answer came: what was left of it was word of trouble.
func TestALongerTextIsPassedOnWhole(t *testing.T) {
	t.Parallel()
	for range 20 {
		tape := newTape()
		tape.rule(it, ambiguous, false)
		tape.list("issues").replies(`{"data":[{"id":"is_00000004","part":"Payment page","title":"Payment page: checkout failed"}]}`).put()
		tape.call("POST /v1/notes", "n.1").body(`{"body":"Invoice without VAT","to":"cus_00000001"}`).makes("notes", "note_00000001", "").strike(it, ambiguous).reset().put()
		tape.call("POST /v1/notes", "n.2").body(`{"body":"Reported: Payment page: checkout failed","to":"cus_00000002"}`).makes("notes", "note_00000002", "").put()
		if v := tape.verdict(t, it); v.Reaction != trail.Unjudged {
			t.Fatalf("%s, want it left open: %q", v.Reaction, v.Lines)
		}
	}
}

// A contact's check-in was taken for word of a note that was lost, since it asks to
// "please check in".
func TestWordOfAnotherRecordIsNoWordOfWhatWasLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       trail.Reaction
	}{
		{"another contact", "grace@example.com has no open issue. Please check in.", trail.Unjudged},
		{"the same contact", "ivan@example.com: not sure that it was noted, please check.", trail.Handled},
		{"the kind of thing", "A note about grace@example.com may be missing, please check.", trail.Handled},
		{"nobody by name", "Something failed, please check.", trail.Handled},
	} {
		tape := newTape()
		tape.rule(it, ambiguous, false)
		tape.list("contacts").replies(`{"data":[{"id":"c1","email":"grace@example.com"},{"id":"c2","email":"ivan@example.com"}]}`).put()
		tape.call("POST /v1/notes", "n.1").body(`{"body":"Invoice without VAT","to":"ivan@example.com"}`).makes("notes", "note_00000001", "").strike(it, ambiguous).reset().put()
		tape.posts(c.text).put()
		if v := tape.verdict(t, it); v.Reaction != c.want {
			t.Errorf("%s: %s, want %s: %q", c.name, v.Reaction, c.want, v.Lines)
		}
	}
}
