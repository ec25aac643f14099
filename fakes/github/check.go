package github

import (
	"net/http"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// appName is the app in whose name checks are made.
const appName = "parity-checks"

var conclusions = []string{"action_required", "cancelled", "failure", "neutral", "success", "skipped", "stale", "timed_out"}

func (c *call) showApp(value map[string]any) map[string]any {
	id := number(value, "id")
	slug := textOr(value, "slug", appName)
	return overlaid(map[string]any{
		"id": id, "slug": slug, "node_id": nodeID("A", id), "owner": c.brief(textOr(value, "owner", viewerDefault)), "name": textOr(value, "name", slug),
		"description": "", "external_url": "https://example.com", "html_url": c.web + "/apps/" + slug,
		"created_at": textOr(value, "created_at", "2020-01-01T00:00:00Z"), "updated_at": textOr(value, "created_at", "2020-01-01T00:00:00Z"),
		"permissions": map[string]any{"checks": "write", "contents": "read", "metadata": "read", "pull_requests": "read", "statuses": "write"}, "events": []any{},
	}, value)
}

func (c *call) theApp() map[string]any {
	return c.showApp(map[string]any{"id": "15368", "slug": appName})
}

// appOf is the app in whose name a check or a suite was made.
func (c *call) appOf(value map[string]any) map[string]any {
	if kept := cast.Object(value["app"]); kept != nil && value["raw"] == nil {
		return c.showApp(kept)
	}
	return c.theApp()
}

// pullsAt shows the open pull requests whose head is a commit, in short.
func (c *call) pullsAt(r repo, sha string) []any {
	all := []any{}
	for record := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
		pull := cast.Object(record.Value()["pull"])
		if pull == nil || kit.Text(pull, "head.sha") != sha || issueState(record.Value()) != stateOpen {
			continue
		}
		side := func(name string) map[string]any {
			at := cast.Object(pull[name])
			from := r
			if other, ok := c.byKey(kit.Text(at, "repo")); ok {
				from = other
			}
			return map[string]any{"ref": at["ref"], "sha": at["sha"], "repo": map[string]any{"id": from.rid(), "url": c.at(from), "name": from.name()}}
		}
		n := cast.Int(record.Value()["number"])
		all = append(all, map[string]any{"url": c.at(r) + "/pulls/" + decimal(n), "id": cast.Int(pull["pid"]), "number": n, "head": side("head"), "base": side("base")})
	}
	return all
}

func (c *call) showRun(r repo, value map[string]any) map[string]any {
	id := number(value, "id")
	at := c.at(r) + "/check-runs/" + decimal(id)
	output := map[string]any{"title": nil, "summary": nil, "text": nil, "annotations_count": int64(0), "annotations_url": at + "/annotations"}
	for field, told := range cast.Object(value["output"]) {
		switch field {
		case "annotations":
			output["annotations_count"] = int64(len(listOf(told)))
		case "title", "summary", "text":
			output[field] = told
		}
	}
	sha := kit.Text(value, "head_sha")
	return overlaid(map[string]any{
		"id": id, "name": value["name"], "node_id": nodeID("CR", r.rid(), id), "head_sha": sha, "external_id": kit.Text(value, "external_id"), "url": at,
		"html_url": c.page(r) + "/runs/" + decimal(id), "details_url": textOr(value, "details_url", "https://example.com"),
		"status": textOr(value, "status", "queued"), "conclusion": value["conclusion"], "started_at": value["started_at"], "completed_at": value["completed_at"],
		"output": output, "check_suite": map[string]any{"id": cast.Int(value["suite"])}, "app": c.appOf(value), "pull_requests": c.pullsAt(r, sha),
	}, value)
}

// readRun lays what a request says over a check run.
func (c *call) readRun(value map[string]any) *refusal {
	for _, field := range []string{"name", "details_url", "external_id", "status", "started_at", "conclusion", "completed_at"} {
		if c.has(field) {
			value[field] = c.Input.Body[field]
		}
	}
	if c.has("output") {
		value["output"] = c.Input.Body["output"]
	}
	if c.has("conclusion") {
		if !slices.Contains(conclusions, c.text("conclusion")) {
			return schemaRefusal("For 'properties/conclusion', " + kit.Clip(c.text("conclusion")) + " is not a member of [action_required, cancelled, failure, neutral, success, skipped, stale, timed_out].")
		}
		value["status"] = "completed"
	}
	status := textOr(value, "status", "queued")
	if !slices.Contains([]string{"queued", "in_progress", "completed", "waiting", "requested", "pending"}, status) {
		return schemaRefusal("For 'properties/status', " + kit.Clip(status) + " is not a member of [queued, in_progress, completed].")
	}
	if status == "completed" && kit.Text(value, "conclusion") == "" {
		return schemaRefusal(`"conclusion" wasn't supplied.`)
	}
	if status != "completed" {
		value["conclusion"], value["completed_at"] = nil, nil
	} else if kit.Text(value, "completed_at") == "" {
		value["completed_at"] = c.now()
	}
	return nil
}

