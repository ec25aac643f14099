package notion

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) pathPage() (*world.Record, *refusal) {
	id, refused := c.pathID("page_id")
	if refused != nil {
		return nil, refused
	}
	return c.seenPage(id)
}

func (c *call) seenPage(id string) (*world.Record, *refusal) {
	r, ok := c.find(pages, id)
	if !ok {
		if other, known := c.node(id); known && c.shared(other.Value()) {
			return nil, refuse("Provided ID %s is a %s, not a page. Use the retrieve %[2]s API instead.", id, strings.TrimSuffix(other.kind, "s"))
		}
	}
	if !ok || !c.shared(r.Value()) {
		return nil, c.missing("page", id)
	}
	return r, nil
}

func getPage(c *call, r *world.Record) (map[string]any, *refusal) {
	return c.showPage(r.Value(), c.narrowed()), nil
}

// narrowed lists the properties that the address asks for; nil: all.
func (c *call) narrowed() []string {
	var names []string
	for _, item := range cast.List(c.Input.Query["filter_properties"]) {
		if name, ok := item.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// createPage makes a page, with the blocks that are sent with it.
func createPage(c *call) (map[string]any, *refusal) {
	body := c.body()
	if wrong := first(body.at("parent").defined(), body.at("properties").optional(place.isObject), body.only("parent", "properties", "icon", "cover", "content", "children", "markdown", "allow_async", "template", "position", "markdown_version")); wrong != nil {
		return nil, invalid("body", wrong)
	}
	children := body.at("children")
	if !children.sent {
		children = body.at("content")
	}
	drafts := []draft{}
	if children.sent && !children.null() {
		var refused *refusal
		if drafts, refused = children.made(); refused != nil {
			return nil, refused
		}
	}
	if at := body.at("markdown"); at.sent {
		if wrong := at.isText(500_000); wrong != nil {
			return nil, invalid("body", wrong)
		}
		if children.sent {
			return nil, refuse("The `markdown` parameter is mutually exclusive with `children` and `content`.")
		}
		drafts = parseMarkdown(kit.Text(c.Input.Body, "markdown"))
	}
	value, refused := c.newPage(body)
	if refused != nil {
		return nil, refused
	}
	template, refused := c.template(body.at("template"), value)
	if refused != nil {
		return nil, refused
	}
	if body.at("markdown").sent && titleOfPage(value) == "" && len(drafts) > 0 && drafts[0].kind == "heading_1" {
		retitle(value, drafts[0].content["rich_text"])
		drafts = drafts[1:]
	}
	r := c.create(pages, value)
	c.insert(map[string]any{"type": "page_id", "page_id": r.ID}, drafts, 1, 1)
	c.linkBack(nil, r)
	c.copyBlocks(template, map[string]any{"type": "page_id", "page_id": r.ID})
	c.touch(r.Value())
	c.emit("page.created", node{pages, r}, nil)
	return c.showPage(r.Value(), c.narrowed()), nil
}

// retitle gives a new page that has no title its first heading for one.
func retitle(value map[string]any, title any) {
	for _, property := range cast.Object(value["properties"]) {
		if property := cast.Object(property); property["type"] == "title" {
			property["title"] = title
			return
		}
	}
}

// newPage reads what a new page is to be.
func (c *call) newPage(body place) (map[string]any, *refusal) {
	icon, wrong := body.at("icon").icon(true)
	if wrong != nil {
		return nil, invalid("body", wrong)
	}
	cover, wrong := body.at("cover").icon(false)
	if wrong != nil {
		return nil, invalid("body", wrong)
	}
	at, refused := c.home(body.at("parent"), true)
	if refused != nil {
		return nil, refused
	}
	id := c.uuid("8")
	value := map[string]any{
		"object": "page", "id": id, "created_time": c.minute(), "last_edited_time": c.minute(),
		"created_by": c.me(), "last_edited_by": c.me(), "cover": cover, "icon": icon, "parent": at.parent,
		"in_trash": false, "is_archived": false, "is_locked": false, "public_url": nil,
	}
	if at.source == nil {
		if at.within != nil {
			if value["position"], refused = c.positioned(body.at("position"), *at.within); refused != nil {
				return nil, refused
			}
		}
		value["properties"], refused = c.titleOnly(body.at("properties"), nil)
		return value, refused
	}
	value["properties"], refused = c.valued(body.at("properties"), at.source, nil)
	return value, refused
}

// positioned reads where among what a page holds a new page is to be.
func (c *call) positioned(at place, within node) (float64, *refusal) {
	if at.sent {
		if wrong := first(at.isObject(), at.at("type").isOne("after_block", "page_start", "page_end")); wrong != nil {
			return 0, invalid("body", wrong)
		}
		if at.at("type").value == "after_block" {
			if wrong := first(at.at("after_block").isObject(), at.at("after_block").at("id").isUUID()); wrong != nil {
				return 0, invalid("body", wrong)
			}
		}
	}
	position, _, refused := c.placeFor(within, 1)
	return position, refused
}

// titleOnly reads the properties of a page that is in no data source: it has a
// title and no others.
func (c *call) titleOnly(at place, old map[string]any) (map[string]any, *refusal) {
	title := []any{}
	if was, ok := old["title"].(map[string]any); ok {
		title = cast.List(was["title"])
	}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(cast.Object(at.value))) {
		field := at.at(name)
		if name != "title" && name != "Title" {
			wrong = append(wrong, name+" is not a property that exists.")
			continue
		}
		if _, bare := field.value.([]any); !bare {
			if bad := first(field.isObject(), field.at("title").defined()); bad != nil {
				return nil, invalid("body", bad)
			}
			field = field.at("title")
		}
		texts, bad := field.texts()
		if bad != nil {
			return nil, invalid("body", bad)
		}
		title = texts
	}
	if len(wrong) > 0 {
		return nil, refuse("%s", strings.Join(wrong, " "))
	}
	return map[string]any{"title": map[string]any{"id": "title", "type": "title", "title": title}}, nil
}

// updatePage changes properties, looks and whereabouts.
func updatePage(c *call) (map[string]any, *refusal) {
	body := c.body()
	trash, sent, wrong := c.trashing(body)
	if wrong = first(wrong, body.at("properties").optional(place.isObject), body.at("is_locked").optional(place.isBool), body.at("is_archived").optional(place.isBool),
		body.only("properties", "icon", "cover", "is_locked", "template", "erase_content", "in_trash", "archived", "is_archived", "parent")); wrong != nil {
		return nil, invalid("body", wrong)
	}
	changes, refused := c.pageLooks(body)
	if refused != nil {
		return nil, refused
	}
	r, refused := c.pathPage()
	if refused != nil {
		return nil, refused
	}
	properties := body.at("properties")
	if c.onlyTrash(body) && sent && trash == trashed(r.Value()) {
		return c.showPage(r.Value(), c.narrowed()), nil
	}
	if sent && trash != trashed(r.Value()) {
		if refused := c.bury(node{pages, r}, trash); refused != nil {
			return nil, refused
		}
		r, _ = c.find(pages, r.ID)
	}
	if c.onlyTrash(body) {
		return c.showPage(r.Value(), c.narrowed()), nil
	}
	if refused := c.editable(node{pages, r}); refused != nil {
		return nil, refused
	}
	if properties.sent {
		if changes["properties"], refused = c.revalued(properties, r); refused != nil {
			return nil, refused
		}
	}
	if body.at("erase_content").value == true {
		for _, child := range c.children(r.ID) {
			if child.kind == blocks {
				c.write(blocks, child.Record, map[string]any{"in_trash": true})
			}
		}
	}
	old := r.Value()
	r = c.write(pages, r, changes)
	c.linkBack(old, r)
	c.emit("page.properties_updated", node{pages, r}, changed(old, r.Value()))
	return c.showPage(r.Value(), c.narrowed()), nil
}

func (c *call) onlyTrash(body place) bool {
	for field := range cast.Object(body.value) {
		if field != "archived" && field != "in_trash" {
			return false
		}
	}
	return true
}

// pageLooks reads icon, cover and lock.
func (c *call) pageLooks(body place) (map[string]any, *refusal) {
	changes := map[string]any{}
	for _, field := range []string{"icon", "cover"} {
		if at := body.at(field); at.sent {
			value, wrong := at.icon(field == "icon")
			if wrong != nil {
				return nil, invalid("body", wrong)
			}
			changes[field] = value
		}
	}
	for _, field := range []string{"is_locked", "is_archived"} {
		if at := body.at(field); at.sent {
			changes[field] = at.value
		}
	}
	return changes, nil
}

// revalued reads the properties that are to change.
func (c *call) revalued(at place, r *world.Record) (map[string]any, *refusal) {
	old := cast.Object(r.Value()["properties"])
	if kit.Text(r.Value(), "parent.type") != "data_source_id" {
		return c.titleOnly(at, old)
	}
	source, ok := c.find(dataSources, kit.Text(r.Value(), "parent.data_source_id"))
	if !ok {
		return nil, c.missing("database", kit.Text(r.Value(), "parent.data_source_id"))
	}
	return c.valued(at, source, old)
}

// movePage gives a page another parent.
func movePage(c *call) (map[string]any, *refusal) {
	body := c.body()
	if wrong := first(body.at("parent").isObject(), body.only("parent")); wrong != nil {
		return nil, invalid("body", wrong)
	}
	r, refused := c.pathPage()
	if refused != nil {
		return nil, refused
	}
	if refused := c.editable(node{pages, r}); refused != nil {
		return nil, refused
	}
	at, refused := c.home(body.at("parent"), false)
	if refused != nil {
		return nil, refused
	}
	changes := map[string]any{"parent": at.parent}
	if at.within != nil {
		if at.within.ID == r.ID || c.under(at.within.Value(), r.ID) {
			return nil, refuse("Cannot move a page into itself or its own descendants.")
		}
		changes["position"] = c.last(at.within.ID)
	}
	if at.source != nil {
		changes["position"] = 0.0
	}
	changes["properties"] = c.carried(r, at.source)
	c.touch(r.Value())
	r = c.write(pages, r, changes)
	c.touch(r.Value())
	c.emit("page.moved", node{pages, r}, nil)
	return c.showPage(r.Value(), nil), nil
}

func (c *call) under(value map[string]any, id string) bool {
	for up := range c.above(value) {
		if up.ID == id {
			return true
		}
	}
	return false
}

// carried are the properties that a page has at its new place: its title, and
// those that the data source has by the same name and type.
func (c *call) carried(r *world.Record, source *world.Record) map[string]any {
	old := cast.Object(r.Value()["properties"])
	title := map[string]any{"id": "title", "type": "title", "title": []any{}}
	for _, value := range old {
		if kit.Text(cast.Object(value), "type") == "title" {
			title["title"] = cast.Object(value)["title"]
		}
	}
	if source == nil {
		return map[string]any{"title": title}
	}
	kept := map[string]any{}
	for name, config := range cast.Object(source.Value()["properties"]) {
		kind := kit.Text(cast.Object(config), "type")
		if kind == "title" {
			kept[name] = title
		} else if was := cast.Object(old[name]); kit.Text(was, "type") == kind {
			moved := maps.Clone(was)
			moved["id"] = cast.Object(config)["id"]
			kept[name] = moved
		}
	}
	return kept
}
