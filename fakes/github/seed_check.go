package github

import (
	"maps"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// checkTimer fires when a check of a fixture is through.
const checkTimer = "check"

// check begins a check of a seed's commit. It takes as long as the seed says, by
// the run's clock, from when the repository is first reached; without that it is
// in progress for as long as nobody ends it. How it will end is kept with it and
// not shown.
func (c *call) check(r repo, sha string, seed map[string]any) {
	value := map[string]any{
		"id": decimal(c.newID(checkRuns)), "repo": r.key(), "head_sha": sha, "name": textOr(seed, "name", "build"), "status": "in_progress", "conclusion": nil,
		"started_at": c.now(), "completed_at": nil, "suite": c.suiteFor(r, sha), "ends": textOr(seed, "conclusion", "success"),
	}
	if output := cast.Object(seed["output"]); output != nil {
		value["output"] = output
	}
	record := c.create(checkRuns, value)
	if takes, err := time.ParseDuration(kit.Text(seed, "takes")); err == nil {
		must(kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: checkTimer, Subject: record.ID, Due: c.Now.Add(takes)}))
	}
}

// endCheck ends a check that nobody has ended meanwhile.
func (c *call) endCheck(id string) {
	record, ok := c.get(checkRuns, id)
	if !ok || kit.Text(record.Value(), "status") == "completed" {
		return
	}
	r, ok := c.byKey(kit.Text(record.Value(), "repo"))
	if !ok {
		return
	}
	value := maps.Clone(record.Value())
	value["status"], value["conclusion"], value["completed_at"] = "completed", value["ends"], c.now()
	delete(value, "ends")
	shown := c.showRun(r, c.update(checkRuns, value).Value())
	c.notify(r, "check_run", map[string]any{"action": "completed", "check_run": shown})
}
