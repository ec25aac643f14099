package world

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/klauspost/compress/s2"
)

// A warm is the records of all worlds that come of one New whose JSON is there as
// it is: those that were written last, or read last after they had become old.
//
//	written ──▶ [ … the last … ] ──▶ packed ──▶ read ──▶ [ …
//
// What drops out is packed, by a goroutine that lasts until no more is to be
// dropped: packing needs a large stack, which no connection's should grow to. It
// holds nothing that decides what anybody reads.
type warm struct {
	mu      sync.Mutex
	ring    ring[warmed]
	size    int
	packing bool
}

// A warmed is a record, and how it is kept packed if it was so before.
type warmed struct {
	record *Record
	cold   *kept
}

// mostWarm is how much a warm holds, in bytes of JSON, and muchWarm how much is
// between one beginning to pack and the next.
const (
	mostWarm = 2 << 20
	muchWarm = 256 << 10
)

// add takes a record that was just written, or has just been unpacked.
func (w *warm) add(r *Record, cold *kept) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ring.push(warmed{r, cold})
	w.size += r.size() + smallest
	if w.size > mostWarm+muchWarm && !w.packing {
		w.packing = true
		go w.pack()
	}
}

// pack packs the oldest records until no more are there than may be.
func (w *warm) pack() {
	var buffer []byte
	for {
		some := w.oldest()
		if len(some) == 0 {
			return
		}
		for _, it := range some {
			cold := it.cold
			if cold == nil {
				cold, buffer = it.record.kept.Load().pack(it.record.ID, buffer)
			}
			it.record.kept.Store(cold)
		}
	}
}

// oldest takes some of the oldest records out; none: there is nothing to pack.
func (w *warm) oldest() []warmed {
	const atOnce = 64
	w.mu.Lock()
	defer w.mu.Unlock()
	var some []warmed
	for w.size > mostWarm && len(some) < atOnce {
		it := w.ring.pop()
		w.size -= it.record.size() + smallest
		some = append(some, it)
	}
	w.packing = len(some) > 0
	return some
}

// leastPacked is how long a text is at least that is worth packing.
const leastPacked = 96

// pack gives the same packed, of the record with an id; k itself, where that is
// hardly shorter.
func (k *kept) pack(id string, buffer []byte) (cold *kept, used []byte) {
	if len(k.text) < leastPacked {
		return k, buffer
	}
	form, text := byte(0), k.bytes()
	if begin := beginning(id); strings.HasPrefix(k.text, begin) {
		form, text = withoutID, text[len(begin):]
	}
	buffer = k.home.packs.pack(form, text, buffer)
	if len(buffer) == 0 || len(buffer) > len(k.text)*3/4 {
		return k, buffer
	}
	return &kept{text: string(buffer), held: k.held, home: k.home}, buffer
}

// withoutID marks what was packed without its beginning. An id is a third of what
// a record has that others have not, and the record has it apart from its JSON.
const withoutID = mostPacks

func beginning(id string) string { return `{"id":"` + id + `"` }

// packed tells whether text is JSON that was packed. JSON begins with a brace, or
// with white space where somebody else wrote it.
func (k *kept) packed() bool { return k.text != "" && k.text[0] < 2*mostPacks }

// bytes is text without a copy: nobody writes to it.
func (k *kept) bytes() []byte { return unsafe.Slice(unsafe.StringData(k.text), len(k.text)) }

// size is the length of the text of the record with an id when it is not packed.
func (k *kept) size(id string) int {
	if !k.packed() {
		return len(k.text)
	}
	n, err := s2.DecodedLen(k.bytes()[1:])
	k.sound(err)
	if k.text[0]&withoutID != 0 {
		n += len(beginning(id))
	}
	return n
}

// unpack puts the text of the record with an id, as it is when it is not packed,
// behind what is there.
func (k *kept) unpack(id string, to []byte) []byte {
	if !k.packed() {
		return append(to, k.text...)
	}
	end := len(to) + k.size(id)
	to = slices.Grow(to, end-len(to))
	if k.text[0]&withoutID != 0 {
		to = append(to, beginning(id)...)
	}
	_, err := (*k.home.packs.known.Load())[k.text[0]&^withoutID].Decode(to[len(to):end], k.bytes()[1:])
	k.sound(err)
	return to[:end]
}

// sound holds what packing has made against what can be unpacked.
func (k *kept) sound(err error) {
	if err != nil {
		panic(fmt.Sprintf("%s: a record was packed to what cannot be unpacked: %v", k.home.Name, err))
	}
}

// thaw gives the JSON of a record that is packed, and has it be there for a while.
func (r *Record) thaw(cold *kept) []byte {
	json := cold.unpack(r.ID, nil)
	warm := &kept{text: unsafe.String(unsafe.SliceData(json), len(json)), home: cold.home}
	if r.kept.CompareAndSwap(cold, warm) {
		cold.home.fresh.warm.add(r, cold)
	}
	return json
}

// packs are dictionaries of one collection: records of it, of which others are
// said to have the same here and there. What agents write may look other than
// what was there at first, so that others follow, at greater and greater
// distances. They are known to whoever unpacks; the rest is the packing
// goroutine's, of which there is one.
type packs struct {
	known  atomic.Pointer[[]*s2.Dict]
	sample []byte // of the next one
	count  int    // of what was packed, or sampled
	next   int    // the count at which that sample begins
}

const (
	mostPacks  = 4
	fullSample = 16 << 10 // bytes
	fewSampled = 16       // records
)

// pack gives a record's text packed, in a buffer, marked with its form and with the
// number of the dictionary; nothing where there is none yet.
func (p *packs) pack(form byte, text, buffer []byte) []byte {
	known := p.dictionaries()
	if p.count++; p.count > p.next && len(known) < mostPacks {
		if p.sample = append(p.sample, text...); len(p.sample) >= fullSample || p.count >= p.next+fewSampled {
			known = p.learn(known)
		}
	}
	if len(known) == 0 {
		return nil
	}
	newest := len(known) - 1
	buffer = slices.Grow(buffer[:0], 1+s2.MaxEncodedLen(len(text)))
	packed := known[newest].Encode(buffer[1:cap(buffer)], text)
	buffer = buffer[:1+len(packed)]
	buffer[0] = form | byte(newest)
	return buffer
}

func (p *packs) dictionaries() []*s2.Dict {
	if known := p.known.Load(); known != nil {
		return *known
	}
	return nil
}

// learn makes a dictionary of the sample.
func (p *packs) learn(known []*s2.Dict) []*s2.Dict {
	const apart = 16 // times as many records as the last time come before the next
	p.next = max(256, apart*p.next)
	if d := s2.MakeDict(p.sample, nil); d != nil {
		known = append(slices.Clip(known), d)
		p.known.Store(&known)
	}
	p.sample = nil
	return known
}
