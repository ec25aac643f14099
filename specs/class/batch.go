package class

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parity/specs"
)

// Bounds on a batch.
const (
	maxParts    = 1000
	maxPath     = 8 << 10 // bytes of one part's path
	maxSections = 4       // multipart bodies inside multipart bodies
)

// A Call is one of a batch as it was written.
type Call struct {
	Name    string // by which its answer is told apart: an id, or what the list calls it; "": nothing
	Method  string // as it was written
	Target  string // path and query, below the batch's own or not, or a whole address
	Request Request
}

// Calls takes the batch apart that a request is, as Carry does. Not told: it cannot
// be; no calls: it is none.
func Calls(op *specs.Operation, r Request) (all []Call, told bool) {
	kind := r.Header.Get("Content-Type")
	if r.Input.Body == nil && r.Input.Value == nil && len(r.Body) > 0 {
		r.Input = decoded(kind, r.Body)
	}
	return batch(op, &r, kind)
}

// batch takes a batch apart. It is not told where that cannot be done; what is no
// batch has no parts.
func batch(op *specs.Operation, r *Request, kind string) (parts []Call, told bool) {
	switch {
	case begins(kind, "multipart/mixed"):
		if len(r.Header["Content-Type"]) > 1 {
			return nil, false
		}
		s := sections{}
		told = s.read(kind, r.Body, 0) && (len(s.calls) == 0 || s.others == 0)
		return s.calls, told && (len(s.calls) > 0 || !Batches(op))
	case r.Input.Body != nil:
		return listed(r.Input.Body)
	}
	if list, ok := r.Input.Value.([]any); ok && called(list) {
		return ofList(list)
	}
	return nil, true
}

// Places are where the parts of a batch may stand, before their own paths: at the
// root, or where the batch does.
func Places(op *specs.Operation) []string {
	all := []string{""}
	for _, above := range []string{beside(op.Path), beside(op.Bare())} {
		if !slices.Contains(all, above) {
			all = append(all, above)
		}
	}
	return all
}

// Batches tells whether an operation is there for batches, by its path.
func Batches(op *specs.Operation) bool {
	return slices.ContainsFunc(read(op.Path), func(s segment) bool { return s.last() == "batch" || s.last() == "bulk" })
}

// sections are the parts of a multipart body, those of its parts among them.
type sections struct {
	calls  []Call
	others int // those that are no calls
}

// read takes a multipart body apart.
func (s *sections) read(kind string, data []byte, depth int) (told bool) {
	_, parameters, err := mime.ParseMediaType(kind)
	if err != nil || parameters["boundary"] == "" || depth == maxSections {
		return false
	}
	reader := multipart.NewReader(bytes.NewReader(data), parameters["boundary"])
	for {
		next, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil || len(next.Header["Content-Type"]) > 1 {
			return false
		}
		content, err := io.ReadAll(next)
		if err != nil {
			return false
		}
		kind := next.Header.Get("Content-Type")
		if begins(kind, "multipart/mixed") {
			if !s.read(kind, content, depth+1) {
				return false
			}
			continue
		}
		switch one, ok := written(content); {
		case ok:
			one.Name = next.Header.Get("Content-Id")
			s.calls = append(s.calls, one)
		case begins(kind, "application/http"):
			return false
		default:
			s.others++
		}
		if len(s.calls) > maxParts {
			return false
		}
	}
}

// written reads a part that is an HTTP request, to the end.
func written(content []byte) (Call, bool) {
	lines := textproto.NewReader(bufio.NewReader(bytes.NewReader(bytes.TrimLeft(content, "\r\n"))))
	line, err := lines.ReadLine()
	words := strings.Fields(line)
	if err != nil || len(words) < 2 || len(words) > 3 || len(words) == 2 && !verb(words[0]) {
		return Call{}, false
	}
	header, err := lines.ReadMIMEHeader()
	if err != nil && !errors.Is(err, io.EOF) {
		return Call{}, false
	}
	rest, err := io.ReadAll(lines.R)
	if err != nil {
		return Call{}, false
	}
	rest = bytes.TrimRight(rest, "\r\n")
	for _, length := range header["Content-Length"] {
		if n, err := strconv.Atoi(length); err != nil || n < len(rest) { // and the rest would be another request
			return Call{}, false
		}
	}
	return Call{Method: words[0], Target: words[1], Request: Request{Header: http.Header(header), Body: rest}}, true
}

// verb tells whether a word is a method.
func verb(word string) bool {
	switch strings.ToUpper(word) {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "MERGE", "QUERY":
		return true
	default:
		return false
	}
}

