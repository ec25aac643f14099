package exchange

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
	"parity/specs/body"
	"parity/specs/secret"
)

// shown are the request headers that are kept with an exchange, besides those
// that its operation takes. All others may hold secrets: what is not named here
// or in the contract is not written anywhere.
var shown = []string{
	"Accept", "Baggage", "Cache-Control", "Content-Type", "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "Pragma", "Prefer",
	"Stripe-Account", "Stripe-Version", "Traceparent", "Tracestate", "User-Agent", "X-Github-Api-Version", "X-Stainless-Retry-Count",
}

// describe fills in what the journal keeps of request and reply.
func (x *Exchange) describe() {
	e := &x.entry
	if !x.described {
		x.described = true
		e.Header = x.shownHeader()
		e.Body = x.shownBody()
		e.Query = x.shownQuery()
		if x.op == nil {
			e.Path = x.shownPath(nil)
		}
	}
	e.Status, e.ReplyBody = x.reply.Status, x.reply.Body
	e.ReplyHeader = Fields(x.reply.Header)
	if x.keeps != nil {
		x.keep()
	}
	x.shownLocation()
	if x.linked() {
		e.Base = x.base
	}
}

// shownQuery is the query without credentials, what the contract calls a
// password, and what looks like a secret; where something in it is not known,
// without any values.
func (x *Exchange) shownQuery() string {
	raw := x.r.URL.RawQuery
	if raw == "" {
		return raw
	}
	known := x.op != nil && len(x.entry.Violations) == 0
	var secrets []string
	if known {
		secrets = x.op.Secrets(x.input.Query)
	}
	pairs := strings.Split(raw, "&")
	found := map[string]bool{}
	for i, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if clean := x.rev.Profile.Secrets.Text(plain, x.hider()); err == nil && clean != plain {
			name = queryText(clean)
			pairs[i] = name + "=" + value
		}
		if !ok {
			pairs[i] = name
			if !known && len(pair) >= secret.Shortest {
				pairs[i] = x.hide("", pair)
			}
			continue
		}
		text, wrong := url.QueryUnescape(value)
		if wrong != nil {
			text = value
		}
		head, _, _ := strings.Cut(plain, "[")
		found[head] = true
		if !known || err != nil || slices.Contains(secrets, head) || x.secretly(plain, text) {
			pairs[i] = name + "=" + x.hide(plain, text)
		} else if clean := x.rev.Profile.Secrets.Text(text, x.hider()); clean != text {
			pairs[i] = name + "=" + queryText(clean)
		}
	}
	if slices.ContainsFunc(secrets, func(name string) bool { return !found[name] }) { // it is written in the names of its parts
		for i, pair := range pairs {
			if name, value, ok := strings.Cut(pair, "="); ok {
				pairs[i] = name + "=" + x.hide("", value)
			}
		}
	}
	return strings.Join(pairs, "&")
}

// queryText writes a text as part of a query, with its marks as they are.
func queryText(text string) string {
	return strings.NewReplacer("%28", "(", "%29", ")").Replace(url.QueryEscape(text))
}

// secretly tells whether a parameter, or a part of one, has the name of a secret:
// metadata[api_key].
func (x *Exchange) secretly(name, text string) bool {
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '[' || r == ']' || r == '.' }) {
		if x.rev.Profile.Secrets.Holds(part, text) {
			return true
		}
	}
	return false
}

func (x *Exchange) shownHeader() []trail.Field {
	kept := make([]trail.Field, 0, 8)
	for name, values := range x.r.Header {
		if name == "Accept-Encoding" && x.plan.Encoding == faults.AsAsked && len(values) > 0 { // what the reply was encoded by
			kept = append(kept, trail.Field{Name: name, Value: strings.Join(values, ", ")})
			continue
		}
		credential := x.served() && x.service.Contract.Credential("header", name)
		if len(values) > 0 && x.elsewhere(name) {
			kept = append(kept, trail.Field{Name: name, Value: "digest " + x.identity})
			x.shows(name, values, credential)
			continue
		}
		takes := x.op != nil && x.op.Takes(name)
		if len(values) == 0 || !slices.Contains(shown, name) && !strings.HasPrefix(name, "X-Agent-") && !takes || credential {
			x.shows(name, values, credential)
			continue
		}
		value := x.rev.Profile.Secrets.Text(values[0], x.hider())
		if x.rev.Profile.Secrets.Holds(name, values[0]) || takes && x.op.SecretHeader(name) {
			value = x.hide(name, values[0])
			x.shows(name, values, true)
		}
		kept = append(kept, trail.Field{Name: name, Value: value})
	}
	slices.SortFunc(kept, func(a, b trail.Field) int { return strings.Compare(a.Name, b.Name) })
	return kept
}

// shownLocation keeps from where a reply sends the client what is not kept of
// the request's query.
func (x *Exchange) shownLocation() {
	raw := x.r.URL.RawQuery
	if raw == "" || raw == x.entry.Query {
		return
	}
	for i, f := range x.entry.ReplyHeader {
		if f.Name == "Location" {
			x.entry.ReplyHeader[i].Value = strings.ReplaceAll(f.Value, raw, x.entry.Query)
		}
	}
}

// elsewhere names the credentials that came to another host than the service's
// own, or to where nothing answers: a client has taken them there. Of each its
// name is kept, and the digest that stands for who it is.
func (x *Exchange) elsewhere(name string) bool {
	if x.op == nil {
		return name == "Authorization" || name == "Cookie" || x.served() && x.service.Contract.Credential("header", name)
	}
	return x.served() && strings.HasPrefix(x.entry.Host, faults.Moved) &&
		(name == "Authorization" || name == "Cookie" || x.service.Contract.Credential("header", name))
}

// shownBody is the request's body as the journal keeps it: decoded, without
// what the contract calls a password or looks like a secret. A body that no contract describes is not
// kept: nobody knows what is in it.
func (x *Exchange) shownBody() []byte {
	if x.op == nil || len(x.input.Body) == 0 && x.input.Value == nil {
		x.overhears(x.body)
		return nil
	}
	for _, part := range x.input.Parts {
		x.overhearsPart(part)
	}
	if x.within.parts != nil && body.Kind(x.r.Header.Get("Content-Type")) == "multipart/mixed" { // what is in it is in the record of its parts
		x.overhears(x.body)
		return world.Encode(x.op.Redact(x.input.Content(), Marks(x.run.Seed)))
	}
	return world.Encode(x.op.Redact(x.clean(x.input.Content()), x.hider()))
}

// Fields are headers as the journal has them: in order.
func Fields(h http.Header) []trail.Field {
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

// linked tells whether the reply has links to where this client reached the
// service, and that cannot be told from the host alone.
func (x *Exchange) linked() bool {
	if x.base == "" || x.base == "https://"+x.entry.Host {
		return false
	}
	if x.reply.Status/100 == 3 && x.reply.Header.Get("Location") != "" {
		return true // where it leads follows from it
	}
	if x.links { // what the fake said in place of it, which it may have kept
		return true
	}
	_, schemeless, _ := strings.Cut(x.base, ":") // a websocket's address has another
	return secret.Contains(x.reply.Body, schemeless) ||
		slices.ContainsFunc(x.entry.ReplyHeader, func(f trail.Field) bool { return strings.Contains(f.Value, x.base) })
}
