package world

import "sync"

// A fresh is the records of all worlds that come of one New whose values are
// there: those that were written last, and, apart from them, those that were
// decoded last for somebody who reads. So a gateway that is only written to keeps
// few values, and a search over some thousands of records decodes them once.
type fresh struct {
	written, read recent
	warm          warm
}

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
	mu   sync.Mutex
	most int
	ring ring[*Record]
	size int
}

func (k *recent) add(r *Record) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.size += r.size() + smallest
	for k.size > k.most && k.ring.count > 0 {
		oldest := k.ring.pop()
		k.size -= oldest.size() + smallest
		oldest.decoded.Store(nil)
	}
	k.ring.push(r)
}

// A ring is a queue.
type ring[T any] struct {
	items []T
	first int
	count int
}

func (q *ring[T]) push(it T) {
	if q.count == len(q.items) {
		more := make([]T, max(16, 2*q.count))
		n := copy(more, q.items[q.first:])
		copy(more[n:], q.items[:q.first])
		q.items, q.first = more, 0
	}
	q.items[(q.first+q.count)%len(q.items)] = it
	q.count++
}

// pop takes out the oldest: there has to be one.
func (q *ring[T]) pop() T {
	var none T
	oldest := q.items[q.first]
	q.items[q.first] = none
	q.first = (q.first + 1) % len(q.items)
	q.count--
	return oldest
}
