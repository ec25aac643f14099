package kit

import (
	"time"

	"parity/fakes/world"
)

// An Index is a view of records that lags behind them, as a search index does:
// what is written shows after the lag. It keeps the past of records that were
// changed lately, in a hidden collection of the world.
//
//	written   A───────B──────────────
//	shown     ─────────────A───────B─     each a lag later
type Index struct {
	Collection string
	Lag        time.Duration
}

// Note tells the index of a write: before is what the record was until now,
// nil when it is new.
func (x Index) Note(tx *world.Tx, id string, before map[string]any, now time.Time) {
	record, known := tx.Get(x.Collection, id)
	var past []any
	if known {
		past, _ = record.Value["past"].([]any)
	}
	// Each entry is what is shown until an instant; those before the last that
	// has passed are of no more use.
	kept := make([]any, 0, len(past)+1)
	for _, entry := range past {
		if until(entry).After(now) {
			kept = append(kept, entry)
		}
	}
	entry := map[string]any{"until": now.Add(x.Lag).UnixNano()}
	if before != nil {
		entry["value"] = before
	}
	kept = append(kept, entry)
	Keep(tx, x.Collection, id, map[string]any{"id": id, "past": kept})
}

// See gives what the index shows of a record at an instant: nil where it shows
// nothing yet. current is what the record is; nil where it is gone.
func (x Index) See(r world.Getter, id string, current map[string]any, now time.Time) map[string]any {
	record, ok := r.Get(x.Collection, id)
	if !ok {
		return current
	}
	past, _ := record.Value["past"].([]any)
	for _, entry := range past {
		if until(entry).After(now) {
			shown, _ := entry.(map[string]any)["value"].(map[string]any)
			return shown
		}
	}
	return current
}

func until(entry any) time.Time {
	m, _ := entry.(map[string]any)
	n, _ := m["until"].(int64)
	return time.Unix(0, n)
}
