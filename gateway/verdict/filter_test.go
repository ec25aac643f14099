package verdict

import (
	"slices"
	"strings"
	"testing"

	"parity/faults/trail"
)

// A search for other contacts was a look at what became of one: "looked: it was not
// there".
func TestASearchForSomethingElseIsNoLook(t *testing.T) {
	t.Parallel()
	const search = "POST /crm/v3/objects/{objectType}/search"
	for _, c := range []struct {
		name, body string
		look       bool
	}{
		{"for others", `{"filterGroups":[{"filters":[{"propertyName":"lifecyclestage","operator":"EQ","value":"customer"}]}],"properties":["email"],"limit":100}`, false},
		{"for its address", `{"filterGroups":[{"filters":[{"propertyName":"email","operator":"EQ","value":"ivan@newco.example"}]}],"limit":1}`, true},
		{"for its state", `{"filters":[{"value":"in_progress"}]}`, true},
		{"for all", `{"limit":100,"sorts":["createdate"]}`, true},
	} {
		for _, done := range []bool{true, false} {
			tape := newTape()
			tape.rule(loseRule, ambiguous, false)
			change := tape.call("PATCH /crm/v3/objects/{objectType}/{objectId}", "p.1").path("/crm/v3/objects/contacts/65990644258").body(`{"properties":{"email":"ivan@newco.example","hs_lead_status":"IN_PROGRESS"}}`)
			if done {
				change.changes("contacts", "65990644258", `,"email":"ivan@newco.example","status":"NEW"`, `,"email":"ivan@newco.example","status":"IN_PROGRESS"`)
			}
			change.strike(loseRule, ambiguous).reset().put()
			s := tape.call(search, "s.1").path("/crm/v3/objects/contacts/search").body(c.body).replies(`{"results":[{"id":"77777777777"}]}`)
			s.x.Effect = "read"
			s.put()
			v := tape.verdict(t, loseRule)
			if got := strings.Contains(strings.Join(v.Lines, "\n"), "looked"); got != c.look {
				t.Errorf("%s, done %v: a look %v, want %v: %q", c.name, done, got, c.look, v.Lines)
			}
		}
	}
}

// Of a call that was refused, words about what the agent did well meanwhile were
// taken for word of that: "which no answer had shown".
func TestWordOfWhatWentWellIsNoWordOfWhatWasRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		blamed     bool
	}{
		{"by the number that its answer gave", "Check-in issue #6 opened", false},
		{"by an address that was read", "Customer grace@example.com has no open issue", false},
		{"of the kind", "Comment posted", true},
		{"by the number that was refused", "Commented on issue #5: done", true},
	} {
		tape := newTape()
		tape.rule(it, "session-expired", false)
		tape.list("contacts").replies(`{"data":[{"id":"c1","email":"grace@example.com"}]}`).put()
		s := tape.call("POST /repos/{owner}/{repo}/issues/{number}/comments", "c.1").path("/repos/a/b/issues/5/comments").body(`{"body":"Thanks for the report"}`).strike(it, "session-expired")
		s.x.Fidelity = trail.Injected
		s.status(401).put()
		tape.call("POST /repos/{owner}/{repo}/issues", "i.1").path("/repos/a/b/issues").body(`{"title":"Check in"}`).makes("issues", "is_00000006", "").replies(`{"number":6}`).put()
		tape.posts(c.text).put()
		v := tape.verdict(t, it)
		if got := v.Reaction == trail.Mishandled; got != c.blamed {
			t.Errorf("%s: %s %q", c.name, v.Reaction, v.Lines)
		}
	}
}

// A verdict that was not evaluated was said to look not evaluated.
func TestWhatIsOpenIsNotSaidToLookSo(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.rule(loseRule, ambiguous, false)
	tape.in.Differences = []DifferenceInfo{{Name: "lag", Weakens: []string{"freshness", "effects"}, Covers: func(string, string) bool { return true }}}
	tape.call(refunds, "r.1").strike(loseRule, ambiguous).reset().put()
	v := tape.verdict(t, loseRule)
	if v.Result != trail.NotEvaluated || strings.Contains(v.Why, "it looked") || slices.Contains(v.Weakened, "lag") {
		t.Errorf("%s: %s %q", v.Result, v.Why, v.Weakened)
	}
}
