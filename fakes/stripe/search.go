package stripe

import (
	"encoding/base64"
	"errors"
	"strconv"
	"time"

	"parity/fakes/kit"
)

// searchLag is how far searches are behind writes: "under normal operating
// conditions, data is searchable in less than a minute".
// Source: docs.stripe.com/search#data-freshness.
const searchLag = 20 * time.Second

// searchable tells whether a collection can be searched.
func searchable(collection string) bool {
	switch collection {
	case customers, paymentIntents, charges, invoices, subscriptions, products, prices:
		return true
	}
	return false
}

// searchFields names what a collection can be searched by, and how each field
// compares: as text, as a token, as a number.
// Source: docs.stripe.com/search#supported-query-fields-for-each-resource.
func searchFields(collection string) map[string]byte {
	switch collection {
	case customers:
		return map[string]byte{"created": 'n', "email": 's', "metadata": 't', "name": 's', "phone": 's'}
	case paymentIntents:
		return map[string]byte{"amount": 'n', "created": 'n', "currency": 't', "customer": 't', "metadata": 't', "status": 't'}
	case charges:
		return map[string]byte{"amount": 'n', "billing_details.address.postal_code": 't', "created": 'n', "currency": 't', "customer": 't', "disputed": 't', "metadata": 't', "payment_method_details.card.brand": 't', "payment_method_details.card.exp_month": 't', "payment_method_details.card.exp_year": 't', "payment_method_details.card.fingerprint": 't', "payment_method_details.card.last4": 't', "refunded": 't', "status": 't'}
	case invoices:
		return map[string]byte{"created": 'n', "currency": 't', "customer": 't', "last_finalization_error_code": 't', "last_finalization_error_type": 't', "metadata": 't', "number": 't', "receipt_number": 't', "status": 't', "subscription": 't', "total": 'n'}
	case subscriptions:
		return map[string]byte{"canceled_at": 'n', "created": 'n', "metadata": 't', "status": 't'}
	case products:
		return map[string]byte{"active": 't', "description": 's', "metadata": 't', "name": 's', "shippable": 't', "url": 's'}
	case prices:
		return map[string]byte{"active": 't', "currency": 't', "lookup_key": 't', "metadata": 't', "product": 't', "type": 't'}
	}
	return nil
}

// searchIn answers the searches of a collection.
func searchIn(collection string) handler {
	return func(c *call) (answer, *refusal) { return c.search(collection) }
}

// search reads one page of what the index shows by now. Pages are told by how
// many records were read; the clause that fits is asked of each record as the
// index shows it, and the record comes as it is.
func (c *call) search(collection string) (answer, *refusal) {
	clause, err := parseQuery(c.query("query"), searchFields(collection))
	if err != nil {
		return answer{}, unsaved(invalid("query", "", "%s", err.Error()))
	}
	skip, err := c.searchPage()
	if err != nil {
		return answer{}, unsaved(invalid("page", "", "Invalid page: %s", kit.Clip(c.query("page"))))
	}
	limit := defaultLimit
	if n, ok := c.Input.Query["limit"].(int64); ok {
		limit = int(n)
	}
	items, total := []any{}, 0
	for r := range c.Tx.Newest(full(collection), 0) {
		if !c.mine(r.ID) {
			continue
		}
		at := look(r.At)
		if shown, behind := c.fake.index.Shown(c.Tx, r.ID, c.Now); behind {
			if shown == nil {
				continue
			}
			at = lookIn(shown)
		}
		if at("deleted") == true || r.At("deleted") == true || !clause.fits(at) {
			continue
		}
		total++
		if total > skip && len(items) <= limit {
			items = append(items, r.Value())
		}
		if len(items) > limit && !c.counts {
			break
		}
	}
	found := map[string]any{"object": "search_result", "has_more": len(items) > limit, "next_page": nil}
	if len(items) > limit {
		items = items[:limit]
		found["next_page"] = base64.RawURLEncoding.EncodeToString([]byte("page:" + strconv.Itoa(skip+limit)))
	}
	if c.counts {
		found[totalCount] = int64(total)
	}
	return answer{items: items, found: found, collection: collection}, nil
}

// errPage is returned for a page that no search gave.
var errPage = errors.New("no page of a search")

func (c *call) searchPage() (int, error) {
	page := c.query("page")
	if page == "" {
		return 0, nil
	}
	plain, err := base64.RawURLEncoding.DecodeString(page)
	if err != nil || len(plain) < len("page:") || string(plain[:5]) != "page:" {
		return 0, errPage
	}
	n, err := strconv.Atoi(string(plain[5:]))
	if err != nil || n < 0 {
		return 0, errPage
	}
	return n, nil
}
