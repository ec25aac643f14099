package secret

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
)

// Found is what looks like a real credential in a text, from a place to another.
type Found struct {
	Kind     string // in words: a live secret key of Stripe
	From, To int
}

// window is how much of a text is looked at from a place on: no real credential
// but a token or a key in PEM is longer, and those are told by how they begin.
const window = 4 << 10

// Real finds the first credential, from a place on, that a vendor seems to have
// given out for something real: one of full length, with its checksum where it has
// one, that does not say of itself that it is made up. Web tokens are real if one
// of the issuers that are named has made them. A text without any costs one look
// at each byte.
func Real[T ~string | ~[]byte](text T, from int, issuers ...string) (Found, bool) {
	for i := from; i < len(text); i++ {
		if !seldomSeen[text[i]] {
			continue
		}
		for j := range telltale[text[i]] {
			c := &telltale[text[i]][j]
			start := i - c.offset
			if start < from || text[start] != c.begins[0] || !begin(text, start, c.begins) {
				continue
			}
			before := max(0, start-longestEscape)
			near := string(text[before:min(len(text), start+window)])
			if to, kind := c.real(near, start-before, issuers); to > 0 {
				return Found{Kind: kind, From: start, To: before + to}, true
			}
		}
	}
	return Found{}, false
}

// begin tells whether a text goes on with another from a place on.
func begin[T ~string | ~[]byte](text T, at int, with string) bool {
	if len(text)-at < len(with) {
		return false
	}
	for i := range len(with) {
		if text[at+i] != with[i] {
			return false
		}
	}
	return true
}

// longestEscape is what may stand before the first letter of a credential, and
// end in one.
const longestEscape = 6

// A candidate is what may have begun so many bytes before a byte that texts seldom
// have.
type candidate struct {
	form
	offset int
}

// special are the beginnings of what formAt knows without a list.
const (
	armour  = "-----BEGIN "
	encoded = "eyJ"
)

// telltale are what real credentials are looked for by: the rarest byte of how
// each begins.
var telltale = func() (of [256][]candidate) {
	add := func(f form) {
		at := rarest(f.begins)
		of[f.begins[at]] = append(of[f.begins[at]], candidate{f, at})
	}
	for _, list := range forms {
		for _, f := range list {
			if f.whole != nil {
				add(f)
			}
		}
	}
	add(form{begins: armour})
	add(form{begins: encoded})
	return of
}()

// seldomSeen tells the bytes of which there is one in telltale: most are not.
var seldomSeen = func() (of [256]bool) {
	for b := range telltale {
		of[b] = len(telltale[b]) > 0
	}
	return of
}()

// real tells where a real one ends that begins at a place; 0: there is none.
func (c *candidate) real(s string, at int, issuers []string) (to int, kind string) {
	if at > 0 && word(s[at-1]) && !escaped(s, at) {
		return 0, ""
	}
	switch c.begins {
	case armour:
		if from, to, ok := privateKey(s, at); ok && armoured(s[from:to]) {
			return to, "a private key"
		}
	case encoded:
		if _, to, ok := webToken(s, at); ok && len(issuers) > 0 && slices.Contains(issuers, issuer(s[at:to])) {
			return to, "a token of an issuer that counts as real"
		}
	default:
		from := at + len(c.begins)
		to = from + len(strings.TrimRight(s[from:from+run(s[from:], c.also)], ".")) // it may end a sentence
		if c.whole(s[from:to]) {
			return to, c.kind
		}
	}
	return 0, ""
}

// leastArmoured is how much a private key has, at least: one of Ed25519 has 64
// characters.
const leastArmoured = 60

// armoured tells whether the body of a private key is that of one: enough of it,
// and not the same over and over.
func armoured(body string) bool {
	n, seen := 0, map[byte]bool{}
	for i := 0; i < len(body); i++ {
		if b := body[i]; b != '_' && (word(b) || b == '+' || b == '/') {
			n++
			seen[b] = true
		}
	}
	const varied = 16
	return n >= leastArmoured && len(seen) >= varied
}

// issuer is who has made a web token (RFC 7519, 4.1.1); "" where it does not say.
func issuer(token string) string {
	_, rest, _ := strings.Cut(token, ".")
	claims, _, _ := strings.Cut(rest, ".")
	data, err := base64.RawURLEncoding.DecodeString(claims)
	if err != nil {
		return ""
	}
	var said struct {
		Issuer string `json:"iss"`
	}
	if json.Unmarshal(data, &said) != nil {
		return ""
	}
	return said.Issuer
}
