package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// What is printed is for a terminal: all that was measured, times as well.

func table(out io.Writer, title, head string, rows func(w io.Writer)) {
	fmt.Fprintf(out, "\n%s\n", title)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, head)
	rows(w)
	_ = w.Flush()
}

func printContest(out io.Writer, c contest, all []standing) {
	table(out, c.title+" ("+c.name+")", "\tratio\tquartiles\tserver CPU\tµs/call\tcalls/s\tbody\tallocs\talloc'd\t", func(w io.Writer) {
		for _, s := range all {
			fmt.Fprintf(w, "%s\t%.2f\t%.2f–%.2f\t%.1f×\t%.1f\t%.0f\t%d\t%s\t%s\t\n", s.Peer, s.Ratio, s.Low, s.High,
				s.CPU, s.perCall, s.perSecond, s.bytes, optional("%.0f", s.objects), optional("%.0f", s.alloc))
		}
	})
	for _, s := range all {
		if s.failed > 0 {
			fmt.Fprintf(out, "FAILED: %d calls to %s, the first: %s\n", s.failed, s.Peer, s.first)
		}
	}
}

func printStarts(out io.Writer, all []beginning, n int) {
	title := fmt.Sprintf("Started %d times, to the first answer or to the end (cold)", n)
	table(out, title, "\tratio\tCPU\tms\tms of CPU\tresident MB\t", func(w io.Writer) {
		for _, b := range all {
			fmt.Fprintf(w, "%s\t%.1f×\t%.1f×\t%.1f\t%.1f\t%s\t\n", b.Title, b.Ratio, b.CPU, b.seconds*1000, b.cpu*1000, optional("%.0f", b.Resident))
		}
	})
}

func printMemory(out io.Writer, all []keeping, n int) {
	title := fmt.Sprintf("Kept of each of %d payment intents (memory)", n)
	table(out, title, "\tresident MB at first\tresident KB each\theap KB each\tstore KB each\t", func(w io.Writer) {
		for _, k := range all {
			fmt.Fprintf(w, "%s\t%.0f\t%.1f\t%s\t%s\t\n", k.Peer, k.Start, k.Resident, k.ours(k.Heap), k.ours(k.Store))
		}
	})
}

func (k keeping) ours(value float64) string {
	if !k.Ours {
		return "–"
	}
	return fmt.Sprintf("%.1f", value)
}

func printDelays(out io.Writer, all []delay) {
	title := fmt.Sprintf("At %d calls a second (paced)", perSecond)
	table(out, title, "\t\tp50\tp99\tp50 ms\tp99 ms\tadded p50 ms\tadded p99 ms\t", func(w io.Writer) {
		var yard delay
		for _, d := range all {
			if d.Peer == bare {
				yard = d
			}
			fmt.Fprintf(w, "%s\t%s\t%.1f×\t%.1f×\t%.2f\t%.2f\t%.2f\t%.2f\t\n", d.Case, d.Peer, d.Ratio50, d.Ratio99, d.p50, d.p99, d.p50-yard.p50, d.p99-yard.p99)
		}
	})
}

func printLeftOut(out io.Writer, leftOut map[string]error) {
	for _, peer := range slices.Sorted(maps.Keys(leftOut)) {
		fmt.Fprintf(out, "\nleft out: %s: %s\n", peer, strings.ReplaceAll(leftOut[peer].Error(), "\n", " "))
	}
}

// optional is a figure that not all have.
func optional(format string, value float64) string {
	if value == 0 {
		return "–"
	}
	return fmt.Sprintf(format, value)
}
