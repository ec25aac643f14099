package policy

import (
	"time"

	"parity/fakes/expression"
	"parity/fakes/world"
	"parity/faults"
	"parity/specs"
	"parity/specs/class"
)

// An Authority is what agents may do: which sort of act each operation is, who
// may how much, how far a run's agent has come, and what somebody has to say yes
// to. It never changes. A profile that says nothing of all this has none.
//
//	call ─▶ class ─▶ stage ─▶ grant │ ─▶ gates ─▶ stage's own rule ─▶ approval
//	        └──── Decide, no state ─┘   └──────── Gate, in the turn ────────┘
type Authority struct {
	Stage     int                            // of runs that say nothing else, 1 to 5; 0: none is in force
	Capture   bool                           // at stage 2 writes are kept as drafts
	Evidence  bool                           // a run at a higher stage wants kept evidence
	Strangers class.Class                    // what credentials of no identity may; "": nothing
	Open      bool                           // no identity has a grant: everybody may everything
	Grants    map[string]Grant               // by identity
	Alone     string                         // the only identity that there is; "": there are several, or none
	Classes   map[*specs.Operation]*Classing // where the profile says them
	Gates     []*Gate                        // in file order
	Approvers map[string]Approver
	Order     []string // of the approvers, in the file: whom a gate asks that names nobody, and the stage
	Asking    Asking
	Digest    string // of all that decides: runs under two digests are not under one policy
}

// Staged is the authority of a run at a stage whose profile says nothing else:
// everybody may everything, as far as the stage goes.
func Staged() *Authority { return &Authority{Open: true, Asking: DefaultAsking()} }

// A Grant is what one identity may.
type Grant struct {
	May   map[string]class.Class // by service, and "*"
	Also  []faults.Pattern       // single operations above that
	Never []faults.Pattern       // wins over all else
}

// most is the highest class that the grant has for a service; "": none.
func (g Grant) most(service string) class.Class {
	if c, ok := g.May[service]; ok {
		return c
	}
	return g.May["*"]
}

// A Classing is what the profile says an operation is.
type Classing struct {
	Cases   []Case       // the first that holds counts
	GraphQL *class.Table // of an operation that takes GraphQL documents; nil: the profile says nothing of what they ask for
}

// A Case is a class, and when it is that.
type Case struct {
	Class class.Class
	When  *expression.Program // nil: always
}

// Of gives the class of a call; holds evaluates a condition. Where one cannot be
// evaluated the highest of the classes counts, and where none holds what is
// inferred otherwise.
func (c *Classing) Of(otherwise class.Class, holds func(*expression.Program) (bool, error)) class.Class {
	for _, one := range c.Cases {
		if one.When == nil {
			return one.Class
		}
		switch ok, err := holds(one.When); {
		case err != nil:
			return c.Most(otherwise)
		case ok:
			return one.Class
		}
	}
	return otherwise
}

// Most is the highest class that a call may be of, whatever holds.
func (c *Classing) Most(most class.Class) class.Class {
	if n := len(c.Cases); n > 0 && c.Cases[n-1].When == nil {
		most = "" // what is inferred is never it
	}
	for _, one := range c.Cases {
		most = class.Highest(most, one.Class)
	}
	return most
}

// Then is what a gate does with the calls that it is about.
type Then string

// What a gate may do.
const (
	Allow   Then = "allow"
	Approve Then = "approve"
	Capture Then = "draft"
	Refuse  Then = "refuse"
)

// A Gate is a rule of policy: which calls, and what then.
type Gate struct {
	Name    string
	Calls   []faults.Pattern
	When    *expression.Program // nil: always
	Then    Then
	By      []string           // approvers: the first is asked, escalating goes to the next
	Binds   []*expression.Path // records that must not have moved, besides those that the call changes
	Expires time.Duration      // an approval, after the decision, on the run's clock
	Because string
	Skip    Skip
	Live    bool // what it lets pass without anybody's yes may leave for the real service
}

// Skip is when a gate does not ask.
type Skip struct {
	Override time.Duration // how long a named operator may let calls pass, at most; 0: not at all
	Standing *Standing     // nil: no evidence opens it
}

// Standing is what a standing approval has to rest on.
type Standing struct {
	Clean  int           // so many kept runs in which it was allowed and committed
	Within time.Duration // that long ago at most; 0: at any time
	Same   []string      // fields of the request whose values have to be the same
}

// Values are the values of the fields that have to be the same, of a request's
// body, as JSON.
func (s *Standing) Values(body map[string]any) string {
	if len(s.Same) == 0 {
		return ""
	}
	values := make([]any, len(s.Same))
	for i, name := range s.Same {
		values[i] = world.Normalise(body[name])
	}
	return string(world.Encode(map[string]any{"same": values}))
}

// Named finds a gate; nil: there is none of that name.
func (a *Authority) Named(gate string) *Gate {
	for _, g := range a.Gates {
		if g.Name == gate {
			return g
		}
	}
	return nil
}

// AsksForResult tells whether the gate can be judged only once the fake was tried.
func (g *Gate) AsksForResult() bool { return g.When != nil && g.When.Needs("result") }

// Asking is how approvals are asked for, and how long they are good.
type Asking struct {
	Waits    bool          // the call waits for the answer; else it is refused until there is one
	Wait     time.Duration // how long, in real time
	Lapses   time.Duration // what nobody has answered, on the run's clock
	Expires  time.Duration // what was approved
	Rejected time.Duration // how long a rejection holds for the same call
}

// DefaultAsking is what a profile gets that says nothing else.
func DefaultAsking() Asking {
	const wait, lapses, expires, rejected = 20 * time.Second, 4 * time.Hour, 30 * time.Minute, time.Hour
	return Asking{Wait: wait, Lapses: lapses, Expires: expires, Rejected: rejected}
}

// What a stand-in decides.
const (
	DecidesApprove = "approve"
	DecidesReject  = "reject"
	DecidesChange  = "change"
	DecidesNothing = "nothing"
)

// An Approver is who is asked: a person, or a stand-in that decides on the run's
// clock.
type Approver struct {
	Name    string
	Person  bool
	Decides string
	After   time.Duration
	Every   int            // each so-manieth ask of an identity is rejected; 0: none
	First   bool           // it decides of what was asked first, though it was changed since
	Set     map[string]any // fields of the body that it changes
	Note    string
	Notify  *Notify // nil: nobody is told
}

// StandsIn tells whether the approver decides by itself, on the run's clock.
func (a Approver) StandsIn() bool { return !a.Person && a.Decides != DecidesNothing }

// Notify is where a person is told that something waits.
type Notify struct {
	Env       string // the variable that has the address
	Secret    string // the variable that has the key it is signed with; "": it is not
	Form      string // "", json or blocks
	Arguments bool   // what the call says is told, too
}
