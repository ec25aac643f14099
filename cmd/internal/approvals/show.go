package approvals

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"parity/cmd/internal/output"
	"parity/gateway/client"
	"parity/gateway/report"
	"parity/specs/words"
)

// page collects the lines of what is shown, no wider than a terminal has them
// where there is no need.
type page struct {
	text strings.Builder
	all  bool // nothing is cut
}

// Show is how something is shown.
type Show struct {
	Form string // text or json
	All  bool   // every field, however long
}

// wide is how many columns what is shown has.
const wide = 80

// line writes one line, cut where it is wider than a terminal.
func (p *page) line(indent int, text string) {
	text = strings.Repeat(" ", indent) + text
	if r := []rune(text); !p.all && len(r) > wide {
		text = string(r[:wide-1]) + "…"
	}
	p.text.WriteString(strings.TrimRight(text, " ") + "\n")
}

// named writes a name and a text beside it, wrapped between words.
func (p *page) named(name, text string) {
	const column = 14
	if text == "" {
		return
	}
	text = report.Plain(text)
	for i, part := range wrapped(text, wide-column) {
		if i > 0 {
			name = ""
		}
		p.line(0, fmt.Sprintf("%-*s%s", column, name, part))
	}
}

// wrapped cuts a text into lines between words.
func wrapped(text string, width int) (lines []string) {
	now := ""
	for word := range strings.FieldsSeq(text) {
		if now != "" && len([]rune(now))+1+len([]rune(word)) > width {
			lines = append(lines, now)
			now = ""
		}
		now = strings.TrimSpace(now + " " + word)
	}
	return append(lines, now)
}

// PrintApproval writes all that somebody is asked about one call.
func PrintApproval(w io.Writer, a client.Approval, s Show) error {
	if s.Form == "json" {
		return output.JSON(w, a)
	}
	p := &page{all: s.All}
	p.leaves(&a)
	p.named(a.ID, a.State+said(&a))
	p.named("Run", fmt.Sprintf("%s, event %d", a.Run, a.Event))
	p.named("Gate", strings.TrimSuffix(a.Gate+": "+a.Because, ": "))
	who := asked(a.Approver) + ", at " + a.Asked.Format(time.DateTime)
	if !a.Lapses.IsZero() && a.By == nil {
		who += "; lapses at " + a.Lapses.Format(time.DateTime)
	}
	p.named("Asked", who)
	p.named("Digest", a.Digest)
	p.call(&a.AskedCall)
	if a.Predicted != nil {
		p.prediction(a.Predicted)
	}
	p.before(a.Before)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// leaves writes first of all that a call is real, and what it rests on there.
func (p *page) leaves(a *client.Approval) {
	if !a.Live {
		return
	}
	service, _, _ := strings.Cut(a.Operation, " ")
	p.named("REAL WRITE", "Approved, this call leaves for the real "+service+", with the real credential. What is predicted below is the fake's guess.")
	if a.Lost > 0 {
		p.named("UNKNOWN", fmt.Sprintf("Such a call left before (#%d), and nobody knows what came of it: look at the real %s first, or it may be done twice.", a.Lost, service))
	}
	for i, r := range a.Rests {
		name := ""
		if i == 0 {
			name = "Rests on"
		}
		p.named(name, "GET "+r.At+" as it was read ("+r.Shows+")")
	}
	p.line(0, "")
}

// said is what somebody answered.
func said(a *client.Approval) string {
	text := ""
	if a.By != nil {
		text = " by " + a.By.Name + " (" + a.By.Kind + ")"
	}
	if !a.Decided.IsZero() {
		text += " at " + a.Decided.Format(time.DateTime)
	}
	if len(a.Set) > 0 {
		text += ", with " + report.Value("set", a.Set)
	}
	if a.Note != "" {
		text += ": " + a.Note
	}
	if !a.Expires.IsZero() && (a.State == client.Approved || a.State == client.Changed) {
		text += "; good until " + a.Expires.Format(time.DateTime)
	}
	return text
}

// PrintDraft writes what a captured write would have done.
func PrintDraft(w io.Writer, d client.Draft, s Show) error {
	if s.Form == "json" {
		return output.JSON(w, d)
	}
	p := &page{all: s.All}
	p.named(d.ID, "captured by "+d.By+" at "+d.At.Format(time.DateTime)+"; nothing was done")
	p.named("Run", fmt.Sprintf("%s, event %d", d.Run, d.Event))
	p.call(&d.AskedCall)
	p.prediction(&d.Predicted)
	p.before(d.Before)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// call writes the call and its arguments.
func (p *page) call(c *client.AskedCall) {
	p.line(0, "")
	p.named("Call", c.Operation+"  ("+c.Class+")")
	p.named("By", c.Identity)
	if c.Request.Account != "" {
		p.named("For", c.Request.Account)
	}
	p.fields(2, "path.", c.Request.Path)
	p.fields(2, "query.", c.Request.Query)
	if body, ok := c.Request.Body.(map[string]any); ok {
		p.fields(2, "", body)
	} else if c.Request.Body != nil {
		p.line(2, "body  "+report.Value("body", c.Request.Body))
	}
}

// fields writes the fields of an object, one a line, names in a column.
func (p *page) fields(indent int, prefix string, object map[string]any) {
	width := 0
	for name := range object {
		width = max(width, len([]rune(prefix+name)))
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		p.line(indent, fmt.Sprintf("%-*s  %s", width, report.Plain(prefix+name), report.Value(name, object[name])))
	}
}

// before writes what the agent did before.
func (p *page) before(list []client.Earlier) {
	if len(list) == 0 {
		return
	}
	p.line(0, "")
	p.line(0, "Before it, the same caller made")
	for _, e := range list {
		p.line(2, fmt.Sprintf("#%-4d %d  %s", e.Event, e.Status, report.Plain(e.Call)))
	}
}

// PrintDecided writes what somebody has said, and about what.
func PrintDecided(w io.Writer, before, after client.Approval, form string) error {
	if form == "json" {
		return output.JSON(w, after)
	}
	p := &page{}
	p.named("Call", really(&before)+before.Operation+" of "+before.Identity+arguments(&before))
	if before.Predicted != nil {
		p.named("Would", would(before.Predicted))
	}
	text := after.State + said(&after)
	if after.State == client.Escalated {
		text += ": " + asked(after.Approver) + " is asked now"
	}
	p.named(after.ID, text)
	_, err := io.WriteString(w, p.text.String())
	return err
}

func arguments(a *client.Approval) string {
	if body, ok := a.Request.Body.(map[string]any); ok && len(body) > 0 {
		return " with " + report.Value("body", body)
	}
	return ""
}

// would says in one line what a call would do.
func would(p *client.Prediction) string {
	var parts []string
	const most = 5
	for i, c := range p.Diff {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %s more", words.Count(len(p.Diff)-most, "record")))
			break
		}
		parts = append(parts, c.Op+" "+c.Record)
	}
	if len(parts) == 0 {
		parts = []string{"change no record"}
	}
	return strings.TrimSuffix(strings.Join(parts, ", ")+"; "+sends(p), "; ")
}
