package gateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/file"
)

// mostHAR bounds the size of a recording that is read, and of all that is
// inflated in it, in bytes. Each body has the limits of a request's, too.
const mostHAR = 256 << 20

// observed is one exchange that was seen, with the real service or a fake.
type observed struct {
	recording.Exchange
	service fakes.Service
	match   specs.Match
	took    time.Duration // to the first byte of the reply; 0: not known
}

// observeHAR reads the calls of a HAR file to operations that there are, and
// counts the others.
func observeHAR(file string, catalogue *fakes.Catalogue) (seen []observed, others int, err error) {
	content, err := readRecording(file)
	if err != nil {
		return nil, 0, err
	}
	all, strangers, err := readHAR(file, content, catalogue)
	for _, n := range strangers {
		others += n
	}
	for _, o := range all {
		if o.match.Operation == nil {
			others++
			continue
		}
		seen = append(seen, o)
	}
	return seen, others, err
}

// readRecording reads a file, unless it is too large.
func readRecording(name string) ([]byte, error) {
	content, err := file.Read(name, mostHAR)
	if large := (*file.TooLargeError)(nil); errors.As(err, &large) {
		return nil, fmt.Errorf("%s has more than %d MB, and no more are read: record less, or cut it", name, mostHAR>>20)
	}
	if err != nil {
		return nil, err
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if err := body.WholeText(content); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return content, nil
}

// readHAR reads what a browser, a proxy or a test tool has recorded. They agree
// on little more than the outline of the format: what is missing or odd is left
// out. What is for no service of ours, or had no reply, is counted by host.
func readHAR(file string, content []byte, catalogue *fakes.Catalogue) (seen []observed, others map[string]int, err error) {
	var har struct {
		Log *struct{ Entries []json.RawMessage }
	}
	if err := json.Unmarshal(content, &har); err != nil {
		return nil, nil, unreadable(file, "HAR file", content, err)
	}
	if har.Log == nil || har.Log.Entries == nil {
		return nil, nil, fmt.Errorf("%s is no HAR file: it has no log.entries; export it once more, as HAR with content", file)
	}
	others = map[string]int{}
	room := int64(mostHAR)
	for _, raw := range har.Log.Entries {
		e := entry{room: &room}
		_ = json.Unmarshal(raw, &e) // a field of another type leaves the rest
		o, ok := e.observed(catalogue)
		if !ok {
			others[hostIn(e.Request.URL)]++
			continue
		}
		seen = append(seen, o)
	}
	return seen, others, nil
}

// unreadable says what is wrong with JSON, and where.
func unreadable(file, kind string, content []byte, err error) error {
	var syntax *json.SyntaxError
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return fmt.Errorf("%s is empty: record it again", file)
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(content)):
		return fmt.Errorf("%s is cut short after %d bytes: it was not written to its end; record it again, or export it once more", file, len(content))
	case errors.As(err, &syntax):
		return fmt.Errorf("%s is no %s: at byte %d, %w", file, kind, syntax.Offset, err)
	}
	return fmt.Errorf("%s is no %s: %w", file, kind, err)
}

func hostIn(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return "no host"
	}
	return u.Hostname()
}

// entry is what is used of an entry of a HAR file.
type entry struct {
	room    *int64             // bytes that may be inflated still
	Timings struct{ Wait any } // -1 or missing where it is not known
	Time    any
	Request struct {
		Method, URL string
		Headers     []struct{ Name, Value string }
		PostData    *struct {
			MimeType, Text, Encoding string
			Params                   []struct{ Name, Value string }
		}
	}
	Response struct {
		Status  any
		Headers []struct{ Name, Value string }
		Content struct{ Text, Encoding string }
	}
}

func (e *entry) observed(catalogue *fakes.Catalogue) (observed, bool) {
	o := observed{took: milliseconds(e.Timings.Wait)}
	if o.took == 0 {
		o.took = milliseconds(e.Time)
	}
	o.Request = recording.Request{Method: strings.ToUpper(e.Request.Method), URL: e.Request.URL, Header: map[string]string{}}
	for _, h := range e.Request.Headers {
		if h.Name != "" && !strings.HasPrefix(h.Name, ":") { // HTTP/2's own
			o.Request.Header[http.CanonicalHeaderKey(h.Name)] = h.Value
		}
	}
	if p := e.Request.PostData; p != nil {
		text := e.unpacked(p.Text, p.Encoding)
		if text == "" && len(p.Params) > 0 {
			form := url.Values{}
			for _, field := range p.Params {
				form.Add(field.Name, field.Value)
			}
			text = form.Encode()
		}
		if isForm(o.Request.Header["Content-Type"]) && strings.HasPrefix(text, "{") {
			text = formOf([]byte(text)) // an archive of ours has it as it was decoded
		}
		o.Request.Body = &text
		if o.Request.Header["Content-Type"] == "" {
			o.Request.Header["Content-Type"] = p.MimeType
		}
	}
	o.Response = recording.Response{Header: map[string]string{}, Body: e.unpacked(e.Response.Content.Text, e.Response.Content.Encoding)}
	if status, ok := e.Response.Status.(float64); ok {
		o.Response.Status = int(status)
	}
	for _, h := range e.Response.Headers {
		o.Response.Header[http.CanonicalHeaderKey(h.Name)] = h.Value
	}
	return o, o.locate(catalogue) && o.Response.Status >= 100 // a call that was cut short has none
}

