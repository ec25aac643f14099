package github

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// granted are the levels by the names that requests give them.
var granted = map[string]string{
	"": levelWrite, "pull": levelRead, "push": levelWrite, "admin": levelAdmin, "maintain": levelMaintain, "triage": levelTriage, "read": levelRead, "write": levelWrite,
}

func (c *call) showCollaborator(r repo, login string) map[string]any {
	shown := c.brief(login)
	level := c.permission(r, login)
	if !c.known && strings.EqualFold(login, c.viewer) {
		level = c.access(r)
	}
	shown["permissions"], shown["role_name"] = permissions(level), level
	return shown
}

// listCollaborators lists who has access: owners of the organisation first.
func listCollaborators(c *call, r repo) (answer, *refusal) {
	if !c.may(r, levelWrite) {
		return answer{}, refusing(http.StatusForbidden, "Must have push access to view repository collaborators.")
	}
	return listed(c, c.trusted(r), func(login string) any { return c.showCollaborator(r, login) }), nil
}

func checkCollaborator(c *call, r repo) (answer, *refusal) {
	if !c.may(r, levelWrite) {
		return answer{}, refusing(http.StatusForbidden, "Must have push access to view collaborator permission.")
	}
	if _, known := c.account(c.path("username")); known && !holds(c.trusted(r), c.path("username")) {
		return answer{}, notFound()
	} else if !known {
		return answer{}, refusing(http.StatusNotFound, "%s is not a user", kit.Clip(c.path("username")))
	}
	return answer{status: http.StatusNoContent}, nil
}

func collaboratorLevel(c *call, r repo) (answer, *refusal) {
	if !c.may(r, levelWrite) {
		return answer{}, refusing(http.StatusForbidden, "Must have push access to view collaborator permission.")
	}
	login := c.path("username")
	shown := c.showCollaborator(r, login)
	level, _ := shown["role_name"].(string)
	short := level
	switch level {
	case "":
		short = "none"
	case levelMaintain:
		short = levelWrite
	case levelTriage:
		short = levelRead
	}
	if level == "" {
		level = "none"
	}
	return answer{value: map[string]any{"permission": short, "role_name": level, "user": shown}}, nil
}

// invitationsBegan is when being made a collaborator began to take one's
// consent. Source: github.blog/2016-05-23-repository-invitations.
var invitationsBegan = time.Date(2016, 5, 23, 0, 0, 0, 0, time.UTC)

