package stripe

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A test clock has a time of its own, which moves when it is told to. What is
// bound to it lives by that: customers that were made on it, their
// subscriptions and invoices. What is due by its time does not wait among the
// run's timers, but beside the clock.
// Source: docs.stripe.com/billing/testing/test-clocks.
const (
	clockName = "test clock" // as errors call it

	clockAdvances = "clock-advances" // a test clock that was told to
	clockEnds     = "clock-ends"     // a test clock at deletes_after

	// clockLife is how long a clock is kept, as the API reference shows it.
	clockLife = 7 * 24 * time.Hour
	// advanceTime is how long a clock takes to arrive. Stripe takes from some
	// seconds to a minute.
	advanceTime = 2 * time.Second

	clockCustomers, clockSubscriptions = 3, 3 // of one clock, of one customer
)

func createClock(c *call) (answer, *refusal) {
	at, _ := c.integer("frozen_time")
	if refused := c.tooFar("frozen_time", at); refused != nil {
		return answer{}, refused
	}
	value := map[string]any{
		"id": c.NewID("clock_1", 23), "object": "test_helpers.test_clock", "created": c.now(), "deletes_after": c.after(clockLife).Unix(), "frozen_time": at,
		"livemode": false, "name": orNil(c.text("name")), "status": "ready", "status_details": map[string]any{},
	}
	var bound map[string]any
	if id := c.text("customer"); id != "" {
		customer, refused := c.live(theCustomer, id, http.StatusBadRequest, "customer")
		switch {
		case refused != nil:
			return answer{}, refused
		case customer.Value()["test_clock"] != nil:
			return answer{}, invalid("customer", "", "The customer %s is attached to a test clock already.", id)
		}
		bound = changed(customer)
		bound["test_clock"] = value["id"]
	}
	record := c.create(testClocks, value)
	if bound != nil {
		c.update(customers, bound)
	}
	c.later(clockEnds, record.ID, c.after(clockLife))
	c.emit("test_helpers.test_clock.created", record.Value(), nil)
	return theClock.given(c, record)
}

func advanceClock(c *call, old *world.Record) (answer, *refusal) {
	at, _ := c.integer("frozen_time")
	frozen := whole(old.Value()["frozen_time"])
	if old.Value()["status"] == "advancing" {
		return answer{}, underway(old.ID)
	}
	furthest, why := c.furthest(old)
	switch {
	case at <= frozen:
		return answer{}, unsaved(invalid("frozen_time", "", "The frozen_time must be after the test clock's current frozen time (%d).", frozen))
	case at > furthest:
		return answer{}, unsaved(invalid("frozen_time", "", "The frozen_time cannot be more than %s (%d).", why, furthest))
	}
	value := changed(old)
	value["status"], value["status_details"] = "advancing", map[string]any{"advancing": map[string]any{"target_frozen_time": at}}
	record := c.update(testClocks, value)
	c.later(clockAdvances, old.ID, c.after(advanceTime))
	c.emit("test_helpers.test_clock.advancing", record.Value(), nil)
	return theClock.given(c, record)
}

// furthest is how far a clock may go at once: two intervals of the shortest
// subscription on it, or two years.
func (c *call) furthest(clock *world.Record) (at int64, why string) {
	from := time.Unix(whole(clock.Value()["frozen_time"]), 0).UTC()
	at, why = from.AddDate(2, 0, 0).Unix(), "two years in the future"
	for customer := range c.Tx.Find(full(customers), "test_clock", clock.ID, 0) {
		for subscription := range c.Tx.Find(full(subscriptions), "customer", customer.ID, 0) {
			if !lives(subscription) {
				continue
			}
			for _, one := range itemsOf(subscription.Value()) {
				often := cast.Object(cast.Object(cast.Object(one)["price"])["recurring"])
				interval, count := cast.Text(often["interval"]), whole(often["interval_count"])
				once := next(from.Unix(), from.Unix(), interval, count)
				if twice := next(once, from.Unix(), interval, count); twice < at {
					at, why = twice, "two intervals in the future from the shortest subscription on the test clock"
				}
			}
		}
	}
	return at, why
}

// underway refuses to change what is on a clock that is advancing.
func underway(clock string) *refusal {
	return &refusal{status: http.StatusTooManyRequests, message: "Test clock advancement underway - cannot perform modifications: " + clock, unsaved: true}
}

func deleteClock(c *call, old *world.Record) (answer, *refusal) {
	if old.Value()["status"] == "advancing" {
		return answer{}, underway(old.ID)
	}
	c.endClock(old.ID)
	return answer{value: tombstone(old)}, nil
}

// endClock takes a clock away, and the customers on it with all that they have.
func (c *call) endClock(id string) {
	old, ok := c.find(testClocks, id)
	if !ok {
		return
	}
	on := c.by(old)
	for customer := range c.Tx.Find(full(customers), "test_clock", id, 0) {
		on.dropCustomer(customer)
	}
	for one := range c.Tx.Find(dueCollection, "clock", id, 0) {
		kit.Must(name, c.Tx.Delete(dueCollection, one.ID))
	}
	c.never(clockEnds, id)
	c.never(clockAdvances, id)
	c.remove(testClocks, id)
	c.emit("test_helpers.test_clock.deleted", old.Value(), nil)
}

