package report

import (
	"fmt"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// contained says whether anything can have gone around the gateway.
//
//	yes (network, files, processes), 16 probes; 3 attempts: tcp 10.1.2.3:5432, udp 8.8.8.8:123, …
//	no: run it with --isolate
func (r *Report) contained() string {
	c := r.Contained
	if c == nil || r.NoTraffic() && c.Level == "" {
		return ""
	}
	var text string
	switch {
	case c.Yes:
		text = "yes (" + levelled(c.Level) + "), " + words.Count(c.Probes, "probe")
	case c.Why == trail.NotAskedFor:
		return "no: run it with --isolate"
	case len(c.Out) > 0:
		var out []string
		for _, e := range c.Out {
			out = append(out, e.Probe+" ("+e.Said+")")
		}
		text = fmt.Sprintf("no: %d of %s got out: %s", len(c.Out), words.Count(c.Probes, "probe"), strings.Join(fewOfThem(out), "; "))
	default:
		text = "no: " + c.Why
	}
	if n := len(c.Attempts); n > 0 {
		text += "; " + words.Count(n, "attempt") + ": " + strings.Join(fewOfThem(c.Attempts), ", ")
	}
	if hosts := len(r.Outside); hosts > 0 {
		calls := 0
		for _, h := range r.Outside {
			calls += h.Calls
		}
		text += "; " + words.Count(calls, "connection") + " to " + words.Count(hosts, "host") + " let out, unread"
	}
	return text
}

// pageRows are the rows of a page: whether the agent was contained, where that was
// asked for, and what policy came to.
func (r *Report) pageRows() []authorityRow {
	if r.Contained == nil || r.Contained.Level == "" {
		return r.authorityRows()
	}
	return append([]authorityRow{{"Contained", r.contained()}}, r.authorityRows()...)
}

func levelled(level string) string {
	switch level {
	case trail.ContainedNetwork:
		return "network"
	case trail.ContainedWhole:
		return "network, files, processes"
	}
	return level
}

func (r *Report) containedInk() ink {
	if c := r.Contained; c != nil && (len(c.Out) > 0 || c.Why == trail.TriedLate) {
		return yellow()
	}
	return bold()
}

// probed words what came of trying.
func probed(c *trail.Containment) string {
	text := words.Count(c.Probes, "way") + " out tried from where the agent is (" + levelled(c.Level) + "): "
	if len(c.Out) == 0 {
		return text + "none leads out"
	}
	var out []string
	for _, e := range c.Out {
		out = append(out, e.Probe)
	}
	return text + fmt.Sprintf("%d got out: ", len(out)) + strings.Join(out, ", ")
}
