package stripe

import (
	"fmt"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// ownersCollection tells whose a record is: by its id, the connected account that
// has it. What is not in it is the platform's own.
const ownersCollection = name + ".owners"

// connectCollection names the webhook endpoints that hear of connected accounts.
const connectCollection = name + ".connect"

// accountHeader says on whose behalf a call is made.
// Source: docs.stripe.com/connect/authentication.
const accountHeader = "Stripe-Account"

// behalf finds the connected account that a call is made for.
func (c *call) behalf() *refusal {
	id := c.Header.Get(accountHeader)
	if id == "" || id == platformID {
		return nil
	}
	if _, ok := c.connected(id); !ok {
		return c.noAccess(id)
	}
	c.account = id
	return nil
}

// connected finds an account that is connected to the platform.
func (c *call) connected(id string) (*world.Record, bool) { return c.Tx.Get(full(accounts), id) }

// noAccess refuses an account that is not connected.
func (c *call) noAccess(id string) *refusal {
	return &refusal{
		status: http.StatusForbidden, code: "account_invalid", unsaved: true,
		message: fmt.Sprintf("The provided key '%s' does not have access to account '%s' (or that account does not exist). Application access may have been revoked.", masked(secretKey(c.Header)), kit.Clip(id)),
	}
}

// ownerOf is the account that has a record; "": the platform.
func (c *call) ownerOf(id string) string {
	if c.Tx.Len(ownersCollection) == 0 {
		return ""
	}
	if r, ok := c.Tx.Get(ownersCollection, id); ok {
		return cast.Text(r.Value()["account"])
	}
	return ""
}

// mine tells whether a record is one of the account that the call is for.
func (c *call) mine(id string) bool { return c.ownerOf(id) == c.account }

// own notes that a new record is the account's.
func (c *call) own(id string) {
	if c.account != "" {
		kit.Keep(c.Tx, ownersCollection, id, map[string]any{"account": c.account})
	}
}

// ours keeps, of records of all accounts, those of the call's own; nil where there
// are no others.
func (c *call) ours() func(*world.Record) bool {
	if c.account == "" && c.Tx.Len(ownersCollection) == 0 {
		return nil
	}
	return func(r *world.Record) bool { return c.mine(r.ID) }
}

// as does something for another account, "" being the platform.
func (c *call) as(account string, do func()) {
	was := c.account
	c.account = account
	do()
	c.account = was
}

// Scope names the connected account that a request is for.
func (f *Fake) Scope(h http.Header) string {
	if id := h.Get(accountHeader); id != platformID {
		return id
	}
	return ""
}

// scoped keeps idempotency keys of accounts apart.
func (f *Fake) scoped(h http.Header, key string) string {
	if account := f.Scope(h); key != "" && account != "" {
		return account + " " + key
	}
	return key
}

// canReceive refuses an account that money cannot be sent to.
// Source: docs.stripe.com/connect/account-capabilities; the words as integrations
// report them.
func (c *call) canReceive(id, param string) *refusal {
	account, ok := c.connected(id)
	switch {
	case !ok:
		r := missing(http.StatusBadRequest, "destination", id, param)
		return r
	case c.account != "":
		return invalid(param, "", "Connected accounts cannot send money to other accounts.")
	case kit.Text(account.Value(), "capabilities.transfers") != active:
		return invalid("", "insufficient_capabilities_for_transfer", "Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments")
	}
	return nil
}

// shares refuses what an intent cannot share with other accounts.
func (c *call) shares(value map[string]any) *refusal {
	if to := kit.Text(value, "transfer_data.destination"); to != "" {
		if refused := c.canReceive(to, "transfer_data[destination]"); refused != nil {
			return refused
		}
	}
	if of := cast.Text(value["on_behalf_of"]); of != "" {
		if _, ok := c.connected(of); !ok {
			return missing(http.StatusBadRequest, "on_behalf_of", of, "on_behalf_of")
		}
	}
	cut, said := value["application_fee_amount"].(int64)
	switch {
	case !said:
	case cut > whole(value["amount"]):
		return invalid("application_fee_amount", "", "The application fee amount must not exceed the charge amount.")
	case c.account == "" && kit.Text(value, "transfer_data.destination") == "":
		return invalid("application_fee_amount", "", "Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment (using an OAuth key or Stripe-Account header) or destination payment (using `transfer_data[destination]`).")
	}
	return nil
}

// meet connects the accounts that an answer of the real service takes for granted:
// whom the call was for, and whom money was sent to.
func (c *call) meet(status int, answer any) {
	if status >= http.StatusBadRequest {
		return
	}
	if id := c.Header.Get(accountHeader); id != "" && id != platformID {
		c.acquaint(id)
		c.account = id
	}
	c.meetIn(answer)
}

func (c *call) meetIn(v any) {
	switch x := v.(type) {
	case []any:
		for _, one := range x {
			c.meetIn(one)
		}
	case map[string]any:
		for _, field := range sorted(x) {
			if to, ok := x[field].(string); ok && strings.HasPrefix(to, "acct_") && (field == "destination" || field == "on_behalf_of") {
				c.acquaint(to)
			}
			c.meetIn(x[field])
		}
	}
}

// acquaint connects an account of which nothing is known but its id.
func (c *call) acquaint(id string) {
	if _, known := c.connected(id); known {
		return
	}
	c.as("", func() {
		value := c.newAccount(id, "standard", "US")
		value["details_submitted"] = true
		c.review(value)
		c.create(accounts, value)
	})
}
