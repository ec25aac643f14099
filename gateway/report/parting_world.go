package report

import (
	"slices"

	"parity/fakes/chance"
	"parity/fakes/recording"
	"parity/fakes/world"
)

// conditions are those under which the runs were made and that differ.
func conditions(a, b Side) []Condition {
	all := []Condition{}
	for _, c := range []Condition{
		{"seed", number(a.Seed), number(b.Seed)},
		{"profile revision", orNone(a.Stamp.Profile), orNone(b.Stamp.Profile)},
		{"contracts", orNone(a.Stamp.Contracts), orNone(b.Stamp.Contracts)},
		{"policy", orNone(a.Stamp.Policy), orNone(b.Stamp.Policy)},
		{"stage", stageOf(a), stageOf(b)},
		{"fixtures", orNone(a.Stamp.Fixtures), orNone(b.Stamp.Fixtures)},
		{"Parity", orNone(a.Stamp.Parity), orNone(b.Stamp.Parity)},
	} {
		if c.A != c.B {
			all = append(all, c)
		}
	}
	return all
}

// stageOf is how far the agent of a run could go.
func stageOf(s Side) string {
	for i := range s.Events {
		if start := s.Events[i].Start; start != nil && start.Stage > 0 {
			return number(uint64(start.Stage)) //nolint:gosec // 1 to 5
		}
	}
	return orNone("")
}

// worlds compares two worlds, collection by collection.
func (m *meanings) worlds(a, b *world.World) []WorldChange {
	var all []WorldChange
	for _, name := range collectionsOf(a, b) {
		c := m.collection(name, slices.Collect(a.Oldest(name, 0)), b)
		if len(c.Differ)+len(c.OnlyA)+len(c.OnlyB) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// collection pairs records that are the same thing: by their ids, by what the
// calls told of these, and else by what is in them.
func (m *meanings) collection(name string, left []*world.Record, b *world.World) WorldChange {
	c := WorldChange{Collection: name, Differ: []PartedRecord{}, OnlyA: []string{}, OnlyB: []string{}}
	taken := map[string]bool{}
	take := func(r, like *world.Record) {
		taken[like.ID] = true
		if r == like || string(r.JSON()) == string(like.JSON()) {
			return
		}
		if fields := m.tells(content(r.JSON()), content(like.JSON())); len(fields) > 0 {
			c.Differ = append(c.Differ, PartedRecord{r.ID, like.ID, fields})
		}
	}
	var rest []*world.Record
	for _, r := range left {
		like, ok := b.Get(name, r.ID)
		if !ok {
			like, ok = b.Get(name, m.theirs[0][r.ID])
		}
		if !ok || taken[like.ID] {
			rest = append(rest, r)
			continue
		}
		take(r, like)
	}
	alike := map[string][]*world.Record{}
	for r := range b.Oldest(name, 0) {
		if !taken[r.ID] {
			like := m.bare(r)
			alike[like] = append(alike[like], r)
		}
	}
	for _, r := range rest {
		like := m.bare(r)
		if waiting := alike[like]; len(waiting) > 0 {
			alike[like] = waiting[1:]
			take(r, waiting[0])
			continue
		}
		c.OnlyA = append(c.OnlyA, r.ID)
	}
	for r := range b.Oldest(name, 0) {
		if !taken[r.ID] {
			c.OnlyB = append(c.OnlyB, r.ID)
		}
	}
	return c
}

// bare digests a record without what was made up for it.
func (m *meanings) bare(r *world.Record) string {
	var parts []string
	scalars("", content(r.JSON()), func(pointer, text string) {
		if name := last(pointer); recording.Passing(name) || !m.common(text) && (recording.Made(name, text) || recording.Instant(text)) {
			text = ""
		}
		parts = append(parts, pointer, text)
	})
	return chance.Hash(parts...)
}
