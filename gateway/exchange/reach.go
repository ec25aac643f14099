package exchange

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/gateway/live"
	"parity/gateway/overlay"
	"parity/profiles/policy"
	"parity/specs/class"
)

// codeRecord is why a write is refused where what is read is recorded.
const codeRecord = "mode-record"

// reached is what a real service has to do with the call.
type reached struct {
	mode      policy.Mode
	waits     bool             // for the real service's reply
	was       []trail.Upstream // what came back, of a record that is decided again
	sight     live.Sight
	back      live.Reply
	lacks     *live.Trouble   // why nothing was said; nil: something was
	drops     []string        // headers that do not leave
	writes    *fakes.Call     // that records are read for
	needs     []overlay.Need  // what has to be read for it
	seen      []glimpse       // what was
	keeps     *keeping        // how what was said is kept; nil: nothing was
	ruledLive bool            // the rules that strike live were asked
	recorded  *trail.Exchange // what a record has of the call; nil: it is none of one
	struck    bool            // by its record, such a rule was about the call
	outward
}

// real decides a call of an operation of which something may leave. No rule is
// asked but those that say live: true: faults are the fakes'.
func (x *Exchange) real(t *run.Turn) *trail.Event {
	reads := x.rev.real[x.op.Service].Reads(x.leaving())
	if x.mode == policy.Recorded && !reads {
		x.forbid(codeRecord, "What is read of this service is recorded, and nothing is written to it. Nothing was done.")
		return x.bare(t)
	}
	if x.mode == policy.Shadow && !reads {
		if x.wants(t) {
			return x.departs(t)
		}
		return x.shadowed(t)
	}
	if reads {
		return x.realRead(t)
	}
	if x.mode == policy.Live {
		return x.liveWrite(t)
	}
	if _, known := x.over().Known(x.op); !known && x.mode == policy.LiveRead && x.question.Class != class.Read {
		return x.shadowed(t) // nobody could show its effect in what is read
	}
	if x.wants(t) {
		return x.departs(t)
	}
	return x.written(t)
}

// realRead decides a read that may leave.
func (x *Exchange) realRead(t *run.Turn) *trail.Event {
	if !x.gated(t) {
		if x.gate.waits != "" {
			return x.waiting(t)
		}
		return x.bare(t)
	}
	if x.owns(t) {
		x.remember(t)
		x.enter(Record)
		return x.compose(t)
	}
	if x.leaves() {
		return x.departs(t)
	}
	x.entry.Note = "This run reaches nothing real: the fake answered."
	return x.written(t)
}

// leaves tells whether the run reaches real services at all. Of a record it is
// what the record has.
func (x *Exchange) leaves() bool {
	if x.replaying {
		return len(x.was) > 0 || x.routed || x.struck
	}
	return x.run.Out != nil && x.line.sender != nil
}

// leaving is the call as it would leave.
func (x *Exchange) leaving() live.Request {
	r := live.Request{Host: x.entry.Host, Method: x.r.Method, Path: x.path, Query: x.r.URL.RawQuery, Header: x.r.Header, Body: x.body, Class: x.question.Class}
	if x.replaying && r.Body == nil { // of JSON the record alone has the bytes
		r.Body = x.entry.Body
	}
	r.Query = x.rev.real[x.op.Service].Abroad(x.base, x.entry.Host, r.Query)
	if len(x.drops) > 0 {
		r.Header = r.Header.Clone()
		for _, name := range x.drops {
			r.Header.Del(name)
		}
	}
	if x.ifMatch != "" && r.Header.Get("If-Match") == "" {
		r.Header = r.Header.Clone()
		r.Header.Set("If-Match", x.ifMatch)
	}
	if m := x.service.Contract.Match(r.Method, r.Path); m.Operation == nil { // the client's base URL has the service's own path
		r.Path = fakes.PathTo(x.op, x.input.Path)
	}
	return r
}

