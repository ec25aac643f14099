package github

import (
	"net/http"
	"slices"

	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) showStatus(r repo, value map[string]any, whole bool) map[string]any {
	id := number(value, "id")
	creator := c.brief(textOr(value, "creator", viewerDefault))
	created := textOr(value, "created_at", c.now())
	shown := map[string]any{
		"url": c.at(r) + "/statuses/" + kit.Text(value, "sha"), "avatar_url": creator["avatar_url"], "id": id, "node_id": nodeID("SC", r.rid(), id),
		"state": value["state"], "description": value["description"], "target_url": value["target_url"], "context": textOr(value, "context", "default"),
		"created_at": created, "updated_at": textOr(value, "updated_at", created),
	}
	if whole {
		shown["creator"] = creator
	}
	return overlaid(shown, value)
}

func createStatus(c *call, r repo) (answer, *refusal) {
	sha := c.path("sha")
	if _, ok := c.objectOf(r, sha, commitKind); !ok {
		return answer{}, noCommit(sha)
	}
	state := c.text("state")
	if !slices.Contains([]string{"error", "failure", "pending", "success"}, state) {
		return answer{}, failed(wrong("Status", "state", codeInvalid))
	}
	if len([]rune(c.text("description"))) > 140 {
		return answer{}, failed(map[string]any{"resource": "Status", "code": codeCustom, "field": "description", "message": "description is too long (maximum is 140 characters)"})
	}
	record := c.create(statuses, map[string]any{
		"id": decimal(c.newID(statuses)), "repo": r.key(), "sha": sha, "state": state, "description": c.Input.Body["description"],
		"target_url": c.Input.Body["target_url"], "context": textOr(c.Input.Body, "context", "default"), "creator": c.loginOf(c.viewer),
		"created_at": c.now(), "updated_at": c.now(),
	})
	shown := c.showStatus(r, record.Value(), true)
	c.notify(r, "status", map[string]any{"id": shown["id"], "sha": sha, "name": r.full(), "state": state, "context": shown["context"], "description": shown["description"], "target_url": shown["target_url"]})
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

// statusesAt lists the statuses of a commit, newest first.
func (c *call) statusesAt(r repo, sha string) []*world.Record {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, statuses, "sha", sha) {
		if kit.Text(record.Value(), "repo") == r.key() {
			all = append(all, record)
		}
	}
	return all
}

func listRefStatuses(c *call, r repo, sha string) (answer, *refusal) {
	return listed(c, c.statusesAt(r, sha), func(record *world.Record) any { return c.showStatus(r, record.Value(), true) }), nil
}

// latest keeps the newest status of each context.
func latest(all []*world.Record) []*world.Record {
	var kept []*world.Record
	met := map[string]bool{}
	for _, record := range all {
		if context := textOr(record.Value(), "context", "default"); !met[context] {
			met[context] = true
			kept = append(kept, record)
		}
	}
	slices.Reverse(kept)
	return kept
}

// combined is the one state that all statuses and check runs of a commit come
// to; "" where there are none.
func (c *call) combined(r repo, sha string) string {
	state := ""
	for _, record := range latest(c.statusesAt(r, sha)) {
		state = worse(state, kit.Text(record.Value(), "state"))
	}
	for record := range c.fake.store.Find(c.Tx, checkRuns, "head_sha", sha) {
		if kit.Text(record.Value(), "repo") != r.key() {
			continue
		}
		switch ended := kit.Text(record.Value(), "conclusion"); ended {
		case "":
			state = worse(state, "pending")
		case "success", "neutral", "skipped":
			state = worse(state, "success")
		default:
			state = worse(state, "failure")
		}
	}
	return state
}

func worse(a, b string) string {
	order := []string{"", "success", "pending", "failure"}
	if b == "error" {
		b = "failure"
	}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}

func combinedStatus(c *call, r repo, sha string) (answer, *refusal) {
	all := latest(c.statusesAt(r, sha))
	state := ""
	for _, record := range all {
		state = worse(state, kit.Text(record.Value(), "state"))
	}
	if state == "" {
		state = "pending"
	}
	given := counted(c, "statuses", all, func(record *world.Record) any { return c.showStatus(r, record.Value(), false) })
	shown, _ := given.value.(map[string]any)
	shown["state"], shown["sha"], shown["repository"] = state, sha, c.repoMinimal(r)
	shown["commit_url"], shown["url"] = c.at(r)+"/commits/"+sha, c.at(r)+"/commits/"+sha+"/status"
	return given, nil
}
