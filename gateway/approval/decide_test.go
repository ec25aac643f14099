package approval

import (
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/world"
	"parity/profiles/policy"
)

// Whoever stood in when somebody was asked may be a person, or decide nothing, by the
// time that it is due: the profile was saved meanwhile. Then nothing is decided.
func TestAStandInThatWasReplacedDecidesNothing(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	for name, by := range map[string]policy.Approver{
		"a person": {Name: "desk", Person: true}, "nothing": {Name: "desk", Decides: policy.DecidesNothing}, "approves": {Name: "desk", Decides: policy.DecidesApprove},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := world.New(world.Collection{Name: fakes.ApprovalsCollection, Indexes: []string{"asks", "about"}}, world.Collection{Name: fakes.TimersCollection, Sorted: []string{"due"}})
			if err != nil {
				t.Fatal(err)
			}
			tx, p := w.Begin(), policy.Staged()
			p.Approvers = map[string]policy.Approver{"desk": {Name: "desk", Decides: policy.DecidesApprove, After: time.Minute}}
			Ask(tx, now, p, Asked{ID: "apr_1", Identity: "ada", Binding: "call", By: []string{"desk"}, Expires: time.Hour})
			p.Approvers["desk"] = by
			Fire(tx, now.Add(time.Minute), p, fakes.Timer{Service: fakes.ApprovalService, Kind: fakes.ApprovalTimer, Subject: "apr_1"}, nil)
			a, _ := Get(tx, "apr_1")
			if want := by.StandsIn(); a.Granted() != want {
				t.Errorf("it is %s", a.State())
			}
		})
	}
}
