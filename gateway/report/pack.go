package report

import (
	"bufio"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"parity/faults/trail"
)

// The bounds of a page. Past them it says what it leaves out.
const (
	shownBody  = 4 << 10   // bytes of each body
	mostPacked = 12 << 20  // bytes of the page for frames
	mostRows   = 50_000    // events that are listed
	mostKept   = 5_000     // events that are listed past that, since a verdict or a fault points at them
	perPart    = 200       // events whose frames are unpacked together
	mostWhole  = 256 << 10 // bytes of a record, to be compared field by field
)

// packer puts a run's events into a page.
type packer struct {
	*tracer
	out         *bufio.Writer
	bound, used int // bytes for frames
	hidden      map[string]bool
	forks       []uint64
	settlements map[uint64]trail.Settlement
	events      []*trail.Event // that are listed
	cut         int            // events that are not
	total       int
	marks       map[uint64]mark // of events that verdicts rest on
	all         []trail.Event
	named       *regexp.Regexp // what linked looks for
	plained     map[string]string
}

// plain remembers what it said of short texts: most come back in every frame.
func (p *packer) plain(s string) string {
	const short, few = 200, 10_000
	if text, ok := p.plained[s]; ok {
		return text
	}
	text := p.tracer.plain(s)
	if len(s) <= short && len(p.plained) < few {
		if p.plained == nil {
			p.plained = map[string]string{}
		}
		p.plained[s] = text
	}
	return text
}

// mark says what an event is to a report.
type mark int

// The marks, as page/list.js reads them.
const (
	committed mark = 1 << iota
	struck         // a fault
	lost           // the client did not get the reply as it was
	damning        // evidence of a verdict that failed
	evidence       // evidence of any verdict
	broken         // by a defect of ours, or against the contract
	others         // not the agent's doing
)

// choose decides which events are listed: all, up to a bound, and past it those
// that the report points at.
func (p *packer) choose(verdicts []trail.Verdict, events []trail.Event) {
	p.named = regexp.MustCompile("#\\d+|`[^`]+`")
	p.all, p.total, p.marks = events, len(events), map[uint64]mark{}
	for _, v := range verdicts {
		for _, seq := range v.Evidence {
			p.marks[seq] |= evidence
			if v.Result == trail.Failed {
				p.marks[seq] |= damning
			}
		}
	}
	for i := range events {
		e := &events[i]
		if i < mostRows || p.matters(e) && len(p.events) < mostRows+mostKept {
			p.events = append(p.events, e)
		}
	}
	p.cut = p.total - len(p.events)
}

// matters tells an event that the report points at.
func (p *packer) matters(e *trail.Event) bool {
	return p.marks[e.Seq] != 0 || p.markOf(e)&(struck|broken) != 0
}

func (p *packer) markOf(e *trail.Event) mark {
	m := p.marks[e.Seq]
	x := e.Exchange
	if x == nil {
		if e.Kind != trail.Claimed {
			m |= others
		}
		return m
	}
	if x.Committed {
		m |= committed
	}
	for _, s := range x.Strikes {
		if s.Fired {
			m |= struck
		}
	}
	if x.Wire.NoHead || x.Wire.HeadCut || x.Wire.Short || x.Outcome == trail.Refused {
		m |= lost
	}
	if x.Outcome == trail.Panicked || len(x.Violations) > 0 {
		m |= broken
	}
	return m
}

// pack writes the frames, part by part, then the world, then the rows.
func (p *packer) pack() error {
	left := 0
	for from := 0; from < len(p.events); from += perPart {
		part := p.events[from:min(from+perPart, len(p.events))]
		frames := make([]*frameDoc, len(part))
		for i, e := range part {
			if p.used < p.bound/4*3 || p.used < p.bound && p.matters(e) {
				frames[i] = p.frame(e)
			} else {
				left++
			}
		}
		n, err := p.block(fmt.Sprintf("part-%d", from/perPart), frames)
		if err != nil {
			return err
		}
		p.used += n
	}
	if _, err := p.block("world", p.changes()); err != nil {
		return err
	}
	_, err := p.block("rows", p.rows(left))
	return err
}

// block writes one value, packed, and tells how many bytes that took.
func (p *packer) block(name string, value any) (int, error) {
	fmt.Fprintf(p.out, "<script type=\"application/gzip\" id=\"packed-%s\">", name)
	counted := &counter{to: p.out}
	text := base64.NewEncoder(base64.StdEncoding, counted)
	zip := gzip.NewWriter(text)
	err := json.NewEncoder(zip).Encode(value)
	if err == nil {
		err = zip.Close()
	}
	if err == nil {
		err = text.Close()
	}
	_, _ = p.out.WriteString("</script>\n") // whose error Flush gives
	return counted.n, err
}

type counter struct {
	to io.Writer
	n  int
}

func (c *counter) Write(b []byte) (int, error) {
	c.n += len(b)
	return c.to.Write(b)
}
