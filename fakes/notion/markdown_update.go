package notion

import (
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// updateMarkdown changes the content of a page by its markdown.
func updateMarkdown(c *call) (map[string]any, *refusal) {
	body := c.body()
	kinds := []string{"insert_content", "replace_content_range", "update_content", "replace_content"}
	if wrong := body.at("type").isOne(kinds...); wrong != nil {
		return nil, invalid("body", wrong)
	}
	kind, _ := body.at("type").value.(string)
	if wrong := first(body.at(kind).isObject(), body.only(append(kinds, "type", "allow_async", "markdown_version")...)); wrong != nil {
		return nil, invalid("body", wrong)
	}
	r, refused := c.pathPage()
	if refused != nil {
		return nil, refused
	}
	if refused := c.editable(node{pages, r}); refused != nil {
		return nil, refused
	}
	old, _ := c.markdown(r.ID, 0)
	text, refused := rewritten(kind, body.at(kind), old)
	if refused != nil {
		return nil, refused
	}
	if kind == "insert_content" && !body.at(kind).at("after").sent && !body.at(kind).at("position").sent {
		c.insert(map[string]any{"type": "page_id", "page_id": r.ID}, parseMarkdown(kit.Text(cast.Object(body.at(kind).value), "content")), c.last(r.ID), 1)
	} else if refused := c.rewrite(r.ID, old, text, cast.Object(body.at(kind).value)["allow_deleting_content"] == true); refused != nil {
		return nil, refused
	}
	page := c.write(pages, r, nil)
	c.emitContent(node{pages, page})
	return c.pageMarkdown(r.ID), nil
}

// rewritten is the whole text after a change.
func rewritten(kind string, at place, old string) (string, *refusal) {
	line := func(field string) problem { return at.at(field).isText(500_000) }
	sent := cast.Object(at.value)
	switch kind {
	case "insert_content":
		if wrong := line("content"); wrong != nil {
			return "", invalid("body", wrong)
		}
		return inserted(kit.Text(sent, "content"), kit.Text(sent, "after"), kit.Text(sent, "position.type"), old)
	case "replace_content":
		if wrong := line("new_str"); wrong != nil {
			return "", invalid("body", wrong)
		}
		return kit.Text(sent, "new_str"), nil
	case "replace_content_range":
		if wrong := first(line("content"), line("content_range")); wrong != nil {
			return "", invalid("body", wrong)
		}
		from, to, refused := stretch(kit.Text(sent, "content_range"), old)
		if refused != nil {
			return "", refused
		}
		return old[:from] + kit.Text(sent, "content") + old[to:], nil
	}
	updates := at.at("content_updates")
	if wrong := updates.isArray(maxElements); wrong != nil {
		return "", invalid("body", wrong)
	}
	for i, item := range cast.List(updates.value) {
		one := updates.item(i)
		if wrong := first(one.isObject(), one.at("old_str").isText(500_000), one.at("new_str").isText(500_000)); wrong != nil {
			return "", invalid("body", wrong)
		}
		was, now := kit.Text(cast.Object(item), "old_str"), kit.Text(cast.Object(item), "new_str")
		switch n := strings.Count(old, was); {
		case was == "" || n == 0:
			return "", refuse("No match found for old_str: %s", kit.Clip(was))
		case n > 1 && cast.Object(item)["replace_all_matches"] != true:
			return "", refuse("Multiple matches found for old_str: %s. Set replace_all_matches to true, or give more context.", kit.Clip(was))
		}
		old = strings.ReplaceAll(old, was, now)
	}
	return old, nil
}

func inserted(content, after, where, old string) (string, *refusal) {
	if after != "" {
		_, to, refused := stretch(after, old)
		if refused != nil {
			return "", refused
		}
		return old[:to] + "\n" + content + old[to:], nil
	}
	if where == "start" {
		return content + "\n" + old, nil
	}
	return old + content + "\n", nil
}

// stretch finds what is meant by a beginning and an end with dots in between.
func stretch(selection, text string) (from, to int, refused *refusal) {
	head, tail, ok := strings.Cut(selection, "...")
	from = strings.Index(text, head)
	if from < 0 || head == "" {
		return 0, 0, refuse("Could not find the selected content: %s", kit.Clip(selection))
	}
	if !ok {
		return from, from + len(head), nil
	}
	end := strings.Index(text[from+len(head):], tail)
	if end < 0 {
		return 0, 0, refuse("Could not find the selected content: %s", kit.Clip(selection))
	}
	return from, from + len(head) + end + len(tail), nil
}

// rewrite makes the blocks of a page say a text. Blocks whose lines stay the
// same, from the beginning on, stay; pages and databases within are not thrown
// away unless that is allowed.
func (c *call) rewrite(id, old, text string, deleting bool) *refusal {
	all := c.children(id)
	kept := 0
	rest := text
	for _, n := range all {
		line, _ := c.spell(n, kept+1)
		inner := ""
		if n.kind == blocks {
			inner, _ = c.markdown(n.ID, 1)
		}
		after, same := strings.CutPrefix(rest, line+"\n"+inner)
		if !same {
			break
		}
		rest = after
		kept++
	}
	for _, n := range all[kept:] {
		if n.kind != blocks && !deleting {
			return refuse("This operation would delete child pages or databases. Set allow_deleting_content to true to go on.")
		}
	}
	for _, n := range all[kept:] {
		c.write(n.kind, n.Record, map[string]any{"in_trash": true})
	}
	c.insert(map[string]any{"type": "page_id", "page_id": id}, parseMarkdown(rest), c.last(id), 1)
	return nil
}
