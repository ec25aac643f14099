package notion

import (
	"maps"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// template finds the page that a new page is to be like, and gives the new page
// its properties and looks where it has none of its own; "" where there is none.
func (c *call) template(at place, value map[string]any) (string, *refusal) {
	if !at.sent || at.null() {
		return "", nil
	}
	if wrong := first(at.isObject(), at.at("type").isOne("none", "default", "template_id")); wrong != nil {
		return "", invalid("body", wrong)
	}
	var found *world.Record
	switch at.at("type").value {
	case "none":
		return "", nil
	case "template_id":
		if wrong := at.at("template_id").isUUID(); wrong != nil {
			return "", invalid("body", wrong)
		}
		id, _ := uuidOf(kit.Text(cast.Object(at.value), "template_id"))
		r, ok := c.find(pages, id)
		if !ok || r.Value()["as_template"] == nil {
			return "", c.missing("page", id)
		}
		found = r
	default:
		for r := range c.fake.store.Find(c.Tx, pages, "parent.data_source_id", kit.Text(value, "parent.data_source_id")) {
			if r.Value()["as_template"] == "default" {
				found = r
			}
		}
		if found == nil {
			return "", refuse("The parent data source has no default template.")
		}
	}
	for _, field := range []string{"icon", "cover"} {
		value[field] = or(value[field], found.Value()[field])
	}
	values := maps.Clone(cast.Object(found.Value()["properties"]))
	maps.Copy(values, cast.Object(value["properties"]))
	value["properties"] = values
	return found.ID, nil
}

// copyBlocks copies the blocks of a page or block, and those within them.
func (c *call) copyBlocks(from string, to map[string]any) {
	if from == "" {
		return
	}
	for _, n := range c.children(from) {
		if n.kind != blocks {
			continue
		}
		id := c.uuid("8")
		kind := kit.Text(n.Value(), "type")
		c.create(blocks, map[string]any{
			"object": "block", "id": id, "parent": to, "created_time": c.minute(), "last_edited_time": c.minute(), "created_by": c.me(),
			"last_edited_by": c.me(), "in_trash": false, "type": kind, kind: n.Value()[kind], "position": n.Value()["position"],
		})
		c.copyBlocks(n.ID, map[string]any{"type": "block_id", "block_id": id})
	}
}
