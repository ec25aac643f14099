package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
)

func TestCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		play func(*tape)
		want trail.Counts
	}{
		{"left alone", func(t *tape) { t.lose("k1").put() }, trail.Counts{Cases: 1}},
		{"stopped, and said so", func(t *tape) {
			t.lose("k1").put()
			t.claims("stopped")
		}, trail.Counts{Cases: 1, Noticed: 1, Reacted: 1}},
		{"sent again with the key", func(t *tape) {
			t.lose("k1").put()
			t.call(refunds, "r.1").key("k1").put()
		}, trail.Counts{Cases: 1, Noticed: 1, Reacted: 1, Recovered: 1}},
		{"sent again by the SDK", func(t *tape) {
			t.lose("k1").agent("Stripe/v1 NodeBindings/18").put()
			t.call(refunds, "r.1").key("k1").agent("Stripe/v1 NodeBindings/18").put()
		}, trail.Counts{Cases: 1, Reacted: 1, Recovered: 1, Unnoticed: 1}},
		{"sent again blindly", func(t *tape) {
			t.lose("k1").put()
			t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
		}, trail.Counts{Cases: 1, Noticed: 1, Reacted: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			c.play(tape)
			if diff := cmp.Diff(&c.want, tape.verdict(t, loseRule).Counts); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("a slow answer waited for", func(t *testing.T) {
		t.Parallel()
		tape := newTape()
		tape.read().strike(it, "latency").put()
		tape.read().strike(it, "latency").put()
		if diff := cmp.Diff(&trail.Counts{Cases: 2, Recovered: 2, Unnoticed: 2}, tape.verdict(t, it).Counts); diff != "" {
			t.Error(diff)
		}
	})
}
