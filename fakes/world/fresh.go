package world

import "sync"

// A fresh is the records of all worlds that come of one New whose values are
// there: those that were written last, and, apart from them, those that were
// decoded last for somebody who reads. So a gateway that is only written to keeps
// few values, and a search over some thousands of records decodes them once.
type fresh struct{ written, read recent }

// How much a fresh holds, in bytes of JSON, whose values take four times as
// many. Beside its JSON each record counts for what a small one takes.
const (
	mostWritten = 1 << 19
	mostRead    = 8 << 20
	smallest    = 128
)

func newFresh() *fresh {
	return &fresh{written: recent{most: mostWritten}, read: recent{most: mostRead}}
}

// A recent is records whose values are there, the oldest first. What comes in
// drives the oldest out, to be decoded again when somebody asks for them.
//
//	add ──▶ [ … the last … ] ──▶ only as JSON
//
// It holds nothing that decides what anybody reads.
type recent struct {
	mu    sync.Mutex
	most  int
	ring  []*Record
	first int
	count int
	size  int
}

func (k *recent) add(r *Record) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.size += r.size() + smallest
	for k.size > k.most && k.count > 0 {
		oldest := k.ring[k.first]
		k.ring[k.first] = nil
		k.first = (k.first + 1) % len(k.ring)
		k.count--
		k.size -= oldest.size() + smallest
		oldest.decoded.Store(nil)
	}
	if k.count == len(k.ring) {
		more := make([]*Record, max(16, 2*k.count))
		n := copy(more, k.ring[k.first:])
		copy(more[n:], k.ring[:k.first])
		k.ring, k.first = more, 0
	}
	k.ring[(k.first+k.count)%len(k.ring)] = r
	k.count++
}
