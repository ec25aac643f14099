package googlecalendar

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A call is one request under way. Zones are kept for its length: to read one
// costs as much as the rest of a small call.
type call struct {
	*fakes.Call
	fake  *Fake
	token kit.Token
	known bool   // the token was issued or declared
	asked bool   // whether it was
	email string // of the user, once looked up
	main  string // of the first user, once looked up
	quiet bool   // what is written is nobody else's: guests get no copy
	zones map[string]*time.Location
}

// A handler answers one operation. It refuses before it writes anything.
type handler func(*call) (answer, *refusal)

// An answer is a value, or bytes of another kind.
type answer struct {
	value  map[string]any
	single bool // one resource: its etag is a header too
	kind   string
	raw    []byte
}

// done is the answer of an operation that has nothing to show.
func done() (answer, *refusal) { return answer{}, nil }

func one(value map[string]any) (answer, *refusal) { return answer{value: value, single: true}, nil }

func many(value map[string]any) (answer, *refusal) { return answer{value: value}, nil }

// Answer plays one call.
func (f *Fake) Answer(fc *fakes.Call) fakes.Reply {
	c := &call{Call: fc, fake: f, zones: map[string]*time.Location{}}
	if refused := c.permit(); refused != nil {
		return c.refuse(refused)
	}
	given, refused := f.handlers[c.Operation.ID](c)
	if refused != nil {
		return c.refuse(refused)
	}
	return c.give(given)
}

func (c *call) give(a answer) fakes.Reply {
	switch {
	case a.raw != nil:
		return fakes.Reply{Status: http.StatusOK, Header: kit.Headers("Content-Type", a.kind, "Vary", "Origin, X-Origin, Referer"), Body: a.raw}
	case a.value == nil:
		return fakes.Reply{Status: http.StatusNoContent, Header: c.header("text/html", "")}
	}
	etag, _ := a.value["etag"].(string)
	if unchanged := c.Header.Get("If-None-Match"); etag != "" && unchanged != "" && c.Operation.Method == http.MethodGet &&
		kit.Matches(unchanged, trim(etag), true) {
		return fakes.Reply{Status: http.StatusNotModified, Header: kit.Headers("Etag", etag, "Vary", "Origin, X-Origin, Referer")}
	}
	value, refused := c.selected(a.value)
	if refused != nil {
		return c.refuse(refused)
	}
	if !a.single {
		etag = ""
	}
	reply := kit.ValueReply(http.StatusOK, c.header("application/json; charset=UTF-8", etag), value)
	reply.Body = c.indented(reply.Body)
	return reply
}

func (c *call) refuse(r *refusal) fakes.Reply {
	header := c.header("application/json; charset=UTF-8", "")
	for name, value := range r.header {
		header.Set(name, value)
	}
	reply := kit.ValueReply(r.status, header, r.body())
	reply.Body = c.indented(reply.Body)
	return reply
}

func (c *call) header(kind, etag string) http.Header {
	return kit.Headers(
		"Content-Type", kind,
		"Etag", etag,
		"Cache-Control", "no-cache, no-store, max-age=0, must-revalidate",
		"Pragma", "no-cache",
		"Expires", "Mon, 01 Jan 1990 00:00:00 GMT",
		"Vary", "Origin, X-Origin, Referer",
		"X-Content-Type-Options", "nosniff",
		"X-Frame-Options", "SAMEORIGIN",
		"X-Xss-Protection", "0",
	)
}

// indented writes a body as Google does unless it is asked not to: one space a
// level.
func (c *call) indented(body []byte) []byte {
	if pretty, said := c.Input.Query["prettyPrint"].(bool); said && !pretty {
		return body
	}
	var out bytes.Buffer
	out.Grow(len(body) + len(body)/3)
	if err := json.Indent(&out, body, "", " "); err != nil {
		return body // it is JSON: world.Encode wrote it
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// query gives a query parameter that is text; "" when it is absent.
func (c *call) query(parameter string) string { return kit.Text(c.Input.Query, parameter) }

// flag gives a query parameter that is a boolean.
func (c *call) flag(parameter string) bool { return c.Input.Query[parameter] == true }

// count gives a query parameter that is a number.
func (c *call) count(parameter string, otherwise int) int {
	if n, ok := c.Input.Query[parameter].(int64); ok {
		return int(min(n, 1<<30))
	}
	return otherwise
}

// sent tells whether a query parameter was sent.
func (c *call) sent(parameter string) bool {
	_, sent := c.Input.Query[parameter]
	return sent
}

// millis is an instant as Google writes when something changed.
func millis(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// seconds is an instant as Google writes when something was made.
func seconds(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z")[:19] + ".000Z" }

// etagOf is the etag of a change: twice its microseconds, as recorded.
func etagOf(stamp int64) string { return `"` + strconv.FormatInt(2*stamp, 10) + `"` }

func trim(etag string) string {
	if len(etag) > 1 && etag[0] == '"' && etag[len(etag)-1] == '"' {
		return etag[1 : len(etag)-1]
	}
	return etag
}

// matched holds a write against If-Match.
func (c *call) matched(etag string) *refusal {
	if wanted := c.Header.Get("If-Match"); wanted != "" && !kit.Matches(wanted, trim(etag), false) {
		return precondition("If-Match")
	}
	return nil
}

// put writes a record, new or known.
func (c *call) put(collection, id string, value map[string]any) *world.Record {
	return c.fake.store.Put(c.Tx, collection, id, value)
}

// get reads a record.
func (c *call) get(collection, id string) (map[string]any, bool) {
	record, ok := c.fake.store.Get(c.Tx, collection, id)
	if !ok {
		return nil, false
	}
	return record.Value(), true
}
