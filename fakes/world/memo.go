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
	at      [remembered]uintptr // of the values, which encoded keeps where they are
	encoded [remembered]encoded
	next    int
}

type encoded struct {
	value map[string]any
	json  []byte
	depth int
}

func (k *memo) add(r *Record, json []byte) {
	if r.depth == 0 {
		return // it was decoded: how deep it is was not counted
	}
	k.at[k.next], k.encoded[k.next] = address(r.Value()), encoded{r.Value(), json, r.depth}
	k.next = (k.next + 1) % remembered
}

// of finds the record whose value is this very map.
func (k *memo) of(m map[string]any) *encoded {
	if k == nil || k.encoded[0].value == nil {
		return nil
	}
	at := address(m)
	for i := range k.at {
		if k.at[i] == at {
			return &k.encoded[i]
		}
	}
	return nil
}

func address(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }
