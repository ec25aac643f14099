package exchange

import (
	"bytes"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/live"
	"parity/gateway/overlay"
	"parity/profiles/policy"
)

// A glimpse is what the real service said of a record that a write is about.
type glimpse struct {
	need  overlay.Need
	sight live.Sight
	said  live.Reply // as it is kept
	lacks *live.Trouble
	known string // what the record is known by; "": nothing rests on it
}

// mostRounds is how often what a read has shown may name others.
const mostRounds = 4

func (x *Exchange) over() overlay.Over {
	return overlay.Over{
		Service: x.service, Plain: x.plainly,
		Kept: func(body []byte) []byte { return x.keeping().body(live.Reply{Body: body}) },
	}
}

// owns answers a read of what the run itself has made or deleted: the real service
// is not asked.
func (x *Exchange) owns(t *run.Turn) bool {
	if !x.mode.Lays() {
		return false
	}
	plan := x.over().Before(x.call(t))
	t.Discard()
	if x.drops = plan.Drop; plan.Own == nil {
		return false
	}
	x.reply = *plan.Own
	x.entry.Note = "The run itself has made or deleted it: the real service was not asked."
	return true
}

// laid lays what the run has changed over a real reply.
func (x *Exchange) laid(t *run.Turn) {
	if !x.mode.Lays() {
		return
	}
	l := x.over().Lay(x.call(t), x.reply)
	t.Discard()
	was := x.reply
	if x.reply = l.Reply; l.Overlaid {
		x.reply.Fidelity = was.Fidelity
		x.entry.Overlaid = true
		x.entry.Note = "What the run has changed is laid over it."
	}
	if len(l.Behind) > 0 {
		x.entry.Note = "Overlay behind: the real " + l.Behind[0].Collection + " " + l.Behind[0].ID + " has moved since the run changed it."
	}
}

// wants tells whether a write has to have records read before the fake decides.
func (x *Exchange) wants(t *run.Turn) bool {
	if x.mode != policy.LiveRead && x.mode != policy.Shadow || !x.leaves() {
		return false
	}
	call := x.call(t)
	needs := x.over().Needs(call)
	t.Discard()
	x.writes, x.needs = call, needs
	return len(needs) > 0
}

// written has the fake decide a write, and notes what it has changed.
func (x *Exchange) written(t *run.Turn) *trail.Event {
	if !x.gated(t) {
		if x.gate.waits != "" {
			return x.waiting(t)
		}
		return x.bare(t)
	}
	if x.strikesLive(t, false) {
		return x.replaced(t)
	}
	x.perform(t, false)
	if x.slipped(t) {
		return x.bare(t)
	}
	if x.mode == policy.LiveRead {
		overlay.Note(t.Tx(), 0)
	}
	x.enter(Record)
	return x.compose(t)
}

// glance reads from the real service what a write is about: send asks it, or a
// record does.
func (x *Exchange) glance(send func(overlay.Need) (live.Reply, live.Sight, *live.Trouble)) {
	asked, world := map[string]bool{}, x.run.World()
	for range mostRounds {
		fresh := false
		x.writes.Tx = world.Begin()
		for _, n := range x.needed(x.writes) {
			target := n.Path + "?" + n.Query
			if asked[target] {
				continue
			}
			asked[target], fresh = true, true
			g := glimpse{need: n}
			g.said, g.sight, g.lacks = send(n)
			if g.lacks == nil {
				x.knows(&g)
				k := x.keeping()
				k.op, k.of = n.Operation, n.Operation.Anatomy.Collection
				g.said.Body = k.body(g.said)
			}
			x.seen = append(x.seen, g)
			if g.lacks != nil {
				return
			}
			read := n.Of(x.writes)
			read.Tx = world.Begin()
			x.over().Absorb(read, replyOf(g.said))
			world = read.Tx.Commit()
			x.writes.Tx = world.Begin()
		}
		if !fresh {
			return
		}
	}
}

func replyOf(r live.Reply) fakes.Reply {
	return fakes.Reply{Status: r.Status, Header: r.Header, Body: r.Body}
}

// glanced is the second half of a write: what was read is taken in as an edit
// before it, and then the fake decides.
func (x *Exchange) glanced(t *run.Turn) *trail.Event {
	x.waits = false
	overtaken := !t.State.Waits(x.entry.Reserved)
	for i := range x.seen {
		g := &x.seen[i]
		up := sent(g.need.Operation.Name(), g.sight, g.said, g.lacks)
		if g.lacks == nil {
			up.Header, up.Body, up.Shows = x.shownReply(g.said.Header), g.said.Body, g.known
		}
		x.entry.Upstream = append(x.entry.Upstream, up)
		switch {
		case overtaken:
		case g.lacks != nil:
			return x.unreached(t, g.lacks)
		default:
			x.takeIn(t, g)
		}
	}
	if overtaken {
		return x.overtaken(t)
	}
	if x.mode == policy.Live {
		return x.liveDecided(t)
	}
	if x.mode == policy.Shadow {
		return x.shadowed(t)
	}
	return x.written(t)
}

// takeIn has the world take in what the real service has shown.
func (x *Exchange) takeIn(t *run.Turn, g *glimpse) {
	t.Discard()
	read := g.need.Of(x.call(t))
	tx := t.State.World.Begin()
	read.Tx = tx
	x.over().Absorb(read, replyOf(g.said))
	if len(tx.Changes()) == 0 {
		return
	}
	e := x.edit(faults.Work{}, faults.Done{Did: "read from the real service: " + g.need.Operation.Name()})
	e.Edit.Before = true
	if err := t.Interject(e, tx); err != nil {
		x.run.Room.NoteRefused(x.line.log, err)
	}
}

// aside are the headers that a read on the agent's behalf takes over from its call.
func (x *Exchange) aside() http.Header {
	header := x.r.Header.Clone()
	for name := range header {
		if name == "Content-Type" || strings.HasPrefix(name, "If-") {
			header.Del(name)
		}
	}
	return header
}

// home is a body whose links lead to where the client reached the service.
func (x *Exchange) home(body []byte) []byte {
	if to := x.rev.real[x.op.Service]; to != nil {
		return to.Home(x.base, body)
	}
	return body
}

// leadHome has the links of a reply lead to where the client came from, whoever
// gave it: a fake has those of the real service in what it was shown.
func (x *Exchange) leadHome() {
	if body := x.home(x.reply.Body); !bytes.Equal(body, x.reply.Body) {
		x.reply.Body, x.reply.Result = body, nil
	}
}
