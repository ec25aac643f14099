package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"math/bits"
)

// A block is frames, one after the other; pack.go keeps it small:
//
//	key      uvarint   the event's sequence number
//	length   uvarint   of data
//	crc32c   4 bytes   little endian, over run and key as 8 bytes each, then data
//	data
//
// The checksum covers run and key, so that a frame that was moved is as wrong as
// one whose bits have changed.

// errFrame is what is wrong with a frame, without saying where.
var errFrame = errors.New("damaged frame")

func appendFrame(block []byte, run int64, key uint64, data []byte) []byte {
	block = binary.AppendUvarint(block, key)
	block = binary.AppendUvarint(block, uint64(len(data)))
	block = binary.LittleEndian.AppendUint32(block, checksum(run, key, data))
	return append(block, data...)
}

// frameSize is what appendFrame adds.
func frameSize(key uint64, data []byte) int {
	return uvarintSize(key) + uvarintSize(uint64(len(data))) + crc32.Size + len(data)
}

func uvarintSize(n uint64) int { return (bits.Len64(n|1) + 6) / 7 }

func checksum(run int64, key uint64, data []byte) uint32 {
	var k [16]byte
	binary.LittleEndian.PutUint64(k[:8], uint64(run))
	binary.LittleEndian.PutUint64(k[8:], key)
	table := crc32.MakeTable(crc32.Castagnoli) // the standard library's own, not a new one
	return crc32.Update(crc32.Update(0, table, k[:]), table, data)
}

type frame struct {
	key  uint64
	data []byte // part of the block
}

// frames gives a block's frames up to its end or its first damage, which it
// gives as an error that wraps errFrame.
func frames(block []byte, run int64) iter.Seq2[frame, error] {
	return func(yield func(frame, error) bool) {
		for offset := 0; offset < len(block); {
			f, size, err := cutFrame(block[offset:], run)
			if err != nil {
				yield(frame{}, fmt.Errorf("%w at byte %d of %d: %w", errFrame, offset, len(block), err))
				return
			}
			if !yield(f, nil) {
				return
			}
			offset += size
		}
	}
}

func cutFrame(b []byte, run int64) (frame, int, error) {
	key, n := binary.Uvarint(b)
	if n <= 0 {
		return frame{}, 0, errors.New("no key")
	}
	at := n
	length, n := binary.Uvarint(b[at:])
	if n <= 0 {
		return frame{}, 0, errors.New("no length")
	}
	at += n
	if len(b)-at < crc32.Size || length > uint64(len(b)-at-crc32.Size) {
		return frame{}, 0, errors.New("cut short")
	}
	sum := binary.LittleEndian.Uint32(b[at:])
	at += crc32.Size
	end := at + int(length)
	data := b[at:end:end]
	if checksum(run, key, data) != sum {
		return frame{}, end, errors.New("wrong checksum") // where the next one begins may still be told
	}
	return frame{key, data}, end, nil
}

// readBlock gives the entries of the block of run that says it holds first to last.
// With an error it gives those that are good before it.
func readBlock(block []byte, run int64, first, last uint64) ([]Entry, error) {
	var entries []Entry
	want := first
	for f, err := range frames(block, run) {
		switch {
		case err != nil:
			return entries, fmt.Errorf("event %d: %w", want, err)
		case f.key != want || want > last:
			return entries, fmt.Errorf("event %d: %w: it says that it is event %d", want, errFrame, f.key)
		}
		entries = append(entries, Entry{Seq: f.key, Data: f.data})
		want++
	}
	if want != last+1 {
		return entries, fmt.Errorf("event %d: %w: the block ends before it", want, errFrame)
	}
	return entries, nil
}
