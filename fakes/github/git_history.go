package github

import (
	"cmp"
	"slices"
	"time"

	"parity/fakes/kit"
)

// history lists a commit and all that led to it, newest first: by when they
// were committed, children before parents. most bounds it; 0 does not.
func (c *call) history(r repo, sha string, most int) []object {
	var out []object
	c.newestFirst(r, sha, func(string) bool { return true }, func(o object) bool {
		out = append(out, o)
		return most == 0 || len(out) < most
	})
	return out
}

// newestFirst is history of those commits alone that are among some, as far as yield
// says: what leads from them to others is not followed.
func (c *call) newestFirst(r repo, sha string, among func(sha string) bool, yield func(object) bool) {
	waiting := []object{}
	met := map[string]bool{}
	add := func(name string) {
		if met[name] || !among(name) {
			return
		}
		if o, ok := c.objectOf(r, name, commitKind); ok {
			met[name] = true
			c.Spend(len(waiting) / 64)
			at, _ := slices.BinarySearchFunc(waiting, o, func(have, want object) int {
				if when(have) >= when(want) {
					return -1
				}
				return 1
			})
			waiting = slices.Insert(waiting, at, o)
		}
	}
	add(sha)
	for len(waiting) > 0 {
		next := waiting[0]
		waiting = waiting[1:]
		if !yield(next) {
			return
		}
		for _, parent := range next.parents() {
			add(parent)
		}
	}
}

// when is the time of a commit, as text that sorts.
func when(o object) string { return kit.Text(o.value, "committer.date") }

// ancestors are a commit and all that led to it.
func (c *call) ancestors(r repo, sha string) map[string]bool {
	met := map[string]bool{}
	todo := []string{sha}
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if met[name] {
			continue
		}
		if o, ok := c.objectOf(r, name, commitKind); ok {
			met[name] = true
			todo = append(todo, o.parents()...)
		}
	}
	return met
}

// height is more than that of any commit which led to one with such parents; 0
// where it is not known of all of those: they were told of in any order.
func (c *call) height(r repo, parents []string) int64 {
	most := int64(0)
	for _, parent := range parents {
		o, _ := c.objectOf(r, parent, commitKind)
		if o.height() == 0 {
			return 0
		}
		most = max(most, o.height())
	}
	return most + 1
}

// isAncestor tells whether one commit led to another. What is not above the
// older one is not looked at: a push costs what it brings, and not what was
// pushed before.
func (c *call) isAncestor(r repo, older, newer string) bool {
	o, ok := c.objectOf(r, older, commitKind)
	if !ok {
		return older == newer
	}
	met := map[string]bool{}
	for todo := []string{newer}; len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if name == older {
			return true
		}
		it, ok := c.objectOf(r, name, commitKind)
		if !ok || met[name] || it.height() > 0 && (o.height() == 0 || it.height() <= o.height()) {
			continue // to one of a height lead only such
		}
		met[name] = true
		todo = append(todo, it.parents()...)
	}
	return false
}

// The marks of parted.
const (
	ofFirst = 1 << iota
	ofSecond
	ofBoth = ofFirst | ofSecond
)

// parted marks what led to one of two commits alone, all of it, and of what led
// to both at least the nearest.
//
//	first  ── 1 ── 1 ─┐
//	                  3 ── 3 ── …
//	second ── 2 ──────┘
//
// It goes down by height, so that all that is above a commit has marked it by
// then; of those without one it goes on as long as marks change.
func (c *call) parted(r repo, first, second string) map[string]int {
	marks := map[string]int{}
	var waiting []object                                            // the highest last
	rank := func(o object) uint64 { return uint64(o.height() - 1) } // #nosec G115 -- without one they come first
	add := func(name string, mark int) {
		o, ok := c.objectOf(r, name, commitKind)
		if !ok || marks[name]|mark == marks[name] {
			return
		}
		marks[name] |= mark
		at, _ := slices.BinarySearchFunc(waiting, o, func(have, want object) int { return cmp.Compare(rank(have), rank(want)) })
		if !slices.ContainsFunc(waiting, func(w object) bool { return w.sha == name }) {
			waiting = slices.Insert(waiting, at, o)
		}
	}
	add(first, ofFirst)
	add(second, ofSecond)
	open := func(o object) bool { return marks[o.sha] != ofBoth || o.height() == 0 }
	for slices.ContainsFunc(waiting, open) {
		next := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for _, parent := range next.parents() {
			add(parent, marks[next.sha])
		}
	}
	return marks
}

