package generic

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/openapi"
	"parity/specs/sample"
	"parity/specs/schema"
	"parity/specs/words"
)

// A refusal says why a call is turned down.
type refusal struct {
	status  int
	code    string
	number  bool // the code is one
	message string
	field   string
	res     *resource
	id      string
	header  http.Header
}

// missing refuses what is not there.
func missing(r *resource, id string) *refusal {
	return &refusal{status: http.StatusNotFound, code: "not_found", res: r, id: id}
}

// words is the text of a refusal: its own, or the usual one.
func (r *refusal) words() string {
	if r.message != "" {
		return r.message
	}
	what := "resource"
	if r.res != nil {
		what = strings.ReplaceAll(words.Singular(r.res.Name), "_", " ")
	}
	switch r.code {
	case "not_found":
		if r.id == "" {
			return fmt.Sprintf("No such %s.", what)
		}
		return fmt.Sprintf("No such %s: %s", what, r.id)
	case "already_exists":
		return fmt.Sprintf("The %s %s already exists.", what, r.id)
	case "precondition_failed":
		return fmt.Sprintf("The %s has changed since it was read.", what)
	}
	return http.StatusText(r.status)
}

// refuse words a refusal as the contract says for this operation and status.
func (c *call) refuse(r *refusal) fakes.Reply {
	r = c.fake.rules.reworded(r)
	if own := c.plan.meant(r.code); own != 0 && c.plan.failure(r.status).of == nil {
		r.status = own
	}
	if r.status == http.StatusConflict || r.status == http.StatusBadRequest {
		r.status = c.plan.nearest(r.status, http.StatusUnprocessableEntity, http.StatusBadRequest)
	}
	reply := c.fake.worded(r, c.plan.failure(r.status), c.fake.fixed("refusal", c.fake.service, r.code))
	return c.obliged(reply, c.plan.failure(r.status))
}

// worded puts a refusal into the shape that a reply wants, or into that of the
// service's errors.
func (f *Fake) worded(r *refusal, t target, from source) fakes.Reply {
	reply := fakes.Reply{Status: r.status, Header: http.Header{}, Fidelity: fakes.Generic}
	maps.Copy(reply.Header, r.header)
	s, media := t.schema(), f.model.Errors.Media
	switch {
	case t.media != nil:
		media = t.media.Type
	default: // a contract that tells the status alone has left out what is in the body
		s = f.model.Errors.Schema
	}
	if media == "" {
		media = "application/problem+json"
	}
	if kind := body.Kind(media); !body.IsJSON(kind) && !strings.HasSuffix(kind, "xml") && !strings.HasSuffix(kind, "*") && !strings.Contains(kind, "form") {
		reply.Header.Set("Content-Type", media)
		reply.Body = []byte(r.words())
		return reply
	}
	said := f.wording(f.coded(r, t), s, from)
	if object, ok := said.(map[string]any); ok && t.media == nil && r.code != "" && f.places(s).code == "" && object["code"] == nil && !typed(s).Closed {
		object["code"] = r.written() // what it looks like is not said here, and clients read it
	}
	encode(&reply, openapi.Media{Type: media, Schema: s}, said)
	return reply
}

