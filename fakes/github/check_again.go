package github

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func createSuite(c *call, r repo) (answer, *refusal) {
	sha := c.text("head_sha")
	if _, ok := c.objectOf(r, sha, commitKind); !ok {
		return answer{}, noCommit(sha)
	}
	status := http.StatusCreated
	for record := range c.fake.store.Find(c.Tx, checkSuites, "head_sha", sha) {
		if kit.Text(record.Value(), "repo") == r.key() && record.Value()["app"] == nil {
			status = http.StatusOK
		}
	}
	record, _ := c.get(checkSuites, decimal(c.suiteFor(r, sha)))
	shown := c.showSuite(r, record.Value())
	return answer{status: status, value: shown, location: kit.Text(shown, "url")}, nil
}

// setPreferences says for which apps suites are made by themselves. It is answered,
// and changes nothing: suites are made where a check is.
func setPreferences(c *call, r repo) (answer, *refusal) {
	asked := listOf(c.Input.Body["auto_trigger_checks"])
	return answer{value: map[string]any{"preferences": map[string]any{"auto_trigger_checks": asked}, "repository": c.repoMinimal(r)}}, nil
}

// rerequestSuite asks who made a suite to check again: GitHub Actions runs, other
// apps are told.
func rerequestSuite(c *call, r repo, suite *world.Record) (answer, *refusal) {
	for run := range c.fake.store.Find(c.Tx, workflowRuns, "head_sha", kit.Text(suite.Value(), "head_sha")) {
		if decimal(cast.Int(run.Value()["suite"])) == suite.ID {
			return rerunAll(c, r, run)
		}
	}
	c.notify(r, "check_suite", map[string]any{"action": "rerequested", "check_suite": c.showSuite(r, suite.Value())})
	return answer{status: http.StatusCreated, value: map[string]any{}}, nil
}

func rerequestRun(c *call, r repo, run *world.Record) (answer, *refusal) {
	if one, ok := c.get(workflowJobs, run.ID); ok {
		return rerunJob(c, r, one)
	}
	c.notify(r, "check_run", map[string]any{"action": "rerequested", "check_run": c.showRun(r, run.Value())})
	return answer{status: http.StatusCreated, value: map[string]any{}}, nil
}

func listAnnotations(c *call, _ repo, run *world.Record) (answer, *refusal) {
	return listed(c, listOf(cast.Object(run.Value()["output"])["annotations"]), func(one any) any {
		shown := map[string]any{"blob_href": "", "start_column": nil, "end_column": nil, "title": nil, "raw_details": nil}
		for field, told := range cast.Object(one) {
			shown[field] = told
		}
		return shown
	}), nil
}
