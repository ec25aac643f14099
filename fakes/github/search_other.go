package github

import (
	"path"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// noteRepo tells the search index that a repository has changed.
func (c *call) noteRepo(r repo, before map[string]any) {
	c.fake.index.Note(c.Tx, "repository/"+r.key(), before, c.Now)
}

// noteCode tells the search index that the default branch of a repository has
// moved; before is the commit where it was.
func (c *call) noteCode(r repo, before string) {
	var was map[string]any
	if before != "" {
		was = map[string]any{"sha": before}
	}
	c.fake.index.Note(c.Tx, "code/"+r.key(), was, c.Now)
}

func searchRepositories(c *call, terms []term) (answer, *refusal) {
	var all []repo
	for record := range c.Tx.Newest(full(repositories), 0) {
		value := c.fake.index.See(c.Tx, "repository/"+record.ID, record.Value(), c.Now)
		r := repo{value}
		if value == nil || !c.sees(r) || !c.withinRepo(r, terms) || !c.repoFits(r, terms) {
			continue
		}
		all = append(all, r)
	}
	switch c.query("sort") {
	case "updated":
		sorted(all, c.query("order") != "asc", func(r repo) string { return kit.Text(r.value, "updated_at") })
	case "stars":
		sorted(all, c.query("order") != "asc", func(r repo) string {
			n := decimal(cast.Int(r.value["stargazers_count"]))
			return strings.Repeat("0", max(0, 12-len(n))) + n
		})
	}
	return results(c, all, c.repoShort)
}

func (c *call) repoFits(r repo, terms []term) bool {
	text := r.name() + "\n" + kit.Text(r.value, "description") + "\n" + strings.Join(cast.Texts(r.value["topics"]), " ")
	forks := false
	for _, t := range terms {
		if t.field == "fork" && (t.value == "true" || t.value == "only") {
			forks = true
		}
	}
	if r.value["fork"] == true && !forks || !saysAll(text, terms) {
		return false
	}
	for _, t := range terms {
		fits, known := true, true
		switch t.field {
		case "language":
			fits = strings.EqualFold(kit.Text(r.value, "language"), t.value)
		case "topic":
			fits = holds(cast.Texts(r.value["topics"]), t.value)
		case "archived":
			fits = r.archived() == (t.value == "true")
		case "is":
			fits, known = t.value == visibility(r), t.value == "public" || t.value == "private"
		case "stars":
			fits = numberIn(cast.Int(r.value["stargazers_count"]), t.value)
		case "created", "pushed", "updated":
			fits = inRange(kit.Text(r.value, t.field+"_at"), t.value)
		default:
			known = false
		}
		if known && fits == t.not {
			return false
		}
	}
	return true
}

// A hit is a file that a search for code found.
type hit struct {
	repo  repo
	entry entry
	sha   string // of the commit
}

func searchCode(c *call, terms []term) (answer, *refusal) {
	words := false
	for _, t := range terms {
		words = words || t.field == ""
	}
	if !words {
		return answer{}, failed(map[string]any{"message": "Search text is required when searching source code. Searches that use qualifiers only are not allowed. Were you searching for something else?", "resource": "Search", "field": "q", "code": codeInvalid})
	}
	var all []hit
	for record := range c.Tx.Newest(full(repositories), 0) {
		r := repo{record.Value()}
		if !c.sees(r) || !c.withinRepo(r, terms) || r.value["fork"] == true {
			continue
		}
		c.grow(r)
		seen := c.fake.index.See(c.Tx, "code/"+r.key(), map[string]any{"sha": c.tip(r)}, c.Now)
		sha := kit.Text(seen, "sha")
		o, ok := c.objectOf(r, sha, commitKind)
		if !ok {
			continue
		}
		for _, e := range c.files(r, o.tree()) {
			if c.codeFits(r, e, terms) {
				all = append(all, hit{r, e, sha})
			}
		}
	}
	return results(c, all, func(h hit) map[string]any {
		at := escapePath(h.entry.path)
		return map[string]any{
			"name": path.Base(h.entry.path), "path": h.entry.path, "sha": h.entry.sha, "url": c.Base + "/repositories/" + decimal(h.repo.rid()) + "/contents/" + at + "?ref=" + h.sha,
			"git_url":    c.Base + "/repositories/" + decimal(h.repo.rid()) + "/git/blobs/" + h.entry.sha,
			"html_url":   c.page(h.repo) + "/blob/" + h.sha + "/" + at,
			"repository": c.repoMinimal(h.repo),
		}
	})
}

// mostCode is the size beyond which files are not in the index.
// Source: docs.github.com/search-github/github-code-search/about-github-code-search#limitations.
const mostCode = 350 << 10 // bytes

func (c *call) codeFits(r repo, e entry, terms []term) bool {
	o, ok := c.objectOf(r, e.sha, blobKind)
	if !ok || cast.Int(o.value["size"]) > mostCode || kit.Text(o.value, "base64") != "" {
		return false
	}
	text := string(o.content()) + "\n" + e.path
	for _, t := range terms {
		fits, known := true, true
		switch t.field {
		case "in":
			if t.value == "path" {
				text = e.path
			} else if t.value == "file" {
				text = string(o.content())
			}
			known = false
		case "path":
			fits = strings.Contains(e.path, strings.Trim(t.value, "/"))
		case "filename":
			fits = strings.Contains(strings.ToLower(path.Base(e.path)), strings.ToLower(t.value))
		case "extension":
			fits = strings.EqualFold(strings.TrimPrefix(path.Ext(e.path), "."), strings.TrimPrefix(t.value, "."))
		case "language":
			fits = strings.EqualFold(languages[path.Ext(e.path)], t.value)
		case "size":
			fits = numberIn(cast.Int(o.value["size"]), t.value)
		default:
			known = false
		}
		if known && fits == t.not {
			return false
		}
	}
	return saysAll(text, terms)
}

func searchUsers(c *call, terms []term) (answer, *refusal) {
	var all []string
	for record := range c.Tx.Newest(full(users), 0) {
		value := record.Value()
		kind := map[string]string{kindUser: "user", kindOrg: "org"}[kindOf(value)]
		fits := saysAll(c.loginOf(record.ID)+"\n"+kit.Text(value, "name")+"\n"+kit.Text(value, "email"), terms)
		for _, t := range terms {
			if t.field == "type" && (strings.EqualFold(t.value, kind) == t.not) || t.field == "user" && !strings.EqualFold(t.value, record.ID) {
				fits = false
			}
		}
		if fits {
			all = append(all, record.ID)
		}
	}
	return results(c, all, c.brief)
}
