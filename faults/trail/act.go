package trail

import "encoding/json"

// Act is what a person did in a service: an operator, or a stand-in of the
// profile.
type Act struct {
	Service    string          `cbor:"1,keyasint" json:"service"`
	Collection string          `cbor:"2,keyasint" json:"collection"` // of the record that it was done to
	ID         string          `cbor:"3,keyasint" json:"id"`         // of that record
	Name       string          `cbor:"4,keyasint" json:"act"`        // what was done, such as "complete"
	With       json.RawMessage `cbor:"5,keyasint,omitempty" json:"with,omitempty"`
	By         Speaker         `cbor:"6,keyasint" json:"by"`
	Did        string          `cbor:"7,keyasint,omitempty" json:"did,omitempty"` // what came of it, in words
	Not        string          `cbor:"8,keyasint,omitempty" json:"not,omitempty"` // why a stand-in could not do it
}
