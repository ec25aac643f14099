package verdict

import (
	"slices"
	"sort"
	"strings"

	"parity/faults"
	"parity/faults/trail"
)

// call is one request, from when it came in to when its wire ended. A call
// that waited before acting is two events and one call.
type call struct {
	who
	identity string // whose credential it came with; "": with none that is known
	open     uint64 // the event with which it came in
	seq      uint64 // the event that says what became of it
	at       trail.Instant
	x        *trail.Exchange
	delta    []trail.Change
	written  []touched      // delta decoded, once somebody asked
	reading  *reading       // what it says, once somebody asked
	fields   map[string]any // its body decoded, once somebody asked
	decoded  bool
	deed     *effect // what it did, once somebody asked; noEffect: nothing
	named    string  // see name
	nth      int     // its place among the calls of its intent
	done     bool    // what became of it is in the journal
	settled  bool    // and so is what went out
	gone     bool    // the client left before the end

	began, ended trail.Instant // real time; 0 where it is not known
}

// reads tells a call that changes nothing.
func (c *call) reads() bool { return c.x.Effect == "read" }

// name is the operation as people write it.
func (c *call) name() string {
	if c.connection() {
		return c.x.Service + " *"
	}
	if c.named == "" {
		c.named = c.x.Service + " " + c.x.Operation
	}
	return c.named
}

// verbatim is all that a call asks, as it was sent.
func (c *call) verbatim() string { return c.name() + " " + c.x.Path + " " + string(c.x.Body) }

// connection tells what is no call but a connection, on which nothing was
// asked yet.
func (c *call) connection() bool {
	return c.x.Outcome == trail.Connected || c.x.Outcome == trail.Refused
}

// status is what the service said, whether or not a fault put something else
// in its place. 0: nobody knows.
func (c *call) status() int {
	if c.x.FakeStatus != 0 {
		return c.x.FakeStatus
	}
	return c.x.Status
}

// reply is the body that the service gave.
func (c *call) reply() []byte {
	if len(c.x.FakeBody) > 0 {
		return c.x.FakeBody
	}
	return c.x.ReplyBody
}

// arrived tells that the reply reached the client as it was meant.
func (c *call) arrived() bool {
	w := &c.x.Wire
	return c.done && !c.gone && w.End == trail.Complete && !w.NoHead && !w.HeadCut && !w.Short
}

// learned tells that the client knows what the service did: a success, or a
// refusal that stands.
func (c *call) learned() bool {
	if !c.arrived() || c.x.Fidelity == trail.Injected {
		return false
	}
	switch s := c.x.Status; s {
	case 408, 409, 425, 429:
		return false
	default:
		return s >= 200 && s < 500
	}
}

// firing is one strike that fired.
type firing struct {
	c *call
	s *trail.Strike
}

// class is what the agent met.
func (f firing) class() faults.Class { return faults.ClassOf(f.s.Fault) }

// judging is what is to be known about the fault.
func (f firing) judging() faults.Judging { return faults.JudgingOf(f.s.Fault) }

// bucket is where a rule counts together.
type bucket struct {
	rule, hash, per string
	line            int
}

func (c *call) bucket(s *trail.Strike) bucket { return bucket{s.Rule, s.Hash, s.Per, c.line} }

// intent is what a call is an attempt of.
type intent struct {
	id   string
	line int
}

func (c *call) intent() intent { return intent{c.x.Intent.ID, c.line} }

// place is something that a read shows: a collection or a record of a service,
// as one agent sees it.
type place struct {
	who
	service, segment string
}

// ledger is the journal, arranged for judging.
type ledger struct {
	calls    []*call            // in the order they came in
	intents  map[intent][]*call // likewise
	order    []intent           // intents, by their first call
	firings  map[string][]firing
	met      map[bucket][]*call
	reads    map[place][]*call // reads, in the order they came in
	changes  map[actor][]*call
	actors   []actor         // of changes, by their first call
	heard    map[intent]bool // intents of writes of which the client learned what came
	claims   []*claimed
	claimsBy map[who][]*claimed // claims, by who made them, in their order
	by       map[who][]*call    // all that somebody called, in the order it came in
	sent     map[string][]delivery
	seen     map[sight]sights // what deliveries came to, once somebody asked
}

// delivery is one attempt to send a webhook.
type delivery struct {
	seq uint64
	*trail.Delivery
}

// actor is who changes something, and by which operation.
type actor struct {
	who
	operation string
}

