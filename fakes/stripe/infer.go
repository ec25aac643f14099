package stripe

import (
	"regexp"
	"strings"
	"sync"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// Infer takes in what an answer about new records says of others: whole
// records that were there, and the prices and products that its lines name.
func (f *Fake) Infer(fc *fakes.Call, status int, body []byte, made map[string]bool) {
	if status >= 500 {
		return
	}
	text := []byte(`{"all":` + string(body) + `}`)
	whole, err := world.Decode(text) // what is learned of it is kept, and the rest changed
	if err != nil {
		return
	}
	value, err := world.Decode(text)
	if err != nil {
		return
	}
	c := &call{Call: fc, fake: f, version: f.version}
	c.meet(status, value)
	c.learn(whole)
	c.inferLines(value, made)
	c.importValue(unmade(value, made))
}

// unmade takes their ids from the records that were made, so that they are no
// records to Import.
func unmade(v any, made map[string]bool) any {
	switch x := v.(type) {
	case []any:
		for i := range x {
			x[i] = unmade(x[i], made)
		}
	case map[string]any:
		for field, inner := range x {
			x[field] = unmade(inner, made)
		}
		if made[cast.Text(x["id"])] {
			delete(x, "id")
		}
	}
	return v
}

// inferLines walks to the lines of invoices.
func (c *call) inferLines(v any, made map[string]bool) {
	switch x := v.(type) {
	case []any:
		for _, one := range x {
			c.inferLines(one, made)
		}
	case map[string]any:
		for _, field := range sorted(x) {
			c.inferLines(x[field], made)
		}
		if x["object"] == "line_item" {
			c.inferLine(x, made)
		}
	}
}

// said is a line of a subscription: 2 seats × Basic (at $10.00 / month).
var said = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+( \S+)? × (.+) \(at .*\)$`) })

// inferLine makes the price that a line was made at, and its product, where
// they are not there.
func (c *call) inferLine(line map[string]any, made map[string]bool) {
	of := cast.Object(cast.Object(line["pricing"])["price_details"])
	price, product := cast.Text(of["price"]), cast.Text(of["product"])
	if price == "" || product == "" || made[price] || made[product] || cast.Object(cast.Object(line["parent"])["invoice_item_details"])["proration"] == true {
		return
	}
	if _, there := c.find(products, product); !there {
		about, label := cast.Text(line["description"]), ""
		if found := said().FindStringSubmatch(about); found != nil {
			about, label = found[2], strings.TrimSpace(found[1])
		}
		value := c.newProduct(product, about)
		value["unit_label"] = orNil(label)
		c.create(products, value)
	}
	if _, there := c.find(prices, price); there || line["parent"] == nil || cast.Object(line["parent"])["type"] != "invoice_item_details" {
		return
	}
	exact := cast.Text(cast.Object(line["pricing"])["unit_amount_decimal"])
	value, refused := c.priceOf(map[string]any{"currency": line["currency"], "unit_amount_decimal": exact}, product, "")
	if refused != nil {
		return
	}
	value["id"] = price
	c.create(prices, value)
}
