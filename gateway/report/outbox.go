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
	JSON bool // a JSON document a line, in place of text
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

// Outbox writes what was sent, oldest first: all of it.
func Outbox(w io.Writer, sent iter.Seq[fakes.Sent], o OutboxOptions) error {
	p := newPage(o.Options)
	n := 0
	for s := range sent {
		n++
		if o.JSON {
			data, err := json.Marshal(act{s.At, s.Service, s.Kind, s.ID, append([]string{}, s.To...), s.Summary, s.Content})
			if err != nil {
				return fmt.Errorf("outbox: %w", err)
			}
			if _, err := io.WriteString(w, p.json(string(data))+"\n"); err != nil {
				return err
			}
			continue
		}
		head := fmt.Sprintf("%s  %s %s %s", s.At.Format("2006-01-02 15:04:05"), s.Service, s.Kind, s.ID)
		if len(s.To) > 0 {
			head += "  to " + strings.Join(s.To, ", ")
		}
		text := p.paint(bold(), p.plain(head)) + "\n  " + p.plain(s.Summary) + "\n"
		for _, name := range slices.Sorted(maps.Keys(s.Content)) {
			text += "    " + p.plain(name+": "+written(s.Content[name])) + "\n"
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	if n == 0 && !o.JSON {
		_, err := io.WriteString(w, "Nothing is in the outbox: no service of the run kept anything that it sent.\nparity report --surface lists the calls that cannot be undone.\n")
		return err
	}
	return nil
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
