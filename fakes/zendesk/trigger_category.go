package zendesk

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// triggerCategories are folders of triggers, whose ids are text.
const triggerCategories = "trigger_categories"

func triggerCategoryHandlers() map[string]handler {
	show := func(_ *call, r *world.Record) (answer, *refusal) {
		return answer{value: map[string]any{"trigger_category": r.Value()}}, nil
	}
	return map[string]handler{
		"ListTriggerCategories":   func(c *call) (answer, *refusal) { return c.byCursorOnly(listing{collection: triggerCategories}) },
		"ShowTriggerCategoryById": on(triggerCategories, "trigger_category_id", show),
		"CreateTriggerCategory": func(c *call) (answer, *refusal) {
			n := key(c.fresh(triggerCategories))
			value := map[string]any{"id": n, "name": "", "position": int64(c.Tx.Len(full(triggerCategories)) + 1), "created_at": c.now(), "updated_at": c.now()}
			if refused := c.sayCategory(value); refused != nil {
				return answer{}, refused
			}
			c.fake.store.Create(c.Tx, triggerCategories, n, value)
			return answer{status: http.StatusCreated, value: map[string]any{"trigger_category": value}}, nil
		},
		"UpdateTriggerCategory": on(triggerCategories, "trigger_category_id", func(c *call, r *world.Record) (answer, *refusal) {
			value := with(r.Value(), map[string]any{"updated_at": c.now()})
			if refused := c.sayCategory(value); refused != nil {
				return answer{}, refused
			}
			return show(c, c.fake.store.Update(c.Tx, triggerCategories, r.ID, value))
		}),
		"DeleteTriggerCategory": on(triggerCategories, "trigger_category_id", deleteTriggerCategory),
	}
}

func (c *call) sayCategory(value map[string]any) *refusal {
	said := c.part("trigger_category")
	if v, sent := said["name"].(string); sent {
		value["name"] = v
	}
	if n, ok := whole(said["position"]); ok {
		value["position"] = n
	}
	if value["name"] == "" {
		return invalid(blank("name"))
	}
	return nil
}

// deleteTriggerCategory takes a folder away that no trigger is in.
func deleteTriggerCategory(c *call, r *world.Record) (answer, *refusal) {
	for one := range c.Tx.Oldest(full(triggers), 0) {
		if cast.Plain(one.Value()["category_id"]) == r.ID {
			return answer{}, invalid(fault{field: "base", description: "Category: has triggers, and cannot be deleted", code: "InvalidValue"})
		}
	}
	c.fake.store.Delete(c.Tx, triggerCategories, r.ID)
	return answer{status: http.StatusNoContent}, nil
}

// byPlace orders triggers by their category's position before their own.
func (c *call) byPlace(a, b *world.Record) int {
	return compare("position", c.placeOf(a), c.placeOf(b))
}

func (c *call) placeOf(r *world.Record) any {
	if of, ok := c.Tx.Get(full(triggerCategories), cast.Plain(r.Value()["category_id"])); ok {
		return of.Value()["position"]
	}
	return int64(0)
}
