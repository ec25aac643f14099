package trail

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"
)

// Codec writes and reads events and settlements. Equal values give equal
// bytes: fields are numbered, maps are sorted, floats are kept as they are.
type Codec struct {
	enc cbor.EncMode
	dec cbor.DecMode
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
	return &Codec{enc, dec}, nil
}

// Event writes an event.
func (c *Codec) Event(e *Event) ([]byte, error) { return c.enc.Marshal(e) }

// ReadEvent reads what Event wrote.
func (c *Codec) ReadEvent(data []byte) (Event, error) {
	var e Event
	if err := c.dec.Unmarshal(data, &e); err != nil {
		return Event{}, fmt.Errorf("event: %w", err)
	}
	return e, nil
}

// Settlement writes a settlement.
func (c *Codec) Settlement(s *Settlement) ([]byte, error) { return c.enc.Marshal(s) }

// ReadSettlement reads what Settlement wrote.
func (c *Codec) ReadSettlement(data []byte) (Settlement, error) {
	var s Settlement
	if err := c.dec.Unmarshal(data, &s); err != nil {
		return Settlement{}, fmt.Errorf("settlement: %w", err)
	}
	return s, nil
}
