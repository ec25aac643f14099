package journal

import (
	"errors"
	"fmt"

	"github.com/klauspost/compress/s2"
)

// maxUnpacked bounds what a row may claim to hold: a flipped bit must not
// reserve the machine's memory. It is well above one event with the largest
// bodies there can be.
const maxUnpacked = 512 << 20

// pack compresses a row's frames. Events repeat themselves: a list holds the
// records that were created before it, and headers are always the same, so
// that a tenth of the bytes is usual, and writing is what costs.
func pack(into, row []byte) []byte {
	return s2.Encode(into[:cap(into)], row)
}

// A packing is what frames have come to when they were written: how full a run
// is has to be known before its newest events are.
type packing struct{ came, stored int64 }

// learnt is how many bytes are remembered of it.
const learnt = 64 << 20

func (p *packing) add(came, stored int64) {
	p.came, p.stored = p.came+came, p.stored+stored
	if p.came > learnt {
		p.came, p.stored = p.came/2, p.stored/2
	}
}

// expected is what bytes are expected to come to: all of them where none were
// written yet.
func (p *packing) expected(size int64) int64 {
	if p.came == 0 {
		return size
	}
	return min(size, int64(float64(size)*float64(p.stored)/float64(p.came))+1)
}

// unpack gives a row's frames again. Its error wraps errFrame.
func unpack(packed []byte) ([]byte, error) {
	n, err := s2.DecodedLen(packed)
	if err == nil && n > maxUnpacked {
		err = errors.New("it claims to be too long")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFrame, err)
	}
	row, err := s2.Decode(nil, packed)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFrame, err)
	}
	return row, nil
}
