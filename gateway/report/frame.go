package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"parity/faults/trail"
)

// mostLines is how much of a body a frame shows.
const mostLines = 40

// Frame writes one event in full: what was asked, what was answered and what
// went out, which rules it met, and what changed in the world.
func Frame(w io.Writer, e *trail.Event, s *trail.Settlement, o Options) error {
	t := &tracer{page: newPage(o)}
	f := &frame{t}
	f.head(e)
	switch {
	case e.Exchange != nil:
		f.exchange(e.Exchange, s)
	case e.Delivery != nil:
		f.line("  ", other(e))
		f.part("webhook")
		f.line("    ", e.Delivery.Method+" "+e.Delivery.URL)
		f.fields(e.Delivery.Header)
		f.body(e.Delivery.Body)
	default:
		if words := other(e); words != "" {
			f.line("  ", words)
		}
	}
	f.delta(e.Delta)
	_, err := io.WriteString(w, f.out.String())
	return err
}

type frame struct{ *tracer }

func (f *frame) line(indent, text string) { f.out.WriteString(indent + f.plain(text) + "\n") }

func (f *frame) part(name string) { f.out.WriteString("  " + f.paint(faint(), name) + "\n") }

func (f *frame) head(e *trail.Event) {
	f.out.WriteString(f.paint(bold(), fmt.Sprintf("#%d", e.Seq)) + "  " + e.At.Time().Format("2006-01-02 15:04:05.000") + "  " + f.plain(subject(e)))
	if e.Identity != "" {
		f.out.WriteString("  by " + f.plain(e.Identity))
	}
	f.out.WriteString("\n")
}

func (f *frame) exchange(x *trail.Exchange, s *trail.Settlement) {
	f.part("request, by " + x.Way)
	target := x.Path
	if x.Query != "" {
		target += "?" + x.Query
	}
	f.line("    ", x.Method+" "+x.Host+target)
	f.fields(x.Header)
	f.body(x.Body)
	for _, v := range x.Violations {
		f.line("    ", "violates the contract: "+strings.TrimSpace(v.In+" "+v.Pointer)+": "+v.Message)
	}
	f.part("faults")
	if len(x.Strikes) == 0 {
		f.line("    ", "no rule is about this call")
	}
	for _, strike := range x.Strikes {
		f.line("    ", strike.Rule+" ("+strike.Fault+"): "+strikeWords(strike))
	}
	f.part("reply, " + joined(x.Fidelities()))
	if x.FakeStatus != 0 {
		f.line("    ", fmt.Sprintf("the service said %d; a rule said otherwise:", x.FakeStatus))
	}
	if x.Status != 0 {
		f.line("    ", fmt.Sprint(x.Status))
	}
	f.fields(x.ReplyHeader)
	f.body(x.ReplyBody)
	if lost := ending(&x.Wire); lost != "" {
		f.line("    ", lost)
	}
	f.line("    ", wentOut(s))
	if x.Note != "" {
		f.line("    ", x.Note)
	}
}

func strikeWords(s trail.Strike) string {
	switch {
	case s.Fired:
		return fmt.Sprintf("fired, on call %d that it met", s.Index)
	case s.Why != "":
		return "did not fire: " + s.Why
	}
	return "did not fire"
}

// wentOut says what is known of the wire.
func wentOut(s *trail.Settlement) string {
	switch {
	case s == nil:
		return "what went out is unknown"
	case s.Error != "":
		return fmt.Sprintf("%d bytes of body went out in %s, then: %s", s.Sent, span(s.Took), s.Error)
	case s.ClientGone:
		return fmt.Sprintf("%d bytes of body went out in %s, and the client was gone", s.Sent, span(s.Took))
	}
	return fmt.Sprintf("%d bytes of body went out in %s", s.Sent, span(s.Took))
}

func (f *frame) fields(fields []trail.Field) {
	for _, field := range fields {
		f.line("    ", cut(field.Name+": "+field.Value, 160))
	}
}

// body writes a body, indented where it is JSON, and not more than can be read.
func (f *frame) body(body []byte) {
	if len(body) == 0 {
		return
	}
	var text bytes.Buffer
	if json.Indent(&text, body, "", "  ") != nil {
		text.Reset()
		text.Write(body)
	}
	lines := strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
	for i, line := range lines {
		if i == mostLines {
			f.line("    ", fmt.Sprintf("… %d more lines", len(lines)-i))
			return
		}
		f.line("    ", cut(line, 160))
	}
}

func (f *frame) delta(delta []trail.Change) {
	f.part("world")
	if len(delta) == 0 {
		f.line("    ", "unchanged")
	}
	for _, c := range delta {
		f.line("    ", fmt.Sprintf("%s %s %s", c.Op, c.Collection, c.ID))
		if c.Op != "update" {
			continue
		}
		for _, d := range fieldsOf(c.Before, c.After) {
			was, is := f.apart(d.Was, d.Is)
			f.line("      ", d.Pointer+": "+was+" → "+is)
		}
	}
}
