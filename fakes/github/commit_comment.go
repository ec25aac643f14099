package github

import (
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) showCommitComment(r repo, value map[string]any) map[string]any {
	id, sha := number(value, "id"), kit.Text(value, "sha")
	at := c.at(r) + "/comments/" + decimal(id)
	created := textOr(value, "created_at", c.now())
	return overlaid(map[string]any{
		"url": at, "html_url": c.page(r) + "/commit/" + sha + "#commitcomment-" + decimal(id), "id": id, "node_id": nodeID("CC", r.rid(), id),
		"user": c.user(kit.Text(value, "user")), "position": value["position"], "line": value["line"], "path": value["path"], "commit_id": sha,
		"body": value["body"], "author_association": c.association(r, kit.Text(value, "user")), "created_at": created,
		"updated_at": textOr(value, "updated_at", created), "reactions": c.reactionsOf("commit-comment/"+kit.Text(value, "id"), at),
	}, value)
}

func (c *call) showCommitComments(r repo, all []*world.Record) answer {
	return listed(c, all, func(record *world.Record) any { return c.showCommitComment(r, record.Value()) })
}

func listCommitComments(c *call, r repo) (answer, *refusal) {
	sha, ok := c.resolve(r, c.path("commit_sha"))
	if !ok {
		return answer{}, noCommit(c.path("commit_sha"))
	}
	var all []*world.Record
	for _, record := range c.byRepo(commitComments, r) {
		if kit.Text(record.Value(), "sha") == sha {
			all = append(all, record)
		}
	}
	return c.showCommitComments(r, all), nil
}

func listRepoCommitComments(c *call, r repo) (answer, *refusal) {
	return c.showCommitComments(r, c.byRepo(commitComments, r)), nil
}

func createCommitComment(c *call, r repo) (answer, *refusal) {
	sha, ok := c.resolve(r, c.path("commit_sha"))
	if !ok {
		return answer{}, noCommit(c.path("commit_sha"))
	}
	if strings.TrimSpace(c.text("body")) == "" {
		return answer{}, failed(wrong("CommitComment", "body", codeField))
	}
	value := map[string]any{
		"id": decimal(c.newID(commitComments)), "repo": r.key(), "sha": sha, "body": c.text("body"), "user": c.loginOf(c.viewer), "path": nil,
		"position": nil, "line": nil, "created_at": c.now(), "updated_at": c.now(),
	}
	for _, field := range []string{"path", "position", "line"} {
		if c.has(field) {
			value[field] = c.Input.Body[field]
		}
	}
	o, _ := c.object(r, sha)
	o.value = map[string]any{"number": int64(0), "title": o.value["message"], "user": cast.Object(o.value["author"])["name"]}
	record := c.create(commitComments, value)
	c.mail(r, o.value, "commit-comment", record.ID, c.text("body"))
	shown := c.showCommitComment(r, record.Value())
	c.notify(r, "commit_comment", map[string]any{"action": "created", "comment": shown})
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

// onCommitComment answers a call about one comment.
func onCommitComment(act func(c *call, r repo, record *world.Record) answer) handler {
	return onRepository(func(c *call, r repo) (answer, *refusal) {
		record, refused := commentIn(commitComments)(c, r)
		if refused != nil {
			return answer{}, refused
		}
		if c.Operation.Method != http.MethodGet {
			if refused := c.mayEditComment(r, record); refused != nil {
				return answer{}, refused
			}
		}
		return act(c, r, record), nil
	})
}

func getCommitComment(c *call, r repo, record *world.Record) answer {
	return answer{value: c.showCommitComment(r, record.Value())}
}

func updateCommitComment(c *call, r repo, record *world.Record) answer {
	value := changed(record)
	value["body"], value["updated_at"] = c.text("body"), c.now()
	return answer{value: c.showCommitComment(r, c.update(commitComments, value).Value())}
}

func deleteCommitComment(c *call, _ repo, record *world.Record) answer {
	c.remove(commitComments, record.ID)
	return answer{status: http.StatusNoContent}
}
