package github

import (
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// org finds the organisation that a path names.
func (c *call) org() (string, *refusal) {
	value, known := c.account(c.path("org"))
	if !known || kindOf(value) != kindOrg {
		return "", notFound()
	}
	return c.loginOf(c.path("org")), nil
}

// orgAdmin finds the organisation of a call that only its owners may make.
func (c *call) orgAdmin() (string, *refusal) {
	login, refused := c.org()
	if refused != nil {
		return "", refused
	}
	if !c.hasScope("admin:org") {
		return "", refusing(http.StatusForbidden, "This endpoint requires you to be authenticated with the admin:org scope.")
	}
	if c.known && c.role(login, c.viewer) != "admin" {
		return "", refusing(http.StatusForbidden, "You must be an admin to use this endpoint.")
	}
	return login, nil
}

// join makes an account a member of an organisation.
func (c *call) join(org, login, role string) {
	key := slug(org, login)
	if _, ok := c.get(members, key); !ok {
		c.create(members, map[string]any{"id": key, "org": strings.ToLower(org), "login": c.loginOf(login), "role": role, "state": "active", "public": false, "created_at": c.now()})
	}
}

func (c *call) showOrgShort(login string) map[string]any {
	value, _ := c.account(login)
	brief := c.brief(login)
	at := c.Base + "/orgs/" + c.loginOf(login)
	return map[string]any{
		"login": brief["login"], "id": brief["id"], "node_id": brief["node_id"], "url": at, "repos_url": at + "/repos", "events_url": at + "/events",
		"hooks_url": at + "/hooks", "issues_url": at + "/issues", "members_url": at + "/members{/member}", "public_members_url": at + "/public_members{/member}",
		"avatar_url": brief["avatar_url"], "description": textOr(value, "description", ""),
	}
}

func getOrg(c *call, login string) (answer, *refusal) {
	value, _ := c.account(login)
	shown := c.showOrgShort(login)
	open, hidden := c.owned(login)
	for _, field := range []string{"name", "company", "location", "email"} {
		shown[field] = value[field]
	}
	created := textOr(value, "created_at", c.now())
	for field, one := range map[string]any{
		"blog": kit.Text(value, "blog"), "twitter_username": nil, "is_verified": false, "has_organization_projects": true, "has_repository_projects": true,
		"public_repos": open, "public_gists": int64(0), "followers": int64(0), "following": int64(0), "html_url": c.web + "/" + login,
		"created_at": created, "updated_at": textOr(value, "updated_at", created), "archived_at": nil, "type": kindOrg,
	} {
		shown[field] = one
	}
	if !c.known && c.viewer != "" || c.role(login, c.viewer) == "admin" {
		for field, one := range map[string]any{
			"total_private_repos": hidden, "owned_private_repos": hidden, "private_gists": int64(0), "disk_usage": int64(0), "collaborators": int64(0),
			"billing_email": value["email"], "default_repository_permission": "read", "members_can_create_repositories": true,
			"two_factor_requirement_enabled": false, "members_allowed_repository_creation_type": "all", "members_can_create_public_repositories": true,
			"members_can_create_private_repositories": true, "members_can_create_internal_repositories": false, "members_can_create_pages": true,
			"members_can_create_public_pages": true, "members_can_create_private_pages": true, "members_can_fork_private_repositories": false,
			"web_commit_signoff_required": false, "deploy_keys_enabled_for_repositories": true,
			"advanced_security_enabled_for_new_repositories": false, "dependabot_alerts_enabled_for_new_repositories": false,
			"dependabot_security_updates_enabled_for_new_repositories": false, "dependency_graph_enabled_for_new_repositories": false,
			"secret_scanning_enabled_for_new_repositories": false, "secret_scanning_push_protection_enabled_for_new_repositories": false,
			"secret_scanning_push_protection_custom_link_enabled": false, "secret_scanning_push_protection_custom_link": nil,
			"plan": map[string]any{"name": "free", "space": int64(976562499), "private_repos": int64(10000), "filled_seats": int64(len(c.membersOf(login, ""))), "seats": int64(0)},
		} {
			shown[field] = one
		}
	}
	shown = overlaid(shown, value)
	return answer{value: shown, changed: kit.Text(shown, "updated_at")}, nil
}

func listMyOrgs(c *call) (answer, *refusal) {
	var all []string
	for record := range c.fake.store.Find(c.Tx, members, "login", c.loginOf(c.viewer)) {
		if c.role(kit.Text(record.Value(), "org"), c.viewer) != "" {
			all = append(all, kit.Text(record.Value(), "org"))
		}
	}
	return listed(c, all, func(login string) any { return c.showOrgShort(login) }), nil
}

// membersOf lists the members of an organisation, by id; of one role, where it
// is given.
func (c *call) membersOf(org, role string) []*world.Record {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, members, "org", strings.ToLower(org)) {
		if kit.Text(record.Value(), "state") != "pending" && (role == "" || role == "all" || textOr(record.Value(), "role", "member") == role) {
			all = append(all, record)
		}
	}
	sorted(all, false, func(r *world.Record) string { return r.ID })
	return all
}

