package report

import (
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"parity/faults/trail"
)

// trajectory sets the calls of two runs side by side.
type trajectory struct {
	*meanings
	a, b  []call
	steps []Step
}

// stretch is a part of both: a[from:to] and b[its:ends].
type stretch struct{ from, to, its, ends int }

// align pairs calls that ask for the same. A stretch in which there are none is
// paired by operation.
func (t *trajectory) align(s stretch) {
	t.side(s, func(c *call) string { return c.means }, func(gap stretch) {
		if gap == s {
			t.side(gap, func(c *call) string { return c.who + " " + operation(c.event.Exchange) }, t.alone)
			return
		}
		t.align(gap)
	})
}

// side pairs what is alike in a stretch, and leaves what is not to gap.
func (t *trajectory) side(s stretch, by func(*call) string, gap func(stretch)) {
	names := func(calls []call) []string {
		all := make([]string, len(calls))
		for i := range calls {
			all[i] = by(&calls[i])
		}
		return all
	}
	i, j := s.from, s.its
	a, b := names(t.a[s.from:s.to]), names(t.b[s.its:s.ends])
	for _, d := range firstAlike(lcs.DiffLines(a, b), a, b) {
		for ; i < s.from+d.Start; i, j = i+1, j+1 {
			t.pair(&t.a[i], &t.b[j])
		}
		gap(stretch{s.from + d.Start, s.from + d.End, s.its + d.ReplStart, s.its + d.ReplEnd})
		i, j = s.from+d.End, s.its+d.ReplEnd
	}
	for ; i < s.to; i, j = i+1, j+1 {
		t.pair(&t.a[i], &t.b[j])
	}
}

// firstAlike has what only one run has come as late as can be: of a call and its
// retry, the first is the one that the other run makes too.
func firstAlike(gaps []lcs.Diff, a, b []string) []lcs.Diff {
	for n := range gaps {
		d := &gaps[n]
		nextA, nextB := len(a), len(b)
		if n+1 < len(gaps) {
			nextA, nextB = gaps[n+1].Start, gaps[n+1].ReplStart
		}
		for d.End < nextA && d.ReplEnd < nextB &&
			(d.Start == d.End && b[d.ReplStart] == b[d.ReplEnd] || d.ReplStart == d.ReplEnd && a[d.Start] == a[d.End]) {
			d.Start, d.End, d.ReplStart, d.ReplEnd = d.Start+1, d.End+1, d.ReplStart+1, d.ReplEnd+1
		}
	}
	return gaps
}

// alone takes a stretch of calls that have no like in the other run's.
func (t *trajectory) alone(s stretch) {
	for i := s.from; i < s.to; i++ {
		t.steps = append(t.steps, Step{How: OnlyA, A: called(&t.a[i])})
	}
	for j := s.its; j < s.ends; j++ {
		t.steps = append(t.steps, Step{How: OnlyB, B: called(&t.b[j])})
	}
}

func (t *trajectory) pair(a, b *call) {
	s := Step{How: Same, A: called(a), B: called(b)}
	if a.means != b.means {
		s.Arguments = t.asks(a.event.Exchange, b.event.Exchange)
	}
	s.Answer = t.tells(answered(a.event.Exchange), answered(b.event.Exchange))
	switch {
	case len(s.Arguments) > 0:
		s.How = OtherArguments
	case len(s.Answer) > 0:
		s.How = OtherAnswer
	}
	t.steps = append(t.steps, s)
}

// moved finds, among the calls of one run alone, those that the other makes
// earlier or later.
func (t *trajectory) moved() {
	waiting := map[string][]*Step{}
	for i := range t.steps {
		if s := &t.steps[i]; s.How == OnlyA {
			means := t.a[s.A.Call-1].means
			waiting[means] = append(waiting[means], s)
		}
	}
	for i := range t.steps {
		s := &t.steps[i]
		if s.How != OnlyB {
			continue
		}
		means := t.b[s.B.Call-1].means
		if like := waiting[means]; len(like) > 0 {
			waiting[means] = like[1:]
			s.How, s.At = Moved, like[0].A.Event
			like[0].How, like[0].At = Moved, s.B.Event
		}
	}
}

// called tells of a call and what its client got.
func called(c *call) *Called {
	x := c.event.Exchange
	out := &Called{Call: c.nth, Event: c.event.Seq, What: subject(c.event), Answer: got(x)}
	for _, s := range x.Strikes {
		if s.Fired {
			out.Faults = append(out.Faults, s.Rule)
		}
	}
	return out
}

// got words what came back.
func got(x *trail.Exchange) string {
	var parts []string
	if x.Outcome == trail.Refused {
		return "connection refused"
	}
	if x.Status > 0 && !x.Wire.NoHead && !x.Wire.HeadCut {
		parts = append(parts, strconv.Itoa(x.Status))
	}
	if how := ending(&x.Wire); how != "" {
		parts = append(parts, how)
	}
	if said := decided(x.Policy); said != "" {
		parts = append(parts, said)
	}
	if x.Committed {
		parts = append(parts, "committed")
	}
	if x.Replayed {
		parts = append(parts, "replayed")
	}
	return strings.Join(parts, ", ")
}
