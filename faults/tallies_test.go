package faults

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parity/faults/trail"
)

var answered = func(string) bool { return false }

// exchanged is one call that got its whole answer, as an event of a run.
func exchanged(seq uint64, in trail.Intent, strikes ...trail.Strike) *trail.Event {
	return &trail.Event{
		Seq: seq, Kind: trail.Exchanged, At: trail.Instant(seq) * trail.Instant(time.Millisecond), Identity: "agent",
		Exchange: &trail.Exchange{
			Service: "stripe", Operation: "POST /v1/refunds", OperationID: "PostRefunds", Whole: true, Strikes: strikes, Intent: in,
		},
	}
}

// call is what the agent's next call of a fingerprint is.
func call(t *Tallies, fingerprint, key string) trail.Intent {
	return t.Intend("agent", fingerprint, "stripe POST /v1/refunds", key, http.Header{}, answered)
}

func met(rule string, index uint64) trail.Strike {
	return trail.Strike{Rule: rule, Hash: "0123456789ab", Fault: "error", Phase: "before", Per: "agent", Index: index}
}

// size counts all that tallies hold, of both generations.
func size(t *Tallies) (n int) {
	for e := range t.intents.all() {
		n += 1 + len(e.value.seen)
	}
	for range t.keys.all() {
		n++
	}
	for e := range t.counts.all() {
		n += 1 + e.value.uses.len()
	}
	for range t.last.all() {
		n++
	}
	return n
}

// A caller has the calls of a few agents met by a few rules, and folds each
// into tallies and a model.
type caller struct {
	seq  uint64
	now  trail.Instant
	held []*trail.Event // reservations that wait
}

// next draws one event: a call, or the end of one that had waited.
func (c *caller) next(t *rapid.T, tallies *Tallies) *trail.Event {
	c.seq++
	c.now += trail.Instant(rapid.IntRange(0, 10).Draw(t, "later"))
	if n := len(c.held); n > 0 && rapid.IntRange(0, 2).Draw(t, "ends") == 0 {
		at := rapid.IntRange(0, n-1).Draw(t, "which")
		was := c.held[at]
		c.held = append(c.held[:at:at], c.held[at+1:]...)
		x := *was.Exchange
		x.Reserved, x.Whole = was.Seq, rapid.Bool().Draw(t, "whole")
		return &trail.Event{Seq: c.seq, Kind: trail.Exchanged, At: c.now, Identity: was.Identity, Exchange: &x}
	}
	identity := rapid.SampledFrom([]string{"ann", "bob"}).Draw(t, "identity")
	op := rapid.SampledFrom([]string{"POST /a", "GET /b"}).Draw(t, "operation")
	header := http.Header{}
	if rapid.IntRange(0, 5).Draw(t, "retries") == 0 {
		header.Set("X-Stainless-Retry-Count", "1")
	}
	open := rapid.IntRange(0, 3).Draw(t, "open") == 0
	x := &trail.Exchange{
		Service: "s", Operation: op, OperationID: "id of " + op,
		Intent: tallies.Intend(identity, rapid.StringMatching("[a-e]").Draw(t, "fingerprint"), "s "+op,
			rapid.SampledFrom([]string{"", "", "k", "l"}).Draw(t, "key"), header, func(string) bool { return open }),
	}
	for n, rule := range modelRules {
		name := ruleKey{rule, "h", identity}
		strike := trail.Strike{Rule: rule, Hash: "h", Per: identity, Limit: n * 2}
		if rapid.IntRange(0, 4).Draw(t, "met") > 0 {
			strike.Index = tallies.count(name).met + 1
			if in, _ := tallies.intent(x.Intent.Fingerprint, x.Intent.Occurrence); in != nil && in.sight(name).index > 0 {
				strike.Index = in.sight(name).index
			}
			strike.Fired = rapid.Bool().Draw(t, "fired")
			strike.Use = n > 0 && !strike.Fired
			if strike.Fired {
				strike.Until = c.now + trail.Instant(rapid.IntRange(0, 9).Draw(t, "until"))
			}
		}
		x.Strikes = append(x.Strikes, strike)
	}
	e := &trail.Event{Seq: c.seq, Kind: trail.Exchanged, At: c.now, Identity: identity, Exchange: x}
	if rapid.IntRange(0, 4).Draw(t, "holds") == 0 {
		e.Kind = trail.Reserved
		c.held = append(c.held, e)
		return e
	}
	x.Whole = rapid.Bool().Draw(t, "whole")
	return e
}

