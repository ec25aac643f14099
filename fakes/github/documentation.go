package github

import (
	"net/http"
	"strings"
	"time"
)

// movedDocs is when GitHub's documentation went from developer.github.com to
// docs.github.com. A run whose clock stands before it gets the addresses of its
// time.
var movedDocs = time.Date(2020, 9, 1, 0, 0, 0, 0, time.UTC)

// securedDocs is about when they began to be https.
var securedDocs = time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)

// documented is where GitHub documents the operation of a call, as it says in
// an error of a status.
func (c *call) documented(status int) string {
	switch {
	case c.Now.Before(securedDocs) && status == http.StatusNotFound:
		return "http://developer.github.com/v3"
	case c.Now.Before(securedDocs):
		return "http://developer.github.com/v3" + oldPage(c.id)
	case c.Now.Before(movedDocs):
		return "https://developer.github.com/v3" + oldPage(c.id)
	}
	if at := c.fake.docs[c.id]; at != "" {
		return at
	}
	return docsRoot
}

// rootDocs is where the documentation begins.
func (c *call) rootDocs() string {
	switch {
	case c.Now.Before(securedDocs):
		return "http://developer.github.com/v3"
	case c.Now.Before(movedDocs):
		return "https://developer.github.com/v3"
	}
	return docsRoot
}

// oldPages are the pages of the older documentation, by what an operation's
// name has in it; the first that fits counts.
var oldPages = [][2]string{
	{"issues/|label", "/issues/labels/"},
	{"issues/|milestone", "/issues/milestones/"},
	{"issues/|comment", "/issues/comments/"},
	{"issues/|event", "/issues/events/"},
	{"issues/|assign", "/issues/assignees/"},
	{"issues/|", "/issues/"},
	{"pulls/|review-comment", "/pulls/comments/"},
	{"pulls/|reviewers", "/pulls/review_requests/"},
	{"pulls/|review", "/pulls/reviews/"},
	{"pulls/|", "/pulls/"},
	{"git/|ref", "/git/refs/"},
	{"git/|blob", "/git/blobs/"},
	{"git/|tree", "/git/trees/"},
	{"git/|commit", "/git/commits/"},
	{"git/|tag", "/git/tags/"},
	{"repos/|collaborator", "/repos/collaborators/"},
	{"repos/|invitation", "/repos/invitations/"},
	{"repos/|webhook", "/repos/hooks/"},
	{"repos/|release", "/repos/releases/"},
	{"repos/|status", "/repos/statuses/"},
	{"repos/|stats", "/repos/statistics/"},
	{"repos/|branch", "/repos/branches/"},
	{"repos/|content", "/repos/contents/"},
	{"repos/|file", "/repos/contents/"},
	{"repos/|readme", "/repos/contents/"},
	{"repos/|archive", "/repos/contents/"},
	{"repos/|fork", "/repos/forks/"},
	{"repos/|commit", "/repos/commits/"},
	{"repos/|merge", "/repos/merging/"},
	{"repos/|", "/repos/"},
	{"orgs/|member", "/orgs/members/"},
	{"orgs/|", "/orgs/"},
	{"checks/|suite", "/checks/suites/"},
	{"checks/|", "/checks/runs/"},
	{"projects/|card", "/projects/cards/"},
	{"projects/|column", "/projects/columns/"},
	{"projects/|", "/projects/"},
	{"activity/|", "/activity/notifications/"},
	{"search/|", "/search/"},
	{"users/|", "/users/"},
	{"apps/|", "/apps/"},
	{"reactions/|", "/reactions/"},
	{"rate-limit/|", "/rate_limit/"},
}

func oldPage(id string) string {
	for _, page := range oldPages {
		category, word, _ := strings.Cut(page[0], "|")
		if strings.HasPrefix(id, category) && strings.Contains(id, word) {
			return page[1]
		}
	}
	return ""
}
