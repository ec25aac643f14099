package sample

import (
	"math"
	"slices"
)

// endless is the height of what no value of ends.
const endless = math.MaxInt32

// Bounds of values that are to end.
const (
	maxEnding  = 64   // levels beyond where that began
	mostShapes = 4000 // looked at for one height
)

// An ending is what heights are worked out of: each shape's is one more than
// that of the highest value that it cannot do without, in the way in which that
// is least.
//
//	Node: {required: [next, kids]}   next: Node or null ─▶ 0
//	                                 kids: 2 Leaves     ─▶ 2 = 1 + Leaf: {required: [name]}
//	                                                    Node ─▶ 3
type ending struct {
	library *Library
	side    Side
	heights map[*shape]int
	met     []*shape
}

type heightOf struct {
	of   *shape
	side Side
}

// height is how deep the shallowest value of a shape is; endless where none
// ends.
func (r *run) height(sh *shape) int {
	key := heightOf{sh, r.Side}
	if known, ok := r.library.heights.Load(key); ok {
		return known.(int)
	}
	e := ending{library: r.library, side: r.Side, heights: map[*shape]int{}}
	e.of(sh)
	for changed := true; changed; {
		changed = false
		for i := 0; i < len(e.met); i++ { // which grows
			if h := e.least(e.met[i]); h < e.heights[e.met[i]] {
				e.heights[e.met[i]], changed = h, true
			}
		}
	}
	for met, h := range e.heights {
		r.library.heights.Store(heightOf{met, r.Side}, h)
	}
	return e.heights[sh]
}

// of is the height of a shape, as far as it is known.
func (e *ending) of(sh *shape) int {
	if h, met := e.heights[sh]; met {
		return h
	}
	if known, ok := e.library.heights.Load(heightOf{sh, e.side}); ok {
		return known.(int)
	}
	if e.heights == nil || len(e.met) >= mostShapes {
		return endless
	}
	e.heights[sh] = endless
	e.met = append(e.met, sh)
	e.heights[sh] = e.least(sh)
	return e.heights[sh]
}

func (e *ending) least(sh *shape) int {
	switch {
	case sh.never:
		return endless
	case sh.chosen:
		return 0
	case len(sh.groups) > 0:
		best := endless
		for i := range sh.groups[0].branches {
			best = min(best, e.of(sh.pick(i)))
		}
		return best
	case sh.kinds&^(anObject|anArray) != 0:
		return 0
	}
	best := endless
	if sh.kinds&anArray != 0 {
		best = e.array(sh)
	}
	if sh.kinds&anObject != 0 {
		best = min(best, e.object(sh))
	}
	return best
}

func (e *ending) array(sh *shape) int {
	most := 0
	for i := range min(sh.leastItems(), len(sh.prefix)+len(sh.contains)+1) {
		most = max(most, above(e.of(sh.item(i))))
	}
	return most
}

func (e *ending) object(sh *shape) int {
	most, has := 0, 0
	var others []int
	for _, f := range sh.fields {
		switch {
		case (&Maker{Side: e.side}).leaves(f):
		case slices.Contains(sh.required, f.name):
			most, has = max(most, above(e.of(f.of(e.library)))), has+1
		case sh.fewFields > 0:
			others = append(others, above(e.of(f.of(e.library))))
		}
	}
	for _, name := range sh.required {
		if sh.byName[name] == nil {
			most, has = max(most, above(e.of(sh.other(name)))), has+1
		}
	}
	if has >= sh.fewFields {
		return most
	}
	slices.Sort(others)
	rest := above(e.unnamed(sh))
	for i := range sh.fewFields - has {
		if i < len(others) && others[i] <= rest {
			most = max(most, others[i])
		} else {
			return max(most, rest)
		}
	}
	return most
}

// nests tells whether values of a shape may hold others.
func (s *shape) nests() bool { return s.kinds&(anObject|anArray) != 0 }

// unnamed is the height of a field of any name.
func (e *ending) unnamed(sh *shape) int {
	if sh.closed && len(sh.byPattern) == 0 {
		return endless
	}
	return e.of(sh.other(""))
}

func above(h int) int { return min(h+1, endless) }

// endless tells whether no value of a shape is known to end.
func (r *run) endless(sh *shape) bool {
	known, ok := r.library.heights.Load(heightOf{sh, r.Side})
	return ok && known.(int) > maxEnding
}

// shallow is the same place, where a value is to end as soon as it may.
func (p place) shallow() place {
	p.ending, p.optional = true, None
	return p
}

// further are the named fields that a record may have where it has to have more:
// of one that is to end those that end as soon as any other does.
func (r *run) further(sh *shape, at place) []*field {
	if !at.ending {
		return sh.fields
	}
	r.height(sh)
	e := ending{library: r.library, side: r.Side}
	height := func(f *field) int { return e.of(f.of(r.library)) }
	rest := e.unnamed(sh)
	some := slices.DeleteFunc(slices.Clone(sh.fields), func(f *field) bool { return height(f) > rest })
	slices.SortStableFunc(some, func(a, b *field) int { return height(a) - height(b) })
	return some
}

// shortest is the type by which a value of a shape ends soonest: null, what holds
// no others, or a list or a record, whichever is less high.
func (r *run) shortest(sh *shape) kinds {
	switch flat := sh.kinds &^ (anObject | anArray); {
	case sh.kinds&aNull != 0:
		return aNull
	case flat != 0:
		return sh.kindAmong(flat)
	case sh.kinds == anObject|anArray:
		r.height(sh)
		if e := (ending{library: r.library, side: r.Side}); e.array(sh) <= e.object(sh) {
			return anArray
		}
		return anObject
	}
	return sh.kinds
}
