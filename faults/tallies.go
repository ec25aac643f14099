package faults

import (
	"fmt"
	"hash/maphash"
	"net/http"
	"sort"
	"strings"
	"time"

	"parity/fakes/chance"
	"parity/faults/trail"
	"parity/specs"
)

// Remembered bounds what the tallies of one run remember: at most 16,384
// intents, as many idempotency keys, and as many counts of a rule for one
// value of its per. What was touched longest ago is forgotten first, and the
// half that was touched last never is. A retry of a forgotten intent is a new
// intent; a forgotten count begins anew.
const Remembered = 1 << 14

// Tallies are the counts of a run: intents, what each rule has met and hit,
// when each operation was last called. They are folded from events, and from
// nothing else: Fold over the same events gives the same tallies.
//
//	Fold ──▶ intents, with what each rule saw of them     ──Fork──▶ the same,
//	         keys, counts of rules, last calls                      shared
//
// All that they hold is immutable and Fold puts another in its place, so that
// a fork shares it. Tallies themselves are for one goroutine at a time; forks
// of one another may be used in different ones.
type Tallies struct {
	intents book[intentName, intent]
	keys    book[string, keyed] // by identity, operation and idempotency key
	counts  book[ruleKey, count]
	last    book[callName, lastCall]
	floor   int // the highest occurrence of a forgotten intent
}

type callName struct{ service, operation string }

type lastCall struct {
	op     *specs.Operation
	bare   *specs.Operation // without the base path of its server; nil: it has none
	seq    uint64
	failed trail.Instant // when it failed; 0: it did not
}

// NewTallies gives the tallies of a run without events.
func NewTallies() *Tallies { return newTallies(Remembered) }

func newTallies(bound int) *Tallies {
	seed := maphash.MakeSeed()
	return &Tallies{
		intents: newBook[intentName, intent](seed, bound),
		keys:    newBook[string, keyed](seed, bound),
		counts:  newBook[ruleKey, count](seed, bound),
		last:    newBook[callName, lastCall](seed, Remembered), // the operations of contracts are far fewer
	}
}

// Fork gives tallies that begin as t is now. What is folded into one is never
// seen by the other. It takes the same short time whatever t holds.
func (t *Tallies) Fork() *Tallies {
	fork := *t
	return &fork
}

// Fold counts one event. An exchange that had waited was counted by its
// reservation; when it ends, only what came of it is new.
func (t *Tallies) Fold(e *trail.Event) {
	x := e.Exchange
	if e.Kind == trail.Reached && x != nil {
		t.foldConnection(x, e.At)
		return
	}
	if x == nil || x.Operation == "" || x.Outcome == trail.Overtaken {
		return
	}
	whole := e.Kind == trail.Exchanged && x.Whole
	if x.Reserved == 0 || x.Policy != nil && x.Policy.Waited { // which meets its rules once it is let through
		t.foldCall(e.Identity, x, e.At, whole)
	} else if in, at := t.intent(x.Intent.Fingerprint, x.Intent.Occurrence); in != nil && whole && !in.whole {
		now := *in
		now.whole = true
		t.keep(at, now)
	}
	if e.Kind == trail.Exchanged && x.Outcome != trail.Forbidden && x.Outcome != trail.Held { // which meet no rule
		t.foldLast(x, e.Seq, e.At)
	}
}

// foldCall counts one attempt of an intent, and what the rules made of it.
func (t *Tallies) foldCall(identity string, x *trail.Exchange, instant trail.Instant, whole bool) {
	name := &x.Intent
	if name.Occurrence < 1 {
		return // it was refused before anything was meant by it
	}
	known, at := t.intent(name.Fingerprint, name.Occurrence)
	in := intent{occurrence: name.Occurrence}
	if known != nil {
		in = *known
	}
	in.attempts = max(in.attempts, name.Attempt)
	in.whole = in.whole || whole
	if name.Key != "" {
		in.keyed = true
		t.keys.set(keyOf(identity, x.Service+" "+x.Operation, name.Key), keyed{name.Fingerprint, name.Occurrence})
	}
	in.seen = append(make([]sighting, 0, max(len(in.seen), len(x.Strikes))), in.seen...)
	for i := range x.Strikes {
		if x.Reserved != 0 && x.Strikes[i].Phase == string(Policy) {
			continue // it was counted as the call began to wait
		}
		t.foldStrike(&x.Strikes[i], &in, instant)
	}
	t.keep(at, in)
}

