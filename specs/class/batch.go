package class

import (
	"bufio"
	"bytes"
	"errors"
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

// A call is one of a batch as it was written.
type call struct {
	method, target string
	request        Request
}

// batch takes a batch apart. It is not told where that cannot be done; what is no
// batch has no parts.
func batch(op *specs.Operation, r *Request, kind string) (parts []call, told bool) {
	switch {
	case begins(kind, "multipart/mixed"):
		if len(r.Header["Content-Type"]) > 1 {
			return nil, false
		}
		s := sections{}
		told = s.read(kind, r.Body, 0) && (len(s.calls) == 0 || s.others == 0)
		return s.calls, told && (len(s.calls) > 0 || !batches(op))
	case r.Input.Body != nil:
		return listed(r.Input.Body)
	}
	if list, ok := r.Input.Value.([]any); ok && called(list) {
		return ofList(list)
	}
	return nil, true
}

// batches tells whether an operation is there for batches.
func batches(op *specs.Operation) bool {
	return slices.ContainsFunc(read(op.Path), func(s segment) bool { return s.last() == "batch" || s.last() == "bulk" })
}

// sections are the parts of a multipart body, those of its parts among them.
type sections struct {
	calls  []call
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
func written(content []byte) (call, bool) {
	lines := textproto.NewReader(bufio.NewReader(bytes.NewReader(bytes.TrimLeft(content, "\r\n"))))
	line, err := lines.ReadLine()
	words := strings.Fields(line)
	if err != nil || len(words) < 2 || len(words) > 3 || len(words) == 2 && !verb(words[0]) {
		return call{}, false
	}
	header, err := lines.ReadMIMEHeader()
	if err != nil && !errors.Is(err, io.EOF) {
		return call{}, false
	}
	rest, err := io.ReadAll(lines.R)
	if err != nil {
		return call{}, false
	}
	rest = bytes.TrimRight(rest, "\r\n")
	for _, length := range header["Content-Length"] {
		if n, err := strconv.Atoi(length); err != nil || n < len(rest) { // and the rest would be another request
			return call{}, false
		}
	}
	return call{words[0], words[1], Request{Header: http.Header(header), Body: rest}}, true
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
func listed(body map[string]any) (all []call, told bool) {
	for _, field := range fields() {
		value, ok := body[field]
		if !ok {
			continue
		}
		if text, written := value.(string); written && jsonish([]byte(text)) { // in a form
			value = ofJSON(value)
		}
		list, _ := value.([]any)
		if object, named := value.(map[string]any); named {
			for _, name := range slices.Sorted(maps.Keys(object)) {
				list = append(list, object[name])
			}
		}
		if !called(list) {
			continue
		}
		parts, told := ofList(list)
		if !told {
			return nil, false
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

// ofList reads a list of calls, all of which have to be some.
func ofList(list []any) (all []call, told bool) {
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
		one := call{method: method, target: to, request: Request{Header: http.Header{}}}
		headers, _ := object["headers"].(map[string]any)
		for name, value := range headers {
			text, _ := value.(string)
			one.request.Header.Add(name, text)
		}
		switch sent := object["body"].(type) {
		case map[string]any:
			one.request.Input.Body = sent
		case string:
			one.request.Body = []byte(sent)
		default:
			one.request.Input.Value = sent
		}
		all = append(all, one)
	}
	return all, true
}

// parts judges each part of a batch. Where one may mean several operations, since
// its path may be below that of the batch, all of them count.
func (j Judge) parts(c *Carried, op *specs.Operation, parts []call, depth int) {
	for i := range parts {
		p := &parts[i]
		number := "part " + strconv.Itoa(i+1)
		path, query, ok := split(p.target)
		if !ok {
			c.raise(Admin, number+" of a batch, which cannot be read")
			continue
		}
		p.request.Method, p.request.Query = strings.ToUpper(p.method), query
		found := false
		tried := map[string]bool{}
		for _, above := range []string{"", beside(op.Path), beside(op.Bare())} {
			meant, ok := j.matched(p.request.Method, above+path)
			if !ok || tried[above] {
				continue
			}
			tried[above] = true
			found = true
			inner := Carried{Class: j.class(meant), By: meant.Method + " " + meant.Path}
			j.look(&inner, meant, &p.request, depth+1)
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

// split takes a part's target apart: its escaped path, and its query.
func split(target string) (path, query string, ok bool) {
	if len(target) > maxPath {
		return "", "", false
	}
	u, err := url.Parse(target)
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