func newLedger(in Input) *ledger {
	l := &ledger{
		intents: map[intent][]*call{}, firings: map[string][]firing{},
		met: map[bucket][]*call{}, reads: map[place][]*call{}, changes: map[actor][]*call{},
		heard: map[intent]bool{}, by: map[who][]*call{}, claimsBy: map[who][]*claimed{},
		sent: map[string][]delivery{}, seen: map[sight]sights{},
	}
	held, lines := map[uint64]*call{}, lines{forks: in.Forks}
	for i := range in.Events {
		e := &in.Events[i]
		lines.follow(e)
		if e.Claim != nil {
			c := &claimed{who{agent: in.Agents[e.Identity]}, e.Seq, e.Claim}
			l.claims = append(l.claims, c)
			lines.add(e.Seq, &c.who)
		}
		if e.Delivery != nil {
			l.sent[e.Delivery.Service] = append(l.sent[e.Delivery.Service], delivery{e.Seq, e.Delivery})
		}
		if e.Exchange == nil || l.listsOnly(e) {
			continue
		}
		c := held[e.Exchange.Reserved]
		if c == nil || e.Exchange.Reserved == 0 {
			c = &call{open: e.Seq, at: e.At, who: who{agent: in.Agents[e.Identity]}, identity: e.Identity}
			l.calls = append(l.calls, c)
		}
		c.seq, c.x, c.delta = e.Seq, e.Exchange, wanted(e.Delta)
		switch e.Kind {
		case trail.Reserved:
			held[e.Seq] = c
			c.delta = nil
		case trail.Exchanged, trail.Reached:
			c.done = true
		}
		c.settle(&in)
		lines.add(e.Seq, &c.who)
	}
	for _, c := range l.calls {
		l.file(c)
	}
	for _, c := range l.claims {
		l.claimsBy[c.who] = append(l.claimsBy[c.who], c)
	}
	return l
}

// listsOnly tells an event that is there for a list of calls of its own operation:
// they came right before it, and are what was called.
func (l *ledger) listsOnly(e *trail.Event) bool {
	if e.Exchange.Parts == 0 || len(l.calls) == 0 {
		return false
	}
	last := l.calls[len(l.calls)-1].x
	return last.Within == e.Seq && last.Operation == e.Exchange.Operation
}

// wanted is a delta without what the service did by itself.
func wanted(delta []trail.Change) []trail.Change {
	own := func(c trail.Change) bool { return c.Own }
	if !slices.ContainsFunc(delta, own) {
		return delta
	}
	return slices.DeleteFunc(slices.Clone(delta), own)
}

// settle takes what went out. An agent whose process had ended did not wait for
// what a gateway that ends then cuts: it had left, a moment before that is seen.
func (c *call) settle(in *Input) {
	if s, ok := in.Settlements[c.seq]; ok {
		c.settled, c.ended, c.began = true, s.Wall, s.Began
		c.gone = s.ClientGone || s.Error == trail.GatewayEnded && in.Ending != nil
	}
}

func (l *ledger) file(c *call) {
	if c.connection() {
		l.strikes(c)
		return
	}
	if c.x.Operation == "" {
		return
	}
	l.by[c.who] = append(l.by[c.who], c)
	if id := c.intent(); id.id != "" {
		if l.intents[id] == nil {
			l.order = append(l.order, id)
		}
		c.nth = len(l.intents[id])
		l.intents[id] = append(l.intents[id], c)
		if !c.reads() && c.learned() {
			l.heard[id] = true
		}
	}
	if c.x.Committed {
		by := actor{c.who, c.name()}
		if l.changes[by] == nil {
			l.actors = append(l.actors, by)
		}
		l.changes[by] = append(l.changes[by], c)
	}
	l.strikes(c)
	if c.reads() && c.x.Outcome == trail.Answered {
		for _, segment := range segments(c.x.Path) {
			p := place{c.who, c.x.Service, segment}
			l.reads[p] = append(l.reads[p], c)
		}
	}
}

// strikes files a call under the rules that it met.
func (l *ledger) strikes(c *call) {
	for i := range c.x.Strikes {
		s := &c.x.Strikes[i]
		if s.Index > 0 {
			b := c.bucket(s)
			l.met[b] = append(l.met[b], c)
		}
		if s.Fired {
			l.firings[s.Rule] = append(l.firings[s.Rule], firing{c, s})
		}
	}
}

// segments are the parts of a path that name something: not its version, and
// each only once.
func segments(path string) []string {
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		if len(part) < 3 || strings.HasPrefix(part, "{") {
			continue
		}
		parts = append(parts, part)
	}
	return parts
}

// next is the call that follows c in its intent.
func (l *ledger) next(c *call) *call {
	if all := l.intents[c.intent()]; c.nth+1 < len(all) {
		return all[c.nth+1]
	}
	return nil
}

// after finds where in calls, ordered by when they came in, those begin that
// came in after seq.
func after(calls []*call, seq uint64) int {
	return sort.Search(len(calls), func(i int) bool { return calls[i].open > seq })
}

// ahead bounds how many calls after a fault are looked at for what was done
// about it.
const ahead = 512

// since are the calls of who made c that came in after it.
func (l *ledger) since(c *call) []*call {
	all := l.by[c.who]
	begin := after(all, c.open)
	return all[begin:min(len(all), begin+ahead)]
}

// before are the calls of who made c that came in before it, the latest last.
func (l *ledger) before(c *call) []*call {
	all := l.by[c.who]
	end := after(all, c.open-1)
	return all[max(0, end-ahead):end]
}
