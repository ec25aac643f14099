package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parity/faults/trail"
	"parity/specs/words"
)

// TraceOptions say what a trace shows, and how.
type TraceOptions struct {
	JSON    bool // a JSON document a line, in place of text
	Color   bool
	Missing []string // of the run's record, or what may be: said first

	// Only keeps the events that have one of these to do with them: a rule
	// that fired, a service, an operation or a part of it, an outcome, or a
	// kind of event. Empty: all.
	Only []string
	From uint64 // only events from this number on
}

// Trace writes a line for each event: its number, its instant on the run's
// clock, the operation, the status, and what happened in words.
func Trace(w io.Writer, events []trail.Event, settlements map[uint64]trail.Settlement, o TraceOptions) error {
	t := &tracer{page: newPage(Options{Color: o.Color}), options: o}
	for i := range events {
		e := &events[i]
		if !t.shows(e) {
			continue
		}
		t.kept = append(t.kept, e)
		t.number = max(t.number, len(strconv.FormatUint(e.Seq, 10)))
		t.what = max(t.what, min(utf8.RuneCountInString(subject(e)), widest))
	}
	if len(o.Missing) > 0 {
		if err := t.lacks(w); err != nil {
			return err
		}
	}
	for _, e := range t.kept {
		s, settled := settlements[e.Seq]
		line, err := t.line(e, s, settled)
		if err != nil {
			return fmt.Errorf("event %d: %w", e.Seq, err)
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// lacks says what is missing of the record.
func (t *tracer) lacks(w io.Writer) error {
	if t.options.JSON {
		return json.NewEncoder(w).Encode(map[string][]string{"missing": t.options.Missing})
	}
	t.missing(t.options.Missing)
	_, err := io.WriteString(w, t.out.String())
	t.out.Reset()
	return err
}

// widest is how far the column of operations goes; longer ones push the rest.
const widest = 48

type tracer struct {
	*page
	options TraceOptions
	kept    []*trail.Event
	number  int // width of the numbers
	what    int // width of the operations
}

func (t *tracer) shows(e *trail.Event) bool {
	if e.Seq < t.options.From {
		return false
	}
	return len(t.options.Only) == 0 || slices.ContainsFunc(t.options.Only, func(word string) bool { return about(e, word) })
}

// about tells whether an event has to do with a word.
func about(e *trail.Event, word string) bool {
	if string(e.Kind) == word {
		return true
	}
	if e.Tunnel != nil {
		return e.Tunnel.Host == word
	}
	if e.Arming != nil {
		return e.Arming.Name == word
	}
	if e.Word != nil {
		return e.Word.ID == word || e.Word.Gate == word || e.Word.Rule == word
	}
	if e.Delivery != nil {
		return e.Delivery.Service == word || e.Delivery.ID == word
	}
	x := e.Exchange
	if x == nil {
		return false
	}
	if x.Service == word || string(x.Outcome) == word || x.OperationID == word || x.Host == word ||
		x.Operation != "" && strings.Contains(x.Service+" "+x.Operation, word) {
		return true
	}
	if p := x.Policy; p != nil && word != "" && (string(p.Decision) == word || p.Code == word || p.Approval == word || p.Draft == word || p.By == word) {
		return true
	}
	return slices.ContainsFunc(x.Strikes, func(s trail.Strike) bool { return s.Rule == word && s.Fired })
}

func (t *tracer) line(e *trail.Event, s trail.Settlement, settled bool) (string, error) {
	if t.options.JSON {
		if !settled {
			return line(t.masker, e, nil)
		}
		return line(t.masker, e, &s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%*s  %s  ", t.number+1, "#"+strconv.FormatUint(e.Seq, 10), e.At.Time().Format("15:04:05.000"))
	what := t.plain(subject(e))
	b.WriteString(what + strings.Repeat(" ", max(0, t.what-utf8.RuneCountInString(what))) + "  ")
	status := "   "
	switch {
	case e.Exchange != nil && e.Exchange.Status > 0:
		status = strconv.Itoa(e.Exchange.Status)
	case e.Delivery != nil && e.Delivery.Status > 0:
		status = strconv.Itoa(e.Delivery.Status)
	}
	b.WriteString(status + "  ")
	b.WriteString(t.words(e, s, settled))
	return strings.TrimRight(b.String(), " "), nil
}

// subject is what an event is about.
func subject(e *trail.Event) string {
	x := e.Exchange
	switch {
	case x != nil && x.Operation != "":
		method, _, _ := strings.Cut(x.Operation, " ")
		return x.Service + " " + method + " " + x.Path
	case x != nil:
		return x.Method + " " + x.Host + x.Path
	case e.Tunnel != nil:
		return e.Tunnel.Host
	case e.Delivery != nil:
		return e.Delivery.Service + " ▸ " + e.Delivery.URL
	}
	return string(e.Kind)
}

// delivered words an attempt to deliver a webhook.
func delivered(d *trail.Delivery) string {
	text := "webhook taken"
	switch {
	case d.Status == 0:
		text = "webhook not delivered: " + d.Error
	case d.Status/100 != 2:
		text = fmt.Sprintf("webhook answered %d", d.Status)
	}
	if d.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", d.Attempt)
	}
	if d.Masked {
		text += ", signed or sent with a mark in place of a secret, since the run went on from its record"
	}
	return text
}

// words say what happened, the part that decides first.
func (t *tracer) words(e *trail.Event, s trail.Settlement, settled bool) string {
	var parts []string
	switch {
	case e.Kind == trail.Reserved:
		parts = []string{"waits before it acts"}
	case e.Exchange != nil:
		parts = t.happened(e.Exchange, s, settled)
	default:
		return t.plain(other(e))
	}
	if e.Exchange != nil {
		parts = append(parts, t.struck(e.Exchange)...)
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// happened words an exchange.
func (t *tracer) happened(x *trail.Exchange, s trail.Settlement, settled bool) []string {
	var parts []string
	switch x.Outcome {
	case trail.Denied:
		parts = append(parts, denied(x))
	case trail.Panicked:
		parts = append(parts, t.paint(red(), "lost by a fault of ours"))
	case trail.Unknown:
		parts = append(parts, "no such operation")
	case trail.Oversized:
		parts = append(parts, "body over the limit")
	case trail.Unreadable:
		if x.Status != http.StatusUnsupportedMediaType { // its note says why
			parts = append(parts, "the client broke off while sending")
		}
	case trail.Refused:
		parts = append(parts, t.paint(red(), "connection refused"))
	case trail.Connected:
		parts = append(parts, "connected")
	case trail.Overtaken:
		parts = append(parts, "overtaken: nothing was done")
	}
	parts = append(parts, carried(x), real(x))
	if said := decided(x.Policy); said != "" {
		parts = append(parts, t.plain(said))
	}
	if x.Fidelity == trail.Example && x.Outcome == trail.Answered && x.Note == "" {
		parts = append(parts, "a sample")
	}
	if x.Committed {
		parts = append(parts, t.paint(bold(), "committed"))
	}
	if x.Replayed {
		parts = append(parts, "replayed")
	}
	if x.FakeStatus != 0 && x.FakeStatus != x.Status {
		parts = append(parts, fmt.Sprintf("the service said %d", x.FakeStatus))
	}
	if x.Intent.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("attempt %d", x.Intent.Attempt))
	}
	for _, v := range x.Violations {
		parts = append(parts, t.plain(strings.TrimSpace(v.In+" "+v.Pointer)+": "+v.Message))
	}
	if lost := ending(&x.Wire); lost != "" {
		parts = append(parts, t.paint(red(), lost))
	}
	if settled && s.ClientGone && x.Wire.End != trail.Hang {
		parts = append(parts, "client gone")
	}
	if x.Note != "" && len(x.Violations) == 0 && (x.Policy == nil || x.Policy.Decision == trail.PolicyAllowed) { // which says the same in words for the agent
		parts = append(parts, t.plain(x.Note))
	}
	return parts
}

// carried words that a call came in another, or had others in it.
func carried(x *trail.Exchange) string {
	switch {
	case x.Within > 0:
		return fmt.Sprintf("part %d of #%d", x.Part, x.Within)
	case x.Parts > 0:
		return words.Count(x.Parts, "call") + " in one"
	}
	return ""
}

// ending words how a wire was made to end.
func ending(w *trail.Wire) string {
	switch {
	case w.NoHead && w.End == trail.Reset:
		return "reply lost (reset)"
	case w.NoHead && w.End == trail.Hang:
		return "no answer (hung)"
	case w.NoHead:
		return "no answer"
	case w.HeadCut:
		return "reply cut in its head"
	case w.Short && w.Encoding != "":
		return fmt.Sprintf("reply cut after %d bytes of %s", w.Cut, w.Encoding)
	case w.Short && w.End == trail.Hang:
		return fmt.Sprintf("reply stalled after %d bytes", w.Cut)
	case w.Short:
		return fmt.Sprintf("reply cut after %d bytes", w.Cut)
	case w.Chunk > 0:
		return fmt.Sprintf("body dripped, %d bytes each %s", w.Chunk, span(w.Every))
	case w.Delay > 0:
		return "late by " + span(w.Delay)
	case w.BodyWait > 0:
		return "body late by " + span(w.BodyWait)
	}
	return ""
}

// struck names the rules that fired, and those that could not be evaluated.
func (t *tracer) struck(x *trail.Exchange) []string {
	var parts []string
	for _, s := range x.Strikes {
		switch {
		case s.Fired:
			what := t.paint(yellow(), t.plain(s.Rule)) + " (" + t.plain(s.Fault)
			if s.Wait > 0 {
				what += ", wait " + span(s.Wait)
			}
			parts = append(parts, what+")")
		case s.Outranked:
			parts = append(parts, t.plain(s.Rule)+" outranked")
		case s.Unknown:
			parts = append(parts, t.plain(s.Rule)+" could not be evaluated")
		}
	}
	return parts
}

// going words how a clock goes on.
func going(c *trail.Clock) string {
	switch {
	case c.Frozen:
		return "and stands still"
	case c.Mode == "stepped":
		return "and moves " + span(c.Step) + " with each call"
	}
	return fmt.Sprintf("and moves at %g times real time", c.Speed)
}

func claims(c *trail.Claim) string {
	var words strings.Builder
	for _, s := range c.Claims {
		words.WriteString("; " + s.Text)
		if s.Subject != "" {
			words.WriteString(" (" + s.Subject + ")")
		}
	}
	if c.Note != "" {
		words.WriteString("; " + c.Note)
	}
	return words.String()
}

func revised(e *trail.Event) string {
	text := "revision " + short(e.Revision) + " in force"
	for i, c := range e.Declared {
		text += []string{", which brings ", " "}[min(i, 1)] + c.Name
	}
	return text
}

// other words what is no exchange.
func other(e *trail.Event) string {
	switch {
	case e.Start != nil:
		words := fmt.Sprintf("the run began: seed %d, %s clock", e.Start.Seed, e.Start.Mode)
		if e.Start.Profile != "" {
			words += ", profile " + e.Start.Profile
		}
		return words
	case e.Tunnel != nil:
		if e.Tunnel.Failed != "" {
			return "could not be reached: " + e.Tunnel.Failed
		}
		words := "passed unread"
		if e.Tunnel.By != "" {
			words += " (" + e.Tunnel.By + ")"
		}
		return words
	case e.Clock != nil:
		return "the clock was set to " + e.Clock.To.Time().Format("2006-01-02 15:04:05") + ", " + going(e.Clock)
	case e.Kind == trail.SetBack:
		return "the run was set back to its start"
	case e.Kind == trail.Snapshotted:
		return "snapshot " + e.Snapshot.Name
	case e.Kind == trail.RolledBack:
		return fmt.Sprintf("the run was set back to snapshot %s, taken at #%d", e.Snapshot.Name, e.Snapshot.Seq)
	case e.Word != nil, e.Credential != nil, e.Act != nil:
		return authority(e)
	case e.Timer != nil:
		if e.Timer.Undone {
			return fmt.Sprintf("%s gave up what was due, which takes more work than may be done at once: %s of %s", e.Timer.Service, e.Timer.Kind, e.Timer.Subject)
		}
		return fmt.Sprintf("%s did what was due: %s of %s", e.Timer.Service, e.Timer.Kind, e.Timer.Subject)
	case e.Delivery != nil:
		return delivered(e.Delivery)
	case e.Kind == trail.Abandoned:
		return fmt.Sprintf("the call that waited since #%d is left behind", e.Of)
	case e.Epoch != nil && e.Epoch.Clean:
		return fmt.Sprintf("the run goes on, in epoch %d", e.Epoch.Number)
	case e.Epoch != nil:
		return fmt.Sprintf("the run goes on after its gateway was killed, in epoch %d", e.Epoch.Number)
	case e.Claim != nil:
		return "the agent says: " + e.Claim.Status + claims(e.Claim)
	case e.Kind == trail.Revised:
		return revised(e)
	case e.Containment != nil:
		return probed(e.Containment)
	case e.Arming != nil:
		return arming(e)
	case e.Kind == trail.WorldEdited:
		if e.Edit != nil && e.Edit.Did != "" {
			return "somebody else " + e.Edit.Did + " (" + e.Edit.Rule + ")"
		}
		return "another actor changed " + words.Count(len(e.Delta), "record")
	}
	return ""
}
