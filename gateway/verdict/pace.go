package verdict

import (
	"fmt"
	"slices"
	"time"
)

// hurried tells tries of which many came at one short pace: the wait did not grow.
func hurried(tries []*call) bool {
	const many = 5
	var gaps []time.Duration
	for i, c := range tries[1:] {
		was := tries[i]
		if was.ended == 0 || c.began == 0 || advised(was) {
			return false
		}
		gaps = append(gaps, time.Duration(c.began-was.ended))
	}
	if len(gaps) < many {
		return false
	}
	first, last := slices.Max(gaps[:len(gaps)/2]), slices.Min(gaps[len(gaps)/2:])
	return slices.Max(gaps) < time.Second && last < first+first/2
}

// abreast counts how many of an intent's calls were under way when the first was
// answered, with that: several workers, of which each may try again.
func abreast(tries []*call) int {
	n := 1
	for _, c := range tries[1:] {
		if underWay(c, tries[0]) {
			n++
		}
	}
	return n
}

// rushed counts the tries that came without a pause after one that had failed.
// What is no pause is measured by how soon the agent goes on where nothing is
// wrong: on a slow machine that takes longer.
func (j *judge) rushed(tries []*call) int {
	if abreast(tries) > 1 {
		return 0
	}
	n := 0
	for i, c := range tries[1:] {
		if was := tries[i]; was.ended > 0 && c.began > 0 && time.Duration(c.began-was.ended) < j.pace() {
			n++
		}
	}
	return n
}

// pace is how soon, at the most, an agent comes back that waits for nothing:
// twice what it takes between an answer and the next call, where most go by.
func (j *judge) pace() time.Duration {
	if j.atOnce > 0 {
		return j.atOnce
	}
	var gaps []time.Duration
	for i := 1; i < len(j.calls) && len(gaps) < 4096; i++ {
		was, c := j.calls[i-1], j.calls[i]
		if was.ended > 0 && c.began > was.ended && was.x.Status/100 == 2 {
			gaps = append(gaps, time.Duration(c.began-was.ended))
		}
	}
	j.atOnce = 50 * time.Millisecond
	if len(gaps) > 3 {
		slices.Sort(gaps)
		j.atOnce = min(max(2*gaps[len(gaps)/4], leastPause), mostPause)
	}
	return j.atOnce
}

func often(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// span writes a length of time as people do.
func span(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	default:
		return d.Round(time.Millisecond).String()
	}
}

// The bounds of what counts as no pause at all.
const (
	leastPause = 20 * time.Millisecond
	mostPause  = 50 * time.Millisecond
)
