package googlecalendar

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// mostCalls is how many calls one batch may hold.
// Source: developers.google.com/workspace/calendar/api/guides/batch.
const mostCalls = 1000

// mostReplied is how many bytes of replies one batch may come to; the calls after
// that are not made.
const mostReplied = 16 << 20

// batch answers several calls in one, each by itself, in their order.
func batch(c *call) (answer, *refusal) {
	kind, parameters, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/mixed" || parameters["boundary"] == "" {
		return answer{}, refused(http.StatusBadRequest, "badRequest", "Failed to parse batch request, error: Missing boundary")
	}
	parts, ok := inner(c.Body, parameters["boundary"])
	switch {
	case !ok || len(parts) == 0:
		return answer{}, refused(http.StatusBadRequest, "badRequest", "Failed to parse batch request, error: 0 items")
	case len(parts) > mostCalls:
		return answer{}, refused(http.StatusBadRequest, "batchSizeTooLarge", "The batch request has more than "+strconv.Itoa(mostCalls)+" calls.")
	}
	boundary := "batch_" + c.NewID("", 32)
	var out bytes.Buffer
	for _, part := range parts {
		var reply fakes.Reply
		if out.Len() < mostReplied {
			reply = c.within(part)
		} else {
			reply = c.refuse(refused(http.StatusForbidden, "responseTooLarge", "The requested resource is too large to return."))
		}
		kit.WritePart(&out, boundary, part.id, reply)
	}
	kit.EndParts(&out, boundary)
	return answer{raw: out.Bytes(), kind: "multipart/mixed; boundary=" + boundary}, nil
}

// A piece is one call of a batch.
type piece struct {
	id             string // its Content-ID
	method, target string
	header         http.Header
	body           []byte
}

// inner reads the calls of a batch.
func inner(body []byte, boundary string) ([]piece, bool) {
	reader := multipart.NewReader(bytes.NewReader(body), boundary)
	var all []piece
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return all, true
		}
		if err != nil {
			return nil, false
		}
		lines := textproto.NewReader(bufio.NewReader(part))
		line, err := lines.ReadLine()
		words := strings.Fields(line)
		if err != nil || len(words) < 2 {
			return nil, false
		}
		header, err := lines.ReadMIMEHeader()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, false
		}
		rest, err := io.ReadAll(lines.R)
		if err != nil {
			return nil, false
		}
		all = append(all, piece{part.Header.Get("Content-Id"), words[0], words[1], http.Header(header), bytes.TrimRight(rest, "\r\n")})
	}
}

// within answers one call of a batch, for who sent the batch.
func (c *call) within(p piece) fakes.Reply {
	u, err := url.Parse(p.target)
	if err != nil {
		return c.refuse(badRequest())
	}
	trouble := fakes.Problem{Kind: fakes.NoOperation, Method: p.method, Path: u.Path, Header: p.header}
	asked := &specs.Call{Method: p.method, Path: u.EscapedPath(), Query: u.RawQuery, Header: p.header, Body: p.body}
	m := c.Contract.MatchCall(asked)
	if m.Operation == nil || strings.HasPrefix(m.Operation.ID, "calendar.batch") || strings.HasPrefix(m.Operation.ID, "oauth2.") {
		return c.fake.Render(trouble)
	}
	input, wrong := m.Operation.Read(specs.Request{Path: m.Path, Query: u.RawQuery, Header: p.header, Body: p.body})
	if len(wrong) > 0 {
		trouble.Kind, trouble.Violations = fakes.BadRequest, wrong
		return c.fake.Render(trouble)
	}
	input.Query = m.Operation.Anonymous(input.Query)
	return c.Carry(fakes.Part{Operation: m.Operation, Path: u.EscapedPath(), Query: u.RawQuery, Header: p.header, Input: input, Body: p.body}, c.fake.Answer)
}
