package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	"parity/faults/trail"
	"parity/specs"
	"parity/specs/class"
)

// A Leave is what policy is asked: whether a write may go to a real service.
type Leave struct {
	Run, Operation string
	Target         string // path and query, as they are sent
	Body           []byte
	Mode           Mode
	Stage          int
	Class          class.Class
	Approval       string // that it rests on; "": none
	By             string // how whoever approved is known, as trail has it
	Gate           *Gate  // that lets it pass without anybody's yes; nil: none does
	Rehearsed      bool   // a stand-in, a fork, a sweep, a series or a replay gave it
}

// A Pass lets one write leave, once: of its run, operation and bytes. There is no
// other way to make one than [Mint].
type Pass struct {
	run, operation, digest, approval string

	gate string      // that lets it pass; "": it rests on an approval
	most class.Class // that it may be of, where nobody has approved it
	used atomic.Bool
}

// Why there is no pass.
var (
	ErrNotLive   = errors.New("its mode is not live")
	ErrStage     = errors.New("its stage writes nothing to a real service")
	ErrRehearsed = errors.New("what it rests on was rehearsed")
	ErrUnproved  = errors.New("who approved it has not shown a token of their own")
	ErrNobody    = errors.New("nobody has approved it")
)

// The stages at which an agent may write to a real service: from the first a person
// approves each write, and from the second a gate may let some pass.
const (
	LeastLiveStage    = 3
	leastWithoutStage = 4
)

// Mint gives the pass of a write that policy lets leave: one that a person has
// approved, or that a gate lets pass which says live: true, where stage and class
// permit that.
func Mint(l Leave) (*Pass, error) {
	p := &Pass{run: l.Run, operation: l.Operation, digest: passDigest(l.Target, l.Body), approval: l.Approval}
	switch {
	case l.Mode != Live:
		return nil, ErrNotLive
	case l.Stage < LeastLiveStage:
		return nil, ErrStage
	case l.Rehearsed, l.Approval != "" && l.By == trail.ByRehearsed:
		return nil, ErrRehearsed
	case l.Approval != "" && l.By != trail.ByPerson:
		return nil, ErrUnproved
	case l.Approval != "":
		return p, nil
	case !l.Gate.opens(l.Stage, l.Class):
		return nil, ErrNobody
	}
	p.gate, p.most = l.Gate.Name, l.Class
	return p, nil
}

// opens tells whether a gate may let a write leave for its real service without
// anybody's yes.
func (g *Gate) opens(stage int, c class.Class) bool {
	return g != nil && g.Live && stage >= leastWithoutStage && c.Within(class.Reversible)
}

// Skippable tells whether a gate may be skipped for a call: by an override, or by
// evidence. What an act of the class admin is never is, nor a write that leaves for
// its real service but where the gate lets such pass.
func (g *Gate) Skippable(q Question) bool {
	return g != nil && g.Then == Approve && q.Class != class.Admin && (!q.Live || g.opens(q.Stage, q.outward()))
}

// real has a person approve what leaves for its real service, unless a gate lets it
// pass that may. What no stage writes there is refused.
func (g Gating) real(q Question) Gating {
	switch {
	case !q.Live, g.Then == Refuse, g.Then == Capture:
	case q.Stage < LeastLiveStage:
		g.Then, g.Gate, g.Mode = Refuse, nil, Live
	case g.Then == Allow && !g.Gate.opens(q.Stage, q.outward()):
		g.Then, g.Gate, g.Mode = Approve, nil, Live
	}
	return g
}

// outward is the class of what leaves: a profile that lowers it lowers it for fakes
// alone.
func (q Question) outward() class.Class {
	return class.Highest(q.Class, class.Of(q.Operation, q.Operation.Effect).Class)
}

// Writes tells whether calls of an operation are writes where its mode is live: all
// but a GET or HEAD of class read, and what the contract itself declares read.
func Writes(op *specs.Operation, c class.Class) bool {
	return c != class.Read || op.Method != http.MethodGet && op.Method != http.MethodHead && class.Of(op, op.Effect).How != class.Declared
}

// Use spends the pass on a write that is about to leave, which is of a class by its
// bytes. It tells whether it is this write's, and was not used before.
func (p *Pass) Use(run, operation, target string, body []byte, is class.Class) bool {
	return p != nil && p.run == run && p.operation == operation && p.digest == passDigest(target, body) && (p.gate == "" || is.Within(p.most)) &&
		p.used.CompareAndSwap(false, true)
}

// Approval is the approval that the pass rests on; "": it rests on none.
func (p *Pass) Approval() string {
	if p == nil {
		return ""
	}
	return p.approval
}

// By is what the pass rests on: an approval, or a gate.
func (p *Pass) By() string {
	if p == nil || p.gate == "" {
		return p.Approval()
	}
	return ByGate + p.gate
}

// ByGate is what the name of a gate comes after, where a pass rests on one.
const ByGate = "gate "

func passDigest(target string, body []byte) string {
	h := sha256.New()
	_, _ = h.Write([]byte(strings.ToValidUTF8(target, "?") + "\x00"))
	_, _ = h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}
