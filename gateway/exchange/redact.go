package exchange

import (
	"encoding/base64"
	"net/url"
	"strings"

	"parity/fakes/chance"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/secret"
)

// markLength is how much of the digest of a secret is kept: enough that two are
// hardly ever taken for one, and too little to find a weak one by trying.
const markLength = 4

// Marks stand for the secrets of a run: the same for the same one in it.
func Marks(seed chance.Seed) secret.Hide {
	return secret.Marks(func(text string) string { return chance.ID(seed, markLength, "secret", text) })
}

// came is a secret that a call has brought, and the name that it came under.
type came struct{ name, secret string }

// hide gives what stands in the place of a secret of the call, and remembers it:
// it is hidden wherever else it turns up in what is recorded of the call.
func (x *Exchange) hide(name, text string) string {
	if secret.Marked(text) || secret.Public(text) { // out of a record, or hidden already
		return text
	}
	x.came = append(x.came, came{name, text})
	return Marks(x.run.Seed)(name, text)
}

// hider is hide as a value, made once.
func (x *Exchange) hider() secret.Hide {
	if x.hides == nil {
		x.hides = x.hide
	}
	return x.hides
}

// clean is a decoded value of the call as it is recorded.
func (x *Exchange) clean(value any) any { return x.rev.Profile.Secrets.Value(value, x.hider()) }

// brought tells the run's record which secrets came with the call.
func (x *Exchange) brought() {
	if x.run.Met == nil { // it decides a record again
		return
	}
	for _, c := range x.came {
		x.run.Met.Meet(c.name, c.secret)
	}
}

// shows remembers the credentials of a header that is not kept: all of it where
// it is a credential, else what looks like one.
func (x *Exchange) shows(name string, values []string, credential bool) {
	cookie := name == "Cookie"
	for _, value := range values {
		if !cookie && !credential && !x.rev.Profile.Secrets.Holds(name, value) {
			_ = x.rev.Profile.Secrets.Text(value, x.hider())
			continue
		}
		for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ' ' || r == ';' || r == ',' }) {
			if cookie {
				_, part, _ = strings.Cut(part, "=")
			}
			if len(part) >= secret.Shortest {
				x.came = append(x.came, came{secret: part})
			}
		}
		if encoded, ok := strings.CutPrefix(value, "Basic "); ok {
			x.showsUser(encoded)
		}
	}
}

// showsUser remembers the password of Basic, or the user where there is none: a
// key is given in its place.
func (x *Exchange) showsUser(encoded string) {
	pair, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	if err != nil {
		return
	}
	user, password, _ := strings.Cut(string(pair), ":")
	if password == "" || password == "x-oauth-basic" {
		password = user
	}
	if len(password) >= secret.Shortest {
		x.came = append(x.came, came{secret: password})
	}
}

// mostOverheard is how much of a body that is not kept is looked through.
const mostOverheard = 64 << 10

// overhears remembers what looks like a secret in a body that is not kept: what
// is said of the call may repeat it.
func (x *Exchange) overhears(body []byte) {
	if len(body) == 0 {
		return
	}
	text := string(body[:min(len(body), mostOverheard)])
	_ = x.rev.Profile.Secrets.Text(text, x.hider())
	if plain, err := url.QueryUnescape(text); err == nil && plain != text {
		_ = x.rev.Profile.Secrets.Text(plain, x.hider())
	}
}

// overhearsPart remembers what looks like a secret in what a part says of itself.
func (x *Exchange) overhearsPart(part body.Part) {
	for name, values := range part.Header {
		x.shows(name, values, false)
	}
	if plain := part.FileName; plain != "" {
		_ = x.rev.Profile.Secrets.Text(plain, x.hider())
	}
}

// loggable is a text about the call without secrets: what looks like one, and
// those that the call brought.
func (x *Exchange) loggable(text string) (clean string) {
	defer func() {
		if recover() != nil { // what broke on the call may break on this
			clean = secret.Stars("", text)
		}
	}()
	if x.run == nil { // nothing of it was read
		return (*secret.List)(nil).Text(text, secret.Stars)
	}
	if !x.described {
		x.describe() // which finds them
	}
	clean = x.rev.Profile.Secrets.Text(text, secret.Stars)
	for _, c := range x.came {
		if len(c.secret) >= secret.Shortest {
			clean = strings.ReplaceAll(clean, c.secret, secret.Stars(c.name, c.secret))
		}
	}
	return clean
}

// shownPath is the path without secrets: those that the contract or the name of
// a parameter gives away, and those that look like one.
func (x *Exchange) shownPath(values map[string]string) string {
	path := x.path
	if x.op != nil {
		path = x.op.RedactPath(path, values, x.hider())
	}
	if !x.partsHide(path, values) {
		return x.rev.Profile.Secrets.Text(path, x.hider())
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		for name, value := range values {
			if value != "" && part == url.PathEscape(value) && x.rev.Profile.Secrets.Name(name) {
				parts[i] = x.hide(name, value)
			}
		}
		if plain, err := url.PathUnescape(part); err == nil && plain != part {
			if clean := x.rev.Profile.Secrets.Text(plain, x.hider()); clean != plain {
				parts[i] = url.PathEscape(clean)
			}
		}
		// Of what no contract has, the part before tells: /token/abc.
		if x.op == nil && x.rev.Profile.Secrets.Follows(parts, i) {
			parts[i] = x.hide("", part)
		}
	}
	return x.rev.Profile.Secrets.Text(strings.Join(parts, "/"), x.hider())
}

// partsHide tells whether a part of a path may have to be hidden by itself: where
// a contract has the path, one that is escaped, or that has the name of a secret.
func (x *Exchange) partsHide(path string, values map[string]string) bool {
	if x.op == nil || strings.Contains(path, "%") {
		return true
	}
	for name := range values {
		if x.rev.Profile.Secrets.Name(name) {
			return true
		}
	}
	return false
}

// plainly is a body as a script compares it, whatever its run.
func plainly(list *secret.List, op *specs.Operation, body any) any {
	return list.Value(op.Redact(body, specs.Plainly), specs.Plainly)
}
