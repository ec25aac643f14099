package world

import "reflect"

// remembered bounds a memo. An exchange writes few records, and holds in
// others what it wrote just before.
const remembered = 8

// A memo is the records that a transaction wrote last, by their values, which
// may come again inside others: an event holds the very record that it is
// about. Values are frozen once written, so that a map that is the same map
// has the same bytes, and needs no second look.
type memo struct {
	at      [remembered]uintptr // of the values, which records keeps where they are
	records [remembered]*Record
	next    int
}

func (k *memo) add(r *Record) {
	if r.depth == 0 {
		return // it was decoded: how deep it is was not counted
	}
	k.at[k.next], k.records[k.next] = address(r.Value), r
	k.next = (k.next + 1) % remembered
}

// of finds the record whose value is this very map.
func (k *memo) of(m map[string]any) *Record {
	if k == nil || k.records[0] == nil {
		return nil
	}
	at := address(m)
	for i := range k.at {
		if k.at[i] == at {
			return k.records[i]
		}
	}
	return nil
}

func address(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }
