package notion

import (
	"iter"
	"maps"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// seenBlock finds what an id names, if the integration may see it.
func (c *call) seenBlock(id string) (node, *refusal) {
	n, ok := c.node(id)
	if !ok || !c.shared(n.Value()) {
		return node{}, c.missing("block", id)
	}
	return n, nil
}

func (c *call) pathBlock() (node, *refusal) {
	id, refused := c.pathID("block_id")
	if refused != nil {
		return node{}, refused
	}
	return c.seenBlock(id)
}

func getBlock(c *call, n node) (map[string]any, *refusal) {
	return c.showBlock(n), nil
}

func listChildren(c *call, size int, cursor string) (map[string]any, *refusal) {
	n, refused := c.pathBlock()
	if refused != nil {
		return nil, refused
	}
	return c.childPage(n.ID, size, cursor)
}

func (c *call) childPage(id string, size int, cursor string) (map[string]any, *refusal) {
	found, next, refused := window(slices.Values(c.children(id)), func(n node) string { return n.ID }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	return listed("block", c.showAll(slices.Values(found)), next), nil
}

func (c *call) showAll(nodes iter.Seq[node]) []any {
	results := []any{}
	for n := range nodes {
		results = append(results, c.showBlock(n))
	}
	return results
}

// appendChildren adds blocks to a page or block, at its end or behind one of
// its blocks.
func appendChildren(c *call) (map[string]any, *refusal) {
	body := c.body()
	if wrong := first(body.at("children").isArray(maxElements), c.appendable(body)); wrong != nil {
		return nil, invalid("body", wrong)
	}
	drafts, refused := body.at("children").made()
	if refused != nil {
		return nil, refused
	}
	n, refused := c.pathBlock()
	if refused != nil {
		return nil, refused
	}
	if refused := c.editable(n); refused != nil {
		return nil, refused
	}
	if kind := kit.Text(n.Value(), "type"); n.kind == blocks && !nests(kind) || n.kind == databases {
		return nil, refuse("Block does not support children.")
	}
	first, step, refused := c.placeFor(n, len(drafts))
	if refused != nil {
		return nil, refused
	}
	made := c.insert(c.parentOf(n), drafts, first, step)
	c.touched(n)
	c.emitContent(n)
	if !c.since(v20210816) {
		return c.showBlock(n), nil
	}
	return listed("block", c.showAll(slices.Values(made)), ""), nil
}

// touched stamps the page that a write went into: the node, or what holds it.
func (c *call) touched(n node) {
	if n.kind == pages {
		c.write(pages, n.Record, nil)
		return
	}
	c.touch(n.Value())
}

func nests(kind string) bool {
	s, _ := shapeOf(kind)
	return s.nests
}

// appendable judges where blocks are to go: after gave way to position.
func (c *call) appendable(body place) problem {
	if c.since(v20260311) {
		if at := body.at("after"); at.sent {
			return at.should("not present")
		}
	} else if at := body.at("after"); at.sent && !at.null() {
		if wrong := at.isUUID(); wrong != nil {
			return wrong
		}
	}
	if at := body.at("position"); at.sent {
		if wrong := first(at.isObject(), at.at("type").isOne("after_block", "start", "end")); wrong != nil {
			return wrong
		}
		if at.at("type").value == "after_block" {
			return first(at.at("after_block").isObject(), at.at("after_block").at("id").isUUID())
		}
	}
	return body.only("children", "after", "position")
}

// placeFor gives the position of the first of some new blocks, and how far
// apart they are.
func (c *call) placeFor(n node, count int) (first, step float64, refused *refusal) {
	after, _ := c.Input.Body["after"].(string)
	position := cast.Object(c.Input.Body["position"])
	switch kit.Text(position, "type") {
	case "after_block":
		after = kit.Text(position, "after_block.id")
	case "start", "page_start":
		all := c.children(n.ID)
		if len(all) == 0 {
			return 1, 1, nil
		}
		low, _ := float(all[0].Value()["position"])
		return low - float64(count), 1, nil
	}
	if after == "" {
		return c.last(n.ID), 1, nil
	}
	id, _ := uuidOf(after)
	all := c.children(n.ID)
	i := slices.IndexFunc(all, func(child node) bool { return child.ID == id })
	if i < 0 {
		return 0, 0, refuse("Block to insert after (%s) is not a child of the parent block.", id)
	}
	low, _ := float(all[i].Value()["position"])
	high := low + float64(count) + 1
	if i+1 < len(all) {
		high, _ = float(all[i+1].Value()["position"])
	}
	step = (high - low) / float64(count+1)
	return low + step, step, nil
}

// parentOf is how what a node holds names it.
func (c *call) parentOf(n node) map[string]any {
	if n.kind == pages {
		return map[string]any{"type": "page_id", "page_id": n.ID}
	}
	return map[string]any{"type": "block_id", "block_id": n.ID}
}

// insert makes blocks, and those within them.
func (c *call) insert(parent map[string]any, drafts []draft, first, step float64) []node {
	made := make([]node, 0, len(drafts))
	for i, d := range drafts {
		id := c.uuid("8")
		r := c.create(blocks, map[string]any{
			"object": "block", "id": id, "parent": parent, "created_time": c.minute(), "last_edited_time": c.minute(),
			"created_by": c.me(), "last_edited_by": c.me(), "in_trash": false, "type": d.kind, d.kind: d.content,
			"position": first + float64(i)*step,
		})
		c.insert(map[string]any{"type": "block_id", "block_id": id}, d.within, 1, 1)
		made = append(made, node{blocks, r})
	}
	return made
}

// updateBlock changes what was sent of a block's content.
func updateBlock(c *call) (map[string]any, *refusal) {
	body := c.body()
	trash, sent, wrong := c.trashing(body)
	if wrong != nil {
		return nil, invalid("body", wrong)
	}
	kind := body.blockType()
	n, refused := c.pathBlock()
	if refused != nil {
		return nil, refused
	}
	if sent && trash != trashed(n.Value()) {
		if refused := c.bury(n, trash); refused != nil {
			return nil, refused
		}
		n, _ = c.node(n.ID)
	}
	if kind == "" {
		if wrong := body.only("archived", "in_trash", "type", "object"); wrong != nil {
			return nil, invalid("body", wrong)
		}
		return c.showBlock(n), nil
	}
	if refused := c.editable(n); refused != nil {
		return nil, refused
	}
	if n.kind != blocks || kind != kit.Text(n.Value(), "type") {
		return nil, refuse("Expected block type %s in request body", kit.Text(c.showBlock(n), "type"))
	}
	s, _ := shapeOf(kind)
	changes, wrong := body.at(kind).fieldsOf(s, false)
	if wrong != nil {
		return nil, invalid("body", wrong)
	}
	content := maps.Clone(cast.Object(n.Value()[kind]))
	maps.Copy(content, changes)
	r := c.write(blocks, n.Record, map[string]any{kind: content})
	c.touch(r.Value())
	c.emitContent(node{blocks, r})
	return c.showBlock(node{blocks, r}), nil
}

// trashing reads whether something is to go to the trash, or to come back.
func (c *call) trashing(body place) (trash, sent bool, wrong problem) {
	for _, field := range []string{"archived", "in_trash"} {
		at := body.at(field)
		if !at.sent {
			continue
		}
		if field == "archived" && c.since(v20260311) {
			return false, false, at.should("not present")
		}
		if wrong := at.isBool(); wrong != nil {
			return false, false, wrong
		}
		trash, sent = at.value == true, true
	}
	return trash, sent, nil
}

func deleteBlock(c *call, n node) (map[string]any, *refusal) {
	if trashed(n.Value()) {
		return nil, archived("block")
	}
	if refused := c.bury(n, true); refused != nil {
		return nil, refused
	}
	n, _ = c.node(n.ID)
	return c.showBlock(n), nil
}

// bury moves a node to the trash, or takes it out again.
func (c *call) bury(n node, trash bool) *refusal {
	if c.buried(n.Value()) {
		return archivedAncestor(map[bool]string{true: "page", false: "block"}[n.kind == pages])
	}
	if kit.Text(n.Value(), "parent.type") == "workspace" && n.kind == pages && trash {
		return refuse("Archiving workspace level pages via API not supported.")
	}
	r := c.write(n.kind, n.Record, map[string]any{"in_trash": trash})
	c.touch(r.Value())
	if n.kind == databases {
		c.buryData(n.ID, trash)
	}
	c.emitTrash(node{n.kind, r}, trash)
	return nil
}
