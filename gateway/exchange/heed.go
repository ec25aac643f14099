package exchange

import (
	"reflect"
	"slices"

	"parity/fakes"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/run"
)

// twice asks the fake as two calls, and tells those works that want to know
// what either made. A second call that made nothing is not made.
func (x *Exchange) twice(t *run.Turn, works []faults.Work) (once, again fakes.Reply) {
	once = x.askOf(x.call(t))
	var first, second []world.Change
	n := len(t.Tx().Changes())
	if once.Status/100 == 2 {
		first = x.made(t, x.within.from)
		call := x.keyless(x.call(t))
		call.NewID = x.mint(t, "again")
		again = x.askOf(call)
		second = x.made(t, n)
		if again.Status/100 != 2 || len(second) == 0 {
			second = nil
			x.takeBack(t)
			once = x.askOf(x.call(t))
		}
	}
	for _, w := range works {
		if w.Made != nil {
			w.Made(first, second)
		}
	}
	return once, again
}

// made lists the records that the turn has created since its n-th change: of
// the operation's own collection, where that is one of the world's; events and
// other traces of a call are not what it makes.
func (x *Exchange) made(t *run.Turn, n int) []world.Change {
	own := x.service.Name + "." + x.op.Anatomy.Collection
	known := slices.Contains(t.State.World.Collections(), own)
	var made []world.Change
	for _, c := range t.Tx().Changes()[n:] {
		if c.Op == world.Create && x.counts(c) && (!known || c.Collection == own) {
			made = append(made, c)
		}
	}
	return made
}

// heed has the service heed only a part of the call, and say what it would have
// said to all of it.
func (x *Exchange) heed(t *run.Turn, w faults.Work) {
	x.reply = x.askOf(x.call(t))
	if x.reply.Status/100 != 2 {
		faults.Settle(x.entry.Strikes, w, w.Outcome(false))
		return
	}
	said, all := x.reply, x.visible(t)
	x.takeBack(t)
	heeded, some := w.Heeds(x.input)
	changed := len(all) > 0
	if some {
		call := x.call(t)
		x.put(call, heeded)
		less := x.askOf(call)
		changed = less.Status/100 == 2 && !reflect.DeepEqual(all, x.visible(t))
	} else {
		x.release(t)
	}
	done := w.Outcome(changed)
	faults.Settle(x.entry.Strikes, w, done)
	if done.Not != "" {
		x.takeBack(t)
		said = x.askOf(x.call(t))
	}
	x.reply = said
}

// counts tells whether a change is one that the client asked for: bookkeeping is
// none, and neither is what a service does by itself when somebody comes, such
// as growing a repository that its fixtures only say.
func (x *Exchange) counts(c world.Change) bool { return !c.Own && !x.rev.hidden[c.Collection] }

// visible lists what the turn has changed, without bookkeeping.
func (x *Exchange) visible(t *run.Turn) []world.Change {
	var seen []world.Change
	for _, c := range x.wrote(t) {
		if x.counts(c) {
			seen = append(seen, c)
		}
	}
	return seen
}
