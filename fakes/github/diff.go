package github

import (
	"fmt"
	"slices"
	"strings"
)

// mostEdits bounds how different two texts may be before all lines count as
// changed.
const mostEdits = 4000

// What comparing texts costs: a step of a call's work for so many lines, so many
// ways that an edit may go, and so many bytes of what is shown.
const (
	linesStep = 8
	edgesStep = 16
	bytesStep = 32
)

// A worker is a call, whose work is bounded.
type worker interface{ Spend(steps int) }

// lines cuts a text into lines, each with its end.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	all := strings.SplitAfter(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// A run is lines that are the same (or not) in two texts: a[fromA:toA] stands
// where b[fromB:toB] does.
type run struct {
	same                   bool
	fromA, toA, fromB, toB int
}

// compareLines finds the runs of two texts.
func compareLines(a, b []string, work worker) []run {
	work.Spend((len(a) + len(b)) / linesStep)
	pairs := matched(a, b, work)
	var runs []run
	x, y := 0, 0
	for i := 0; i <= len(pairs); {
		toX, toY := len(a), len(b)
		if i < len(pairs) {
			toX, toY = pairs[i][0], pairs[i][1]
		}
		if x < toX || y < toY {
			runs = append(runs, run{false, x, toX, y, toY})
		}
		if i == len(pairs) {
			break
		}
		x, y = toX, toY
		for i < len(pairs) && pairs[i] == [2]int{x, y} {
			x, y, i = x+1, y+1, i+1
		}
		runs = append(runs, run{true, toX, x, toY, y})
	}
	return runs
}

// matched pairs equal lines in order: a longest common subsequence, by Myers'
// greedy way. It is written here since go-udiff stops looking for the shortest
// after a hundred edits, chooses other lines than git does (of 400 random pairs
// of texts 147 come out as git's, and 212 by this), and cannot be told how much
// work a call may cost.
func matched(a, b []string, work worker) [][2]int {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	pairs := make([][2]int, 0, len(a))
	for i := range start {
		pairs = append(pairs, [2]int{i, i})
	}
	for _, p := range myers(a[start:endA], b[start:endB], work) {
		pairs = append(pairs, [2]int{p[0] + start, p[1] + start})
	}
	for i := range len(a) - endA {
		pairs = append(pairs, [2]int{endA + i, endB + i})
	}
	return pairs
}

func myers(a, b []string, work worker) [][2]int {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return nil
	}
	most := min(n+m, mostEdits)
	far := make([]int32, 2*most+3) // by k, from -most-1
	at := func(k int) *int32 { return &far[k+most+1] }
	var trace [][]int32
	for d := 0; d <= most; d++ {
		work.Spend(1 + d/edgesStep)
		step := make([]int32, 0, d+1)
		for k := -d; k <= d; k += 2 {
			x := int(*at(k - 1)) + 1
			if k == -d || k != d && *at(k - 1) < *at(k + 1) {
				x = int(*at(k + 1))
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			*at(k) = int32(x)
			step = append(step, int32(x))
			if x >= n && x-k >= m {
				return back(a, b, append(trace, step))
			}
		}
		trace = append(trace, step)
	}
	return nil
}

// back walks from the end of both texts to their beginning. Of each step it
// knows how far each second k came, from -d.
func back(a, b []string, trace [][]int32) [][2]int {
	var pairs [][2]int
	x, y := len(a), len(b)
	for d := len(trace) - 1; d >= 0 && (x > 0 || y > 0); d-- {
		k := x - y
		toX, toY := 0, 0
		if d > 0 {
			before := func(k int) int32 { return trace[d-1][(k+d-1)/2] }
			from := k - 1
			if k == -d || k != d && before(k-1) < before(k+1) {
				from = k + 1
			}
			toX = int(before(from))
			toY = toX - from
		}
		for x > toX && y > toY && x > 0 && y > 0 && a[x-1] == b[y-1] {
			x, y = x-1, y-1
			pairs = append(pairs, [2]int{x, y})
		}
		if d > 0 {
			x, y = toX, toY
		}
	}
	slices.Reverse(pairs)
	return pairs
}

// A patch is what a unified diff of one file says.
type patch struct {
	text               string // hunks, without a head; no line end after the last
	additions, removed int64
	large              bool // it is over a limit, and its text is not shown
}

