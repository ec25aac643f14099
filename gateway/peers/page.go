package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// The figures stand on the page between these.
const (
	pageBegins = "<!-- figures, written by make peers PEERS=-write -->\n"
	pageEnds   = "<!-- end of figures -->\n"
)

// figures are all that a whole run came to.
type figures struct {
	about    string // the machine, the day, how it was asked
	contests []placed
	starts   []beginning
	memory   []keeping
	delays   []delay
	leftOut  map[string]error
}

// placed is what one contest came to.
type placed struct {
	contest contest
	all     []standing
}

// failed is an error where calls were not answered as they were at first: the
// figures of that case then say little.
func (f figures) failed() error {
	var all []error
	for _, p := range f.contests {
		for _, s := range p.all {
			if s.failed > 0 {
				all = append(all, fmt.Errorf("%s, %s: %d calls failed, the first: %s", s.Peer, p.contest.name, s.failed, s.first))
			}
		}
	}
	return errors.Join(all...)
}

// markdown has ratios and memory, and no times: those are of one machine.
func (f figures) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s Throughput as a ratio to the bare server; in parentheses the server's processor time a call, as a multiple of the bare server's.\n\n", f.about)
	var peers []string
	for _, name := range peerNames() {
		if name != bare && name != before && slices.ContainsFunc(f.contests, func(p placed) bool { return p.of(name) != nil }) {
			peers = append(peers, name)
		}
	}
	fmt.Fprintf(&b, "| | %s |\n| --- |%s\n", strings.Join(peers, " | "), strings.Repeat(" --- |", len(peers)))
	for _, p := range f.contests {
		fmt.Fprintf(&b, "| %s |", p.contest.title)
		for _, name := range peers {
			if s := p.of(name); s != nil {
				fmt.Fprintf(&b, " %.2f (%.1f×) |", s.Ratio, s.CPU)
			} else {
				b.WriteString(" – |")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n| started, to the first answer or to the end | time, to the bare server's | CPU | resident |\n| --- | --- | --- | --- |\n")
	for _, s := range f.starts {
		fmt.Fprintf(&b, "| %s | %.1f× | %.1f× | %s |\n", s.Title, s.Ratio, s.CPU, optional("%.0f MB", s.Resident))
	}
	b.WriteString("\n| kept of a payment intent | resident | heap | on disk |\n| --- | --- | --- | --- |\n")
	for _, k := range f.memory {
		if k.Ours {
			fmt.Fprintf(&b, "| %s | %.1f KB | %.1f KB | %.1f KB |\n", k.Peer, k.Resident, k.Heap, k.Store)
		} else {
			fmt.Fprintf(&b, "| %s | %.1f KB | – | – |\n", k.Peer, k.Resident)
		}
	}
	fmt.Fprintf(&b, "\n| at %d calls a second | p50, to the bare server's | p99 |\n| --- | --- | --- |\n", perSecond)
	for _, d := range f.delays {
		if d.Peer != bare {
			fmt.Fprintf(&b, "| %s, %s | %.1f× | %.1f× |\n", d.Peer, d.Case, d.Ratio50, d.Ratio99)
		}
	}
	if len(f.leftOut) > 0 {
		fmt.Fprintf(&b, "\nNot to be had where this was measured: %s.\n", strings.Join(slices.Sorted(maps.Keys(f.leftOut)), ", "))
	}
	return b.String()
}

func (p placed) of(peer string) *standing {
	for i := range p.all {
		if p.all[i].Peer == peer {
			return &p.all[i]
		}
	}
	return nil
}

// written puts text between the markers of a page.
func written(page, text string) (string, error) {
	head, rest, ok := strings.Cut(page, pageBegins)
	_, tail, closed := strings.Cut(rest, pageEnds)
	if !ok || !closed {
		return "", errors.New("the page has no place for figures: its markers are gone")
	}
	return head + pageBegins + "\n" + text + "\n" + pageEnds + tail, nil
}

func write(file, text string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	out, err := written(string(page), text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(out), 0o644)
}
