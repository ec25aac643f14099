package exchange

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parity/fakes/chance"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/gateway/live"
	"parity/profiles"
	"parity/specs/body"
	"parity/specs/personal"
	"parity/specs/secret"
	"parity/specs/words"
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
	behind  *behind  // what the digests stand for; nil: nobody asks
	names   []string // of people that the reply has in fields of their own
}

func (x *Exchange) keeping() *keeping {
	k := &keeping{how: profiles.KeepRedacted, seed: x.run.Seed, op: x.op, of: x.op.Anatomy.Collection, secrets: x.rev.Profile.Secrets, hide: x.hider()}
	if u := x.rev.Profile.Upstreams[x.op.Service]; u != nil {
		k.how = u.Keep
	}
	if !x.replaying {
		k.behind = &x.run.behind
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
		k.meet(value)
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
			its := of(n)
			if its == "" && (kind == personal.Birth || kind != "" && slices.Contains(innermost, n)) {
				its = kind
			}
			clean[k.text(n)] = k.value(personal.Within(within, n), its, inner)
		}
		return clean
	case []any:
		clean := make([]any, len(v))
		for i, inner := range v {
			clean[i] = k.value(within, kind, inner)
		}
		return clean
	case string:
		if kind != "" && v != "" && !personal.IsPlaceholder(v) {
			return k.digest(kind, v)
		}
		return k.text(v)
	case int64:
		return k.number(kind, v)
	}
	return v
}

// innermost are the fields in which an object has what it is about.
var innermost = []string{"number", "value", "raw", "formatted", "display", "e164", "national"}

// number replaces a number of people's by one of as many digits, and the parts of a
// day of birth: by the same for all, since nothing shows that it was replaced once.
func (k *keeping) number(kind personal.Kind, n int64) int64 {
	switch kind {
	case personal.Phone, personal.Account, personal.Card:
		if n < 10_000 {
			return n
		}
		return int64(math.Pow10(len(strconv.FormatInt(n, 10)) - 1))
	case personal.Birth:
		if n > 0 && n <= 31 {
			return 1
		}
		return 1970
	}
	return n
}

// digest stands for a value: the same for the same one in a run, and of no use
// outside it.
func (k *keeping) digest(kind personal.Kind, text string) string {
	digest := personal.Placeholder(kind, chance.Hash("kept", string(kind), strings.ToLower(text), chance.ID(k.seed, 16, "kept")))
	if k.behind != nil {
		k.behind.note(digest, text)
	}
	return digest
}

// mailbox is a name before an address of mail.
// Source: RFC 5322, section 3.4.
var mailbox = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`("?)(\p{L}[\p{L}\p{M}'. -]{0,60}[\p{L}.])("?\s*(?:<|&lt;)[^\s<>@]+(?:@|%40)[^\s<>]+(?:>|&gt;))`)
})

// text replaces what is of people within a text.
func (k *keeping) text(s string) string {
	if strings.Contains(s, "@") {
		s = mailbox().ReplaceAllStringFunc(s, func(found string) string {
			parts := mailbox().FindStringSubmatch(found)
			return parts[1] + k.digest(personal.Name, parts[2]) + parts[3]
		})
	}
	for _, name := range k.names {
		if strings.Contains(s, name) {
			s = strings.ReplaceAll(s, name, k.digest(personal.Name, name))
		}
	}
	var out strings.Builder
	at := 0
	for _, found := range personal.Find(s) {
		out.WriteString(secret.Cards(s[at:found.From], false))
		out.WriteString(k.digest(found.Kind, s[found.From:found.To]))
		at = found.To
	}
	return out.String() + secret.Cards(s[at:], false)
}

// meet notes the names of people that a value has in fields of their own, the
// longest first: texts beside them may have them too.
func (k *keeping) meet(v any) {
	found := map[string]bool{}
	gather(k.of, v, found)
	k.names = slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
}

// gather finds names of two words and more, also where they stand in two fields.
func gather(within string, v any, found map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		of, parts := personal.Fields(within, v), map[string]string{}
		for n, inner := range v {
			if text, ok := inner.(string); ok && of(n) == personal.Name && !personal.IsPlaceholder(text) {
				parts[words.Bare(n)] = text
				if strings.Contains(strings.TrimSpace(text), " ") {
					found[text] = true
				}
			}
			gather(personal.Within(within, n), inner, found)
		}
		for _, pair := range [][2]string{{"firstname", "lastname"}, {"givenname", "familyname"}} {
			if first, last := parts[pair[0]], parts[pair[1]]; first != "" && last != "" {
				found[first+" "+last] = true
			}
		}
	case []any:
		for _, inner := range v {
			gather(within, inner, found)
		}
	}
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
	e, up := &x.entry, &x.entry.Upstream[0]                                                                                  // of a write its reads are with its reservation
	e.ReplyBody, e.ReplyHeader, e.FakeBody = x.keeps.body(live.Reply{Body: x.reply.Body}), x.shownReply(x.reply.Header), nil // up has what was said
	x.veil()
	if up.Same = bytes.Equal(x.home(up.Body), e.ReplyBody); up.Same {
		up.Body = nil
	}
}

// plainHeaders say nothing of people, and what looks so in them is none.
var plainHeaders = []string{"Etag", "Last-Modified", "X-Request-Id", "Request-Id", "X-Github-Request-Id", "Retry-After"}

// shownReply are a real reply's headers as they are kept.
func (x *Exchange) shownReply(h http.Header) []trail.Field {
	all, k := Fields(h), x.keeping()
	for i := range all {
		if all[i].Value = x.rev.Profile.Secrets.Text(all[i].Value, x.hider()); k.how != profiles.KeepAll && !slices.Contains(plainHeaders, all[i].Name) {
			all[i].Value = k.text(all[i].Value)
		}
	}
	return all
}
