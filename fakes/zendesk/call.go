package zendesk

import (
	"crypto/md5"
	"encoding/hex"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A call is one request under way.
type call struct {
	*fakes.Call
	fake  *Fake
	asker map[string]any // who calls, once somebody asked

	promised int64 // the number of the ticket that a job makes; 0: the next
	quiet    bool  // no trigger runs, and nobody is told: an import
}

// A handler answers one operation. It refuses before it writes anything.
type handler func(*call) (answer, *refusal)

// An answer is a value as JSON, or bytes of a kind, or nothing.
type answer struct {
	status int // 0: 200
	value  map[string]any
	kind   string // of raw
	raw    []byte
	header http.Header
}

// perMinute is the rate limit of an account on the Professional plan.
// Source: recorded headers; developer.zendesk.com/api-reference/introduction/rate-limits.
const perMinute = 700

// Answer plays one call.
func (f *Fake) Answer(fc *fakes.Call) fakes.Reply {
	c := &call{Call: fc, fake: f}
	allowed, refused := c.admit()
	if refused != nil {
		return c.refuse(refused, allowed)
	}
	if f.Key(fc) != "" {
		return c.once(allowed)
	}
	return c.attempt(allowed)
}

func (c *call) attempt(allowed kit.Allowance) fakes.Reply {
	given, refused := c.fake.handlers[c.Operation.ID](c)
	if refused != nil {
		return c.refuse(refused, allowed)
	}
	return c.give(given, allowed)
}

// admit checks who calls, how often, and whether they may.
func (c *call) admit() (kit.Allowance, *refusal) {
	if c.Identity == fakes.Fixture {
		return kit.Allowance{Limit: perMinute, Left: perMinute, Reset: c.Now.Add(time.Minute)}, nil
	}
	if token, known := c.fake.tokens.Of(c.Call); known && (token.Revoked || token.Expired(c.Now)) {
		return kit.Allowance{}, unauthenticated()
	} else if known && !permits(token, c.Operation) {
		return kit.Allowance{}, missingScope()
	}
	allowed := c.fake.limits.Take(c.Tx, "account", perMinute, time.Minute, c.Now)
	if allowed.Over {
		return allowed, tooMany(allowed.Reset.Sub(c.Now))
	}
	if c.endUser() && !openToAll(c.Operation.ID) || !c.admin() && forAdmins(c.Operation) {
		return allowed, forbidden()
	}
	return allowed, nil
}

func (c *call) give(a answer, allowed kit.Allowance) fakes.Reply {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	header := c.header(allowed)
	maps.Copy(header, a.header)
	if a.value == nil {
		if a.kind != "" {
			header.Set("Content-Type", a.kind)
		}
		return fakes.Reply{Status: a.status, Header: header, Body: a.raw}
	}
	reply := kit.ValueReply(a.status, header, a.value)
	header.Set("Content-Type", "application/json; charset=utf-8")
	sum := md5.Sum(reply.Body)
	tag := hex.EncodeToString(sum[:])
	header["Etag"] = []string{`W/"` + tag + `"`}
	header["Cache-Control"] = []string{"max-age=0, private, must-revalidate"}
	if c.Operation.Method == http.MethodGet && kit.Matches(c.Header.Get("If-None-Match"), tag, true) {
		return fakes.Reply{Status: http.StatusNotModified, Header: header}
	}
	return reply
}

func (c *call) refuse(r *refusal, allowed kit.Allowance) fakes.Reply {
	header := c.header(allowed)
	header["Cache-Control"] = []string{"no-cache"}
	return r.reply(header)
}

// header makes the headers that every reply carries, as recorded.
func (c *call) header(allowed kit.Allowance) http.Header {
	reset := strconv.Itoa(max(0, int(allowed.Reset.Sub(c.Now)/time.Second)))
	request := strings.ToLower(c.NewID("", 16))
	h := common(request)
	if allowed.Limit > 0 {
		limit, left := strconv.Itoa(allowed.Limit), strconv.Itoa(allowed.Left)
		for _, prefix := range []string{"X-Rate-Limit", "Rate-Limit", "Ratelimit"} {
			if prefix == "Ratelimit" {
				h["Ratelimit-Limit"] = []string{limit}
			} else {
				h[prefix] = []string{limit}
			}
			h[prefix+"-Remaining"] = []string{left}
		}
		h["Rate-Limit-Reset"], h["Ratelimit-Reset"] = []string{reset}, []string{reset}
	}
	return h
}

// common is what a reply carries whoever gives it.
func common(request string) http.Header {
	return kit.Headers(
		"X-Zendesk-Api-Version", "v2",
		"X-Frame-Options", "SAMEORIGIN",
		"Strict-Transport-Security", "max-age=31536000; includeSubDomains",
		"X-Content-Type-Options", "nosniff",
		"X-Zendesk-Origin-Server", "parity",
		"X-Request-Id", request,
		"X-Zendesk-Request-Id", request,
		"X-Runtime", "0.050000",
	)
}

// stamp is an instant as Zendesk writes it.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05Z") }

func (c *call) now() string { return stamp(c.Now) }

// part gives the object that a body wraps. A fixture gives its fields bare.
func (c *call) part(one string) map[string]any {
	if inner, ok := c.Input.Body[one].(map[string]any); ok {
		return inner
	}
	if c.Identity == fakes.Fixture {
		return c.Input.Body
	}
	return map[string]any{}
}

// query gives a query parameter as text; "" when it is absent.
func (c *call) query(parameter string) string {
	switch x := c.Input.Query[parameter].(type) {
	case string:
		return x
	case int64:
		return strconv.FormatInt(x, 10)
	case bool:
		return strconv.FormatBool(x)
	case []any:
		parts := make([]string, 0, len(x))
		for _, one := range x {
			parts = append(parts, cast.Plain(one))
		}
		return strings.Join(parts, ",")
	}
	return ""
}

// later tells whether the call wants its work done by a job.
func (c *call) later() bool { return c.query("async") == "true" }

// find gives a record by id.
func (c *call) find(collection string, id int64) (*world.Record, bool) {
	return c.Tx.Get(full(collection), key(id))
}

// member finds the record that the path names.
func (c *call) member(collection, parameter string) (*world.Record, *refusal) {
	record, ok := c.Tx.Get(full(collection), c.Input.Path[parameter])
	if !ok {
		return nil, notFound()
	}
	return record, nil
}
