package sendgrid

import (
	"maps"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

func (c *call) members(id string) int64 {
	n := int64(0)
	c.all(contacts, func(r *world.Record) bool {
		if hasAny(cast.List(r.Value()["list_ids"]), id) {
			n++
		}
		return true
	})
	return n
}

func (c *call) shownList(r *world.Record) map[string]any {
	return map[string]any{
		"id": r.ID, "name": r.Value()["name"], "contact_count": c.members(r.ID),
		"_metadata": map[string]any{"self": c.Base + "/v3/marketing/lists/" + r.ID},
	}
}

func listLists(c *call) (answer, *refusal) {
	size := c.count("page_size", 100)
	offset, good := offsetOf(c.query("page_token"))
	switch {
	case size < 1 || size > 1000:
		return answer{}, invalid("page_size", "page_size must be between 1 and 1000")
	case !good:
		return answer{}, invalid("page_token", "invalid page_token")
	}
	page, n := []any{}, 0
	c.all(lists, func(r *world.Record) bool {
		if n >= offset && len(page) < size {
			page = append(page, c.shownList(r))
		}
		n++
		return true
	})
	return ok(map[string]any{"result": page, "_metadata": c.metadata(size, offset, n)}), nil
}

func (c *call) nameList(self string) (string, *refusal) {
	name := strings.TrimSpace(cast.Text(c.Input.Body["name"]))
	if name == "" {
		return "", invalid("name", "name is required")
	}
	taken := false
	c.all(lists, func(r *world.Record) bool {
		taken = r.ID != self && r.Value()["name"] == name
		return !taken
	})
	if taken {
		return "", invalid("name", "list name already exists")
	}
	return name, nil
}

// createList answers 201, as recorded, where SendGrid's document says 200.
func createList(c *call) (answer, *refusal) {
	name, refused := c.nameList("")
	if refused != nil {
		return answer{}, refused
	}
	id := c.id(c.uuid)
	record := c.put(lists, id, map[string]any{"id": id, "name": name, "created": c.Now.Unix()})
	return created(c.shownList(record)), nil
}

func (c *call) list() (*world.Record, *refusal) {
	return c.member(lists, "id", refuse(http.StatusNotFound, "", "list not found"))
}

func getList(c *call, record *world.Record) (answer, *refusal) {
	value := c.shownList(record)
	if c.Input.Query["contact_sample"] == true {
		c.all(contacts, func(r *world.Record) bool {
			if hasAny(cast.List(r.Value()["list_ids"]), record.ID) {
				value["contact_sample"] = c.shownContact(r.Value())
				return false
			}
			return true
		})
	}
	return ok(value), nil
}

func updateList(c *call, record *world.Record) (answer, *refusal) {
	name, refused := c.nameList(record.ID)
	if refused != nil {
		return answer{}, refused
	}
	value := maps.Clone(record.Value())
	value["name"] = name
	return ok(c.shownList(c.put(lists, record.ID, value))), nil
}

// deleteList deletes a list; its contacts stay, unless they are to go too.
func deleteList(c *call, record *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, lists, record.ID)
	if c.Input.Query["delete_contacts"] == true {
		a := c.job("delete_contacts", c.members(record.ID), map[string]any{"list": record.ID})
		a.status = http.StatusOK
		return a, nil
	}
	var members []*world.Record
	c.all(contacts, func(r *world.Record) bool {
		if hasAny(cast.List(r.Value()["list_ids"]), record.ID) {
			members = append(members, r)
		}
		return true
	})
	for _, member := range members {
		c.offList(member, record.ID)
	}
	return noContent, nil
}

func removeFromList(c *call, record *world.Record) (answer, *refusal) {
	var ids []any
	for id := range strings.SplitSeq(c.query("contact_ids"), ",") {
		ids = append(ids, strings.TrimSpace(id))
	}
	return c.job("remove_contacts", int64(len(ids)), map[string]any{"list": record.ID, "ids": ids}), nil
}

func countList(c *call, record *world.Record) (answer, *refusal) {
	n := c.members(record.ID)
	return ok(map[string]any{"contact_count": n, "billable_count": n}), nil
}
