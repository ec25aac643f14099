package stripe

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func listPrices(c *call) (answer, *refusal) {
	keep := c.flags(func(r *world.Record) bool { return !deleted(r) }, "active")
	if keys := cast.List(c.Input.Query["lookup_keys"]); keys != nil {
		keep = also(keep, func(r *world.Record) bool { return slices.Contains(keys, r.Value()["lookup_key"]) })
	}
	for field, wanted := range cast.Object(c.Input.Query["recurring"]) {
		keep = also(keep, func(r *world.Record) bool { return cast.Object(r.Value()["recurring"])[field] == wanted })
	}
	return c.list(prices, "price", keep, "product", "type", "currency")
}

func createPrice(c *call) (answer, *refusal) {
	product, made := c.text("product"), map[string]any(nil)
	switch data := cast.Object(c.Input.Body["product_data"]); {
	case data != nil && product != "":
		return answer{}, unsaved(invalid("", "", "You may only specify one of these parameters: product, product_data."))
	case data != nil:
		made = c.productFrom(data)
		product = cast.Text(made["id"])
	case product == "":
		return answer{}, required("product")
	default:
		if _, refused := c.live(theProduct, product, http.StatusBadRequest, "product"); refused != nil {
			return answer{}, refused
		}
	}
	value, refused := c.priceOf(c.Input.Body, product, "")
	if refused != nil {
		return answer{}, refused
	}
	if refused := c.setMetadata(value, nil); refused != nil {
		return answer{}, refused
	}
	if refused := c.claimKey(value); refused != nil {
		return answer{}, refused
	}
	if made != nil {
		c.emit("product.created", c.create(products, made).Value(), nil)
	}
	record := c.create(prices, value)
	c.emit("price.created", record.Value(), nil)
	return answer{record: record, collection: prices}, nil
}

// claimKey gives a price its lookup key, which another may have.
func (c *call) claimKey(value map[string]any) *refusal {
	key := cast.Text(value["lookup_key"])
	if key == "" {
		return nil
	}
	for other := range c.Tx.Find(full(prices), "lookup_key", key, 0) {
		if !c.mine(other.ID) {
			continue
		}
		if other.ID == value["id"] {
			continue
		}
		if !c.flag("transfer_lookup_key") {
			return invalid("lookup_key", "", "A price (`%s`) already uses that lookup key.", other.ID)
		}
		given := changed(other)
		given["lookup_key"] = nil
		c.update(prices, given)
	}
	return nil
}

// priceOf is the price that parameters describe; prefix is what they are in.
func (c *call) priceOf(data map[string]any, product, prefix string) (map[string]any, *refusal) {
	param := func(field string) string {
		if prefix == "" {
			return field
		}
		return prefix + "[" + field + "]"
	}
	currency, refused := currencyOf(cast.Text(data["currency"]))
	if refused != nil {
		return nil, refused
	}
	value := map[string]any{
		"id": c.NewID("price_1", 23), "object": "price", "active": true, "billing_scheme": "per_unit", "created": c.now(), "currency": currency,
		"custom_unit_amount": nil, "livemode": false, "lookup_key": nil, "metadata": map[string]any{}, "nickname": nil, "product": product,
		"recurring": nil, "tax_behavior": "unspecified", "tiers_mode": nil, "transform_quantity": nil, "type": "one_time",
		"unit_amount": nil, "unit_amount_decimal": nil,
	}
	assign(value, data, "active", "billing_scheme", "currency_options", "lookup_key", "nickname", "tax_behavior", "tiers_mode", "transform_quantity")
	if sent := cast.Object(data["recurring"]); sent != nil {
		value["type"], value["recurring"] = "recurring", recurring(sent)
	}
	if custom := cast.Object(data["custom_unit_amount"]); custom != nil {
		value["custom_unit_amount"] = map[string]any{"maximum": nil, "minimum": nil, "preset": nil}
	}
	switch amount, exact := data["unit_amount"], cast.Text(data["unit_amount_decimal"]); {
	case value["billing_scheme"] == "tiered":
		if len(cast.List(data["tiers"])) == 0 {
			return nil, required(param("tiers"))
		}
		value["tiers"] = tiers(cast.List(data["tiers"]))
	case amount != nil:
		if whole(amount) < 0 {
			return nil, unsaved(invalid(param("unit_amount"), parameterInteger, "This value must be greater than or equal to 0."))
		}
		value["unit_amount"], value["unit_amount_decimal"] = amount, decimal(amount)
	case exact != "":
		if _, err := strconv.ParseFloat(exact, 64); err != nil {
			return nil, unsaved(invalid(param("unit_amount_decimal"), "", "Invalid decimal: %s", kit.Clip(exact)))
		}
		value["unit_amount_decimal"] = exact
		if n, err := strconv.ParseInt(exact, 10, 64); err == nil {
			value["unit_amount"] = n
		}
	case value["custom_unit_amount"] == nil:
		return nil, unsaved(invalid("", parameterMissing, "Missing required param: %s.", param("unit_amount")))
	}
	return value, nil
}

func recurring(sent map[string]any) map[string]any {
	value := map[string]any{"interval": nil, "interval_count": int64(1), "meter": nil, "trial_period_days": nil, "usage_type": "licensed"}
	assign(value, sent, "interval", "interval_count", "meter", "trial_period_days", "usage_type")
	return value
}

