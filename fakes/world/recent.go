package world

import "sync"

// A recent is the records of all worlds that come of one New whose values are
// there, the oldest first. What is written and what is asked for comes in, and
// the oldest go out, to be decoded again when somebody asks for them.
//
//	add ──▶ [ … written and read last … ] ──▶ only as JSON
//
// It holds nothing that decides what anybody reads. Of a scan over more than it
// can hold each record is decoded once, and what a few calls need at the same
// time stays.
type recent struct {
	mu    sync.Mutex
	ring  []*Record
	first int
	count int
	size  int
}

// mostRecent is how much a recent holds, in bytes of JSON, whose values take
// four times as many. Beside its JSON each record counts for what a small one
// takes.
const (
	mostRecent = 1 << 19
	smallest   = 128
)

func (k *recent) add(r *Record) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.size += r.size() + smallest
	for k.size > mostRecent && k.count > 0 {
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
