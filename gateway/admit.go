package gateway

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/faults/trail"
	"parity/gateway/ingress"
)

// admit finds the run and the service that a request is for, and reads its
// body, so that from here on a client that leaves is noticed.
func (x *exchange) admit() {
	x.origin, _ = ingress.FromContext(x.r.Context())
	x.entry.Way = string(x.origin.Way)
	x.entry.Method = x.r.Method
	x.path = x.r.URL.EscapedPath()
	c, err := x.claim()
	if err == nil {
		x.live, err = x.g.find(c)
	}
	if err != nil {
		x.unclaimed(err, c)
		return
	}
	x.live.calls.Add(1)
	x.rev = x.live.revision()
	x.locate()
	x.entry.Host, x.entry.Path = x.origin.Authority.Host, x.path
	if x.severed = x.unreachable(); x.severed {
		return
	}
	if err := x.readBody(); err != nil {
		x.unreadable(err)
	}
}

var (
	errTooLarge = errors.New("body over the limit")
	errEncoding = errors.New("content encoding")
)

// readBody reads the body within its limits, on the wire and inflated.
func (x *exchange) readBody() error {
	if x.r.Body == nil || x.r.Body == http.NoBody {
		return nil
	}
	defer func() { x.heard = x.g.wall.Now() }()
	limit := x.g.limits.Body
	if x.r.ContentLength > limit {
		return errTooLarge
	}
	data, err := readUpTo(x.r.Body, limit, x.r.ContentLength)
	if err != nil {
		return err
	}
	switch encoding := strings.ToLower(x.r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		x.body = data
	case "gzip", "x-gzip":
		zipped, err := gzip.NewReader(strings.NewReader(string(data)))
		if err != nil {
			return errors.Join(errEncoding, err)
		}
		x.body, err = readUpTo(zipped, min(limit, x.g.limits.Inflated*int64(len(data))), -1)
		if err != nil && !errors.Is(err, errTooLarge) {
			err = errors.Join(errEncoding, err)
		}
		return err
	default:
		return errEncoding
	}
	return nil
}

func readUpTo(r io.Reader, limit, declared int64) ([]byte, error) {
	if declared >= 0 && declared <= limit {
		data := make([]byte, declared)
		if _, err := io.ReadFull(r, data); err != nil {
			return nil, err
		}
		// One read beyond the end: net/http notices a client that leaves only
		// once the body has been read to its end.
		if _, err := r.Read(make([]byte, 1)); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return data, nil
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, errTooLarge
	}
	return data, nil
}

func (x *exchange) unreadable(err error) {
	switch {
	case errors.Is(err, errTooLarge):
		x.trouble(trail.Oversized, fakes.Trouble{Kind: fakes.TooLarge}, http.StatusRequestEntityTooLarge, "body-too-large",
			"The request body is over this gateway's limit; --max-body raises it.")
	case errors.Is(err, errEncoding):
		x.refuse(trail.Unreadable, http.StatusUnsupportedMediaType, "content-encoding",
			"The body is not what Content-Encoding says, or is encoded in a way that is not read here: send it plain or gzipped.")
	default:
		x.refuse(trail.Unreadable, http.StatusBadRequest, "body-broken-off", "The request body ended before its announced length.")
	}
	x.entry.Note = err.Error()
}

// trouble answers in the service's dialect, where there is one.
func (x *exchange) trouble(outcome trail.Outcome, t fakes.Trouble, status int, code, message string) {
	t.Method, t.Path, t.Header = x.r.Method, x.path, x.r.Header
	if d, ok := x.service.Fake.(fakes.Dialect); ok {
		t.RequestID = x.requestID()
		x.g.metrics.Refused(code)
		x.reply, x.answered = d.Word(t), true
		x.entry.Outcome, x.entry.Fidelity = outcome, fidelityOf(x.reply)
		return
	}
	x.refuse(outcome, status, code, message)
}

// refuse answers in Parity's own name.
func (x *exchange) refuse(outcome trail.Outcome, status int, code, message string) {
	x.entry.Outcome, x.entry.Fidelity, x.entry.Note = outcome, trail.None, message
	x.reply, x.answered = problemReply(status, code, message), true
	x.g.metrics.Refused(code)
}
