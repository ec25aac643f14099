package github

import (
	"net/http"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// unprotected is what a branch without rules shows.
var unprotected = map[string]any{
	"enabled": false, "required_status_checks": map[string]any{"enforcement_level": "off", "contexts": []any{}, "checks": []any{}},
}

func (c *call) showBranch(r repo) func(*world.Record) any {
	return func(record *world.Record) any {
		name, sha := strings.TrimPrefix(kit.Text(record.Value(), "ref"), heads), kit.Text(record.Value(), "sha")
		return map[string]any{
			"name": name, "commit": map[string]any{"sha": sha, "url": c.at(r) + "/commits/" + sha},
			"protected": record.Value()["protected"] == true,
		}
	}
}

func listBranches(c *call, r repo) (answer, *refusal) {
	all := c.references(r, heads)
	if asked := c.query("protected"); asked != "" {
		kept := all[:0]
		for _, record := range all {
			if (record.Value()["protected"] == true) == (asked == "true") {
				kept = append(kept, record)
			}
		}
		all = kept
	}
	return listed(c, all, c.showBranch(r)), nil
}

func getBranch(c *call) (answer, *refusal) {
	name := c.path("branch")
	if short, ok := strings.CutSuffix(name, "/protection"); ok { // a name with a slash in it
		c.Input.Path = replaced(c.Input.Path, "branch", short)
		return getProtection(c)
	}
	r, refused := c.repository()
	if refused != nil {
		return answer{}, refused
	}
	record, ok := c.get(refs, refKey(r, heads+name))
	if !ok {
		return answer{}, refusing(http.StatusNotFound, "Branch not found")
	}
	o, _ := c.object(r, kit.Text(record.Value(), "sha"))
	self := c.at(r) + "/branches/" + escapePath(name)
	shown := map[string]any{
		"name": name, "commit": c.showCommit(r, o), "_links": map[string]any{"self": self, "html": c.page(r) + "/tree/" + escapePath(name)},
		"protected": record.Value()["protected"] == true, "protection": unprotected, "protection_url": self + "/protection",
	}
	if record.Value()["protected"] == true {
		shown["protection"] = map[string]any{"enabled": true, "required_status_checks": map[string]any{"enforcement_level": "everyone", "contexts": []any{}, "checks": []any{}}}
	}
	return answer{value: shown}, nil
}

func listTags(c *call, r repo) (answer, *refusal) {
	all := c.references(r, tags)
	sorted(all, true, func(r *world.Record) string { return kit.Text(r.Value(), "ref") })
	return listed(c, all, func(record *world.Record) any {
		ref := kit.Text(record.Value(), "ref")
		sha, name := c.peeled(r, kit.Text(record.Value(), "sha")), strings.TrimPrefix(ref, tags)
		return map[string]any{
			"name": name, "node_id": nodeIn(r, "REF", "03:Ref", ref), "commit": map[string]any{"sha": sha, "url": c.at(r) + "/commits/" + sha},
			"zipball_url": c.at(r) + "/zipball/" + ref, "tarball_url": c.at(r) + "/tarball/" + ref,
		}
	}), nil
}

func listHeads(c *call, r repo) (answer, *refusal) {
	sha := c.path("commit_sha")
	if _, ok := c.resolve(r, sha); !ok {
		return answer{}, noCommit(sha)
	}
	var all []*world.Record
	for _, record := range c.references(r, heads) {
		if kit.Text(record.Value(), "sha") == sha {
			all = append(all, record)
		}
	}
	return listed(c, all, c.showBranch(r)), nil
}

// mergeBranch joins one branch to another without a pull request.
func mergeBranch(c *call, r repo) (answer, *refusal) {
	base, head := strings.TrimPrefix(c.text("base"), heads), c.text("head")
	ours, ok := c.ref(r, heads+base)
	if !ok {
		return answer{}, refusing(http.StatusNotFound, "Base does not exist")
	}
	theirs, ok := c.resolve(r, head)
	if !ok {
		return answer{}, refusing(http.StatusNotFound, "Head does not exist")
	}
	if c.isAncestor(r, theirs, ours) {
		return answer{status: http.StatusNoContent}, nil
	}
	m := c.merge(r, ours, theirs)
	if len(m.conflicts) > 0 {
		return answer{}, refusing(http.StatusConflict, "Merge conflict")
	}
	message := textOr(c.Input.Body, "commit_message", "Merge "+head+" into "+base)
	sha := c.putCommit(r, m.tree, []string{ours, theirs}, c.self(), c.webFlow(), message)
	c.setRef(r, heads+base, sha, commitKind)
	c.pushed(r, base, ours, sha)
	o, _ := c.object(r, sha)
	return answer{status: http.StatusCreated, value: c.showWhole(r, o)}, nil
}
