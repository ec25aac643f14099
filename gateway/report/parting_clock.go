package report

import (
	"strconv"
	"time"

	"parity/faults/trail"
)

// lifetime is when a run began and ended, on its own clock.
type lifetime struct{ from, to time.Time }

func lifetimeOf(events []trail.Event) lifetime {
	if len(events) == 0 {
		return lifetime{}
	}
	return lifetime{events[0].At.Time(), events[len(events)-1].At.Time()}
}

// clocked tells two moments that are as far from the start of their runs as each
// other, give or take what these took: they differ by the runs' clocks, also where
// runs overlap and both know either moment.
func (m *meanings) clocked(x, y string) bool {
	a, ok := momentOf(x)
	b, ok2 := momentOf(y)
	if !ok || !ok2 || m.spans[0].from.IsZero() || m.spans[1].from.IsZero() {
		return false
	}
	apart := a.Sub(m.spans[0].from) - b.Sub(m.spans[1].from)
	const rounded = 2 * time.Second // moments are cut to seconds
	return apart.Abs() <= max(m.spans[0].to.Sub(m.spans[0].from), m.spans[1].to.Sub(m.spans[1].from))+rounded
}

// momentOf reads a moment: a date with its time, or seconds, milliseconds or
// microseconds since 1970, from 2004 to 2052.
func momentOf(text string) (time.Time, bool) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		for unit := 1.0; unit <= 1e6; unit *= 1e3 {
			if n > 1.1e9*unit && n < 2.6e9*unit {
				return time.Unix(0, int64(n/unit*1e9)), true
			}
		}
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	return t, err == nil
}
