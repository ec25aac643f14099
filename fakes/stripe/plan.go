package stripe

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Plans are recurring prices in their older shape: one is the other, under one
// id.

// planOf shows a price as a plan.
func planOf(price map[string]any) map[string]any {
	often := cast.Object(price["recurring"])
	plan := map[string]any{
		"id": price["id"], "object": "plan", "active": price["active"], "amount": price["unit_amount"], "amount_decimal": price["unit_amount_decimal"],
		"billing_scheme": price["billing_scheme"], "created": price["created"], "currency": price["currency"],
		"interval": often["interval"], "interval_count": or(often["interval_count"], int64(1)), "livemode": false, "metadata": price["metadata"],
		"meter": often["meter"], "nickname": price["nickname"], "product": price["product"], "tiers_mode": price["tiers_mode"],
		"transform_usage": price["transform_quantity"], "trial_period_days": often["trial_period_days"], "usage_type": or(often["usage_type"], "licensed"),
	}
	return plan
}

func (c *call) planPrice() (*world.Record, *refusal) {
	id := c.Input.Path["plan"]
	record, ok := c.find(prices, id)
	if !ok || deleted(record) || record.Value()["type"] != "recurring" {
		return nil, missing(http.StatusNotFound, "plan", id, "plan")
	}
	return record, nil
}

func getPlan(c *call, record *world.Record) (answer, *refusal) {
	return answer{value: planOf(record.Value())}, nil
}

func listPlans(c *call) (answer, *refusal) {
	keep := c.flags(func(r *world.Record) bool { return !deleted(r) && r.Value()["type"] == "recurring" }, "active")
	found, refused := c.list(prices, "plan", keep, "product")
	if refused != nil {
		return answer{}, refused
	}
	items := []any{}
	for _, record := range found.page.Records {
		items = append(items, planOf(record.Value()))
	}
	envelope := kit.Merge(found.found, map[string]any{"has_more": found.page.More})
	return answer{items: items, found: envelope}, nil
}

func createPlan(c *call) (answer, *refusal) {
	body := c.Input.Body
	product, sketch := c.text("product"), cast.Object(body["product"])
	switch {
	case sketch != nil:
		made := c.productFrom(sketch)
		product = cast.Text(made["id"])
		c.drafts = append(c.drafts, drafted{products, made})
	case product == "":
		return answer{}, required("product")
	default:
		if _, refused := c.live(theProduct, product, http.StatusBadRequest, "product"); refused != nil {
			return answer{}, refused
		}
	}
	data := map[string]any{
		"recurring": body, "unit_amount": body["amount"], "unit_amount_decimal": body["amount_decimal"],
	}
	for _, field := range []string{"active", "billing_scheme", "currency", "nickname", "tiers", "tiers_mode"} {
		if sent, ok := body[field]; ok {
			data[field] = sent
		}
	}
	value, refused := c.priceOf(data, product, "")
	if refused != nil {
		return answer{}, refused
	}
	if refused := c.setMetadata(value, nil); refused != nil {
		return answer{}, refused
	}
	value["id"] = c.NewID("plan_", 14)
	if id := c.text("id"); id != "" {
		if _, taken := c.Tx.Get(full(prices), id); taken {
			return answer{}, &refusal{status: http.StatusBadRequest, code: "resource_already_exists", message: "Plan already exists."}
		}
		value["id"] = id
	}
	c.keepDrafts()
	record := c.create(prices, value)
	c.emit("plan.created", planOf(record.Value()), nil)
	c.emit("price.created", record.Value(), nil)
	return answer{value: planOf(record.Value())}, nil
}

func updatePlan(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	assign(value, c.Input.Body, "active", "nickname")
	if id := c.text("product"); id != "" {
		if _, refused := c.live(theProduct, id, http.StatusBadRequest, "product"); refused != nil {
			return answer{}, refused
		}
		value["product"] = id
	}
	if days, ok := c.integer("trial_period_days"); ok {
		often := kit.Merge(nil, cast.Object(value["recurring"]))
		often["trial_period_days"] = days
		value["recurring"] = often
	}
	if refused := c.setMetadata(value, old.Value()["metadata"]); refused != nil {
		return answer{}, refused
	}
	record := c.update(prices, value)
	c.emit("plan.updated", planOf(record.Value()), kit.Before(planOf(old.Value()), planOf(record.Value())))
	return answer{value: planOf(record.Value())}, nil
}

func deletePlan(c *call, old *world.Record) (answer, *refusal) {
	stone := map[string]any{"id": old.ID, "object": "plan", "deleted": true}
	c.update(prices, stone)
	c.emit("plan.deleted", planOf(old.Value()), nil)
	return answer{value: stone}, nil
}
