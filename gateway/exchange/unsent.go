package exchange

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"parity/fakes"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/ingress"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/openapi"
)

// Unsent is a request that nobody sends, to be told what would become of it.
type Unsent struct {
	Request          *http.Request
	Origin           ingress.Origin
	Body             []byte
	Service          fakes.Service // zero: none answers for it
	Preauthenticated bool          // who calls is not what is asked
	Identity         string        // of a call that is preauthenticated
	Predicts         bool          // what its fake would do is told, too, as a reviewer is shown it
}

// Encode writes a body that is given as JSON in the way that the operation takes
// it.
func (u *Unsent) Encode() error {
	value, wrong := body.DecodeJSON(u.Body)
	if wrong != nil {
		return fmt.Errorf("--body: %w; to send it as it is, say what it is with --header 'Content-Type: …'", wrong)
	}
	kind := "application/json"
	call := u.arrived()
	if op := call.matched(u.Service).Operation; op != nil {
		if b, _ := op.Source().Body(); b != nil && len(b.Content) > 0 {
			media := b.Content[max(0, slices.IndexFunc(b.Content, func(m openapi.Media) bool { return body.IsJSON(body.Kind(m.Type)) }))]
			data, written, err := body.Encode(media, value)
			if err != nil {
				return fmt.Errorf("--body: %w", err)
			}
			u.Body, kind = data, written
		}
	}
	u.Request.Header.Set("Content-Type", kind)
	return nil
}

func (u *Unsent) arrived() arrived {
	return arrived{r: u.Request, origin: u.Origin, path: u.Request.URL.EscapedPath(), body: u.Body}
}

// Outcome is what would become of a request.
type Outcome struct {
	Operation *specs.Operation // nil: none matches
	Service   fakes.Service    // zero: none answers for it
	Input     specs.Input
	Identity  string
	Asked     []*faults.Rule // the rules that are about the call
	Answered  bool           // no rule was asked: by the contract, an order of calls, or policy
	Plan      faults.Plan
	Reply     fakes.Reply
	Entry     trail.Exchange
	Predicted map[string]any // what the fake would do, no rule asked; nil: it would not be asked, or nobody wants to know
}

// Served tells whether a service answers for it.
func (o *Outcome) Served() bool { return o.Service.Name != "" }

// Foretell decides about a request at an instant, in a run that goes nowhere.
func (l *Line) Foretell(r *Run, now time.Time, u *Unsent) (*Outcome, error) {
	x := &Exchange{line: l, run: r, rev: r.Revision(), arrived: u.arrived()}
	x.foretold = true
	x.entry = trail.Exchange{Way: string(u.Origin.Way), Method: u.Request.Method, Host: u.Origin.Authority.Host, Path: x.path}
	if u.Service.Name != "" {
		x.found(u.Service, "https://"+u.Origin.Authority.Host)
		x.preauthenticated, x.identity = u.Preauthenticated, u.Identity
	}
	x.match()
	x.permit()
	var asked []*faults.Rule
	var predicted map[string]any
	if _, err := r.DecideAt(now, func(t *run.Turn) *trail.Event {
		if x.op != nil {
			asked = x.rules(t.State, t.Now)
		}
		if u.Predicts {
			predicted = x.foresee(t)
		}
		return x.firstTurn(t)
	}); err != nil {
		return nil, err
	}
	if x.answered && x.entry.Outcome != trail.Held { // the fake is not asked
		predicted = nil
	}
	return &Outcome{
		Operation: x.op, Service: x.service, Input: x.input, Identity: x.identity, Asked: asked, Answered: x.answered,
		Plan: x.plan, Reply: x.reply, Entry: x.entry, Predicted: predicted,
	}, nil
}

// foresee tells what the call would do where nothing stands in its way: it is
// tried in its turn, and taken back.
func (x *Exchange) foresee(t *run.Turn) map[string]any {
	if x.op == nil || x.answered || x.forbidden {
		return nil
	}
	x.act(t)
	seen := x.predict(t)
	x.untry(t)
	return seen.Predicted
}
