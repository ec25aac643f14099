package github

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// subresources are what may follow the name of a commit, where that name has
// slashes in it.
var subresources = map[string]handler{
	"/check-runs": onCommit(listRefCheckRuns), "/check-suites": onCommit(listRefCheckSuites), "/status": onCommit(combinedStatus), "/statuses": onCommit(listRefStatuses),
}

// getCommit shows a commit. A branch with a slash in its name is matched here,
// whatever follows it.
func getCommit(c *call) (answer, *refusal) {
	for suffix, other := range subresources {
		if name, ok := strings.CutSuffix(c.path("ref"), suffix); ok {
			c.Input.Path = replaced(c.Input.Path, "ref", name)
			return other(c)
		}
	}
	r, refused := c.repository()
	if refused != nil {
		return answer{}, refused
	}
	if c.tip(r) == "" {
		return answer{}, emptyRepository()
	}
	name := c.path("ref")
	sha, ok := c.resolve(r, name)
	if !ok {
		if isHex(name) && len(name) >= 7 {
			return answer{}, noCommit(name)
		}
		return answer{}, unprocessable("No commit found for SHA: %s", kit.Clip(name))
	}
	o, _ := c.objectOf(r, sha, commitKind)
	changed := when(o)
	switch c.media.param {
	case "sha":
		header := kit.Headers("Etag", `"`+sha+`"`)
		return answer{raw: []byte(sha), kind: "application/vnd.github.v3.sha; charset=utf-8", changed: changed, header: header}, nil
	case "diff", "patch":
		return c.diffAnswer(r, c.introduced(r, o), []object{o}), nil
	}
	return answer{value: c.showWhole(r, o), changed: changed}, nil
}

func replaced(path map[string]string, name, value string) map[string]string {
	other := map[string]string{name: value}
	for key, old := range path {
		if key != name {
			other[key] = old
		}
	}
	return other
}

// diffAnswer gives changes as text: one unified diff, or a mail for each commit.
func (c *call) diffAnswer(r repo, all []file, commits []object) answer {
	var out strings.Builder
	if c.media.param == "patch" {
		for _, o := range slices.Backward(commits) {
			author := cast.Object(o.value["author"])
			subject, rest, _ := strings.Cut(kit.Text(o.value, "message"), "\n")
			out.WriteString("From " + o.sha + " Mon Sep 17 00:00:00 2001\nFrom: " + kit.Text(author, "name") + " <" + kit.Text(author, "email") + ">\n")
			out.WriteString("Date: " + when(o) + "\nSubject: [PATCH] " + subject + "\n" + strings.TrimRight("\n"+rest, "\n") + "\n---\n")
			writeDiff(&out, c.introduced(r, o))
		}
	} else {
		writeDiff(&out, all)
	}
	return answer{raw: []byte(out.String()), kind: "application/vnd.github.v3." + c.media.param + "; charset=utf-8"}
}

func writeDiff(out *strings.Builder, all []file) {
	for _, f := range all {
		was := textOr(map[string]any{"was": f.was}, "was", f.path)
		out.WriteString("diff --git a/" + was + " b/" + f.path + "\n")
		from, to := "a/"+was, "b/"+f.path
		old, now := f.old.sha, f.now.sha
		switch f.status {
		case "added":
			out.WriteString("new file mode " + f.now.mode + "\n")
			from, old = "/dev/null", noCommits
		case "removed":
			out.WriteString("deleted file mode " + f.old.mode + "\n")
			to, now = "/dev/null", noCommits
		case "renamed":
			out.WriteString("similarity index 100%\nrename from " + was + "\nrename to " + f.path + "\n")
			continue
		}
		out.WriteString("index " + old[:min(7, len(old))] + ".." + now[:min(7, len(now))])
		if f.status == "modified" {
			out.WriteString(" " + f.now.mode)
		}
		out.WriteString("\n")
		if f.patch.text != "" {
			out.WriteString("--- " + from + "\n+++ " + to + "\n" + f.patch.text + "\n")
		} else if f.binary {
			out.WriteString("Binary files " + from + " and " + to + " differ\n")
		}
	}
}

// side finds the commit that one side of a comparison names: a reference here,
// or owner:branch of a fork.
func (c *call) side(r repo, name string) (string, bool) {
	if owner, branch, ok := strings.Cut(name, ":"); ok {
		if strings.EqualFold(owner, r.owner()) {
			return c.resolve(r, branch)
		}
		for record := range c.fake.store.Find(c.Tx, repositories, "owner", c.loginOf(owner)) {
			if other := (repo{record.Value()}); other.network() == r.network() && c.sees(other) {
				return c.resolve(other, branch)
			}
		}
		return "", false
	}
	return c.resolve(r, name)
}

// compared says in a word how one side stands to the other.
func compared(ahead, behind int) string {
	switch {
	case ahead > 0 && behind > 0:
		return "diverged"
	case ahead > 0:
		return "ahead"
	case behind > 0:
		return "behind"
	}
	return "identical"
}

func compare(c *call) (answer, *refusal) {
	r, refused := c.repository()
	if refused != nil {
		return answer{}, refused
	}
	base, head, ok := strings.Cut(c.path("basehead"), "...")
	if !ok {
		base, head, ok = strings.Cut(c.path("basehead"), "..")
	}
	from, known := c.side(r, base)
	to, known2 := c.side(r, head)
	if !ok || !known || !known2 {
		return answer{}, notFound()
	}
	merge := c.mergeBase(r, from, to)
	if merge == "" {
		return answer{}, refusing(http.StatusNotFound, "No common ancestor between %s and %s.", kit.Clip(base), kit.Clip(head))
	}
	ahead, behind := c.only(r, to, from), c.only(r, from, to)
	slices.Reverse(ahead)
	was, _ := c.objectOf(r, merge, commitKind)
	is, _ := c.objectOf(r, to, commitKind)
	all := c.difference(r, was.tree(), is.tree())
	if c.media.param == "diff" || c.media.param == "patch" {
		slices.Reverse(ahead)
		return c.diffAnswer(r, all, ahead), nil
	}
	baseCommit, _ := c.objectOf(r, from, commitKind)
	name := escapePath(base + "..." + head)
	web := c.page(r) + "/compare/" + name
	const most = 250 // commits without paging; source: docs.github.com/rest/commits/commits#compare-two-commits
	p := page{number: 1, size: most, total: len(ahead)}
	if c.query("page") != "" || c.query("per_page") != "" {
		p = c.pageOf(len(ahead))
	}
	at, end := p.bounds()
	commits, files := []any{}, []any{}
	for _, o := range ahead[at:end] {
		commits = append(commits, c.showCommit(r, o))
	}
	if p.number == 1 {
		for _, f := range all[:min(len(all), mostDiffFiles)] {
			files = append(files, c.showFile(r, to)(f))
		}
	}
	return answer{links: c.links(p), value: map[string]any{
		"url": c.at(r) + "/compare/" + name, "html_url": web, "diff_url": web + ".diff", "patch_url": web + ".patch",
		"permalink_url": c.page(r) + "/compare/" + r.owner() + ":" + from[:7] + "..." + r.owner() + ":" + to[:7],
		"base_commit":   c.showCommit(r, baseCommit), "merge_base_commit": c.showCommit(r, was), "status": compared(len(ahead), len(behind)),
		"ahead_by": int64(len(ahead)), "behind_by": int64(len(behind)), "total_commits": int64(len(ahead)), "commits": commits, "files": files,
	}}, nil
}
