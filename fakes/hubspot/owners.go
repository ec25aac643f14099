package hubspot

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mostOwners is how many owners a page has, by default and at most.
const mostOwners = 500

func listOwners(c *call) (answer, *refusal) {
	limit := mostOwners
	if n, sent := c.Input.Query["limit"].(int64); sent {
		if n < 1 || n > mostOwners {
			return answer{}, invalid("limit must be between 1 and %d", mostOwners)
		}
		limit = int(n)
	}
	from := uint64(0)
	if cursor := c.query("after"); cursor != "" {
		r, there := c.fake.store.Get(c.Tx, owners, cursor)
		if !there {
			return answer{}, invalid("Invalid after parameter: %s", kit.Clip(cursor))
		}
		from = r.Order
	}
	email, archived := c.query("email"), c.flag("archived")
	results, last := []any{}, ""
	for r := range c.Tx.Oldest(c.fake.store.Full(owners), from) {
		if (r.Value()["archived"] == true) != archived || email != "" && r.Value()["email"] != email {
			continue
		}
		if len(results) == limit {
			return c.page(results, last)
		}
		results, last = append(results, shownOwner(r)), r.ID
	}
	return c.page(results, "")
}

func shownOwner(r *world.Record) map[string]any {
	shown := changed(r.Value())
	if shown["type"] == nil {
		shown["type"] = "PERSON"
	}
	if shown["userIdIncludingInactive"] == nil && shown["userId"] != nil {
		shown["userIdIncludingInactive"] = shown["userId"]
	}
	return shown
}

func getOwner(c *call) (answer, *refusal) {
	key, archived := c.Input.Path["ownerId"], c.flag("archived")
	for r := range c.Tx.Oldest(c.fake.store.Full(owners), 0) {
		id := r.ID
		if c.query("idProperty") == "userId" {
			id = cast.Plain(r.Value()["userId"])
		}
		if id == key && (r.Value()["archived"] == true) == archived {
			return ok(shownOwner(r))
		}
	}
	if !digits(key) {
		return answer{}, invalid("Invalid owner id: %s", kit.Clip(key))
	}
	return answer{}, &refusal{status: http.StatusNotFound, category: notFoundCategory, message: "resource not found"}
}
