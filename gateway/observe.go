package gateway

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/faults/trail"
	"parity/specs"
)

// mostHAR bounds the size of a recording that is read, in bytes.
const mostHAR = 256 << 20

// observed is one exchange that was seen, with the real service or a fake.
type observed struct {
	recording.Exchange
	service fakes.Service
	match   specs.Match
	took    time.Duration // to the first byte of the reply; 0: not known
}

// observeHAR reads what a browser, a proxy or a test tool has recorded. They
// agree on little more than the outline of the format: what is missing or odd is
// left out, and what is for no service of ours is counted.
func observeHAR(file string, catalogue *fakes.Catalogue) (seen []observed, others int, err error) {
	if info, err := os.Stat(file); err == nil && info.Size() > mostHAR {
		return nil, 0, fmt.Errorf("%s has %d MB, and at most %d are read: record less, or cut it", file, info.Size()>>20, mostHAR>>20)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, 0, err
	}
	var har struct {
		Log *struct{ Entries []json.RawMessage }
	}
	content = []byte(strings.TrimPrefix(string(content), "\ufeff"))
	if err := json.Unmarshal(content, &har); err != nil || har.Log == nil {
		return nil, 0, fmt.Errorf("%s is no HAR file: it has no log.entries (%w)", file, orMissing(err))
	}
	for _, raw := range har.Log.Entries {
		var e entry
		_ = json.Unmarshal(raw, &e) // a field of another type leaves the rest
		o, ok := e.observed(catalogue)
		if !ok {
			others++
			continue
		}
		seen = append(seen, o)
	}
	return seen, others, nil
}

func orMissing(err error) error {
	if err == nil {
		return os.ErrInvalid
	}
	return err
}

// entry is what is used of an entry of a HAR file.
type entry struct {
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
		text := unpacked(p.Text, p.Encoding)
		if text == "" && len(p.Params) > 0 {
			form := url.Values{}
			for _, field := range p.Params {
				form.Add(field.Name, field.Value)
			}
			text = form.Encode()
		}
		o.Request.Body = &text
		if o.Request.Header["Content-Type"] == "" {
			o.Request.Header["Content-Type"] = p.MimeType
		}
	}
	o.Response = recording.Response{Header: map[string]string{}, Body: unpacked(e.Response.Content.Text, e.Response.Content.Encoding)}
	if status, ok := e.Response.Status.(float64); ok {
		o.Response.Status = int(status)
	}
	for _, h := range e.Response.Headers {
		o.Response.Header[http.CanonicalHeaderKey(h.Name)] = h.Value
	}
	return o, o.locate(catalogue) && o.Response.Status >= 100 // a call that was cut short has none
}

func unpacked(text, encoding string) string {
	if !strings.EqualFold(encoding, "base64") {
		return text
	}
	plain, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return ""
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

// locate finds the service and the operation.
func (o *observed) locate(catalogue *fakes.Catalogue) bool {
	at, err := url.Parse(o.Request.URL)
	if err != nil {
		return false
	}
	var ok bool
	if o.service, ok = catalogue.ByHost(at.Hostname()); !ok || o.service.Contract == nil {
		return false
	}
	o.match = o.service.Contract.MatchCall(&specs.Call{Method: o.Request.Method, Path: at.EscapedPath(), Query: at.RawQuery, Header: o.header(), Body: []byte(o.Request.Text())})
	return o.match.Operation != nil
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
		x := k.Events[i].Exchange
		if k.Events[i].Kind != trail.Exchanged || x == nil || x.Operation == "" {
			continue
		}
		service, ok := k.Profile.Catalogue.Service(x.Service)
		if !ok {
			continue
		}
		o := observed{service: service, match: service.Contract.Recall(x.Operation, x.Method, x.Path)}
		if o.match.Operation == nil {
			continue
		}
		target := "https://" + x.Host + x.Path
		if x.Query != "" {
			target += "?" + x.Query
		}
		body := string(x.Body)
		o.Request = recording.Request{Method: x.Method, URL: target, Header: map[string]string{"Content-Type": "application/json"}, Body: &body}
		o.Response = recording.Response{Status: x.Status, Body: string(x.ReplyBody)}
		if len(x.FakeBody) > 0 { // a rule put something else in its place
			o.Response = recording.Response{Status: x.FakeStatus, Body: string(x.FakeBody)}
		}
		seen = append(seen, o)
	}
	return seen
}
