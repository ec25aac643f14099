// Package secret tells what looks like a secret, and puts a mark in its place:
// one list for the journal, reports, traces, fixtures, recordings, for what is
// refused, and for what is scanned for.
//
//	by name, at any depth   dbPassword: hunter2            ─▶ dbPassword: (redacted-3f9a)
//	by form, anywhere       {"note":"use sk_live_51H…"}    ─▶ {"note":"use sk_live_(redacted-x0Qd)"}
//	by value, once met      a reply that says it again     ─▶ the same mark
//	Real                    one of full form, no test key  ─▶ refused, and scanned for
//
// A mark made by Marks is the same for the same secret in one run, so that equal
// ones can still be told, and says nothing else of it.
package secret

import (
	"bytes"
	"slices"
	"strings"
)

// Redacted stands where a secret was that nothing need be told of.
const Redacted = "(redacted)"

// Opening is how every mark begins, with a digest in it or without.
const Opening = "(redacted"

// Marked tells whether a mark stands in a text.
func Marked(text string) bool { return strings.Contains(text, Opening) }

// Plain gives a text with marks that tell nothing apart.
func Plain(text string) string {
	if !strings.Contains(text, Opening+"-") {
		return text
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, Opening+"-")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		_, text, _ = strings.Cut(after, ")")
		out.WriteString(Redacted)
	}
}

// Hide gives what stands in the place of a secret; name is what it was found
// under, or "".
type Hide func(name, secret string) string

// Marks makes marks of digests, such as (redacted-3f9a). The digest should be
// keyed, and short: of a short secret a long one would tell all.
func Marks(digest func(secret string) string) Hide {
	return func(_, secret string) string { return Opening + "-" + digest(secret) + ")" }
}

// Stars stand for a secret of a command line or a log.
func Stars(_, _ string) string { return "***" }

// List is what names of fields are secrets besides those that are known in any
// case. Its zero value is ready.
type List struct {
	more map[string]bool // normalised
}

// NewList adds names, in whatever case and style.
func NewList(names ...string) *List {
	l := &List{}
	for _, name := range names {
		if l.more == nil {
			l.more = map[string]bool{}
		}
		l.more[string(normal(nil, name))] = true
	}
	return l
}

// Nameable tells whether a name can be told from others once its case and style
// are gone.
func Nameable(name string) bool {
	n := len(normal(nil, name))
	return n >= least && n <= longest && len(name) <= longest
}

// least is how many letters and digits a name has that is looked at.
const least = 2

// longest is the longest name that is looked at: of a longer one its end is.
const longest = 64

// Name tells whether what is so named is a secret: db_password, dbPassword and
// DB-PASSWORD alike.
func (l *List) Name(name string) bool { return l.kind(name) == always }

// Shortest is the least length of a credential that is looked for elsewhere than
// where it was shown: Bearer and Basic are none.
const Shortest = 8

// Follows tells whether a part of a path is a secret by the part before it:
// /token/abc.
func (l *List) Follows(parts []string, i int) bool {
	return i > 0 && len(parts[i]) >= Shortest && (l.Name(parts[i-1]) || l.Name(strings.TrimSuffix(parts[i-1], "s")))
}

// Holds tells whether a text under that name is a secret, which some names leave
// open: a signature may be a code, or end a letter.
func (l *List) Holds(name, text string) bool {
	switch l.kind(name) {
	case always:
		return !Public(text)
	case maybe:
		return likely(text)
	}
	return false
}

// kind is what a name says of its value.
type kind int

const (
	never  kind = iota
	maybe       // a secret, if it looks like one
	always      // a secret, whatever it looks like
)

func (l *List) kind(name string) kind {
	var room [longest]byte
	n := normal(room[:0], name)
	switch {
	case len(n) < least:
		return never
	case l != nil && l.more[string(n)], known(n), numbered(n):
		return always
	case endsIn(&open, n):
		return maybe
	}
	return never
}