// wording is the body of a refusal.
func (f *Fake) wording(r *refusal, s *schema.Schema, from source) any {
	var body any
	put := func(at string, known bool, value any) {
		if !known {
			return
		}
		p := pointer(at)
		if place := f.library.at(s, p); s == nil || place != nil || len(f.rules.shape) > 0 {
			if place != nil {
				fitted, ok := f.fitted(f.library.form(f.library.at(s, p[:len(p)-1])), p[len(p)-1], value)
				if !ok {
					return
				}
				value = fitted
			}
			body = p.put(body, value)
		}
	}
	places := f.places(s)
	if s == nil && places == (errorPlaces{}) {
		return problemOf(r)
	}
	put(places.status, places.status != "", int64(r.status))
	put(places.code, places.code != "" && r.code != "", r.written())
	put(places.message, places.message != "", r.words())
	put(places.field, places.field != "" && r.field != "", r.field)
	shape := f.library.form(s)
	for name, usual := range map[string]string{"title": http.StatusText(r.status), "type": "about:blank"} {
		at := specs.Pointer(name)
		if field := shape.fields[name]; field != nil && at != places.message && at != places.code && fits(field, usual, 0) && shape.has("detail") {
			put(at, true, usual)
		}
	}
	if s == nil {
		return world.Normalise(body)
	}
	if v := typed(s); body == nil && len(shape.names) == 0 && (len(v.Types) == 0 || v.Is("object") && f.library.Fits(s, problemOf(r), sample.Reply)) {
		return problemOf(r)
	}
	plain := world.Normalise(body)
	full, said := f.told(r, s, "error", plain, 0)
	if !said {
		full = plain
	}
	if full == nil {
		return from.value(s, "error")
	}
	if object, ok := full.(map[string]any); ok {
		full = from.least(s, object)
	}
	if object, ok := plain.(map[string]any); ok && !f.library.Fits(s, full, sample.Reply) {
		return from.least(s, object)
	}
	return full
}

// problemOf is a refusal in the shape of RFC 9457, where the contract has none.
func problemOf(r *refusal) any {
	body := map[string]any{
		"type": "about:blank", "title": http.StatusText(r.status), "status": int64(r.status), "detail": r.words(),
		"message": r.words(), // what most clients read
	}
	if r.code != "" {
		body["code"] = r.written()
	}
	return body
}

// written gives the code as it stands in a reply.
func (r *refusal) written() any {
	if n := numberOf(r.code); r.number && n != nil {
		return n
	}
	return r.code
}

// errorPlaces are where the parts of an error stand; "" for nowhere.
type errorPlaces struct{ message, code, status, field string }

// places finds them: those of the behaviour file, those that were inferred for
// this very schema, or by their usual names.
func (f *Fake) places(s *schema.Schema) errorPlaces {
	if shape := f.rules.shape; len(shape) > 0 {
		return errorPlaces{shape["message"], shape["code"], shape["status"], shape["field"]}
	}
	e := f.model.Errors
	if s == nil || same(s, e.Schema) {
		return errorPlaces{message: e.Message, code: e.Code, status: e.Status}
	}
	var found errorPlaces
	look(s, "", &found, 0)
	return found
}

var usualPlaces = []struct {
	into  func(*errorPlaces) *string
	names []string
	types string
}{
	{func(e *errorPlaces) *string { return &e.message }, []string{"message", "detail", "error_message", "error_description", "errorSummary", "description", "summary", "msg", "errorMessage", "reason", "title", "error", "text"}, "string"},
	{func(e *errorPlaces) *string { return &e.code }, []string{"code", "error_code", "errorCode", "error_type", "type", "error"}, "string"},
	{func(e *errorPlaces) *string { return &e.status }, []string{"status", "statusCode", "status_code", "http_status", "code"}, "integer"},
}

// look finds an error's parts by their usual names, at most two objects deep.
func look(s *schema.Schema, at string, found *errorPlaces, depth int) {
	f := formOf(s)
	for _, place := range usualPlaces {
		into := place.into(found)
		for _, name := range place.names {
			own := at + specs.Pointer(name)
			if *into != "" || own == found.message || own == found.code {
				continue
			}
			if field := f.fields[name]; field != nil && typed(field).Is(place.types) && len(typed(field).Types) > 0 {
				*into = own
			}
		}
	}
	if depth == 2 {
		return
	}
	for _, name := range f.names {
		inner := typed(f.fields[name])
		switch {
		case found.message != "":
		case len(formOf(f.fields[name]).names) > 0:
			look(f.fields[name], at+specs.Pointer(name), found, depth+1)
		case inner.Items != nil && (name == "errors" || name == "error"):
			look(inner.Items, at+specs.Pointer(name)+"/0", found, depth+1)
		}
	}
}
