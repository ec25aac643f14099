package corpus

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A summary is what all documents together came to.
type summary struct {
	results          []*result
	whole            bool
	took             time.Duration
	oracleTime       time.Duration
	peak, oraclePeak int64
}

// sums are the figures of a summary.
type sums struct {
	documents, loaded, withDiagnostics, refused, hung, panics, unjudged int
	operations, blank                                                   int
	fates, spoilt, diagnostics                                          map[string]int
	pairs                                                               pairs
	tally                                                               tally
	load, wire                                                          time.Duration
}

func (s summary) sums() sums {
	out := sums{fates: map[string]int{}, spoilt: map[string]int{}, diagnostics: map[string]int{}}
	out.tally = newTally()
	out.pairs = pairs{Lacks: map[string]int{}, Broke: map[string]int{}}
	for _, r := range s.results {
		out.documents++
		switch {
		case r.refused != "":
			out.refused++
		case len(r.diagnostics) > 0:
			out.withDiagnostics++
			out.loaded++
		default:
			out.loaded++
		}
		if r.hung {
			out.hung++
		}
		if r.unjudged != "" {
			out.unjudged++
		}
		out.panics += r.panics
		out.operations += r.operations
		out.blank += r.blank
		out.load += r.load
		out.wire += r.wire
		add(out.fates, r.fates)
		add(out.spoilt, r.spoilt)
		add(out.diagnostics, r.diagnostics)
		add(out.tally.Asked, r.tally.Asked)
		add(out.tally.Held, r.tally.Held)
		add(out.pairs.Lacks, r.pairs.Lacks)
		add(out.pairs.Broke, r.pairs.Broke)
		out.pairs.All += r.pairs.All
		out.pairs.Whole += r.pairs.Whole
		out.pairs.Held += r.pairs.Held
		out.pairs.Short += r.pairs.Short
		out.pairs.Kept += r.pairs.Kept
	}
	return out
}

func add(to, from map[string]int) {
	for name, n := range from {
		to[name] += n
	}
}

func ranked(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(n)/float64(of))
}