// departs is the event of a call that is about to leave: its reply is waited for
// outside the turn.
func (x *Exchange) departs(t *run.Turn) *trail.Event {
	t.Discard()
	if len(x.needs) == 0 && x.strikesLive(t, x.rev.real[x.op.Service].Reads(x.leaving())) {
		return x.replaced(t)
	}
	x.enter(Record)
	x.waits, x.reply = true, fakes.Reply{}
	x.describe()
	x.brought()
	entry := x.entry
	entry.Outcome, entry.Fidelity, entry.Wire = trail.Answered, trail.None, trail.Wire{}
	if x.base != "https://"+x.entry.Host { // what comes back may lead there
		entry.Base = x.base
	}
	entry.Upstream = []trail.Upstream{{Operation: x.known.full, Class: string(x.question.Class)}}
	if len(x.needs) > 0 {
		entry.Upstream = nil
		for _, n := range x.needs {
			entry.Upstream = append(entry.Upstream, trail.Upstream{Operation: n.Operation.Name(), Class: string(class.Read)})
		}
	}
	for i := range entry.Upstream {
		if entry.Upstream[i].Host = x.rev.real[x.op.Service].At(x.entry.Host); len(x.was) > 0 {
			entry.Upstream[i].Host = x.was[0].Host
		}
	}
	return &trail.Event{Kind: trail.Reserved, Identity: x.identity, Revision: x.rev.Profile.Revision, Exchange: &entry}
}

// reach sends the call to its real service, and waits for the reply. Nothing is
// held meanwhile.
func (x *Exchange) reach() {
	if x.left {
		x.embark()
		return
	}
	x.line.metrics.HoldBegan()
	defer x.line.metrics.HoldEnded()
	ctx, cancel := context.WithCancel(x.r.Context())
	defer cancel()
	defer context.AfterFunc(x.run.Lifetime, cancel)()
	before := x.line.wall.Now()
	c := live.Call{Request: x.leaving(), To: x.rev.real[x.op.Service], Run: x.run.ID, Base: x.base, Count: x.run.Out}
	if len(x.needs) > 0 {
		x.glance(func(n overlay.Need) (live.Reply, live.Sight, *live.Trouble) {
			c.Request = live.Request{Host: x.entry.Host, Method: n.Operation.Method, Path: n.Path, Query: n.Query, Header: x.aside()}
			return x.line.sender.Send(ctx, c)
		})
	} else {
		x.back, x.sight, x.lacks = x.line.sender.Send(ctx, c)
	}
	x.waited += x.line.wall.Now().Sub(before)
}

// unreached answers that the real service said nothing, in its own words.
func (x *Exchange) unreached(t *run.Turn, why *live.Trouble) *trail.Event {
	x.trouble(trail.Answered, fakes.Problem{Kind: fakes.Broken, Status: why.Status, Message: why.Message}, why.Status, why.Code, why.Message)
	x.entry.Fidelity, x.entry.Note = trail.None, why.Message
	x.tell("X-Parity-Refused", why.Code)
	return x.bare(t)
}

// returned is the second half of a call that left: what came back is the answer,
// or what it is about.
func (x *Exchange) returned(t *run.Turn) *trail.Event {
	if x.left {
		return x.cameBack(t)
	}
	if len(x.needs) > 0 {
		return x.glanced(t)
	}
	x.waits = false
	x.entry.Upstream = []trail.Upstream{sent(x.known.full, x.sight, x.back, x.lacks)}
	up := &x.entry.Upstream[0]
	if !t.State.Waits(x.entry.Reserved) {
		x.missed("the run was set back")
		return x.overtaken(t)
	}
	if x.lacks != nil {
		x.missed("the real service did not answer")
		return x.unreached(t, x.lacks)
	}
	up.Header = x.shownReply(x.back.Header)
	x.keeps = x.keeping()
	up.Body = x.keeps.body(x.back)
	x.reply = fakes.Reply{Status: x.back.Status, Header: x.back.Header, Body: x.back.Body, Fidelity: fakes.Fidelity(trail.Live)}
	x.told()
	x.tape()
	x.laid(t)
	x.notes()
	x.remember(t)
	x.enter(Record)
	e := x.compose(t)
	x.asRecorded(e.Exchange)
	return e
}

