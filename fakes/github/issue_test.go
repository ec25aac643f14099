package github_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func issue(r *faketest.Rig, body map[string]any) faketest.Got {
	r.T.Helper()
	return r.Must(201, r.JSON("POST", "/repos/octocat/web/issues", body))
}

func TestIssueStates(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	issue(r, map[string]any{"title": "One", "labels": []any{"bug", "Neu"}, "assignees": []any{"octocat"}})
	const at = "/repos/octocat/web/issues/1"
	faketest.Want(t, r.Must(200, r.JSON("GET", at, nil)), map[string]any{
		"labels.0.color": "d73a4a", "labels.1.name": "Neu", "labels.1.color": "ededed", "assignee.login": "octocat", "author_association": "OWNER", "closed_by": nil,
	})
	faketest.Want(t, r.Must(200, r.JSON("PATCH", at, map[string]any{"state": "closed", "state_reason": "not_planned"})),
		map[string]any{"state": "closed", "state_reason": "not_planned", "closed_by.login": "octocat"})
	faketest.Want(t, r.Must(200, r.JSON("PATCH", at, map[string]any{"state": "open"})), map[string]any{"state_reason": "reopened", "closed_at": nil, "closed_by": nil})
	events := r.Must(200, r.JSON("GET", at+"/events", nil))
	var names []string
	for i := range 5 {
		names = append(names, events.Text(fmt.Sprintf("%d.event", i)))
	}
	if got := strings.Join(names, " "); got != "assigned labeled labeled closed reopened" {
		t.Errorf("events are %s", got)
	}
}

func TestIssuesAreRefused(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	issue(r, map[string]any{"title": "One"})
	for name, test := range map[string]struct {
		method, path string
		body         any
		status       int
		want         map[string]any
	}{
		"no title":      {"POST", "/issues", map[string]any{}, 422, map[string]any{"message": "Invalid request.\n\n\"title\" wasn't supplied."}},
		"empty title":   {"POST", "/issues", map[string]any{"title": " "}, 422, map[string]any{"message": "Validation Failed", "errors.0.code": "missing_field", "errors.0.field": "title"}},
		"labels text":   {"POST", "/issues", map[string]any{"title": "x", "labels": "bug"}, 422, map[string]any{"message": "Invalid request.\n\nFor 'properties/labels', \"bug\" is not an array."}},
		"assignee":      {"POST", "/issues", map[string]any{"title": "x", "assignees": []any{"nobody"}}, 422, map[string]any{"errors.0.field": "assignees", "errors.0.value": "nobody"}},
		"milestone":     {"POST", "/issues", map[string]any{"title": "x", "milestone": 9}, 422, map[string]any{"errors.0.field": "milestone"}},
		"state":         {"PATCH", "/issues/1", map[string]any{"state": "done"}, 422, map[string]any{"errors.0.field": "state", "errors.0.value": "done"}},
		"absent":        {"PATCH", "/issues/99", map[string]any{"state": "open"}, 404, map[string]any{"message": "Not Found"}},
		"no number":     {"GET", "/issues/first", nil, 404, map[string]any{"message": "Not Found"}},
		"label twice":   {"POST", "/labels", map[string]any{"name": "BUG", "color": "ffffff"}, 422, map[string]any{"errors.0.code": "already_exists"}},
		"label color":   {"POST", "/labels", map[string]any{"name": "x", "color": "red"}, 422, map[string]any{"errors.0.field": "color"}},
		"not its label": {"DELETE", "/issues/1/labels/bug", nil, 404, map[string]any{"message": "Label does not exist"}},
		"check's time":  {"POST", "/check-runs", map[string]any{"name": "x", "head_sha": strings.Repeat("a", 40), "started_at": "soon"}, 422, map[string]any{"message": "Invalid request.\n\nFor 'properties/started_at', soon is not right: is not a valid date-time."}},
		"empty comment": {"POST", "/issues/1/comments", map[string]any{"body": ""}, 422, map[string]any{"errors.0.message": "Body cannot be blank"}},
	} {
		g := unjudged(r, test.method, "/repos/octocat/web"+test.path, test.body)
		if g.Status != test.status {
			t.Errorf("%s: %d %s", name, g.Status, g.Raw)
		}
		faketest.Want(t, g, test.want)
	}
	g := r.Send("POST", "/repos/octocat/web/issues", "{", "Content-Type", "application/json")
	faketest.Want(t, r.Must(400, g), map[string]any{"message": "Problems parsing JSON"})
	faketest.Want(t, r.Must(400, r.Send("POST", "/repos/octocat/web/issues", "[]")), map[string]any{"message": "Body should be a JSON object"})
	r.Must(201, r.Send("POST", "/repos/octocat/web/issues", `{"title": "as curl -d sends it"}`, "Content-Type", "application/x-www-form-urlencoded"))
	faketest.Want(t, r.Must(404, r.JSON("GET", "/nowhere", nil)), map[string]any{"message": "Not Found", "documentation_url": "https://docs.github.com/rest"})
	r.Must(404, r.JSON("GET", "/repos/octocat/web/", nil)) // a slash at the end leads nowhere
}

