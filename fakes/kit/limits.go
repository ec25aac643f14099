package kit

import (
	"time"

	"parity/fakes/world"
)

// Limits counts calls in fixed windows, in a hidden collection of the world.
type Limits struct {
	Collection string
}

// An Allowance is what is left of a limit after a call.
type Allowance struct {
	Limit, Left int
	Reset       time.Time // when the window ends
	Over        bool      // this call is one too many, and was not counted
}

// Take counts one call under a key, of which a window allows most.
// The first call opens a window; it ends a window later, at a whole second.
func (l Limits) Take(tx *world.Tx, key string, most int, window time.Duration, now time.Time) Allowance {
	record, known := tx.Get(l.Collection, key)
	used, ends := int64(0), now.Add(window).Truncate(time.Second)
	if known {
		n, _ := record.Value()["ends"].(int64)
		if until := time.Unix(n, 0).UTC(); now.Before(until) {
			used, _ = record.Value()["used"].(int64)
			ends = until
		}
	}
	if int(used) >= most {
		return Allowance{Limit: most, Reset: ends, Over: true}
	}
	Keep(tx, l.Collection, key, map[string]any{"id": key, "used": used + 1, "ends": ends.Unix()})
	return Allowance{Limit: most, Left: most - int(used) - 1, Reset: ends}
}
