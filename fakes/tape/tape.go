// Package tape writes numbers and texts one after the other, in pieces, and
// reads them in the same order.
//
//	Number 7, Text "ch_1", Flag, Cut, Number 8 …
//	  ╰────── a piece ──────╯          ╰ the next ─
//
// It is for what only this Parity reads again: nothing on it says what it is, and
// who reads knows what was written. Where that is not so a Reader gives zeros, and
// Err says it.
package tape

import (
	"encoding/binary"
	"errors"
	"math"
)

// pieceSize is from where on a piece is given away at the next Cut that may.
const pieceSize = 256 << 10

// A Writer puts pieces together, and gives each away once it is whole.
type Writer struct {
	give  func(piece []byte) error
	piece []byte
	err   error
}

// NewWriter makes a Writer that gives its pieces to give, which may keep none of
// them.
func NewWriter(give func(piece []byte) error) *Writer { return &Writer{give: give} }

// Number writes a number that is not negative.
func (w *Writer) Number(n uint64) { w.piece = binary.AppendUvarint(w.piece, n) }

// Int writes any whole number.
func (w *Writer) Int(n int64) { w.piece = binary.AppendVarint(w.piece, n) }

// Float writes a number with a fraction, to the bit.
func (w *Writer) Float(f float64) { w.Number(math.Float64bits(f)) }

// Flag writes whether something is so.
func (w *Writer) Flag(is bool) {
	n := byte(0)
	if is {
		n = 1
	}
	w.piece = append(w.piece, n)
}

// Text writes a text.
func (w *Writer) Text(s string) {
	w.Number(uint64(len(s)))
	w.piece = append(w.piece, s...)
}

// Bytes writes bytes; none are as good as nil.
func (w *Writer) Bytes(b []byte) {
	w.Number(uint64(len(b)))
	w.piece = append(w.piece, b...)
}

// Cut ends the piece, where it has become long, or where always is set: so that a
// piece is the same as it was before, when what is in it is, whatever came before
// it.
func (w *Writer) Cut(always bool) {
	if len(w.piece) >= pieceSize || always {
		w.flush()
	}
}

// Close gives the last piece away. It gives the first error of all.
func (w *Writer) Close() error {
	w.flush()
	return w.err
}

// Err is why nothing more is given away.
func (w *Writer) Err() error { return w.err }

func (w *Writer) flush() {
	if len(w.piece) > 0 && w.err == nil {
		w.err = w.give(w.piece)
	}
	w.piece = w.piece[:0]
}

// errTorn says that what was to be read is not what was written.
var errTorn = errors.New("it is not what was written")

// A Reader reads what a Writer wrote, in pieces as it gave them.
type Reader struct {
	next func() (piece []byte, err error)
	rest []byte
	err  error
}

// NewReader reads the pieces that next gives, one at a time; nil after the last.
// They are not written to afterwards.
func NewReader(next func() ([]byte, error)) *Reader { return &Reader{next: next} }

// Err is the first thing that went wrong.
func (r *Reader) Err() error { return r.err }

// Torn says that what was read makes no sense.
func (r *Reader) Torn() { r.fail(errTorn) }

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.rest = nil
}

// more has the next piece at hand, where this one is over.
func (r *Reader) more() bool {
	for len(r.rest) == 0 && r.err == nil {
		piece, err := r.next()
		if err == nil && piece == nil {
			err = errTorn
		}
		if err != nil {
			r.fail(err)
		}
		r.rest = piece
	}
	return r.err == nil
}

// Number reads what Writer.Number wrote.
func (r *Reader) Number() uint64 {
	if !r.more() {
		return 0
	}
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.Torn()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// Int reads what Writer.Int wrote.
func (r *Reader) Int() int64 {
	if !r.more() {
		return 0
	}
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.Torn()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// Float reads what Writer.Float wrote.
func (r *Reader) Float() float64 { return math.Float64frombits(r.Number()) }

// Flag reads what Writer.Flag wrote.
func (r *Reader) Flag() bool {
	if !r.more() {
		return false
	}
	is := r.rest[0]
	if r.rest = r.rest[1:]; is > 1 {
		r.Torn()
	}
	return is == 1
}

// Text reads what Writer.Text wrote.
func (r *Reader) Text() string { return string(r.cut()) }

// Bytes reads what Writer.Bytes wrote, as bytes of their own; nil where there are
// none.
func (r *Reader) Bytes() []byte { return append([]byte(nil), r.cut()...) }

// Loop tells whether to go round once more, of as many times as n says: not once
// something has gone wrong.
func (r *Reader) Loop(n *uint64) bool {
	if *n == 0 || r.err != nil {
		return false
	}
	*n--
	return true
}

func (r *Reader) cut() []byte {
	n := r.Number()
	if n > uint64(len(r.rest)) {
		r.Torn()
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
