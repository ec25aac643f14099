package faults

import (
	"fmt"
	"math"
	"strings"
)

// A portion is some of several things: a share of them, or so many.
type portion struct {
	share float64
	count int64 // 0: the share
}

// of gives how many of n it is: at least one, and at most all.
func (p portion) of(n int) int {
	some := int(min(p.count, int64(n)))
	if p.count == 0 {
		some = int(math.Ceil(p.share*float64(n) - 1e-9))
	}
	return min(max(some, 1), n)
}

// all tells whether it is all of them, however many there are.
func (p portion) all() bool { return p.count == 0 && p.share >= 1 }

// portion reads a share or a count.
func (p Param) portion(raw any) (any, error) {
	if s, ok := raw.(string); ok && strings.HasSuffix(strings.TrimSpace(s), "%") {
		share, err := ParseShare(s)
		if err == nil && share == 0 {
			err = fmt.Errorf("%s is nothing", s)
		}
		return share, err
	}
	bounded := p
	bounded.Min = max(p.Min, 1)
	n, err := bounded.count(raw)
	if err != nil {
		return nil, fmt.Errorf("%v is neither a share (30%%) nor a whole number from 1", raw)
	}
	return n, nil
}

func (a Args) portion(name string) portion {
	share, _ := a[name].(float64)
	return portion{share: share, count: a.count(name)}
}
