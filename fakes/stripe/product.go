package stripe

import (
	"net/http"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func listProducts(c *call) (answer, *refusal) {
	keep := c.flags(func(r *world.Record) bool { return !deleted(r) }, "active", "shippable")
	if ids := cast.List(c.Input.Query["ids"]); ids != nil {
		keep = also(keep, func(r *world.Record) bool { return slices.Contains(ids, any(r.ID)) })
	}
	return c.list(products, "product", keep, "url")
}

func createProduct(c *call) (answer, *refusal) {
	id := c.text("id")
	if id == "" {
		id = c.NewID("prod_", 14)
	} else if _, taken := c.Tx.Get(full(products), id); taken {
		return answer{}, &refusal{status: http.StatusBadRequest, code: "resource_already_exists", message: "Product already exists."}
	}
	value := c.newProduct(id, c.text("name"))
	if refused := c.describeProduct(value); refused != nil {
		return answer{}, refused
	}
	var price map[string]any
	if data := cast.Object(c.Input.Body["default_price_data"]); data != nil {
		var refused *refusal
		if price, refused = c.priceOf(data, id, "default_price_data"); refused != nil {
			return answer{}, refused
		}
		value["default_price"] = price["id"]
	}
	record := c.create(products, value)
	c.emit("product.created", record.Value(), nil)
	if price != nil {
		c.emit("price.created", c.create(prices, price).Value(), nil)
	}
	return answer{record: record, collection: products}, nil
}

func (c *call) newProduct(id, title string) map[string]any {
	return map[string]any{
		"id": id, "object": "product", "active": true, "attributes": []any{}, "created": c.now(), "default_price": nil, "description": nil,
		"images": []any{}, "livemode": false, "marketing_features": []any{}, "metadata": map[string]any{}, "name": title,
		"package_dimensions": nil, "shippable": nil, "statement_descriptor": nil, "tax_code": nil, "type": "service",
		"unit_label": nil, "updated": c.now(), "url": nil,
	}
}

// productFrom makes a product of what a price says of it.
func (c *call) productFrom(data map[string]any) map[string]any {
	id := cast.Text(data["id"])
	if id == "" {
		id = c.NewID("prod_", 14)
	}
	value := c.newProduct(id, cast.Text(data["name"]))
	assign(value, data, "active", "description", "statement_descriptor", "tax_code", "unit_label")
	if tags := cast.Object(data["metadata"]); tags != nil {
		value["metadata"] = kit.Merge(nil, tags)
	}
	return value
}

func (c *call) describeProduct(value map[string]any) *refusal {
	assign(value, c.Input.Body, "active", "description", "name", "package_dimensions", "shippable", "statement_descriptor", "tax_code", "unit_label", "url")
	setLists(value, c.Input.Body, "images", "marketing_features")
	merged, refused := c.metadata(value["metadata"])
	value["metadata"] = merged
	return refused
}

func updateProduct(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	if refused := c.describeProduct(value); refused != nil {
		return answer{}, refused
	}
	if id := c.text("default_price"); id != "" {
		price, ok := c.find(prices, id)
		if !ok {
			return answer{}, missing(http.StatusBadRequest, "price", id, "default_price")
		}
		if price.Value()["product"] != old.ID {
			return answer{}, invalid("default_price", "", "The price %s belongs to another product (%v).", id, price.Value()["product"])
		}
		value["default_price"] = id
	}
	value["updated"] = c.now()
	record := c.update(products, value)
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("product.updated", record.Value(), before)
	}
	return answer{record: record, collection: products}, nil
}

func deleteProduct(c *call, old *world.Record) (answer, *refusal) {
	for range c.Tx.Find(full(prices), "product", old.ID, 0) {
		return answer{}, invalid("", "", "This product cannot be deleted because it has one or more user-created prices.")
	}
	record := c.update(products, tombstone(old))
	c.emit("product.deleted", old.Value(), nil)
	return answer{record: record, collection: products}, nil
}
