package approval

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/fakes/world"
	"parity/profiles/policy"
)

// Whoever names an approval that is good no more is told so, and has nobody asked
// again who was asked about this very call already.
func TestANameThatDoesNotFitAsksNobodyTwice(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		states []string // of approvals of the call, apr_1 first; those of another call begin with "other "
		named  string
		code   string
		anew   bool
		other  string // that was asked for instead already
	}{
		{"nobody else was asked", []string{Used}, "apr_1", CodeUsed, true, ""},
		{"somebody is asked", []string{Used, Pending}, "apr_1", CodeUsed, false, "apr_2"},
		{"somebody has said yes to another", []string{Used, Approved}, "apr_1", CodeUsed, false, "apr_2"},
		{"both are used", []string{Used, Used}, "apr_1", CodeUsed, true, ""},
		{"of another call, and somebody is asked", []string{"other " + Approved, Pending}, "apr_1", CodeStale, false, "apr_2"},
		{"of another call, and nobody is", []string{"other " + Approved}, "apr_1", CodeStale, true, ""},
		{"a rejection stands", []string{Used, Rejected}, "apr_1", CodeRejected, false, ""},
		{"a rejection stands, behind the name of another call's", []string{"other " + Approved, Rejected}, "apr_1", CodeRejected, false, ""},
		{"it fits", []string{Approved}, "apr_1", "", false, ""},
		{"nobody's", []string{Pending}, "apr_9", CodeUnknown, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, err := world.New(world.Collection{Name: fakes.ApprovalsCollection, Indexes: []string{"fits", "asked_for", "asks", "about"}}, world.Collection{Name: fakes.TimersCollection, Sorted: []string{"due"}})
			if err != nil {
				t.Fatal(err)
			}
			tx := w.Begin()
			for i, state := range c.states {
				binding := "call"
				if rest, other := strings.CutPrefix(state, "other "); other {
					binding, state = "other", rest
				}
				at := now.Add(time.Duration(i) * time.Second)
				a := Ask(tx, at, policy.Staged(), Asked{ID: "apr_" + string(rune('1'+i)), Gate: "refunds", Identity: "ada", Binding: binding, Expires: time.Hour})
				a.with(tx, map[string]any{"state": state, "decided": at.UnixNano(), "expires": at.Add(time.Hour).UnixNano()})
			}
			s := Look(tx, now.Add(time.Minute), Call{Identity: "ada", Binding: "call", Named: c.named, Rejected: time.Hour})
			got := []any{s.Code, s.Anew, ""}
			if s.Other.Value() != nil {
				got[2] = s.Other.ID()
			}
			if diff := cmp.Diff([]any{c.code, c.anew, c.other}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
