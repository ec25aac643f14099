package stripe

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// emit writes the event of a change. The event shows the record as it is at
// that moment: its value is shared, since records are frozen. The request is
// null in both its parts when Stripe did it on its own.
func (c *call) emit(kind string, object, previous map[string]any) {
	data := world.Fields{{Name: "object", Value: object}}
	if len(previous) > 0 {
		data = append(data, world.Field{Name: "previous_attributes", Value: previous})
	}
	var request, key any
	if c.request != "" {
		request = c.request
	}
	if c.key != "" {
		key = c.key
	}
	wanted := c.endpointsFor(kind)
	id := c.NewID("evt_1", 23)
	c.own(id)
	fields := world.Fields{{Name: "id", Value: id}, {Name: "object", Value: "event"}}
	if c.account != "" {
		fields = append(fields, world.Field{Name: "account", Value: c.account})
	}
	event, err := c.Tx.InsertFields(full(events), id, append(fields, world.Fields{
		{Name: "api_version", Value: c.fake.version},
		{Name: "created", Value: c.now()},
		{Name: "data", Value: data},
		{Name: "livemode", Value: false},
		{Name: "pending_webhooks", Value: int64(len(wanted))},
		{Name: "request", Value: world.Fields{{Name: "id", Value: request}, {Name: "idempotency_key", Value: key}}},
		{Name: "type", Value: kind},
	}...))
	kit.Must(name, err)
	for _, endpoint := range wanted {
		c.deliver(event, endpoint)
	}
	c.send(kind, object)
}

// listEvents filters by one type, by several, or by a family such as
// "charge.*". delivery_success tells those that every endpoint has taken from
// those that one has not.
func listEvents(c *call) (answer, *refusal) {
	kind, kinds := c.query("type"), c.Input.Query["types"]
	if kind != "" && kinds != nil {
		return answer{}, &refusal{status: http.StatusBadRequest, message: "You cannot specify both type and types.", unsaved: true}
	}
	family, isFamily := strings.CutSuffix(kind, "*")
	if kind != "" && !isFamily {
		return c.list(events, "event", delivered(c.Input.Query["delivery_success"]), "type")
	}
	keep := delivered(c.Input.Query["delivery_success"])
	if isFamily {
		keep = also(keep, func(r *world.Record) bool { return strings.HasPrefix(kit.Text(r.Value(), "type"), family) })
	}
	if wanted, ok := kinds.([]any); ok {
		keep = also(keep, func(r *world.Record) bool { return slices.Contains(wanted, r.Value()["type"]) })
	}
	return c.list(events, "event", keep)
}

// delivered keeps the events whose deliveries stand as asked; nil keeps all.
func delivered(success any) func(*world.Record) bool {
	done, asked := success.(bool)
	if !asked {
		return nil
	}
	return func(r *world.Record) bool { return (whole(r.Value()["pending_webhooks"]) == 0) == done }
}