func (c *call) showMembers(all []*world.Record) answer {
	return listed(c, all, func(record *world.Record) any { return c.brief(kit.Text(record.Value(), "login")) })
}

func listMembers(c *call, login string) (answer, *refusal) {
	return c.showMembers(c.membersOf(login, c.query("role"))), nil
}

func listPublicMembers(c *call, login string) (answer, *refusal) {
	var all []*world.Record
	for _, record := range c.membersOf(login, "") {
		if record.Value()["public"] == true {
			all = append(all, record)
		}
	}
	return c.showMembers(all), nil
}

func checkMember(c *call, login string) (answer, *refusal) {
	if c.role(login, c.path("username")) == "" {
		return answer{}, refusing(http.StatusNotFound, "User does not exist or is not a member of the organization")
	}
	return answer{status: http.StatusNoContent}, nil
}

func checkPublicMember(c *call, login string) (answer, *refusal) {
	record, ok := c.get(members, slug(login, c.path("username")))
	if !ok || record.Value()["public"] != true {
		return answer{}, notFound()
	}
	return answer{status: http.StatusNoContent}, nil
}

// publicize shows or hides a membership, which only its owner may.
func publicize(open bool) handler {
	return onOrg(func(c *call, login string) (answer, *refusal) {
		who := c.path("username")
		if !strings.EqualFold(who, c.viewer) {
			if open {
				return answer{}, refusing(http.StatusForbidden, "Only the user can publicize their membership")
			}
			return answer{}, refusing(http.StatusForbidden, "Only the user can conceal their membership")
		}
		if !c.hasScope("write:org") {
			return answer{}, refusing(http.StatusForbidden, noScopes)
		}
		record, ok := c.get(members, slug(login, who))
		if !ok {
			if c.known {
				return answer{}, notFound()
			}
			c.join(login, who, "admin")
			record, _ = c.get(members, slug(login, who))
		}
		value := changed(record)
		value["public"] = open
		c.update(members, value)
		return answer{status: http.StatusNoContent}, nil
	})
}

func (c *call) showMembership(record *world.Record) map[string]any {
	org, login := kit.Text(record.Value(), "org"), kit.Text(record.Value(), "login")
	at := c.Base + "/orgs/" + c.loginOf(org)
	return map[string]any{
		"url": at + "/memberships/" + c.loginOf(login), "state": textOr(record.Value(), "state", "active"), "role": textOr(record.Value(), "role", "member"),
		"organization_url": at, "user": c.brief(login), "organization": c.showOrgShort(org),
	}
}

func getMembership(c *call, login string) (answer, *refusal) {
	record, ok := c.get(members, slug(login, c.path("username")))
	if !ok {
		return answer{}, notFound()
	}
	return answer{value: c.showMembership(record)}, nil
}

// setMembership invites an account to an organisation, or changes its role.
func setMembership(c *call, login string) (answer, *refusal) {
	who := c.path("username")
	if _, known := c.account(who); !known {
		return answer{}, notFound()
	}
	role := textOr(c.Input.Body, "role", "member")
	if record, ok := c.get(members, slug(login, who)); ok {
		value := changed(record)
		value["role"] = role
		return answer{value: c.showMembership(c.update(members, value))}, nil
	}
	record := c.create(members, map[string]any{"id": slug(login, who), "org": strings.ToLower(login), "login": c.loginOf(who), "role": role, "state": "pending", "public": false, "created_at": c.now()})
	must(kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: "invitation", ID: record.ID, To: []string{c.loginOf(who)}, At: c.Now, Summary: c.loginOf(c.viewer) + " invited " + c.loginOf(who) + " to join " + login,
		Content: map[string]any{"organization": login, "role": role},
	}))
	return answer{value: c.showMembership(record)}, nil
}

func removeMembership(c *call, login string) (answer, *refusal) {
	record, ok := c.get(members, slug(login, c.path("username")))
	if !ok {
		return answer{}, notFound()
	}
	c.remove(members, record.ID)
	return answer{status: http.StatusNoContent}, nil
}
