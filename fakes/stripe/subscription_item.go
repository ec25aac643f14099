package stripe

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const itemName = "subscription_item"

func listSubscriptionItems(c *call) (answer, *refusal) {
	id := c.query("subscription")
	if _, ok := c.find(subscriptions, id); !ok {
		return answer{}, missing(http.StatusBadRequest, "subscription", id, "subscription")
	}
	return c.page(subscriptionItems, itemName, kit.Query{Collection: full(subscriptionItems), Index: "subscription", Value: id})
}

// livingSubscription finds one that can still be changed.
func (c *call) livingSubscription(id, param string) (*world.Record, *refusal) {
	record, ok := c.find(subscriptions, id)
	if !ok || record.Value()["status"] == canceled || record.Value()["status"] == incompleteExpired {
		return nil, missing(http.StatusBadRequest, "subscription", id, param)
	}
	return record, nil
}

func createSubscriptionItem(c *call) (answer, *refusal) {
	subscription, refused := c.livingSubscription(c.text("subscription"), "subscription")
	if refused != nil {
		return answer{}, refused
	}
	w, refused := c.wishFor(c.Input.Body, "")
	if refused != nil {
		return answer{}, refused
	}
	for _, one := range itemsOf(subscription.Value()) {
		if kit.Text(cast.Object(one), "price.id") == w.price["id"] {
			return answer{}, invalid("price", "", "Cannot add multiple subscription items with the same price: %v", w.price["id"])
		}
	}
	p, refused := c.prorates(subscription.Value())
	if refused != nil {
		return answer{}, refused
	}
	c.keepDrafts()
	c.applyChanges(subscription, changed(subscription), changes{add: []wish{w}, how: p})
	for item := range c.Tx.Find(full(subscriptionItems), "subscription", subscription.ID, 0) {
		return answer{record: item, collection: subscriptionItems}, nil // the newest is it
	}
	return answer{}, missing(http.StatusNotFound, itemName, "", "id")
}

// itemAndSubscription finds the item that the path names.
func (c *call) itemAndSubscription() (item, subscription *world.Record, refused *refusal) {
	if item, refused = theItem.find(c); refused != nil {
		return nil, nil, refused
	}
	subscription, refused = c.livingSubscription(cast.Text(item.Value()["subscription"]), "subscription")
	return item, subscription, refused
}

func updateSubscriptionItem(c *call, item, subscription *world.Record) (answer, *refusal) {
	w, refused := c.rewish(item, c.Input.Body, "")
	if refused != nil {
		return answer{}, refused
	}
	if _, refused = c.metadata(item.Value()["metadata"]); refused != nil {
		return answer{}, refused
	}
	p, refused := c.prorates(subscription.Value())
	if refused != nil {
		return answer{}, refused
	}
	c.keepDrafts()
	c.applyChanges(subscription, changed(subscription), changes{put: map[string]wish{item.ID: w}, how: p})
	record, _ := c.find(subscriptionItems, item.ID)
	return answer{record: record, collection: subscriptionItems}, nil
}

func deleteSubscriptionItem(c *call, item, subscription *world.Record) (answer, *refusal) {
	if len(itemsOf(subscription.Value())) == 1 {
		return answer{}, invalid("", "", "A subscription must have at least one active plan. To cancel a subscription, please use the cancel API endpoint on /v1/subscriptions.")
	}
	p, refused := c.prorates(subscription.Value())
	if refused != nil {
		return answer{}, refused
	}
	c.applyChanges(subscription, changed(subscription), changes{drop: map[string]bool{item.ID: true}, how: p})
	return answer{value: tombstone(item)}, nil
}
