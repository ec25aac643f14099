package run

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"parity/fakes/clock"
	"parity/fakes/tape"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
)

// A state is saved as what it has otherwise than its origin, which whoever loads
// it makes anew: what runs that began alike share is not in it.
//
//	origin ─▶ snapshots, oldest first ─▶ start ─▶ the state itself
//	each:     worlds of its past, oldest first ─▶ its world ─▶ tallies, clock, …
//
// Each world is beside the one before it, and so are tallies, so that what they
// have in common is written once.

// Save writes the state. It is not ok, and what is written is of no use, where one
// of its worlds does not extend that of the origin.
func (s *State) Save(to *tape.Writer) (ok bool) {
	v := &saver{to: to, worlds: map[*world.World]int{}, moments: map[*moment]int{}, tallies: s.origin.Tallies, ok: true}
	v.known(s.origin.World)
	v.moments[s.origin.past.newest] = 1 // it has no other
	names := slices.SortedFunc(maps.Keys(s.snapshots), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.snapshots[a].Seq, s.snapshots[b].Seq), cmp.Compare(a, b))
	})
	to.Number(uint64(len(names)))
	for _, name := range names {
		to.Text(name)
		v.state(s.snapshots[name])
	}
	rebased := s.start != s.origin
	if to.Flag(rebased); rebased {
		v.state(s.start)
	}
	v.state(s)
	return v.ok
}

// Load gives the state that was saved, of a line whose origin is s: the state
// before its first event.
func (s *State) Load(from *tape.Reader) (State, error) {
	l := &loader{from: from, origin: s.origin, worlds: []*world.World{s.origin.World}, moments: []*moment{nil, s.origin.past.newest}, tallies: s.origin.Tallies}
	var snapshots map[string]*State
	for n := from.Number(); from.Loop(&n); {
		if snapshots == nil {
			snapshots = map[string]*State{}
		}
		name := from.Text()
		snapshots[name] = l.state()
	}
	start := s.origin
	if from.Flag() {
		start = l.state()
	}
	now := l.state()
	if err := from.Err(); err != nil {
		return State{}, err
	}
	now.snapshots, now.origin, now.start = snapshots, s.origin, start
	return *now, nil
}

// A saver writes states, each beside those before it.
type saver struct {
	to      *tape.Writer
	worlds  map[*world.World]int // that were written, from 0
	last    *world.World         // of those, the newest
	first   *world.World
	moments map[*moment]int // from 1
	tallies *faults.Tallies // that were written last
	ok      bool
}

func (v *saver) state(s *State) {
	v.past(&s.past)
	v.world(s.World)
	s.Tallies.Save(v.tallies, v.to)
	v.tallies = s.Tallies
	v.clock(&s.Clock)
	v.to.Number(s.Seq)
	v.time(s.Began)
	v.to.Number(s.Epoch)
	v.to.Text(s.Revision)
	v.to.Number(uint64(len(s.Armed)))
	for i := range s.Armed {
		v.armed(&s.Armed[i])
	}
	v.to.Number(s.arms)
	v.to.Int(s.weight)
	v.to.Number(uint64(len(s.waiting)))
	for _, w := range s.waiting {
		v.to.Number(w.seq)
		v.to.Number(uint64(len(w.reserved)))
		for i := range w.reserved {
			v.change(&w.reserved[i])
		}
	}
	v.to.Cut(false)
}

func (v *saver) past(p *past) {
	v.chain(p.old)
	v.chain(p.newest)
	v.to.Int(int64(p.size))
	v.to.Number(p.total)
	v.to.Flag(p.cut)
}

// chain writes those moments that were not written before, oldest first, and what
// they follow.
func (v *saver) chain(m *moment) {
	var fresh []*moment
	for ; m != nil && v.moments[m] == 0; m = m.before {
		fresh = append(fresh, m)
	}
	v.to.Number(uint64(v.moments[m])) //nolint:gosec // a count; 0: of none
	v.to.Number(uint64(len(fresh)))
	for _, m := range slices.Backward(fresh) {
		v.moments[m] = len(v.moments) + 1
		v.to.Int(int64(m.at))
		v.world(m.world)
		v.to.Cut(false)
	}
}

func (v *saver) known(w *world.World) {
	if v.first == nil {
		v.first = w
	}
	v.worlds[w], v.last = len(v.worlds), w
}

// world writes which world it is, or what it has otherwise than one before.
func (v *saver) world(w *world.World) {
	if n, known := v.worlds[w]; known {
		v.to.Flag(true)
		v.to.Number(uint64(n)) //nolint:gosec // a count
		return
	}
	base := v.last
	if !w.Extends(base) { // it is older than a revision that brought more
		base = v.first
	}
	if v.ok = v.ok && w.Extends(base); !v.ok {
		return
	}
	v.to.Flag(false)
	v.to.Number(uint64(v.worlds[base])) //nolint:gosec // a count
	w.Save(base, v.to)
	v.known(w)
}

