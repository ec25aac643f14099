package exchange

import (
	"errors"
	"net/http"
	"time"

	"parity/fakes"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/gateway/credential"
	"parity/gateway/ingress"
	"parity/profiles/policy"
)

// Codes of what there is no room for.
const (
	codeClientFull  = "client-full"
	codeClientBusy  = "client-busy"
	codeGatewayFull = "gateway-full"
	codeRunBusy     = "run-busy"
	codeClientLeft  = "client-left"
)

// Reasons are the codes of all refusals, which metrics count apart.
func Reasons() []string {
	return []string{
		policy.CodeNoPolicy, policy.CodeEscalation, policy.CodeOverStage, policy.CodeNotGranted, policy.CodeGate, credential.Revoked, credential.Expired,
		approval.CodeRequired, approval.CodeRejected, approval.CodeChanged, approval.CodeExpired, approval.CodeStale, approval.CodeUsed, approval.CodeRevoked, approval.CodeUnknown,
		"unknown-run", "unknown-host", "body-too-large", "content-encoding", "body-broken-off", "contract",
		"no-operation", "unauthorised", "out-of-order", "journal", codeLiveSecret, "foreign-page", "foreign-host", codeClientFull, codeClientBusy, codeGatewayFull, codeRunBusy, codeClientLeft,
	}
}

// errRunBusy is the error of a call that would be one too many.
var errRunBusy = errors.New("its run has as many calls under way as one may have")

// fullReply tells a client that there is no room for its request: it may come
// again once others have ended, or, where they are its own, it has ended them.
func fullReply(full error) (code string, reply fakes.Reply) {
	status, raised := http.StatusServiceUnavailable, "--max-held"
	switch {
	case errors.Is(full, ingress.ErrClientFull):
		status, code = http.StatusTooManyRequests, codeClientFull
	case errors.Is(full, ingress.ErrClientBusy):
		status, code, raised = http.StatusTooManyRequests, codeClientBusy, "--max-calls"
	case errors.Is(full, errRunBusy):
		code, raised = codeRunBusy, "--max-calls"
	default:
		code = codeGatewayFull
	}
	reply = problemReply(status, code, "Parity refused this call before anything was done: "+full.Error()+"; "+raised+" raises it.")
	reply.Header.Set("Retry-After", "1")
	return code, reply
}

// turnAway refuses a request before anything of it is read or recorded, where
// there is no room for any: what comes last goes first.
func (l *Line) turnAway(w http.ResponseWriter, r *http.Request) bool {
	err := ingress.Reserve(r.Context(), 0)
	if err == nil {
		return false
	}
	l.full(w, err)
	return true
}

func (l *Line) full(w http.ResponseWriter, err error) {
	code, reply := fullReply(err)
	l.metrics.Refused(code)
	put(w, reply)
}

// turnedAway refuses a call that there is no room for any more.
func (x *Exchange) turnedAway(err error) {
	code, reply := fullReply(err)
	x.refuse(trail.Denied, reply.Status, code, err.Error())
	x.reply = reply
}

// errLeft is the error of a call whose client has left before its turn.
var errLeft = errors.New("its client has left")

// turn waits for the call's first turn, and takes it. Calls that wait behind
// others of their connection are not begun where their client has left, or holds
// as much as it may by then.
func (x *Exchange) turn() (*trail.Event, error) {
	leave, err := ingress.Seat(x.r.Context())
	if err != nil {
		return nil, errLeft
	}
	defer leave()
	if err := ingress.Reserve(x.r.Context(), 0); err != nil {
		return nil, err
	}
	if err := x.run.furnish(x.rev); err != nil {
		return nil, err
	}
	event, err := x.run.Decide(x.began, time.Time{}, func(t *run.Turn) *trail.Event {
		if ingress.Left(x.r) {
			return nil
		}
		return x.firstTurn(t)
	})
	if event == nil && err == nil {
		err = errLeft
	}
	return event, err
}
