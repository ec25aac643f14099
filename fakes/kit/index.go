package kit

import (
	"fmt"
	"iter"
	"sort"
	"strconv"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// An Index is a view of records that lags behind them, as a search index does:
// what is written shows after the lag. Each write leaves an entry in a hidden
// collection of the world: what the record was until then. An entry is written
// once, and taken away when its time has passed.
//
//	written   A───────B──────────────
//	shown     ─────────────A───────B─     each a lag later
//	entries   (nothing)─┤                 of the write of A
//	                  A────────────┤      of the write of B
type Index struct {
	Collection string
	Lag        time.Duration
}

// The fields of an entry.
const (
	ofField     = "of"     // the record that it is about
	numberField = "number" // from 1 on, for each record
	untilField  = "until"  // the instant until which the index shows value, in ns
	valueField  = "value"  // what the record was; missing where there was none
)

// most is how many entries a write takes away of those whose time has passed:
// more than it leaves, so that they come to an end.
const most = 2

// Declared is the declaration of the index's collection.
func (x Index) Declared() world.Collection {
	return world.Collection{Name: x.Collection, Indexes: []string{ofField}, Sorted: []string{untilField}, Hidden: true}
}

// Note tells the index of a write: before is what the record was until now,
// nil when it is new. That is the service's own doing: nobody asks for entries.
func (x Index) Note(tx *world.Tx, id string, before map[string]any, now time.Time) {
	tx.ByItself(func() {
		x.forget(tx, now)
		x.add(tx, id, before, now)
	})
}

func (x Index) add(tx *world.Tx, id string, before map[string]any, now time.Time) {
	until, number := now.Add(x.Lag).UnixNano(), int64(1)
	if newest, ok := tx.Latest(x.Collection, ofField, id); ok {
		if entryNumber(newest, untilField) >= until {
			return // of two writes at one instant only the first is ever behind
		}
		number = entryNumber(newest, numberField) + 1
	}
	entry := world.Fields{{Name: numberField, Value: number}, {Name: ofField, Value: id}, {Name: untilField, Value: until}}
	if before != nil {
		entry = append(entry, world.Field{Name: valueField, Value: before})
	}
	if _, err := tx.InsertFields(x.Collection, entryID(id, number), entry); err != nil {
		panic(fmt.Sprintf("%s: %v", x.Collection, err))
	}
}

// forget takes away entries whose time has passed, of any records.
func (x Index) forget(tx *world.Tx, now time.Time) {
	if first, ok := tx.Lowest(x.Collection, untilField); !ok || entryNumber(first, untilField) > now.UnixNano() {
		return // mostly
	}
	passed := make([]string, 0, most)
	for r := range tx.Ascending(x.Collection, untilField, 0) {
		if len(passed) == most || entryNumber(r, untilField) > now.UnixNano() {
			break
		}
		passed = append(passed, r.ID)
	}
	for _, id := range passed {
		if err := tx.Delete(x.Collection, id); err != nil {
			panic(fmt.Sprintf("%s: %v", x.Collection, err))
		}
	}
}

// See gives what the index shows of a record at an instant: nil where it shows
// nothing yet. current is what the record is; nil where it is gone.
func (x Index) See(r world.Reader, id string, current map[string]any, now time.Time) map[string]any {
	if shown, behind := x.Shown(r, id, now); behind {
		return shown
	}
	return current
}

// Shown gives what the index shows of a record that it is behind; where it is
// not, it shows what the record is.
func (x Index) Shown(r world.Reader, id string, now time.Time) (value map[string]any, behind bool) {
	newest, ok := x.newest(r, id)
	if !ok || entryNumber(newest, untilField) <= now.UnixNano() {
		return nil, false
	}
	// The first of its entries whose time has not passed; those that were taken
	// away come before it.
	last := int(entryNumber(newest, numberField))
	first := 1 + sort.Search(last-1, func(i int) bool {
		entry, ok := r.Get(x.Collection, entryID(id, int64(i+1)))
		return ok && entryNumber(entry, untilField) > now.UnixNano()
	})
	if entry, ok := r.Get(x.Collection, entryID(id, int64(first))); ok {
		return valueOf(entry), true
	}
	return nil, false
}

// Behind walks the records that the index does not show as they are, or not
// yet, each once, with what it shows of them: nil where it shows nothing.
func (x Index) Behind(r world.Ranker, now time.Time) iter.Seq2[string, map[string]any] {
	return func(yield func(string, map[string]any) bool) {
		met := map[string]bool{}
		for entry := range r.Ascending(x.Collection, untilField, now.UnixNano()+1) {
			id, _ := entry.At(ofField).(string)
			if met[id] {
				continue
			}
			met[id] = true
			if !yield(id, valueOf(entry)) {
				return
			}
		}
	}
}

// newest gives the newest entry of a record.
func (x Index) newest(r world.Lister, id string) (*world.Record, bool) {
	for entry := range r.Find(x.Collection, ofField, id, 0) {
		return entry, true
	}
	return nil, false
}

func entryID(id string, number int64) string { return id + "#" + strconv.FormatInt(number, 10) }

func entryNumber(entry *world.Record, field string) int64 { return cast.Int(entry.At(field)) }

func valueOf(entry *world.Record) map[string]any { return cast.Object(entry.Value()[valueField]) }
