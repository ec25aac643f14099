package exchange

import (
	"slices"
	"sync"

	"parity/fakes/kit"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/oracle"
)

// checks are the judges that hold what fakes answer against their contracts,
// where that is asked for: our own, and one that was written apart.
type checks struct {
	mu    sync.Mutex
	asked map[*specs.Contract]*oracle.Document // nil: it cannot be asked about that contract
}

func newChecks(wanted bool) *checks {
	if !wanted {
		return nil
	}
	return &checks{asked: map[*specs.Contract]*oracle.Document{}}
}

// other gives a contract as the other judge has it, read when the first call is
// made of it.
func (c *checks) other(contract *specs.Contract) *oracle.Document {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, known := c.asked[contract]
	if !known {
		d, _ = oracle.Read(contract.API().Document) // parity contract lint says why it cannot
		c.asked[contract] = d
	}
	return d
}

// checkRequest notes where the other judge disagrees with ours about what came
// in. What is refused beyond the contract, by a strict profile, is none of its
// business.
func (x *Exchange) checkRequest(violations []specs.Violation) {
	if x.line.checks == nil {
		return
	}
	if d := x.line.checks.other(x.service.Contract); d != nil {
		x.compare("request", violations, d.Request(x.judged()))
	}
}

// check holds what the fake itself said, and what it stored, against its
// contract. It is made before any fault has its say, so that it is quiet about
// what faults alter or say instead, and about nothing else.
func (x *Exchange) check(t *run.Turn) {
	if x.line.checks == nil || x.reply.Status == 0 || x.op == nil {
		return
	}
	violations := x.op.CheckReply(x.reply.Status, x.reply.Header.Get("Content-Type"), x.reply.Body)
	for _, v := range slices.Concat(violations, kit.Breaches(x.service, x.wrote(t))) {
		x.entry.Breaches = append(x.entry.Breaches, trail.Violation{In: v.In, Pointer: v.Pointer, Rule: v.Rule, Message: v.Message})
	}
	if d := x.line.checks.other(x.service.Contract); d != nil && !x.expanded() {
		x.compare("reply", violations, d.Reply(x.judged(), oracle.Reply{Status: x.reply.Status, Header: x.reply.Header, Body: x.reply.Body}))
	}
}

// judged is the request as the other judge takes it.
func (a *arrived) judged() oracle.Request {
	return oracle.Request{
		Method: a.r.Method, Path: a.op.Source().Path, Values: a.input.Path, Query: a.r.URL.RawQuery,
		Header: a.r.Header, Body: a.body, Value: a.input.Content(),
	}
}

// expanded tells whether the reply has records in the place of ids, which only
// our own judge knows of.
func (a *arrived) expanded() bool {
	_, inQuery := a.input.Query["expand"]
	_, inBody := a.input.Body["expand"]
	return a.service.Contract.Expands() && (inQuery || inBody)
}

// compare keeps what the two judges say where they disagree. Of formats only
// some are known to the other one.
func (x *Exchange) compare(of string, ours []specs.Violation, other oracle.Opinion) {
	if other.Verdict == oracle.Unjudged || (other.Verdict == oracle.Holds) == (len(ours) == 0) || len(ours) > 0 && ours[0].Rule == specs.RuleFormat {
		return
	}
	told := func(text string) string { return x.rev.Profile.Secrets.Text(kit.Clip(text), x.hider()) }
	d := trail.Dispute{Of: of, Other: told(other.Why)}
	if len(ours) > 0 {
		d.Ours = told(ours[0].In + ours[0].Pointer + " " + ours[0].Message)
	}
	x.entry.Disputes = append(x.entry.Disputes, d)
}
