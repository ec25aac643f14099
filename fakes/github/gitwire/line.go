package gitwire

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// MaxPayload is how many bytes one line carries.
const MaxPayload = 65516

// The bands of a reply that has several.
const (
	BandData     = 1 // the pack, or the report of a push
	BandProgress = 2 // what clients show after "remote: "
	BandFailed   = 3 // why the rest is not coming
)

// ErrLine is what is wrong with bytes that are no line.
var ErrLine = errors.New("bad line length")

// Out gathers lines.
type Out struct {
	bytes.Buffer
}

// Line writes one line of text, which has to fit MaxPayload.
func (o *Out) Line(text string) { fmt.Fprintf(o, "%04x%s\n", len(text)+5, text) }

// Flush ends a section.
func (o *Out) Flush() { o.WriteString("0000") }

// Band writes data to a band, in as many lines as that takes. most is how long a
// line may be: MaxPayload for side-band-64k, and 996 for side-band.
func (o *Out) Band(band byte, data []byte, most int) {
	for len(data) > 0 {
		n := min(len(data), most-1)
		fmt.Fprintf(o, "%04x", n+5)
		o.WriteByte(band)
		o.Write(data[:n])
		data = data[n:]
	}
}

// A lines takes lines off the front of what a client sent.
type lines struct {
	rest []byte
}

// next gives a payload without the newline at its end. flush: it was the end of a
// section. At the end of all there is, it says so by flush, too.
func (l *lines) next() (payload string, flush bool, err error) {
	if len(l.rest) == 0 {
		return "", true, nil
	}
	if len(l.rest) < 4 {
		return "", false, ErrLine
	}
	n, err := strconv.ParseUint(string(l.rest[:4]), 16, 32)
	if err != nil {
		return "", false, ErrLine
	}
	if n == 0 {
		l.rest = l.rest[4:]
		return "", true, nil
	}
	if n < 4 || n > MaxPayload+4 || int(n) > len(l.rest) {
		return "", false, ErrLine
	}
	text := l.rest[4:n]
	l.rest = l.rest[n:]
	return string(bytes.TrimSuffix(text, []byte("\n"))), false, nil
}
