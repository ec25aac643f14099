package stripe

import (
	"fmt"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func listCoupons(c *call) (answer, *refusal) {
	return c.list(coupons, "coupon", func(r *world.Record) bool { return !deleted(r) })
}

func createCoupon(c *call) (answer, *refusal) {
	id := c.text("id")
	if id == "" {
		id = c.NewID("", 8)
	} else if old, taken := c.Tx.Get(full(coupons), id); taken && !deleted(old) {
		return answer{}, &refusal{status: http.StatusBadRequest, code: "resource_already_exists", message: "Coupon already exists."}
	}
	value := map[string]any{
		"id": id, "object": "coupon", "amount_off": nil, "created": c.now(), "currency": nil, "duration": "once", "duration_in_months": nil,
		"livemode": false, "max_redemptions": nil, "metadata": map[string]any{}, "name": nil, "percent_off": nil, "redeem_by": nil,
		"times_redeemed": int64(0), "valid": true,
	}
	assign(value, c.Input.Body, "amount_off", "applies_to", "currency_options", "duration", "duration_in_months", "max_redemptions", "name", "percent_off", "redeem_by")
	percent, share := value["percent_off"], real(value["percent_off"])
	switch {
	case (percent == nil) == (value["amount_off"] == nil):
		return answer{}, unsaved(invalid("", "", "You must pass either percent_off or amount_off when creating a coupon."))
	case percent != nil && (share <= 0 || share > 100):
		return answer{}, unsaved(invalid("percent_off", "", "Invalid percent_off: must be more than 0, and 100 at most."))
	case value["duration"] == "repeating" && value["duration_in_months"] == nil:
		return answer{}, unsaved(invalid("duration_in_months", "", "You must pass duration_in_months when passing duration=repeating."))
	case value["amount_off"] != nil && c.text("currency") == "":
		return answer{}, unsaved(invalid("currency", "", "You must pass currency when passing amount_off."))
	case whole(value["redeem_by"]) != 0 && whole(value["redeem_by"]) <= c.now():
		return answer{}, unsaved(invalid("redeem_by", "", "Invalid redeem_by: must be in the future."))
	}
	if percent != nil {
		value["percent_off"] = share
	}
	var refused *refusal
	if sent := c.text("currency"); sent != "" {
		if value["currency"], refused = currencyOf(sent); refused != nil {
			return answer{}, refused
		}
	}
	if refused := c.setMetadata(value, nil); refused != nil {
		return answer{}, refused
	}
	var record *world.Record
	if _, again := c.find(coupons, id); again {
		record = c.update(coupons, value)
	} else {
		record = c.create(coupons, value)
	}
	c.emit("coupon.created", record.Value(), nil)
	return answer{record: record, collection: coupons}, nil
}

func updateCoupon(c *call, old *world.Record) (answer, *refusal) {
	return theCoupon.retag(c, old, "coupon.updated", "name", "currency_options")
}

func deleteCoupon(c *call, old *world.Record) (answer, *refusal) {
	record := c.update(coupons, tombstone(old))
	c.emit("coupon.deleted", old.Value(), nil)
	return answer{record: record, collection: coupons}, nil
}

func listPromotionCodes(c *call) (answer, *refusal) {
	keep := c.flags(nil, "active")
	if id := c.query("coupon"); id != "" {
		keep = also(keep, func(r *world.Record) bool { return kit.Text(r.Value(), "promotion.coupon") == id })
	}
	if code := c.query("code"); code != "" {
		keep = also(keep, func(r *world.Record) bool { return strings.EqualFold(cast.Text(r.Value()["code"]), code) })
	}
	return c.list(promotionCodes, "promotion code", keep, "customer")
}

func createPromotionCode(c *call) (answer, *refusal) {
	id := c.text("coupon")
	param := "coupon"
	if promotion := cast.Object(c.Input.Body["promotion"]); promotion != nil {
		id, param = cast.Text(promotion["coupon"]), "promotion[coupon]"
	}
	if id == "" {
		return answer{}, required("promotion")
	}
	coupon, refused := c.live(theCoupon, id, http.StatusBadRequest, param)
	if refused != nil {
		return answer{}, refused
	}
	value := map[string]any{
		"id": c.NewID("promo_1", 23), "object": "promotion_code", "active": true, "code": strings.ToUpper(c.NewID("", 8)), "created": c.now(),
		"customer": nil, "customer_account": nil, "expires_at": nil, "livemode": false, "max_redemptions": nil, "metadata": map[string]any{},
		"promotion":    map[string]any{"coupon": coupon.ID, "type": "coupon"},
		"restrictions": map[string]any{"first_time_transaction": false, "minimum_amount": nil, "minimum_amount_currency": nil}, "times_redeemed": int64(0),
	}
	assign(value, c.Input.Body, "active", "expires_at", "max_redemptions")
	if code := c.text("code"); code != "" {
		value["code"] = code
	}
	if sent := cast.Object(c.Input.Body["restrictions"]); sent != nil {
		value["restrictions"] = kit.Merge(cast.Object(value["restrictions"]), sent)
	}
	if who := c.text("customer"); who != "" {
		customer, refused := c.live(theCustomer, who, http.StatusBadRequest, "customer")
		if refused != nil {
			return answer{}, refused
		}
		value["customer"] = customer.ID
	}
	for other := range c.Tx.Newest(full(promotionCodes), 0) {
		if !c.mine(other.ID) {
			continue
		}
		if other.Value()["active"] == true && strings.EqualFold(cast.Text(other.Value()["code"]), cast.Text(value["code"])) {
			return answer{}, invalid("code", "", "An active promotion code with `code: %s` already exists.", value["code"])
		}
	}
	if refused := c.setMetadata(value, nil); refused != nil {
		return answer{}, refused
	}
	record := c.create(promotionCodes, value)
	c.emit("promotion_code.created", record.Value(), nil)
	return answer{record: record, collection: promotionCodes}, nil
}

// discountsOf makes the discounts that a list of coupons and promotion codes
// asks for, as drafts; owner names what they are for. redeemed says how often
// each coupon is used by it.
func (c *call) discountsOf(sent any, at string, owner map[string]any) ([]any, *refusal) {
	made := []any{}
	for i, one := range cast.List(sent) {
		param := fmt.Sprintf("%s[%d]", at, i)
		wish := cast.Object(one)
		if id := cast.Text(wish["discount"]); id != "" {
			if _, ok := c.find(discounts, id); !ok {
				return nil, missing(http.StatusBadRequest, "discount", id, param+"[discount]")
			}
			made = append(made, id)
			continue
		}
		id, refused := c.discountOf(cast.Text(wish["coupon"]), cast.Text(wish["promotion_code"]), param, owner)
		if refused != nil {
			return nil, refused
		}
		made = append(made, id)
	}
	return made, nil
}

func (c *call) discountOf(coupon, promotion, param string, owner map[string]any) (string, *refusal) {
	value := map[string]any{
		"id": c.NewID("di_1", 23), "object": "discount", "checkout_session": nil, "customer": nil, "customer_account": nil, "end": nil, "invoice": nil,
		"invoice_item": nil, "promotion_code": nil, "start": c.now(), "subscription": nil, "subscription_item": nil,
	}
	assign(value, owner, "checkout_session", "customer", "invoice", "invoice_item", "subscription", "subscription_item")
	if promotion != "" {
		code, ok := c.find(promotionCodes, promotion)
		switch {
		case !ok:
			return "", missing(http.StatusBadRequest, "promotion code", promotion, param+"[promotion_code]")
		case code.Value()["active"] != true, code.Value()["expires_at"] != nil && whole(code.Value()["expires_at"]) <= c.now():
			return "", invalid(param+"[promotion_code]", "", "The promotion code %s is no longer active.", cast.Text(code.Value()["code"]))
		}
		coupon, value["promotion_code"] = kit.Text(code.Value(), "promotion.coupon"), code.ID
	}
	if coupon == "" {
		return "", required(param + "[coupon]")
	}
	found, refused := c.live(theCoupon, coupon, http.StatusBadRequest, param+"[coupon]")
	if refused != nil {
		return "", refused
	}
	if found.Value()["valid"] != true || found.Value()["redeem_by"] != nil && whole(found.Value()["redeem_by"]) <= c.now() {
		return "", invalid(param+"[coupon]", "coupon_expired", "Coupon expired: %s", coupon)
	}
	value["source"] = map[string]any{"coupon": coupon, "type": "coupon"}
	if found.Value()["duration"] == "repeating" {
		value["end"] = c.Now.UTC().AddDate(0, int(whole(found.Value()["duration_in_months"])), 0).Unix()
	}
	c.drafts = append(c.drafts, drafted{discounts, value})
	return cast.Text(value["id"]), nil
}

// redeem counts the uses of coupons, once their discounts are written.
func (c *call) redeem(ids []any) {
	for _, id := range ids {
		discount, ok := c.find(discounts, cast.Text(id))
		if !ok {
			continue
		}
		c.count(coupons, kit.Text(discount.Value(), "source.coupon"), "valid")
		c.count(promotionCodes, cast.Text(discount.Value()["promotion_code"]), "active")
	}
}

func (c *call) count(collection, id, flag string) {
	old, ok := c.find(collection, id)
	if !ok || deleted(old) {
		return
	}
	value := changed(old)
	uses := whole(value["times_redeemed"]) + 1
	value["times_redeemed"] = uses
	if most := whole(value["max_redemptions"]); most > 0 && uses >= most {
		value[flag] = false
	}
	c.update(collection, value)
}
