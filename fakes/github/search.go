package github

import (
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mostFound is how many results a search gives at most, over all pages.
// Source: docs.github.com/rest/search/search#about-search.
const mostFound = 1000

// mostQuery is how long a query may be. Source: as above.
const mostQuery = 256

// searchTerms reads the query of a search, or refuses it.
func (c *call) searchTerms() ([]term, *refusal) {
	q := c.query("q")
	if strings.TrimSpace(q) == "" {
		return nil, failed(wrong("Search", "q", codeMissing))
	}
	if len([]rune(q)) > mostQuery {
		return nil, failed(map[string]any{"resource": "Search", "field": "q", "code": codeInvalid, "message": "The search is longer than 256 characters."})
	}
	if n, err := strconv.Atoi(c.query("page")); err == nil && n > 1 {
		if p := c.pageOf(0); (p.number-1)*p.size >= mostFound {
			r := unprocessable("Only the first 1000 search results are available")
			return nil, r
		}
	}
	terms := parseQuery(q)
	for _, t := range terms {
		if t.field == "repo" || t.field == "user" || t.field == "org" {
			if refused := c.searchable(t); refused != nil {
				return nil, refused
			}
		}
	}
	return terms, nil
}

// searchable refuses a search of what is not there for the caller.
func (c *call) searchable(t term) *refusal {
	found := false
	if t.field == "repo" {
		owner, name, _ := strings.Cut(t.value, "/")
		r, ok := c.lookup(owner, name)
		found = ok && c.sees(r)
	} else {
		_, found = c.account(t.value)
		for range c.fake.store.Find(c.Tx, repositories, "owner", c.loginOf(t.value)) {
			found = true
			break
		}
	}
	if found || t.not {
		return nil
	}
	return failed(map[string]any{
		"message":  "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.",
		"resource": "Search", "field": "q", "code": codeInvalid,
	})
}

// results answers with what a search found.
func results[T any](c *call, all []T, show func(T) map[string]any) (answer, *refusal) {
	total := len(all)
	given := counted(c, "items", all[:min(total, mostFound)], func(one T) any {
		shown := show(one)
		shown["score"] = int64(1)
		return shown
	})
	body, _ := given.value.(map[string]any)
	body["total_count"], body["incomplete_results"] = int64(total), false
	return given, nil
}

// withinRepo tells whether a repository is among those that a query names.
func (c *call) withinRepo(r repo, terms []term) bool {
	named, hit := false, false
	for _, t := range terms {
		match := false
		switch t.field {
		case "repo":
			match = strings.EqualFold(t.value, r.full())
		case "user", "org":
			match = strings.EqualFold(t.value, r.owner())
		default:
			continue
		}
		if t.not {
			if match {
				return false
			}
			continue
		}
		named, hit = true, hit || match
	}
	return !named || hit
}

// A found is a record as the index shows it.
type found struct {
	repo  repo
	value map[string]any
}

func searchIssues(c *call, terms []term) (answer, *refusal) {
	var all []found
	within := map[string]*repo{} // by key; nil: out of the question
	for record := range c.narrowed(terms) {
		value, behind := c.fake.index.Shown(c.Tx, record.ID, c.Now)
		if !behind {
			if !mayHit(record, terms) {
				continue
			}
			value = record.Value()
		}
		if value == nil {
			continue
		}
		key := kit.Text(value, "repo")
		r, met := within[key]
		if !met {
			if found, ok := c.byKey(key); ok && c.sees(found) && c.withinRepo(found, terms) {
				r = &found
			}
			within[key] = r
		}
		if r != nil && c.issueFits(value, terms) {
			all = append(all, found{*r, value})
		}
	}
	by := map[string]string{"created": "created_at", "updated": "updated_at", "comments": "comments"}[c.query("sort")]
	if by != "" {
		sorted(all, c.query("order") != "asc", func(f found) string {
			if by == "comments" {
				n := decimal(c.commentCount(f.repo, f.value))
				return strings.Repeat("0", max(0, 12-len(n))) + n
			}
			return textOr(f.value, by, kit.Text(f.value, "created_at"))
		})
	}
	given, refused := results(c, all, func(f found) map[string]any { return c.showIssue(f.repo, f.value) })
	if body, ok := given.value.(map[string]any); ok {
		body["search_type"] = "lexical"
	}
	return given, refused
}

// mayHit tells whether an issue may have the words of a query; those that are
// to be in its comments are not looked for.
func mayHit(issue *world.Record, terms []term) bool {
	if slices.ContainsFunc(terms, func(t term) bool { return t.field == "in" }) {
		return true
	}
	return !slices.ContainsFunc(terms, func(t term) bool {
		return t.field == "" && !t.not && !issue.Says(strings.ToLower(t.value))
	})
}

// narrowed walks the issues of the one repository that a query names, or all,
// newest first.
func (c *call) narrowed(terms []term) func(func(*world.Record) bool) {
	only := ""
	for _, t := range terms {
		if t.field == "repo" && !t.not {
			if only != "" {
				return c.Tx.Newest(full(issues), 0)
			}
			owner, name, _ := strings.Cut(t.value, "/")
			r, _ := c.lookup(owner, name)
			only = r.key()
		}
	}
	if only == "" {
		return c.Tx.Newest(full(issues), 0)
	}
	return c.fake.store.Find(c.Tx, issues, "repo", only)
}

// issueFits holds an issue against a query.
func (c *call) issueFits(value map[string]any, terms []term) bool {
	title, body := kit.Text(value, "title"), kit.Text(value, "body")
	text := title + "\n" + body
	for _, t := range terms {
		if t.field != "in" || t.not {
			continue
		}
		text = ""
		for place := range strings.SplitSeq(t.value, ",") {
			switch place {
			case "title":
				text += title + "\n"
			case "body":
				text += body + "\n"
			case "comments":
				r, _ := c.byKey(kit.Text(value, "repo"))
				for _, one := range c.commentsOn(r, cast.Int(value["number"])) {
					text += kit.Text(one.Value(), "body") + "\n"
				}
			}
		}
	}
	if !saysAll(text, terms) {
		return false
	}
	for _, t := range terms {
		if fits, known := c.qualifies(value, t); known && fits == t.not {
			return false
		}
	}
	return true
}

// qualifies holds an issue against one qualifier; known is false for those that
// are not played, which narrow nothing.
func (c *call) qualifies(value map[string]any, t term) (fits, known bool) {
	pull := cast.Object(value["pull"])
	switch t.field {
	case "is", "state", "type":
		return isKind(value, pull, strings.ToLower(t.value))
	case "author":
		return strings.EqualFold(kit.Text(value, "user"), c.me(t.value)), true
	case "assignee":
		return holds(cast.Texts(value["assignees"]), c.me(t.value)), true
	case "mentions":
		return holds(mentions(kit.Text(value, "body")), c.me(t.value)), true
	case "label":
		for one := range strings.SplitSeq(t.value, ",") {
			if holds(cast.Texts(value["labels"]), strings.Trim(one, `"`)) {
				return true, true
			}
		}
		return false, true
	case "no":
		empty := map[string]bool{"label": len(cast.Texts(value["labels"])) == 0, "assignee": len(cast.Texts(value["assignees"])) == 0, "milestone": value["milestone"] == nil}
		fits, known := empty[t.value]
		return fits, known
	case "milestone":
		n, _ := value["milestone"].(int64)
		r, _ := c.byKey(kit.Text(value, "repo"))
		return n != 0 && strings.EqualFold(c.milestoneTitle(r, n), t.value), true
	case "created", "updated", "closed":
		return inRange(kit.Text(value, t.field+"_at"), t.value), true
	case "merged":
		return inRange(kit.Text(pull, "merged_at"), t.value), true
	case "comments":
		r, _ := c.byKey(kit.Text(value, "repo"))
		return numberIn(c.commentCount(r, value), t.value), true
	case "head", "base":
		return pull != nil && strings.EqualFold(kit.Text(cast.Object(pull[t.field]), "ref"), t.value), true
	case "draft":
		return pull != nil && (pull["draft"] == true) == (t.value == "true"), true
	case "reason":
		return strings.EqualFold(strings.ReplaceAll(kit.Text(value, "state_reason"), "_", " "), strings.ReplaceAll(t.value, "_", " ")), true
	}
	return false, false
}

func (c *call) me(login string) string {
	if login == "@me" {
		return c.loginOf(c.viewer)
	}
	return login
}

func isKind(value, pull map[string]any, want string) (fits, known bool) {
	switch want {
	case "issue":
		return pull == nil, true
	case "pr", "pull-request":
		return pull != nil, true
	case stateOpen, stateClosed:
		return issueState(value) == want, true
	case "merged":
		return pull != nil && pull["merged_at"] != nil, true
	case "unmerged":
		return pull != nil && pull["merged_at"] == nil, true
	case "draft":
		return pull != nil && pull["draft"] == true, true
	case "locked", "unlocked":
		return (value["locked"] == true) == (want == "locked"), true
	}
	return false, false
}
