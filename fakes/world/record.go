package world

import (
	"fmt"
	"sync/atomic"
)

// A Record is one stored thing at one version. It is frozen: neither what Value
// nor what JSON gives may be changed by anyone.
//
// What is kept is its JSON, which takes a quarter of the memory of its value, and
// once it has become old that in a packed form, which takes a fifth of that: see
// warm. The value is there from the write, or from when somebody asked for it,
// until so many others have come since: see fresh.
type Record struct {
	// ID is unique in its collection.
	ID string
	// Version is 1 when created and one more with each update.
	Version uint64
	// Order is the record's place in its collection, by creation, from 1. It
	// stays through updates and is never given twice.
	Order uint64

	kept    atomic.Pointer[kept] // nil for what no world keeps
	decoded atomic.Pointer[content]
}

// A kept is how a record is kept just now. It is replaced, and never changed.
type kept struct {
	text string // its JSON, without what stands in held, or that packed; "": the value is kept
	held *held
	home *declared
}

// A held is what a record has of another's JSON, which is kept once: a list, as
// it comes in the record.
type held struct {
	at   int // in the record's own text
	of   *Record
	next *held
}

// A content is a record's value.
type content struct {
	value map[string]any
	depth int // of nesting; 0 when not known
}

// Loose gives a record that no world keeps: what only looks like one.
func Loose(id string, value map[string]any) *Record {
	r := &Record{ID: id}
	r.decoded.Store(&content{value: value})
	return r
}

// Value holds nil, bool, string, int64, float64, []any and map[string]any,
// numbers as Normalise leaves them. Nobody may change it.
func (r *Record) Value() map[string]any {
	if c := r.decoded.Load(); c != nil {
		return c.value
	}
	return r.decode().value
}

func (r *Record) decode() *content {
	d := decoders.Get().(*decoder)
	data := r.whole(&d.buffer)
	value, ok := d.whole(data)
	now := &content{value, d.deepest}
	if !ok {
		var err error
		if value, err = decodeAny(data); err != nil {
			panic(fmt.Sprintf("%s %q: %v", r.home().Name, r.ID, err)) // Apply looked at it
		}
		now = &content{value: value}
	}
	d.release()
	if !r.decoded.CompareAndSwap(nil, now) {
		if first := r.decoded.Load(); first != nil {
			return first
		}
		return now
	}
	r.home().fresh.read.add(r)
	return now
}

// At gives what stands at a path of Value, such as "status", or "metadata" and
// "order_id"; nil where nothing does. It decodes nothing else.
func (r *Record) At(path ...string) any {
	if c := r.decoded.Load(); c != nil {
		return reach(c.value, path)
	}
	d := decoders.Get().(*decoder)
	value := d.reach(r.whole(&d.buffer), path)
	d.release()
	return value
}

// JSON is Value as Encode writes it. It was encoded when the record was
// written, so that reading and listing encode nothing; but what is old has to be
// unpacked, and what is hidden, or a ledger, may have to be put together or
// encoded again: see keep.
func (r *Record) JSON() []byte {
	switch k := r.kept.Load(); {
	case k == nil || k.text == "":
		return encode(r.Value(), r.spot())
	case k.held != nil:
		return r.append(make([]byte, 0, r.size()))
	case k.packed():
		return r.thaw(k)
	default:
		return k.bytes()
	}
}

// append puts the record's JSON behind what is there.
func (r *Record) append(to []byte) []byte {
	k := r.kept.Load()
	if k == nil || k.text == "" {
		return append(to, encode(r.Value(), r.spot())...)
	}
	if k.held == nil {
		return k.unpack(r.ID, to)
	}
	own, from := k.bytes(), 0
	if k.packed() {
		own = k.unpack(r.ID, nil)
	}
	for h := k.held; h != nil; h = h.next {
		to = h.of.append(append(to, own[from:h.at]...))
		from = h.at
	}
	return append(to, own[from:]...)
}

// whole is JSON for a moment: in a buffer, where it is not there in one piece.
func (r *Record) whole(buffer *[]byte) []byte {
	if k := r.kept.Load(); k != nil && k.text != "" && k.held == nil && !k.packed() {
		return k.bytes()
	}
	*buffer = r.append((*buffer)[:0])
	return *buffer
}

// home is the collection that the record is of; nil for what no world keeps.
func (r *Record) home() *declared {
	if k := r.kept.Load(); k != nil {
		return k.home
	}
	return nil
}

// spot is where the record's keys are known.
func (r *Record) spot() *spot {
	if home := r.home(); home != nil {
		return &home.spot
	}
	return nil
}

// size is the length of the record's JSON; 0 where its value is kept.
func (r *Record) size() int {
	k := r.kept.Load()
	if k == nil {
		return 0
	}
	n := k.size(r.ID)
	for h := k.held; h != nil; h = h.next {
		n += h.of.size()
	}
	return n
}

// apart tells whether the record's JSON is kept, and has none of another's.
func (r *Record) apart() bool {
	k := r.kept.Load()
	return k != nil && k.text != "" && k.held == nil
}

// An Op is what a Change does to a record.
type Op string

// The three operations, as the journal spells them.
const (
	Create Op = "create"
	Update Op = "update"
	Delete Op = "delete"
)

// A Change is one write. Those of a transaction, in order, are its delta: two
// writes to one record are two Changes.
type Change struct {
	Op         Op     `json:"op"`
	Collection string `json:"collection"`
	ID         string `json:"id"`
	// Version is the version that was created, updated to, or deleted.
	Version uint64 `json:"version"`
	Order   uint64 `json:"order"`
	// After is the record's JSON after the write, shared with the record; nil
	// for a delete.
	After []byte `json:"after,omitempty"`
	// Before is the record's JSON before the write; nil for a create.
	Before []byte `json:"before,omitempty"`
	// Own marks what a service did by itself when somebody came, such as making
	// what its fixtures only say: whoever came did not ask for it.
	Own bool `json:"own,omitempty"`
}
