package exchange

import (
	"bytes"
	"net/http"
	"strings"

	"parity/fakes/chance"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/gateway/live"
	"parity/profiles"
	"parity/specs/body"
	"parity/specs/personal"
	"parity/specs/secret"
)

// keeping is how what a real service said is kept: what is kept once is kept as it
// is when it is kept again.
type keeping struct {
	how  string
	seed chance.Seed
	op   interface {
		Redact(body any, hide secret.Hide) any
	}
	of      string // what the records are: the collection
	secrets *secret.List
	hide    secret.Hide
}

func (x *Exchange) keeping() *keeping {
	k := &keeping{how: profiles.KeepRedacted, seed: x.run.Seed, op: x.op, of: x.op.Anatomy.Collection, secrets: x.rev.Profile.Secrets, hide: x.hider()}
	if u := x.rev.Profile.Upstreams[x.op.Service]; u != nil {
		k.how = u.Keep
	}
	return k
}

// body is what is kept of a reply's body.
func (k *keeping) body(reply live.Reply) []byte {
	if len(reply.Body) == 0 {
		return nil
	}
	value, wrong := body.DecodeJSON(reply.Body)
	switch {
	case wrong != nil && k.how == profiles.KeepNone:
		return nil
	case wrong != nil && k.how == profiles.KeepAll:
		return []byte(k.secrets.Text(string(reply.Body), k.hide))
	case wrong != nil:
		return []byte(k.text(k.secrets.Text(string(reply.Body), k.hide)))
	}
	value = k.secrets.Value(k.op.Redact(value, k.hide), k.hide)
	switch k.how {
	case profiles.KeepNone:
		value = shapeOf(value)
	case profiles.KeepRedacted:
		value = k.value(k.of, "", value)
	}
	return world.Encode(value)
}

// value replaces what is of people in a decoded value.
func (k *keeping) value(within string, kind personal.Kind, v any) any {
	switch v := v.(type) {
	case map[string]any:
		of := personal.Fields(within, v)
		clean := make(map[string]any, len(v))
		for n, inner := range v {
			clean[n] = k.value(personal.Within(within, n), of(n), inner)
		}
		return clean
	case []any:
		clean := make([]any, len(v))
		for i, inner := range v {
			clean[i] = k.value(within, kind, inner)
		}
		return clean
	case string:
		if kind != "" && v != "" && !strings.HasPrefix(v, "<") {
			return k.digest(kind, v)
		}
		return k.text(v)
	}
	return v
}

// digest stands for a value: the same for the same one in a run, and of no use
// outside it. It has no digits, so that none is found in it.
func (k *keeping) digest(kind personal.Kind, text string) string {
	letters := []byte(chance.Hash("kept", string(kind), strings.ToLower(text), chance.ID(k.seed, 16, "kept")))[:10]
	for i, c := range letters {
		if c <= '9' {
			letters[i] = c - '0' + 'g'
		}
	}
	return "<" + string(kind) + " " + string(letters) + ">"
}

// text replaces what is of people within a text.
func (k *keeping) text(s string) string {
	var out strings.Builder
	at := 0
	for _, found := range personal.Find(s) {
		out.WriteString(secret.Cards(s[at:found.From], false))
		out.WriteString(k.digest(found.Kind, s[found.From:found.To]))
		at = found.To
	}
	return out.String() + secret.Cards(s[at:], false)
}

// shapeOf is a value without what it says.
func shapeOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		clean := make(map[string]any, len(v))
		for n, inner := range v {
			clean[n] = shapeOf(inner)
		}
		return clean
	case []any:
		clean := make([]any, len(v))
		for i, inner := range v {
			clean[i] = shapeOf(inner)
		}
		return clean
	case string:
		return "text"
	case int64:
		return int64(0)
	case float64:
		return 0.5
	}
	return v
}

// keep has the record of a real reply.
func (x *Exchange) keep() {
	e, up := &x.entry, &x.entry.Upstream[0]
	e.ReplyBody, e.ReplyHeader = x.keeps.body(live.Reply{Body: x.reply.Body}), x.shownReply(x.reply.Header)
	if up.Same = bytes.Equal(x.home(up.Body), e.ReplyBody); up.Same {
		up.Body = nil
	}
}

// shownReply are a real reply's headers as they are kept.
func (x *Exchange) shownReply(h http.Header) []trail.Field {
	all := Fields(h)
	for i := range all {
		all[i].Value = x.rev.Profile.Secrets.Text(all[i].Value, x.hider())
	}
	return all
}
