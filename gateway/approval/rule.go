package approval

import (
	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults/trail"
)

// SayApproveRule is what somebody says of a rule that may strike where real services
// are called.
const SayApproveRule = "approve-rule"

// ApproveRule lets a rule strike where real services are called, in this run and
// under this revision of its profile.
func ApproveRule(tx *world.Tx, w trail.Word, revision string) {
	kit.Keep(tx, fakes.GrantsCollection, ruleID(w.Rule), map[string]any{
		"kind": "rule", "rule": w.Rule, "by": w.By.Name, "by_kind": w.By.Kind, "because": w.Note, "revision": revision,
	})
}

func ruleID(rule string) string { return "rule/" + rule }

// RuleApproved tells whether a person has approved a rule under a revision of its
// profile, and whether one had under another.
func RuleApproved(r world.Reader, rule, revision string) (approved, before bool) {
	record, ok := r.Get(fakes.GrantsCollection, ruleID(rule))
	if !ok {
		return false, false
	}
	approved = kit.Text(record.Value(), "revision") == revision
	return approved, !approved
}
