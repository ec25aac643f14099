package github

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const heads, tags = "refs/heads/", "refs/tags/"

func refKey(r repo, ref string) string { return r.key() + ":" + ref }

// ref gives what a reference points to.
func (c *call) ref(r repo, ref string) (sha string, ok bool) {
	record, ok := c.get(refs, refKey(r, ref))
	if !ok {
		return "", false
	}
	return kit.Text(record.Value(), "sha"), true
}

// setRef points a reference to an object.
func (c *call) setRef(r repo, ref, sha, kind string) {
	if record, ok := c.get(refs, refKey(r, ref)); ok {
		value := changed(record)
		value["sha"], value["kind"] = sha, kind
		c.update(refs, value)
		return
	}
	c.create(refs, map[string]any{"id": refKey(r, ref), "repo": r.key(), "ref": ref, "sha": sha, "kind": kind})
}

// tip is the commit of the default branch; "" where there is none.
func (c *call) tip(r repo) string {
	sha, _ := c.ref(r, heads+r.branch())
	return sha
}

// resolve finds the commit that a name stands for: a branch, a tag, a whole
// reference, HEAD, or the beginning of a commit's own name.
func (c *call) resolve(r repo, name string) (string, bool) {
	if name == "HEAD" || name == "" {
		sha := c.tip(r)
		return sha, sha != ""
	}
	trimmed := strings.TrimPrefix(name, "refs/")
	for _, ref := range []string{heads + name, tags + name, "refs/" + trimmed} {
		if sha, ok := c.ref(r, ref); ok {
			return c.peeled(r, sha), true
		}
	}
	if isSHA(name) {
		o, ok := c.object(r, name)
		if ok && o.kind() == tagKind {
			return c.peeled(r, name), true
		}
		return name, ok && o.kind() == commitKind
	}
	if len(name) >= 4 && isHex(name) {
		return c.abbreviated(r, name)
	}
	return "", false
}

// abbreviated finds the one commit whose name begins so.
func (c *call) abbreviated(r repo, prefix string) (string, bool) {
	found := ""
	for record := range c.fake.store.Find(c.Tx, refs, "repo", r.key()) {
		for sha := range c.ancestors(r, kit.Text(record.Value(), "sha")) {
			if strings.HasPrefix(sha, prefix) {
				if found != "" && found != sha {
					return "", false
				}
				found = sha
			}
		}
	}
	return found, found != ""
}

// peeled follows tag objects to the commit behind them.
func (c *call) peeled(r repo, sha string) string {
	for range 8 {
		o, ok := c.objectOf(r, sha, tagKind)
		if !ok {
			break
		}
		sha = kit.Text(o.value, "object")
	}
	return sha
}

// references lists a repository's references that begin so, by name.
func (c *call) references(r repo, prefix string) []*world.Record {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, refs, "repo", r.key()) {
		if strings.HasPrefix(kit.Text(record.Value(), "ref"), prefix) {
			all = append(all, record)
		}
	}
	sorted(all, false, func(r *world.Record) string { return kit.Text(r.Value(), "ref") })
	return all
}

func (c *call) showRef(r repo) func(*world.Record) any {
	return func(record *world.Record) any {
		ref, sha := kit.Text(record.Value(), "ref"), kit.Text(record.Value(), "sha")
		kind := textOr(record.Value(), "kind", commitKind)
		return map[string]any{
			"ref": ref, "node_id": nodeIn(r, "REF", "03:Ref", ref), "url": c.at(r) + "/git/" + escapePath(ref),
			"object": map[string]any{"sha": sha, "type": kind, "url": c.at(r) + "/git/" + kind + "s/" + sha},
		}
	}
}

func listRefs(c *call) (answer, *refusal) { return c.matching("refs/") }

func listMatchingRefs(c *call) (answer, *refusal) {
	return c.matching("refs/" + strings.TrimPrefix(c.path("ref"), "refs/"))
}

func (c *call) matching(prefix string) (answer, *refusal) {
	r, refused := c.repository()
	if refused != nil {
		return answer{}, refused
	}
	if c.tip(r) == "" && len(c.references(r, "refs/")) == 0 {
		return answer{}, emptyRepository()
	}
	return listed(c, c.references(r, prefix), c.showRef(r)), nil
}