// Within the bound, tallies know what plain maps that forget nothing know.
func TestTalliesAgainstModel(t *testing.T) {
	t.Parallel()
	var patterns []Pattern
	for _, text := range []string{"*", "s POST /a", "s GET *", "other *"} {
		p, err := ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, p)
	}
	rapid.Check(t, func(t *rapid.T) {
		tallies, want, c := NewTallies(), newModel(), &caller{}
		for range rapid.IntRange(1, 80).Draw(t, "events") {
			e := c.next(t, tallies)
			if in := e.Exchange.Intent; e.Exchange.Reserved == 0 {
				header := http.Header{"X-Stainless-Retry-Count": {strconv.Itoa(in.SDKRetry)}}
				for _, open := range []bool{false, true} {
					ask := func(string) bool { return open }
					got := tallies.Intend(e.Identity, in.Fingerprint, "s "+e.Exchange.Operation, in.Key, header, ask)
					if want := want.intend(e.Identity, in.Fingerprint, "s "+e.Exchange.Operation, in.Key, header, ask); got != want {
						t.Fatalf("event %d: got %+v, want %+v", e.Seq, got, want)
					}
				}
			}
			tallies.Fold(e)
			want.fold(e)
			if diff := want.differs(tallies, c.now); diff != "" {
				t.Fatalf("after event %d: %s", e.Seq, diff)
			}
			for _, p := range patterns {
				if got, want := tallies.lastOf(p), want.lastOf(p); got != want {
					t.Fatalf("after event %d: %s was last called at %d, want %d", e.Seq, p, got, want)
				}
			}
		}
	})
}

// Forks go on as two runs of their own: each is what folding its own events
// alone gives, with the same hash.
func TestForksOfTalliesSeeNothingOfEachOther(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.SampledFrom([]int{4, 10, Remembered}).Draw(t, "bound")
		type branch struct {
			tallies *Tallies
			caller  caller
			events  []*trail.Event
		}
		branches := []*branch{{tallies: newTallies(bound)}}
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			b := branches[rapid.IntRange(0, len(branches)-1).Draw(t, "branch")]
			if rapid.IntRange(0, 9).Draw(t, "fork") == 0 {
				fork := &branch{b.tallies.Fork(), b.caller, append([]*trail.Event(nil), b.events...)}
				fork.caller.held = append([]*trail.Event(nil), b.caller.held...)
				if fork.tallies.Hash() != b.tallies.Hash() {
					t.Fatal("a fork is not what it was forked from")
				}
				branches = append(branches, fork)
				continue
			}
			e := b.caller.next(t, b.tallies)
			b.tallies.Fold(e)
			b.events = append(b.events, e)
		}
		for n, b := range branches {
			alone := newTallies(bound)
			for _, e := range b.events {
				alone.Fold(e)
			}
			if alone.Hash() != b.tallies.Hash() {
				t.Fatalf("branch %d is not what its own %d events give", n, len(b.events))
			}
		}
	})
}

func TestForksOfTalliesInGoroutines(t *testing.T) {
	t.Parallel()
	origin := NewTallies()
	for n := range 1000 {
		origin.Fold(exchanged(uint64(n+1), call(origin, fmt.Sprint(n%300), ""), met("a", uint64(n+1))))
	}
	before := origin.Hash()
	hashes := make([]string, 8)
	var all sync.WaitGroup
	for n := range hashes {
		fork := origin.Fork()
		all.Go(func() {
			for i := range 1000 {
				fork.Fold(exchanged(uint64(1001+i), call(fork, fmt.Sprint("of fork ", n%4, " ", i%500), ""), met("a", uint64(1001+i))))
			}
			hashes[n] = fork.Hash()
		})
	}
	all.Wait()
	if origin.Hash() != before {
		t.Error("the origin saw what its forks folded")
	}
	for n, hash := range hashes {
		if same := hash == hashes[0]; same != (n%4 == 0) || hash != hashes[n%4] {
			t.Errorf("fork %d: it has the state of other events than its own", n)
		}
	}
}

// Each part of what tallies know shows in the hash.
func TestHashOfTalliesTellsEachPartApart(t *testing.T) {
	t.Parallel()
	in := trail.Intent{ID: "f.1", Fingerprint: "f", Occurrence: 1, Attempt: 1}
	base := func(change func(*trail.Event)) string {
		tallies, strike := NewTallies(), met("a", 1)
		e := exchanged(1, in, strike)
		change(e)
		tallies.Fold(e)
		return tallies.Hash()
	}
	seen := map[string]string{}
	for name, change := range map[string]func(*trail.Event){
		"as it is":   func(*trail.Event) {},
		"whole":      func(e *trail.Event) { e.Exchange.Whole = false },
		"attempt":    func(e *trail.Event) { e.Exchange.Intent.Attempt = 2 },
		"occurrence": func(e *trail.Event) { e.Exchange.Intent.Occurrence = 2 },
		"key":        func(e *trail.Event) { e.Exchange.Intent.Key = "k" },
		"index":      func(e *trail.Event) { e.Exchange.Strikes[0].Index = 2 },
		"fired":      func(e *trail.Event) { e.Exchange.Strikes[0].Fired = true },
		"until":      func(e *trail.Event) { e.Exchange.Strikes[0].Until = 7 },
		"use":        func(e *trail.Event) { e.Exchange.Strikes[0].Use = true },
		"use at": func(e *trail.Event) {
			e.Exchange.Strikes[0].Use = true
			e.At++
		},
		"per":       func(e *trail.Event) { e.Exchange.Strikes[0].Per = "bob" },
		"operation": func(e *trail.Event) { e.Exchange.Operation = "POST /v1/charges" },
		"reserved":  func(e *trail.Event) { e.Kind, e.Exchange.Whole = trail.Reserved, false },
	} {
		hash := base(change)
		if other, twice := seen[hash]; twice {
			t.Errorf("%q and %q have the same hash", name, other)
		}
		seen[hash] = name
		if hash != base(change) {
			t.Errorf("%q has two hashes", name)
		}
	}
}
