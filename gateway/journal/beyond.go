package journal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// A Span is events that follow each other.
type Span struct {
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
}

func (s Span) String() string {
	if s.First == s.Last {
		return fmt.Sprint(s.First)
	}
	return fmt.Sprintf("%d to %d", s.First, s.Last)
}

// tellBeyond gives the events that are whole beyond a run's first damage. They
// are not kept: they would read as if they followed on what is.
//
//	1 ─ 2 ─ 3   ✗   ✗   6 ─ 7 ─ 8
//	kept                beyond
func (v *salvage) tellBeyond(ctx context.Context) error {
	hurt := slices.DeleteFunc(slices.Clone(v.order), func(r *saved) bool { return r.err == nil || r.gone })
	if len(hurt) == 0 {
		return nil
	}
	_, err := walk(ctx, v.from.db, "blocks", `id, data`, func(scan func(...any) error) (int64, error) {
		var id int64
		var row []byte
		if err := scan(&id, &row); err != nil {
			return 0, err
		}
		data, err := unpack(row)
		if err != nil {
			return id, nil
		}
		for _, r := range hurt {
			for e := range wholeFrames(data, r.id) {
				if err := v.beyond(r, e); err != nil {
					return id, err
				}
			}
		}
		return id, nil
	})
	return err
}

// beyond notes one event.
func (v *salvage) beyond(r *saved, e Entry) error {
	n := len(r.beyond)
	last := r.last
	if n > 0 {
		last = r.beyond[n-1].Last
	}
	switch {
	case e.Seq <= last: // it is kept, or was told
		return nil
	case n > 0 && e.Seq == last+1:
		r.beyond[n-1].Last = e.Seq
	default:
		r.beyond = append(r.beyond, Span{e.Seq, e.Seq})
	}
	if v.told == nil {
		return nil
	}
	if err := v.told(r.name, e); err != nil {
		return errors.Join(errKeep, err)
	}
	return nil
}

// wholeFrames gives the events of run in a block, those behind a damaged one,
// too.
func wholeFrames(data []byte, run int64) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for len(data) > 0 {
			f, size, err := cutFrame(data, run)
			if err == nil && !yield(Entry{Seq: f.key, Data: f.data}) || size == 0 {
				return
			}
			data = data[size:]
		}
	}
}
