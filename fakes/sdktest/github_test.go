package sdktest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func githubProgram(t *testing.T, work []string) (args, env []string) {
	t.Helper()
	if _, err := os.Stat("node_modules/@octokit/rest"); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	return append([]string{"node", "node/github.mjs"}, work...), nil
}

func githubGo(_ *testing.T, work []string) (args, env []string) {
	return []string{os.Args[0]}, []string{"SDKTEST_WORK=github " + work[0]}
}

// githubWays are the ways in of both clients.
func githubWays(only string) []way {
	var all []way
	for sdk, p := range map[string]program{"node": githubProgram, "go": githubGo} {
		if only != "" && sdk != only {
			continue
		}
		run := "connect"
		if sdk == "node" {
			run = "sni"
		}
		all = append(all, way{sdk: sdk, name: "run", through: run, begin: underRun(p)},
			way{sdk: sdk, name: "base", through: "base", begin: func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
				g := serve(t, flags...)
				args, env := p(t, work)
				return start(t, append(env, "GITHUB_BASE="+g.base+"/github"), args...), g
			}})
	}
	return all
}

func eachGitHub(t *testing.T, only, work, faults string, judge func(t *testing.T, w way, found map[string]any, r told)) {
	t.Helper()
	for _, w := range githubWays(only) {
		t.Run(w.sdk+"/"+w.name, func(t *testing.T) {
			t.Parallel()
			profile := filepath.Join(t.TempDir(), "github.yaml")
			if err := os.WriteFile(profile, []byte("profile: github-sdk\nworld: empty\nservices: {github: {}}\n"+faults), 0o600); err != nil {
				t.Fatal(err)
			}
			c, g := w.begin(t, []string{work}, []string{"--profile", profile})
			found := printedAnyway(t, c)
			g.stop()
			for _, through := range g.through(t) {
				if through != w.through {
					t.Errorf("a call came in by %s, not by %s", through, w.through)
				}
			}
			judge(t, w, found, g.report(t))
		})
	}
}

func TestGitHubGit(t *testing.T) {
	t.Parallel()
	eachGitHub(t, "node", "git", "", func(t *testing.T, _ way, found map[string]any, _ told) {
		same(t, found, `{
			"login": "octocat", "made": ["octocat/web", "main", true], "listed": true, "got": true, "read": "one\n", "raw": "one\n",
			"tree": ["README.md", "b.txt", "docs", "docs/a b.md"], "compared": ["ahead", 1, ["b.txt"]], "commits": ["By hand", "Begin", "Initial commit"],
			"branches": ["main", "side"], "branch": true, "removed": null, "fork": [202, "elsewhere/web"], "stats": [202, 200, 3]
		}`)
	})
}

func TestGitHubWork(t *testing.T) {
	t.Parallel()
	eachGitHub(t, "node", "work", "", func(t *testing.T, _ way, found map[string]any, _ told) {
		same(t, found, `{
			"issue": [1, ["P1"], ["Really?"], 1], "listed": [[2, true], [1, false]], "pull": [2, null, ["Fix it"]], "files": ["fix.txt"],
			"review": "COMMENTED", "reviews": 1, "asked": 422, "updated": 202, "status": "success", "checks": 0, "before": null, "open": [true, "clean"],
			"diff": true, "merged": true, "closed": "closed", "found": [1, "closed"], "code": 1, "repos": 1, "limit": 5000
		}`)
	})
}

func TestGitHubPages(t *testing.T) {
	t.Parallel()
	eachGitHub(t, "", "page", "", func(t *testing.T, _ way, found map[string]any, r told) {
		same(t, found, `{"by_10": {"seen": 21, "newest_first": true}, "by_7": {"seen": 21, "newest_first": true}}`)
		first, _ := r.exchanges("github GET /repos/{owner}/{repo}/issues")
		next, _ := r.exchanges("github GET /repositories/{repository_id}/issues")
		if first+next != 3+3 {
			t.Errorf("21 issues came in %d pages; want 3 of 10 and 3 of 7", first+next)
		}
	})
}

