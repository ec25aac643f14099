package github_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
	"parity/fakes/github"
	"parity/specs"
	"parity/specs/sample"
	"parity/specs/schema"
)

// TestEveryOperationAnswers sends to each operation what fits its contract, and
// what does not, in a repository that has one of most things: no request may
// make the fake panic, and each reply has to hold against the contract.
func TestEveryOperationAnswers(t *testing.T) {
	t.Parallel()
	service, err := github.New()
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	_, head := opened(r)
	issue(r, map[string]any{"title": "One"})
	ids := map[string]string{
		"owner": "octocat", "repo": "web", "org": "acme", "username": "octocat", "ref": "heads/side", "branch": "side", "path": "side.txt", "basehead": "main...side",
		"issue_number": "2", "pull_number": "1", "sha": head, "commit_sha": head, "file_sha": head, "tree_sha": "main", "tag": "v1", "name": "bug", "assignee": "octocat",
		"milestone_number": "1", "secret_name": "TOKEN", "app_slug": "parity-checks", "installation_id": "1", "thread_id": "1", "tag_sha": head,
	}
	ids["repository_id"] = r.Must(200, r.JSON("GET", "/repos/octocat/web", nil)).Text("id")
	r.Must(201, r.JSON("POST", "/orgs/acme/repos", map[string]any{"name": "of-acme"}))
	for _, made := range []struct {
		path, id string
		body     map[string]any
	}{
		{"/issues/2/comments", "comment_id", map[string]any{"body": "x"}},
		{"/releases", "release_id", map[string]any{"tag_name": "v1"}},
		{"/hooks", "hook_id", map[string]any{"config": map[string]any{"url": "https://x.example"}}},
		{"/keys", "key_id", map[string]any{"key": "ssh-rsa AAAA"}},
		{"/check-runs", "check_run_id", map[string]any{"name": "x", "head_sha": head}},
		{"/projects", "project_id", map[string]any{"name": "x"}},
		{"/deployments", "deployment_id", map[string]any{"ref": "side", "required_contexts": []any{}}},
		{"/milestones", "", map[string]any{"title": "x"}},
		{"/pulls/1/reviews", "review_id", map[string]any{}},
		{"/issues/2/reactions", "reaction_id", map[string]any{"content": "heart"}},
	} {
		g := r.JSON("POST", "/repos/octocat/web"+made.path, made.body)
		if g.Status/100 != 2 {
			t.Fatalf("%s: %d %s", made.path, g.Status, g.Raw)
		}
		ids[made.id] = g.Text("id")
	}
	start := r.World
	parameter := regexp.MustCompile(`\{\+?(\w+)\}`)
	for _, op := range service.Contract.Operations {
		path := parameter.ReplaceAllStringFunc(op.Path, func(p string) string {
			name := strings.Trim(p, "{+}")
			if ids[name] == "" {
				return "1"
			}
			return ids[name]
		})
		if op.Method == "GET" && strings.HasPrefix(path, "/search/") {
			path += "?q=x"
		}
		for i, body := range bodies(op, map[string]any{
			"sha": head, "head_sha": head, "commit_id": head, "object": head, "type": "commit", "head": "side", "base": "main", "ref": "side", "branch": "main",
			"target_commitish": "main", "path": "side.txt", "line": 1, "color": "ffffff", "state": "success", "content": "eA==", "permission": "push", "event": "COMMENT",
			"key": "ssh-rsa BBBB", "tag_name": "v9", "assignees": []any{"octocat"}, "parents": []any{head}, "position": "top", "org": "acme",
		}) {
			r.World = start
			r.Now = r.Now.Add(time.Hour) // within all limits
			sweep(t, r, op, path, body, i)
		}
	}
}

func sweep(t *testing.T, r *faketest.Rig, op *specs.Operation, path, body string, i int) {
	t.Helper()
	defer func() {
		if broken := recover(); broken != nil {
			t.Errorf("%s, body %d %.200s: %v", op.ID, i, body, broken)
		}
	}()
	if g := r.Send(op.Method, path, body); g.Status >= 500 {
		t.Errorf("%s, body %d %.200s: %d %s", op.ID, i, body, g.Status, g.Raw)
	}
}

// bodies are those that an operation takes, spoilt ones, and others.
// Some hold what is there in place of what was made up.
func bodies(op *specs.Operation, there map[string]any) []string {
	all := []string{""}
	taken, _ := op.Source().Body()
	if taken == nil {
		return all
	}
	all = append(all, "{}", "[]", "null", `"x"`, "{", "\xff", `{"title": {"a": [1]}, "labels": [null, 1, {}], "name": [], "body": 1e400}`, `["bug", 7]`, "17")
	for n := range 12 {
		maker := &sample.Maker{Side: sample.Request, Draw: func(key string, limit int) int {
			h := fnv.New32a()
			fmt.Fprint(h, n, key)
			return int(h.Sum32()>>1) % max(limit, 1)
		}}
		value, ok := maker.Value(taken.Content[0].Schema, op.ID)
		if !ok {
			continue
		}
		for _, one := range []any{value, spoilt(maker, taken.Content[0].Schema, value), eased(value, there)} {
			if text, err := json.Marshal(one); err == nil {
				all = append(all, string(text))
			}
		}
	}
	return all
}

func eased(value any, there map[string]any) any {
	m, ok := value.(map[string]any)
	if !ok {
		return value
	}
	m = maps.Clone(m)
	for name := range m {
		if known, ok := there[name]; ok {
			m[name] = known
		}
	}
	return m
}

func spoilt(maker *sample.Maker, of *schema.Schema, value any) any {
	broken, ok := maker.Spoil(of, value)
	if !ok {
		return value
	}
	return broken.Value
}
