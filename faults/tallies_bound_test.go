package faults

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parity/fakes/chance"
	"parity/faults/trail"
	"parity/specs"
)

// An agent that polls makes an intent of each read: none but the latest is kept.
func TestTalliesDoNotGrowWithRepeatedReads(t *testing.T) {
	t.Parallel()
	tallies, early := NewTallies(), 0
	for n := range uint64(50_000) {
		in := call(tallies, "balance", "")
		if in.Occurrence != int(n+1) || in.Attempt != 1 {
			t.Fatalf("read %d is attempt %d of intent %d", n+1, in.Attempt, in.Occurrence)
		}
		tallies.Fold(exchanged(n+1, in, met("a", n+1), met("b", n+1)))
		if n == 10 {
			early = size(tallies)
		}
	}
	if late := size(tallies); late != early {
		t.Errorf("%d entries after 50,000 reads, %d after 11", late, early)
	}
	if c := tallies.count(ruleKey{"a", "0123456789ab", "agent"}); c.met != 50_000 {
		t.Errorf("the rule met %d intents", c.met)
	}
}

func TestTalliesDoNotGrowWithRetriesThatFail(t *testing.T) {
	t.Parallel()
	tallies := NewTallies()
	for n := range uint64(2_000) {
		strike := met("a", 1)
		strike.Per = fmt.Sprint("attempt ", n)
		e := exchanged(n+1, call(tallies, "f", ""), strike)
		e.Exchange.Whole = false
		tallies.Fold(e)
	}
	in, _ := tallies.intent("f", 1)
	if in == nil || in.attempts != 2_000 || len(in.seen) != mostSeen {
		t.Errorf("got %d sightings of %d attempts", len(in.seen), in.attempts)
	}
	if saw := in.sight(ruleKey{"a", "0123456789ab", "attempt 1999"}); saw.attempts != 1 {
		t.Errorf("the newest sighting is %+v", saw)
	}
}

// What is remembered has a bound however many different things an agent means,
// with whatever keys, in whatever buckets.
func TestTalliesDoNotGrowWithDistinctIntents(t *testing.T) {
	t.Parallel()
	tallies, remembered, calls := NewTallies(), Remembered, uint64(300_000)
	if testing.Short() {
		remembered, calls = Remembered/10, calls/10
		tallies = newTallies(remembered)
		t.Logf("%d events and a tenth of what is remembered; all without -short", calls)
	}
	at := 0
	for n := range calls {
		a, per := met("a", n+1), met("per customer", 1)
		per.Per = fmt.Sprint("cus_", n)
		in := call(tallies, fmt.Sprint("f", n), fmt.Sprint("key ", n))
		if in.Attempt != 1 {
			t.Fatalf("intent %d is said to be attempt %d of %s", n, in.Attempt, in.ID)
		}
		tallies.Fold(exchanged(n+1, in, a, per))
		if every := calls / 6; n%every == every-1 {
			at = max(at, size(tallies))
		}
	}
	// An intent with its two sightings, its key, and its customer's count.
	if most := 5*remembered + 2; at > most || at < most/2 {
		t.Errorf("%d entries at the most, and %d are allowed", at, most)
	}
	if c := tallies.count(ruleKey{"a", "0123456789ab", "agent"}); c.met != calls {
		t.Errorf("the rule that was always met has counted %d intents, want %d", c.met, calls)
	}
}

// The same request under ever new keys: each may be asked for again by its key,
// as long as it is remembered.
func TestTalliesDoNotGrowWithKeysOfOneRequest(t *testing.T) {
	t.Parallel()
	const bound, calls = 100, 2_000
	tallies := newTallies(bound)
	for n := range uint64(calls) {
		tallies.Fold(exchanged(n+1, call(tallies, "f", fmt.Sprint(n)), met("a", n+1)))
	}
	if n := size(tallies); n > 3*bound+2 {
		t.Errorf("%d entries", n)
	}
	for back := 1; back <= bound/4; back++ {
		if in := call(tallies, "f", fmt.Sprint(calls-back)); in.Occurrence != calls-back+1 || in.Attempt != 2 {
			t.Errorf("the key of %d calls ago leads to attempt %d of %s", back, in.Attempt, in.ID)
		}
	}
	if in := call(tallies, "f", "0"); in.Occurrence != calls+1 || in.Attempt != 1 {
		t.Errorf("a forgotten key leads to attempt %d of %s", in.Attempt, in.ID)
	}
}

// A retry of what is forgotten is a new intent, whose ID no other had: ids of
// records are drawn from it.
func TestForgottenIntentsDoNotLendTheirIDs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tallies, c := newTallies(rapid.SampledFrom([]int{2, 4, 6}).Draw(t, "bound")), &caller{}
		opened := map[string]bool{}
		for range rapid.IntRange(1, 150).Draw(t, "events") {
			e := c.next(t, tallies)
			if in := e.Exchange.Intent; e.Exchange.Reserved == 0 && in.Attempt == 1 {
				if opened[in.ID] {
					t.Fatalf("event %d opens %s again", e.Seq, in.ID)
				}
				opened[in.ID] = true
			}
			tallies.Fold(e)
		}
	})
}

// The number of a new intent is above those of the forgotten, and not above that
// of a read which goes on all the time.
func TestPollingDoesNotNumberOtherIntents(t *testing.T) {
	t.Parallel()
	tallies, highest := newTallies(20), 0
	for n := range uint64(1_000) {
		poll := call(tallies, "balance", "")
		if poll.Occurrence != int(n+1) {
			t.Fatalf("poll %d is %s", n+1, poll.ID)
		}
		tallies.Fold(exchanged(2*n+1, poll))
		in := call(tallies, fmt.Sprint(n), "")
		highest = max(highest, in.Occurrence)
		tallies.Fold(exchanged(2*n+2, in))
	}
	if rolls := 1_000 / 9; highest < 2 || highest > rolls {
		t.Errorf("an intent that was never forgotten is occurrence %d", highest)
	}
}

