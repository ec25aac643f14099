package github

import (
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Timers of workflow runs, whose subject is a run and its attempt.
const (
	runStartsTimer = "workflow-run-starts"
	runEndsTimer   = "workflow-run-ends"
)

// How long a run waits for a runner, and how long it takes where nothing is said.
const (
	runWaits = 5 * time.Second
	runTakes = 30 * time.Second
)

// actionsApp is in whose name GitHub Actions makes checks.
var actionsApp = map[string]any{"id": "15368", "slug": "github-actions", "name": "GitHub Actions", "owner": "github"}

// begins makes runs of the workflows that an event of a branch begins. A message
// can say that it is to begin none.
// Source: docs.github.com/actions/managing-workflow-runs/skipping-workflow-runs.
func (c *call) begins(r repo, event, branch, of, sha, title string) {
	o, ok := c.objectOf(r, sha, commitKind)
	if !ok {
		return
	}
	message := kit.Text(o.value, "message")
	for _, skip := range []string{"[skip ci]", "[ci skip]", "[no ci]", "[skip actions]", "[actions skip]"} {
		if strings.Contains(message, skip) {
			return
		}
	}
	if title == "" {
		title, _, _ = strings.Cut(message, "\n")
	}
	for _, w := range c.workflows(r, sha) {
		if w.begunBy(event, of) {
			c.run(r, w, event, branch, sha, title, nil)
		}
	}
}

// run queues a run of a workflow.
func (c *call) run(r repo, w workflow, event, branch, sha, title string, inputs map[string]any) *world.Record {
	suite := c.newID(checkSuites)
	c.create(checkSuites, map[string]any{
		"id": decimal(suite), "repo": r.key(), "head_sha": sha, "head_branch": branch, "app": actionsApp, "created_at": c.now(), "updated_at": c.now(),
	})
	value := map[string]any{
		"id": decimal(c.newID(workflowRuns)), "repo": r.key(), "path": w.path, "name": w.name, "event": event, "head_branch": branch, "head_sha": sha,
		"number": c.next("runs of "+w.path, r.key(), func() int64 { return 0 }), "attempt": int64(1), "status": "queued", "conclusion": nil, "suite": suite,
		"actor": c.loginOf(c.viewer), "title": title, "created_at": c.now(), "updated_at": c.now(), "started_at": c.now(),
	}
	if inputs != nil {
		value["inputs"] = inputs
	}
	record := c.create(workflowRuns, value)
	c.tellRun(r, record, "requested")
	for _, one := range w.jobs {
		c.queueJob(r, record, one)
	}
	c.wait(record, runStartsTimer, runWaits)
	return record
}

// attemptOf is what the timers of a run's attempt are about.
func attemptOf(run *world.Record) string {
	return run.ID + "@" + decimal(cast.Int(run.Value()["attempt"]))
}

func (c *call) wait(run *world.Record, timer string, takes time.Duration) {
	must(kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: timer, Subject: attemptOf(run), Due: c.Now.Add(takes)}))
}

// queueJob queues a job of a run; its number is that of its check.
func (c *call) queueJob(r repo, run *world.Record, one job) {
	id := decimal(c.newID(checkRuns))
	sha := kit.Text(run.Value(), "head_sha")
	check := c.create(checkRuns, map[string]any{
		"id": id, "repo": r.key(), "head_sha": sha, "name": one.name, "status": "queued", "conclusion": nil, "started_at": c.now(), "completed_at": nil,
		"suite": run.Value()["suite"], "app": actionsApp, "details_url": c.page(r) + "/actions/runs/" + run.ID + "/job/" + id,
	})
	record := c.create(workflowJobs, map[string]any{
		"id": id, "repo": r.key(), "run": run.ID, "attempt": run.Value()["attempt"], "name": one.name, "head_sha": sha, "status": "queued", "conclusion": nil,
		"labels": cast.Anys(one.labels), "steps": cast.Anys(one.steps), "created_at": c.now(), "started_at": c.now(), "completed_at": nil,
	})
	c.notify(r, "check_run", map[string]any{"action": "created", "check_run": c.showRun(r, check.Value())})
	c.tellJob(r, record, "queued")
}

// jobsOf lists the jobs of a run's attempt in the order in which they were made; 0
// is all of them.
func (c *call) jobsOf(run *world.Record, attempt int64) []*world.Record {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, workflowJobs, "run", run.ID) {
		if attempt == 0 || cast.Int(record.Value()["attempt"]) == attempt {
			all = append([]*world.Record{record}, all...)
		}
	}
	return all
}

// goOn lets a run go on whose time has come, unless somebody has ended it.
func (c *call) goOn(t fakes.Timer) {
	id, _, _ := strings.Cut(t.Subject, "@")
	run, ok := c.get(workflowRuns, id)
	if !ok || attemptOf(run) != t.Subject || kit.Text(run.Value(), "status") == "completed" {
		return
	}
	r, ok := c.byKey(kit.Text(run.Value(), "repo"))
	if !ok {
		return
	}
	kept := map[string]any{}
	if record, found := c.get(workflowsKept, workflowKey(r, kit.Text(run.Value(), "path"))); found {
		kept = record.Value()
	}
	if t.Kind == runEndsTimer {
		c.end(r, run, c.conclusionOf(r, run, kept))
		return
	}
	run = c.step(run, "in_progress", nil)
	c.tellRun(r, run, "in_progress")
	for _, one := range c.jobsOf(run, cast.Int(run.Value()["attempt"])) {
		if kit.Text(one.Value(), "status") == "queued" {
			c.moveJob(r, one, "in_progress", nil)
		}
	}
	takes, err := time.ParseDuration(kit.Text(kept, "takes"))
	if err != nil || takes < 0 {
		takes = runTakes
	}
	c.wait(run, runEndsTimer, takes)
}

// conclusionOf is how a run ends: as a fixture says, and where it fails only while
// a file says something, by that file.
func (c *call) conclusionOf(r repo, run *world.Record, kept map[string]any) string {
	while := cast.Object(kept["fails_while"])
	if while == nil {
		return textOr(kept, "conclusion", "success")
	}
	o, _ := c.objectOf(r, kit.Text(run.Value(), "head_sha"), commitKind)
	e, found := c.walk(r, o.tree(), kit.Text(while, "path"))
	blob, _ := c.objectOf(r, e.sha, blobKind)
	if found && strings.Contains(string(blob.content()), kit.Text(while, "says")) {
		return textOr(kept, "conclusion", "failure")
	}
	return "success"
}

// end ends a run, and what is left of its jobs.
func (c *call) end(r repo, run *world.Record, conclusion string) {
	for _, one := range c.jobsOf(run, cast.Int(run.Value()["attempt"])) {
		if kit.Text(one.Value(), "status") != "completed" {
			c.moveJob(r, one, "completed", conclusion)
		}
	}
	run = c.step(run, "completed", conclusion)
	if suite, ok := c.get(checkSuites, decimal(cast.Int(run.Value()["suite"]))); ok {
		c.notify(r, "check_suite", map[string]any{"action": "completed", "check_suite": c.showSuite(r, suite.Value())})
	}
	c.tellRun(r, run, "completed")
}

// step writes down how far a run is.
func (c *call) step(run *world.Record, status string, conclusion any) *world.Record {
	value := changed(run)
	value["status"], value["conclusion"], value["updated_at"] = status, conclusion, c.now()
	return c.update(workflowRuns, value)
}

// moveJob writes down how far a job is, and its check.
func (c *call) moveJob(r repo, record *world.Record, status string, conclusion any) {
	move := func(collection string, at *world.Record) *world.Record {
		value := changed(at)
		value["status"], value["conclusion"] = status, conclusion
		if status == "completed" {
			value["completed_at"] = c.now()
		} else {
			value["started_at"] = c.now()
		}
		return c.update(collection, value)
	}
	if check, ok := c.get(checkRuns, record.ID); ok {
		check = move(checkRuns, check)
		if status == "completed" {
			c.notify(r, "check_run", map[string]any{"action": "completed", "check_run": c.showRun(r, check.Value())})
		}
	}
	c.tellJob(r, move(workflowJobs, record), status)
}

func (c *call) tellRun(r repo, run *world.Record, action string) {
	c.notify(r, "workflow_run", map[string]any{"action": action, "workflow_run": c.showWorkflowRun(r, run), "workflow": c.showWorkflow(r, c.workflowOf(r, run))})
}

func (c *call) tellJob(r repo, record *world.Record, action string) {
	c.notify(r, "workflow_job", map[string]any{"action": action, "workflow_job": c.showJob(r, record), "deployment": nil})
}

// workflowOf is the workflow of a run, as it was at the run's commit.
func (c *call) workflowOf(r repo, run *world.Record) workflow {
	for _, w := range c.workflows(r, kit.Text(run.Value(), "head_sha")) {
		if w.path == kit.Text(run.Value(), "path") {
			return w
		}
	}
	return workflow{path: kit.Text(run.Value(), "path"), name: kit.Text(run.Value(), "name")}
}