func TestGitHubErrors(t *testing.T) {
	t.Parallel()
	eachGitHub(t, "", "fail", "", func(t *testing.T, w way, found map[string]any, _ told) {
		if w.sdk == "go" {
			same(t, found, `{
				"empty": ["ErrorResponse", 409, "Git Repository is empty."], "absent": ["ErrorResponse", 404, "Not Found"],
				"stale": ["ErrorResponse", 409], "untitled": ["ErrorResponse", 422, "Validation Failed", "missing_field"], "unknown": ["ErrorResponse", 401, "Bad credentials"]
			}`)
			return
		}
		stale, _ := found["stale"].(map[string]any)
		if text, _ := stale["message"].(string); stale["status"] != 409.0 || len(text) < 40 {
			t.Errorf("a stale sha is %v", stale)
		}
		delete(found, "stale")
		same(t, found, `{
			"empty": {"class": "RequestError", "status": 409, "message": "Git Repository is empty.", "errors": 0}, "graph": "GraphqlResponseError",
			"shaless": {"class": "RequestError", "status": 422, "message": "Invalid request.\n\n\"sha\" wasn't supplied.", "errors": 0},
			"untitled": {"class": "RequestError", "status": 422, "message": "Validation Failed", "errors": 1},
			"absent": {"class": "RequestError", "status": 404, "message": "Not Found", "errors": 0},
			"twice": {"class": "RequestError", "status": 422, "message": "Repository creation failed.", "errors": 1},
			"unknown": {"class": "RequestError", "status": 401, "message": "Bad credentials", "errors": 0},
			"nobody": {"class": "RequestError", "status": 401, "message": "Requires authentication", "errors": 0}, "public": 200
		}`)
	})
}

// GitHub has no idempotency keys: a client that tries again after a lost reply
// opens the issue twice.
func TestGitHubLosesAReply(t *testing.T) {
	t.Parallel()
	const faults = `faults:
  plain: {call: "github POST /repos/{owner}/{repo}/issues", when: request.body.title == "plain", inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1, tries: 1}}
  retried: {call: "github POST /repos/{owner}/{repo}/issues", when: request.body.title == "retried", inject: ambiguous-success, with: {reply: "502"}, trigger: {nth: 1, tries: 1}}
`
	eachGitHub(t, "", "lose", faults, func(t *testing.T, w way, found map[string]any, _ told) {
		if w.sdk == "go" {
			same(t, found, `{"plain": ["error", 1], "retried": ["ErrorResponse 502", 1]}`) // go-github leaves it to its caller
			return
		}
		same(t, found, `{"plain": [500, 1], "retried": ["none", 2]}`)
	})
}

func TestGitHubLimits(t *testing.T) {
	t.Parallel()
	const faults = `faults:
  full: {call: github GET /user, inject: rate-limit, with: {retry_after: 1s}, trigger: {every: 1, max: 2}}
`
	eachGitHub(t, "", "limit", faults, func(t *testing.T, w way, found map[string]any, _ told) {
		if w.sdk == "go" {
			same(t, found, `{"plain": ["AbuseRateLimitError", 1], "login": "octocat"}`)
			return
		}
		same(t, found, `{"plain": [403, true], "login": "octocat", "seen": [["secondary", 1]]}`)
	})
}

func TestGitHubActions(t *testing.T) {
	t.Parallel()
	eachGitHub(t, "node", "actions", "clock: {mode: stepped, step: 20s}\n", func(t *testing.T, _ way, found map[string]any, _ told) {
		same(t, found, `{
			"seen": "completed", "conclusion": "success", "jobs": [["test", 3]], "log": true, "zip": true, "gist": "# A", "markdown": "<p><em>a</em></p>\n"
		}`)
	})
}

func TestGitHubTrouble(t *testing.T) {
	t.Parallel()
	const faults = `faults:
  server: {call: "github GET /repos/{owner}/{repo}", inject: error, with: {status: 500}}
  conflict: {call: "github GET /repos/{owner}/{repo}/branches", inject: error, with: {status: 409}}
`
	eachGitHub(t, "node", "trouble", faults, func(t *testing.T, _ way, found map[string]any, r told) {
		same(t, found, `{
			"server": {"class": "RequestError", "status": 500, "message": "Server Error", "errors": 0},
			"conflict": {"class": "RequestError", "status": 409, "message": "Conflict", "errors": 0}
		}`)
		if called, _ := r.exchanges("github GET /repos/{owner}/{repo}"); called != 1 {
			t.Errorf("the SDK called %d times", called)
		}
	})
}
