package slack

import (
	"mime"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A call is one request under way: what came, and who sent it.
type call struct {
	*fakes.Call
	fake     *Fake
	method   method
	args     map[string]any // of query and body; the body's count more
	token    kit.Token
	who      who
	warnings []string
	notes    []string // what the warnings mean, where Slack says it
}

// A handler answers one operation. It refuses before it writes anything.
type handler func(*call) (answer, *refusal)

// An answer is what goes into the reply beside "ok": true; or a text, for the
// addresses that do not speak JSON.
type answer struct {
	fields map[string]any
	status int // of a text
	text   []byte
	kind   string // its content type
	plain  bool
	socket string // the web socket that it opens
}

func said(fields map[string]any) (answer, *refusal) { return answer{fields: fields}, nil }

func done() (answer, *refusal) { return answer{fields: map[string]any{}}, nil }

// Answer plays one call.
func (f *Fake) Answer(fc *fakes.Call) fakes.Reply {
	c := f.call(fc)
	given, refused := c.attempt()
	switch {
	case refused != nil:
		return c.refuse(refused)
	case given.plain:
		return fakes.Reply{Status: given.status, Header: kit.Headers("Content-Type", given.kind), Body: given.text, Socket: given.socket}
	}
	body := given.fields
	body["ok"] = true
	if len(c.warnings) > 0 {
		body["warning"] = strings.Join(c.warnings, ",")
		meta, _ := body["response_metadata"].(map[string]any)
		if meta == nil {
			meta = map[string]any{}
		}
		meta["warnings"] = cast.Anys(c.warnings)
		if len(c.notes) > 0 {
			meta["messages"] = cast.Anys(c.notes)
		}
		body["response_metadata"] = meta
	}
	return kit.ValueReply(http.StatusOK, c.header(), body)
}

// call reads what every handler wants to know.
func (f *Fake) call(fc *fakes.Call) *call {
	c := &call{Call: fc, fake: f, args: map[string]any{}}
	if fc.Operation != nil {
		c.method = f.methods[strings.TrimPrefix(fc.Operation.Path, "/api/")]
	}
	for name, value := range fc.Input.Query {
		c.args[name] = value
	}
	for name, value := range fc.Input.Body {
		c.args[name] = value
	}
	delete(c.args, "token")
	return c
}

func (c *call) attempt() (answer, *refusal) {
	c.identify()
	if c.method.name != "" {
		if refused := c.admit(); refused != nil {
			return answer{}, refused
		}
	}
	return c.fake.handlers[c.Operation.ID](c)
}

// admit refuses what Slack refuses before it looks at what a method is told.
func (c *call) admit() *refusal {
	if refused := c.posted(); refused != nil {
		return refused
	}
	if !c.method.open {
		if refused := c.trust(); refused != nil {
			return refused
		}
	}
	if refused := c.limit(); refused != nil {
		return refused
	}
	if refused := c.entitle(); refused != nil {
		return refused
	}
	var missing []string
	for _, argument := range c.method.must {
		if _, given := c.args[argument]; !given {
			missing = append(missing, "[ERROR] missing required field: "+argument)
		}
	}
	if len(missing) > 0 {
		return &refusal{code: "invalid_arguments", messages: missing}
	}
	return nil
}

// posted refuses bodies of kinds that Slack does not read, and warns of
// charsets.
// Source: docs.slack.dev/apis/web-api, "POST bodies" and "warnings".
func (c *call) posted() *refusal {
	if c.Identity == fakes.Fixture || c.Operation.Method != http.MethodPost || len(c.Input.Body) == 0 && c.Input.Value == nil {
		return nil
	}
	declared := c.Header.Get("Content-Type")
	if declared == "" {
		return refuse("missing_post_type")
	}
	kind, parameters, err := mime.ParseMediaType(declared)
	charset := parameters["charset"]
	switch {
	case err != nil:
		return refuse("invalid_post_type")
	case charset != "" && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "iso-8859-1"):
		return refuse("invalid_charset")
	case kind == "application/json":
		if charset == "" {
			c.warn("missing_charset")
		}
	case kind == "application/x-www-form-urlencoded":
		if charset != "" {
			c.warn("superfluous_charset")
		}
	case kind != "multipart/form-data" && kind != "text/plain":
		return refuse("invalid_post_type")
	}
	return nil
}

func (c *call) warn(warning string) { c.warnings = append(c.warnings, warning) }

// header makes the headers of a reply.
func (c *call) header() http.Header {
	h := kit.Headers(
		"Content-Type", "application/json; charset=utf-8",
		"X-Slack-Req-Id", requestID(c.NewID("", 32)),
		"X-Oauth-Scopes", c.provided(),
		"X-Accepted-Oauth-Scopes", strings.Join(c.method.scopes, ","),
		"Cache-Control", "private, no-cache, no-store, must-revalidate",
	)
	return h
}

// refuse words a refusal.
func (c *call) refuse(r *refusal) fakes.Reply {
	header := c.header()
	if r.code == rateLimited {
		header.Set("Retry-After", seconds(r.wait))
	}
	if len(c.warnings) > 0 && len(r.messages) == 0 {
		r.warnings = c.warnings
	}
	return kit.ValueReply(r.status(), header, r.body())
}

// get gives a record by id.
func (c *call) get(collection, id string) (*world.Record, bool) {
	return c.fake.Get(c.Tx, collection, id)
}

func (c *call) create(collection, id string, value map[string]any) *world.Record {
	return c.fake.Create(c.Tx, collection, id, value)
}

func (c *call) update(collection, id string, value map[string]any) *world.Record {
	return c.fake.Update(c.Tx, collection, id, value)
}

func (c *call) remove(collection, id string) { c.fake.Delete(c.Tx, collection, id) }

// now is the call's instant in whole seconds since 1970.
func (c *call) now() int64 { return c.Now.Unix() }
