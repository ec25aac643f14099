package kit

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// An Authorization is what the header of that name says: a scheme, and all that
// follows it. Both are "" where there is none.
// Source: RFC 9110, 11.4.
type Authorization struct{ Scheme, Rest string }

// AuthorizationOf reads the header.
func AuthorizationOf(h http.Header) Authorization {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(h.Get("Authorization")), " ")
	return Authorization{scheme, strings.TrimSpace(rest)}
}

// Is tells whether the scheme is one of those named; upper and lower case are
// the same.
func (a Authorization) Is(schemes ...string) bool {
	for _, scheme := range schemes {
		if strings.EqualFold(a.Scheme, scheme) {
			return true
		}
	}
	return false
}

// Basic gives the user name and password of Basic; ok is false where it is
// another scheme, or no pair. A colon and a password need not be there.
// Source: RFC 7617.
func (a Authorization) Basic() (user, password string, ok bool) {
	pair, err := base64.StdEncoding.DecodeString(a.Rest)
	if err != nil || !a.Is("Basic") {
		return "", "", false
	}
	user, password, _ = strings.Cut(string(pair), ":")
	return user, password, true
}

// Wordlike tells a text that is made of letters, digits and some marks, and is
// not empty, as tokens are.
func Wordlike(text, marks string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune(marks, r)
	})
}

// Prefixed tells a token that is one of the prefixes and something wordlike.
func Prefixed(token, marks string, prefixes ...string) bool {
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(token, prefix); ok {
			return Wordlike(rest, marks)
		}
	}
	return false
}