func tiers(sent []any) []any {
	var all []any
	for _, one := range sent {
		given := cast.Object(one)
		tier := map[string]any{"flat_amount": nil, "flat_amount_decimal": nil, "unit_amount": nil, "unit_amount_decimal": nil, "up_to": nil}
		assign(tier, given, "flat_amount", "flat_amount_decimal", "unit_amount", "unit_amount_decimal", "up_to")
		for _, part := range []string{"flat_amount", "unit_amount"} {
			tier[part+"_decimal"] = or(tier[part+"_decimal"], decimal(tier[part]))
		}
		if tier["up_to"] == "inf" {
			tier["up_to"] = nil
		}
		all = append(all, tier)
	}
	return all
}

// amountOf is what a quantity of something costs at a price.
func amountOf(price map[string]any, quantity int64) int64 {
	if by := cast.Object(price["transform_quantity"]); by != nil && whole(by["divide_by"]) > 0 {
		n := whole(by["divide_by"])
		if by["round"] == "up" {
			quantity = (quantity + n - 1) / n
		} else {
			quantity /= n
		}
	}
	if price["billing_scheme"] != "tiered" {
		return times(unit(price, "unit_amount"), float64(quantity))
	}
	sum, below := 0.0, int64(0)
	for _, one := range cast.List(price["tiers"]) {
		tier := cast.Object(one)
		top := whole(tier["up_to"])
		last := tier["up_to"] == nil || quantity <= top
		if price["tiers_mode"] == "volume" {
			if last {
				return times(unit(tier, "unit_amount"), float64(quantity)) + times(unit(tier, "flat_amount"), 1)
			}
			continue
		}
		if last {
			top = quantity
		}
		if top > below {
			sum += unit(tier, "unit_amount")*float64(top-below) + unit(tier, "flat_amount")
		}
		if below = top; last {
			break
		}
	}
	return times(sum, 1)
}

// unit is an amount with its decimals.
func unit(value map[string]any, field string) float64 {
	if exact := value[field+"_decimal"]; exact != nil {
		return real(exact)
	}
	return real(value[field])
}

func updatePrice(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	assign(value, c.Input.Body, "active", "currency_options", "lookup_key", "nickname", "tax_behavior")
	if value["currency_options"] == nil { // absent when unset
		delete(value, "currency_options")
	}
	if refused := c.setMetadata(value, old.Value()["metadata"]); refused != nil {
		return answer{}, refused
	}
	if refused := c.claimKey(value); refused != nil {
		return answer{}, refused
	}
	record := c.update(prices, value)
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("price.updated", record.Value(), before)
	}
	return answer{record: record, collection: prices}, nil
}

// usablePrice finds a price that something new can be sold at.
func (c *call) usablePrice(id, param string, wantRecurring any) (map[string]any, *refusal) {
	price, ok := c.find(prices, id)
	if !ok || deleted(price) {
		return nil, missing(http.StatusBadRequest, "price", id, param)
	}
	switch {
	case price.Value()["active"] != true:
		return nil, invalid(param, "price_inactive", "The price specified is inactive. This field only accepts active prices.")
	case wantRecurring == true && price.Value()["type"] != "recurring":
		return nil, invalid(param, "", "The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.")
	case wantRecurring == false && price.Value()["type"] != "one_time":
		return nil, invalid(param, "", "The price specified is set to `type=recurring` but this field only accepts prices with `type=one_time`.")
	}
	return price.Value(), nil
}

// priceFor finds the price that an item names, or makes the one that it
// describes; at is the parameter that the item is.
func (c *call) priceFor(item map[string]any, at string, wantRecurring any) (map[string]any, *refusal) {
	for _, field := range []string{"price", "plan"} {
		if id := cast.Text(item[field]); id != "" {
			return c.usablePrice(id, at+"["+field+"]", wantRecurring)
		}
	}
	data := cast.Object(item["price_data"])
	if data == nil {
		return nil, required(at + "[price]")
	}
	if wantRecurring == true && cast.Object(data["recurring"]) == nil {
		return nil, required(at + "[price_data][recurring]")
	}
	product := cast.Text(data["product"])
	var made map[string]any
	if sketch := cast.Object(data["product_data"]); sketch != nil {
		made = c.productFrom(sketch)
		product = cast.Text(made["id"])
	} else if product == "" {
		return nil, required(at + "[price_data][product]")
	} else if _, refused := c.live(theProduct, product, http.StatusBadRequest, at+"[price_data][product]"); refused != nil {
		return nil, refused
	}
	price, refused := c.priceOf(data, product, at+"[price_data]")
	if refused != nil {
		return nil, refused
	}
	price["active"] = false // it was made for one use
	c.drafts = append(c.drafts, drafted{products, made}, drafted{prices, price})
	return price, nil
}

// drafted is a record that a call makes unless it refuses.
type drafted struct {
	collection string
	value      map[string]any
}

// keepDrafts writes what the call has drafted.
func (c *call) keepDrafts() {
	for _, one := range c.drafts {
		if one.value != nil {
			if _, there := c.find(one.collection, cast.Text(one.value["id"])); !there {
				c.create(one.collection, one.value)
			}
		}
	}
	c.drafts = nil
}

// costs writes what a price asks for, as the lines of invoices do: $10.00 /
// month, or for several intervals: $10.00 every 3 months.
func costs(price map[string]any) string {
	amount := money(times(unit(price, "unit_amount"), 1), cast.Text(price["currency"]))
	often := cast.Object(price["recurring"])
	if often == nil {
		return amount
	}
	if n := whole(often["interval_count"]); n > 1 {
		return fmt.Sprintf("%s every %d %vs", amount, n, often["interval"])
	}
	return fmt.Sprintf("%s / %v", amount, often["interval"])
}
