package verdict

import (
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
)

// Of a record that may not be whole, what looked right was said to have held.
func TestATornRecordProvesNothing(t *testing.T) {
	t.Parallel()
	play := func(torn bool) trail.Judgement {
		tape := newTape()
		tape.call("POST /v1/customers", "customers.1").makes("customers", "cus_1", "").put()
		tape.call("POST /v1/refunds", "refunds.1").makes("refunds", "re_1", "").put()
		tape.call("POST /v1/refunds", "refunds.1").makes("refunds", "re_2", "").put()
		tape.fails(time.Second)
		tape.fails(time.Second)
		tape.list("1").put()
		tape.in.Torn = torn
		return Judge(tape.in)
	}
	whole, torn := play(false), play(true)
	if !whole.Valid || torn.Valid {
		t.Errorf("valid: %v, and %v of a torn one", whole.Valid, torn.Valid)
	}
	seen := map[trail.Result]int{}
	for i, v := range whole.Verdicts {
		is := torn.Verdicts[i]
		seen[v.Result]++
		want := v.Result
		if want == trail.Passed {
			want = trail.NotEvaluated
		}
		if is.Result != want {
			t.Errorf("%s: %s, and %s of a torn one, not %s", v.Subject, v.Result, is.Result, want)
		}
		if v.Result != trail.NotExercised && !strings.Contains(is.Why, "as far as the record goes") {
			t.Errorf("%s: %q", v.Subject, is.Why)
		}
	}
	if seen[trail.Passed] == 0 || seen[trail.Failed] == 0 {
		t.Errorf("%v: one that passed and one that failed are wanted", seen)
	}
}
