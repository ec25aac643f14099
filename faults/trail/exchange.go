package trail

import (
	"net"
	"strings"
	"time"
)

// Outcome says in one word what became of an exchange. It is a closed set:
// metrics use it as a label.
type Outcome string

// The outcomes.
const (
	Answered   Outcome = "answered"   // a fake answered, or a fault did in its place
	Invalid    Outcome = "invalid"    // the request is not what the contract allows
	Unknown    Outcome = "unknown"    // the service has no such operation
	Denied     Outcome = "denied"     // policy refused it: nothing may leave to that host
	Oversized  Outcome = "oversized"  // the body passed the limit
	Unreadable Outcome = "unreadable" // the client broke off while sending
	Panicked   Outcome = "panicked"   // a defect of ours: this exchange was lost
	Overtaken  Outcome = "overtaken"  // the run was set back while the call waited: nothing was done
	Forbidden  Outcome = "forbidden"  // what policy does not let this caller do
	Held       Outcome = "held"       // it needs an approval, which it does not have
	Captured   Outcome = "captured"   // a write that was kept as a draft: answered as if done, and not done
	Connected  Outcome = "connected"  // of a connection: it came about
	Refused    Outcome = "refused"    // of a connection: a fault refused it
)

// Fidelity says how an answer came about.
type Fidelity string

// The fidelities.
const (
	Modelled Fidelity = "modelled"
	Generic  Fidelity = "generic"
	Example  Fidelity = "example"
	Recorded Fidelity = "recorded" // as another run's record has it
	Injected Fidelity = "injected" // a fault answered; the fake was not asked or not heard
	Drafted  Fidelity = "captured" // as the fake would have: what it did was kept as a draft and taken back
	None     Fidelity = "none"     // nobody answered for the service
)

// End says how the wire ends.
type End string

// The ends.
const (
	Complete End = ""      // the whole reply, then as HTTP would have it
	Close    End = "close" // FIN
	Reset    End = "reset" // RST on HTTP/1.1, RST_STREAM on HTTP/2
	Hang     End = "hang"  // nothing more until the client goes or a bound passes
)

// Field is one header field.
type Field struct {
	Name  string `cbor:"1,keyasint" json:"name"`
	Value string `cbor:"2,keyasint" json:"value"`
}

// Intent is what the agent meant to do once: a call and its retries.
type Intent struct {
	ID          string `cbor:"1,keyasint" json:"id"`                            // fingerprint and occurrence, in short
	Fingerprint string `cbor:"2,keyasint" json:"fingerprint"`                   // operation, identity and business fields
	Occurrence  int    `cbor:"3,keyasint" json:"occurrence"`                    // 1 for the first intent of this fingerprint, more once intents were forgotten
	Attempt     int    `cbor:"4,keyasint" json:"attempt"`                       // 1 for the first try
	Key         string `cbor:"5,keyasint,omitempty" json:"key,omitempty"`       // the idempotency key that this attempt carried
	SDKRetry    int    `cbor:"6,keyasint,omitempty" json:"sdk_retry,omitempty"` // the retry count that the SDK itself declared
}

// Wire is how the reply goes out.
type Wire struct {
	Delay    time.Duration `cbor:"1,keyasint,omitempty" json:"delay,omitempty"`     // before the first byte
	BodyWait time.Duration `cbor:"2,keyasint,omitempty" json:"body_wait,omitempty"` // between head and body
	NoHead   bool          `cbor:"3,keyasint,omitempty" json:"no_head,omitempty"`   // not even a status line
	HeadCut  bool          `cbor:"4,keyasint,omitempty" json:"head_cut,omitempty"`  // the head stops half-way
	Cut      int           `cbor:"5,keyasint,omitempty" json:"cut,omitempty"`       // body bytes that go out, when Short
	Short    bool          `cbor:"6,keyasint,omitempty" json:"short,omitempty"`     // the body is cut at Cut
	Honest   bool          `cbor:"7,keyasint,omitempty" json:"honest,omitempty"`    // Content-Length counts the cut body, not the whole one
	End      End           `cbor:"8,keyasint,omitempty" json:"end,omitempty"`
	For      time.Duration `cbor:"9,keyasint,omitempty" json:"for,omitempty"`       // bound of a Hang
	Chunk    int           `cbor:"10,keyasint,omitempty" json:"chunk,omitempty"`    // bytes of the reply's body in one piece of a drip; 0: it is not dripped
	Every    time.Duration `cbor:"11,keyasint,omitempty" json:"every,omitempty"`    // from the beginning of one piece to that of the next
	Encoding string        `cbor:"12,keyasint,omitempty" json:"encoding,omitempty"` // gzip or br, as it really went out; "": as the reply came. Cut counts these bytes
	Shown    int           `cbor:"13,keyasint,omitempty" json:"shown,omitempty"`    // of a body that is encoded and cut: how many of the reply's bytes can be read out of it
	Chunked  bool          `cbor:"14,keyasint,omitempty" json:"chunked,omitempty"`  // Transfer-Encoding: chunked in place of Content-Length
}

