package zendesk

import (
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// ruleManyHandlers answer for several rules at once.
func ruleManyHandlers() map[string]handler {
	h := map[string]handler{
		"CountViews":         func(c *call) (answer, *refusal) { return c.count(c.Tx.Len(full(views))) },
		"ListViewsById":      func(c *call) (answer, *refusal) { return c.several(views, nil) },
		"ReorderTriggers":    reorder(triggers, "trigger_ids"),
		"ReorderTicketForms": reorder(ticketForms, "ticket_form_ids"),
	}
	for collection, many := range map[string]string{triggers: "Triggers", automations: "Automations", macros: "Macros", views: "Views"} {
		h["Search"+many] = searchRules(collection)
		h["UpdateMany"+many] = updateRules(collection)
		h["DestroyMany"+many] = destroyRules(collection)
	}
	return h
}

// searchRules finds rules by words of their titles.
func searchRules(collection string) handler {
	return func(c *call) (answer, *refusal) {
		asked, active := strings.ToLower(c.query("query")), c.query("active")
		return c.list(listing{collection: collection, narrowed: true, some: c.every(collection, func(r *world.Record) bool {
			return strings.Contains(strings.ToLower(cast.Text(r.Value()["title"])), asked) && (active == "" || r.Value()["active"] == flag(active, true))
		})})
	}
}

// updateRules changes the position or the use of several rules, and answers with
// them.
func updateRules(collection string) handler {
	return func(c *call) (answer, *refusal) {
		k, some := c.fake.kinds[collection], []*world.Record{}
		items := cast.List(c.Input.Body[collection])
		for _, one := range items {
			said, _ := one.(map[string]any)
			if _, ok := c.find(collection, id(said, "id")); !ok {
				return answer{}, notFound()
			}
		}
		for _, one := range items {
			said, _ := one.(map[string]any)
			r, _ := c.find(collection, id(said, "id"))
			changed, refused := c.updateOf(k, r, said)
			if refused != nil {
				return answer{}, refused
			}
			some = append(some, changed)
		}
		return c.list(listing{collection: collection, some: some, narrowed: true})
	}
}

func destroyRules(collection string) handler {
	return func(c *call) (answer, *refusal) {
		asked := ids(c.query("ids"))
		if len(asked) == 0 {
			return answer{}, titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: ids")
		}
		for _, n := range asked {
			if r, ok := c.find(collection, n); ok {
				c.drop(collection, r)
			}
		}
		c.rulesChanged(collection)
		return answer{status: http.StatusNoContent}, nil
	}
}

// reorder sets the positions of records in the order in which ids are given.
func reorder(collection, parameter string) handler {
	return func(c *call) (answer, *refusal) {
		asked := ids(c.Input.Body[parameter])
		if len(asked) == 0 {
			asked = ids(c.query(parameter))
		}
		some := []*world.Record{}
		for _, n := range asked {
			r, ok := c.find(collection, n)
			if !ok {
				return answer{}, notFound()
			}
			some = append(some, r)
		}
		for i, r := range some {
			some[i] = c.fake.store.Update(c.Tx, collection, r.ID, with(r.Value(), map[string]any{"position": int64(i + 1), "updated_at": c.now()}))
		}
		if collection == slaPolicies {
			return answer{}, nil
		}
		return c.list(listing{collection: collection, some: some, narrowed: true})
	}
}
