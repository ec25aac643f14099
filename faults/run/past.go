package run

import (
	"sort"
	"time"

	"parity/fakes/world"
	"parity/faults/trail"
)

// remembered is how many events a state can look back at least; at most twice
// as many. What was before them is as the oldest of them left it.
const remembered = 512

// past is the worlds after the latest events, newest first: for services that
// answer as things were. It derives from events like all of a State, and is
// never written to, so that a fork shares it.
//
//	newest ─▶ … ─▶ 512 at most ┊ old ─▶ … ─▶ 512
type past struct {
	newest, old *moment
	size        int    // from newest on, without old
	total       uint64 // how many there ever were, forgotten ones too
	cut         bool   // it lacks what it should remember
}

type moment struct {
	at     trail.Instant
	world  *world.World
	before *moment
}

func (p past) with(at trail.Instant, w *world.World) past {
	if p.newest != nil && p.newest.world == w {
		return p // nothing has changed: it looks the same from then on
	}
	if p.size == remembered {
		p.old, p.newest, p.size = p.newest, nil, 0
	}
	p.newest = &moment{at, w, p.newest}
	p.size++
	p.total++
	return p
}

// head is a past that holds on to no world but its newest. Once twice as many
// as are remembered have come after it, it is as it would be anyway.
func (p past) head() past {
	if p.newest != nil {
		p.newest = &moment{p.newest.at, p.newest.world, nil}
	}
	p.old, p.cut = nil, true
	return p
}

// whole tells whether a past that went on from another, which may be cut,
// remembers all that it should.
func (p past) whole(from past) bool { return !from.cut || p.total >= from.total+2*remembered }

// asOf is the world at an instant, or the oldest that is remembered.
func (p past) asOf(at trail.Instant) *world.World {
	var oldest *world.World
	for _, part := range []*moment{p.newest, p.old} {
		for m := part; m != nil; m = m.before {
			if oldest = m.world; m.at <= at {
				return oldest
			}
		}
	}
	return oldest
}

// after lists what is remembered of the time after an instant, newest first.
func (p past) after(at trail.Instant) []*moment {
	var since []*moment
	for _, part := range []*moment{p.newest, p.old} {
		for m := part; m != nil && m.at > at; m = m.before {
			since = append(since, m)
		}
	}
	return since
}

// Past is the world as it was some time ago, on the run's clock: at the
// earliest as the run began, or as far back as is remembered. It has the
// collections that revisions have brought since, without records.
func (t *Turn) Past(ago time.Duration) *world.World {
	return t.whole(t.State.past.asOf(trail.At(t.Now.Add(-ago))))
}

// PastWhere is the oldest world since some time ago in which something is so
// that is so by now, and how long ago it was; false where none is. It is found
// by halves: what came and went in between may be passed over.
func (t *Turn) PastWhere(ago time.Duration, so func(*world.World) bool) (*world.World, time.Duration, bool) {
	since := t.State.past.after(trail.At(t.Now.Add(-ago)))
	n := len(since)
	oldest := n - sort.Search(n, func(i int) bool { return so(t.whole(since[n-1-i].world)) }) - 1
	if oldest < 0 {
		return nil, 0, false
	}
	return t.whole(since[oldest].world), t.Now.Sub(since[oldest].at.Time()), true
}

func (t *Turn) whole(was *world.World) *world.World {
	if same, err := was.With(t.State.World.Declared()...); err == nil {
		return same
	}
	return was
}