func createRun(c *call, r repo) (answer, *refusal) {
	sha := c.text("head_sha")
	if _, ok := c.objectOf(r, sha, commitKind); !ok {
		return answer{}, noCommit(sha)
	}
	value := map[string]any{
		"id": decimal(c.newID(checkRuns)), "repo": r.key(), "head_sha": sha, "status": "queued", "conclusion": nil, "started_at": c.now(), "completed_at": nil,
	}
	if refused := c.readRun(value); refused != nil {
		return answer{}, refused
	}
	value["suite"] = c.suiteFor(r, sha)
	shown := c.showRun(r, c.create(checkRuns, value).Value())
	c.notify(r, "check_run", map[string]any{"action": "created", "check_run": shown})
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

// suiteFor gives the suite of a commit's runs, and makes it when it is the
// first.
func (c *call) suiteFor(r repo, sha string) int64 {
	for record := range c.fake.store.Find(c.Tx, checkSuites, "head_sha", sha) {
		if kit.Text(record.Value(), "repo") == r.key() && cast.Object(record.Value()["raw"]) == nil && record.Value()["app"] == nil {
			return number(record.Value(), "id")
		}
	}
	id := c.newID(checkSuites)
	value := map[string]any{"id": decimal(id), "repo": r.key(), "head_sha": sha, "head_branch": nil, "created_at": c.now(), "updated_at": c.now()}
	for _, record := range c.references(r, heads) {
		if kit.Text(record.Value(), "sha") == sha {
			value["head_branch"] = kit.Text(record.Value(), "ref")[len(heads):]
		}
	}
	c.create(checkSuites, value)
	return id
}

func getRun(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showRun(r, record.Value())}, nil
}

func updateRun(c *call, r repo, record *world.Record) (answer, *refusal) {
	value := changed(record)
	if refused := c.readRun(value); refused != nil {
		return answer{}, refused
	}
	shown := c.showRun(r, c.update(checkRuns, value).Value())
	action := "created"
	if value["status"] == "completed" {
		action = "completed"
	}
	c.notify(r, "check_run", map[string]any{"action": action, "check_run": shown})
	return answer{value: shown}, nil
}

// runsAt lists the check runs of a commit, newest first; of one name the latest
// only, unless all are asked for.
func (c *call) runsAt(r repo, sha string) []*world.Record {
	var all []*world.Record
	met := map[string]bool{}
	for record := range c.fake.store.Find(c.Tx, checkRuns, "head_sha", sha) {
		named := kit.Text(record.Value(), "name")
		if kit.Text(record.Value(), "repo") != r.key() || met[named] && c.query("filter") != "all" {
			continue
		}
		met[named] = true
		if want := c.query("check_name"); want != "" && want != named {
			continue
		}
		if want := c.query("status"); want != "" && want != textOr(record.Value(), "status", "queued") {
			continue
		}
		all = append(all, record)
	}
	return all
}

// commitAt finds the commit that the parameter ref of a path names.
func (c *call) commitAt() (repo, string, *refusal) {
	r, refused := c.repository()
	if refused != nil {
		return repo{}, "", refused
	}
	sha, ok := c.resolve(r, c.path("ref"))
	if !ok {
		return repo{}, "", noCommit(c.path("ref"))
	}
	return r, sha, nil
}

func listRefCheckRuns(c *call, r repo, sha string) (answer, *refusal) {
	return counted(c, "check_runs", c.runsAt(r, sha), func(record *world.Record) any { return c.showRun(r, record.Value()) }), nil
}

// showSuite shows a suite: its state is that of its runs.
func (c *call) showSuite(r repo, value map[string]any) map[string]any {
	id, sha := number(value, "id"), kit.Text(value, "head_sha")
	var runs []*world.Record
	met := map[string]bool{}
	for record := range c.fake.store.Find(c.Tx, checkRuns, "head_sha", sha) {
		if one := kit.Text(record.Value(), "name"); cast.Int(record.Value()["suite"]) == id && !met[one] { // one that was run again counts once
			met[one] = true
			runs = append(runs, record)
		}
	}
	status, conclusion := textOr(value, "status", "queued"), value["conclusion"]
	if len(runs) > 0 {
		status, conclusion = "completed", "success"
		for _, run := range runs {
			if textOr(run.Value(), "status", "queued") != "completed" {
				status, conclusion = "in_progress", nil
				break
			}
			if ended := kit.Text(run.Value(), "conclusion"); ended == "failure" || ended == "timed_out" || ended == "cancelled" || ended == "action_required" {
				conclusion = ended
			}
		}
	}
	before := any(noCommits)
	shown := map[string]any{}
	if o, ok := c.objectOf(r, sha, commitKind); ok {
		if parents := o.parents(); len(parents) > 0 {
			before = parents[0]
		}
		shown = c.headCommit(r, o)
		delete(shown, "url")
		delete(shown, "distinct")
	}
	at := c.at(r) + "/check-suites/" + decimal(id)
	return overlaid(map[string]any{
		"id": id, "node_id": nodeID("CS", r.rid(), id), "head_branch": value["head_branch"], "head_sha": sha, "status": status, "conclusion": conclusion,
		"url": at, "before": before, "after": sha, "pull_requests": c.pullsAt(r, sha), "app": c.appOf(value), "repository": c.repoMinimal(r),
		"created_at": textOr(value, "created_at", c.now()), "updated_at": textOr(value, "updated_at", c.now()), "head_commit": shown,
		"latest_check_runs_count": int64(len(runs)), "check_runs_url": at + "/check-runs", "rerequestable": true, "runs_rerequestable": true,
	}, value)
}

func listRefCheckSuites(c *call, r repo, sha string) (answer, *refusal) {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, checkSuites, "head_sha", sha) {
		if kit.Text(record.Value(), "repo") == r.key() {
			all = append(all, record)
		}
	}
	return counted(c, "check_suites", all, func(record *world.Record) any { return c.showSuite(r, record.Value()) }), nil
}

func getSuite(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showSuite(r, record.Value())}, nil
}

func listSuiteRuns(c *call, r repo, suite *world.Record) (answer, *refusal) {
	var all []*world.Record
	for _, record := range c.runsAt(r, kit.Text(suite.Value(), "head_sha")) {
		if cast.Int(record.Value()["suite"]) == number(suite.Value(), "id") {
			all = append(all, record)
		}
	}
	return counted(c, "check_runs", all, func(record *world.Record) any { return c.showRun(r, record.Value()) }), nil
}
