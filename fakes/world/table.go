package world

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"sync"

	"github.com/tidwall/btree"
)

// degree is the trees' branching: a node holds at most 2*degree-1 items. Every
// commit publishes a world, so each exchange pays for a first write after a
// copy, which copies one node a level. Among 10,000 records an insert with one
// index makes 86 allocations at degree 4 (5.2 KB), 65 at 8 (6.5 KB) and 53 at
// 16 (9.2 KB); a Get takes 100 ns at each of them. The library's default is 32.
const degree = 8

// A tree is an ordered map that many worlds may share. Its Copy, unlike its
// reads, writes to its source (to a field that no read looks at), so two
// transactions that begin on one world would race on it without the guard.
type tree[K cmp.Ordered, V any] struct {
	*btree.Map[K, V]
	guard sync.Mutex
}

func newTree[K cmp.Ordered, V any]() *tree[K, V] {
	return &tree[K, V]{Map: btree.NewMap[K, V](degree)}
}

// fork gives a tree that can be written to, and leaves t as it is.
func (t *tree[K, V]) fork() *tree[K, V] {
	t.guard.Lock()
	defer t.guard.Unlock()
	return &tree[K, V]{Map: t.Copy()}
}

// A table is one collection at one moment. It is frozen once a World holds it;
// a Tx writes to a fork, which shares each tree of keys until it writes there.
type table struct {
	*declared
	last    uint64                  // the highest order ever given
	records *tree[uint64, *Record]  // by order; the only tree that leads to records
	keys    []*tree[string, uint64] // to an order: from the id, then for each index from indexKey
	owned   []bool                  // which of keys are this fork's own
}

func newTable(d *declared) *table {
	t := &table{declared: d, records: newTree[uint64, *Record](), keys: make([]*tree[string, uint64], 1+len(d.paths))}
	for i := range t.keys {
		t.keys[i] = newTree[string, uint64]()
	}
	return t
}

// fork gives a table that can be written to, and leaves t as it is.
func (t *table) fork() *table {
	return &table{
		declared: t.declared,
		last:     t.last,
		records:  t.records.fork(),
		keys:     slices.Clone(t.keys),
		owned:    make([]bool, len(t.keys)),
	}
}

// own gives a tree of keys that this fork may write to.
func (t *table) own(i int) *tree[string, uint64] {
	if !t.owned[i] {
		t.owned[i] = true
		t.keys[i] = t.keys[i].fork()
	}
	return t.keys[i]
}

func (t *table) get(id string) (*Record, bool) {
	order, ok := t.keys[0].Get(id)
	if !ok {
		return nil, false
	}
	return t.records.Get(order)
}

// insert adds a record whose id and order the table does not have.
func (t *table) insert(r *Record) {
	t.last = max(t.last, r.Order)
	t.records.Set(r.Order, r)
	t.own(0).Set(r.ID, r.Order)
	for i, path := range t.paths {
		if text, ok := indexText(r.Value, path); ok {
			t.own(1+i).Set(indexKey(text, r.Order), r.Order)
		}
	}
}

// replace puts r where old was: same id, same order.
func (t *table) replace(old, r *Record) {
	t.records.Set(r.Order, r)
	for i, path := range t.paths {
		was, had := indexText(old.Value, path)
		is, has := indexText(r.Value, path)
		if was == is && had == has {
			continue // most updates: no index is copied
		}
		if had {
			t.own(1 + i).Delete(indexKey(was, r.Order))
		}
		if has {
			t.own(1+i).Set(indexKey(is, r.Order), r.Order)
		}
	}
}

func (t *table) remove(r *Record) {
	t.records.Delete(r.Order)
	t.own(0).Delete(r.ID)
	for i, path := range t.paths {
		if text, ok := indexText(r.Value, path); ok {
			t.own(1 + i).Delete(indexKey(text, r.Order))
		}
	}
}

// indexText gives the text by which an index knows a record.
func indexText(value map[string]any, path []string) (string, bool) {
	var at any = value
	for _, name := range path {
		m, ok := at.(map[string]any)
		if !ok {
			return "", false
		}
		at = m[name]
	}
	switch x := at.(type) {
	case string:
		return x, true
	case int64:
		return strconv.FormatInt(x, 10), true
	case bool:
		return strconv.FormatBool(x), true
	}
	return "", false
}

// indexKey orders an index by value, then by order. The value's length comes
// first, so that no value's keys can lie among those of another whatever bytes
// it has; the order is big-endian, so that keys sort as orders do.
func indexKey(text string, order uint64) string {
	key := make([]byte, 0, 64)
	key = binary.BigEndian.AppendUint32(key, uint32(len(text)))
	key = append(key, text...)
	key = binary.BigEndian.AppendUint64(key, order)
	return string(key)
}
