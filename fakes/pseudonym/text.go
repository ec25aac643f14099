package pseudonym

import (
	"crypto/md5" //nolint:gosec // as avatars are named, not to keep anything
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/specs/personal"
	"parity/specs/secret"
)

// A span is what stands in the place of a part of a text.
type span struct {
	from, to int
	is       string
}

// Text puts pseudonyms into a text, in whatever way they are written in it. Before
// the book is settled it notes what there is.
func (b *Book) Text(text string) string { return b.text(text, 0) }

// deepest is how often a text may be encoded within another.
const deepest = 4

func (b *Book) text(text string, depth int) string {
	if len(text) < 2 || depth > deepest {
		return text
	}
	if is, ok := b.inner(text, depth); ok {
		return is
	}
	spans := b.encoded(text, depth)
	spans = join(spans, b.formed(text))
	if !b.settled {
		return text
	}
	spans = join(spans, b.numbers(text))
	spans = join(spans, b.hashed(text))
	spans = join(spans, b.exact.in(text))
	spans = join(spans, b.namesIn(text))
	return replaced(text, spans)
}

// join adds spans to others, where these leave room.
func join(all, more []span) []span {
	for _, s := range more {
		if !slices.ContainsFunc(all, func(o span) bool { return s.from < o.to && o.from < s.to }) {
			all = append(all, s)
		}
	}
	return all
}

func replaced(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(x, y span) int { return x.from - y.from })
	var out strings.Builder
	at := 0
	for _, s := range spans {
		out.WriteString(text[at:s.from])
		out.WriteString(s.is)
		at = s.to
	}
	out.WriteString(text[at:])
	return out.String()
}

// signs are the ways in which the sign of an address of mail is written.
var signs = []string{"@", "%40", "&#64;", "&#x40;", "&commat;", `\u0040`}

// patterns are what a text is looked through with.
var patterns = sync.OnceValue(func() (p struct{ addressee, percent, base, hex, number *regexp.Regexp }) {
	p.addressee = regexp.MustCompile(`"?([\p{L}][\p{L}\p{M} .'’-]{1,60}?)"?\s*<[^<>@\s]+@[^<>@\s]+>`)
	p.percent = regexp.MustCompile(`[^\s"'<>&=?/#;,]*%[0-9A-Fa-f]{2}[^\s"'<>&=?/#;,]*`)
	p.base = regexp.MustCompile(`[A-Za-z0-9+/_-]{12,}={0,2}`)
	p.hex = regexp.MustCompile(`\b(?:[0-9a-fA-F]{2}){8,}\b`)
	p.number = regexp.MustCompile(`\+?\(?[0-9](?:[ ().\-/\x{a0}]{0,2}[0-9]){6,}`)
	return p
})

// formed finds what is of people by its form.
func (b *Book) formed(text string) (found []span) {
	for _, s := range personal.Find(text) {
		part := text[s.From:s.To]
		if s.Kind == personal.Email {
			found = append(found, span{s.From, s.To, b.sent(part)})
			continue
		}
		b.meet(s.Kind, part)
		found = append(found, span{s.From, s.To, b.Of(s.Kind, part)})
	}
	if strings.Contains(text, "<") && !b.settled {
		for _, m := range patterns().addressee.FindAllStringSubmatch(text, -1) {
			b.meet(personal.Name, m[1])
		}
	}
	var cards []span
	secret.EachCard(text, func(from, to int) {
		if b.ids[digitsOf(text[from:to])] {
			return
		}
		b.meet(personal.Card, text[from:to])
		cards = append(cards, span{from, to, b.Of(personal.Card, text[from:to])})
	})
	return join(cards, found)
}

// sent is an address of mail whose sign may be written in any way.
func (b *Book) sent(text string) string {
	for _, sign := range signs {
		if local, domain, ok := strings.Cut(text, sign); ok {
			plain := local + "@" + domain
			b.meet(personal.Email, plain)
			return strings.Replace(b.email(plain), "@", sign, 1)
		}
	}
	return text
}

// numbers finds what is known to be a number of a phone or a card, however it is
// parted.
func (b *Book) numbers(text string) (found []span) {
	if len(b.digits) == 0 {
		return nil
	}
	for _, at := range patterns().number.FindAllStringIndex(text, -1) {
		part := text[at[0]:at[1]]
		if kind := b.numberOf(digitsOf(part)); kind != "" {
			found = append(found, span{at[0], at[1], b.Of(kind, part)})
		}
	}
	return found
}

// numberOf tells what a number is known for: with the code of its country or
// without.
func (b *Book) numberOf(digits string) personal.Kind {
	const national, most = 9, 3
	if kind, ok := b.digits[digits]; ok {
		return kind
	}
	for n := 1; n <= most && len(digits)-n >= national; n++ {
		if kind := b.digits[digits[n:]]; kind == personal.Phone {
			return kind
		}
	}
	for _, code := range []string{"1", "00", "0"} {
		if kind := b.digits[code+digits]; kind == personal.Phone && len(digits) >= national {
			return kind
		}
	}
	return ""
}

// digest notes what avatars are named by: the digest of an address.
func (b *Book) digest(email, is string) {
	email, is = fold(email), fold(is)
	x, y := md5.Sum([]byte(email)), md5.Sum([]byte(is)) //nolint:gosec // as above
	b.digests[hex.EncodeToString(x[:])] = hex.EncodeToString(y[:])
	long, other := sha256.Sum256([]byte(email)), sha256.Sum256([]byte(is))
	b.digests[hex.EncodeToString(long[:])] = hex.EncodeToString(other[:])
}

// hashed finds digests of addresses of mail.
func (b *Book) hashed(text string) (found []span) {
	const least = 32
	if len(b.digests) == 0 || len(text) < least {
		return nil
	}
	for _, at := range patterns().hex.FindAllStringIndex(text, -1) {
		if is, ok := b.digests[strings.ToLower(text[at[0]:at[1]])]; ok {
			found = append(found, span{at[0], at[1], is})
		}
	}
	return found
}