// Half of the bound is remembered exactly, and never more than all of it.
func TestTalliesForgetWhatWasTouchedLongestAgo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bound := 2 * rapid.IntRange(1, 8).Draw(t, "half")
		tallies := newTallies(bound)
		var touched []string // the latest last
		latest := map[string]trail.Intent{}
		for seq := range uint64(rapid.IntRange(1, 200).Draw(t, "events")) {
			fingerprint := fmt.Sprint(rapid.IntRange(0, 3*bound).Draw(t, "fingerprint"))
			e := exchanged(seq+1, call(tallies, fingerprint, ""))
			e.Exchange.Whole = rapid.Bool().Draw(t, "whole")
			tallies.Fold(e)
			touched = append(slices.DeleteFunc(touched, func(s string) bool { return s == fingerprint }), fingerprint)
			latest[fingerprint] = e.Exchange.Intent

			kept, gap := 0, false
			for n, fingerprint := range slices.Backward(touched) {
				in, _ := tallies.intent(fingerprint, latest[fingerprint].Occurrence)
				if in == nil {
					gap = true
					if len(touched)-n <= bound/2 {
						t.Fatalf("%s, touched %d intents ago, is forgotten; the bound is %d", fingerprint, len(touched)-n-1, bound)
					}
					continue
				}
				kept++
				if in.attempts != latest[fingerprint].Attempt || gap || kept > bound {
					t.Fatalf("%s: %+v; after one touched later was forgotten: %t; %d are kept of %d", fingerprint, in, gap, kept, bound)
				}
			}
		}
	})
}

func limited(t *testing.T, limit int, window string) *Rule {
	t.Helper()
	every, err := ParsePattern("*")
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRule(Draft{
		Name: "slow down", Calls: []Pattern{every}, Fault: "rate-limit",
		With: map[string]any{"limit": limit, "window": window, "retry_after": "1s"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A limit goes by the calls in its window alone, and no more than the limit of
// them are kept, however many there were: with calls at random instants the
// rule decides as one that knows them all.
func TestRateLimitsKeepNoMoreThanTheirWindow(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 3, 16, 40} {
		r, tallies := limited(t, limit, "1s"), NewTallies()
		random := rand.New(rand.NewPCG(7, uint64(limit)))
		now := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
		op := &specs.Operation{Service: "stripe", ID: "PostRefunds", Method: "POST", Path: "/v1/refunds"}
		var through []time.Time
		var shut time.Time
		refused := 0
		for seq := range uint64(3_000) {
			now = now.Add(time.Duration(random.IntN(int(2*time.Second)/limit/2/1000)) * 1000)
			if random.IntN(20) == 0 && len(through) > 0 { // to the edge: the oldest leaves the window now
				if edge := through[max(0, len(through)-limit)].Add(time.Second); edge.After(now) {
					now = edge
				}
			}
			in := call(tallies, fmt.Sprint(seq), "")
			strike := r.Consider(&Evaluation{
				Operation: op, Seed: chance.Seed(7), Identity: "agent", Intent: in, Now: now, Began: now,
				Vars: func(func(string) bool) map[string]any { return nil },
			}, tallies, &Plan{})
			inWindow := 0
			for _, at := range through {
				if at.After(now.Add(-time.Second)) {
					inWindow++
				}
			}
			refuses := shut.After(now) || inWindow >= limit
			if strike.Fired != refuses {
				t.Fatalf("limit %d, call %d: refused %t, but %d calls are in the window (shut until %v, now %v)", limit, seq, strike.Fired, inWindow, shut, now)
			}
			switch {
			case !refuses:
				through = append(through, now)
			case !shut.After(now):
				shut = now.Add(time.Second)
				fallthrough
			default:
				refused++
			}
			e := exchanged(seq+1, in, strike)
			e.At = trail.At(now)
			tallies.Fold(e)
			if kept := tallies.count(ruleKey{r.Name, r.Hash, "agent"}).uses.len(); kept != min(limit, len(through)) {
				t.Fatalf("limit %d: %d calls are kept of %d", limit, kept, len(through))
			}
		}
		if refused < 100 || len(through) < 100 {
			t.Errorf("limit %d: %d refused and %d let through show little", limit, refused, len(through))
		}
	}
}

// Records that do not say the limit are counted whole.
func TestUsesWithoutALimitAreCounted(t *testing.T) {
	t.Parallel()
	tallies := NewTallies()
	for n := range uint64(100) {
		strike := met("a", n+1)
		strike.Use = true
		tallies.Fold(exchanged(n+1, call(tallies, fmt.Sprint(n), ""), strike))
	}
	uses := tallies.count(ruleKey{"a", "0123456789ab", "agent"}).uses
	if got := uses.since(trail.Instant(40 * time.Millisecond).Time()); got != 60 {
		t.Errorf("%d uses after the fortieth of a hundred", got)
	}
}

// A clock that is set back leaves the window as full as it was.
func TestUsesAreInOrderWhenTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	var u uses
	for _, at := range []trail.Instant{100, 110, 50, 60, 120} {
		u = u.with(at, 10)
	}
	for from, want := range map[trail.Instant]int{0: 5, 99: 5, 100: 4, 109: 4, 110: 1, 120: 0} {
		if got := u.since(from.Time()); got != want {
			t.Errorf("%d uses after %d, want %d", got, from, want)
		}
	}
}
