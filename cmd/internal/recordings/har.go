package recordings

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/specs/body"
	"parity/specs/file"
)

// The bounds of a file that is read, in bytes: of the file, and of all that is
// inflated in it; and of one inflated body, as a request to a gateway has them.
const (
	mostHAR   = 256 << 20
	mostBody  = 10 << 20
	mostTimes = 100 // that a compressed body may grow
)

// ReadHAR reads the calls of a HAR file to operations that there are, and counts
// the others.
func ReadHAR(file string, catalogue *fakes.Catalogue) (seen []Observed, others int, err error) {
	content, err := readRecording(file)
	if err != nil {
		return nil, 0, err
	}
	all, strangers, err := readHAR(file, content, catalogue)
	for _, n := range strangers {
		others += n
	}
	for _, o := range all {
		if o.Match.Operation == nil {
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
func readHAR(file string, content []byte, catalogue *fakes.Catalogue) (seen []Observed, others map[string]int, err error) {
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

func (e *entry) observed(catalogue *fakes.Catalogue) (Observed, bool) {
	o := Observed{Took: milliseconds(e.Timings.Wait)}
	if o.Took == 0 {
		o.Took = milliseconds(e.Time)
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
	zipped, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return string(body)
	}
	most := min(mostBody, *e.room, mostTimes*int64(len(body)))
	plain, err := io.ReadAll(io.LimitReader(zipped, most+1))
	*e.room = max(0, *e.room-int64(len(plain)))
	if err != nil || int64(len(plain)) > most {
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
