package live

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// shapesOf are the ways in which a credential may stand in a text, besides those
// that loosen undoes, in lower case and the longest first. Base64 writes it in
// three ways, by what stands before it; what it shares with its neighbours is left
// out.
func shapesOf(text string) (all []string) {
	user, password, two := strings.Cut(text, ":")
	for _, secret := range []string{text, password} {
		if secret == password && (!two || len(password) < shortest || user == "") {
			continue
		}
		all = append(all, secret, url.QueryEscape(secret), hex.EncodeToString([]byte(secret)))
		for before, shared := range []int{0, 2, 3} {
			whole := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + secret))
			own := whole[shared : (before+len(secret))*4/3]
			all = append(all, own, strings.NewReplacer("+", "-", "/", "_").Replace(own))
		}
	}
	for i := range all {
		all[i] = strings.ToLower(all[i])
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(all)
}

// mostLevels is how often a text is loosened.
const mostLevels = 3

// Hide takes it out of a text, however it is written there.
func (s Secret) Hide(text string) string {
	if s.shapes == nil {
		return text
	}
	var found []span
	l := loose{text: lower(text)}
	for level := 0; ; level++ {
		for _, shape := range s.shapes() {
			for from := 0; ; {
				at := strings.Index(l.text[from:], shape)
				if at < 0 {
					break
				}
				found = append(found, span{l.origin(from + at), l.origin(from + at + len(shape))})
				from += at + len(shape)
			}
		}
		next, changed := l.loosen()
		if !changed || level == mostLevels {
			return cut(text, found)
		}
		l = next
	}
}

// Shows tells whether it stands in a text.
func (s Secret) Shows(text string) bool { return s.Set() && s.Hide(text) != text }

// A span is a part of a text.
type span struct{ from, to int }

// cut puts what hides a credential in the place of parts of a text.
func cut(text string, parts []span) string {
	if len(parts) == 0 {
		return text
	}
	slices.SortFunc(parts, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	at := 0
	for _, p := range parts {
		if p.from >= at {
			out.WriteString(text[at:p.from] + hidden)
		}
		at = max(at, p.to)
	}
	return out.String() + text[at:]
}

// lower is a text with its ASCII letters in lower case, and as long.
func lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

// A loose text is one of which some of what it is written in was undone, in lower
// case, and where each of its bytes comes from; at is nil where nothing was.
type loose struct {
	text string
	at   []int32
}

func (l loose) origin(i int) int {
	if l.at == nil {
		return i
	}
	return int(l.at[i])
}

// loosen undoes percent-encoding, and the escapes of JSON and HTML, and leaves out
// line breaks and zeros.
func (l loose) loosen() (next loose, changed bool) {
	if !strings.ContainsAny(l.text, "%\\&\r\n\x00") {
		return l, false
	}
	out := make([]byte, 0, len(l.text))
	next.at = make([]int32, 0, len(l.text)+1)
	for i := 0; i < len(l.text); {
		c, width, kept := undo(l.text[i:])
		if kept {
			out, next.at = append(out, c), append(next.at, int32(l.origin(i))) //nolint:gosec // a reply is bounded
		}
		changed = changed || width > 1 || !kept
		i += width
	}
	next.at = append(next.at, int32(l.origin(len(l.text)))) //nolint:gosec // the same
	next.text = lower(string(out))
	return next, changed
}

// undo gives the character that a text begins with, and in how many bytes it is
// written; not kept: none.
func undo(s string) (c byte, width int, kept bool) {
	coded := func(digits string, base, width int) (byte, int, bool) {
		if n, err := strconv.ParseUint(digits, base, 16); err == nil && n > 0 && n < 0x80 {
			return byte(n), width, n != '\r' && n != '\n'
		}
		return s[0], 1, true
	}
	switch {
	case s[0] == '\r' || s[0] == '\n' || s[0] == 0:
		return 0, 1, false
	case s[0] == '%' && len(s) > 2:
		return coded(s[1:3], 16, 3)
	case s[0] == '&' && len(s) > 3 && s[1] == '#':
		digits, _, _ := strings.Cut(s[2:min(len(s), 10)], ";")
		if strings.HasPrefix(digits, "x") {
			return coded(digits[1:], 16, len(digits)+3)
		}
		return coded(digits, 10, len(digits)+3)
	case s[0] != '\\' || len(s) < 2:
	case s[1] == 'u' && len(s) > 5:
		return coded(s[2:6], 16, 6)
	case s[1] == 'x' && len(s) > 3:
		return coded(s[2:4], 16, 4)
	case s[1] == 'n' || s[1] == 'r':
		return 0, 2, false
	case s[1] == '/' || s[1] == '"' || s[1] == '\\':
		return s[1], 2, true
	}
	return s[0], 1, true
}
