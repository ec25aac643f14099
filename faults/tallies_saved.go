package faults

import (
	"hash/maphash"

	"parity/fakes/tape"
	"parity/fakes/trie"
	"parity/faults/trail"
)

// Save writes what tallies have otherwise than base, which they were forked from,
// or which was forked from what they were: so that tallies that are much alike
// take little beside one another.
func (t *Tallies) Save(base *Tallies, to *tape.Writer) {
	s := &saver{to: to, rules: map[ruleKey]uint64{}}
	to.Int(int64(t.floor))
	saveBook(&t.intents, &base.intents, to, s.intentName, s.intent)
	saveBook(&t.keys, &base.keys, to, to.Text, s.keyed)
	saveBook(&t.counts, &base.counts, to, s.rule, s.count)
	saveBook(&t.last, &base.last, to, s.callName, s.lastCall)
}

// Load gives the tallies that Save was asked to write beside tallies like t.
func (t *Tallies) Load(from *tape.Reader) (*Tallies, error) {
	l := &loader{from: from}
	now := &Tallies{floor: int(from.Int())}
	now.intents = loadBook(&t.intents, from, l.intentName, func(intentName) intent { return l.intent() })
	now.keys = loadBook(&t.keys, from, from.Text, func(string) keyed { return l.keyed() })
	now.counts = loadBook(&t.counts, from, func() ruleKey { return *l.rule() }, l.count)
	now.last = loadBook(&t.last, from, l.callName, l.lastCall)
	if err := from.Err(); err != nil {
		return nil, err
	}
	return now, nil
}

// What is said of an entry of a book.
const (
	noMore = iota
	put
	dropped
)

// saveBook writes both generations of a book.
func saveBook[K comparable, V any](b, base *book[K, V], to *tape.Writer, key func(K), value func(*V)) {
	to.Number(uint64(b.size)) //nolint:gosec // a count
	for _, g := range [][2]trie.Map[*entry[K, V]]{{b.young, base.young}, {b.old, base.old}} {
		is, was := g[0], g[1]
		trie.Differ(was, is, func(hash uint64) bool {
			for _, it := range is.Of(hash) {
				if known := pick(was, hash, it.Value.key); known != it.Value {
					to.Number(put)
					key(it.Value.key)
					value(&it.Value.value)
				}
			}
			for _, it := range was.Of(hash) {
				if pick(is, hash, it.Value.key) == nil {
					to.Number(dropped)
					key(it.Value.key)
				}
			}
			to.Cut(false)
			return to.Err() == nil
		})
		to.Number(noMore)
	}
}

// loadBook reads both.
func loadBook[K comparable, V any](base *book[K, V], from *tape.Reader, key func() K, value func(K) V) book[K, V] {
	b := *base
	b.size = int(from.Number()) //nolint:gosec // it was one
	for _, g := range []*trie.Map[*entry[K, V]]{&b.young, &b.old} {
		var fresh []trie.Item[*entry[K, V]]
		empty := g.Empty()
		for said := from.Number(); said != noMore && from.Err() == nil; said = from.Number() {
			k := key()
			hash := maphash.Comparable(b.seed, k)
			was := pick(*g, hash, k)
			switch {
			case said == dropped && was != nil:
				*g = g.Drop(hash, was)
			case said != put:
				from.Torn()
			case empty:
				fresh = append(fresh, trie.Item[*entry[K, V]]{Key: hash, Value: &entry[K, V]{k, value(k)}})
			case was != nil:
				*g = g.Swap(hash, was, &entry[K, V]{k, value(k)})
			default:
				*g = g.Put(hash, &entry[K, V]{k, value(k)})
			}
		}
		if empty {
			*g = trie.Of(fresh)
		}
	}
	return b
}

// A saver writes what books hold. Rules come again and again, so that each is
// written once, and then by its number.
type saver struct {
	to    *tape.Writer
	rules map[ruleKey]uint64
}

func (s *saver) rule(k ruleKey) {
	n, known := s.rules[k]
	s.to.Number(n)
	if known {
		return
	}
	s.rules[k] = uint64(len(s.rules) + 1) //nolint:gosec // a count
	s.to.Text(k.name)
	s.to.Text(k.hash)
	s.to.Text(k.per)
}