func getRef(c *call) (answer, *refusal) {
	r, refused := c.repository()
	if refused != nil {
		return answer{}, refused
	}
	if c.tip(r) == "" && len(c.references(r, "refs/")) == 0 {
		return answer{}, emptyRepository()
	}
	record, ok := c.get(refs, refKey(r, "refs/"+strings.TrimPrefix(c.path("ref"), "refs/")))
	if !ok {
		return answer{}, notFound()
	}
	return answer{value: c.showRef(r)(record)}, nil
}

// getRefs is the older operation: one reference, or all that begin so.
func getRefs(c *call) (answer, *refusal) {
	given, refused := getRef(c)
	if refused == nil || refused.status != http.StatusNotFound {
		return given, refused
	}
	r, refused := c.repository()
	if refused != nil {
		return answer{}, refused
	}
	all := c.references(r, "refs/"+strings.TrimPrefix(strings.TrimSuffix(c.path("ref"), "/"), "refs/"))
	if len(all) == 0 {
		return answer{}, notFound()
	}
	return listed(c, all, c.showRef(r)), nil
}

// wellNamed is what git allows as a reference, near enough.
// Source: git-check-ref-format.
var wellNamed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^refs/[^/\x00-\x20~^:?*\[\\]+(/[^/\x00-\x20~^:?*\[\\]+)+$`)
})

func goodRef(ref string) bool {
	return wellNamed().MatchString(ref) && !strings.Contains(ref, "..") && !strings.HasSuffix(ref, ".lock") && !strings.HasSuffix(ref, ".") && !strings.Contains(ref, "@{")
}

func createRef(c *call, r repo) (answer, *refusal) {
	ref, sha := c.text("ref"), c.text("sha")
	if !strings.HasPrefix(ref, "refs/") || strings.Count(ref, "/") < 2 {
		return answer{}, unprocessable("Reference name must start with 'refs' and have at least two slashes")
	}
	if !goodRef(ref) {
		return answer{}, unprocessable("%s is not a valid ref name.", ref)
	}
	if c.tip(r) == "" && len(c.references(r, "refs/")) == 0 {
		return answer{}, emptyRepository()
	}
	if _, exists := c.ref(r, ref); exists {
		return answer{}, unprocessable("Reference already exists")
	}
	o, ok := c.object(r, sha)
	if !ok || strings.HasPrefix(ref, heads) && o.kind() != commitKind {
		return answer{}, unprocessable("Object does not exist")
	}
	c.setRef(r, ref, sha, o.kind())
	c.pushedRef(r, ref, "", sha)
	record, _ := c.get(refs, refKey(r, ref))
	return answer{status: http.StatusCreated, value: c.showRef(r)(record), location: c.at(r) + "/git/" + escapePath(ref)}, nil
}

func updateRef(c *call, r repo) (answer, *refusal) {
	ref, sha := "refs/"+strings.TrimPrefix(c.path("ref"), "refs/"), c.text("sha")
	old, exists := c.ref(r, ref)
	if !exists {
		return answer{}, unprocessable("Reference does not exist")
	}
	o, ok := c.object(r, sha)
	if !ok || strings.HasPrefix(ref, heads) && o.kind() != commitKind {
		return answer{}, unprocessable("Object does not exist")
	}
	forced := strings.HasPrefix(ref, heads) && !c.isAncestor(r, old, sha)
	if forced && !c.flag("force") {
		return answer{}, unprocessable("Update is not a fast forward")
	}
	if why := c.guarded(r, ref, sha, forced); why != "" {
		return answer{}, unprocessable("%s", why)
	}
	c.setRef(r, ref, sha, o.kind())
	c.pushedRef(r, ref, old, sha)
	record, _ := c.get(refs, refKey(r, ref))
	return answer{value: c.showRef(r)(record)}, nil
}

func deleteRef(c *call, r repo) (answer, *refusal) {
	ref := "refs/" + strings.TrimPrefix(c.path("ref"), "refs/")
	old, exists := c.ref(r, ref)
	if !exists {
		return answer{}, unprocessable("Reference does not exist")
	}
	if why := c.guarded(r, ref, "", true); why != "" {
		return answer{}, unprocessable("%s", why)
	}
	c.remove(refs, refKey(r, ref))
	c.pushedRef(r, ref, old, "")
	return answer{status: http.StatusNoContent}, nil
}

// guarded tells why a protected branch does not move to a commit, or is not
// deleted (sha is ""); "" where nothing stands against it.
func (c *call) guarded(r repo, ref, sha string, forced bool) string {
	record, ok := c.get(refs, refKey(r, ref))
	allowed := func(rule string) bool { return cast.Object(record.Value()["rules"])[rule] == true }
	switch {
	case !ok || record.Value()["protected"] != true:
		return ""
	case sha == "" && !allowed("allow_deletions"):
		return "Cannot delete this branch"
	case sha == "":
		return ""
	case forced && !allowed("allow_force_pushes"):
		return "Cannot force-push to this branch"
	}
	return c.directly(record, sha)
}

// directly tells what stands against a write to a protected branch that comes by
// no pull request; "" where nothing does. A branch of a fixture that is protected
// without rules wants a pull request.
func (c *call) directly(branch *world.Record, sha string) string {
	rules := cast.Object(branch.Value()["rules"])
	if rules == nil || cast.Object(rules["required_pull_request_reviews"]) != nil {
		return "Changes must be made through a pull request."
	}
	r, _ := c.byKey(kit.Text(branch.Value(), "repo"))
	passed := c.passed(r, sha)
	for _, want := range cast.Texts(cast.Object(rules["required_status_checks"])["contexts"]) {
		if !passed[want] {
			return "Required status check \"" + want + "\" is expected."
		}
	}
	return ""
}

// noCommits is the name of no commit, in events of pushes.
const noCommits = "0000000000000000000000000000000000000000"

// pushedRef follows up on a reference that moved: pull requests from there, and
// who waits for the news.
func (c *call) pushedRef(r repo, ref, old, sha string) {
	kind := "branch"
	if branch, ok := strings.CutPrefix(ref, heads); ok {
		c.pushed(r, branch, old, sha)
	} else if strings.HasPrefix(ref, tags) {
		kind = "tag"
		c.notify(r, "push", c.pushNews(r, ref, old, sha))
	} else {
		return // GitHub tells of branches and tags alone
	}
	short := strings.TrimPrefix(strings.TrimPrefix(ref, heads), tags)
	news := map[string]any{"ref": short, "ref_type": kind, "pusher_type": "user"}
	switch {
	case old == "":
		news["master_branch"], news["description"] = r.branch(), r.value["description"]
		c.notify(r, "create", news)
	case sha == "":
		c.notify(r, "delete", news)
	}
}

// pushed follows up on a branch that moved.
func (c *call) pushed(r repo, branch, old, sha string) {
	value := maps.Clone(r.value)
	if fresh, ok := c.byKey(r.key()); ok {
		value = maps.Clone(fresh.value)
	}
	value["pushed_at"] = c.now()
	if branch == r.branch() {
		value["updated_at"] = c.now()
		value["language"], value["size"] = c.language(r, sha)
	}
	c.update(repositories, value)
	if branch == r.branch() {
		c.noteCode(r, old)
	}
	c.moveHeads(r, branch, old, sha)
	c.notify(r, "push", c.pushNews(r, heads+branch, old, sha))
	c.begins(r, "push", branch, branch, sha, "")
}

func (c *call) pushNews(r repo, ref, old, sha string) map[string]any {
	before, after := old, sha
	if before == "" {
		before = noCommits
	}
	if after == "" {
		after = noCommits
	}
	list := []any{}
	if sha != "" {
		fresh := c.only(r, sha, old)
		slices.Reverse(fresh)
		for _, o := range fresh[max(0, len(fresh)-20):] {
			list = append(list, c.headCommit(r, o))
		}
	}
	news := map[string]any{
		"ref": ref, "before": before, "after": after, "created": old == "", "deleted": sha == "",
		"forced": old != "" && sha != "" && !c.isAncestor(r, old, sha), "base_ref": nil,
		"compare": c.page(r) + "/compare/" + short(before) + "..." + short(after), "commits": list, "head_commit": nil,
		"pusher": map[string]any{"name": c.loginOf(c.viewer), "email": c.self().email},
	}
	if len(list) > 0 {
		news["head_commit"] = list[len(list)-1]
	}
	return news
}

// short is the beginning of a commit's name.
func short(sha string) string { return sha[:min(len(sha), 12)] }

// headCommit shows a commit as events do.
func (c *call) headCommit(r repo, o object) map[string]any {
	someone := func(field string) map[string]any {
		p := cast.Object(o.value[field])
		return map[string]any{"name": p["name"], "email": p["email"]}
	}
	return map[string]any{
		"id": o.sha, "tree_id": o.tree(), "message": kit.Text(o.value, "message"), "timestamp": when(o),
		"author": someone("author"), "committer": someone("committer"), "url": c.page(r) + "/commit/" + o.sha, "distinct": true,
	}
}
