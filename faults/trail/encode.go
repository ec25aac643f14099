package trail

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/fxamacker/cbor/v2"
)

// Codec writes and reads events and settlements. Equal values give equal
// bytes: fields are numbered, maps are sorted, floats are kept as they are.
type Codec struct {
	enc     cbor.EncMode
	dec     cbor.DecMode
	writers sync.Pool // of *writer
}

// NewCodec makes a Codec. It is safe for concurrent use.
func NewCodec() (*Codec, error) {
	options := cbor.CoreDetEncOptions()
	options.NilContainers = cbor.NilContainerAsNull
	enc, err := options.EncMode()
	if err != nil {
		return nil, fmt.Errorf("event encoding: %w", err)
	}
	dec, err := cbor.DecOptions{MaxArrayElements: 1 << 20, MaxMapPairs: 1 << 20}.DecMode()
	if err != nil {
		return nil, fmt.Errorf("event decoding: %w", err)
	}
	return &Codec{enc: enc, dec: dec, writers: sync.Pool{New: func() any { return &writer{enc: enc} }}}, nil
}

// Event writes an event. A reply that is a record, as its change has it, is not
// written twice.
func (c *Codec) Event(e *Event) (data []byte, err error) {
	err = c.LendEvent(e, func(lent []byte) error {
		data = bytes.Clone(lent)
		return nil
	})
	return data, err
}

// LendEvent writes an event for use, which may not keep the bytes.
func (c *Codec) LendEvent(e *Event, use func(data []byte) error) error {
	w := c.begin()
	w.event(e)
	return c.end(w, use)
}

// largestKept is how large a buffer is kept for the next event.
const largestKept = 1 << 20

func (c *Codec) begin() *writer {
	w := c.writers.Get().(*writer)
	w.buf, w.err = w.buf[:0], nil
	return w
}

func (c *Codec) end(w *writer, use func(data []byte) error) error {
	err := w.err
	if err == nil {
		err = use(w.buf)
	}
	if cap(w.buf) <= largestKept {
		c.writers.Put(w)
	}
	return err
}

// ReadEvent reads what Event wrote.
func (c *Codec) ReadEvent(data []byte) (Event, error) {
	var e Event
	if err := c.dec.Unmarshal(data, &e); err != nil {
		return Event{}, fmt.Errorf("event: %w", err)
	}
	if x := e.Exchange; x != nil && x.ReplyIn != 0 {
		if x.ReplyIn < 0 || x.ReplyIn > len(e.Delta) || x.ReplyBody != nil {
			return Event{}, fmt.Errorf("event %d: its reply is not in its changes", e.Seq)
		}
		x.ReplyBody, x.ReplyIn = e.Delta[x.ReplyIn-1].After, 0
	}
	return e, nil
}

// LendSettlement writes a settlement for use, which may not keep the bytes.
func (c *Codec) LendSettlement(s *Settlement, use func(data []byte) error) error {
	w := c.begin()
	w.settlement(s)
	return c.end(w, use)
}

// ReadSettlement reads what Settlement wrote.
func (c *Codec) ReadSettlement(data []byte) (Settlement, error) {
	var s Settlement
	if err := c.dec.Unmarshal(data, &s); err != nil {
		return Settlement{}, fmt.Errorf("settlement: %w", err)
	}
	return s, nil
}
