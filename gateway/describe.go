package gateway

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs"
)

// shown are the request headers that are kept with an exchange. All others may
// hold secrets: what is not named here is not written anywhere.
var shown = []string{
	"Accept", "Baggage", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer",
	"Stripe-Version", "Traceparent", "Tracestate", "User-Agent", "X-Stainless-Retry-Count",
}

// describe fills in what the journal keeps of request and reply.
func (x *exchange) describe() {
	e := &x.entry
	if !x.described {
		x.described = true
		e.Header = x.shownHeader()
		e.Body = x.shownBody()
		e.Query = x.shownQuery()
	}
	e.Status, e.ReplyBody = x.reply.Status, x.reply.Body
	e.ReplyHeader = fields(x.reply.Header)
}

// shownQuery is the query without the values of parameters that the contract
// does not know, or that are secrets by their name.
func (x *exchange) shownQuery() string {
	raw := x.r.URL.RawQuery
	if raw == "" || x.op != nil && len(x.entry.Violations) == 0 && !strings.Contains(raw, "secret") {
		return raw
	}
	pairs := strings.Split(raw, "&")
	for i, pair := range pairs {
		if name, _, ok := strings.Cut(pair, "="); ok {
			pairs[i] = name + "=" + specs.Redacted
		}
	}
	return strings.Join(pairs, "&")
}

func (x *exchange) shownHeader() []trail.Field {
	kept := make([]trail.Field, 0, 8)
	for name, values := range x.r.Header {
		if len(values) == 0 || !slices.Contains(shown, name) && !strings.HasPrefix(name, "X-Agent-") {
			continue
		}
		kept = append(kept, trail.Field{Name: name, Value: values[0]})
	}
	slices.SortFunc(kept, func(a, b trail.Field) int { return strings.Compare(a.Name, b.Name) })
	return kept
}

// shownBody is the request's body as the journal keeps it: decoded, without
// what the contract calls a password. A body that no contract describes is not
// kept: nobody knows what is in it.
func (x *exchange) shownBody() []byte {
	if x.op == nil || len(x.input.Body) == 0 && x.input.Value == nil {
		return nil
	}
	return world.Encode(x.op.Redact(x.input.Content()))
}

func fields(h http.Header) []trail.Field {
	if len(h) == 0 {
		return nil
	}
	list := make([]trail.Field, 0, len(h))
	for name, values := range h {
		for _, v := range values {
			list = append(list, trail.Field{Name: name, Value: v})
		}
	}
	slices.SortStableFunc(list, func(a, b trail.Field) int { return strings.Compare(a.Name, b.Name) })
	return list
}
