package generic

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/class"
	"parity/specs/schema"
)

// mostWithin is how many calls one call may carry.
const mostWithin = 1000

// tooMany refuses a list of more: each in it is an event, and a gate that is about
// one of them is about each.
func tooMany() *refusal {
	return &refusal{status: http.StatusRequestEntityTooLarge, code: "too_large", message: "The list has more than " + strconv.Itoa(mostWithin) + " entries; send fewer at once."}
}

// within are the calls that a call to an operation for batches carries.
func (c *call) within() []class.Call {
	if c.plan.res != nil && !c.plan.batches || c.Operation.Method == http.MethodGet {
		return nil
	}
	all, told := class.Calls(c.Operation, class.Request{Method: c.Operation.Method, Header: c.Header, Input: c.Input, Body: c.Body})
	if !told || len(all) > mostWithin {
		return nil
	}
	return all
}

// answered is what a call of a batch was answered.
type answered struct {
	call  class.Call
	reply fakes.Reply
}

// answerEach answers the calls of a batch, each as if it had come by itself, and
// gives the replies in the contract's form.
func (c *call) answerEach(calls []class.Call) fakes.Reply {
	all := make([]answered, len(calls))
	for i, one := range calls {
		all[i] = answered{one, c.inner(one)}
	}
	if kind := c.Header.Get("Content-Type"); strings.HasPrefix(body.Kind(kind), "multipart/") {
		return c.inParts(all)
	}
	t := c.success()
	if t.media == nil || !isJSON(t.media.Type) {
		return fakes.Reply{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: world.Encode(map[string]any{"responses": usualList(all)})}
	}
	return c.obliged(c.written(fakes.Reply{Status: t.status, Header: http.Header{}}, t, world.Normalise(c.inForm(t, all))), t)
}

// inner answers one of them.
func (c *call) inner(one class.Call) fakes.Reply {
	path, query, ok := one.Place()
	method := strings.ToUpper(one.Method)
	trouble := fakes.Problem{Kind: fakes.NoOperation, Method: method, Path: path, Header: one.Request.Header}
	if !ok {
		return c.fake.Render(trouble)
	}
	for _, above := range class.Places(c.Operation) {
		m := c.Contract.Match(method, above+path)
		if m.Operation == nil || m.Operation == c.Operation {
			continue
		}
		header, sent := one.Request.Header.Clone(), one.Request.Body
		if content := one.Request.Input.Content(); content != nil {
			sent = world.Encode(content)
			header.Set("Content-Type", "application/json")
		}
		input, wrong := m.Operation.Read(specs.Request{Path: m.Path, Query: query, Header: header, Body: sent})
		if len(specs.Refused(wrong)) > 0 {
			trouble.Kind, trouble.Violations = fakes.BadRequest, wrong
			return c.fake.Render(trouble)
		}
		input.Query = m.Operation.Anonymous(input.Query)
		return c.Carry(fakes.Part{Operation: m.Operation, Path: above + path, Query: query, Header: header, Input: input, Body: sent}, c.fake.Answer)
	}
	return c.fake.Render(trouble)
}

// inParts gives the replies as multipart/mixed.
func (c *call) inParts(all []answered) fakes.Reply {
	boundary := "batchresponse_" + c.NewID("", 32)
	var out bytes.Buffer
	for _, a := range all {
		kit.WritePart(&out, boundary, a.call.Name, a.reply)
	}
	kit.EndParts(&out, boundary)
	return fakes.Reply{Status: http.StatusOK, Header: http.Header{"Content-Type": {"multipart/mixed; boundary=" + boundary}}, Body: out.Bytes()}
}

// inForm gives the replies in the list that the contract's reply has for them; where
// it has none, as Microsoft Graph does.
// Source: learn.microsoft.com/graph/json-batching.
func (c *call) inForm(t target, all []answered) any {
	s := typed(t.schema())
	if s != nil && s.Items != nil {
		return c.list(s.Items, all)
	}
	object := map[string]any{}
	if s == nil {
		object["responses"] = usualList(all)
		return object
	}
	f := c.fake.library.form(t.schema())
	for _, name := range f.names {
		field := typed(f.fields[name])
		if field.Items != nil && len(statuses(c.fake.library.form(field.Items))) > 0 {
			list := c.list(field.Items, all)
			return path{name}.put(cast.Object(c.completed(t, object, path{name}, list)), list)
		}
	}
	object["responses"] = usualList(all)
	return object
}

// list gives each reply as the contract has it.
func (c *call) list(item *schema.Schema, all []answered) []any {
	f := c.fake.library.form(item)
	list := make([]any, len(all))
	for i, a := range all {
		shown := map[string]any{}
		for _, name := range f.names {
			if value, ok := a.field(plainly(name), typed(f.fields[name])); ok {
				shown[name] = value
			}
		}
		list[i] = c.source().least(item, shown)
	}
	return list
}

// statuses are the fields of a reply that say how a call went.
func statuses(f *form) []string {
	return slices.DeleteFunc(slices.Clone(f.names), func(name string) bool {
		return !slices.Contains([]string{"status", "code", "statuscode", "httpstatus", "httpcode"}, plainly(name))
	})
}

// field is what a reply has under a name.
func (a *answered) field(name string, as *schema.View) (any, bool) {
	switch name {
	case "id", "bulkid", "requestid", "customid", "contentid":
		return a.call.Name, a.call.Name != ""
	case "method":
		return a.call.Method, true
	case "url", "path":
		return a.call.Target, true
	case "location":
		at := a.reply.Header.Get("Location")
		return at, at != ""
	case "status", "code", "statuscode", "httpstatus", "httpcode":
		if as.Is("string") {
			return cast.Plain(int64(a.reply.Status)), true
		}
		return int64(a.reply.Status), true
	case "success", "ok", "succeeded":
		return a.reply.Status/100 == 2, as.Is("boolean")
	case "headers", "header":
		return headersOf(a.reply), true
	case "body", "response", "result", "data", "content", "value":
		if as.Is("string") {
			return string(a.reply.Body), true
		}
		return a.content()
	case "error", "errors":
		if a.reply.Status < http.StatusBadRequest {
			return nil, false
		}
		return a.content()
	}
	return nil, false
}

// content is what the call was answered with.
func (a *answered) content() (any, bool) {
	if a.reply.Result != nil {
		return a.reply.Result, true
	}
	value, wrong := body.DecodeJSON(a.reply.Body)
	return value, wrong == nil
}

func headersOf(r fakes.Reply) map[string]any {
	shown := map[string]any{}
	for name, values := range r.Header {
		shown[name] = strings.Join(values, ", ")
	}
	return shown
}

// usualList gives the replies as Microsoft Graph does.
func usualList(all []answered) []any {
	list := make([]any, len(all))
	for i := range all {
		a := &all[i]
		shown := map[string]any{"status": int64(a.reply.Status), "headers": headersOf(a.reply)}
		if a.call.Name != "" {
			shown["id"] = a.call.Name
		}
		if value, ok := a.content(); ok {
			shown["body"] = value
		}
		list[i] = shown
	}
	return list
}
