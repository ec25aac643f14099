package hubspot

import (
	"net/http"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// groupThere tells whether a type has a group of properties: its own, one that
// the account made, or one that a property is in.
func (c *call) groupThere(o *objectType, group string) bool {
	if group == groupOf(o) {
		return true
	}
	if _, ok := c.fake.store.Get(c.Tx, groups, o.name+"/"+group); ok {
		return true
	}
	for _, r := range c.stored(o) {
		if cast.Text(r.Value()["groupName"]) == group {
			return true
		}
	}
	return false
}

func ownGroup(o *objectType) map[string]any {
	return map[string]any{"name": groupOf(o), "label": label(o.singular) + " information", "displayOrder": int64(0), "archived": false}
}

func shownGroup(value map[string]any) map[string]any {
	return map[string]any{"name": value["name"], "label": value["label"], "displayOrder": value["displayOrder"], "archived": false}
}

func listGroups(c *call, o *objectType) (answer, *refusal) {
	var own []any
	for r := range c.fake.store.Find(c.Tx, groups, "objectType", o.name) {
		own = append(own, shownGroup(r.Value()))
	}
	slices.Reverse(own)
	return ok(map[string]any{"results": append([]any{ownGroup(o)}, own...)})
}

func getGroup(c *call, o *objectType) (answer, *refusal) {
	group := c.Input.Path["groupName"]
	if r, there := c.fake.store.Get(c.Tx, groups, o.name+"/"+group); there {
		return ok(shownGroup(r.Value()))
	}
	if group == groupOf(o) {
		return ok(ownGroup(o))
	}
	r := missing()
	r.category, r.message = notFoundCategory, "Property group "+kit.Clip(group)+" does not exist."
	return answer{}, r
}

func createGroup(c *call, o *objectType) (answer, *refusal) {
	group := c.text("name")
	if c.groupThere(o, group) {
		return answer{}, &refusal{status: http.StatusConflict, category: "OBJECT_ALREADY_EXISTS", message: "A property group named '" + kit.Clip(group) + "' already exists."}
	}
	value := map[string]any{"id": o.name + "/" + group, "objectType": o.name, "name": group, "label": c.text("label"), "displayOrder": int64(-1)}
	if n, sent := c.Input.Body["displayOrder"].(int64); sent {
		value["displayOrder"] = n
	}
	c.fake.store.Create(c.Tx, groups, cast.Text(value["id"]), value)
	return answer{status: http.StatusCreated, value: shownGroup(value)}, nil
}

func updateGroup(c *call, o *objectType) (answer, *refusal) {
	shown, refused := getGroup(c, o)
	if refused != nil {
		return answer{}, refused
	}
	group := c.Input.Path["groupName"]
	value := map[string]any{"id": o.name + "/" + group, "objectType": o.name, "name": group, "label": shown.value["label"], "displayOrder": shown.value["displayOrder"]}
	for _, field := range []string{"label", "displayOrder"} {
		if sent, given := c.Input.Body[field]; given && sent != nil {
			value[field] = sent
		}
	}
	return ok(shownGroup(c.fake.store.Put(c.Tx, groups, cast.Text(value["id"]), value).Value()))
}

// archiveGroup takes a group of the account's own away, as long as no property
// is in it.
func archiveGroup(c *call, o *objectType) (answer, *refusal) {
	group := c.Input.Path["groupName"]
	if group == groupOf(o) {
		return answer{}, invalid("Property group %s is defined by HubSpot and cannot be archived", kit.Clip(group))
	}
	for _, r := range c.stored(o) {
		if r.Value()["archived"] != true && cast.Text(r.Value()["groupName"]) == group {
			return answer{}, invalid("Property group %s cannot be archived while it has properties", kit.Clip(group))
		}
	}
	if r, there := c.fake.store.Get(c.Tx, groups, o.name+"/"+group); there {
		c.fake.store.Delete(c.Tx, groups, r.ID)
	}
	return done()
}
