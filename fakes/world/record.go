package world

// A Record is one stored thing at one version. It is frozen: neither what Value
// nor what JSON gives may be changed by anyone.
type Record struct {
	// ID is unique in its collection.
	ID string
	// Version is 1 when created and one more with each update.
	Version uint64
	// Order is the record's place in its collection, by creation, from 1. It
	// stays through updates and is never given twice.
	Order uint64

	value map[string]any
	json  []byte // nil where it is not kept
	where *spot  // of records whose JSON is not kept: how to write it again
	depth int    // of nesting in Value; 0 when not known
}

// Loose gives a record that no world keeps: what only looks like one.
func Loose(id string, value map[string]any) *Record { return &Record{ID: id, value: value} }

// Value holds nil, bool, string, int64, float64, []any and map[string]any,
// numbers as Normalise leaves them. Nobody may change it.
func (r *Record) Value() map[string]any { return r.value }

// JSON is Value as Encode writes it. It was encoded when the record was
// written, so that reading and listing encode nothing. Of what is hidden, or a
// ledger, it is not kept but written again: such records are many, hold others
// whole, and are seldom shown.
func (r *Record) JSON() []byte {
	if r.json == nil {
		return encode(r.Value(), r.where)
	}
	return r.json
}

// keep gives the record its JSON, if it is one that keeps it.
func (r *Record) keep(d *declared, json []byte) {
	if d.Hidden || d.Ledger {
		r.where = &d.spot
		return
	}
	r.json = json
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
