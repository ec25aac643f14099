package github

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// guardedBranch finds the branch that a call about its protection names.
func (c *call) guardedBranch() (repo, *world.Record, *refusal) {
	r, refused := c.writable(levelAdmin)
	if refused != nil {
		return repo{}, nil, refused
	}
	record, ok := c.get(refs, refKey(r, heads+c.path("branch")))
	if !ok {
		return repo{}, nil, refusing(http.StatusNotFound, "Branch not found")
	}
	if c.Operation.Method != http.MethodPut && record.Value()["protected"] != true {
		return repo{}, nil, refusing(http.StatusNotFound, "Branch not protected")
	}
	return r, record, nil
}

func (c *call) showProtection(r repo, record *world.Record) map[string]any {
	rules := cast.Object(record.Value()["rules"])
	at := c.at(r) + "/branches/" + escapePath(c.path("branch")) + "/protection"
	on := func(field string) map[string]any { return map[string]any{"enabled": rules[field] == true} }
	shown := map[string]any{
		"url": at, "required_signatures": map[string]any{"url": at + "/required_signatures", "enabled": false},
		"enforce_admins": map[string]any{"url": at + "/enforce_admins", "enabled": rules["enforce_admins"] == true},
	}
	for _, field := range []string{"required_linear_history", "allow_force_pushes", "allow_deletions", "block_creations", "required_conversation_resolution", "lock_branch", "allow_fork_syncing"} {
		shown[field] = on(field)
	}
	if checks := cast.Object(rules["required_status_checks"]); checks != nil {
		contexts := listOf(checks["contexts"])
		list := []any{}
		for _, one := range cast.Texts(checks["contexts"]) {
			list = append(list, map[string]any{"context": one, "app_id": nil})
		}
		shown["required_status_checks"] = map[string]any{
			"url": at + "/required_status_checks", "strict": checks["strict"] == true, "contexts": contexts, "contexts_url": at + "/required_status_checks/contexts", "checks": list,
		}
	}
	if wanted := cast.Object(rules["required_pull_request_reviews"]); wanted != nil {
		shown["required_pull_request_reviews"] = map[string]any{
			"url": at + "/required_pull_request_reviews", "dismiss_stale_reviews": wanted["dismiss_stale_reviews"] == true,
			"require_code_owner_reviews": wanted["require_code_owner_reviews"] == true, "require_last_push_approval": wanted["require_last_push_approval"] == true,
			"required_approving_review_count": max(1, cast.Int(wanted["required_approving_review_count"])),
		}
	}
	if limited := cast.Object(cast.Object(rules["required_pull_request_reviews"])["dismissal_restrictions"]); limited != nil {
		cast.Object(shown["required_pull_request_reviews"])["dismissal_restrictions"] = map[string]any{
			"url": at + "/dismissal_restrictions", "users_url": at + "/dismissal_restrictions/users", "teams_url": at + "/dismissal_restrictions/teams",
			"users": c.people(cast.Texts(limited["users"])), "teams": []any{}, "apps": []any{},
		}
	}
	if limited := cast.Object(rules["restrictions"]); limited != nil {
		shown["restrictions"] = map[string]any{
			"url": at + "/restrictions", "users_url": at + "/restrictions/users", "teams_url": at + "/restrictions/teams", "apps_url": at + "/restrictions/apps",
			"users": c.people(cast.Texts(limited["users"])), "teams": []any{}, "apps": []any{},
		}
	}
	return shown
}

func getProtection(c *call) (answer, *refusal) {
	r, record, refused := c.guardedBranch()
	if refused != nil {
		return answer{}, refused
	}
	return answer{value: c.showProtection(r, record)}, nil
}

func setProtection(c *call, r repo, record *world.Record) (answer, *refusal) {
	value := changed(record)
	value["protected"], value["rules"] = true, c.Input.Body
	return answer{value: c.showProtection(r, c.update(refs, value))}, nil
}

func deleteProtection(c *call, _ repo, record *world.Record) (answer, *refusal) {
	value := changed(record)
	delete(value, "rules")
	value["protected"] = false
	c.update(refs, value)
	return answer{status: http.StatusNoContent}, nil
}

// barred tells why the rules of a branch stand against a merge; "" where they
// do not. A branch of a fixture that is protected without rules wants one
// approval.
func (c *call) barred(r repo, n int64, pull map[string]any) string {
	record, ok := c.get(refs, refKey(r, heads+kit.Text(pull, "base.ref")))
	if !ok || record.Value()["protected"] != true {
		return ""
	}
	rules := cast.Object(record.Value()["rules"])
	if (rules == nil || cast.Object(rules["required_pull_request_reviews"]) != nil) && !c.approved(r, n) {
		return "At least 1 approving review is required by reviewers with write access."
	}
	passed := c.passed(r, kit.Text(pull, "head.sha"))
	for _, want := range cast.Texts(cast.Object(rules["required_status_checks"])["contexts"]) {
		if !passed[want] {
			return "Required status check \"" + want + "\" is expected."
		}
	}
	return ""
}

// passed tells of each status and check of a commit whether it was a success.
func (c *call) passed(r repo, sha string) map[string]bool {
	passed := map[string]bool{}
	for _, one := range latest(c.statusesAt(r, sha)) {
		passed[textOr(one.Value(), "context", "default")] = kit.Text(one.Value(), "state") == "success"
	}
	met := map[string]bool{}
	for run := range c.fake.store.Find(c.Tx, checkRuns, "head_sha", sha) { // the latest of a name comes first
		if one := kit.Text(run.Value(), "name"); kit.Text(run.Value(), "repo") == r.key() && !met[one] {
			met[one], passed[one] = true, kit.Text(run.Value(), "conclusion") == "success"
		}
	}
	return passed
}
