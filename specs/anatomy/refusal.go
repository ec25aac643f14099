package anatomy

import (
	"strings"

	"parity/specs/openapi"
	"parity/specs/schema"
)

// errors finds how refusals are worded, by the schema that most of them have.
func (in *inference) errors() Errors {
	type seen struct {
		count int
		order int
		media string
		s     *schema.Schema
	}
	found := map[*schema.Schema]*seen{}
	note := func(m *openapi.Media, weight int) {
		s := in.core(schemaOf(m))
		if s == nil || !strings.Contains(m.Type, "json") && !strings.Contains(m.Type, "*") {
			return
		}
		if found[s] == nil {
			found[s] = &seen{order: len(found), media: m.Type, s: s}
		}
		found[s].count += weight
	}
	for _, c := range in.calls {
		for i := range c.responses {
			switch r := &c.responses[i]; {
			case len(r.Status) == 3 && (r.Status[0] == '4' || r.Status[0] == '5'):
				note(pick(r.Content), 2)
			case r.Status == "DEFAULT":
				note(pick(r.Content), 1)
			}
		}
	}
	var best *seen
	for _, s := range found {
		if best == nil || s.count > best.count || s.count == best.count && s.order < best.order {
			best = s
		}
	}
	if best == nil {
		return Errors{}
	}
	e := Errors{Schema: best.s, Media: best.media}
	in.worded(&e, best.s, "", 0)
	return e
}

// worded finds message, code and status, at the top before deeper.
func (in *inference) worded(e *Errors, s *schema.Schema, path string, depth int) {
	if items := in.items(s); items != nil {
		s, path = items, path+"/0"
	}
	if in.kind(s) == "string" {
		if e.Message == "" && depth > 0 {
			e.Message = path
		}
		return
	}
	shape := in.shape(s)
	find := func(to *string, kinds string, names ...string) {
		for _, name := range names {
			f := shape.get(name)
			if f == nil || *to != "" {
				continue
			}
			if kind := in.kind(f.schema); kind == "" && name != "error" || kind != "" && strings.Contains(kinds, kind) {
				*to = path + token(f.name)
			}
		}
	}
	find(&e.Message, "string", "message", "detail", "errormessage", "errorsummary", "errordescription", "errordetail", "errortext", "userfacingmessage", "developermessage", "description", "summary", "msg", "title", "reason", "error", "text", "errormsg", "faultstring", "moreinfo")
	find(&e.Status, "integer number", "status", "statuscode", "httpstatus", "httpstatuscode", "code")
	if e.Message != "" {
		find(&e.Code, "string", "code", "errorcode", "errorname", "type", "error", "reason", "errortype", "key", "kind", "name")
	}
	find(&e.Status, "string", "status", "statuscode")
	if e.Code == e.Message {
		e.Code = ""
	}
	if depth >= 2 || e.Message != "" && depth > 0 {
		return
	}
	for _, name := range []string{"error", "errors", "fault", "err", "errormessages", "messages", "details", "data", "meta", "status", "response"} {
		f := shape.get(name)
		if f == nil || e.Message != "" && name != "error" && name != "errors" {
			continue
		}
		switch in.kind(f.schema) {
		case "object", "array", "":
			in.worded(e, f.schema, path+token(f.name), depth+1)
		}
	}
}
