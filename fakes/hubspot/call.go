package hubspot

import (
	"maps"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A call is one request under way: what came, and what every reply to it says.
type call struct {
	*fakes.Call
	fake        *Fake
	correlation string // of every reply, in a header and in errors
	settings    settings
	quota       quota
	token       kit.Token // what is known of who calls; zero: nothing
	minted      int       // ids made in this call
}

// A handler answers one operation. It refuses before it writes anything.
type handler func(*call) (answer, *refusal)

// An answer is a status and what is shown; list stands in its place where the
// reply is a bare list.
type answer struct {
	status int
	value  map[string]any
	list   []any
	header []string // pairs, beside those of every reply
}

func ok(value map[string]any) (answer, *refusal) {
	return answer{status: http.StatusOK, value: value}, nil
}

func done() (answer, *refusal) { return answer{status: http.StatusNoContent}, nil }

// doneTyped is what some of the old APIs say instead: a content type of nothing.
func doneTyped() (answer, *refusal) {
	return answer{status: http.StatusNoContent, header: []string{"Content-Type", jsonType}}, nil
}

// Answer plays one call.
func (f *Fake) Answer(fc *fakes.Call) fakes.Reply {
	c := &call{Call: fc, fake: f}
	c.correlation = c.uuid()
	c.settings = c.account()
	refused := c.admit()
	var given answer
	if refused == nil {
		given, refused = f.handlers[fc.Operation.ID](c)
	}
	if refused != nil {
		return c.refuse(refused)
	}
	header := kit.Headers(append(c.standing(), given.header...)...)
	switch {
	case given.list != nil:
		header.Set("Content-Type", jsonType)
		return fakes.Reply{Status: given.status, Header: header, Body: world.Encode(given.list)}
	case given.value == nil:
		return fakes.Reply{Status: given.status, Header: header}
	}
	header.Set("Content-Type", jsonType)
	return kit.ValueReply(given.status, header, given.value)
}

// standing are the headers that every reply carries.
func (c *call) standing() []string {
	return append([]string{"X-Hubspot-Correlation-Id", c.correlation}, c.quota.headers()...)
}

func (c *call) refuse(r *refusal) fakes.Reply {
	header := kit.Headers(c.standing()...)
	return r.reply(header, c.correlation, c.requestID(), c.legacy())
}

// legacy tells whether the operation is of an API before v3.
func (c *call) legacy() bool { return legacyPath(c.Operation.Path) }

func legacyPath(path string) bool {
	for _, prefix := range []string{"/contacts/", "/companies/", "/deals/", "/owners/", "/forms/", "/content/", "/engagements/", "/crm-associations/", "/crm-pipelines/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// uuid mints an id in the form of a random UUID.
func (c *call) uuid() string { return uuidOf(c.NewID("", 24)) }

// hex mints hexadecimal digits.
func (c *call) hex(n int) string {
	h := number(c.NewID("", n)).Text(16)
	for len(h) < n {
		h = "0" + h
	}
	return h[:n]
}

func (c *call) requestID() string { return c.hex(32) }

// uuidOf writes a minted text as a UUID of version 4.
func uuidOf(minted string) string {
	h := number(minted).Text(16)
	for len(h) < 32 {
		h = "0" + h
	}
	h = h[:32]
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

// number reads base62 as a number.
func number(text string) *big.Int {
	n := new(big.Int)
	base := big.NewInt(62)
	for i := range len(text) {
		d := int64(text[i])
		switch b := text[i]; {
		case b >= '0' && b <= '9':
			d -= '0'
		case b >= 'a' && b <= 'z':
			d += 10 - 'a'
		case b >= 'A' && b <= 'Z':
			d += 36 - 'A'
		default:
			d = 0
		}
		n.Add(n.Mul(n, base), big.NewInt(d))
	}
	return n
}

// epoch is where ids begin: they grow with time, as HubSpot's do, so that lists
// are in the order in which records were made.
var epoch = time.Date(2006, 1, 1, 0, 0, 0, 0, time.UTC)

// id mints the id of a new record of a collection: a hundred for each hundredth
// of a second, so that records made later come later.
func (c *call) id(collection string) string {
	n := max(0, c.Now.Sub(epoch).Milliseconds()/10)*100 + number(c.NewID("", 8)).Int64()%89
	for n += int64(c.minted); ; n++ {
		id := strconv.FormatInt(n, 10)
		if _, taken := c.fake.store.Get(c.Tx, collection, id); !taken {
			c.minted++
			return id
		}
	}
}

// now is the call's instant as HubSpot writes time.
func (c *call) now() string { return instant(c.Now) }

// instant writes a time as Java's Instant does: milliseconds where there are
// any.
func instant(t time.Time) string {
	t = t.UTC().Truncate(time.Millisecond)
	if t.Nanosecond() == 0 {
		return t.Format("2006-01-02T15:04:05Z")
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}

// instantOf writes milliseconds since 1970 so.
func instantOf(ms int64) string { return instant(time.UnixMilli(ms)) }

// millis gives a time that is written so as milliseconds since 1970; 0 where it
// is none.
func millis(text string) int64 {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}

// words gives a query parameter that is a list; each may hold several, with
// commas between.
func (c *call) words(parameter string) []string {
	var all []string
	switch v := c.Input.Query[parameter].(type) {
	case []any:
		for _, one := range v {
			if text, ok := one.(string); ok {
				all = append(all, split(text)...)
			}
		}
	case string:
		all = split(v)
	}
	return all
}

func split(text string) []string {
	var all []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			all = append(all, word)
		}
	}
	return all
}

// query gives a query parameter that is text; "" when it is absent.
func (c *call) query(parameter string) string { return cast.Text(c.Input.Query[parameter]) }

// text gives a body field that is text; "" when it is absent.
func (c *call) text(field string) string { return cast.Text(c.Input.Body[field]) }

// flag gives a query parameter that is a boolean.
func (c *call) flag(parameter string) bool { return cast.Bool(c.Input.Query[parameter]) }

// inputs lists the inputs of a batch.
func (c *call) inputs() []map[string]any {
	list, _ := c.Input.Body["inputs"].([]any)
	all := make([]map[string]any, 0, len(list))
	for _, one := range list {
		if input, ok := one.(map[string]any); ok {
			all = append(all, input)
		}
	}
	return all
}

// changed is a copy of a record's value, to be changed and written back: what
// the world holds is frozen.
func changed(value map[string]any) map[string]any { return maps.Clone(value) }
