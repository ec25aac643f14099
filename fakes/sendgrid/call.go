package sendgrid

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A call is one request under way, or what a timer does when nobody asks.
type call struct {
	*fakes.Call
	fake  *Fake
	token kit.Token // what is known of the key
	known bool
}

// A handler answers one operation. It refuses before it writes anything.
type handler func(*call) (answer, *refusal)

// An answer is a status, a value (nil: an empty body) and pairs of headers.
type answer struct {
	status int
	value  any
	header []string
}

func ok(value any) answer      { return answer{status: http.StatusOK, value: value} }
func created(value any) answer { return answer{status: http.StatusCreated, value: value} }

var noContent = answer{status: http.StatusNoContent}

// Answer plays one call.
func (f *Fake) Answer(fc *fakes.Call) fakes.Reply {
	c := &call{Call: fc, fake: f}
	if c.Identity == fakes.Fixture {
		return c.reply(f.handlers[c.Operation.ID](c))
	}
	if refused := c.admit(); refused != nil {
		return refused.reply(c.mailing())
	}
	return c.limited()
}

// mailing tells whether the call sends mail, which another part of SendGrid
// answers than all the rest: its errors have a help, its replies no limits.
func (c *call) mailing() bool { return c.Operation.ID == "POST_mail-send" }

// admit tells whether the key may do this at all.
func (c *call) admit() *refusal {
	c.token, c.known = tokens.Of(c.Call)
	scope := scopes[c.Operation.ID]
	switch {
	case c.known && (c.token.Revoked || c.token.Expired(c.Now)):
		return unauthorised()
	case c.known && scope != "" && !c.token.Has(scope):
		return &refusal{status: http.StatusForbidden, problems: []problem{{message: "access forbidden"}}}
	case !acceptable(c.Header):
		return notAcceptable()
	}
	return nil
}

// acceptable tells whether the client takes JSON. Who says nothing does.
func acceptable(header http.Header) bool {
	accept := strings.Join(header.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		return true
	}
	for one := range strings.SplitSeq(accept, ",") {
		kind, _, _ := strings.Cut(strings.TrimSpace(one), ";")
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "*/*", "application/*", "application/json":
			return true
		}
	}
	return false
}

// The limits of each endpoint and key.
// Source: email activity 6 a minute, by its documentation; of the others no
// figures are published, and 600 a minute is what answers show.
const (
	mostCalls    = 600
	mostActivity = 6
	limitWindow  = time.Minute
)

// limited answers within the limit of the endpoint. Sending mail has one of
// 10,000 a second, and no headers.
func (c *call) limited() fakes.Reply {
	if c.mailing() {
		return c.reply(c.fake.handlers[c.Operation.ID](c))
	}
	most := mostCalls
	if c.Operation.Anatomy.Collection == messages {
		most = mostActivity
	}
	left := limits.Take(c.Tx, c.Identity+" "+c.Operation.ID, most, limitWindow, c.Now)
	var reply fakes.Reply
	if left.Over {
		reply = tooMany().reply(false)
	} else {
		reply = c.reply(c.fake.handlers[c.Operation.ID](c))
	}
	reply.Header.Set("X-Ratelimit-Limit", strconv.Itoa(left.Limit))
	reply.Header.Set("X-Ratelimit-Remaining", strconv.Itoa(left.Left))
	reply.Header.Set("X-Ratelimit-Reset", strconv.FormatInt(left.Reset.Unix(), 10))
	return reply
}

func (c *call) reply(a answer, refused *refusal) fakes.Reply {
	if refused != nil {
		return refused.reply(c.mailing())
	}
	header := kit.Headers(a.header...)
	for name, value := range common {
		header[name] = value
	}
	if a.value == nil {
		return fakes.Reply{Status: a.status, Header: header}
	}
	header["Content-Type"] = contentType
	return fakes.Reply{Status: a.status, Header: header, Body: world.Encode(a.value), Result: cast.Object(a.value)}
}

var (
	contentType = []string{"application/json"}

	// common is on every reply, as recorded by those who posted theirs.
	common = http.Header{
		"Access-Control-Allow-Origin": {"https://sendgrid.api-docs.io"},
		"Strict-Transport-Security":   {"max-age=31536000; includeSubDomains"},
		"Content-Security-Policy":     {"frame-ancestors 'none'"},
		"X-Content-Type-Options":      {"no-sniff"},
		"Cache-Control":               {"no-cache"},
		"Referrer-Policy":             {"strict-origin-when-cross-origin"},
	}
)

