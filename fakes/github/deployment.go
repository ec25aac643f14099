package github

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) showKey(r repo, value map[string]any) map[string]any {
	id := number(value, "id")
	return map[string]any{
		"id": id, "key": value["key"], "url": c.at(r) + "/keys/" + decimal(id), "title": kit.Text(value, "title"), "verified": true,
		"created_at": textOr(value, "created_at", c.now()), "read_only": value["read_only"] == true, "added_by": value["added_by"], "last_used": nil, "enabled": true,
	}
}

func listKeys(c *call, r repo) (answer, *refusal) {
	return listed(c, c.byRepo(deployKeys, r), func(record *world.Record) any { return c.showKey(r, record.Value()) }), nil
}

func createKey(c *call, r repo) (answer, *refusal) {
	key := strings.TrimSpace(c.text("key"))
	if refused := c.keyRefusal(key); refused != nil {
		return answer{}, refused
	}
	record := c.create(deployKeys, map[string]any{
		"id": decimal(c.newID(deployKeys)), "repo": r.key(), "key": key, "title": c.text("title"), "read_only": c.flag("read_only"),
		"added_by": c.loginOf(c.viewer), "created_at": c.now(),
	})
	shown := c.showKey(r, record.Value())
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func getKey(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showKey(r, record.Value())}, nil
}

func deleteKey(c *call, _ repo, record *world.Record) (answer, *refusal) {
	c.remove(deployKeys, record.ID)
	return answer{status: http.StatusNoContent}, nil
}

func (c *call) showDeployment(r repo, value map[string]any) map[string]any {
	id := number(value, "id")
	at := c.at(r) + "/deployments/" + decimal(id)
	created := textOr(value, "created_at", c.now())
	payload := value["payload"]
	if payload == nil {
		payload = map[string]any{}
	}
	environment := textOr(value, "environment", "production")
	return overlaid(map[string]any{
		"url": at, "id": id, "node_id": nodeID("DE", r.rid(), id), "task": textOr(value, "task", "deploy"), "original_environment": environment,
		"environment": environment, "description": value["description"], "created_at": created, "updated_at": textOr(value, "updated_at", created),
		"statuses_url": at + "/statuses", "repository_url": c.at(r), "creator": c.user(textOr(value, "creator", r.owner())), "sha": value["sha"], "ref": value["ref"],
		"payload": payload, "transient_environment": value["transient"] == true, "production_environment": value["production"] == true, "performed_via_github_app": nil,
	}, value)
}

func listDeployments(c *call, r repo) (answer, *refusal) {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, deployments, "repo", r.key()) {
		fits := true
		for _, field := range []string{"sha", "ref", "task", "environment"} {
			want := c.query(field)
			fits = fits && (want == "" || want == "none" || want == kit.Text(record.Value(), field))
		}
		if fits {
			all = append(all, record)
		}
	}
	return listed(c, all, func(record *world.Record) any { return c.showDeployment(r, record.Value()) }), nil
}

func createDeployment(c *call, r repo) (answer, *refusal) {
	sha, ok := c.resolve(r, c.text("ref"))
	if !ok {
		return answer{}, unprocessable("No ref found for: %s", kit.Clip(c.text("ref")))
	}
	if list, given := c.Input.Body["required_contexts"].([]any); !given || len(list) > 0 {
		if state := c.combined(r, sha); state == "failure" || state == "pending" {
			return answer{}, refusing(http.StatusConflict, "Conflict: Commit status checks failed for %s.", c.text("ref"))
		}
	}
	environment := textOr(c.Input.Body, "environment", "production")
	production := environment == "production"
	if c.has("production_environment") {
		production = c.flag("production_environment")
	}
	value := map[string]any{
		"id": decimal(c.newID(deployments)), "repo": r.key(), "sha": sha, "ref": c.text("ref"), "task": textOr(c.Input.Body, "task", "deploy"),
		"environment": environment, "description": nil, "payload": c.Input.Body["payload"], "creator": c.loginOf(c.viewer),
		"transient": c.flag("transient_environment"), "production": production, "created_at": c.now(), "updated_at": c.now(),
	}
	if c.has("description") {
		value["description"] = c.Input.Body["description"]
	}
	shown := c.showDeployment(r, c.create(deployments, value).Value())
	c.notify(r, "deployment", map[string]any{"action": "created", "deployment": shown})
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func getDeployment(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showDeployment(r, record.Value())}, nil
}

func deleteDeployment(c *call, _ repo, record *world.Record) (answer, *refusal) {
	all := slices.Collect(c.fake.store.Find(c.Tx, deploymentStatuses, "deployment", record.ID))
	if len(all) > 0 && kit.Text(all[0].Value(), "state") != "inactive" {
		return answer{}, unprocessable("We cannot delete an active deployment unless it is the only deployment in a given environment.")
	}
	for _, one := range all {
		c.remove(deploymentStatuses, one.ID)
	}
	c.remove(deployments, record.ID)
	return answer{status: http.StatusNoContent}, nil
}

func (c *call) showDeploymentStatus(r repo, deployment *world.Record, value map[string]any) map[string]any {
	id := number(value, "id")
	at := c.at(r) + "/deployments/" + deployment.ID
	created := textOr(value, "created_at", c.now())
	return overlaid(map[string]any{
		"url": at + "/statuses/" + decimal(id), "id": id, "node_id": nodeID("DES", r.rid(), id), "state": value["state"],
		"creator": c.user(textOr(value, "creator", r.owner())), "description": kit.Text(value, "description"),
		"environment": textOr(value, "environment", textOr(deployment.Value(), "environment", "production")), "target_url": kit.Text(value, "target_url"),
		"created_at": created, "updated_at": created, "deployment_url": at, "repository_url": c.at(r),
		"environment_url": kit.Text(value, "environment_url"), "log_url": kit.Text(value, "log_url"), "performed_via_github_app": nil,
	}, value)
}

func listDeploymentStatuses(c *call, r repo, deployment *world.Record) (answer, *refusal) {
	all := slices.Collect(c.fake.store.Find(c.Tx, deploymentStatuses, "deployment", deployment.ID))
	return listed(c, all, func(record *world.Record) any { return c.showDeploymentStatus(r, deployment, record.Value()) }), nil
}

func createDeploymentStatus(c *call, r repo, deployment *world.Record) (answer, *refusal) {
	state := c.text("state")
	if !slices.Contains([]string{"error", "failure", "inactive", "in_progress", "queued", "pending", "success"}, state) {
		return answer{}, failed(wrong("DeploymentStatus", "state", codeInvalid))
	}
	value := map[string]any{
		"id": decimal(c.newID(deploymentStatuses)), "repo": r.key(), "deployment": number(deployment.Value(), "id"), "state": state,
		"creator": c.loginOf(c.viewer), "created_at": c.now(),
	}
	for _, field := range []string{"description", "environment", "target_url", "environment_url", "log_url"} {
		if text := c.text(field); text != "" {
			value[field] = text
		}
	}
	if log := c.text("log_url"); log != "" {
		value["target_url"] = log
	}
	shown := c.showDeploymentStatus(r, deployment, c.create(deploymentStatuses, value).Value())
	c.notify(r, "deployment_status", map[string]any{"action": "created", "deployment_status": shown, "deployment": c.showDeployment(r, deployment.Value())})
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}
