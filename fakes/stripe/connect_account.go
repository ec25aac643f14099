package stripe

import (
	"errors"
	"maps"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const accounts = "accounts"

// platformID is the account that the run is.
const platformID = "acct_1ParityRehearsal"

// linkLife is how long an account link can be opened.
// Source: docs.stripe.com/api/account_links: "a few minutes".
const linkLife = 5 * time.Minute

// theAccount finds an account that a path names. One that is not connected is no
// 404, but refused as one that is not the caller's.
func theConnected(act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With(func(c *call) (*world.Record, *refusal) {
		record, ok := c.connected(c.Input.Path["account"])
		if !ok || c.account != "" && c.account != record.ID {
			return nil, c.noAccess(c.Input.Path["account"])
		}
		return record, nil
	}, act)
}

func showAccount(_ *call, r *world.Record) (answer, *refusal) {
	return answer{record: r, collection: accounts}, nil
}

// ownAccount shows the account that the call is for.
func ownAccount(c *call) (answer, *refusal) {
	if c.account != "" {
		record, _ := c.connected(c.account)
		return showAccount(c, record)
	}
	value := c.newAccount(platformID, "standard", cast.Text(c.setting("country", "US")))
	value["created"], value["charges_enabled"], value["payouts_enabled"], value["details_submitted"] = int64(0), true, true, true
	value["capabilities"], value["requirements"] = map[string]any{"card_payments": active, "transfers": active}, requirements(nil)
	delete(value, "controller")
	return answer{value: value, collection: accounts}, nil
}

func createAccount(c *call) (answer, *refusal) {
	if c.account != "" {
		return answer{}, invalid("", "", "Only Stripe Connect platforms can work with other accounts.")
	}
	kind := c.text("type")
	if held := cast.Object(c.Input.Body["controller"]); kind != "" && held != nil {
		return answer{}, unsaved(invalid("controller", "", "You may only specify one of these parameters: controller, type."))
	} else if kind == "" {
		kind = kindOf(held)
	}
	value := c.newAccount("acct_1"+c.NewID("", 16), kind, or(c.Input.Body["country"], "US").(string))
	if refused := c.describeAccount(value); refused != nil {
		return answer{}, refused
	}
	record := c.create(accounts, value)
	return showAccount(c, record)
}

// kindOf is the type that the properties of a controller come to.
// Source: docs.stripe.com/connect/migrate-to-controller-properties.
func kindOf(controller map[string]any) string {
	switch {
	case kit.Text(controller, "requirement_collection") == "application" || kit.Text(controller, "stripe_dashboard.type") == "none":
		return "custom"
	case kit.Text(controller, "stripe_dashboard.type") == "express":
		return "express"
	}
	return "standard"
}

// newAccount is an account of which nobody has said anything.
func (c *call) newAccount(id, kind, country string) map[string]any {
	controller := map[string]any{"type": "application", "is_controller": true}
	by := map[string]string{"standard": "account", "express": "application_express", "custom": "application_custom"}[kind]
	losses, dashboard, collects := "application", kind, "stripe"
	switch kind {
	case "standard":
		losses, dashboard = "stripe", "full"
	case "custom":
		dashboard, collects = "none", "application"
	}
	controller["fees"], controller["losses"] = map[string]any{"payer": by}, map[string]any{"payments": losses}
	controller["requirement_collection"], controller["stripe_dashboard"] = collects, map[string]any{"type": dashboard}
	return map[string]any{
		"id": id, "object": "account", "business_profile": map[string]any{
			"annual_revenue": nil, "estimated_worker_count": nil, "mcc": nil, "name": nil, "product_description": nil, "support_address": nil, "support_email": nil, "support_phone": nil, "support_url": nil, "url": nil,
		},
		"business_type": nil, "capabilities": map[string]any{}, "charges_enabled": false, "controller": controller, "country": country, "created": c.now(),
		"default_currency": homeCurrency(country), "details_submitted": false, "email": nil,
		"external_accounts":   map[string]any{"object": "list", "data": []any{}, "has_more": false, "total_count": int64(0), "url": "/v1/accounts/" + id + "/external_accounts"},
		"future_requirements": requirements(nil), "metadata": map[string]any{}, "payouts_enabled": false, "requirements": requirements(needed()),
		"settings": map[string]any{
			"bacs_debit_payments": map[string]any{"display_name": nil, "service_user_number": nil}, "sepa_debit_payments": map[string]any{},
			"card_issuing": map[string]any{"tos_acceptance": map[string]any{"date": nil, "ip": nil}}, "invoices": map[string]any{"default_account_tax_ids": nil},
			"branding":      map[string]any{"icon": nil, "logo": nil, "primary_color": nil, "secondary_color": nil},
			"card_payments": map[string]any{"decline_on": map[string]any{"avs_failure": false, "cvc_failure": false}, "statement_descriptor_prefix": nil, "statement_descriptor_prefix_kana": nil, "statement_descriptor_prefix_kanji": nil},
			"dashboard":     map[string]any{"display_name": nil, "timezone": "Etc/UTC"},
			"payments":      map[string]any{"statement_descriptor": nil, "statement_descriptor_kana": nil, "statement_descriptor_kanji": nil},
			"payouts":       map[string]any{"debit_negative_balances": kind != "custom", "schedule": map[string]any{"delay_days": int64(2), "interval": "daily"}, "statement_descriptor": nil},
		},
		"tos_acceptance": map[string]any{"date": nil, "ip": nil, "user_agent": nil}, "type": kind,
	}
}

// homeCurrency is what an account of a country is paid in.
func homeCurrency(country string) string {
	known := map[string]string{"US": "usd", "GB": "gbp", "CA": "cad", "AU": "aud", "JP": "jpy", "CH": "chf", "SE": "sek", "DK": "dkk", "NO": "nok", "NZ": "nzd", "SG": "sgd", "MX": "mxn"}
	if currency, ok := known[strings.ToUpper(country)]; ok {
		return currency
	}
	return "eur"
}

// needed is what an account has to say before it can be paid.
func needed() []any {
	return []any{"business_profile.url", "business_type", "external_account", "tos_acceptance.date", "tos_acceptance.ip"}
}

func requirements(due []any) map[string]any {
	if due == nil {
		due = []any{}
	}
	var reason any
	if len(due) > 0 {
		reason = "requirements.past_due"
	}
	return map[string]any{
		"alternatives": []any{}, "current_deadline": nil, "currently_due": due, "disabled_reason": reason, "errors": []any{}, "eventually_due": due, "past_due": due, "pending_verification": []any{},
	}
}

// describeAccount lays over an account what may be said of one.
func (c *call) describeAccount(value map[string]any) *refusal {
	body := c.Input.Body
	if email := c.text("email"); email != "" && !isEmail(email) {
		return unsaved(invalid("email", "email_invalid", "Invalid email address: %s", email))
	}
	assign(value, body, "business_type", "default_currency", "email")
	for _, field := range []string{"business_profile", "company", "individual", "settings", "tos_acceptance"} {
		if sent := cast.Object(body[field]); sent != nil {
			value[field] = kit.Merge(cast.Object(value[field]), sent)
		}
	}
	if asked := cast.Object(body["capabilities"]); asked != nil {
		held := maps.Clone(cast.Object(value["capabilities"]))
		for one, wish := range asked {
			switch cast.Object(wish)["requested"] {
			case true:
				if held[one] == nil {
					held[one] = "inactive"
				}
			case false:
				delete(held, one)
			}
		}
		value["capabilities"] = held
	}
	if sent, ok := body["external_account"]; ok {
		value["external_accounts"] = c.bank(value, sent)
	}
	if refused := c.setMetadata(value, value["metadata"]); refused != nil {
		return refused
	}
	c.review(value)
	return nil
}

// bank is the list of the one bank account that payouts go to.
func (c *call) bank(value map[string]any, sent any) map[string]any {
	given := cast.Object(sent)
	number := cast.Text(given["account_number"])
	held := map[string]any{
		"id": "ba_1" + c.NewID("", 23), "object": "bank_account", "account": value["id"], "account_holder_name": given["account_holder_name"], "account_holder_type": given["account_holder_type"],
		"bank_name": "STRIPE TEST BANK", "country": or(given["country"], value["country"]), "currency": or(given["currency"], value["default_currency"]),
		"default_for_currency": true, "last4": number[max(0, len(number)-4):], "metadata": map[string]any{}, "status": "new",
	}
	list := maps.Clone(cast.Object(value["external_accounts"]))
	list["data"], list["total_count"] = []any{held}, int64(1)
	return list
}

// review lets an account be paid once it has said what is wanted of it. Stripe
// asks for more, by country and by business, and looks into it for a while.
func (c *call) review(value map[string]any) {
	due := []any{}
	has := map[string]bool{
		"business_profile.url": kit.Text(value, "business_profile.url") != "" || kit.Text(value, "business_profile.product_description") != "",
		"business_type":        value["business_type"] != nil, "external_account": whole(cast.Object(value["external_accounts"])["total_count"]) > 0,
		"tos_acceptance.date": cast.Object(value["tos_acceptance"])["date"] != nil, "tos_acceptance.ip": cast.Object(value["tos_acceptance"])["ip"] != nil,
	}
	for _, one := range needed() {
		if !has[cast.Text(one)] {
			due = append(due, one)
		}
	}
	if value["details_submitted"] == true {
		due = nil
	}
	value["requirements"] = requirements(due)
	if len(due) == 0 {
		c.enable(value)
	}
}

func (c *call) enable(value map[string]any) {
	held := maps.Clone(cast.Object(value["capabilities"]))
	if len(held) == 0 && value["type"] == "standard" {
		held["card_payments"], held["transfers"] = active, active
	}
	for one := range held {
		held[one] = active
	}
	value["capabilities"], value["details_submitted"], value["payouts_enabled"] = held, true, true
	value["charges_enabled"] = held["card_payments"] == active
}

func updateAccount(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	if refused := c.describeAccount(value); refused != nil {
		return answer{}, refused
	}
	return showAccount(c, c.rewriteAccount(old, value))
}

// rewriteAccount writes an account, and tells the platform where it changed.
func (c *call) rewriteAccount(old *world.Record, value map[string]any) *world.Record {
	var record *world.Record
	c.as("", func() { record = c.update(accounts, value) })
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.as(old.ID, func() { c.emit("account.updated", record.Value(), before) })
	}
	return record
}

