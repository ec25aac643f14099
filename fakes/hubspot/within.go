package hubspot

import (
	"net/http"
	"net/url"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// one is an input of a batch as the call that it would be by itself.
type one struct {
	method string
	id     string // of the record, "": none is named
	query  url.Values
	body   map[string]any
}

// each has an input of a batch met as a call of its own: by rules that name the
// operation for one record, and by their limits. do does it; what it shows, or
// why it was refused, may be another thing when such a rule has had its say.
func (c *call) each(o one, do func(*call) (map[string]any, *refusal)) (shown map[string]any, refused *refusal) {
	above, _, found := strings.Cut(fakes.PathTo(c.Operation, c.Input.Path), "/batch/")
	if o.id != "" {
		above += "/" + url.PathEscape(o.id)
	}
	m := c.Contract.Match(o.method, above)
	if !found || m.Operation == nil {
		return do(c)
	}
	part := fakes.Part{Operation: m.Operation, Path: above, Query: o.query.Encode(), Header: http.Header{}, Input: specs.Input{Path: m.Path, Body: o.body}}
	if o.body != nil {
		part.Header.Set("Content-Type", jsonType)
		part.Body = world.Encode(o.body)
	}
	for name := range o.query {
		if part.Input.Query == nil {
			part.Input.Query = map[string]any{}
		}
		part.Input.Query[name] = o.query.Get(name)
	}
	var said fakes.Reply
	reply := c.Carry(part, func(fc *fakes.Call) fakes.Reply {
		inner := *c
		inner.Call = fc
		if shown, refused = do(&inner); refused != nil {
			said = inner.refuse(refused)
		} else {
			said = inner.shows(o.method, shown)
		}
		c.minted = inner.minted
		return said
	})
	if reply.Status == said.Status && string(reply.Body) == string(said.Body) {
		return shown, refused
	}
	if reply.Status/100 == 2 {
		return reply.Result, nil
	}
	return nil, &refusal{status: reply.Status, category: cast.Text(reply.Result["category"]), message: cast.Text(reply.Result["message"])}
}

// shows is the reply to one call that went well.
func (c *call) shows(method string, shown map[string]any) fakes.Reply {
	header := kit.Headers(c.standing()...)
	switch {
	case shown == nil:
		return fakes.Reply{Status: http.StatusNoContent, Header: header}
	case method == http.MethodPost:
		header.Set("Content-Type", jsonType)
		return kit.ValueReply(http.StatusCreated, header, shown)
	}
	header.Set("Content-Type", jsonType)
	return kit.ValueReply(http.StatusOK, header, shown)
}

// asMade is an input that makes a record.
func asMade(input map[string]any) one {
	body := map[string]any{"properties": input["properties"]}
	if with := input["associations"]; with != nil {
		body["associations"] = with
	}
	return one{method: http.MethodPost, body: body}
}

// asChanged is an input that changes one.
func asChanged(input map[string]any) one {
	o := one{method: http.MethodPatch, id: cast.Plain(input["id"]), body: map[string]any{"properties": input["properties"]}}
	if by := cast.Text(input["idProperty"]); by != "" {
		o.query = url.Values{"idProperty": {by}}
	}
	return o
}
