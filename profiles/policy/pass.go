package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"sync/atomic"
)

// A Leave is what policy is asked: whether a write may go to a real service.
type Leave struct {
	Run, Operation string
	Target         string // path and query, as they are sent
	Body           []byte
	Mode           Mode
	Stage          int
	Approval       string // that it rests on
	Rehearsed      bool   // a stand-in, a fork, a sweep, a series or a replay gave it
}

// A Pass lets one write leave, once: of its run, operation and bytes. There is no
// other way to make one than [Mint].
type Pass struct {
	run, operation, digest, approval string

	used atomic.Bool
}

// Why there is no pass.
var (
	ErrNotLive   = errors.New("its mode is not live")
	ErrStage     = errors.New("its stage writes nothing to a real service")
	ErrRehearsed = errors.New("what it rests on was rehearsed")
	ErrNobody    = errors.New("nobody has approved it")
)

// LeastLiveStage is the lowest stage at which an agent may write to a real service.
const LeastLiveStage = 3

// Mint gives the pass of a write that policy lets leave.
func Mint(l Leave) (*Pass, error) {
	switch {
	case l.Mode != Live:
		return nil, ErrNotLive
	case l.Stage < LeastLiveStage:
		return nil, ErrStage
	case l.Rehearsed:
		return nil, ErrRehearsed
	case l.Approval == "":
		return nil, ErrNobody
	}
	return &Pass{run: l.Run, operation: l.Operation, digest: passDigest(l.Target, l.Body), approval: l.Approval}, nil
}

// Use spends the pass on a write that is about to leave. It tells whether it is
// this write's, and was not used before.
func (p *Pass) Use(run, operation, target string, body []byte) bool {
	return p != nil && p.run == run && p.operation == operation && p.digest == passDigest(target, body) && p.used.CompareAndSwap(false, true)
}

// Approval is what the pass rests on.
func (p *Pass) Approval() string {
	if p == nil {
		return ""
	}
	return p.approval
}

func passDigest(target string, body []byte) string {
	h := sha256.New()
	_, _ = h.Write([]byte(strings.ToValidUTF8(target, "?") + "\x00"))
	_, _ = h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}
