package notion

import (
	"net/http"
	"slices"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// listComments lists the open comments of a page or block, oldest first.
func listComments(c *call, size int, cursor string) (map[string]any, *refusal) {
	sent, ok := c.Input.Query["block_id"].(string)
	if !ok {
		return nil, invalid("query", should("query.block_id", "defined", undefined))
	}
	id, ok := uuidOf(sent)
	if !ok {
		return nil, invalid("query", should("query.block_id", "a valid uuid", quoted(sent)))
	}
	n, refused := c.seenBlock(id)
	if refused != nil {
		return nil, refused
	}
	var all []*world.Record
	for _, field := range []string{"parent.page_id", "parent.block_id"} {
		for r := range c.fake.store.Find(c.Tx, comments, field, n.ID) {
			if r.Value()["resolved"] != true {
				all = append(all, r)
			}
		}
	}
	slices.SortFunc(all, func(a, b *world.Record) int { return int(a.Order) - int(b.Order) })
	found, next, refused := window(slices.Values(all), func(r *world.Record) string { return r.ID }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := []any{}
	for _, r := range found {
		results = append(results, c.showComment(r.Value()))
	}
	return listed("comment", results, next), nil
}

// createComment begins a discussion of a page or block, or goes on with one.
func createComment(c *call) (map[string]any, *refusal) {
	body := c.body()
	if wrong := body.only("parent", "discussion_id", "rich_text", "markdown", "markdown_version", "attachments", "display_name"); wrong != nil {
		return nil, invalid("body", wrong)
	}
	texts, wrong := c.said(body)
	if wrong != nil {
		return nil, invalid("body", wrong)
	}
	id := c.uuid("8")
	parent, discussion, refused := c.discussed(body)
	if refused != nil {
		return nil, refused
	}
	value := map[string]any{
		"object": "comment", "id": id, "parent": parent, "discussion_id": discussion, "created_time": c.minute(),
		"last_edited_time": c.minute(), "created_by": c.me(), "rich_text": texts, "display_name": c.displayed(body.at("display_name")),
	}
	if files := cast.List(body.at("attachments").value); len(files) > 0 {
		shown := []any{}
		for _, item := range files {
			file := c.attached(kit.Text(cast.Object(item), "file_upload_id"))
			shown = append(shown, map[string]any{"category": "productivity", "file": file["file"]})
		}
		value["attachments"] = shown
	}
	r := c.create(comments, value)
	c.sendOut(r)
	c.emit("comment.created", node{comments, r}, nil)
	return c.showComment(r.Value()), nil
}

// sendOut puts a comment into the outbox: people are told of it.
func (c *call) sendOut(r *world.Record) {
	if c.Identity == fakes.Fixture {
		return
	}
	text := plainText(r.Value()["rich_text"])
	err := kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: "comment", ID: r.ID, To: []string{kit.Text(r.Value(), "parent.page_id") + kit.Text(r.Value(), "parent.block_id")},
		Summary: kit.Clip(text), Content: map[string]any{"rich_text": r.Value()["rich_text"], "discussion_id": r.Value()["discussion_id"]}, At: c.Now,
	})
	kit.Must(name, err)
}

// said reads the text of a comment.
func (c *call) said(body place) ([]any, problem) {
	if at := body.at("markdown"); at.sent {
		if wrong := at.isText(maxContent); wrong != nil {
			return nil, wrong
		}
		return parseInline(cast.Text(at.value)), nil
	}
	return body.at("rich_text").texts()
}

// discussed finds what is commented on.
func (c *call) discussed(body place) (parent map[string]any, discussion string, refused *refusal) {
	if at := body.at("discussion_id"); at.sent {
		if wrong := at.isUUID(); wrong != nil {
			return nil, "", invalid("body", wrong)
		}
		id, _ := uuidOf(kit.Text(c.Input.Body, "discussion_id"))
		for r := range c.fake.store.Find(c.Tx, comments, "discussion_id", id) {
			return cast.Object(r.Value()["parent"]), id, nil
		}
		return nil, "", c.missing("discussion", id)
	}
	at := body.at("parent")
	if !at.sent {
		return nil, "", invalid("body", append(at.should("defined"), body.at("discussion_id").should("defined")...))
	}
	if wrong := at.isObject(); wrong != nil {
		return nil, "", invalid("body", wrong)
	}
	for _, kind := range []string{"page_id", "block_id"} {
		field := at.at(kind)
		if !field.sent {
			continue
		}
		if wrong := field.isUUID(); wrong != nil {
			return nil, "", invalid("body", wrong)
		}
		id, _ := uuidOf(kit.Text(cast.Object(at.value), kind))
		n, ok := c.node(id)
		if !ok || !c.shared(n.Value()) || kind == "page_id" && n.kind != pages {
			return nil, "", c.missing(kind[:len(kind)-3], id)
		}
		if refused := c.editable(n); refused != nil {
			return nil, "", refused
		}
		return c.parentOf(n), c.uuid("8"), nil
	}
	return nil, "", invalid("body", append(at.at("page_id").should("defined"), at.at("block_id").should("defined")...))
}

// displayed is under which name a comment stands.
func (c *call) displayed(at place) map[string]any {
	sent := cast.Object(at.value)
	switch sent["type"] {
	case "custom":
		return map[string]any{"type": "custom", "resolved_name": cast.Object(sent["custom"])["name"]}
	case "user":
		return map[string]any{"type": "user", "resolved_name": c.person(kit.Text(c.space, "bot_id"))["name"]}
	}
	return map[string]any{"type": "integration", "resolved_name": c.space["integration_name"]}
}

func (c *call) pathComment() (*world.Record, *refusal) {
	id, refused := c.pathID("comment_id")
	if refused != nil {
		return nil, refused
	}
	r, ok := c.find(comments, id)
	if !ok || !c.shared(r.Value()) {
		return nil, c.missing("comment", id)
	}
	return r, nil
}

func getComment(c *call, r *world.Record) (map[string]any, *refusal) {
	return c.showComment(r.Value()), nil
}

func updateComment(c *call) (map[string]any, *refusal) {
	body := c.body()
	if wrong := body.only("rich_text", "markdown", "markdown_version"); wrong != nil {
		return nil, invalid("body", wrong)
	}
	texts, wrong := c.said(body)
	if wrong != nil {
		return nil, invalid("body", wrong)
	}
	r, refused := c.pathComment()
	if refused != nil {
		return nil, refused
	}
	if refused := c.ownComment(r); refused != nil {
		return nil, refused
	}
	r = c.write(comments, r, map[string]any{"rich_text": texts})
	c.emit("comment.updated", node{comments, r}, nil)
	return c.showComment(r.Value()), nil
}

// ownComment refuses to change what others said.
func (c *call) ownComment(r *world.Record) *refusal {
	if kit.Text(r.Value(), "created_by.id") != kit.Text(c.space, "bot_id") {
		return &refusal{status: http.StatusForbidden, code: codeRestricted, message: "Insufficient permissions for this comment."}
	}
	return nil
}

func deleteComment(c *call, r *world.Record) (map[string]any, *refusal) {
	if refused := c.ownComment(r); refused != nil {
		return nil, refused
	}
	c.emit("comment.deleted", node{comments, r}, nil)
	c.fake.store.Delete(c.Tx, comments, r.ID)
	return c.showComment(r.Value()), nil
}