// lines counts those of its text.
func (p patch) lines() int64 { return int64(strings.Count(p.text, "\n")) + 1 }

// wholly is the patch of a file that is new, or gone, of which only the numbers
// are told where it is too large to be shown.
func wholly(old, text string) (p patch, ok bool) {
	count := func(text string) int64 { return int64(strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1) }
	switch {
	case old == "" && (len(text) > mostPatch || count(text) > mostLines):
		return patch{additions: count(text), large: true}, true
	case text == "" && (len(old) > mostPatch || count(old) > mostLines):
		return patch{removed: count(old), large: true}, true
	}
	return patch{}, false
}

const contextLines = 3

// patchOf makes the hunks that lead from one text to another.
func patchOf(old, text string, work worker) patch {
	if p, ok := wholly(old, text); ok {
		return p
	}
	a, b := lines(old), lines(text)
	runs := compareLines(a, b, work)
	var p patch
	var out strings.Builder
	for i := 0; i < len(runs); i++ {
		if runs[i].same {
			continue
		}
		end := i // runs that are near one another are one hunk
		for end+2 < len(runs) && runs[end+1].toA-runs[end+1].fromA <= 2*contextLines {
			end += 2
		}
		p.hunk(&out, a, b, runs[i:end+1])
		i = end
	}
	work.Spend(out.Len() / bytesStep)
	if p.text = strings.TrimSuffix(out.String(), "\n"); len(p.text) > mostPatch || p.lines() > mostLines {
		p.text, p.large = "", true
	}
	return p
}

func (p *patch) hunk(out *strings.Builder, a, b []string, runs []run) {
	first, last := runs[0], runs[len(runs)-1]
	lead := min(contextLines, first.fromA)
	tail := min(contextLines, len(a)-last.toA)
	fromA, fromB := first.fromA-lead, first.fromB-lead
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(fromA, last.toA+tail-fromA), span(fromB, last.toB+tail-fromB))
	line := func(sign, text string) {
		out.WriteString(sign + strings.TrimSuffix(text, "\n") + "\n")
		if !strings.HasSuffix(text, "\n") {
			out.WriteString("\\ No newline at end of file\n")
		}
	}
	for _, text := range a[fromA:first.fromA] {
		line(" ", text)
	}
	for _, r := range runs {
		for _, text := range a[r.fromA:r.toA] {
			if r.same {
				line(" ", text)
				continue
			}
			p.removed++
			line("-", text)
		}
		if !r.same {
			for _, text := range b[r.fromB:r.toB] {
				p.additions++
				line("+", text)
			}
		}
	}
	for _, text := range a[last.toA : last.toA+tail] {
		line(" ", text)
	}
}

// span writes the lines of a hunk as diff does: their first, and how many
// unless there is one.
func span(from, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, n)
}

// mergeLines joins two texts that came of one, and tells whether they agree.
func mergeLines(old, ours, theirs string, work worker) (string, bool) {
	o, a, b := lines(old), lines(ours), lines(theirs)
	left, right := edits(o, a, work), edits(o, b, work)
	var out strings.Builder
	at := 0
	for len(left) > 0 || len(right) > 0 {
		switch {
		case len(right) == 0 || len(left) > 0 && left[0].to < right[0].from:
			at = apply(&out, o, at, left[0])
			left = left[1:]
		case len(left) == 0 || right[0].to < left[0].from:
			at = apply(&out, o, at, right[0])
			right = right[1:]
		case left[0].from == right[0].from && left[0].to == right[0].to && left[0].with == right[0].with:
			at = apply(&out, o, at, left[0])
			left, right = left[1:], right[1:]
		default: // both touch the same lines, or lines next to each other
			return "", false
		}
	}
	out.WriteString(strings.Join(o[at:], ""))
	return out.String(), true
}

// An editing puts a text in the place of some lines.
type editing struct {
	from, to int
	with     string
}

func edits(old, text []string, work worker) []editing {
	var all []editing
	for _, r := range compareLines(old, text, work) {
		if !r.same {
			all = append(all, editing{r.fromA, r.toA, strings.Join(text[r.fromB:r.toB], "")})
		}
	}
	return all
}

func apply(out *strings.Builder, old []string, at int, e editing) int {
	out.WriteString(strings.Join(old[at:e.from], "") + e.with)
	return e.to
}
