package github

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// reactionsAt answers calls about the reactions to an issue or a comment.
func reactionsAt(act func(c *call, r repo, subject string) (answer, *refusal)) handler {
	return onRepository(func(c *call, r repo) (answer, *refusal) {
		subject := ""
		if strings.Contains(c.id, "comment") {
			record, refused := commentIn(issueComments)(c, r)
			if refused != nil {
				return answer{}, refused
			}
			subject = "comment/" + record.ID
		} else {
			record, refused := c.namedIssue(r)
			if refused != nil {
				return answer{}, refused
			}
			subject = record.ID
		}
		return act(c, r, subject)
	})
}

func (c *call) showReaction(value map[string]any) map[string]any {
	id := number(value, "id")
	return map[string]any{"id": id, "node_id": nodeID("REA", id), "user": c.user(kit.Text(value, "user")), "content": value["content"], "created_at": textOr(value, "created_at", c.now())}
}

func listReactions(c *call, _ repo, subject string) (answer, *refusal) {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, reactions, "subject", subject) {
		if want := c.query("content"); want == "" || want == kit.Text(record.Value(), "content") {
			all = append([]*world.Record{record}, all...)
		}
	}
	return listed(c, all, func(record *world.Record) any { return c.showReaction(record.Value()) }), nil
}

func createReaction(c *call, r repo, subject string) (answer, *refusal) {
	if refused := c.mayComment(r); refused != nil {
		return answer{}, refused
	}
	content := c.text("content")
	if !slices.Contains(reactionKinds, content) {
		return answer{}, failed(wrongValue("Reaction", "content", codeInvalid, content))
	}
	for record := range c.fake.store.Find(c.Tx, reactions, "subject", subject) {
		if kit.Text(record.Value(), "user") == c.loginOf(c.viewer) && kit.Text(record.Value(), "content") == content {
			return answer{value: c.showReaction(record.Value())}, nil
		}
	}
	record := c.create(reactions, map[string]any{
		"id": decimal(c.newID(reactions)), "subject": subject, "repo": r.key(), "user": c.loginOf(c.viewer), "content": content, "created_at": c.now(),
	})
	return answer{status: http.StatusCreated, value: c.showReaction(record.Value())}, nil
}

func deleteReaction(c *call, r repo, subject string) (answer, *refusal) {
	record, ok := c.get(reactions, c.path("reaction_id"))
	if !ok || kit.Text(record.Value(), "subject") != subject {
		return answer{}, notFound()
	}
	if kit.Text(record.Value(), "user") != c.loginOf(c.viewer) && !c.may(r, levelWrite) {
		return answer{}, refusing(http.StatusForbidden, "You do not have permission to delete this reaction.")
	}
	c.remove(reactions, record.ID)
	return answer{status: http.StatusNoContent}, nil
}
