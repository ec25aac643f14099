package shadow

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/body"
)

// located is the act of a line, or why it is none.
func (o *Options) located(l *Line) (Act, string) {
	service, method, path, why := o.called(l)
	if why != "" {
		return Act{}, why
	}
	act := Act{Contract: service.Contract, At: l.At, Person: &trail.HumanAct{Line: l.Number, At: l.At.Format(time.RFC3339), By: l.By}}
	var query string
	if values, ok := l.Path.(map[string]any); ok {
		if act.Operation, act.Input.Path, why = filled(service, method, path, values); why != "" {
			return act, why
		}
	} else if act.Operation, act.Input.Path, query, why = matched(service, method, path, l.Body); why != "" {
		return act, why
	}
	act.Input = Said(act.Operation, act.Input.Path, query, l.Body)
	act.Class = o.Class(act.Operation, act.Input)
	return act, ""
}

// called takes a line's call apart: "stripe POST /v1/refunds", "POST
// https://api.stripe.com/v1/refunds", or "stripe POST" with the path beside it.
func (o *Options) called(l *Line) (s fakes.Service, method, path, why string) {
	fields := strings.Fields(l.Call)
	if len(fields) > 0 && isMethod(fields[0]) {
		fields = append([]string{""}, fields...)
	}
	if len(fields) < 2 || !isMethod(fields[1]) {
		return s, "", "", "its call is not written as SERVICE METHOD PATH"
	}
	method, path = strings.ToUpper(fields[1]), strings.Join(fields[2:], " ")
	if said, ok := l.Path.(string); ok && said != "" {
		if strings.ContainsRune(path, '{') && !sameShape(path, said) {
			return s, "", "", "its path is none of its call"
		}
		path = said
	}
	host := ""
	if at, err := url.Parse(path); err == nil && at.Host != "" {
		host, path = at.Hostname(), strings.TrimPrefix(path, at.Scheme+"://"+at.Host)
	}
	var ok bool
	if s, ok = o.Catalogue.Service(fields[0]); !ok && host != "" && fields[0] == "" {
		s, ok = o.Catalogue.ByHost(host)
	}
	switch {
	case !ok && fields[0] == "":
		return s, "", "", "it names no service that is played here"
	case !ok || s.Contract == nil:
		return s, "", "", "no service " + short(fields[0]) + " is played here"
	case o.Services != nil && !slices.Contains(o.Services, s.Name):
		return s, "", "", "the run was not about " + s.Name
	case path == "":
		return s, "", "", "it says no path"
	}
	return s, method, path, ""
}

func isMethod(word string) bool {
	switch strings.ToUpper(word) {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return word == strings.ToUpper(word)
	}
	return false
}

// sameShape tells whether a path could be one of those that a contract writes so,
// also where a base path stands before one of them.
func sameShape(template, path string) bool {
	path, _, _ = strings.Cut(path, "?")
	if at, err := url.Parse(path); err == nil && at.Host != "" {
		path = at.EscapedPath()
	}
	parts, own := strings.Split(strings.Trim(template, "/"), "/"), strings.Split(strings.Trim(path, "/"), "/")
	if len(own) > len(parts) {
		own = own[len(own)-len(parts):]
	} else {
		parts = parts[len(parts)-len(own):]
	}
	for i, part := range parts {
		if !strings.ContainsRune(part, '{') && part != own[i] {
			return false
		}
	}
	return true
}

// filled finds the operation of a path as its contract writes it, and reads its
// parameters.
func filled(s fakes.Service, method, path string, values map[string]any) (*specs.Operation, map[string]string, string) {
	op := named(s, method, path)
	if op == nil {
		return nil, nil, "no operation of " + s.Name + " is written so"
	}
	found := map[string]string{}
	for _, name := range parameters(op.Path) {
		text, ok := plain(values[name])
		if !ok || text == "" {
			return nil, nil, fmt.Sprintf("its path does not say which %s", name)
		}
		found[name] = text
	}
	return op, found, ""
}

// named finds an operation as profiles write it: with the base path of its service
// or without, whatever its parameters are called.
func named(s fakes.Service, method, path string) *specs.Operation {
	if op, ok := s.Contract.Operation(method + " " + path); ok {
		return op
	}
	for _, op := range s.Contract.Operations {
		if op.Method == method && op.Bare() == path {
			return op
		}
	}
	return nil
}

