package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// printContest is for a terminal: all that was measured, times as well.
func printContest(out io.Writer, c contest, all []standing, leftOut map[string]error) {
	fmt.Fprintf(out, "\n%s (%s)\n", c.title, c.name)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tratio\tquartiles\tserver CPU\tµs/call\tcalls/s\tbody\tallocs\talloc'd\t")
	for _, s := range all {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f–%.2f\t%.1f×\t%.1f\t%.0f\t%d\t%s\t%s\t\n", s.Peer, s.Ratio, s.Low, s.High,
			s.CPU, float64(s.perCall.Nanoseconds())/1000, s.perSecond, s.bytes, optional(s.objects), optional(s.alloc))
	}
	_ = w.Flush()
	for _, s := range all {
		if s.failed > 0 {
			fmt.Fprintf(out, "FAILED: %d calls to %s, the first: %s\n", s.failed, s.Peer, s.first)
		}
	}
	for _, peer := range slices.Sorted(maps.Keys(leftOut)) {
		fmt.Fprintf(out, "left out: %v\n", leftOut[peer])
	}
}

// optional is a figure that not all have.
func optional(value float64) string {
	if value == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", value)
}