// by is the call at the time of a clock.
func (c *call) by(clock *world.Record) *call {
	on := c.at(whole(clock.Value()["frozen_time"]))
	on.clock = clock.ID
	return on
}

// arrive lets a clock get to where it was told to: what is due until then
// happens in its order, each at its own time.
func (c *call) arrive(id string) {
	clock, ok := c.find(testClocks, id)
	if !ok {
		return
	}
	target := whole(cast.Object(cast.Object(clock.Value()["status_details"])["advancing"])["target_frozen_time"])
	for {
		one, ok := c.dueFirst(id)
		if !ok || whole(one.Value()["due"]) > target {
			break
		}
		kit.Must(name, c.Tx.Delete(dueCollection, one.ID))
		on := c.at(max(whole(one.Value()["due"]), whole(clock.Value()["frozen_time"])))
		on.clock = id
		on.fire(cast.Text(one.Value()["kind"]), cast.Text(one.Value()["subject"]))
	}
	value := changed(clock)
	value["frozen_time"], value["status"], value["status_details"] = target, "ready", map[string]any{}
	c.emit("test_helpers.test_clock.ready", c.update(testClocks, value).Value(), nil)
}

// dueFirst is what comes next by a clock.
func (c *call) dueFirst(clock string) (*world.Record, bool) {
	for one := range c.Tx.Ascending(dueCollection, "due", 0) {
		if one.Value()["clock"] == clock {
			return one, true
		}
	}
	return nil, false
}

// boundTo gives the clock that a call goes by, if it is about what is bound to
// one: the customer, subscription or invoice that it names, or the clock on
// which it makes a customer.
func (c *call) boundTo() (*world.Record, bool) {
	if c.Tx.Len(full(testClocks)) == 0 || !goesByClocks(c.Operation.Path) {
		return nil, false
	}
	if c.Operation.ID == "PostCustomers" {
		return c.find(testClocks, c.text("test_clock"))
	}
	in := c.Input
	for _, named := range []struct {
		collection string
		id         any
	}{
		{customers, in.Body["customer"]},
		{customers, in.Query["customer"]},
		{customers, in.Path["customer"]},
		{subscriptions, in.Body["subscription"]},
		{subscriptions, in.Query["subscription"]},
		{subscriptions, in.Path["subscription"]},
		{subscriptions, in.Path[subscriptionPath]},
		{invoices, in.Body["invoice"]},
		{invoices, in.Path["invoice"]},
		{invoiceItems, in.Path["invoiceitem"]},
		{subscriptionItems, in.Path["item"]},
	} {
		id := cast.Text(named.id)
		if id == "" {
			continue
		}
		record, ok := c.find(named.collection, id)
		if ok && named.collection == subscriptionItems {
			record, ok = c.find(subscriptions, cast.Text(record.Value()["subscription"]))
		}
		if ok && record.Value()["test_clock"] != nil {
			return c.find(testClocks, cast.Text(record.Value()["test_clock"]))
		}
	}
	for payment := range c.Tx.Find(full(invoicePayments), "payment.payment_intent", in.Path["intent"], 0) {
		if invoice, ok := c.find(invoices, cast.Text(payment.Value()["invoice"])); ok {
			return c.find(testClocks, cast.Text(invoice.Value()["test_clock"]))
		}
	}
	return nil, false
}

func goesByClocks(path string) bool {
	return slices.ContainsFunc([]string{"/v1/customers", "/v1/payment_intents/", "/v1/subscription", "/v1/invoice", "/v1/credit_notes"}, func(start string) bool { return strings.HasPrefix(path, start) })
}

// byClock is the call at the time of the clock that it goes by. While that is
// advancing, nothing on it can be changed.
func (c *call) byClock() (*call, *refusal) {
	clock, bound := c.boundTo()
	switch {
	case !bound:
		return c, nil
	case clock.Value()["status"] == "advancing" && c.Operation.Method != http.MethodGet:
		return c, underway(clock.ID)
	}
	return c.by(clock), nil
}

// onClock binds a new customer to the clock that it is made on.
func (c *call) onClock() *refusal {
	id := c.text("test_clock")
	if id == "" {
		return nil
	}
	if _, ok := c.find(testClocks, id); !ok {
		return missing(http.StatusBadRequest, clockName, id, "test_clock")
	}
	n := 0
	for range c.Tx.Find(full(customers), "test_clock", id, 0) {
		n++
	}
	if n >= clockCustomers {
		return invalid("test_clock", "", "You cannot add more than %d customers to a test clock.", clockCustomers)
	}
	return nil
}

// fewEnough refuses more subscriptions of a customer on a clock than it takes.
func (c *call) fewEnough(customer map[string]any) *refusal {
	if customer["test_clock"] == nil {
		return nil
	}
	n := 0
	for one := range c.Tx.Find(full(subscriptions), "customer", cast.Text(customer["id"]), 0) {
		if lives(one) {
			n++
		}
	}
	if n >= clockSubscriptions {
		return invalid("customer", "", "You cannot add more than %d subscriptions to a customer on a test clock.", clockSubscriptions)
	}
	return nil
}