func TestPagesByLink(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	for i := range 7 {
		issue(r, map[string]any{"title": fmt.Sprint("Issue ", i)})
		r.Wait(time.Second)
	}
	seen, target := []string{}, "/repos/octocat/web/issues?per_page=3"
	for target != "" {
		g := r.Must(200, r.JSON("GET", target, nil))
		seen = append(seen, g.IDs("")...)
		target = ""
		for one := range strings.SplitSeq(g.Header.Get("Link"), ", ") {
			at, rel, _ := strings.Cut(one, "; ")
			if rel == `rel="next"` {
				if !strings.HasPrefix(at, "<"+r.Base+"/repositories/") {
					t.Errorf("the next page is at %s", at)
				}
				target = strings.TrimPrefix(strings.Trim(at, "<>"), r.Base)
			}
		}
	}
	if len(seen) != 7 {
		t.Errorf("%d issues on all pages", len(seen))
	}
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/issues?direction=asc&per_page=1000", nil)), map[string]any{"0.number": 1, "6.number": 7})
	if g := r.Must(200, r.JSON("GET", "/repos/octocat/web/issues?page=9", nil)); g.Raw != "[]" {
		t.Errorf("a page beyond the last is %s", g.Raw)
	}
	r.Must(200, r.JSON("GET", "/repos/octocat/web/issues?page=x&per_page=y", nil))
}

func TestFilters(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	milestone := r.Must(201, r.JSON("POST", "/repos/octocat/web/milestones", map[string]any{"title": "M", "due_on": "2026-05-01T00:00:00Z"})).At("number")
	issue(r, map[string]any{"title": "A", "labels": []any{"bug", "urgent"}})
	issue(r, map[string]any{"title": "B", "labels": []any{"bug"}, "milestone": milestone, "assignees": []any{"octocat"}})
	r.Must(200, r.JSON("PATCH", "/repos/octocat/web/issues/1", map[string]any{"state": "closed"}))
	for query, want := range map[string]string{
		"": "B", "state=closed": "A", "state=all": "B A", "state=all&labels=bug,urgent": "A", "milestone=1": "B", "milestone=none&state=all": "A",
		"assignee=octocat": "B", "assignee=none&state=all": "A", "creator=octocat": "B", "labels=absent": "",
	} {
		g := r.Must(200, r.JSON("GET", "/repos/octocat/web/issues?"+query, nil))
		var titles []string
		for i := 0; g.Text(fmt.Sprintf("%d.title", i)) != ""; i++ {
			titles = append(titles, g.Text(fmt.Sprintf("%d.title", i)))
		}
		if got := strings.Join(titles, " "); got != want {
			t.Errorf("%s gives %q, want %q", query, got, want)
		}
	}
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/milestones/1", nil)), map[string]any{"open_issues": 1, "closed_issues": 0})
	r.Must(204, r.JSON("DELETE", "/repos/octocat/web/milestones/1", nil))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/issues/2", nil)), map[string]any{"milestone": nil})
}

func TestSearchLags(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	issue(r, map[string]any{"title": "The doors stay shut", "body": "open sesame"})
	search := func(q string) faketest.Got {
		return r.Must(200, unjudged(r, "GET", "/search/issues?q="+strings.ReplaceAll(q, " ", "%20"), nil))
	}
	faketest.Want(t, search("sesame"), map[string]any{"total_count": 0, "incomplete_results": false})
	r.Wait(time.Minute)
	faketest.Want(t, search("sesame repo:octocat/web is:issue is:open"), map[string]any{"total_count": 1, "items.0.title": "The doors stay shut", "items.0.score": 1})
	r.Must(200, r.JSON("PATCH", "/repos/octocat/web/issues/1", map[string]any{"state": "closed"}))
	faketest.Want(t, search("sesame is:open"), map[string]any{"total_count": 1, "items.0.state": "open"}) // as the index still has it
	r.Wait(time.Minute)
	for q, n := range map[string]int{
		"sesame is:open": 0, "sesame is:closed": 1, "\"open sesame\"": 1, "sesame NOT doors": 0, "sesame -label:bug": 1, "is:pr": 0, "author:@me": 1,
		"sesame in:title": 0, "created:>2020-01-01": 1, "no:assignee": 1,
	} {
		if g := search(q); g.At("total_count") != float64(n) {
			t.Errorf("%s finds %v, want %d", q, g.At("total_count"), n)
		}
	}
	faketest.Want(t, r.Must(422, unjudged(r, "GET", "/search/issues", nil)), map[string]any{"errors.0.code": "missing"})
	r.Must(422, unjudged(r, "GET", "/search/issues?q=repo:octocat/absent", nil))
	faketest.Want(t, r.Must(422, unjudged(r, "GET", "/search/issues?q=x&per_page=100&page=11", nil)), map[string]any{"message": "Only the first 1000 search results are available"})
	put(r, "main.go", "main", "package main // sesame\n", "")
	r.Wait(time.Minute)
	faketest.Want(t, r.Must(200, unjudged(r, "GET", "/search/code?q=sesame+language:go", nil)), map[string]any{"total_count": 1, "items.0.path": "main.go"})
	faketest.Want(t, r.Must(200, unjudged(r, "GET", "/search/repositories?q=web", nil)), map[string]any{"total_count": 1, "items.0.full_name": "octocat/web"})
}
