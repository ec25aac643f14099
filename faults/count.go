package faults

import (
	"sort"
	"time"

	"parity/fakes/trie"
	"parity/faults/trail"
)

// mostCalls is the largest limit that a rate limit can have.
const mostCalls = 1_000_000

// A ruleKey names what is counted together: a rule, by its text, and one value
// of its per.
type ruleKey struct{ name, hash, per string }

// A count is what a rule has met and hit for one per. It is frozen.
type count struct {
	rule  *ruleKey
	met   uint64 // intents
	fired uint64 // intents hit
	until trail.Instant
	uses  uses
}

// with gives the count after one more strike, on an intent that the rule has
// seen as was.
func (c count) with(s *trail.Strike, was sighting, at trail.Instant) (count, sighting) {
	if was.index == 0 {
		c.met++
		was.index = s.Index
	}
	was.attempts++
	if s.Fired && !was.hit {
		was.hit = true
		c.fired++
	}
	c.until = max(c.until, s.Until)
	if s.Use {
		c.uses = c.uses.with(at, s.Limit)
	}
	return c, was
}

// uses are the instants of the calls that a limit let through, in order. It is
// frozen. Of those the newest are kept, as many as the limit allows: a window
// in which fewer than all of them lie has room, and one in which all of them
// lie is full, whatever came before.
type uses struct {
	at          trie.Map[trail.Instant] // by number
	first, next uint64                  // numbers: of the oldest kept, and after the newest
}

// with adds one. A clock that was set back does not unsort them: a use counts
// as late as the latest before it. limit is 0 in records older than the field.
func (u uses) with(at trail.Instant, limit int) uses {
	if u.first < u.next {
		at = max(at, u.of(u.next-1))
	}
	if limit == 0 {
		limit = mostCalls
	}
	u.at, u.next = u.at.Put(u.next, at), u.next+1
	for u.next-u.first > uint64(limit) { //nolint:gosec // positive
		u.at = u.at.Drop(u.first, u.of(u.first))
		u.first++
	}
	return u
}

func (u uses) of(number uint64) trail.Instant { return u.at.Of(number)[0].Value }

func (u uses) len() int { return int(u.next - u.first) } //nolint:gosec // at most mostCalls

// since counts the uses after an instant.
func (u uses) since(instant time.Time) int {
	from := trail.At(instant)
	before := sort.Search(u.len(), func(i int) bool { return u.of(u.first+uint64(i)) > from }) //nolint:gosec // small
	return u.len() - before
}
