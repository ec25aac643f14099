package faults

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"parity/fakes/chance"
	"parity/faults/trail"
	"parity/specs"
)

// Tallies are the counts of a run: intents, what each rule has met and hit,
// when each operation was last called. They are folded from events, and from
// nothing else: Fold over the same events gives the same tallies.
type Tallies struct {
	intents map[string]*intents // by fingerprint
	keys    map[string]keyed    // by identity, operation and idempotency key
	rules   map[ruleKey]*ruleCount
	last    map[string]lastCall // by "service METHOD /path"
}

type ruleKey struct{ name, hash, per string }

type ruleCount struct {
	met     uint64
	fired   uint64 // intents hit
	intents map[string]seen
	until   trail.Instant
	uses    []trail.Instant
}

type seen struct {
	index    uint64
	attempts uint64
	hit      bool
}

type lastCall struct {
	op  *specs.Operation
	seq uint64
}

// NewTallies gives the tallies of a run without events.
func NewTallies() *Tallies {
	return &Tallies{
		intents: map[string]*intents{}, keys: map[string]keyed{},
		rules: map[ruleKey]*ruleCount{}, last: map[string]lastCall{},
	}
}

// Fold counts one event. An exchange that had waited was counted by its
// reservation; when it ends, only what came of it is new.
func (t *Tallies) Fold(e *trail.Event) {
	x := e.Exchange
	if x == nil || x.Operation == "" {
		return
	}
	if x.Reserved == 0 {
		t.openIntent(e.Identity, x)
		for i := range x.Strikes {
			t.foldStrike(&x.Strikes[i], x.Intent.ID, e.At)
		}
	}
	if e.Kind == trail.Exchanged {
		t.settleIntent(x)
		method, path, _ := strings.Cut(x.Operation, " ")
		t.last[x.Service+" "+x.Operation] = lastCall{
			op: &specs.Operation{Service: x.Service, ID: x.OperationID, Method: method, Path: path}, seq: e.Seq,
		}
	}
}

func (t *Tallies) foldStrike(s *trail.Strike, intent string, at trail.Instant) {
	if s.Index == 0 {
		return // its condition did not hold: not counted
	}
	count := t.rule(s.Rule, s.Hash, s.Per)
	was := count.intents[intent]
	if was.index == 0 {
		count.met++
		was.index = s.Index
	}
	was.attempts++
	if s.Fired && !was.hit {
		was.hit = true
		count.fired++
	}
	count.intents[intent] = was
	if s.Until > count.until {
		count.until = s.Until
	}
	if s.Use {
		count.uses = append(count.uses, at)
	}
	t.rules[ruleKey{s.Rule, s.Hash, s.Per}] = count
}

// rule gives the counts of a rule for one per. A rule that was never met gets
// counts of its own, not yet part of the tallies.
func (t *Tallies) rule(name, hash, per string) *ruleCount {
	if count, ok := t.rules[ruleKey{name, hash, per}]; ok {
		return count
	}
	return &ruleCount{intents: map[string]seen{}}
}

func (t *Tallies) lastOf(p Pattern) uint64 {
	var latest uint64
	for _, call := range t.last {
		if call.seq > latest && p.Match(call.op) {
			latest = call.seq
		}
	}
	return latest
}

func (c *ruleCount) usesSince(since time.Time) int {
	return len(c.uses) - c.firstSince(since)
}

func (c *ruleCount) firstSince(since time.Time) int {
	from := trail.At(since)
	return sort.Search(len(c.uses), func(i int) bool { return c.uses[i] > from })
}

// Hash digests the tallies in a fixed order.
func (t *Tallies) Hash() string {
	var lines []string
	for fingerprint, in := range t.intents {
		lines = append(lines, "intent "+fingerprint+" "+in.String())
	}
	for key, k := range t.keys {
		lines = append(lines, "key "+key+" "+k.fingerprint+" "+strconv.Itoa(k.occurrence))
	}
	for k, c := range t.rules {
		line := "rule " + k.name + " " + k.hash + " " + k.per + " " + strconv.FormatUint(c.met, 10) + " " +
			strconv.FormatUint(c.fired, 10) + " " + strconv.FormatInt(int64(c.until), 10) + " " + strconv.Itoa(len(c.uses))
		for id, s := range c.intents {
			lines = append(lines, line+" "+id+" "+strconv.FormatUint(s.index, 10)+" "+strconv.FormatUint(s.attempts, 10)+" "+strconv.FormatBool(s.hit))
		}
		lines = append(lines, line)
	}
	for name, call := range t.last {
		lines = append(lines, "last "+name+" "+strconv.FormatUint(call.seq, 10))
	}
	sort.Strings(lines)
	return chance.Hash(lines...)
}
