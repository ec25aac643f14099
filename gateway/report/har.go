package report

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"parity/faults/trail"
)

// HAR is an HTTP Archive of a run's exchanges, version 1.2
// (http://www.softwareishard.com/blog/har-12-spec/).
//
// Instants are the run's own; times come from settlements, in real
// milliseconds. Where it is not known what went out they are 0, since the format
// has no negative ones here, and _parity says so. Headers and bodies are those
// that the journal keeps: no more, and secrets masked. A reply that did not
// arrive has the status 0, and _error, as Chrome has it. What else HAR has no
// word for is under _parity. What is missing of the record, or may be, is the
// comment of the log.
func HAR(w io.Writer, creator string, missing []string, events []trail.Event, settlements map[uint64]trail.Settlement) error {
	out := bufio.NewWriter(w)
	mask := newMasker()
	head, err := json.Marshal(harCreator{"Parity", creator})
	if err != nil {
		return err
	}
	_, _ = out.WriteString(`{"log":{"version":"1.2",`)
	if len(missing) > 0 {
		comment, err := json.Marshal(upper(partly) + ": " + strings.Join(missing, "; "))
		if err != nil {
			return err
		}
		_, _ = out.WriteString(`"comment":` + mask.json(string(comment)) + `,`)
	}
	_, _ = out.WriteString(`"creator":` + string(head) + `,"entries":[`)
	separator := "\n"
	for i := range events {
		e := &events[i]
		if e.Exchange == nil || e.Kind != trail.Exchanged {
			continue
		}
		s, settled := settlements[e.Seq]
		data, err := json.Marshal(mask.har(e, s, settled))
		if err != nil {
			return err
		}
		_, _ = out.WriteString(separator + mask.json(string(data)))
		separator = ",\n"
	}
	_, _ = out.WriteString("\n]}}\n")
	return out.Flush() // which keeps the first error
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harEntry struct {
	Started  time.Time   `json:"startedDateTime"`
	Time     float64     `json:"time"`
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Parity   harParity   `json:"_parity"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	QueryString []harPair `json:"queryString"`
	PostData    *harBody  `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type harBody struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
	Encoding string `json:"encoding,omitempty"` // not of the standard, which has it for replies alone
}

type harResponse struct {
	Status      int        `json:"status"` // 0: nothing arrived
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int64      `json:"bodySize"`
	Error       string     `json:"_error,omitempty"`
}

type harContent struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// harParity is what the archive's readers know nothing of.
type harParity struct {
	Event     uint64         `json:"event"`
	Service   string         `json:"service,omitempty"`
	Operation string         `json:"operation,omitempty"`
	Identity  string         `json:"identity,omitempty"`
	Intent    string         `json:"intent,omitempty"`
	Attempt   int            `json:"attempt,omitempty"`
	Outcome   trail.Outcome  `json:"outcome"`
	Fidelity  trail.Fidelity `json:"fidelity"`
	Overlaid  bool           `json:"overlaid,omitempty"` // what the run has changed is laid over what a real service said
	Committed bool           `json:"committed"`
	Wire      string         `json:"wire,omitempty"` // how it was made to end
	Settled   bool           `json:"settled"`        // it is known what went out, and so the times are
	Rules     []string       `json:"rules,omitempty"`
	Note      string         `json:"note,omitempty"`
}

func (m *masker) har(e *trail.Event, s trail.Settlement, settled bool) harEntry {
	x := e.Exchange
	if s.Proto == "" {
		s.Proto = "unknown"
	}
	entry := harEntry{
		Started: e.At.Time(), Request: m.harAsked(x, s), Response: m.harReply(x, s, settled),
		Parity: harParity{
			Event: e.Seq, Service: x.Service, Operation: x.Operation, Identity: e.Identity, Intent: x.Intent.ID, Attempt: x.Intent.Attempt,
			Outcome: x.Outcome, Fidelity: x.Fidelity, Overlaid: len(x.Fidelities()) > 1, Committed: x.Committed, Wire: ending(&x.Wire), Settled: settled, Note: x.Note,
		},
	}
	if settled {
		took := float64(max(s.Took, 0)) / float64(time.Millisecond)
		entry.Time, entry.Timings.Wait = took, took
	}
	for _, strike := range x.Strikes {
		if strike.Fired {
			entry.Parity.Rules = append(entry.Parity.Rules, strike.Rule)
		}
	}
	return entry
}

func (m *masker) harAsked(x *trail.Exchange, s trail.Settlement) harRequest {
	r := harRequest{
		Method: x.Method, URL: address(x), HTTPVersion: s.Proto, Cookies: []harPair{}, Headers: pairs(x.Header),
		QueryString: []harPair{}, HeadersSize: -1,
	}
	if values, err := url.ParseQuery(x.Query); err == nil {
		for name, all := range values {
			for _, value := range all {
				r.QueryString = append(r.QueryString, harPair{name, value})
			}
		}
		sortPairs(r.QueryString)
	}
	if len(x.Body) > 0 {
		r.BodySize = -1 // the journal keeps it decoded
		r.PostData = &harBody{MimeType: "application/json"}
		if !json.Valid(x.Body) {
			r.PostData.MimeType = mediaType(x.Header)
		}
		r.PostData.Text, r.PostData.Encoding = m.harText(x.Body)
	}
	return r
}

// address is the URL that an exchange was about. Of one that came to a base URL
// the gateway's own port is not kept, unless links in the reply had it.
func address(x *trail.Exchange) string {
	base := "https://" + x.Host
	switch {
	case x.Base != "":
		base = x.Base
	case x.Way == "base":
		base = "http://" + x.Host + "/" + x.Service
	}
	whole := base + x.Path
	if x.Query != "" {
		whole += "?" + x.Query
	}
	if u, err := url.Parse(whole); err == nil && u.Host != "" {
		return u.String()
	}
	// What came is no URL; a host that cannot be is RFC 2606's.
	u := url.URL{Scheme: "https", Host: "host.invalid", Path: "/" + x.Host + x.Path, RawQuery: url.PathEscape(x.Query)}
	return u.String()
}

func (m *masker) harReply(x *trail.Exchange, s trail.Settlement, settled bool) harResponse {
	r := harResponse{
		Status: x.Status, StatusText: http.StatusText(x.Status), HTTPVersion: s.Proto, Cookies: []harPair{}, Headers: pairs(x.ReplyHeader),
		HeadersSize: -1, BodySize: -1, Error: s.Error,
	}
	if settled {
		r.BodySize = s.Sent
	}
	if x.Wire.NoHead || x.Wire.HeadCut || x.Status == 0 {
		r.Status, r.StatusText, r.Headers, r.Content = 0, "", []harPair{}, harContent{MimeType: "x-unknown"}
		if r.Error == "" {
			r.Error = "no reply"
		}
		if wire := ending(&x.Wire); wire != "" {
			r.Error = wire
		}
		return r
	}
	body := x.ReplyBody[:x.Wire.Showed(len(x.ReplyBody))]
	if len(body) < len(x.ReplyBody) && r.Error == "" {
		r.Error = ending(&x.Wire)
	}
	for _, f := range x.ReplyHeader {
		if http.CanonicalHeaderKey(f.Name) == "Location" {
			r.RedirectURL = f.Value
		}
	}
	r.Content = harContent{Size: len(body), MimeType: mediaType(x.ReplyHeader)}
	r.Content.Text, r.Content.Encoding = m.harText(body)
	return r
}

// harText gives a body as text, or as base64 where it is none. Secrets are looked
// for before: nobody sees them after.
func (m *masker) harText(body []byte) (text, encoding string) {
	if utf8.Valid(body) {
		return string(body), ""
	}
	return base64.StdEncoding.EncodeToString([]byte(m.mask(string(body)))), "base64"
}

func mediaType(header []trail.Field) string {
	for _, f := range header {
		if http.CanonicalHeaderKey(f.Name) == "Content-Type" {
			return f.Value
		}
	}
	return "application/octet-stream"
}

func pairs(fields []trail.Field) []harPair {
	list := make([]harPair, 0, len(fields))
	for _, f := range fields {
		list = append(list, harPair{f.Name, f.Value})
	}
	return list
}