// mergeBase is the newest commit that led to both; "" where there is none.
func (c *call) mergeBase(r repo, a, b string) string {
	base, marks := "", c.parted(r, a, b)
	c.newestFirst(r, b, func(string) bool { return true }, func(o object) bool {
		if marks[o.sha] == ofBoth {
			base = o.sha
		}
		return base == ""
	})
	return base
}

// only lists what led to head and not to base, newest first.
func (c *call) only(r repo, head, base string) []object {
	var out []object
	marks := c.parted(r, head, base)
	c.newestFirst(r, head, func(sha string) bool { return marks[sha] == ofFirst }, func(o object) bool {
		out = append(out, o)
		return true
	})
	return out
}

// A merged is a tree that joins two, or the paths at which they conflict.
type merged struct {
	tree      string
	conflicts []string
}

// merge joins two commits by what changed since their merge base.
func (c *call) merge(r repo, ours, theirs string) merged {
	return c.pick(r, ours, c.mergeBase(r, ours, theirs), theirs)
}

// pick lays what changed between two commits over a third: file by file, and
// line by line where both sides changed one.
func (c *call) pick(r repo, ours, base, theirs string) merged {
	was, a, b := c.filesOf(r, base), c.filesOf(r, ours), c.filesOf(r, theirs)
	tip, _ := c.objectOf(r, ours, commitKind)
	m := merged{}
	var changes []change
	for _, path := range sortedKeys(b, was) {
		old, mine, other := was[path], a[path], b[path]
		switch {
		case other == old || other == mine: // they changed nothing, or the same
		case mine == old:
			if other.sha == "" {
				changes = append(changes, change{path, nil})
			} else {
				changes = append(changes, change{path, &entry{mode: other.mode, sha: other.sha}})
			}
		case mine.sha == "" || other.sha == "" || old.sha == "":
			m.conflicts = append(m.conflicts, path)
		default:
			text, ok := c.mergeText(r, old, mine, other)
			if !ok {
				m.conflicts = append(m.conflicts, path)
				continue
			}
			changes = append(changes, change{path, &entry{mode: mine.mode, sha: c.putBlob(r, []byte(text))}})
		}
	}
	if len(m.conflicts) == 0 {
		m.tree = c.edit(r, tip.tree(), changes)
	}
	return m
}

func (c *call) filesOf(r repo, commit string) map[string]entry {
	all := map[string]entry{}
	o, ok := c.objectOf(r, commit, commitKind)
	if !ok {
		return all
	}
	for _, e := range c.files(r, o.tree()) {
		all[e.path] = entry{mode: e.mode, sha: e.sha}
	}
	return all
}

func sortedKeys[V any](all ...map[string]V) []string {
	met := map[string]bool{}
	for _, one := range all {
		for key := range one {
			met[key] = true
		}
	}
	keys := make([]string, 0, len(met))
	for key := range met {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (c *call) mergeText(r repo, old, mine, other entry) (string, bool) {
	var texts [3]string
	for i, e := range []entry{old, mine, other} {
		o, ok := c.objectOf(r, e.sha, blobKind)
		if !ok || kit.Text(o.value, "base64") != "" {
			return "", false
		}
		texts[i] = string(o.content())
	}
	return mergeLines(texts[0], texts[1], texts[2], c)
}

// dateOf is when a person of a commit made it.
func dateOf(p map[string]any, otherwise time.Time) time.Time {
	at, err := time.Parse(time.RFC3339, kit.Text(p, "date"))
	if err != nil {
		return otherwise
	}
	return at
}
