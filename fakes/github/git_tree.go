package github

import (
	"path"
	"slices"
	"strings"
)

// walk finds what is at a path of a tree. The root has the path "".
func (c *call) walk(r repo, tree, at string) (entry, bool) {
	found := entry{path: "", mode: treeMode, sha: tree}
	if at == "" {
		return found, true
	}
	for name := range strings.SplitSeq(at, "/") {
		if found.mode != treeMode {
			return entry{}, false
		}
		next, ok := named(c.entries(r, found.sha), name)
		if !ok {
			return entry{}, false
		}
		found = next
	}
	return found, true
}

func named(all []entry, name string) (entry, bool) {
	for _, e := range all {
		if e.path == name {
			return e, true
		}
	}
	return entry{}, false
}

// files lists all that is in a tree and below it but folders, by path, in
// git's order.
func (c *call) files(r repo, tree string) []entry {
	var all []entry
	c.visit(r, tree, func(e entry) {
		if e.mode != treeMode {
			all = append(all, e)
		}
	})
	return all
}

// visit walks a tree from the top down; each entry has its whole path.
//
// It visits mostVisited of them at the most, and tells whether these were all: a
// tree that names another one many times is small, and what is below it is not.
func (c *call) visit(r repo, tree string, call func(entry)) (all bool) {
	left := mostVisited
	var visit func(tree, prefix string) bool
	visit = func(tree, prefix string) bool {
		for _, e := range c.entries(r, tree) {
			if left == 0 {
				return false
			}
			left--
			c.Spend(1)
			whole := e
			whole.path = path.Join(prefix, e.path)
			call(whole)
			if e.mode == treeMode && !visit(e.sha, whole.path) {
				return false
			}
		}
		return true
	}
	return visit(tree, "")
}

// mostVisited is how many entries GitHub gives of a tree with all that is below it.
// Source: docs.github.com/rest/git/trees.
const mostVisited = 100_000

// change is what becomes of one path of a tree: an entry, or nothing.
type change struct {
	path string
	with *entry // nil: it is taken away
}

// edit makes another tree of one, and gives its name. Folders that have become
// empty go away.
func (c *call) edit(r repo, tree string, changes []change) string {
	sha, _ := c.edited(r, tree, changes)
	return sha
}

func (c *call) edited(r repo, tree string, changes []change) (string, bool) {
	all := slices.Clone(c.entries(r, tree))
	below := map[string][]change{}
	var order []string
	for _, ch := range changes {
		c.Spend(1 + len(all)/64)
		name, rest, deeper := strings.Cut(ch.path, "/")
		if deeper {
			if below[name] == nil {
				order = append(order, name)
			}
			below[name] = append(below[name], change{rest, ch.with})
			continue
		}
		all = slices.DeleteFunc(all, func(e entry) bool { return e.path == name })
		if ch.with != nil {
			all = append(all, entry{name, ch.with.mode, ch.with.sha})
		}
	}
	for _, name := range order {
		c.Spend(1 + len(all)/64)
		inner, _ := named(all, name)
		if inner.mode != treeMode {
			inner.sha = ""
		}
		all = slices.DeleteFunc(all, func(e entry) bool { return e.path == name })
		if sha, some := c.edited(r, inner.sha, below[name]); some {
			all = append(all, entry{name, treeMode, sha})
		}
	}
	return c.putTree(r, all), len(all) > 0
}

// commitFiles puts files on a branch as one commit of the caller, and gives the
// commit's name.
func (c *call) commitFiles(r repo, branch, message string, files map[string]string) string {
	tip, _ := c.ref(r, "refs/heads/"+branch)
	var parents []string
	tree := ""
	if o, ok := c.objectOf(r, tip, commitKind); ok {
		parents, tree = []string{tip}, o.tree()
	}
	changes := make([]change, 0, len(files))
	for at, text := range files {
		changes = append(changes, change{at, &entry{mode: "100644", sha: c.putBlob(r, []byte(text))}})
	}
	slices.SortFunc(changes, func(a, b change) int { return strings.Compare(a.path, b.path) })
	sha := c.putCommit(r, c.edit(r, tree, changes), parents, c.self(), c.self(), message)
	c.setRef(r, "refs/heads/"+branch, sha, commitKind)
	c.pushed(r, branch, tip, sha)
	return sha
}
