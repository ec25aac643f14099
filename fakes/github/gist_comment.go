package github

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) showGistComment(record *world.Record) map[string]any {
	value := record.Value()
	id, by := number(value, "id"), kit.Text(value, "user")
	association := "NONE"
	if gist, ok := c.get(gists, kit.Text(value, "gist")); ok && strings.EqualFold(kit.Text(gist.Value(), "owner"), by) {
		association = "OWNER"
	}
	return map[string]any{
		"id": id, "node_id": nodeID("GC", id), "url": c.Base + "/gists/" + kit.Text(value, "gist") + "/comments/" + decimal(id), "body": value["body"], "user": c.user(by),
		"author_association": association, "created_at": textOr(value, "created_at", c.now()), "updated_at": textOr(value, "updated_at", c.now()),
	}
}

func listGistComments(c *call, gist *world.Record) (answer, *refusal) {
	all := slices.Collect(c.fake.store.Find(c.Tx, gistComments, "gist", gist.ID))
	slices.Reverse(all) // found newest first
	return listed(c, all, func(record *world.Record) any { return c.showGistComment(record) }), nil
}

func createGistComment(c *call, gist *world.Record) (answer, *refusal) {
	if strings.TrimSpace(c.text("body")) == "" {
		return answer{}, failed(wrong("GistComment", "body", codeField))
	}
	shown := c.showGistComment(c.create(gistComments, map[string]any{
		"id": decimal(c.newID(gistComments)), "gist": gist.ID, "body": c.text("body"), "user": c.loginOf(c.viewer), "created_at": c.now(), "updated_at": c.now(),
	}))
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

// onGistComment answers a call about a comment on a gist; own: for who wrote it.
func onGistComment(own bool, act func(*call, *world.Record) (answer, *refusal)) handler {
	return onGist(func(c *call, gist *world.Record) (answer, *refusal) {
		record, ok := c.get(gistComments, c.path("comment_id"))
		if !ok || kit.Text(record.Value(), "gist") != gist.ID || own && !strings.EqualFold(kit.Text(record.Value(), "user"), c.viewer) {
			return answer{}, notFound()
		}
		return act(c, record)
	})
}

func getGistComment(c *call, record *world.Record) (answer, *refusal) {
	return answer{value: c.showGistComment(record)}, nil
}

func updateGistComment(c *call, record *world.Record) (answer, *refusal) {
	value := changed(record)
	value["body"], value["updated_at"] = c.text("body"), c.now()
	return answer{value: c.showGistComment(c.update(gistComments, value))}, nil
}

func deleteGistComment(c *call, record *world.Record) (answer, *refusal) {
	c.remove(gistComments, record.ID)
	return answer{status: http.StatusNoContent}, nil
}
