package world

import "reflect"

// remembered bounds a memo. An exchange writes few records, and holds in
// others what it wrote or read just before.
const remembered = 16

// A memo is the records that a transaction met last, whose values may come
// again inside others: an event holds the very record that it is about, and a
// search index what a record was. Values are frozen, so that a map that is the
// same map has the same bytes, and needs no second look.
type memo struct {
	met  [remembered]*Record
	next int
}

func (k *memo) add(r *Record) {
	if k.met[(k.next+remembered-1)%remembered] == r {
		return
	}
	if home := r.home(); home != nil && home.Hidden {
		return // nobody is shown bookkeeping, of which there may be much on the way
	}
	k.met[k.next] = r
	k.next = (k.next + 1) % remembered
}

// of finds the record whose value is this very map, and how deep that is.
func (k *memo) of(m map[string]any) (*Record, int) {
	if k == nil {
		return nil, 0
	}
	at := address(m)
	for _, r := range k.met {
		if r == nil {
			break
		}
		// One that was not decoded plainly is not known to be written as Encode
		// writes it.
		if c := r.decoded.Load(); c != nil && c.depth > 0 && address(c.value) == at {
			return r, c.depth
		}
	}
	return nil, 0
}

func address(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }
