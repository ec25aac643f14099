package github

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func listRuns(c *call, r repo) (answer, *refusal) {
	return counted(c, "workflow_runs", c.runsOf(r, ""), func(record *world.Record) any { return c.showWorkflowRun(r, record) }), nil
}

func listRunsOf(c *call, r repo, w workflow) (answer, *refusal) {
	return counted(c, "workflow_runs", c.runsOf(r, w.path), func(record *world.Record) any { return c.showWorkflowRun(r, record) }), nil
}

// onRun answers a call about one run of a workflow.
func onRun(level string, act onRecord) handler { return onKept(workflowRuns, "run_id", level, act) }

// onJob answers a call about one job.
func onJob(level string, act onRecord) handler { return onKept(workflowJobs, "job_id", level, act) }

func getWorkflowRun(c *call, r repo, run *world.Record) (answer, *refusal) {
	return answer{value: c.showWorkflowRun(r, run)}, nil
}

func running(run *world.Record) bool { return kit.Text(run.Value(), "status") != "completed" }

func deleteRun(c *call, _ repo, run *world.Record) (answer, *refusal) {
	if running(run) {
		return answer{}, refusing(http.StatusForbidden, "Could not delete the workflow run")
	}
	for _, one := range c.jobsOf(run, 0) {
		c.remove(workflowJobs, one.ID)
	}
	c.remove(workflowRuns, run.ID)
	return answer{status: http.StatusNoContent}, nil
}

func cancelRun(c *call, r repo, run *world.Record) (answer, *refusal) {
	if !running(run) {
		return answer{}, refusing(http.StatusConflict, "Cannot cancel a workflow run that is completed.")
	}
	c.end(r, run, "cancelled")
	return answer{status: http.StatusAccepted, value: map[string]any{}}, nil
}

// rerun makes another attempt of a run: of all its jobs, or of those that again
// names. The others stay as they are.
func (c *call) rerun(r repo, run *world.Record, again func(*world.Record) bool) (answer, *refusal) {
	if running(run) {
		return answer{}, refusing(http.StatusForbidden, "This workflow is already running")
	}
	before := c.jobsOf(run, cast.Int(run.Value()["attempt"]))
	if !slices.ContainsFunc(before, again) {
		return answer{}, refusing(http.StatusForbidden, "This workflow run cannot be retried")
	}
	value := changed(run)
	value["attempt"], value["status"], value["conclusion"] = cast.Int(value["attempt"])+1, "queued", nil
	value["updated_at"], value["started_at"] = c.now(), c.now()
	next := c.update(workflowRuns, value)
	for _, one := range before {
		if again(one) {
			c.queueJob(r, next, job{kit.Text(one.Value(), "name"), cast.Texts(one.Value()["labels"]), cast.Texts(one.Value()["steps"])})
			continue
		}
		same := changed(one)
		same["id"], same["attempt"] = decimal(c.newID(checkRuns)), value["attempt"]
		c.create(workflowJobs, same)
	}
	c.tellRun(r, next, "requested")
	c.wait(next, runStartsTimer, runWaits)
	return answer{status: http.StatusCreated, value: map[string]any{}}, nil
}

func rerunAll(c *call, r repo, run *world.Record) (answer, *refusal) {
	return c.rerun(r, run, func(*world.Record) bool { return true })
}

func rerunFailed(c *call, r repo, run *world.Record) (answer, *refusal) {
	return c.rerun(r, run, func(one *world.Record) bool { return one.Value()["conclusion"] != "success" })
}

func rerunJob(c *call, r repo, one *world.Record) (answer, *refusal) {
	run, ok := c.get(workflowRuns, kit.Text(one.Value(), "run"))
	if !ok {
		return answer{}, notFound()
	}
	return c.rerun(r, run, func(other *world.Record) bool { return other.Value()["name"] == one.Value()["name"] })
}

func listJobs(c *call, r repo, run *world.Record) (answer, *refusal) {
	attempt := cast.Int(run.Value()["attempt"])
	if c.query("filter") == "all" {
		attempt = 0
	}
	return counted(c, "jobs", c.jobsOf(run, attempt), func(record *world.Record) any { return c.showJob(r, record) }), nil
}

func getJob(c *call, r repo, one *world.Record) (answer, *refusal) {
	return answer{value: c.showJob(r, one)}, nil
}

// linkTo leads to logs, which are there when what wrote them is through.
func (c *call) linkTo(done bool, run, file string) (answer, *refusal) {
	if !done {
		return answer{}, notFound()
	}
	return answer{status: http.StatusFound, kind: "text/html;charset=utf-8", location: c.Base + "/actions-results/" + run + "/" + file}, nil
}

func runLogs(c *call, _ repo, run *world.Record) (answer, *refusal) {
	return c.linkTo(!running(run), run.ID, "logs.zip")
}

func jobLogs(c *call, _ repo, one *world.Record) (answer, *refusal) {
	return c.linkTo(kit.Text(one.Value(), "status") == "completed", kit.Text(one.Value(), "run"), one.ID+".txt")
}

// getResults gives the logs that a link leads to: of one job as text, of a run as
// an archive.
func getResults(c *call) (answer, *refusal) {
	run, ok := c.get(workflowRuns, c.path("run_id"))
	if !ok {
		return answer{}, notFound()
	}
	r, ok := c.byKey(kit.Text(run.Value(), "repo"))
	if !ok || !c.sees(r) {
		return answer{}, notFound()
	}
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for i, one := range c.jobsOf(run, cast.Int(run.Value()["attempt"])) {
		text := c.logOf(r, one)
		if c.path("results") == one.ID+".txt" {
			return answer{raw: []byte(text), kind: "text/plain"}, nil
		}
		at, err := time.Parse(time.RFC3339, textOr(one.Value(), "completed_at", c.now()))
		must(err)
		file, err := archive.CreateHeader(&zip.FileHeader{Name: decimal(int64(i)) + "_" + strings.ReplaceAll(kit.Text(one.Value(), "name"), "/", "") + ".txt", Method: zip.Deflate, Modified: at})
		must(err)
		_, err = file.Write([]byte(text))
		must(err)
	}
	must(archive.Close())
	if c.path("results") != "logs.zip" {
		return answer{}, notFound()
	}
	return answer{raw: out.Bytes(), kind: "application/zip"}, nil
}

// dispatchWorkflow runs a workflow because somebody asks for it.
func dispatchWorkflow(c *call, r repo, w workflow) (answer, *refusal) {
	ref := strings.TrimPrefix(strings.TrimPrefix(c.text("ref"), heads), tags)
	sha, ok := c.resolve(r, ref)
	if !ok {
		return answer{}, unprocessable("No ref found for: %s", kit.Clip(c.text("ref")))
	}
	given := cast.Object(c.Input.Body["inputs"])
	wants, can := w.on["workflow_dispatch"]
	switch {
	case !can:
		return answer{}, unprocessable("Workflow does not have 'workflow_dispatch' trigger")
	case w.state() != "active":
		return answer{}, unprocessable("Cannot trigger a 'workflow_dispatch' on a disabled workflow")
	}
	inputs, refused := dispatchInputs(given, yamlObject(wants["inputs"]))
	if refused != nil {
		return answer{}, refused
	}
	run := c.run(r, w, "workflow_dispatch", ref, sha, w.name, inputs)
	if !c.flag("return_run_details") {
		return answer{status: http.StatusNoContent}, nil
	}
	shown := c.showWorkflowRun(r, run)
	return answer{value: map[string]any{"workflow_run_id": shown["id"], "run_url": shown["url"], "html_url": shown["html_url"]}}, nil
}

// dispatchInputs fills in what a workflow has for its inputs, and refuses what it
// has none for.
func dispatchInputs(given, wants map[string]any) (map[string]any, *refusal) {
	inputs := map[string]any{}
	for _, one := range sortedKeys(given) {
		if _, known := wants[one]; !known {
			return nil, unprocessable("Unexpected inputs provided: [\"%s\"]", kit.Clip(one))
		}
		inputs[one] = fmt.Sprint(given[one])
	}
	for _, one := range sortedKeys(wants) {
		told := yamlObject(wants[one])
		if _, sent := inputs[one]; sent {
			continue
		}
		if told["default"] != nil {
			inputs[one] = fmt.Sprint(told["default"])
		} else if told["required"] == true {
			return nil, unprocessable("Required input '%s' not provided", one)
		}
	}
	return inputs, nil
}

// dispatchEvent runs the workflows that wait for an event of that name.
func dispatchEvent(c *call, r repo) (answer, *refusal) {
	kind := c.text("event_type")
	for _, w := range c.workflows(r, c.tip(r)) {
		filter, waits := w.on["repository_dispatch"]
		kinds := texts(filter["types"])
		if waits && w.state() == "active" && (len(kinds) == 0 || slices.Contains(kinds, kind)) {
			c.run(r, w, "repository_dispatch", r.branch(), c.tip(r), kind, nil)
		}
	}
	c.notify(r, "repository_dispatch", map[string]any{"action": kind, "branch": r.branch(), "client_payload": c.Input.Body["client_payload"]})
	return answer{status: http.StatusNoContent}, nil
}
