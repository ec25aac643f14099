package pseudonym

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"parity/specs/body"
	"parity/specs/personal"
)

// inner has a text that is a whole value in another form be seen in that: JSON
// within a text, base64 with its lines, and text with the escapes of HTML or JSON.
func (b *Book) inner(text string, depth int) (string, bool) {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		if value, wrong := body.DecodeJSON([]byte(trimmed)); wrong == nil {
			before := string(Encode(value))
			after := string(Encode(b.value("", "", value, depth+1)))
			if before == after {
				return text, true
			}
			return after, true
		}
	}
	if plain, encoding, ok := based(text); ok {
		return again(text, plain, b.text(plain, depth+1), encoding), true
	}
	if plain := unescaped(text); plain != text {
		is := b.text(plain, depth+1)
		if is == plain {
			return text, true
		}
		return strings.NewReplacer(markup[1], markup[0], markup[3], markup[2], markup[5], markup[4]).Replace(is), true
	}
	return "", false
}

// encoded finds parts of a text that are texts in another form.
func (b *Book) encoded(text string, depth int) (found []span) {
	if strings.Contains(text, "%") {
		for _, at := range patterns().percent.FindAllStringIndex(text, -1) {
			if is, ok := b.percent(text[at[0]:at[1]], depth); ok {
				found = append(found, span{at[0], at[1], is})
			}
		}
	}
	for _, at := range patterns().hex.FindAllStringIndex(text, -1) {
		plain, err := hex.DecodeString(text[at[0]:at[1]])
		if err != nil || !readable(string(plain)) {
			continue
		}
		if is := b.text(string(plain), depth+1); is != string(plain) {
			found = append(found, span{at[0], at[1], hex.EncodeToString([]byte(is))})
		}
	}
	for _, at := range patterns().base.FindAllStringIndex(text, -1) {
		if s, ok := b.packed(text[at[0]:at[1]], depth); ok {
			found = append(found, span{at[0] + s.from, at[0] + s.to, s.is})
		}
	}
	return found
}

// packed finds a text in what may be base64, at whichever of its letters it begins:
// of what is no text it is what has something of people in it.
func (b *Book) packed(text string, depth int) (span, bool) {
	digits := strings.TrimRight(text, "=")
	alike := strings.NewReplacer("-", "+", "_", "/").Replace(digits)
	encoding := base64.RawStdEncoding
	if alike != digits {
		encoding = base64.RawURLEncoding
	}
	for from := range 4 {
		part := alike[from:]
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		data, err := base64.RawStdEncoding.DecodeString(part)
		if err != nil || !(from == 0 && readable(string(data))) && !b.holds(string(data)) {
			continue
		}
		is := b.text(string(data), depth+1)
		if is == string(data) {
			continue
		}
		s := span{from, from + len(part), encoding.EncodeToString([]byte(is))}
		if padded := len(text) > len(digits); padded && s.to == len(digits) {
			s.to = len(text)
			s.is += strings.Repeat("=", (4-len(s.is)%4)%4)
		}
		return s, true
	}
	return span{}, false
}

// holds tells whether what is no text has something of people in it.
func (b *Book) holds(data string) bool {
	for _, s := range personal.Find(data) {
		if s.Kind == personal.Email {
			return true
		}
	}
	return len(b.exact.in(data)) > 0
}

// percent gives a part of an address. A plus in it is a space, or itself where an
// address of mail may have one.
func (b *Book) percent(text string, depth int) (string, bool) {
	plus := " "
	if strings.Contains(text, "%40") {
		plus = "\x00"
	}
	plain, err := url.PathUnescape(strings.ReplaceAll(text, "+", plus))
	if err != nil || !utf8.ValidString(plain) {
		return "", false
	}
	is := b.text(plain, depth+1)
	if is == plain {
		return "", false
	}
	if strings.Contains(text, "+") {
		is = strings.ReplaceAll(is, " ", "\x00")
	}
	return escaped(is, text), true
}

// escaped writes a text percent-encoded, but for the signs that another one has as
// they are.
func escaped(text, as string) string {
	var out strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case c == 0:
			out.WriteByte('+')
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~", c) >= 0, c != '%' && c != '+' && strings.IndexByte(as, c) >= 0:
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}

// based gives what a text stands for in base64, where that is readable.
func based(text string) (plain string, encoding *base64.Encoding, ok bool) {
	const least = 12
	packed := text
	if strings.ContainsAny(text, "\n\r") {
		packed = strings.NewReplacer("\n", "", "\r", "").Replace(text)
	}
	if len(packed) < least || strings.ContainsAny(packed, " .,:;@") {
		return "", nil, false
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if data, err := encoding.DecodeString(packed); err == nil && readable(string(data)) {
			return string(data), encoding, true
		}
	}
	return "", nil, false
}

// again writes a text in base64 as it was, with lines as long as they were.
func again(was, plain, is string, encoding *base64.Encoding) string {
	if is == plain {
		return was
	}
	packed := encoding.EncodeToString([]byte(is))
	width := strings.IndexByte(was, '\n')
	if width <= 0 {
		return packed
	}
	var out strings.Builder
	for len(packed) > width {
		out.WriteString(packed[:width] + "\n")
		packed = packed[width:]
	}
	out.WriteString(packed)
	if strings.HasSuffix(was, "\n") {
		out.WriteByte('\n')
	}
	return out.String()
}

// readable tells what people or programs have written as text.
func readable(text string) bool {
	if !utf8.ValidString(text) || text == "" {
		return false
	}
	for _, c := range text {
		if !unicode.IsPrint(c) && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return true
}

// markup are signs of HTML whose escapes have to stay, each with what stands for it
// meanwhile.
var markup = []string{"&lt;", "\ue000", "&gt;", "\ue001", "&amp;", "\ue002"}

var escapes = sync.OnceValue(func() (e struct{ entity, unicode *regexp.Regexp }) {
	e.entity = regexp.MustCompile(`&(?:[A-Za-z]{2,8}|#[0-9]{2,5}|#x[0-9A-Fa-f]{2,4});`)
	e.unicode = regexp.MustCompile(`\\u[0-9A-Fa-f]{4}`)
	return e
})

// unescaped gives a text without the escapes of HTML and of JSON in it.
func unescaped(text string) string {
	if strings.Contains(text, "&") && escapes().entity.MatchString(text) {
		kept := strings.NewReplacer(markup...).Replace(text)
		if plain := html.UnescapeString(kept); plain != kept {
			text = plain
		}
	}
	if strings.Contains(text, `\u`) {
		text = escapes().unicode.ReplaceAllStringFunc(text, func(found string) string {
			n, err := strconv.ParseUint(found[2:], 16, 32)
			if c := rune(n); err == nil && c > ' ' && c != '"' && c != '\\' && utf8.ValidRune(c) {
				return string(c)
			}
			return found
		})
	}
	return text
}
