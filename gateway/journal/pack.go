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