// parameters are those that a path has.
func parameters(path string) (all []string) {
	for {
		_, rest, ok := strings.Cut(path, "{")
		if !ok {
			return all
		}
		var name string
		if name, path, ok = strings.Cut(rest, "}"); !ok {
			return all
		}
		all = append(all, name)
	}
}

// matched finds the operation of a path as it was called.
func matched(s fakes.Service, method, target string, said any) (op *specs.Operation, path map[string]string, query, why string) {
	if len(parameters(target)) > 0 {
		return nil, nil, "", "it does not say which " + strings.Join(parameters(target), ", which ")
	}
	called, query, _ := strings.Cut(target, "?")
	if !strings.HasPrefix(called, "/") {
		called = "/" + called
	}
	call := &specs.Call{Method: method, Path: escaped(called), Query: query, Header: http.Header{}}
	if text, ok := said.(string); ok {
		call.Body = []byte(text)
		call.Header.Set("Content-Type", form)
	}
	tries := []func(*specs.Call) specs.Match{
		s.Contract.MatchCall, s.Contract.MatchBare,
		func(c *specs.Call) specs.Match { m, _ := s.Contract.MatchLenient(c); return m },
	}
	for _, try := range tries {
		if m := try(call); m.Operation != nil {
			return m.Operation, m.Path, query, ""
		}
	}
	if rest, ok := strings.CutPrefix(call.Path, "/"+s.Name+"/"); ok { // as at a gateway's base URL
		return matched(s, method, "/"+rest+"?"+query, said)
	}
	return nil, nil, "", "it matches no operation of " + s.Name
}

// escaped has the bytes of a path escaped that no path may have.
func escaped(path string) string {
	const hex = "0123456789abcdefABCDEF"
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case c == '%' && (i+2 >= len(path) || !strings.ContainsRune(hex, rune(path[i+1])) || !strings.ContainsRune(hex, rune(path[i+2]))):
			b.WriteString("%25")
		case c <= ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// form is the content type of forms.
const form = "application/x-www-form-urlencoded"

// Said is what a call says whose operation is known: its body is decoded JSON, or
// text, which may be JSON or a form where the operation takes one.
func Said(op *specs.Operation, path map[string]string, query string, said any) specs.Input {
	read, _ := op.Read(specs.Request{Path: path, Query: query, Header: http.Header{}})
	in := specs.Input{Path: path, Query: read.Query}
	switch said := said.(type) {
	case nil:
	case map[string]any:
		in.Body = said
		if bracketed(said) {
			in.Body = formBody(op, path, encoded(said))
		}
	case string:
		in.Body, in.Value = textBody(op, path, said)
	default:
		in.Value = said
	}
	return in
}

// textBody reads a body that is given as text.
func textBody(op *specs.Operation, path map[string]string, text string) (map[string]any, any) {
	if text == "" {
		return nil, nil
	}
	value, wrong := body.DecodeJSON([]byte(text))
	if fields, ok := value.(map[string]any); ok && wrong == nil {
		return fields, nil
	}
	if list, ok := value.([]any); ok && wrong == nil {
		return nil, list
	}
	if takes(op, form) && strings.ContainsRune(text, '=') {
		return formBody(op, path, text), nil
	}
	return nil, text
}

func takes(op *specs.Operation, kind string) bool {
	for _, k := range op.BodyKinds() {
		if body.Kind(k) == kind {
			return true
		}
	}
	return false
}

func formBody(op *specs.Operation, path map[string]string, text string) map[string]any {
	in, _ := op.Read(specs.Request{Path: path, Header: http.Header{"Content-Type": {form}}, Body: []byte(text)})
	return in.Body
}

// bracketed tells fields that are written as those of a form: metadata[order].
func bracketed(fields map[string]any) bool {
	for name := range fields {
		if strings.HasSuffix(name, "]") && strings.ContainsRune(name, '[') {
			return true
		}
	}
	return false
}

// encoded writes the plain ones of such fields as a form.
func encoded(fields map[string]any) string {
	values := url.Values{}
	for name, value := range fields {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, v := range list {
			if text, ok := plain(v); ok {
				values.Add(name, text)
			}
		}
	}
	return values.Encode()
}

// plain is a value that is no object or list, as text.
func plain(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}
