package report

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"parity/fakes"
)

// OutboxOptions say how an outbox is shown.
type OutboxOptions struct {
	Options
	JSON    bool     // a JSON document a line, in place of text
	Besides []string // calls that cannot be undone and sent nobody anything
}

// act is one line of an outbox as JSON.
type act struct {
	At      time.Time      `json:"at"`
	Service string         `json:"service"`
	Kind    string         `json:"kind"`
	ID      string         `json:"id"`
	To      []string       `json:"to"`
	Summary string         `json:"summary"`
	Content map[string]any `json:"content"`
}

// mostActs is how many acts are shown with all of their content without being
// asked for it.
const mostActs = 10

// Outbox writes what was sent, oldest first: a count by kind, and then each act;
// of many, what each was about, unless all is asked for. JSON has all.
func Outbox(w io.Writer, sent iter.Seq[fakes.Sent], o OutboxOptions) error {
	p := newPage(o.Options)
	all := slices.Collect(sent)
	if o.JSON {
		for _, s := range all {
			data, err := json.Marshal(act{s.At, s.Service, s.Kind, s.ID, append([]string{}, s.To...), s.Summary, s.Content})
			if err != nil {
				return fmt.Errorf("outbox: %w", err)
			}
			p.out.WriteString(p.json(string(data)) + "\n")
		}
		_, err := io.WriteString(w, p.out.String())
		return err
	}
	whole := o.Verbose || len(all) <= mostActs
	p.sent(all, whole)
	switch {
	case len(all) == 0 && len(o.Besides) == 0:
		p.text(0, "Nothing was sent that cannot be taken back.")
	case len(all) == 0:
		p.text(0, "Nothing was sent to anybody.")
	case !whole:
		p.text(0, "-v shows each exactly as it was sent, and so does -o json.")
	}
	if len(o.Besides) > 0 {
		p.text(0, "Nor can be undone, though nothing left by it: "+strings.Join(o.Besides, ", "))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// sent writes acts, whole or what each was about.
func (p *page) sent(all []fakes.Sent, whole bool) {
	counts := map[string]int{}
	for _, s := range all {
		counts[s.Service+" "+s.Kind]++
	}
	if len(counts) > 0 {
		p.text(0, "Sent: "+tallied(counts))
	}
	for _, s := range all {
		head := fmt.Sprintf("%s  %s %s %s", s.At.Format("2006-01-02 15:04:05"), s.Service, s.Kind, s.ID)
		if len(s.To) > 0 {
			head += "  to " + strings.Join(s.To, ", ")
		}
		p.out.WriteString(p.paint(bold(), p.plain(head)) + "\n  " + p.plain(s.Summary) + "\n")
		for _, name := range slices.Sorted(maps.Keys(s.Content)) {
			if whole {
				p.out.WriteString("    " + p.plain(name+": "+written(s.Content[name])) + "\n")
			}
		}
	}
}

// written is a value as it is shown on a line.
func written(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // mail is HTML, and is read here
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
