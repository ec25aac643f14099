package github

import (
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) showWorkflowRun(r repo, record *world.Record) map[string]any {
	value := record.Value()
	id, sha, suite := number(value, "id"), kit.Text(value, "head_sha"), cast.Int(value["suite"])
	at, attempt := c.at(r)+"/actions/runs/"+decimal(id), cast.Int(value["attempt"])
	w := workflow{path: kit.Text(value, "path")}.number(r)
	actor := c.brief(textOr(value, "actor", viewerDefault))
	var previous any
	if attempt > 1 {
		previous = at + "/attempts/" + decimal(attempt-1)
	}
	pulls := c.pullsAt(r, sha)
	if c.query("exclude_pull_requests") == "true" {
		pulls = []any{}
	}
	var head any
	if o, ok := c.objectOf(r, sha, commitKind); ok {
		shown := c.headCommit(r, o)
		delete(shown, "url")
		delete(shown, "distinct")
		head = shown
	}
	return overlaid(map[string]any{
		"id": id, "name": value["name"], "node_id": nodeID("WFR", r.rid(), id), "check_suite_id": suite, "check_suite_node_id": nodeID("CS", r.rid(), suite),
		"head_branch": value["head_branch"], "head_sha": sha, "path": value["path"], "display_title": kit.Text(value, "title"),
		"run_number": cast.Int(value["number"]), "run_attempt": attempt, "event": kit.Text(value, "event"),
		"status": value["status"], "conclusion": value["conclusion"], "workflow_id": w, "url": at, "html_url": c.page(r) + "/actions/runs/" + decimal(id),
		"pull_requests": pulls, "created_at": value["created_at"], "updated_at": value["updated_at"], "run_started_at": value["started_at"],
		"actor": actor, "triggering_actor": actor, "referenced_workflows": []any{}, "previous_attempt_url": previous,
		"jobs_url": at + "/jobs", "logs_url": at + "/logs", "artifacts_url": at + "/artifacts", "cancel_url": at + "/cancel", "rerun_url": at + "/rerun",
		"check_suite_url": c.at(r) + "/check-suites/" + decimal(suite), "workflow_url": c.at(r) + "/actions/workflows/" + decimal(w),
		"head_commit": head, "repository": c.repoMinimal(r), "head_repository": c.repoMinimal(r),
	}, value)
}

func (c *call) showJob(r repo, record *world.Record) map[string]any {
	value := record.Value()
	id := number(value, "id")
	run, _ := c.get(workflowRuns, kit.Text(value, "run"))
	branch, title := any(nil), any(nil)
	if run != nil {
		branch, title = run.Value()["head_branch"], run.Value()["name"]
	}
	runAt := c.at(r) + "/actions/runs/" + kit.Text(value, "run")
	shown := map[string]any{
		"id": id, "run_id": number(map[string]any{"id": value["run"]}, "id"), "run_url": runAt, "run_attempt": cast.Int(value["attempt"]), "node_id": nodeID("CR", r.rid(), id),
		"head_sha": value["head_sha"], "head_branch": branch, "workflow_name": title, "url": c.at(r) + "/actions/jobs/" + decimal(id),
		"html_url": c.page(r) + "/actions/runs/" + kit.Text(value, "run") + "/job/" + decimal(id), "status": value["status"], "conclusion": value["conclusion"],
		"created_at": value["created_at"], "started_at": value["started_at"], "completed_at": value["completed_at"], "name": value["name"], "steps": c.steps(value),
		"check_run_url": c.at(r) + "/check-runs/" + decimal(id), "labels": listOf(value["labels"]),
		"runner_id": nil, "runner_name": nil, "runner_group_id": nil, "runner_group_name": nil,
	}
	if value["status"] != "queued" {
		shown["runner_id"], shown["runner_name"], shown["runner_group_id"], shown["runner_group_name"] = int64(1), "GitHub Actions 1", int64(0), "GitHub Actions"
	}
	return overlaid(shown, value)
}

// steps shows the steps of a job. Of one that has failed it is the last of its own
// that did.
func (c *call) steps(value map[string]any) []any {
	status := kit.Text(value, "status")
	if status == "queued" {
		return []any{}
	}
	own := cast.Texts(value["steps"])
	names := append(append([]string{"Set up job"}, own...), "Complete job")
	all := make([]any, 0, len(names))
	for i, one := range names {
		step := map[string]any{"name": one, "status": status, "conclusion": nil, "number": int64(i + 1), "started_at": value["started_at"], "completed_at": nil}
		if status == "completed" {
			step["conclusion"], step["completed_at"] = "success", value["completed_at"]
			if i == len(own) && len(own) > 0 {
				step["conclusion"] = value["conclusion"]
			}
		}
		all = append(all, step)
	}
	return all
}

// logOf is what a job has written: what a fixture says of its workflow, or a line
// for each step.
func (c *call) logOf(r repo, record *world.Record) string {
	value := record.Value()
	run, _ := c.get(workflowRuns, kit.Text(value, "run"))
	var lines []string
	for _, step := range cast.Texts(value["steps"]) {
		lines = append(lines, "##[group]"+step, "##[endgroup]")
	}
	if run != nil {
		if record, ok := c.get(workflowsKept, workflowKey(r, kit.Text(run.Value(), "path"))); ok && kit.Text(record.Value(), "log") != "" && value["conclusion"] != "success" {
			lines = append(lines, strings.Split(strings.TrimSuffix(kit.Text(record.Value(), "log"), "\n"), "\n")...)
		}
	}
	switch value["conclusion"] {
	case "failure":
		lines = append(lines, "##[error]Process completed with exit code 1.")
	case "cancelled":
		lines = append(lines, "##[error]The operation was canceled.")
	}
	stamp := strings.TrimSuffix(kit.Text(value, "completed_at"), "Z") + ".0000000Z "
	return stamp + strings.Join(lines, "\n"+stamp) + "\n"
}