func (e *entry) unpacked(text, encoding string) string {
	if !strings.EqualFold(encoding, "base64") {
		return text
	}
	plain, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return ""
	}
	return e.inflated(plain)
}

// inflated gives the text of a body that a recorder took off the wire as it was
// compressed; any other as it is, and so one that is not what it says, or larger
// than a body may be.
func (e *entry) inflated(body []byte) string {
	if !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		return string(body)
	}
	limits := Limits{}.withDefaults()
	limits.Body = min(limits.Body, *e.room)
	plain, err := limits.inflate(context.Background(), body)
	*e.room = max(0, *e.room-int64(len(plain)))
	if err != nil {
		return string(body)
	}
	return string(plain)
}

func milliseconds(value any) time.Duration {
	ms, ok := value.(float64)
	if !ok || ms <= 0 || ms > float64(time.Hour/time.Millisecond) {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// locate finds the service, by its host or by the first segment of a path at a
// gateway, and the operation, where the contract has it.
func (o *observed) locate(catalogue *fakes.Catalogue) bool {
	at, err := url.Parse(o.Request.URL)
	if err != nil {
		return false
	}
	var ok bool
	if o.service, ok = catalogue.ByHost(at.Hostname()); !ok {
		name, rest, _ := strings.Cut(strings.TrimPrefix(at.EscapedPath(), "/"), "/")
		if o.service, ok = catalogue.Service(name); !ok || !near(at.Hostname()) {
			return false
		}
		if at, err = at.Parse("/" + rest + queryOf(at)); err != nil {
			return false
		}
		o.Request.URL = at.String()
	}
	return o.served(at)
}

// served finds the operation of a service that is known.
func (o *observed) served(at *url.URL) bool {
	if o.service.Contract == nil {
		return false
	}
	o.match = o.service.Contract.MatchCall(&specs.Call{Method: o.Request.Method, Path: at.EscapedPath(), Query: at.RawQuery, Header: o.header(), Body: []byte(o.Request.Text())})
	return true
}

// near tells whether a host may be one at which a gateway listens: it has no name
// that the world knows.
func near(host string) bool {
	return net.ParseIP(host) != nil || !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost")
}

func queryOf(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

func (o *observed) header() http.Header {
	h := http.Header{}
	for name, value := range o.Request.Header {
		h.Set(name, value)
	}
	return h
}

// observeRun reads the calls of a run that is kept. How long they took is not
// taken over: the fakes' own pace is no service's.
func observeRun(k *Kept) (seen []observed) {
	for i := range k.Events {
		if k.Events[i].Kind != trail.Exchanged || k.Events[i].Exchange == nil {
			continue
		}
		if o, ok := observeExchange(k.Events[i].Exchange, k.Profile.Catalogue); ok {
			seen = append(seen, o)
		}
	}
	return seen
}

// observeExchange is an exchange of a journal as the fake answered it.
func observeExchange(x *trail.Exchange, catalogue *fakes.Catalogue) (o observed, ok bool) {
	service, ok := catalogue.Service(x.Service)
	if !ok || x.Operation == "" {
		return o, false
	}
	o.service, o.match = service, service.Contract.Recall(x.Operation, x.Method, x.Path)
	if o.match.Operation == nil {
		return o, false
	}
	target := "https://" + x.Host + x.Path
	if x.Query != "" {
		target += "?" + x.Query
	}
	o.Request = recording.Request{Method: x.Method, URL: target, Header: headers(x.Header)}
	if len(x.Body) > 0 && isForm(o.Request.Header["Content-Type"]) {
		body := formOf(x.Body) // the journal keeps it decoded
		o.Request.Body = &body
	} else if len(x.Body) > 0 {
		body := string(x.Body)
		o.Request.Header["Content-Type"], o.Request.Body = "application/json", &body
	}
	o.Response = recording.Response{Status: x.Status, Header: headers(x.ReplyHeader), Body: string(x.ReplyBody)}
	if len(x.FakeBody) > 0 { // a rule put something else in its place
		o.Response = recording.Response{Status: x.FakeStatus, Body: string(x.FakeBody)}
	}
	return o, true
}

func headers(fields []trail.Field) map[string]string {
	all := map[string]string{}
	for _, f := range fields {
		all[http.CanonicalHeaderKey(f.Name)] = f.Value
	}
	return all
}

func isForm(contentType string) bool {
	return strings.HasPrefix(contentType, "application/x-www-form-urlencoded")
}

// formOf writes a decoded body as the form that it was: an inner field as
// outer[inner], an item as list[0].
func formOf(body []byte) string {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return string(body)
	}
	form := url.Values{}
	var add func(name string, value any)
	add = func(name string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for inner, x := range v {
				if name != "" {
					inner = name + "[" + inner + "]"
				}
				add(inner, x)
			}
		case []any:
			for i, x := range v {
				add(fmt.Sprintf("%s[%d]", name, i), x)
			}
		case nil:
			form.Set(name, "")
		default:
			form.Set(name, fmt.Sprint(v))
		}
	}
	add("", value)
	return form.Encode()
}
