package verdict

import (
	"testing"

	"parity/faults/trail"
)

// A request that the service itself had refused, since the agent had made it
// wrong, was told of nowhere: the agent went on and exited 0.
func TestWhatAServiceRefusedByItselfIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		play func(*tape)
		exit int
		want int
	}{
		{"a bad request", func(t *tape) { t.call(updates, "w.1").path(customer).status(400).replies(`{"error":"bad"}`).put() }, 0, 1},
		{"a bad request, and it stopped", func(t *tape) { t.call(updates, "w.1").path(customer).status(400).replies(`{"error":"bad"}`).put() }, 1, 0},
		{"mended", func(t *tape) {
			t.call(updates, "w.1").path(customer).status(400).replies(`{"error":"bad"}`).put()
			t.write("w.1").put()
		}, 0, 0},
		{"a fault", func(t *tape) {
			t.call(updates, "w.1").path(customer).status(400).replies(`{"error":"bad"}`).strike(it, "misleading-refusal").put()
		}, 0, 0},
		{"policy stopped it", func(t *tape) { t.payout("p.1").put() }, 0, 0},
		{"asked for what is not there", func(t *tape) { t.read().status(404).replies(`{}`).put() }, 0, 0},
		{"it is there already", func(t *tape) {
			t.call(updates, "w.1").path(customer).status(422).replies(`{"error":"it exists already"}`).put()
		}, 0, 0},
	} {
		played := newTape()
		c.play(played)
		played.in.Ending = &Ending{Exit: c.exit}
		if got := Judge(played.in).Scope.Declined; len(got) != c.want || c.want == 1 && got[0] != (trail.Declined{Call: "stripe " + updates, Status: 400, Calls: 1, First: 1}) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