// Showed is how many bytes of a reply's own body, of length whole, a client can
// read.
func (w *Wire) Showed(whole int) int {
	switch {
	case w.NoHead || w.HeadCut:
		return 0
	case !w.Short:
		return whole
	case w.Encoding != "":
		return min(max(w.Shown, 0), whole)
	}
	return min(max(w.Cut, 0), whole)
}

// Strike is one rule that an exchange met.
type Strike struct {
	Rule      string        `cbor:"1,keyasint" json:"rule"`
	Hash      string        `cbor:"2,keyasint" json:"hash"` // of the rule's text: counters belong to rule and hash
	Fault     string        `cbor:"3,keyasint" json:"fault"`
	Phase     string        `cbor:"4,keyasint" json:"phase"`
	Per       string        `cbor:"5,keyasint,omitempty" json:"per,omitempty"`
	Index     uint64        `cbor:"6,keyasint" json:"index"` // which intent of this rule and Per it was, from 1
	Fired     bool          `cbor:"7,keyasint,omitempty" json:"fired,omitempty"`
	Outranked bool          `cbor:"8,keyasint,omitempty" json:"outranked,omitempty"`
	Why       string        `cbor:"9,keyasint,omitempty" json:"why,omitempty"`      // why it did not fire
	Unknown   bool          `cbor:"10,keyasint,omitempty" json:"unknown,omitempty"` // its condition could not be evaluated
	Until     Instant       `cbor:"11,keyasint,omitempty" json:"until,omitempty"`   // a limit that holds until then
	Wait      time.Duration `cbor:"12,keyasint,omitempty" json:"wait,omitempty"`    // what the client was told to wait
	Required  bool          `cbor:"13,keyasint,omitempty" json:"required,omitempty"`
	Use       bool          `cbor:"14,keyasint,omitempty" json:"use,omitempty"`     // it counts against a limit
	Limit     int           `cbor:"15,keyasint,omitempty" json:"limit,omitempty"`   // how many calls that limit allows
	Did       string        `cbor:"16,keyasint,omitempty" json:"did,omitempty"`     // what it did, in words
	Planted   []string      `cbor:"17,keyasint,omitempty" json:"planted,omitempty"` // values that only this reply shows
	Left      []string      `cbor:"18,keyasint,omitempty" json:"left,omitempty"`    // ids that it left out
	Live      bool          `cbor:"19,keyasint,omitempty" json:"live,omitempty"`    // it is about a call to a real service
}

// Violation is one way in which a request breaks its contract.
type Violation struct {
	In      string `cbor:"1,keyasint" json:"in"`
	Pointer string `cbor:"2,keyasint" json:"pointer"`
	Rule    string `cbor:"3,keyasint" json:"rule"`
	Message string `cbor:"4,keyasint" json:"message"`
}

// Dispute is what two judges say of one request or reply, where they disagree
// whether it is what the contract says. One of the texts is empty: by that one
// it is.
type Dispute struct {
	Of    string `cbor:"1,keyasint" json:"of"`                        // request or reply
	Ours  string `cbor:"2,keyasint,omitempty" json:"ours,omitempty"`  // Parity's own
	Other string `cbor:"3,keyasint,omitempty" json:"other,omitempty"` // kin-openapi's
}

