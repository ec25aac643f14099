package github

import (
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

// A call is one request under way: what came, who sent it, and what every reply
// to it says.
type call struct {
	*fakes.Call
	fake   *Fake
	id     string // the operation, without by-id/
	viewer string // the login of who calls; "" for nobody in particular
	token  kit.Token
	known  bool // the token was issued or declared
	media  media
	web    string                         // where pages for people are
	wrote  map[string]map[string][]object // who has committed to a repository, where that was looked up

	incoming map[string]object // what a push brings, until it is taken
}

// A handler answers one operation. It refuses before it writes anything.
type handler func(*call) (answer, *refusal)

// An answer is a value, bytes, or nothing but a status.
type answer struct {
	status   int // 0: 200
	value    any // a map or a list
	raw      []byte
	kind     string // of raw
	links    string
	location string
	changed  string // when it last changed, as RFC 3339 has it
	header   http.Header
}

// base takes away what an operation's id begins with where it is found by the
// number of its repository.
func base(id string) string { return strings.TrimPrefix(id, "by-id/") }

// Answer plays one call.
func (f *Fake) Answer(fc *fakes.Call) fakes.Reply {
	c := f.call(fc)
	if overGit(c.id) {
		return c.converse()
	}
	if c.onPages() {
		return c.refuse(notFound())
	}
	if refused := c.admit(); refused != nil {
		return c.refuse(refused)
	}
	if refused := c.limited(); refused != nil {
		return c.refuse(refused)
	}
	given, refused := f.handlers[c.id](c)
	if refused != nil {
		c.count()
		return c.refuse(refused)
	}
	return c.give(given)
}

// call makes what a handler needs of a call.
func (f *Fake) call(fc *fakes.Call) *call {
	c := &call{Call: fc, fake: f, web: "https://github.com"}
	if fc.Header != nil {
		c.media = mediaOf(fc.Header.Get("Accept"))
	}
	if fc.Operation != nil {
		c.id = base(fc.Operation.ID)
	}
	c.identify()
	return c
}

func (c *call) give(a answer) fakes.Reply {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	header := c.header()
	maps.Copy(header, a.header)
	set := func(name, value string) {
		if value != "" {
			header[name] = []string{value}
		}
	}
	set("Link", a.links)
	set("Location", a.location)
	if a.changed != "" {
		if at, err := time.Parse(time.RFC3339, a.changed); err == nil {
			set("Last-Modified", at.UTC().Format(http.TimeFormat))
		}
	}
	body := a.raw
	switch {
	case a.value != nil:
		body = world.Encode(a.value)
		set("Content-Type", "application/json; charset=utf-8")
	case a.kind != "":
		set("Content-Type", a.kind)
	}
	if a.status < 300 && a.status != http.StatusNoContent && len(body) > 0 {
		tag := entityTag(body, c.Operation.Method == http.MethodGet)
		if a.header.Get("Etag") == "" {
			set("Etag", tag)
		}
		if c.Operation.Method == http.MethodGet && a.status == http.StatusOK && c.unchanged(header) {
			header.Del("Content-Type")
			c.rates(header) // a 304 does not count
			return fakes.Reply{Status: http.StatusNotModified, Header: header}
		}
	}
	c.count()
	c.rates(header)
	reply := fakes.Reply{Status: a.status, Header: header, Body: body}
	if m, ok := a.value.(map[string]any); ok {
		reply.Result = m
	}
	return reply
}

// unchanged tells whether the client has what would be sent.
func (c *call) unchanged(header http.Header) bool {
	if list := c.Header.Get("If-None-Match"); list != "" {
		tag := strings.Trim(strings.TrimPrefix(header.Get("Etag"), "W/"), `"`)
		return kit.Matches(list, tag, true)
	}
	since, err := http.ParseTime(c.Header.Get("If-Modified-Since"))
	at, err2 := http.ParseTime(header.Get("Last-Modified"))
	return err == nil && err2 == nil && !at.After(since)
}

// refuse words a refusal.
func (c *call) refuse(r *refusal) fakes.Reply {
	header := c.header()
	maps.Copy(header, r.header)
	c.rates(header)
	if r.empty {
		return fakes.Reply{Status: r.status, Header: header}
	}
	header.Set("Content-Type", "application/json; charset=utf-8")
	return kit.ValueReply(r.status, header, r.body(c.documented(r.status)))
}

// header makes the headers that every reply carries.
func (c *call) header() http.Header {
	h := kit.Headers(
		"X-Github-Request-Id", requestID(c.NewID("", 20)),
		"X-Github-Media-Type", c.media.shown(),
		"X-Accepted-Oauth-Scopes", accepted(c.id),
		"Access-Control-Allow-Origin", "*",
		"Access-Control-Expose-Headers", exposed,
		"Cache-Control", "private, max-age=60, s-maxage=60",
		"Vary", "Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With",
		"Referrer-Policy", "origin-when-cross-origin, strict-origin-when-cross-origin",
		"Strict-Transport-Security", "max-age=31536000; includeSubdomains; preload",
		"X-Content-Type-Options", "nosniff",
		"X-Frame-Options", "deny",
		"X-Xss-Protection", "0",
		"Content-Security-Policy", "default-src 'none'",
		"Server", "github.com",
	)
	if c.Identity != "" && !c.token.Revoked {
		h["X-Oauth-Scopes"] = []string{strings.Join(c.scopes(), ", ")}
	}
	if version := c.Header.Get("X-Github-Api-Version"); version != "" {
		h["X-Github-Api-Version-Selected"] = []string{version}
	}
	return h
}

const exposed = "ETag, Link, Location, Retry-After, X-GitHub-OTP, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used, X-RateLimit-Resource, X-RateLimit-Reset, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Poll-Interval, X-GitHub-Media-Type, X-GitHub-SSO, X-GitHub-Request-Id, Deprecation, Sunset"

// now is the call's instant as GitHub writes time: whole seconds, in UTC.
func (c *call) now() string { return stamp(c.Now) }

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05Z") }

// path gives a path parameter.
func (c *call) path(parameter string) string { return c.Input.Path[parameter] }

// pathNumber gives a path parameter that is a number; -1 when it is none.
func (c *call) pathNumber(parameter string) int64 {
	n, err := strconv.ParseInt(c.Input.Path[parameter], 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// query gives a query parameter as text; "" when it is absent.
func (c *call) query(parameter string) string { return kit.Text(c.Input.Query, parameter) }

// text gives a body parameter that is text; "" when it is absent.
func (c *call) text(parameter string) string { return cast.Text(c.Input.Body[parameter]) }

// flag gives a body parameter that is a boolean.
func (c *call) flag(parameter string) bool { return cast.Bool(c.Input.Body[parameter]) }

// has tells whether a body parameter was sent.
func (c *call) has(parameter string) bool {
	_, sent := c.Input.Body[parameter]
	return sent
}

func (c *call) get(collection, id string) (*world.Record, bool) {
	return c.fake.store.Get(c.Tx, collection, id)
}

func (c *call) create(collection string, value map[string]any) *world.Record {
	return c.fake.store.Create(c.Tx, collection, cast.Text(value["id"]), value)
}

func (c *call) update(collection string, value map[string]any) *world.Record {
	return c.fake.store.Update(c.Tx, collection, cast.Text(value["id"]), value)
}

func (c *call) remove(collection, id string) { c.fake.store.Delete(c.Tx, collection, id) }

// changed is a copy of a record's value, to be changed and written back: what
// the world holds is frozen.
func changed(r *world.Record) map[string]any { return maps.Clone(r.Value()) }

// must stops at a mistake of this package.
func must(err error) { kit.Must(name, err) }