// addCollaborator invites an account, or changes the access of one that has it
// already. Members of an organisation need no invitation to its repositories.
func addCollaborator(c *call, r repo) (answer, *refusal) {
	login := c.path("username")
	level, ok := granted[c.text("permission")]
	if !ok {
		return answer{}, failed(wrongValue("Repository", "permission", codeInvalid, c.text("permission")))
	}
	if strings.EqualFold(login, r.owner()) {
		return answer{}, failed(custom("Repository", "Repository owner cannot be a collaborator"))
	}
	if _, known := c.account(login); !known && c.known {
		return answer{}, notFound()
	}
	c.ensureAccount(login, kindUser)
	key := r.key() + "/" + strings.ToLower(login)
	if record, has := c.get(collaborators, key); has {
		value := changed(record)
		value["permission"] = level
		c.update(collaborators, value)
		return answer{status: http.StatusNoContent}, nil
	}
	if c.role(r.owner(), login) != "" || c.Now.Before(invitationsBegan) {
		c.create(collaborators, map[string]any{"id": key, "repo": r.key(), "login": c.loginOf(login), "permission": level, "created_at": c.now()})
		return answer{status: http.StatusNoContent}, nil
	}
	for _, record := range c.byRepo(invitations, r) {
		if strings.EqualFold(kit.Text(record.Value(), "invitee"), login) {
			value := changed(record)
			value["permissions"] = level
			return answer{status: http.StatusCreated, value: c.showInvitation(r, c.update(invitations, value).Value(), false)}, nil
		}
	}
	record := c.create(invitations, map[string]any{
		"id": decimal(c.newID(invitations)), "repo": r.key(), "invitee": c.loginOf(login), "inviter": c.loginOf(c.viewer), "permissions": level, "created_at": c.now(),
	})
	if c.Identity != fakes.Fixture {
		must(kit.Send(c.Tx, fakes.Sent{
			Service: name, Kind: "invitation", ID: record.ID, To: []string{c.loginOf(login)}, At: c.Now, Summary: c.loginOf(c.viewer) + " invited " + c.loginOf(login) + " to " + r.full(),
			Content: map[string]any{"repository": r.full(), "permission": level},
		}))
	}
	shown := c.showInvitation(r, record.Value(), false)
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func removeCollaborator(c *call, r repo) (answer, *refusal) {
	login := strings.ToLower(c.path("username"))
	if record, ok := c.get(collaborators, r.key()+"/"+login); ok {
		c.remove(collaborators, record.ID)
		c.notify(r, "member", map[string]any{"action": "removed", "member": c.brief(login)})
	}
	return answer{status: http.StatusNoContent}, nil
}

func (c *call) showInvitation(r repo, value map[string]any, inList bool) map[string]any {
	id := number(value, "id")
	shown := map[string]any{
		"id": id, "node_id": nodeID("RI", r.rid(), id), "repository": c.repoMinimal(r), "invitee": c.user(kit.Text(value, "invitee")),
		"inviter": c.user(textOr(value, "inviter", r.owner())), "permissions": textOr(value, "permissions", levelWrite), "created_at": textOr(value, "created_at", c.now()),
		"url": c.Base + "/user/repository_invitations/" + decimal(id), "html_url": c.page(r) + "/invitations",
	}
	if inList {
		shown["expired"] = c.expired(value)
	}
	return overlaid(shown, value)
}

// expired tells whether an invitation is older than seven days.
// Source: docs.github.com/rest/collaborators/invitations.
func (c *call) expired(value map[string]any) bool {
	return c.Now.AddDate(0, 0, -7).After(dateOf(map[string]any{"date": value["created_at"]}, c.Now))
}

func listInvitations(c *call, r repo) (answer, *refusal) {
	return listed(c, c.byRepo(invitations, r), func(record *world.Record) any { return c.showInvitation(r, record.Value(), true) }), nil
}

func updateInvitation(c *call, r repo, record *world.Record) (answer, *refusal) {
	level, ok := granted[c.text("permissions")]
	if !ok {
		return answer{}, failed(wrongValue("RepositoryInvitation", "permissions", codeInvalid, c.text("permissions")))
	}
	value := changed(record)
	value["permissions"] = level
	return answer{value: c.showInvitation(r, c.update(invitations, value).Value(), true)}, nil
}

func deleteInvitation(c *call, r repo, record *world.Record) (answer, *refusal) {
	c.remove(invitations, record.ID)
	return answer{status: http.StatusNoContent}, nil
}

func listMyInvitations(c *call) (answer, *refusal) {
	all := slices.Collect(c.fake.store.Find(c.Tx, invitations, "invitee", c.loginOf(c.viewer)))
	return listed(c, all, func(record *world.Record) any {
		r, _ := c.byKey(kit.Text(record.Value(), "repo"))
		return c.showInvitation(r, record.Value(), true)
	}), nil
}

// answerInvitation takes an invitation up or turns it down. A token that nobody
// declared may do so for whoever was invited: recorded clients change tokens in
// the middle of a conversation.
func answerInvitation(accept bool) handler {
	return func(c *call) (answer, *refusal) {
		record, ok := c.get(invitations, c.path("invitation_id"))
		if !ok || c.known && !strings.EqualFold(kit.Text(record.Value(), "invitee"), c.viewer) {
			return answer{}, notFound()
		}
		if c.expired(record.Value()) {
			return answer{}, notFound()
		}
		r, _ := c.byKey(kit.Text(record.Value(), "repo"))
		invitee := kit.Text(record.Value(), "invitee")
		if accept {
			c.create(collaborators, map[string]any{
				"id": r.key() + "/" + strings.ToLower(invitee), "repo": r.key(), "login": invitee, "permission": textOr(record.Value(), "permissions", levelWrite), "created_at": c.now(),
			})
			c.notify(r, "member", map[string]any{"action": "added", "member": c.brief(invitee)})
		}
		c.remove(invitations, record.ID)
		return answer{status: http.StatusNoContent}, nil
	}
}
