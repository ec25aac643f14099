package report

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/url"
	"time"
	"unicode/utf8"

	"parity/faults/trail"
)

// HAR is an HTTP Archive of a run's exchanges, version 1.2
// (http://www.softwareishard.com/blog/har-12-spec/).
//
// Instants are the run's own; times come from settlements, in real
// milliseconds, and are -1 where it is not known what went out. Headers and
// bodies are those that the journal keeps: no more, and secrets masked. What
// HAR has no word for is under _parity.
func HAR(w io.Writer, creator string, events []trail.Event, settlements map[uint64]trail.Settlement) error {
	out := bufio.NewWriter(w)
	mask := newMasker()
	head, err := json.Marshal(harCreator{"Parity", creator})
	if err != nil {
		return err
	}
	_, _ = out.WriteString(`{"log":{"version":"1.2","creator":` + string(head) + `,"entries":[`)
	separator := "\n"
	for i := range events {
		e := &events[i]
		if e.Exchange == nil || e.Kind != trail.Exchanged {
			continue
		}
		s, settled := settlements[e.Seq]
		data, err := json.Marshal(harOf(e, s, settled))
		if err != nil {
			return err
		}
		_, _ = out.WriteString(separator + mask.mask(string(data)))
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
	Committed bool           `json:"committed"`
	Wire      string         `json:"wire,omitempty"` // how it was made to end
	Rules     []string       `json:"rules,omitempty"`
	Note      string         `json:"note,omitempty"`
}

func harOf(e *trail.Event, s trail.Settlement, settled bool) harEntry {
	x := e.Exchange
	entry := harEntry{
		Started: e.At.Time(), Time: -1, Timings: harTimings{-1, -1, -1}, Request: harAsked(x, s), Response: harSaid(x, s, settled),
		Parity: harParity{
			Event: e.Seq, Service: x.Service, Operation: x.Operation, Identity: e.Identity, Intent: x.Intent.ID, Attempt: x.Intent.Attempt,
			Outcome: x.Outcome, Fidelity: x.Fidelity, Committed: x.Committed, Wire: ending(&x.Wire), Note: x.Note,
		},
	}
	if settled {
		took := float64(s.Took) / float64(time.Millisecond)
		entry.Time, entry.Timings = took, harTimings{0, took, 0}
	}
	for _, strike := range x.Strikes {
		if strike.Fired {
			entry.Parity.Rules = append(entry.Parity.Rules, strike.Rule)
		}
	}
	return entry
}

func harAsked(x *trail.Exchange, s trail.Settlement) harRequest {
	r := harRequest{
		Method: x.Method, URL: "https://" + x.Host + x.Path, HTTPVersion: s.Proto, Cookies: []harPair{}, Headers: pairs(x.Header),
		QueryString: []harPair{}, HeadersSize: -1, BodySize: len(x.Body),
	}
	if x.Query != "" {
		r.URL += "?" + x.Query
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
		r.PostData = &harBody{"application/json", string(x.Body)} // decoded, as the journal keeps it
	}
	return r
}

func harSaid(x *trail.Exchange, s trail.Settlement, settled bool) harResponse {
	r := harResponse{
		Status: x.Status, HTTPVersion: s.Proto, Cookies: []harPair{}, Headers: pairs(x.ReplyHeader), HeadersSize: -1, BodySize: -1,
		Content: harContent{Size: len(x.ReplyBody), MimeType: "application/octet-stream"},
	}
	if settled {
		r.BodySize = s.Sent
	}
	if x.Wire.NoHead || x.Wire.HeadCut {
		r.Status, r.Headers, r.Content = 0, []harPair{}, harContent{MimeType: "x-unknown"}
		return r
	}
	for _, f := range x.ReplyHeader {
		if f.Name == "Content-Type" {
			r.Content.MimeType = f.Value
		}
	}
	body := x.ReplyBody[:x.Wire.Showed(len(x.ReplyBody))]
	if utf8.Valid(body) {
		r.Content.Text = string(body)
	} else {
		r.Content.Text, r.Content.Encoding = base64.StdEncoding.EncodeToString(body), "base64"
	}
	return r
}

func pairs(fields []trail.Field) []harPair {
	list := make([]harPair, 0, len(fields))
	for _, f := range fields {
		list = append(list, harPair{f.Name, f.Value})
	}
	return list
}
