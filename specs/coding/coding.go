// Package coding compresses bodies piece by piece, so that a reader can have
// each piece as soon as its bytes are there.
//
//	plain   ──┬───────┬───────┬──▶     pieces
//	          │flush  │flush  │end
//	encoded ──┴───────┴───────┴──▶     Ends: where each piece ends
//
// A body that is compressed as a whole comes out of a reader's decoder in one
// burst at the end, however slowly its bytes arrive; one that is flushed keeps
// its rhythm, which is what servers that stream do.
package coding

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// The encodings that there are, as Content-Encoding names them.
const (
	Identity = ""
	Gzip     = "gzip"
	Brotli   = "br"
)

// Brotli's own default, 11, takes a second for a megabyte.
const brotliLevel = 5

// A Body is what goes out.
type Body struct {
	Bytes []byte
	Ends  []int // of the pieces, ascending; the last is len(Bytes)
}

// whole is a body in one piece.
func whole(data []byte) Body { return Body{data, []int{len(data)}} }

// Encode encodes a body, in pieces that end at the given places in it,
// ascending; none: it is one piece. A body without bytes has no piece to flush.
// It fails on an encoding that there is not.
func Encode(encoding string, plain []byte, at []int) (Body, error) {
	if len(at) == 0 && encoding == Identity {
		return whole(plain), nil
	}
	if len(at) == 0 || at[len(at)-1] < len(plain) {
		at = append(at[:len(at):len(at)], len(plain))
	}
	if encoding == Identity {
		return Body{plain, at}, nil
	}
	var out bytes.Buffer
	w, err := writer(encoding, &out)
	if err != nil {
		return whole(plain), err
	}
	b := Body{Ends: make([]int, 0, len(at))}
	begin := 0
	for i, end := range at {
		_, err := w.Write(plain[begin:end])
		if err == nil && i < len(at)-1 {
			err = w.Flush()
		}
		if err == nil && i == len(at)-1 {
			err = w.Close()
		}
		if err != nil {
			return whole(plain), fmt.Errorf("%s: %w", encoding, err)
		}
		begin = end
		b.Ends = append(b.Ends, out.Len())
	}
	b.Bytes = out.Bytes()
	return b, nil
}

type flushWriter interface {
	io.WriteCloser
	Flush() error
}

func writer(encoding string, out io.Writer) (flushWriter, error) {
	switch encoding {
	case Gzip:
		return gzip.NewWriter(out), nil
	case Brotli:
		return brotli.NewWriterLevel(out, brotliLevel), nil
	}
	return nil, fmt.Errorf("%q is no encoding that is known here", encoding)
}

// Readable is how many bytes can be read out of an encoded body, or out of the
// beginning of one.
func Readable(encoding string, data []byte) int {
	n, err := int64(0), error(nil)
	switch encoding {
	case Gzip:
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			n, err = io.Copy(io.Discard, r)
		}
	case Brotli:
		n, err = io.Copy(io.Discard, brotli.NewReader(bytes.NewReader(data)))
	default:
		return len(data)
	}
	_ = err // a body that is cut ends in one: what came before it counts
	return int(n)
}

// Asked gives the encoding that a client prefers, by its Accept-Encoding: gzip
// or br, br where it likes both alike, and Identity where it takes neither.
// Source: RFC 9110, 12.5.3.
func Asked(accept []string) string {
	best, most := Identity, 0.0
	quality := map[string]float64{}
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		q, err := qualityOf(parameters)
		if name == "x-gzip" {
			name = Gzip
		}
		if name != "" && err == nil {
			quality[name] = q
		}
	}
	for _, encoding := range []string{Brotli, Gzip} {
		q, named := quality[encoding]
		if !named {
			q = quality["*"]
		}
		if q > most {
			best, most = encoding, q
		}
	}
	return best
}

var errQuality = errors.New("no quality value")

func qualityOf(parameters string) (float64, error) {
	name, value, ok := strings.Cut(parameters, "=")
	if !ok || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 1, nil
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 0, errQuality
	}
	return q, nil
}