// sent is what the record has of a call that was to leave, whatever became of it.
func sent(operation string, seen live.Sight, back live.Reply, lacks *live.Trouble) trail.Upstream {
	up := trail.Upstream{
		Host: seen.Host, Operation: operation, Class: string(seen.Class), Pass: seen.Pass, Number: seen.Number,
		Took: seen.Took, Bytes: seen.Bytes, Digest: seen.Digest, Status: back.Status,
	}
	if lacks != nil {
		up.Code, up.Error, up.Status = lacks.Code, lacks.Why, 0
	}
	return up
}

// told notes where the real service does not answer as its contract says. It is
// handed on as it is.
func (x *Exchange) told() {
	if x.replaying {
		x.entry.Upstream[0].Breaches = x.was[0].Breaches
		return
	}
	if found := x.op.CheckReply(x.back.Status, x.back.Header.Get("Content-Type"), x.back.Body); len(found) > 0 {
		x.entry.Upstream[0].Breaches = x.rev.Profile.Secrets.Text(found[0].In+found[0].Pointer+" "+found[0].Message+more(len(found)), x.hider())
	}
}

// notes adds to what is noted that the real service breaks its contract.
func (x *Exchange) notes() {
	if odd := x.entry.Upstream[0].Breaches; odd != "" {
		x.entry.Note = strings.TrimSpace("The real service does not answer as its contract says: " + odd + ". " + x.entry.Note)
	}
}

func more(n int) string {
	if n == 1 {
		return ""
	}
	return ", and " + strconv.Itoa(n-1) + " more"
}

// shadowed is a write where only reads are real: what it would do is kept as a
// draft, whoever might approve it. What policy refuses stays refused.
func (x *Exchange) shadowed(t *run.Turn) *trail.Event {
	by, tried := x.gating(t)
	if by.Then == policy.Refuse {
		x.untry(t)
		x.gate.by, x.gate.judged, x.entry.Policy.By = by, true, by.Name()
		x.forbid(policy.CodeGate, "This call is refused by policy ("+by.Name()+"). Nothing was done.")
		return x.bare(t)
	}
	if !tried {
		x.act(t)
	}
	var seen approval.Seen
	if !x.comesToNothing(t) {
		seen = x.predict(t)
		x.gate.by = policy.Gating{Then: policy.Capture, Mode: policy.Shadow}
		x.entry.Policy.By = x.gate.by.Name()
		x.capture(t, seen)
		return x.bare(t)
	}
	x.enter(Record)
	return x.compose(t)
}

// feed has the call decided by what came back when it was recorded.
func (x *Exchange) feed(was *trail.Exchange) {
	x.was, x.recorded = was.Upstream, was
	if x.left {
		x.back, x.sight, x.lacks = fed(&x.was[0], was)
		return
	}
	if len(x.needs) > 0 {
		next := 0
		x.glance(func(overlay.Need) (live.Reply, live.Sight, *live.Trouble) {
			if next++; next > len(x.was) {
				return live.Reply{}, live.Sight{}, live.Recalled(live.CodeUnreachable, "the record has nothing of it")
			}
			return fed(&x.was[next-1], was)
		})
		return
	}
	x.back, x.sight, x.lacks = fed(&x.was[0], was)
}

// fed is what came back, as a record has it.
func fed(up *trail.Upstream, was *trail.Exchange) (back live.Reply, seen live.Sight, lacks *live.Trouble) {
	seen = live.Sight{Host: up.Host, Class: class.Class(up.Class), Pass: up.Pass, Number: up.Number, Took: up.Took, Bytes: up.Bytes, Digest: up.Digest}
	if up.Failed() {
		lacks = live.Recalled(up.Code, up.Error)
		if !up.Reads() {
			lacks.Sent = up.Unknown
		}
		return back, seen, lacks
	}
	back = live.Reply{Status: up.Status, Header: http.Header{}, Body: up.Body}
	if up.Same {
		back.Body = was.ReplyBody
	}
	for _, f := range up.Header {
		back.Header.Add(f.Name, f.Value)
	}
	return back, seen, nil
}

// unruled tells whether rules pass over the call: its operation is not a fake's
// alone.
func (x *Exchange) unruled(rules []*faults.Rule) []*faults.Rule {
	if x.mode.Reaches() {
		return nil
	}
	return rules
}
