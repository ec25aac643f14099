package stripe

import (
	"maps"
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A call is one request under way: what came, and what every reply to it says.
type call struct {
	*fakes.Call
	fake    *Fake
	request string // the Request-Id
	key     string // the Idempotency-Key; "" where there is none
	version string // the Stripe-Version
	expand  []string
	counts  bool // a list says how many it has in all
	drafts  []drafted
	account string // the connected account that it is for; "": the platform
	away    bool   // Stripe charges on its own: nobody is there to authenticate
	attends bool   // the customer is there, and authenticates

	previews bool          // what is done is shown and given up again
	shown    *world.Record // the invoice that it would make

	clock string    // the test clock that the call goes by; "" for the run's
	wall  time.Time // the run's time, where the call goes by another
}

// A handler answers one operation. It refuses before it writes anything, but
// for a declined card: that leaves its trace, as it does at Stripe.
type handler func(*call) (answer, *refusal)

// An answer is a record, a page, or a value made for the call.
type answer struct {
	record     *world.Record
	collection string // of the record, or of the page's items
	page       *kit.Page
	value      map[string]any // what is no record
	found      map[string]any // what a search found: its envelope, but for the items
	items      []any          // of a search, or of a list that stands in a record
}

// Answer plays one call.
func (f *Fake) Answer(fc *fakes.Call) fakes.Reply {
	c := &call{Call: fc, fake: f, key: f.Key(fc), version: fc.Header.Get("Stripe-Version")}
	if c.version == "" {
		c.version = f.version
	}
	c.request = fc.NewID("req_", 14)
	if refused := c.behalf(); refused != nil {
		return c.refuse(refused)
	}
	if c.key == "" {
		reply, _ := c.attempt()
		return reply
	}
	return c.once()
}

// attempt answers without regard to what was answered before. Saved tells
// whether the answer belongs to the call's key: Stripe keeps it once a call
// was found good and its execution began.
func (c *call) attempt() (reply fakes.Reply, saved bool) {
	refused := c.expansions()
	if refused != nil {
		return c.refuse(refused), false
	}
	on, refused := c.byClock()
	if refused != nil {
		return c.refuse(refused), !refused.unsaved
	}
	given, refused := c.fake.handlers[c.Operation.ID](on)
	if refused != nil {
		return c.refuse(refused), !refused.unsaved
	}
	return c.give(given), true
}

func (c *call) give(a answer) fakes.Reply {
	header := c.header("false")
	if c.account != "" {
		header[accountHeader] = []string{c.account}
	}
	if a.page != nil || a.items != nil {
		return c.givePage(a, header)
	}
	if a.value == nil && len(c.expand) == 0 && !c.reshapes(a.collection) {
		return kit.RecordReply(http.StatusOK, header, a.record)
	}
	value := a.value
	if value == nil {
		value = c.expanded(a.collection, a.record.Value())
	} else if a.collection != "" {
		value = c.expanded(a.collection, value)
	}
	return kit.ValueReply(http.StatusOK, header, cast.Object(c.reshaped(value)))
}

func (c *call) givePage(a answer, header http.Header) fakes.Reply {
	envelope := map[string]any{
		"object": "list", "has_more": false, "url": kit.Path(c.Operation.Path, c.Input.Path),
	}
	maps.Copy(envelope, a.found)
	if a.page != nil {
		envelope["has_more"] = a.page.More
		if len(c.expand) == 0 && !c.reshapes(a.collection) {
			return kit.PageReply(header, envelope, kit.ItemsKey, *a.page)
		}
		a.items = kit.Values(a.page.Records)
	}
	envelope[kit.ItemsKey] = a.items
	if a.collection != "" {
		envelope = c.expandedItems(a.collection, envelope)
	}
	return kit.ValueReply(http.StatusOK, header, cast.Object(c.reshaped(envelope)))
}

// refuse words a refusal. Whether it is stored under the call's key is decided
// by once.
func (c *call) refuse(r *refusal) fakes.Reply {
	reply := kit.ValueReply(r.status, c.header(r.retry()), r.body(c.request, c.Now))
	if r.status == http.StatusUnauthorized {
		reply.Header.Set("Www-Authenticate", `Basic realm="Stripe"`)
	}
	return reply
}

// header makes the headers that every reply carries. Stripe-Should-Retry and
// the echoes of the key are on keyed calls only, as recorded.
func (c *call) header(retry string) http.Header {
	if c.key == "" {
		echo := ""
		if c.Operation.Method == http.MethodDelete { // which takes no key, and says it back
			echo = c.Header.Get("Idempotency-Key")
		}
		return kit.Headers(
			"Content-Type", "application/json",
			"Idempotency-Key", echo,
			"Request-Id", c.request,
			"Stripe-Version", c.version,
		)
	}
	return kit.Headers(
		"Content-Type", "application/json",
		"Request-Id", c.request,
		"Stripe-Version", c.version,
		"Idempotency-Key", c.key,
		"Original-Request", c.request,
		"Stripe-Should-Retry", retry,
	)
}

// at is the call at another instant.
func (c *call) at(instant int64) *call {
	of, other := *c.Call, *c
	of.Now = time.Unix(instant, 0).UTC()
	other.Call, other.wall = &of, c.present()
	return &other
}

// present is the run's time: what is sent and indexed goes by that.
func (c *call) present() time.Time {
	if c.wall.IsZero() {
		return c.Now
	}
	return c.wall
}

// now is the call's instant as Stripe writes time: whole seconds since 1970.
func (c *call) now() int64 { return c.Now.Unix() }

// text gives a body parameter that is text; "" when it is absent.
func (c *call) text(parameter string) string { return cast.Text(c.Input.Body[parameter]) }

// query gives a query parameter that is text; "" when it is absent.
func (c *call) query(parameter string) string { return cast.Text(c.Input.Query[parameter]) }

// integer gives a body parameter that is a whole number; ok tells whether it
// was sent.
func (c *call) integer(parameter string) (n int64, ok bool) {
	n, ok = c.Input.Body[parameter].(int64)
	return n, ok
}

// flag gives a body parameter that is a boolean.
func (c *call) flag(parameter string) bool { return cast.Bool(c.Input.Body[parameter]) }

// has tells whether a body parameter was sent.
func (c *call) has(parameter string) bool {
	_, sent := c.Input.Body[parameter]
	return sent
}
