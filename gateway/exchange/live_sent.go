package exchange

import (
	"context"
	"net/http"
	"strconv"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/gateway/live"
	"parity/profiles/policy"
)

// setsOut is the event of a write that is about to leave. What it rests on is used
// up by it, and a call like it is told from then on that nobody knows what came of
// this one, until what came is recorded.
func (x *Exchange) setsOut(t *run.Turn) *trail.Event {
	seq := t.State.Seq + 1
	switch {
	case x.gate.granted:
		x.gate.passes.Use(t.Tx(), t.Now, seq)
		x.entry.Policy.State = approval.Used
	case x.gate.override != "":
		approval.Passed(t.Tx(), x.gate.override)
	}
	for _, mark := range x.leftMarks() {
		kit.Keep(t.Tx(), fakes.NotesCollection, mark, map[string]any{"event": int64(seq)}) //nolint:gosec // counts events
	}
	x.enter(Record)
	x.waits, x.left, x.reply = true, true, fakes.Reply{}
	x.describe()
	x.brought()
	entry := x.entry
	entry.Outcome, entry.Fidelity, entry.Wire = trail.Answered, trail.None, trail.Wire{}
	entry.Upstream = append(entry.Upstream, trail.Upstream{Operation: x.known.full, Class: string(x.question.Class), Pass: x.restsOn(), Host: x.whither()})
	x.entry.Upstream = nil
	x.hasWaited()
	return &trail.Event{Kind: trail.Reserved, Identity: x.identity, Revision: x.rev.Profile.Revision, Exchange: &entry}
}

// whither is the host that the call leaves for.
func (x *Exchange) whither() string {
	if to := x.rev.real[x.op.Service]; len(to.Hosts) > 0 {
		return to.At(x.entry.Host)
	}
	if n := len(x.was); n > 0 {
		return x.was[n-1].Host
	}
	return ""
}

// hasWaited has later events of a call that waited for an answer keep the instant of
// the one that came after the answer.
func (x *Exchange) hasWaited() {
	if x.entry.Policy.Waited {
		own := *x.entry.Policy
		own.Waited, x.entry.Policy = false, &own
	}
}

// embark sends the write, once, after its reservation is on disk: a gateway that is
// killed from here on, or a machine that loses power, finds it again. It goes on
// though its client leaves.
func (x *Exchange) embark() {
	x.line.metrics.HoldBegan()
	defer x.line.metrics.HoldEnded()
	before := x.line.wall.Now()
	defer func() { x.waited += x.line.wall.Now().Sub(before) }()
	ctx := x.run.Lifetime
	request := x.leaving()
	to := x.rev.real[x.op.Service]
	x.sight = live.Sight{Host: to.At(x.entry.Host), Class: x.question.Class}
	if x.run.OnDisk == nil {
		x.lacks = live.Held("its reservation cannot be on disk: the record is in memory")
		return
	}
	if err := x.run.OnDisk(ctx); err != nil {
		x.lacks = live.Held("its reservation is not on disk: " + err.Error())
		return
	}
	pass, err := policy.Mint(x.leave(request))
	if err != nil {
		x.lacks = live.Held(err.Error())
		return
	}
	x.back, x.sight, x.lacks = x.line.sender.Send(context.WithoutCancel(ctx), live.Call{Request: request, To: to, Run: x.run.ID, Base: x.base, Count: x.run.Out, Pass: pass})
}

// leave is what policy is asked right before the write leaves.
func (x *Exchange) leave(r live.Request) policy.Leave {
	target := r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	l := policy.Leave{
		Run: x.run.ID, Operation: x.op.Name(), Target: target, Body: r.Body, Mode: x.mode, Stage: x.run.Stage, Class: x.question.Class,
		Rehearsed: x.replaying || x.run.Out == nil,
	}
	if x.gate.granted {
		l.Approval, l.By = x.gate.passes.ID(), x.gate.passes.By()
	} else {
		l.Gate = x.gate.by.Gate
	}
	return l
}

// cameBack is the last half of a write that left: what came back is the answer, as
// it is, and the world takes it in. It is recorded also where the run was set back
// meanwhile.
func (x *Exchange) cameBack(t *run.Turn) *trail.Event {
	x.waits = false
	stays := t.State.Waits(x.entry.Reserved)
	x.entry.Upstream = []trail.Upstream{{
		Host: x.sight.Host, Operation: x.known.full, Class: string(x.sight.Class), Pass: x.sight.Pass, Number: x.sight.Number,
		Took: x.sight.Took, Bytes: x.sight.Bytes, Digest: x.sight.Digest,
	}}
	up := &x.entry.Upstream[0]
	if x.lacks != nil {
		up.Code, up.Error, up.Unknown = x.lacks.Code, x.lacks.Why, x.lacks.Sent
		if up.Pass == "" {
			up.Pass = x.restsOn()
		}
		if !x.lacks.Sent && stays {
			x.unsent(t)
		}
		told := x.unreached(t, x.lacks.OfWrite())
		return told
	}
	up.Status, up.Header = x.back.Status, x.shownReply(x.back.Header)
	x.keeps = x.keeping()
	up.Body = x.keeps.body(x.back)
	kept := up.Body
	x.reply = fakes.Reply{Status: x.back.Status, Header: x.back.Header, Body: x.back.Body, Fidelity: fakes.Fidelity(trail.Live)}
	x.told()
	x.tape()
	if stays {
		for _, mark := range x.leftMarks() {
			kit.Must("live", t.Tx().Delete(fakes.NotesCollection, mark))
		}
		answered := x.reply
		answered.Body = kept
		x.over().Take(x.call(t), answered)
	} else {
		x.entry.Note = "The run was set back while this call was at the real service. What it did there is done."
	}
	x.notes()
	x.entry.Committed = x.back.Status/100 == 2
	if x.gate.granted {
		x.tell(headerApproval, x.gate.passes.ID()+"; state="+approval.Used)
	}
	x.remember(t)
	x.enter(Record)
	return x.compose(t)
}

// restsOn is what the write would have left by.
func (x *Exchange) restsOn() string {
	if x.gate.granted {
		return x.gate.passes.ID()
	}
	return policy.ByGate + x.gate.by.Name()
}

// unsent gives back what a write has used that did not leave.
func (x *Exchange) unsent(t *run.Turn) {
	if x.gate.granted {
		if used, ok := approval.Get(t.Tx(), x.gate.passes.ID()); ok && used.State() == approval.Used {
			used.GiveBack(t.Tx())
			x.entry.Policy.State = x.gate.passes.State()
		}
	}
	for _, mark := range x.leftMarks() {
		kit.Must("live", t.Tx().Delete(fakes.NotesCollection, mark))
	}
}

// wentOut tells whether the call left for its real service though what came of it
// cannot be recorded, and says so to its caller.
func (x *Exchange) wentOut(why string) bool {
	if !x.left || x.lacks != nil && !x.lacks.Sent {
		return false
	}
	message := "This call was sent to the real service, and what came of it is not recorded: look there before it is made again. " + why
	x.plan = faults.Plan{}
	x.trouble(trail.Answered, fakes.Problem{Kind: fakes.Broken, Status: http.StatusBadGateway, Message: message}, http.StatusBadGateway, "journal", message)
	x.entry.Fidelity, x.entry.Note = trail.None, message
	x.tell("X-Parity-Refused", "journal")
	return true
}

// lostAt words the event of a call like this that left before.
func lostAt(seq uint64) string { return "#" + strconv.FormatUint(seq, 10) }
