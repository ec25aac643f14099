package kit

import (
	"math"
	"strconv"

	"parity/fakes/world"
)

// Bounds is a closed range of whole numbers, such as seconds since 1970.
type Bounds struct{ Low, High int64 }

// BoundsOf reads a number, or a map of gt, gte, lt and lte; anything else sets
// no bound.
func BoundsOf(v any) Bounds {
	b := Bounds{math.MinInt64, math.MaxInt64}
	ranges, ok := v.(map[string]any)
	if !ok {
		if n, ok := whole(v); ok {
			return Bounds{n, n}
		}
		return b
	}
	for name, limit := range ranges {
		n, ok := whole(limit)
		if !ok {
			continue
		}
		switch name {
		case "gt":
			b.raise(n, 1)
		case "gte":
			b.raise(n, 0)
		case "lt":
			b.lower(n, 1)
		case "lte":
			b.lower(n, 0)
		}
	}
	return b
}

// Holds tells whether a record's field lies within the bounds.
func (b Bounds) Holds(r *world.Record, field string) bool {
	n, ok := whole(r.Value()[field])
	return ok && n >= b.Low && n <= b.High
}

func (b *Bounds) raise(n, open int64) {
	if n > math.MaxInt64-open {
		b.Low, b.High = 1, 0 // nothing is greater
		return
	}
	b.Low = max(b.Low, n+open)
}

func (b *Bounds) lower(n, open int64) {
	if n < math.MinInt64+open {
		b.Low, b.High = 1, 0
		return
	}
	b.High = min(b.High, n-open)
}

func whole(v any) (int64, bool) {
	switch x := v.(type) {
	case int64:
		return x, true
	case int:
		return int64(x), true
	case string:
		n, err := strconv.ParseInt(x, 10, 64)
		return n, err == nil
	}
	return 0, false
}
