package trail

import "time"

// Live is the fidelity of an answer that a real service gave.
const Live Fidelity = "live"

// Overlaid marks an answer of the fidelity Live in which what the run has changed
// is laid over what the real service said.
const Overlaid Fidelity = "overlaid"

// Upstream is one call to a real service that an exchange led to: what left, and
// what came back, which is an input that is fed again when the run is replayed. Of
// a reservation it says what is about to leave.
type Upstream struct {
	Host      string        `cbor:"1,keyasint" json:"host"`
	Operation string        `cbor:"2,keyasint" json:"operation"`
	Class     string        `cbor:"3,keyasint" json:"class"`
	Pass      string        `cbor:"4,keyasint,omitempty" json:"pass,omitempty"`      // the approval, or the gate, that a write rested on
	Number    uint64        `cbor:"5,keyasint,omitempty" json:"number,omitempty"`    // which of the run's it was, as the sender itself counts; 0: it did not leave
	Status    int           `cbor:"6,keyasint,omitempty" json:"status,omitempty"`    // 0: no reply came
	Took      time.Duration `cbor:"7,keyasint,omitempty" json:"took,omitempty"`      // real time
	Bytes     int64         `cbor:"8,keyasint,omitempty" json:"bytes,omitempty"`     // of the reply's body, decoded
	Digest    string        `cbor:"9,keyasint,omitempty" json:"digest,omitempty"`    // of it, SHA-256
	Code      string        `cbor:"10,keyasint,omitempty" json:"code,omitempty"`     // why there is no reply of its own
	Error     string        `cbor:"11,keyasint,omitempty" json:"error,omitempty"`    // in words
	Header    []Field       `cbor:"12,keyasint,omitempty" json:"header,omitempty"`   // of the reply
	Body      []byte        `cbor:"13,keyasint,omitempty" json:"body,omitempty"`     // of the reply, as it is kept; left out where it is that of the exchange
	Same      bool          `cbor:"15,keyasint,omitempty" json:"same,omitempty"`     // its body is the exchange's
	Shows     string        `cbor:"16,keyasint,omitempty" json:"shows,omitempty"`    // of a read that a write rests on: what the record is known by, a version or a digest
	Unknown   bool          `cbor:"17,keyasint,omitempty" json:"unknown,omitempty"`  // of a write that may have left: nobody knows what came of it
	Breaches  string        `cbor:"14,keyasint,omitempty" json:"breaches,omitempty"` // in what the reply is not what its contract says, the first of it
}

// Failed tells whether no reply of the real service was handed on.
func (u *Upstream) Failed() bool { return u.Code != "" }

// Fidelities say how the answer came about: its fidelity, and whether what the run
// has changed is laid over it.
func (x *Exchange) Fidelities() []Fidelity {
	if x.Fidelity == Live && x.Overlaid {
		return []Fidelity{Live, Overlaid}
	}
	return []Fidelity{x.Fidelity}
}

// Pending tells what is about to leave, of a reservation.
func (u *Upstream) Pending() bool { return u.Number == 0 && u.Code == "" }

// Reads tells a call that only reads, and needs no pass.
func (u *Upstream) Reads() bool { return u.Class == "read" && u.Pass == "" }