func (v *saver) time(t time.Time) {
	v.to.Flag(t.IsZero())
	if !t.IsZero() {
		v.to.Int(t.UnixNano())
	}
}

// clock leaves out how it hangs on the wall, and what clients were promised: these
// hold for one process.
func (v *saver) clock(c *clock.State) {
	v.to.Text(string(c.Mode))
	v.time(c.Start)
	v.to.Float(c.Speed)
	v.to.Int(int64(c.Step))
	v.to.Flag(c.Frozen)
	v.time(c.Last)
	v.time(c.Next)
	v.to.Flag(c.Set)
}

func (v *saver) armed(a *Armed) {
	v.to.Number(a.Seq)
	v.to.Text(a.Name)
	v.to.Text(a.Text)
	v.to.Int(int64(a.Until))
	v.to.Text(a.Fault)
	v.to.Number(uint64(len(a.Calls)))
	for _, call := range a.Calls {
		v.to.Text(call)
	}
	v.to.Text(a.Because)
	v.to.Flag(a.Required)
}

func (v *saver) change(c *trail.Change) {
	v.to.Text(string(c.Op))
	v.to.Text(c.Collection)
	v.to.Text(c.ID)
	v.to.Number(c.Version)
	v.to.Number(c.Order)
	v.to.Bytes(c.After)
	v.to.Bytes(c.Before)
	v.to.Flag(c.Own)
}

// A loader reads what a saver wrote.
type loader struct {
	from    *tape.Reader
	origin  *State
	worlds  []*world.World
	moments []*moment // from 1
	tallies *faults.Tallies
}

func (l *loader) state() *State {
	s := &State{past: l.past(), World: l.world(), origin: l.origin, start: l.origin}
	tallies, err := l.tallies.Load(l.from)
	if err != nil {
		return s // and the caller asks for it
	}
	l.tallies, s.Tallies = tallies, tallies
	s.Clock = l.clock()
	s.Seq = l.from.Number()
	s.Began = l.time()
	s.Epoch = l.from.Number()
	s.Revision = l.from.Text()
	for n := l.from.Number(); l.from.Loop(&n); {
		s.Armed = append(s.Armed, l.armed())
	}
	s.arms = l.from.Number()
	s.weight = l.from.Int()
	for n := l.from.Number(); l.from.Loop(&n); {
		w := waiting{seq: l.from.Number()}
		for n := l.from.Number(); l.from.Loop(&n); {
			w.reserved = append(w.reserved, l.change())
		}
		s.waiting = append(s.waiting, w)
	}
	return s
}

func (l *loader) past() past {
	return past{old: l.chain(), newest: l.chain(), size: int(l.from.Int()), total: l.from.Number(), cut: l.from.Flag()}
}

func (l *loader) chain() *moment {
	at := l.from.Number()
	if at >= uint64(len(l.moments)) {
		l.from.Torn()
		return nil
	}
	m := l.moments[at]
	for n := l.from.Number(); l.from.Loop(&n); {
		m = &moment{at: trail.Instant(l.from.Int()), world: l.world(), before: m}
		l.moments = append(l.moments, m)
	}
	return m
}

func (l *loader) world() *world.World {
	known := l.from.Flag()
	n := l.from.Number()
	if n >= uint64(len(l.worlds)) {
		l.from.Torn()
		return l.origin.World
	}
	if known {
		return l.worlds[n]
	}
	w, err := l.worlds[n].Load(l.from)
	if err != nil {
		l.from.Torn() // if it does not say so itself
		return l.origin.World
	}
	l.worlds = append(l.worlds, w)
	return w
}

func (l *loader) time() (t time.Time) {
	if !l.from.Flag() {
		t = trail.Instant(l.from.Int()).Time()
	}
	return t
}

func (l *loader) clock() clock.State {
	return clock.State{
		Options: clock.Options{Mode: clock.Mode(l.from.Text()), Start: l.time(), Speed: l.from.Float(), Step: time.Duration(l.from.Int())},
		Frozen:  l.from.Flag(), Last: l.time(), Next: l.time(), Set: l.from.Flag(),
	}
}

func (l *loader) armed() Armed {
	a := Armed{Seq: l.from.Number()}
	a.Name, a.Text, a.Until, a.Fault = l.from.Text(), l.from.Text(), trail.Instant(l.from.Int()), l.from.Text()
	for n := l.from.Number(); l.from.Loop(&n); {
		a.Calls = append(a.Calls, l.from.Text())
	}
	a.Because, a.Required = l.from.Text(), l.from.Flag()
	return a
}

func (l *loader) change() trail.Change {
	return trail.Change{
		Op: world.Op(l.from.Text()), Collection: l.from.Text(), ID: l.from.Text(), Version: l.from.Number(), Order: l.from.Number(),
		After: l.from.Bytes(), Before: l.from.Bytes(), Own: l.from.Flag(),
	}
}
