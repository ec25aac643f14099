package github

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) milestoneTitle(r repo, n int64) string {
	record, ok := c.get(milestones, issueKey(r.key(), n))
	if !ok {
		return ""
	}
	return kit.Text(record.Value(), "title")
}

// milestoneIn reads the milestone that a request gives an issue; nil for none.
func (c *call) milestoneIn(r repo, given any) (any, *refusal) {
	n := int64(-1)
	switch x := given.(type) {
	case nil:
		return nil, nil
	case int64:
		n = x
	case string:
		if x == "" {
			return nil, nil
		}
		for record := range c.fake.store.Find(c.Tx, milestones, "repo", r.key()) {
			if decimal(cast.Int(record.Value()["number"])) == x || kit.Text(record.Value(), "title") == x {
				n = cast.Int(record.Value()["number"])
			}
		}
	}
	if _, ok := c.get(milestones, issueKey(r.key(), n)); !ok {
		return nil, failed(wrongValue("Issue", "milestone", codeInvalid, given))
	}
	return n, nil
}

func (c *call) showMilestone(r repo, record *world.Record) map[string]any {
	value := record.Value()
	n := cast.Int(value["number"])
	at, mid := c.at(r)+"/milestones/"+decimal(n), number(value, "mid")
	var open, closed int64
	for issue := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
		if of, ok := issue.Value()["milestone"].(int64); ok && of == n {
			if issueState(issue.Value()) == stateOpen {
				open++
			} else {
				closed++
			}
		}
	}
	created := textOr(value, "created_at", c.now())
	return overlaid(map[string]any{
		"url": at, "html_url": c.page(r) + "/milestone/" + decimal(n), "labels_url": at + "/labels", "id": mid, "node_id": nodeID("MI", r.rid(), mid),
		"number": n, "title": value["title"], "description": value["description"], "creator": c.user(kit.Text(value, "creator")),
		"open_issues": open, "closed_issues": closed, "state": issueState(value), "created_at": created,
		"updated_at": textOr(value, "updated_at", created), "due_on": value["due_on"], "closed_at": value["closed_at"],
	}, value)
}

func listMilestones(c *call, r repo) (answer, *refusal) {
	state := textOr(c.Input.Query, "state", stateOpen)
	var all []*world.Record
	for _, record := range c.byRepo(milestones, r) {
		if state == "all" || issueState(record.Value()) == state {
			all = append(all, record)
		}
	}
	sorted(all, c.query("direction") == "desc", func(r *world.Record) string {
		if due := kit.Text(r.Value(), "due_on"); due != "" {
			return due
		}
		return "9999"
	})
	return listed(c, all, func(record *world.Record) any { return c.showMilestone(r, record) }), nil
}

// readMilestone lays what a request says over a milestone.
func (c *call) readMilestone(r repo, value map[string]any) *refusal {
	for _, field := range []string{"title", "description"} {
		if c.has(field) {
			value[field] = c.Input.Body[field]
		}
	}
	text := kit.Text(value, "title")
	if strings.TrimSpace(text) == "" {
		return failed(wrong("Milestone", "title", codeField))
	}
	for record := range c.fake.store.Find(c.Tx, milestones, "repo", r.key()) {
		if record.ID != kit.Text(value, "id") && kit.Text(record.Value(), "title") == text {
			return failed(wrong("Milestone", "title", codeExists))
		}
	}
	if due, given := c.Input.Body["due_on"]; given {
		value["due_on"] = nil
		if text, _ := due.(string); text != "" {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				if at, err = time.Parse(time.DateOnly, text); err != nil {
					return failed(wrongValue("Milestone", "due_on", codeInvalid, text))
				}
			}
			// GitHub keeps the day, and shows it at 07:00 or 08:00: midnight in California.
			value["due_on"] = stamp(time.Date(at.UTC().Year(), at.UTC().Month(), at.UTC().Day(), 8, 0, 0, 0, time.UTC))
		}
	}
	if c.has("state") {
		state := c.text("state")
		if !slices.Contains([]string{stateOpen, stateClosed}, state) {
			return failed(wrongValue("Milestone", "state", codeInvalid, state))
		}
		if value["closed_at"] = nil; state == stateClosed {
			value["closed_at"] = c.now()
		}
		value["state"] = state
	}
	return nil
}

func createMilestone(c *call, r repo) (answer, *refusal) {
	value := map[string]any{
		"repo": r.key(), "creator": c.loginOf(c.viewer), "state": stateOpen, "description": nil, "due_on": nil, "closed_at": nil,
		"created_at": c.now(), "updated_at": c.now(),
	}
	if refused := c.readMilestone(r, value); refused != nil {
		return answer{}, refused
	}
	n := c.nextMilestone(r)
	value["id"], value["number"], value["mid"] = issueKey(r.key(), n), n, c.newID(milestones)%1_000_000_000
	shown := c.showMilestone(r, c.create(milestones, value))
	c.notify(r, "milestone", map[string]any{"action": "created", "milestone": shown})
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

// nextMilestone is the number of a repository's next milestone.
func (c *call) nextMilestone(r repo) int64 {
	return c.next("milestones", r.key(), func() int64 {
		var most int64
		for record := range c.fake.store.Find(c.Tx, milestones, "repo", r.key()) {
			most = max(most, cast.Int(record.Value()["number"]))
		}
		return most
	})
}

func (c *call) milestoneAt(r repo) (*world.Record, *refusal) {
	record, ok := c.get(milestones, issueKey(r.key(), c.pathNumber("milestone_number")))
	if !ok {
		return nil, notFound()
	}
	return record, nil
}

func getMilestone(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showMilestone(r, record)}, nil
}

func updateMilestone(c *call, r repo, record *world.Record) (answer, *refusal) {
	value := changed(record)
	if refused := c.readMilestone(r, value); refused != nil {
		return answer{}, refused
	}
	value["updated_at"] = c.now()
	shown := c.showMilestone(r, c.update(milestones, value))
	c.notify(r, "milestone", map[string]any{"action": "edited", "milestone": shown})
	return answer{value: shown}, nil
}

func deleteMilestone(c *call, r repo, record *world.Record) (answer, *refusal) {
	n := cast.Int(record.Value()["number"])
	for _, issue := range c.byRepo(issues, r) {
		if of, ok := issue.Value()["milestone"].(int64); ok && of == n {
			value := changed(issue)
			value["milestone"] = nil
			c.update(issues, value)
		}
	}
	c.remove(milestones, record.ID)
	return answer{status: http.StatusNoContent}, nil
}

func listMilestoneLabels(c *call, r repo, record *world.Record) (answer, *refusal) {
	var names []string
	for _, issue := range c.byRepo(issues, r) {
		if of, ok := issue.Value()["milestone"].(int64); ok && of == cast.Int(record.Value()["number"]) {
			names = append(names, cast.Texts(issue.Value()["labels"])...)
		}
	}
	return listed(c, unique(names), func(one string) any { return c.showLabel(r, one) }), nil
}