// query gives a query parameter that is text; "" when it is absent.
func (c *call) query(parameter string) string { return cast.Text(c.Input.Query[parameter]) }

// count gives a query parameter that is a whole number.
func (c *call) count(parameter string, otherwise int) int {
	if n, ok := c.Input.Query[parameter].(int64); ok {
		return int(n)
	}
	return otherwise
}

// uuid draws an id such as 8aefe0ee-f12b-4575-b5b7-c97e21cb36f3.
func (c *call) uuid() string {
	h := []byte(c.hex(32))
	h[12], h[16] = '4', "89ab"[h[16]&3]
	s := string(h)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// hex draws n hexadecimal digits, 64 at most.
func (c *call) hex(n int) string {
	sum := sha256.Sum256([]byte(c.NewID("", 22)))
	return hex.EncodeToString(sum[:])[:n]
}

// next gives the next number of a sequence, which begins at first; or that
// which a fixture wants.
func (c *call) next(sequence string, first int64) int64 {
	n := first
	record, known := c.Tx.Get(sequencesCollection, sequence)
	last := int64(0)
	if known {
		last, _ = record.Value()["last"].(int64)
		n = max(n, last+1)
	}
	if wanted, err := strconv.ParseInt(c.Wanted, 10, 64); err == nil {
		c.keep(sequencesCollection, sequence, map[string]any{"id": sequence, "last": max(last, wanted)})
		return wanted
	}
	c.keep(sequencesCollection, sequence, map[string]any{"id": sequence, "last": n})
	return n
}

// id gives a record its id: that which a fixture wants it to have, else one
// that is drawn.
func (c *call) id(drawn func() string) string {
	if c.Wanted != "" {
		return c.Wanted
	}
	return drawn()
}

// laid lays over a record what a fixture says of it beyond what a request can.
func (c *call) laid(value map[string]any, fields ...string) {
	if c.Identity != fakes.Fixture {
		return
	}
	for _, field := range fields {
		if said, has := c.Input.Body[field]; has {
			value[field] = said
		}
	}
}

// keep writes bookkeeping, new or not.
func (c *call) keep(collection, id string, value map[string]any) {
	kit.Keep(c.Tx, collection, id, value)
}

// drop takes bookkeeping away.
func (c *call) drop(collection, id string) {
	kit.Must(name, c.Tx.Delete(collection, id)) // it was there when it was looked up
}

// put writes a record, new or not.
func (c *call) put(collection, id string, value map[string]any) *world.Record {
	return c.fake.store.Put(c.Tx, collection, id, value)
}

func (c *call) get(collection, id string) (*world.Record, bool) {
	return c.fake.store.Get(c.Tx, collection, id)
}

// member finds the record that a parameter of the path names.
func (c *call) member(collection, parameter string, missing *refusal) (*world.Record, *refusal) {
	if record, found := c.get(collection, c.Input.Path[parameter]); found {
		return record, nil
	}
	return nil, missing
}

// on answers a call about the record that a parameter of its path names.
func on(collection, parameter string, missing func() *refusal, act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With(func(c *call) (*world.Record, *refusal) { return c.member(collection, parameter, missing()) }, act)
}

// all walks a collection, newest first, and stops when a walk returns false.
func (c *call) all(collection string, walk func(*world.Record) bool) {
	for record := range c.Tx.Newest(full(collection), 0) {
		if !walk(record) {
			return
		}
	}
}

// shape picks fields of a record, in the types that the reply has.
func shape(value map[string]any, fields ...string) map[string]any {
	out := make(map[string]any, len(fields))
	for _, field := range fields {
		if v, known := value[field]; known {
			out[field] = v
		}
	}
	return out
}

// without is a copy of a record less some fields.
func without(value map[string]any, fields ...string) map[string]any {
	out := make(map[string]any, len(value))
	for field, v := range value {
		if !slices.Contains(fields, field) {
			out[field] = v
		}
	}
	return out
}

// iso writes an instant as most of the API does.
func iso(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// stamp writes an instant as templates do.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }
