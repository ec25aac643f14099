package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"parity/specs/secret"
)

// masked stands for a secret.
const masked = "***"

// masker hides what looks like a secret, by the list that the journal goes by:
// what a service issued is in the journal, and in no report.
type masker struct{ list *secret.List }

func newMasker() *masker { return &masker{} }

// Masked is a text without what looks like a secret in it.
func Masked(text string) string { return newMasker().mask(text) }

// Plain is a text in one line as a terminal may show it: without what looks like a
// secret, and without what would steer it.
func Plain(text string) string { return newMasker().plain(text) }

// Value is the value of a field as a terminal may show it, as JSON in one line.
func Value(field string, v any) string {
	m := newMasker()
	text, err := json.Marshal(m.at(field, v))
	if err != nil {
		return "?" // what was read as JSON is written as it
	}
	return m.plain(plainJSON(text))
}

// plainJSON writes <, > and & as people write them.
func plainJSON(text []byte) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(text))
}

func stars(_, _ string) string { return masked }

// mask hides secrets in text, which may be JSON: what was JSON still is.
func (m *masker) mask(s string) string {
	return secret.Cards(m.list.Text(s, stars), true)
}

// json hides secrets in a JSON document that a terminal may show.
func (m *masker) json(s string) string { return escaped(m.mask(s)) }

// steers tells what would move a terminal's cursor, colour what follows, or turn
// it round: controls of C0 and C1, DEL, and those of writing direction.
func steers(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// escaped writes a JSON document with escapes for what would steer a terminal;
// the ends of its lines stay.
func escaped(document string) string {
	var out strings.Builder
	done := 0
	for i, r := range document {
		if r < 0x7f || !steers(r) {
			continue
		}
		out.WriteString(document[done:i])
		fmt.Fprintf(&out, `\u%04x`, r)
		done = i + utf8.RuneLen(r)
	}
	if done == 0 {
		return document
	}
	out.WriteString(document[done:])
	return out.String()
}

// command hides secrets among arguments, those too that only the flag before
// them gives away.
func (m *masker) command(args []string) []string { return m.list.Command(args, stars) }

// at hides a value, or what is in it, that stands at a JSON pointer.
func (m *masker) at(pointer string, v any) any {
	for name := range strings.SplitSeq(pointer, "/") {
		if m.list.Name(name) {
			return m.list.Value(map[string]any{name: v}, stars).(map[string]any)[name]
		}
	}
	return m.list.Value(v, stars)
}

// plain hides secrets and leaves out what would move a cursor or hide text.
func (m *masker) plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case steers(r):
			return -1
		}
		return r
	}, m.mask(s))
}
