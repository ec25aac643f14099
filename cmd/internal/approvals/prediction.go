package approvals

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"parity/gateway/client"
	"parity/gateway/report"
	"parity/specs/words"
)

// mostFields is how many fields of a record that is new or gone are shown.
const mostFields = 8

// prediction writes what a call would do, record by record.
func (p *page) prediction(d *client.Prediction) {
	p.line(0, "")
	p.line(0, fmt.Sprintf("It would be answered %d (%s)", d.Status, d.Fidelity))
	for i := range d.Diff {
		p.change(&d.Diff[i])
	}
	if len(d.Diff) == 0 {
		p.line(2, "and change no record")
	}
	p.named("Sends", sends(d))
	p.named("Differs", differs(d.Differences))
	for _, s := range d.Signals {
		p.named("Note", s.Kind+": "+s.Text)
	}
}

// differs names the known differences that cover a call.
func differs(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "from the real service as " + strings.Join(names, ", ") + " (parity explain has each)"
}

// sends says what would leave.
func sends(d *client.Prediction) string {
	var parts []string
	if d.Outbox > 0 {
		parts = append(parts, words.Count(d.Outbox, "message"))
	}
	if d.Webhooks > 0 {
		parts = append(parts, words.Count(d.Webhooks, "webhook"))
	}
	return strings.Join(parts, ", ")
}

// change writes what would become of one record: + it is new, ~ it is changed,
// - it is gone.
func (p *page) change(c *client.Change) {
	switch c.Op {
	case "create":
		p.line(2, "+ "+report.Plain(c.Record))
		p.some(c.After)
	case "delete":
		p.line(2, "- "+report.Plain(c.Record))
		p.some(c.Before)
	default:
		p.line(2, "~ "+report.Plain(c.Record))
		p.updated(c.Fields)
	}
}

// updated writes fields that are changed: before → after. Where both are objects
// it writes what in them differs.
func (p *page) updated(fields map[string][2]any) {
	const indent = 6
	flat := map[string][2]any{}
	for name, pair := range fields {
		apart(flat, name, pair[0], pair[1])
	}
	width := 0
	for name := range flat {
		width = max(width, len([]rune(name)))
	}
	room := max(12, (wide-indent-width-5)/2)
	for _, name := range slices.Sorted(maps.Keys(flat)) {
		was, is := report.Value(name, flat[name][0]), report.Value(name, flat[name][1])
		if !p.all {
			was, is = clipped(was, room), clipped(is, room)
		}
		p.line(indent, fmt.Sprintf("%-*s  %s → %s", width, report.Plain(name), was, is))
	}
}

// apart notes where two values differ, by their fields where both have some.
func apart(flat map[string][2]any, name string, was, is any) {
	a, one := was.(map[string]any)
	b, other := is.(map[string]any)
	if !one || !other {
		flat[name] = [2]any{was, is}
		return
	}
	for key := range a {
		if !same(a[key], b[key]) {
			apart(flat, name+"."+key, a[key], b[key])
		}
	}
	for key := range b {
		if _, there := a[key]; !there {
			apart(flat, name+"."+key, nil, b[key])
		}
	}
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// some writes the fields of a record that say something, and how many more it has.
func (p *page) some(record map[string]any) {
	shown := map[string]any{}
	for name, value := range record {
		if !empty(value) || p.all {
			shown[name] = value
		}
	}
	more := 0
	if !p.all && len(shown) > mostFields {
		names := slices.Sorted(maps.Keys(shown))
		for _, name := range quiet(names, shown)[mostFields:] {
			delete(shown, name)
			more++
		}
	}
	p.fields(6, "", shown)
	if more > 0 {
		p.line(6, fmt.Sprintf("and %s more, which -v shows", words.Count(more, "field")))
	}
}

// quiet puts short values before objects and lists, which say less in one line.
func quiet(names []string, record map[string]any) []string {
	slices.SortStableFunc(names, func(a, b string) int {
		return nested(record[a]) - nested(record[b])
	})
	return names
}

func nested(v any) int {
	switch v.(type) {
	case map[string]any, []any:
		return 1
	}
	return 0
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

func clipped(text string, width int) string {
	r := []rune(text)
	if len(r) <= width {
		return text
	}
	return string(r[:width-1]) + "…"
}