// table is the whole report.
func (s summary) table() string {
	var b strings.Builder
	t := s.sums()
	row := func(name string, n, of int) { fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", name, n, of, share(n, of)) }
	head := func(title string) { fmt.Fprintf(&b, "\n| %s | N | of | |\n| --- | ---: | ---: | ---: |\n", title) }
	head("documents")
	row("loaded", t.loaded, t.documents)
	row("of those, with diagnostics", t.withDiagnostics, t.documents)
	row("refused as a whole", t.refused, t.documents)
	row("not judged by any oracle", t.unjudged, t.documents)
	row("ran out of time", t.hung, t.documents)
	for _, code := range ranked(t.diagnostics) {
		fmt.Fprintf(&b, "| diagnostic %s | %d | | |\n", code, t.diagnostics[code])
	}
	head("operations, a valid request each")
	for _, fate := range ranked(t.fates) {
		row(fate, t.fates[fate], t.operations)
	}
	row("valid in all", t.fates[answered]+t.fates[stateRefuses], t.operations)
	row("of those, nothing is said of the body", t.blank, t.operations)
	head("operations, an invalid request each")
	for _, fate := range ranked(t.spoilt) {
		row(fate, t.spoilt[fate], t.operations)
	}
	head("round trips")
	row("pairs with all that a round trip needs", t.pairs.Whole, t.pairs.All)
	row("round trips held", t.pairs.Held, t.pairs.Whole)
	row("shorter trips held (create, get, and what else there is)", t.pairs.Kept, t.pairs.Short)
	for _, step := range ranked(t.pairs.Broke) {
		row("broke at "+step, t.pairs.Broke[step], t.pairs.Whole)
	}
	for _, lacks := range ranked(t.pairs.Lacks)[:min(8, len(t.pairs.Lacks))] {
		row("lacks "+lacks, t.pairs.Lacks[lacks], t.pairs.All)
	}
	head("asked of pairs besides")
	for _, question := range ranked(t.tally.Asked) {
		row(question, t.tally.Held[question], t.tally.Asked[question])
	}
	s.causes(&b)
	fmt.Fprintf(&b, "\n| cost | |\n| --- | ---: |\n| time | %v |\n| processor time, the oracles' included | %v |\n| of it: loading (all workers) | %v |\n| waiting for replies | %v |\n| the oracle | %v |\n"+
		"| peak memory | %d MB |\n| peak memory of an oracle | %d MB |\n| panics | %d |\n",
		s.took.Round(time.Second), processor().Round(time.Second), t.load.Round(time.Second), t.wire.Round(time.Second), s.oracleTime.Round(time.Second), s.peak>>20, s.oraclePeak>>20, t.panics)
	s.slowest(&b)
	return b.String()
}

var (
	digits   = regexp.MustCompile(`\d+`)
	quoted   = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	pointers = regexp.MustCompile(` /\S*`)
	sayings  = regexp.MustCompile(`(No such [a-zA-Z ]{0,3})[^"]*"|((?:is not allowed|has no operation) at) [^"]*"`)
	places   = regexp.MustCompile(` at /.*$`)
)

// causeOf groups failures: what differs from one to the other is left out.
func causeOf(f failure) string {
	why := f.Why
	if f.Fate == refusedWrong {
		why = sayings.ReplaceAllString(why, "$1: …\"")
		return f.Fate + ": " + digits.ReplaceAllString(clip(pointers.ReplaceAllString(why, "")), "#")
	}
	why = quoted.ReplaceAllString(places.ReplaceAllString(why, ""), `"…"`)
	return f.Fate + ": " + digits.ReplaceAllString(clip(why), "#")
}

// causes lists why requests failed, each with an example.
func (s summary) causes(b *strings.Builder) {
	counts, examples := map[string]int{}, map[string]failure{}
	for _, r := range s.results {
		for _, f := range r.failures {
			name := causeOf(f)
			if counts[name] == 0 {
				examples[name] = f
			}
			counts[name]++
		}
	}
	b.WriteString("\n| cause | N | for example |\n| --- | ---: | --- |\n")
	all := ranked(counts)
	for _, name := range all[:min(60, len(all))] {
		f := examples[name]
		fmt.Fprintf(b, "| %s | %d | %s %s |\n", strings.ReplaceAll(strings.ReplaceAll(name, "|", "\\|"), "\n", " "), counts[name], f.Document, f.Operation)
	}
	if more := len(all) - 60; more > 0 {
		fmt.Fprintf(b, "| %d more causes | | |\n", more)
	}
}

func (s summary) slowest(b *strings.Builder) {
	all := slices.Clone(s.results)
	slices.SortFunc(all, func(a, b *result) int { return cmp.Compare(b.took, a.took) })
	b.WriteString("\n| slowest documents | time | load | MB | operations |\n| --- | ---: | ---: | ---: | ---: |\n")
	for _, r := range all[:min(8, len(all))] {
		fmt.Fprintf(b, "| %s | %v | %v | %.1f | %d |\n", r.name, r.took.Round(time.Millisecond), r.load.Round(time.Millisecond), float64(r.size)/(1<<20), r.operations)
	}
}

// thresholds are what must not get worse. Time is not among them.
func (s summary) thresholds(t *testing.T) {
	t.Helper()
	sum := s.sums()
	if s.whole && (sum.documents != allDocuments || sum.operations != allOperations) {
		t.Errorf("the corpus has %d documents and %d operations; it had %d and %d", sum.documents, sum.operations, allDocuments, allOperations)
	}
	if only := os.Getenv(onlyVariable); only != "" {
		return // one document is looked at
	}
	for _, at := range []struct {
		what  string
		n, of int
		least float64 // per cent
	}{
		{"documents are loaded", sum.loaded, sum.documents, 100},
		{"documents are worked through in time", sum.documents - sum.hung, sum.documents, 100},
		{"operations are answered validly", sum.fates[answered] + sum.fates[stateRefuses], sum.operations, leastValid},
		{"valid requests are not refused", sum.operations - sum.fates[refusedWrong], sum.operations, leastTaken},
		{"operations do not break down", sum.operations - sum.fates[broke] - sum.fates[failed], sum.operations, 100},
		{"invalid requests are refused", sum.spoilt[rightly], sum.spoilt[rightly] + sum.spoilt[acceptedWrong] + sum.spoilt[broke] + sum.spoilt[failed], leastRefused},
		{"round trips are held", sum.pairs.Held, sum.pairs.Whole, leastHeld},
		{askedPage, sum.tally.Held[askedPage], sum.tally.Asked[askedPage], leastPaged},
		{askedKey, sum.tally.Held[askedKey], sum.tally.Asked[askedKey], leastOnce},
		{askedName, sum.tally.Held[askedName], sum.tally.Asked[askedName], leastNamed},
		{askedWords, sum.tally.Held[askedWords], sum.tally.Asked[askedWords], leastWorded},
		{askedBack, sum.tally.Held[askedBack], sum.tally.Asked[askedBack], leastSentWas},
	} {
		if float64(at.n)*100 < at.least*float64(at.of) {
			t.Errorf("%s: %d of %d, %s; it was more than %.1f %%", at.what, at.n, at.of, share(at.n, at.of), at.least)
		}
	}
	if sum.panics > 0 {
		t.Errorf("%d panics", sum.panics)
	}
}

// processor is the processor time of this process and of those that it has
// waited for.
func processor() (spent time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) == nil {
			spent += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	return spent
}