func deleteAccount(c *call, old *world.Record) (answer, *refusal) {
	var balance int64
	c.as(old.ID, func() {
		available, pending := c.sums()
		for _, sums := range []map[string]int64{available, pending} {
			for _, sum := range sums {
				balance += max(sum, -sum)
			}
		}
	})
	if balance != 0 {
		return answer{}, invalid("", "", "This account cannot be deleted: its balance is not zero.")
	}
	c.remove(accounts, old.ID)
	return answer{value: tombstone(old)}, nil
}

func createAccountLink(c *call) (answer, *refusal) {
	id := c.text("account")
	record, ok := c.connected(id)
	switch {
	case !ok:
		return answer{}, c.noAccess(id)
	case c.text("type") == "account_onboarding" && (c.text("refresh_url") == "" || c.text("return_url") == ""):
		for _, field := range []string{"refresh_url", "return_url"} {
			if c.text(field) == "" {
				return answer{}, required(field)
			}
		}
	}
	return answer{value: map[string]any{
		"object": "account_link", "created": c.now(), "expires_at": c.after(linkLife).Unix(),
		"url": "https://connect.stripe.com/setup/" + cast.Text(record.Value()["type"])[:1] + "/" + id + "/" + c.NewID("", 12),
	}}, nil
}

func createLoginLink(c *call, account *world.Record) (answer, *refusal) {
	if account.Value()["type"] != "express" {
		return answer{}, invalid("", "", "Cannot create a login link for an account that does not have access to the Express Dashboard.")
	}
	if account.Value()["details_submitted"] != true {
		return answer{}, invalid("", "", "Cannot create a login link for an account that has not completed onboarding.")
	}
	return answer{value: map[string]any{"object": "login_link", "created": c.now(), "url": "https://connect.stripe.com/express/" + c.NewID("", 12)}}, nil
}

// onboard has the holder of an account fill in what Stripe wants to know.
func (p *visitor) onboard(old *world.Record) (string, error) {
	if p.declines {
		return "", errors.New("nobody can be made to give up an account")
	}
	value := changed(old)
	value["details_submitted"], value["email"] = true, or(value["email"], orNil(p.email))
	value["business_type"] = or(value["business_type"], "individual")
	value["tos_acceptance"] = map[string]any{"date": p.now(), "ip": nil, "user_agent": nil}
	if whole(cast.Object(value["external_accounts"])["total_count"]) == 0 {
		value["external_accounts"] = p.bank(value, map[string]any{"account_number": "000123456789"})
	}
	p.review(value)
	p.rewriteAccount(old, value)
	return "finished onboarding", nil
}
