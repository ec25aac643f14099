package mirror

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"parity/fakes/pseudonym"
	"parity/fakes/recording"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/personal"
	"parity/specs/secret"
)

// A Redaction is how exchanges are redacted.
type Redaction struct {
	Key      []byte // of the pseudonyms; nobody else has it
	Contract *specs.Contract
	Hide     func(string) string // takes the credential out that was sent along; nil: none was
}

// Replaced is what was replaced.
type Replaced struct {
	Kinds map[personal.Kind]int // different values, by what they are of
	Whole int                   // texts that were taken out whole
}

// Redact gives exchanges as a mirror has them: with pseudonyms, without credentials,
// and with few headers. What is met in any of them is replaced in all.
func (r Redaction) Redact(all []Exchange) ([]recording.Exchange, Replaced) {
	clean := redacting{r, pseudonym.New(r.Key)}
	clean.own(all)
	for i := range all {
		clean.exchange(all[i])
	}
	clean.book.Settle()
	out := make([]recording.Exchange, len(all))
	for i := range all {
		out[i] = clean.exchange(all[i])
	}
	return out, Replaced{clean.book.Counts(), clean.book.Whole}
}

type redacting struct {
	Redaction
	book *pseudonym.Book
}

// own notes the words that are the service's: of its paths, the names of fields,
// and what fields say that have one of a few words.
func (r *redacting) own(all []Exchange) {
	for _, op := range r.Contract.Operations {
		for part := range strings.SplitSeq(op.Path, "/") {
			if !strings.Contains(part, "{") {
				r.book.Own(part)
			}
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, inner := range v {
				r.book.Own(name)
				if text, ok := inner.(string); ok && slices.Contains(enumerated(), name) {
					r.book.Own(text)
				}
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	for i := range all {
		walk(all[i].Said)
	}
}

// enumerated are names of fields that have one of a few words.
func enumerated() []string {
	return []string{"object", "type", "kind", "status", "state", "role", "priority", "mode", "action", "event", "category", "visibility", "channel", "currency", "locale", "country"}
}

func (r *redacting) exchange(e Exchange) recording.Exchange {
	out := recording.Exchange{
		Request:  recording.Request{Method: e.Request.Method, URL: r.address(e), Header: r.headers(e.Request.Header, func(name string) bool { return asks(e.Operation, r.Contract, name) })},
		Response: recording.Response{Status: e.Response.Status, Header: r.headers(e.Response.Header, answers)},
	}
	if e.Request.Body != nil {
		text := r.body(e)
		out.Request.Body = &text
	}
	said := e.Operation.Marked(e.Response.Status, e.Said, r.marked)
	out.Response.Body = string(pseudonym.Encode(r.value(e.Operation.Anatomy.Collection, said)))
	return out
}

// marked is what stands for what the contract marks.
func (r *redacting) marked(mark, name string, v any) any {
	text, ok := v.(string)
	switch {
	case mark == specs.MarkSecret:
		return r.secret(name, secret.Said(v))
	case !ok || !strings.Contains(text, "@"):
		return v
	}
	return r.book.Put(personal.Email, text)
}

// secret is what stands for a credential.
func (r *redacting) secret(_, text string) string { return r.book.Put(pseudonym.Secret, text) }

func (r *redacting) value(within string, v any) any {
	var none *secret.List
	if r.Hide != nil {
		v = eachText(v, r.Hide)
	}
	return r.book.Value(within, none.Value(v, r.secret))
}

// eachText puts each text of a decoded value through a function.
func eachText(v any, text func(string) string) any {
	switch v := v.(type) {
	case string:
		return text(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, inner := range v {
			out[text(name)] = eachText(inner, text)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = eachText(inner, text)
		}
		return out
	}
	return v
}

// text is a text without credentials, and with pseudonyms.
func (r *redacting) text(text string) string {
	var none *secret.List
	if r.Hide != nil {
		text = r.Hide(text)
	}
	return r.book.Text(none.Text(text, r.secret))
}

// address is that of a request, without what shows who asked.
func (r *redacting) address(e Exchange) string {
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		return "" // Take has read it
	}
	path := r.text(e.Operation.RedactPath(u.EscapedPath(), e.Path, r.secret))
	target := "https://" + u.Host + path
	if query := r.pairs(e.Operation, u.RawQuery); query != "" {
		target += "?" + query
	}
	return target
}

// pairs are those of a query or of a form.
func (r *redacting) pairs(op *specs.Operation, raw string) string {
	var kept []string
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		plainName, err := url.QueryUnescape(name)
		plain, err2 := url.QueryUnescape(value)
		if pair == "" || err != nil || err2 != nil || r.shows(op, plainName, plain) {
			continue
		}
		is := r.text(plain)
		if kind := personal.Named(plainName); kind != "" && is == plain {
			is = r.book.Put(kind, plain)
		}
		if is != plain {
			pair = name + "=" + url.QueryEscape(is)
		}
		kept = append(kept, pair)
	}
	return strings.Join(kept, "&")
}

// shows tells whether a parameter shows who asks.
func (r *redacting) shows(op *specs.Operation, name, value string) bool {
	var none *secret.List
	return r.Contract.Credential("query", name) || none.Holds(name, value) || len(op.Secrets(map[string]any{name: value})) > 0
}

// body is that of a request that asks by one.
func (r *redacting) body(e Exchange) string {
	text := e.Request.Text()
	if v, wrong := body.DecodeJSON([]byte(text)); wrong == nil {
		return string(pseudonym.Encode(r.value("", e.Operation.WithoutSecrets(v))))
	}
	for name, kind := range e.Request.Header {
		if strings.EqualFold(name, "content-type") && body.IsForm(body.Kind(kind)) {
			return r.pairs(e.Operation, text)
		}
	}
	return r.text(text)
}

func (r *redacting) headers(of map[string]string, stays func(name string) bool) map[string]string {
	kept := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if stays(strings.ToLower(name)) {
			kept[name] = r.text(of[name])
		}
	}
	return kept
}

// asks tells headers of a request that say what is asked for.
func asks(op *specs.Operation, contract *specs.Contract, name string) bool {
	var none *secret.List
	switch name {
	case "accept", "content-type":
		return true
	case "authorization", "cookie", "proxy-authorization":
		return false
	}
	return op.Takes(name) && !contract.Credential("header", name) && !op.SecretHeader(name) && !none.Name(name)
}

// answers tells headers of a reply that a mirror has.
func answers(name string) bool {
	switch name {
	case "content-type", "date", "link", "x-total-count", "x-total", "x-total-pages", "x-page", "x-per-page", "x-next-page":
		return true
	}
	return false
}
