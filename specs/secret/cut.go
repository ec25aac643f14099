package secret

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Messages cut what they quote: "Invalid API Key provided: sk_wrong***********f8Qz",
// "… is no number: hunter2hunt…". What is left is part of a secret all the same.

// signs are how messages show that something was left out.
var signs = [...]string{"…", "...", "***", `\u2026`}

// Bounds on how much of a secret is left where it was cut: of less nobody can
// tell what it is of, and nobody quotes more.
const (
	leastCut = 4
	mostCut  = 256
)

// a remnant is what is left of a secret around a sign of something left out.
type remnant struct {
	from, to int
	secret   string
}

// cutAt finds what is left of a secret around a sign that is at a place.
func cutAt(text string, at int, sign, secret string) (r remnant, ok bool) {
	r = remnant{at, at + len(sign), secret}
	for n := min(at, len(secret)-1, mostCut); n >= leastCut; n-- {
		if strings.HasSuffix(text[:at], secret[:n]) {
			r.from, ok = at-n, true
			break
		}
	}
	if sign != "***" {
		return r, ok
	}
	for r.to < len(text) && text[r.to] == '*' {
		r.to++
	}
	for n := min(len(text)-r.to, len(secret)-1, mostCut); n >= leastCut; n-- {
		if strings.HasPrefix(text[r.to:], secret[len(secret)-n:]) {
			r.to, ok = r.to+n, true
			break
		}
	}
	return r, ok
}

// remnants finds what is left of the secrets of the event in a text, in order.
func (m *Met) remnants(text string, record bool) (found []remnant) {
	for _, sign := range signs {
		for at := 0; ; at += len(sign) {
			next := strings.Index(text[at:], sign)
			if next < 0 {
				break
			}
			at += next
			for _, n := range m.fresh {
				if r, ok := cutAt(text, at, sign, n.secret); ok && len(n.secret) >= shortest && !(record && n.known) {
					found = append(found, r)
					break
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b remnant) int { return cmp.Compare(a.from, b.from) })
	return found
}

// cutIn tells whether part of a secret of the event is in what is about to be
// written.
func (m *Met) cutIn(data []byte) bool {
	if len(m.fresh) == 0 || !slices.ContainsFunc(signs[:], func(sign string) bool { return bytes.Contains(data, []byte(sign)) }) {
		return false
	}
	return len(m.remnants(string(data), false)) > 0
}

// hideCut puts marks in the place of what messages have left of secrets.
func (m *Met) hideCut(text string, record bool) string {
	var out strings.Builder
	done := 0
	for _, r := range m.remnants(text, record) {
		if r.from >= done {
			out.WriteString(text[done:r.from])
			out.WriteString(m.Mark("", r.secret))
			done = r.to
		}
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}
