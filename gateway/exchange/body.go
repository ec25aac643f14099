package exchange

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/faults/trail"
	"parity/gateway/ingress"
)

// Limits bound what one exchange may cost. A zero field takes its default.
type Limits struct {
	Body     int64 // bytes of a request body, on the wire and inflated; default 10 MiB
	Inflated int64 // times that a compressed body may grow; default 100
	Calls    int64 // under way in one run; default 2048
	Held     int64 // bytes for requests under way, of which it is warned; 0: it is not
}

// withDefaults fills in what is zero.
func (l Limits) withDefaults() Limits {
	if l.Body == 0 {
		l.Body = 10 << 20
	}
	if l.Inflated == 0 {
		l.Inflated = 100
	}
	if l.Calls == 0 {
		l.Calls = 2048
	}
	return l
}

var (
	errTooLarge = errors.New("body over the limit")
	errEncoding = errors.New("content encoding")
)

// readBody reads the body within its limits, on the wire and inflated, and
// within what may be held for its client.
func (x *Exchange) readBody() error {
	if x.r.Body == nil || x.r.Body == http.NoBody {
		return nil
	}
	defer func() { x.heard = x.line.wall.Now() }()
	limit, ctx := x.line.limits.Body, x.r.Context()
	if x.r.ContentLength > limit {
		return errTooLarge
	}
	data, err := readUpTo(ctx, x.r.Body, limit, x.r.ContentLength)
	if err != nil {
		return err
	}
	switch encoding := strings.ToLower(x.r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		x.body = data
	case "gzip", "x-gzip":
		if data, err = x.line.limits.inflate(ctx, data); err != nil {
			return err
		}
		x.body = data
	default:
		return errEncoding
	}
	return nil
}

// inflate undoes gzip within the limits. What it gives with an error is what was
// there until then.
func (l Limits) inflate(ctx context.Context, data []byte) ([]byte, error) {
	zipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errors.Join(errEncoding, err)
	}
	body, err := readUpTo(ctx, zipped, min(l.Body, l.Inflated*int64(len(data))), -1)
	if err != nil && !errors.Is(err, errTooLarge) && !overBudget(err) {
		err = errors.Join(errEncoding, err)
	}
	return body, err
}

// firstRead is how many bytes a body gets before any of it is there.
const firstRead = 4 << 10

// readUpTo reads r to its end: net/http notices a client that leaves only once
// it has been. It has room for what is there, and not for what was announced,
// which only spares a body that keeps its word the last doubling.
func readUpTo(ctx context.Context, r io.Reader, limit, declared int64) ([]byte, error) {
	room := int64(firstRead)
	if 0 <= declared && declared < room {
		room = declared + 1
	}
	if err := ingress.Reserve(ctx, room); err != nil {
		return nil, err
	}
	data := make([]byte, 0, room)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return data, errTooLarge
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return data, err
		case len(data) < cap(data):
			continue
		}
		room := 2 * int64(cap(data))
		if int64(len(data)) <= declared {
			room = min(room, declared+1)
		}
		if err := ingress.Reserve(ctx, room-int64(cap(data))); err != nil {
			return data, err
		}
		data = slices.Grow(data, int(room)-len(data))
	}
}

func overBudget(err error) bool {
	return errors.Is(err, ingress.ErrClientFull) || errors.Is(err, ingress.ErrGatewayFull) || errors.Is(err, ingress.ErrClientBusy)
}

func (x *Exchange) unreadable(err error) {
	switch {
	case overBudget(err):
		x.turnedAway(err)
		return
	case errors.Is(err, errTooLarge):
		x.trouble(trail.Oversized, fakes.Problem{Kind: fakes.TooLarge}, http.StatusRequestEntityTooLarge, "body-too-large",
			"The request body is over this gateway's limit; --max-body raises it.")
	case errors.Is(err, errEncoding):
		x.refuse(trail.Unreadable, http.StatusUnsupportedMediaType, "content-encoding",
			"The body is not what Content-Encoding says, or is encoded in a way that is not read here: send it plain or gzipped.")
	default:
		x.refuse(trail.Unreadable, http.StatusBadRequest, "body-broken-off", "The request body ended before its announced length.")
	}
	x.entry.Note = err.Error()
}