// foldStrike counts what one rule made of a call, in the count and in what the
// intent knows of it. A rule whose condition did not hold has no index: it is
// not counted.
func (t *Tallies) foldStrike(s *trail.Strike, in *intent, instant trail.Instant) {
	if s.Index == 0 && !s.Use {
		return
	}
	name := ruleKey{s.Rule, s.Hash, s.Per}
	now := t.count(name)
	if now.rule == nil {
		now.rule = &ruleKey{s.Rule, s.Hash, s.Per}
	}
	if s.Index == 0 { // it is beside those that the rule counts
		now.uses = now.uses.with(instant, s.Limit)
	} else {
		var saw sighting
		now, saw = now.with(s, in.sight(name), instant)
		saw.rule = now.rule
		in.record(saw)
	}
	t.counts.set(*now.rule, now)
}

func (t *Tallies) foldLast(x *trail.Exchange, seq uint64, at trail.Instant) {
	name := callName{x.Service, x.Operation}
	was := t.last.get(name)
	if was == nil || was.op.ID != x.OperationID {
		was = &lastCall{op: called(x, x.Operation)}
		if x.Bare != "" {
			was.bare = called(x, x.Bare)
		}
	}
	now := lastCall{op: was.op, bare: was.bare, seq: seq}
	if x.Status >= http.StatusInternalServerError || x.Wire.NoHead {
		now.failed = at
	}
	t.last.set(name, now)
}

// called is an operation as far as the record of a call tells.
func called(x *trail.Exchange, name string) *specs.Operation {
	method, path, _ := strings.Cut(name, " ")
	return &specs.Operation{Service: x.Service, ID: x.OperationID, Method: method, Path: path}
}

func (c *lastCall) of(p Pattern) bool { return p.Match(c.op) || c.bare != nil && p.Match(c.bare) }

// failing tells when calls of a pattern last failed, where the latest of them
// did: the service broke, or did not answer.
func (t *Tallies) failing(p Pattern) time.Time {
	var latest lastCall
	for call := range t.last.all() {
		if call.value.seq > latest.seq && call.value.of(p) {
			latest = call.value
		}
	}
	if latest.failed == 0 {
		return time.Time{}
	}
	return latest.failed.Time()
}

// count gives what a rule has counted for one per; a zero count where it has
// met nothing.
func (t *Tallies) count(name ruleKey) count {
	if known := t.counts.get(name); known != nil {
		return *known
	}
	return count{}
}

func (t *Tallies) lastOf(p Pattern) uint64 {
	var latest uint64
	for call := range t.last.all() {
		if call.value.seq > latest && call.value.of(p) {
			latest = call.value.seq
		}
	}
	return latest
}

// Hash digests the tallies in a fixed order. Tallies of equal events have the
// same, and so has a fork that nothing was folded into.
func (t *Tallies) Hash() string {
	lines := []string{fmt.Sprint("floor ", t.floor)}
	for e, young := range t.intents.all() {
		in := &e.value
		lines = append(lines, fmt.Sprintf("intent %q %d %t: %d %d %t %t", e.key.fingerprint, e.key.occurrence, young,
			in.occurrence, in.attempts, in.whole, in.keyed))
		for _, s := range in.seen {
			lines = append(lines, fmt.Sprintf("seen %q %d: %q %d %d %t", e.key.fingerprint, in.occurrence, *s.rule, s.index, s.attempts, s.hit))
		}
	}
	for e, young := range t.keys.all() {
		lines = append(lines, fmt.Sprintf("key %q %t: %q %d", e.key, young, e.value.fingerprint, e.value.occurrence))
	}
	for e, young := range t.counts.all() {
		c := &e.value
		lines = append(lines, fmt.Sprintf("rule %q %t: %d %d %d", e.key, young, c.met, c.fired, c.until))
		for n := c.uses.first; n < c.uses.next; n++ {
			lines = append(lines, fmt.Sprintf("use %q %d: %d", e.key, n, c.uses.of(n)))
		}
	}
	sort.Strings(lines)
	return chance.Hash(append(lines, t.order()...)...)
}

// order lists the operations by when they were last called: by which came
// later they are told apart, not by the numbers of events, which go on when a
// run is set back.
func (t *Tallies) order() []string {
	type called struct {
		name   callName
		seq    uint64
		failed trail.Instant
	}
	var all []called
	for e := range t.last.all() {
		all = append(all, called{e.key, e.value.seq, e.value.failed})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].seq < all[j].seq })
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = fmt.Sprintf("last %q %d", c.name, c.failed)
	}
	return names
}
