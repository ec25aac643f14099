package exchange

import (
	"bytes"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parity/faults/trail"
	"parity/profiles"
	"parity/specs/secret"
)

// codeLiveSecret is the code of a call that shows a real credential.
const codeLiveSecret = "live-secret"

// revealed refuses a call that shows a real credential, before anything of it is
// kept: a rehearsal needs none, and what is written down once is hard to take
// back. What the profile itself presents is let through.
//
//	header · path · query · body ─▶ secret.Real ─▶ 403 live-secret, and the rest is forgotten
func (x *Exchange) revealed() bool {
	if !x.served() {
		return false // it goes nowhere
	}
	found, place, ok := x.shownLive()
	if !ok {
		return false
	}
	x.forget()
	x.entry.Policy = &trail.Policy{}
	x.forbid(codeLiveSecret, "What looks like a real credential ("+found.Kind+") stands in "+place+". Parity refused the call, did nothing and kept nothing of it. Revoke that credential at its vendor, and use a test key here.")
	x.path, x.forbidden = x.entry.Path, false // of a call that is forgotten nobody can tell which intent it was
	return true
}

// shownOwn looks for a credential that Parity itself reaches a real service with:
// it is real, whatever it looks like.
func (x *Exchange) shownOwn() (place string, ok bool) {
	for _, to := range x.rev.real {
		if !to.Key.Set() {
			continue
		}
		for name, values := range x.r.Header {
			for _, value := range values {
				if to.Key.Shows(name) || to.Key.Shows(value) {
					return "a header", true
				}
			}
		}
		switch {
		case to.Key.Shows(x.path):
			return "the path", true
		case to.Key.Shows(x.r.URL.RawQuery):
			return "the query", true
		case len(x.body) > 0 && to.Key.Shows(string(x.body)):
			return "the body", true
		}
	}
	return "", false
}

func (x *Exchange) showsOwn(values []string) bool {
	for _, to := range x.rev.real {
		if slices.ContainsFunc(values, to.Key.Shows) {
			return true
		}
	}
	return false
}

// shownLive looks for a real credential where a client may have put one.
func (x *Exchange) shownLive() (found secret.Found, place string, ok bool) {
	if place, ok = x.shownOwn(); ok {
		return secret.Found{Kind: "that of a real service"}, place, true
	}
	for name, values := range x.r.Header {
		for _, value := range values {
			if found, ok = x.live(value); !ok {
				found, ok = x.live(basic(value))
			}
			if ok {
				if len(name) > longestName {
					return found, "a header", true
				}
				return found, "the header " + name, true
			}
		}
	}
	if found, ok = x.live(x.path); !ok && strings.Contains(x.path, "%") {
		if plain, err := url.PathUnescape(x.path); err == nil {
			found, ok = x.live(plain)
		}
	}
	if ok {
		return found, "the path", true
	}
	if found, ok = x.liveIn(x.r.URL.RawQuery); ok {
		return found, "the query", true
	}
	found, ok = x.liveInBody()
	return found, "the body", ok
}

// longestName is how long the name of a header is at most that is told.
const longestName = 64

// live finds a real credential in a text, but for those that the profile presents.
func (x *Exchange) live(text string) (secret.Found, bool) { return liveFound(x, text) }

func liveFound[T string | []byte](x *Exchange, text T) (secret.Found, bool) {
	for from := 0; ; {
		found, ok := secret.Real(text, from, x.rev.Profile.Issuers...)
		if !ok {
			return found, false
		}
		if _, presented := x.rev.named[profiles.CredentialDigest(string(text[found.From:found.To]))]; !presented {
			return found, true
		}
		from = found.To
	}
}

// liveIn looks through a query or a form, as it came and as it is read.
func (x *Exchange) liveIn(pairs string) (found secret.Found, ok bool) {
	if found, ok = x.live(pairs); ok || !strings.ContainsAny(pairs, "%+") {
		return found, ok
	}
	for pair := range strings.SplitSeq(pairs, "&") {
		if plain, err := url.QueryUnescape(pair); err == nil && plain != pair {
			if found, ok = x.live(plain); ok {
				return found, true
			}
		}
	}
	return found, false
}

// liveInBody looks through the body, as it came and as it is read: of JSON, what
// some encoders escape may be part of a key.
func (x *Exchange) liveInBody() (found secret.Found, ok bool) {
	if found, ok = liveFound(x, x.body); ok {
		return found, true
	}
	if bytes.Contains(x.body, []byte(`\u00`)) {
		if found, ok = x.live(unescaped(string(x.body))); ok {
			return found, true
		}
	}
	if strings.Contains(x.r.Header.Get("Content-Type"), "form-urlencoded") && bytes.ContainsAny(x.body, "%+") {
		return x.liveIn(string(x.body))
	}
	return found, false
}

// unescaped writes the plain characters of a JSON text that are escaped as
// themselves.
func unescaped(text string) string {
	before, rest, found := strings.Cut(text, `\u00`)
	if !found {
		return text
	}
	var out strings.Builder
	for ; found; before, rest, found = strings.Cut(rest, `\u00`) {
		out.WriteString(before)
		if len(rest) < 2 {
			break
		}
		if b, err := strconv.ParseUint(rest[:2], 16, 8); err == nil && b > ' ' && b != '"' && b != '\\' {
			out.WriteByte(byte(b))
			rest = rest[2:]
			continue
		}
		out.WriteString(`\u00`)
	}
	out.WriteString(before)
	return out.String()
}

// basic is what a header of the scheme Basic says, in clear; "" of any other.
func basic(header string) string {
	scheme, encoded, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Basic") {
		return ""
	}
	plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	if err != nil {
		return ""
	}
	return string(plain)
}

// answering are the headers by which a reply is made: they tell nothing else.
var answering = []string{"Accept", "Accept-Encoding"}

// forget keeps of a request which operation it was for, and nothing else: what
// comes after cannot write down what is not there.
func (x *Exchange) forget() {
	m, _ := x.sought(false)
	x.described = true
	x.entry.Path = ""
	if m.Operation != nil {
		if x.known == nil {
			x.known = x.rev.about(m.Operation)
		}
		k := x.known
		x.entry.Operation, x.entry.Bare, x.entry.OperationID, x.entry.Effect = k.name, k.bare, m.Operation.ID, k.effect
		x.entry.Path = m.Operation.Path
	}
	kept := *x.r
	kept.Header = maps.Clone(x.r.Header)
	maps.DeleteFunc(kept.Header, func(name string, values []string) bool {
		return !slices.Contains(answering, name) || x.showsOwn(values) || slices.ContainsFunc(values, func(value string) bool { _, ok := x.live(value); return ok })
	})
	kept.Trailer, kept.Form, kept.PostForm, kept.MultipartForm = nil, nil, nil, nil
	kept.URL, kept.RequestURI, kept.Body = &url.URL{Path: x.entry.Path}, x.entry.Path, http.NoBody
	x.r, x.body = &kept, nil
}
