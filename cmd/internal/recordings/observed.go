package recordings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/faults/trail"
	"parity/gateway/kept"
	"parity/specs"
)

// Observed is one exchange that was seen, with the real service or a fake.
type Observed struct {
	recording.Exchange
	Service fakes.Service
	Match   specs.Match
	Took    time.Duration // to the first byte of the reply; 0: not known
}

// locate finds the service, by its host or by the first segment of a path at a
// gateway, and the operation, where the contract has it.
func (o *Observed) locate(catalogue *fakes.Catalogue) bool {
	at, err := url.Parse(o.Request.URL)
	if err != nil {
		return false
	}
	var ok bool
	if o.Service, ok = catalogue.ByHost(at.Hostname()); !ok {
		name, rest, _ := strings.Cut(strings.TrimPrefix(at.EscapedPath(), "/"), "/")
		if o.Service, ok = catalogue.Service(name); !ok || !near(at.Hostname()) {
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
func (o *Observed) served(at *url.URL) bool {
	if o.Service.Contract == nil {
		return false
	}
	call := &specs.Call{Method: o.Request.Method, Path: at.EscapedPath(), Query: at.RawQuery, Header: o.Header(), Body: []byte(o.Request.Text())}
	if whole := o.Service.Contract.Whole(call); whole != call.Path {
		if path, err := url.PathUnescape(whole); err == nil {
			at.Path, at.RawPath, call.Path = path, whole, whole
			o.Request.URL = at.String()
		}
	}
	o.Match = o.Service.Contract.MatchCall(call)
	return true
}

// of takes the word of a recording for whose exchange it is.
func (o *Observed) of(service string, catalogue *fakes.Catalogue) (ok bool) {
	at, err := url.Parse(o.Request.URL)
	if err != nil {
		return false
	}
	o.Service, ok = catalogue.Service(service)
	return ok && o.served(at)
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

// Header is that of the request.
func (o *Observed) Header() http.Header {
	h := http.Header{}
	for name, value := range o.Request.Header {
		h.Set(name, value)
	}
	return h
}

// OfRun reads the calls of a run that is kept. How long they took is not
// taken over: the fakes' own pace is no service's.
func OfRun(k *kept.Run) (seen []Observed) {
	for i := range k.Events {
		if k.Events[i].Kind != trail.Exchanged || k.Events[i].Exchange == nil {
			continue
		}
		if o, ok := ofExchange(k.Events[i].Exchange, k.Profile.Catalogue); ok {
			seen = append(seen, o)
		}
	}
	return seen
}

// ofExchange is an exchange of a journal as the fake answered it.
func ofExchange(x *trail.Exchange, catalogue *fakes.Catalogue) (o Observed, ok bool) {
	service, ok := catalogue.Service(x.Service)
	if !ok || x.Operation == "" {
		return o, false
	}
	o.Service, o.Match = service, service.Contract.Recall(x.Operation, x.Method, x.Path)
	if o.Match.Operation == nil {
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