func (s *saver) intentName(n intentName) {
	s.to.Text(n.fingerprint)
	s.to.Int(int64(n.occurrence))
}

func (s *saver) intent(in *intent) {
	s.to.Int(int64(in.occurrence))
	s.to.Int(int64(in.attempts))
	s.to.Flag(in.whole)
	s.to.Flag(in.keyed)
	s.to.Number(uint64(len(in.seen)))
	for _, saw := range in.seen {
		s.rule(*saw.rule)
		s.to.Number(saw.index)
		s.to.Number(saw.attempts)
		s.to.Flag(saw.hit)
	}
}

func (s *saver) keyed(k *keyed) {
	s.to.Text(k.fingerprint)
	s.to.Int(int64(k.occurrence))
}

func (s *saver) count(c *count) {
	s.to.Number(c.met)
	s.to.Number(c.fired)
	s.to.Int(int64(c.until))
	s.to.Number(c.uses.first)
	s.to.Number(c.uses.next - c.uses.first)
	last := trail.Instant(0)
	for n := c.uses.first; n < c.uses.next; n++ {
		at := c.uses.of(n)
		s.to.Int(int64(at - last))
		last = at
	}
}

func (s *saver) callName(n callName) {
	s.to.Text(n.service)
	s.to.Text(n.operation)
}

func (s *saver) lastCall(c *lastCall) {
	s.to.Text(c.op.ID)
	s.to.Number(c.seq)
	s.to.Int(int64(c.failed))
	s.to.Flag(c.bare != nil)
	if c.bare != nil {
		s.to.Text(c.bare.Method + " " + c.bare.Path)
	}
}

// A loader reads what a saver wrote.
type loader struct {
	from  *tape.Reader
	rules []*ruleKey
}

func (l *loader) rule() *ruleKey {
	n := l.from.Number()
	switch {
	case n == 0:
		l.rules = append(l.rules, &ruleKey{l.from.Text(), l.from.Text(), l.from.Text()})
		n = uint64(len(l.rules))
	case n > uint64(len(l.rules)):
		l.from.Torn()
		return &ruleKey{}
	}
	return l.rules[n-1]
}

func (l *loader) intentName() intentName {
	return intentName{fingerprint: l.from.Text(), occurrence: int(l.from.Int())}
}

func (l *loader) intent() intent {
	in := intent{occurrence: int(l.from.Int()), attempts: int(l.from.Int()), whole: l.from.Flag(), keyed: l.from.Flag()}
	for n := l.from.Number(); l.from.Loop(&n); {
		in.seen = append(in.seen, sighting{rule: l.rule(), index: l.from.Number(), attempts: l.from.Number(), hit: l.from.Flag()})
	}
	return in
}

func (l *loader) keyed() keyed {
	return keyed{fingerprint: l.from.Text(), occurrence: int(l.from.Int())}
}

func (l *loader) count(name ruleKey) count {
	c := count{rule: &name, met: l.from.Number(), fired: l.from.Number(), until: trail.Instant(l.from.Int())}
	c.uses.first = l.from.Number()
	c.uses.next = c.uses.first
	var at []trie.Item[trail.Instant]
	last := trail.Instant(0)
	for n := l.from.Number(); l.from.Loop(&n); c.uses.next++ {
		last += trail.Instant(l.from.Int())
		at = append(at, trie.Item[trail.Instant]{Key: c.uses.next, Value: last})
	}
	c.uses.at = trie.Of(at)
	return c
}

func (l *loader) callName() callName {
	return callName{service: l.from.Text(), operation: l.from.Text()}
}

func (l *loader) lastCall(name callName) lastCall {
	x := &trail.Exchange{Service: name.service, OperationID: l.from.Text()}
	c := lastCall{op: called(x, name.operation), seq: l.from.Number(), failed: trail.Instant(l.from.Int())}
	if l.from.Flag() {
		c.bare = called(x, l.from.Text())
	}
	return c
}