// Exchange is one request and what became of it; of an event of the kind
// Reached, one connection, on which nothing was asked yet.
type Exchange struct {
	Way         string      `cbor:"1,keyasint" json:"way"` // proxy, connect, base, host, sni, address
	Service     string      `cbor:"2,keyasint,omitempty" json:"service,omitempty"`
	Operation   string      `cbor:"3,keyasint,omitempty" json:"operation,omitempty"`    // POST /v1/refunds
	OperationID string      `cbor:"4,keyasint,omitempty" json:"operation_id,omitempty"` // PostRefunds
	Effect      string      `cbor:"5,keyasint,omitempty" json:"effect,omitempty"`       // read, reversible, irreversible
	Method      string      `cbor:"6,keyasint" json:"method"`
	Host        string      `cbor:"7,keyasint" json:"host"`
	Path        string      `cbor:"8,keyasint" json:"path"`
	Query       string      `cbor:"9,keyasint,omitempty" json:"query,omitempty"`
	Header      []Field     `cbor:"10,keyasint,omitempty" json:"header,omitempty"` // by allow-list
	Body        []byte      `cbor:"11,keyasint,omitempty" json:"body,omitempty"`   // without secrets
	Intent      Intent      `cbor:"12,keyasint" json:"intent"`
	Outcome     Outcome     `cbor:"13,keyasint" json:"outcome"`
	Fidelity    Fidelity    `cbor:"14,keyasint" json:"fidelity"`
	Status      int         `cbor:"15,keyasint" json:"status"` // what the reply says, had it arrived whole
	ReplyHeader []Field     `cbor:"16,keyasint,omitempty" json:"reply_header,omitempty"`
	ReplyBody   []byte      `cbor:"17,keyasint,omitempty" json:"reply_body,omitempty"`
	FakeStatus  int         `cbor:"18,keyasint,omitempty" json:"fake_status,omitempty"` // what the fake said, where a fault replaced it
	FakeBody    []byte      `cbor:"19,keyasint,omitempty" json:"fake_body,omitempty"`
	Committed   bool        `cbor:"20,keyasint,omitempty" json:"committed,omitempty"` // the world changed, as whoever called wanted it to
	Replayed    bool        `cbor:"21,keyasint,omitempty" json:"replayed,omitempty"`  // answered from an idempotency record
	Whole       bool        `cbor:"22,keyasint,omitempty" json:"whole,omitempty"`     // a success that was to reach the client complete
	Wire        Wire        `cbor:"23,keyasint,omitempty" json:"wire,omitzero"`
	Strikes     []Strike    `cbor:"24,keyasint,omitempty" json:"strikes,omitempty"`
	Violations  []Violation `cbor:"25,keyasint,omitempty" json:"violations,omitempty"`
	Note        string      `cbor:"26,keyasint,omitempty" json:"note,omitempty"`     // what Parity has to say about it
	Reserved    uint64      `cbor:"27,keyasint,omitempty" json:"reserved,omitempty"` // the event that opened it, where it waited before acting
	Bare        string      `cbor:"30,keyasint,omitempty" json:"bare,omitempty"`     // Operation without the base path of the service's server, where it has one
	Altered     bool        `cbor:"29,keyasint,omitempty" json:"altered,omitempty"`  // a fault altered what is sent: it need not be what the contract says
	Base        string      `cbor:"28,keyasint,omitempty" json:"base,omitempty"`     // what links in the reply begin with, where that is not https and the host
	Breaches    []Violation `cbor:"31,keyasint,omitempty" json:"breaches,omitempty"` // where replies are checked: in what the fake's own is not what the contract says, a defect of ours
	Disputes    []Dispute   `cbor:"33,keyasint,omitempty" json:"disputes,omitempty"` // where replies are checked: in what two judges of its contract disagree
	Policy      *Policy     `cbor:"34,keyasint,omitempty" json:"policy,omitempty"`   // what policy said of it; nil: the profile has none
	Within      uint64      `cbor:"35,keyasint,omitempty" json:"within,omitempty"`   // the event of the call that it is a part of, which comes after it; 0: it came by itself
	Part        int         `cbor:"36,keyasint,omitempty" json:"part,omitempty"`     // which part of that, from 1
	Parts       int         `cbor:"37,keyasint,omitempty" json:"parts,omitempty"`    // how many calls it carried: the events right before it
	Times       int         `cbor:"39,keyasint,omitempty" json:"times,omitempty"`    // of an attempt (see Attempt): how often it was made, of those that are told at once
	Upstream    []Upstream  `cbor:"38,keyasint,omitempty" json:"upstream,omitempty"` // calls to a real service that it led to
	Overlaid    bool        `cbor:"45,keyasint,omitempty" json:"overlaid,omitempty"` // of a real service's answer: what the run has changed is laid over it
	ReplyIn     int         `cbor:"32,keyasint,omitempty" json:"-"`                  // as it is kept: the change, from 1, whose After is the reply's body; 0 once it is read
}

// AnsweredWithin is the note of an attempt that a server of the agent's own has
// answered: in a containment every address is its machine's.
const AnsweredWithin = "a server of the agent's own answered in its place: it listens at every address, and there every address is the agent's machine"

// AnyProtocol stands for the protocols of attempts that are told together, because
// there were too many.
const AnyProtocol = "any"

// Attempt is what an agent in a containment tried that is no call: a connection to
// a port at which nothing comes in, a datagram. It is the protocol, in lower case,
// and whom it was for; "": x is none.
func (x *Exchange) Attempt() (protocol, to string) {
	if x.Way != "address" || x.Outcome != Denied || x.Status != 0 {
		return "", ""
	}
	host := x.Host
	if host == "" {
		host = "several addresses"
	}
	if x.Path == "" {
		return strings.ToLower(x.Method), host
	}
	return strings.ToLower(x.Method), net.JoinHostPort(host, strings.TrimPrefix(x.Path, ":"))
}