// fields are what lists of calls are found under.
// Source: Microsoft Graph and Parse (requests), Facebook (batch), SCIM (Operations).
func fields() [5]string { return [5]string{"requests", "batch", "operations", "Operations", "calls"} }

// listed takes a batch apart that is JSON.
func listed(body map[string]any) (all []Call, told bool) {
	for _, field := range fields() {
		value, ok := body[field]
		if !ok {
			continue
		}
		if text, written := value.(string); written && jsonish([]byte(text)) { // in a form
			value = ofJSON(value)
		}
		list, _ := value.([]any)
		var names []string
		if object, named := value.(map[string]any); named {
			for _, name := range slices.Sorted(maps.Keys(object)) {
				list = append(list, object[name])
			}
			names = slices.Sorted(maps.Keys(object))
		}
		if !called(list) {
			continue
		}
		parts, told := ofList(list)
		if !told {
			return nil, false
		}
		for i := range names {
			parts[i].Name = names[i]
		}
		all = append(all, parts...)
	}
	return all, len(all) <= maxParts
}

// called tells whether anything in a list is a call.
func called(list []any) bool {
	for _, item := range list {
		if object, ok := item.(map[string]any); ok && object["method"] != nil && target(object) != nil {
			return true
		}
	}
	return false
}

// target gives where a call goes, as batches of several makes have it.
func target(call map[string]any) any {
	for _, field := range []string{"url", "path", "relative_url", "relativeUrl", "uri", "href"} {
		if value, ok := call[field]; ok {
			return value
		}
	}
	return nil
}

// name is what a call of a list is told apart by.
func name(call map[string]any) string {
	for _, field := range []string{"id", "bulkId", "request_id", "custom_id"} {
		switch held := call[field].(type) {
		case string:
			return held
		case int64, float64:
			return fmt.Sprint(held)
		}
	}
	return ""
}

// ofList reads a list of calls, all of which have to be some.
func ofList(list []any) (all []Call, told bool) {
	if len(list) > maxParts {
		return nil, false
	}
	for _, item := range list {
		object, _ := item.(map[string]any)
		method, _ := object["method"].(string)
		to, _ := target(object).(string)
		if method == "" || to == "" {
			return nil, false
		}
		one := Call{Name: name(object), Method: method, Target: to, Request: Request{Header: http.Header{}}}
		headers, _ := object["headers"].(map[string]any)
		for name, value := range headers {
			text, _ := value.(string)
			one.Request.Header.Add(name, text)
		}
		switch sent := object["body"].(type) {
		case map[string]any:
			one.Request.Input.Body = sent
		case string:
			one.Request.Body = []byte(sent)
		default:
			one.Request.Input.Value = sent
		}
		all = append(all, one)
	}
	return all, true
}

// parts judges each part of a batch. Where one may mean several operations, since
// its path may be below that of the batch, all of them count.
func (j Judge) parts(c *Carried, op *specs.Operation, parts []Call, depth int) {
	for i := range parts {
		p := &parts[i]
		number := "part " + strconv.Itoa(i+1)
		path, query, ok := p.Place()
		if !ok {
			c.raise(Admin, number+" of a batch, which cannot be read")
			continue
		}
		p.Request.Method, p.Request.Query = strings.ToUpper(p.Method), query
		found := false
		for _, above := range Places(op) {
			meant, ok := j.matched(p.Request.Method, above+path)
			if !ok {
				continue
			}
			found = true
			inner := Carried{Class: j.class(meant), By: meant.Method + " " + meant.Path}
			j.look(&inner, meant, &p.Request, depth+1)
			c.Parts = append(c.Parts, Part{meant, inner.Class})
			c.Parts = append(c.Parts, inner.Parts...)
			c.raise(inner.Class, number+": "+inner.By)
			if inner.Code != "" {
				c.refuse(inner.Code, inner.Message)
			}
		}
		if !found {
			c.refuse(NoPolicy, "A part of this batch is no operation of the service.")
		}
	}
}

func (j Judge) matched(method, path string) (*specs.Operation, bool) {
	if j.Match == nil {
		return nil, false
	}
	return j.Match(method, path)
}

// Place takes a call's target apart: its escaped path, and its query.
func (c *Call) Place() (path, query string, ok bool) {
	if len(c.Target) > maxPath {
		return "", "", false
	}
	u, err := url.Parse(c.Target)
	if err != nil || u.Opaque != "" {
		return "", "", false
	}
	path = u.EscapedPath()
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path, u.RawQuery, true
}

// beside gives the path that a batch stands at, without its own name, where no
// parameter is in it.
func beside(path string) string {
	path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	if strings.Contains(path, "{") {
		return ""
	}
	return path
}
