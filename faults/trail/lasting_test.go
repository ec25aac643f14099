package trail_test

import (
	"slices"
	"testing"

	"parity/faults/trail"
)

func TestLastingIsWhatNothingUndid(t *testing.T) {
	t.Parallel()
	exchange, reset := trail.Exchanged, trail.SetBack
	for _, c := range []struct {
		name  string
		kinds []trail.Kind
		forks []uint64
		want  []uint64
	}{
		{"nothing set back", []trail.Kind{trail.Started, exchange}, nil, []uint64{1, 2}},
		{"a reset", []trail.Kind{trail.Started, exchange, reset, exchange}, nil, []uint64{3, 4}},
		{"a reset of a fork", []trail.Kind{trail.Started, exchange, exchange, reset, exchange}, []uint64{2}, []uint64{1, 2, 4, 5}},
		{"a rollback", []trail.Kind{trail.Started, exchange, exchange, trail.RolledBack}, nil, []uint64{1, 2, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var events []trail.Event
			for i, kind := range c.kinds {
				e := trail.Event{Seq: uint64(i) + 1, Kind: kind}
				if kind == trail.RolledBack {
					e.Snapshot = &trail.Snapshot{Seq: 2}
				}
				events = append(events, e)
			}
			var got []uint64
			for _, e := range trail.Lasting(events, c.forks) {
				got = append(got, e.Seq)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
