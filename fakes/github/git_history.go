package github

import (
	"slices"
	"time"

	"parity/fakes/kit"
)

// history lists a commit and all that led to it, newest first: by when they
// were committed, children before parents. most bounds it; 0 does not.
func (c *call) history(r repo, sha string, most int) []object {
	var out []object
	waiting := []object{}
	met := map[string]bool{}
	add := func(name string) {
		if o, ok := c.objectOf(r, name, commitKind); ok && !met[name] {
			met[name] = true
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
	for len(waiting) > 0 && (most == 0 || len(out) < most) {
		next := waiting[0]
		waiting = waiting[1:]
		out = append(out, next)
		for _, parent := range next.parents() {
			add(parent)
		}
	}
	return out
}

// when is the time of a commit, as text that sorts.
func when(o object) string {
	committer, _ := o.value["committer"].(map[string]any)
	return kit.Text(committer, "date")
}

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

// isAncestor tells whether one commit led to another.
func (c *call) isAncestor(r repo, older, newer string) bool {
	return older == newer || c.ancestors(r, newer)[older]
}

// mergeBase is the newest commit that led to both; "" where there is none.
func (c *call) mergeBase(r repo, a, b string) string {
	of := c.ancestors(r, a)
	for _, o := range c.history(r, b, 0) {
		if of[o.sha] {
			return o.sha
		}
	}
	return ""
}

// only lists what led to head and not to base, newest first.
func (c *call) only(r repo, head, base string) []object {
	of := c.ancestors(r, base)
	var out []object
	for _, o := range c.history(r, head, 0) {
		if !of[o.sha] {
			out = append(out, o)
		}
	}
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
	return mergeLines(texts[0], texts[1], texts[2])
}

// dateOf is when a person of a commit made it.
func dateOf(p map[string]any, otherwise time.Time) time.Time {
	at, err := time.Parse(time.RFC3339, kit.Text(p, "date"))
	if err != nil {
		return otherwise
	}
	return at
}
