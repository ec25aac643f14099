package stripe

import (
	"maps"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// accountCollection holds what this account has set in its dashboard: one
// record, named account. A run begins without; a fixture can put it there, and
// answers of a real account are learned from.
//
//	display_name, country, statement_descriptor, application
//	automatic, invoice, setup, checkout: {types, options, configuration}
const accountCollection = name + ".account"

// setting gives what the account has set, or what it is without that.
func (c *call) setting(field string, otherwise any) any {
	if record, ok := c.Tx.Get(accountCollection, "account"); ok && record.Value()[field] != nil {
		return record.Value()[field]
	}
	return otherwise
}

// kindsFor lays over an intent or a session the kinds of payment method that
// the account takes there; false when nothing is set.
func (c *call) kindsFor(where string, value map[string]any) bool {
	set := cast.Object(c.setting(where, nil))
	if set == nil {
		return false
	}
	value["payment_method_types"], value["payment_method_options"] = set["types"], set["options"]
	if bank := cast.Object(cast.Object(set["options"])["us_bank_account"]); bank != nil && c.version >= dahlia && where != "setup" {
		options := kit.Merge(nil, cast.Object(set["options"]))
		options["us_bank_account"] = kit.Merge(map[string]any{"transaction_purpose": "unspecified"}, bank)
		value["payment_method_options"] = options
	}
	if set["configuration"] != nil {
		value["payment_method_configuration_details"] = set["configuration"]
	}
	return true
}

// learn notes what an answer of a real account says of the account itself.
func (c *call) learn(v any) {
	switch x := v.(type) {
	case []any:
		for _, one := range x {
			c.learn(one)
		}
	case map[string]any:
		for _, field := range sorted(x) {
			c.learn(x[field])
		}
		if set := told(x); len(set) > 0 {
			c.note(set)
		}
	}
}

// told is what one record says of its account.
func told(r map[string]any) map[string]any {
	set := map[string]any{}
	where := ""
	switch r["object"] {
	case "invoice":
		set["display_name"], set["country"] = r["account_name"], r["account_country"]
	case "charge":
		set["statement_descriptor"], set["application"] = r["calculated_statement_descriptor"], r["application"]
	case "payment_intent":
		set["application"] = r["application"]
		switch {
		case r["automatic_payment_methods"] != nil:
			where = "automatic"
		case len(cast.List(r["payment_method_types"])) > 1:
			where = "invoice"
		}
	case "setup_intent":
		if r["automatic_payment_methods"] != nil {
			where = "setup"
		}
	case sessionName:
		where = "checkout"
		set["branding"] = r["branding_settings"]
	}
	if where != "" {
		set[where] = map[string]any{
			"types": r["payment_method_types"], "options": r["payment_method_options"], "configuration": r["payment_method_configuration_details"],
		}
	}
	for field, value := range set {
		if value == nil {
			delete(set, field)
		}
	}
	return set
}

// note keeps what is not known yet.
func (c *call) note(set map[string]any) {
	old, known := c.Tx.Get(accountCollection, "account")
	value := map[string]any{"id": "account"}
	if known {
		value = maps.Clone(old.Value())
	}
	fresh := false
	for field, one := range set {
		if value[field] == nil {
			value[field], fresh = one, true
		}
	}
	if !fresh {
		return
	}
	kit.Keep(c.Tx, accountCollection, "account", value)
}
