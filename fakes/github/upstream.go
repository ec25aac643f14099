package github

import (
	"net/http"

	"parity/fakes/kit"
)

// mergeUpstream brings a branch of a fork up to that of the repository that it was
// forked from.
func mergeUpstream(c *call, r repo) (answer, *refusal) {
	up, ok := c.byKey(kit.Text(r.value, "parent"))
	if !ok {
		return answer{}, unprocessable("This repository is not a fork")
	}
	branch := c.text("branch")
	ours, here := c.ref(r, heads+branch)
	theirs, there := c.ref(up, heads+branch)
	if !here || !there {
		return answer{}, unprocessable("Branch not found")
	}
	from := up.owner() + ":" + branch
	said := func(kind, message string) (answer, *refusal) {
		return answer{value: map[string]any{"message": message, "merge_type": kind, "base_branch": from}}, nil
	}
	if c.isAncestor(r, theirs, ours) {
		return said("none", "This branch is not behind the upstream "+from+".")
	}
	sha, kind, message := theirs, "fast-forward", "Successfully fetched and fast-forwarded from upstream "+from+"."
	if !c.isAncestor(r, ours, theirs) {
		m := c.merge(r, ours, theirs)
		if len(m.conflicts) > 0 {
			return answer{}, refusing(http.StatusConflict, "There are merge conflicts")
		}
		sha = c.putCommit(r, m.tree, []string{ours, theirs}, c.self(), c.webFlow(), "Merge branch '"+up.full()+":"+branch+"' into "+branch)
		kind, message = "merge", "Successfully fetched and merged from upstream "+from+"."
	}
	c.setRef(r, heads+branch, sha, commitKind)
	c.pushed(r, branch, ours, sha)
	return said(kind, message)
}
