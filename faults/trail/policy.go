package trail

import "encoding/json"

// Decision is what policy said of a call. It is a closed set: metrics use it as a
// label.
type Decision string

// The decisions.
const (
	PolicyAllowed  Decision = "allowed"
	PolicyRefused  Decision = "refused"  // by its class, stage, grant or a gate
	PolicyHeld     Decision = "held"     // an approval is missing
	PolicyCaptured Decision = "captured" // it was tried, kept as a draft and taken back
)

// Policy is what policy said of a call: what it is, who says so, and where it
// went.
type Policy struct {
	Class    string   `cbor:"1,keyasint,omitempty" json:"class,omitempty"`     // read, draft, reversible, irreversible or admin
	Carried  string   `cbor:"2,keyasint,omitempty" json:"carried,omitempty"`   // what in the request raised the class, such as a part of a batch
	Stage    int      `cbor:"3,keyasint,omitempty" json:"stage,omitempty"`     // of the run, 1 to 5
	Grant    string   `cbor:"4,keyasint,omitempty" json:"grant,omitempty"`     // the highest class that the caller may here; "": nobody said
	Decision Decision `cbor:"5,keyasint" json:"decision"`                      //
	Code     string   `cbor:"6,keyasint,omitempty" json:"code,omitempty"`      // why it was not allowed, such as not-granted
	By       string   `cbor:"7,keyasint,omitempty" json:"by,omitempty"`        // the gate that decided, or what else did: stage, grant, class
	Route    string   `cbor:"8,keyasint,omitempty" json:"route,omitempty"`     // the mode by which it went; "": the fake
	Approval string   `cbor:"9,keyasint,omitempty" json:"approval,omitempty"`  // that was asked for, or used
	State    string   `cbor:"10,keyasint,omitempty" json:"state,omitempty"`    // of that approval, as the caller was told
	Draft    string   `cbor:"11,keyasint,omitempty" json:"draft,omitempty"`    // that was kept
	Skipped  string   `cbor:"12,keyasint,omitempty" json:"skipped,omitempty"`  // why a gate did not ask: override or standing-approval
	SkipBy   string   `cbor:"13,keyasint,omitempty" json:"skip_by,omitempty"`  // whose override it was, and why; or on what evidence
	Waited   bool     `cbor:"15,keyasint,omitempty" json:"waited,omitempty"`   // it waited for the answer: its second half has an instant of its own
	Observed string   `cbor:"14,keyasint,omitempty" json:"observed,omitempty"` // of what a fault did to the approval, such as lost: expired
}

// SkippedByEvidence says that kept runs let a call pass a gate.
const SkippedByEvidence = "standing-approval"

// StandingApproval is a call that kept evidence lets pass a gate: made so often, with
// nothing wrong.
type StandingApproval struct {
	Gate      string `cbor:"1,keyasint" json:"gate"`
	Identity  string `cbor:"2,keyasint" json:"identity"`
	Operation string `cbor:"3,keyasint" json:"operation"`
	Same      string `cbor:"4,keyasint,omitempty" json:"same,omitempty"` // values of the fields that the gate names, as JSON
	Clean     int    `cbor:"5,keyasint" json:"clean"`
	Entries   []int  `cbor:"6,keyasint,omitempty" json:"entries,omitempty"` // of the evidence, by number
}

// Key tells calls apart.
func (s StandingApproval) Key() string {
	return s.Gate + "\x00" + s.Identity + "\x00" + s.Operation + "\x00" + s.Same
}

// Word is what somebody said about an approval, or an override of a gate: an
// event of its own.
type Word struct {
	ID       string          `cbor:"1,keyasint,omitempty" json:"id,omitempty"`   // of the approval; "": an override
	Gate     string          `cbor:"2,keyasint,omitempty" json:"gate,omitempty"` // it is about
	Decision string          `cbor:"3,keyasint" json:"decision"`                 // approve, reject, change, escalate, revoke, override or approve-rule
	By       Speaker         `cbor:"4,keyasint" json:"by"`
	Digest   string          `cbor:"5,keyasint,omitempty" json:"digest,omitempty"` // of what they had seen
	Note     string          `cbor:"6,keyasint,omitempty" json:"note,omitempty"`
	Set      json.RawMessage `cbor:"7,keyasint,omitempty" json:"set,omitempty"`   // fields of the body that were changed, as an object
	To       string          `cbor:"8,keyasint,omitempty" json:"to,omitempty"`    // who is asked next
	Until    Instant         `cbor:"9,keyasint,omitempty" json:"until,omitempty"` // of an override
	Max      int             `cbor:"10,keyasint,omitempty" json:"max,omitempty"`  // calls that an override lets pass; 0: any number
	Rule     string          `cbor:"21,keyasint,omitempty" json:"rule,omitempty"` // that may strike where real services are called, under the revision of the event
}

// How somebody is known who has decided.
const (
	ByPerson    = "person"    // by a token of their own
	ByClaimed   = "claimed"   // it is what the holder of the control token said
	ByRehearsed = "rehearsed" // a stand-in that the profile names, or a record that is gone on from
)

// Speaker is who decided.
type Speaker struct {
	Name string `cbor:"1,keyasint" json:"name"`
	Kind string `cbor:"2,keyasint" json:"kind"`
}

// CredentialChange is what became of a credential that an identity presents.
type CredentialChange struct {
	Identity string  `cbor:"1,keyasint" json:"identity"`
	Service  string  `cbor:"2,keyasint,omitempty" json:"service,omitempty"` // "": at all services
	What     string  `cbor:"3,keyasint" json:"what"`                        // minted, rotated, revoked or expired
	Digest   string  `cbor:"4,keyasint,omitempty" json:"digest,omitempty"`  // of the credential that it is about
	Until    Instant `cbor:"5,keyasint,omitempty" json:"until,omitempty"`   // how long a rotated one is good for yet
}
