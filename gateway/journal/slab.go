package journal

import (
	"bytes"
	"slices"
	"sync"
)

// slabSize is how many bytes of events and settlements share an allocation while
// they wait to be written; what is larger than a quarter of it has its own.
const slabSize = 64 << 10

// A slab is such an allocation.
type slab struct{ data []byte }

// slabs are those of what no transaction has taken yet. Once a batch is kept, its
// slabs are for what comes next.
type slabs struct {
	used  []*slab // the last one has room
	spare sync.Pool
}

// copied gives a copy of data, which is good until its batch is kept.
func (s *slabs) copied(data []byte) []byte {
	if len(data) > slabSize/4 {
		return bytes.Clone(data)
	}
	last := len(s.used) - 1
	if last < 0 || slabSize-len(s.used[last].data) < len(data) {
		one, _ := s.spare.Get().(*slab)
		if one == nil {
			one = &slab{make([]byte, 0, slabSize)}
		}
		s.used = append(s.used, one)
		last++
	}
	one := s.used[last]
	at := len(one.data)
	one.data = append(one.data, data...)
	return slices.Clip(one.data[at:])
}

// kept takes back the slabs of a batch that is kept.
func (s *slabs) kept(all []*slab) {
	for _, one := range all {
		one.data = one.data[:0]
		s.spare.Put(one)
	}
}
