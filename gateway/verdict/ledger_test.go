package verdict

import (
	"testing"

	"parity/faults/trail"
)

// A service may make what its fixtures only say when somebody first comes: that
// was blamed on whoever came.
func TestWhatAServiceDoesByItselfIsNobodysDoing(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.in.Expectations = expects(t, "only_changes: [stripe.refunds]")
	s := tape.call("GET /v1/charges", "g.1").makes("customers", "cus_1", "")
	s.e.Delta[0].Own = true
	s.put()
	tape.call(refunds, "r.1").makes("refunds", "re_1", "").put()
	if v := tape.verdict(t, "it"); v.Result != trail.Passed {
		t.Errorf("%s: %q", v.Result, v.Lines)
	}
}