// likely tells whether a text could be a code that nobody can guess: words have
// no digits, and what people write has spaces.
func likely(text string) bool {
	return len(text) >= shortest && run(text, ".~+/=%|") == len(text) && strings.ContainsAny(text, "0123456789") && !Public(text)
}

// Public tells what has the name of a secret and is none: a card's token names
// it once, and a session of Stripe's checkout has an id like all its records.
func Public(text string) bool {
	for _, begins := range []string{"tok_", "btok_", "cs_test_", "cs_live_"} {
		if strings.HasPrefix(text, begins) {
			return true
		}
	}
	return false
}

// normal writes a name without its style.
func normal(to []byte, name string) []byte {
	if len(name) > longest {
		name = name[len(name)-longest:]
	}
	for _, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			to = append(to, byte(c)|0x20)
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			to = append(to, byte(c))
		case c == 'ſ': // what folds to ASCII
			to = append(to, 's')
		case c == '\u212a':
			to = append(to, 'k')
		}
	}
	return to
}

// telling are what the names of secrets end in; those with an = are whole names.
// Words of the field's own, gathered from OAuth 2 (RFC 6749, 7009, 8693), the
// contracts that ship, and the rules of gitleaks and detect-secrets.
var telling = byLast(
	"secret", "secretvalue", "secretkeybase", "password", "passwordconfirmation", "passwd", "passphrase", "passcode", "pwd", "=pass", "=pw",
	"passwords", "passwordhash", "smtppass", "userpass", "dbpass", "adminpass", "connectionstring", "hmackey", "tokenvalue", "apikeys",
	"apikey", "accesskey", "privatekey", "secretkey", "signingkey", "encryptionkey", "masterkey", "sharedkey", "authkey", "accountkey", "hapikey",
	"credential", "credentials", "authorization", "token", "=jwt", "=bearer", "clientassertion", "codeverifier",
	"secretstring", "secretbinary", "mnemonic", "seedphrase", "contrasea", "contrasena", "=csrf", "=xsrf", "secrets", "=cookie", "=cookies", "setcookie", "=otp", "=totp", "=cvc", "=cvv", "=cvv2", "cardcvc", "cardcvv", "securitycode", "cardnumber", "ccnumber", "creditcard",
)

// open are the ends of names whose values may be secrets, or counts, or words.
var open = byLast("tokens", "=signature", "=sig", "amzsignature", "googsignature", "accesssignature", "sessionid", "sessid", "=sessionkey")

// harmless are the ends of names that end in token, and are places in lists,
// keys against doing a thing twice, and the like.
var harmless = byLast(
	"pagetoken", "nexttoken", "prevtoken", "previoustoken", "synctoken", "continuationtoken", "continuetoken", "paginationtoken", "starttoken", "cursortoken", "clienttoken",
	"requesttoken", "clientrequesttoken", "idempotencytoken", "cancellationtoken", "canceltoken", "resumetoken", "deltatoken", "skiptoken", "scrolltoken",
	"eostoken", "bostoken", "padtoken", "stoptoken", "changetoken", "movetoken", "uploadtoken", "maxtoken", "pertoken", "nontoken",
)

func byLast(names ...string) (table [256][]string) {
	for _, name := range names {
		last := name[len(name)-1]
		table[last] = append(table[last], name)
	}
	return table
}

// known tells whether a normalised name is one of a secret.
func known(n []byte) bool { return endsIn(&telling, n) && !endsIn(&harmless, n) }

// numbered tells whether a name is that of a secret among several: password_1.
func numbered(n []byte) bool {
	root := bytes.TrimRight(n, "0123456789")
	return len(root) < len(n) && len(root) >= least && known(root)
}

func endsIn(table *[256][]string, n []byte) bool {
	return slices.ContainsFunc(table[n[len(n)-1]], func(end string) bool {
		if end[0] == '=' {
			return string(n) == end[1:]
		}
		return len(n) >= len(end) && string(n[len(n)-len(end):]) == end
	})
}
