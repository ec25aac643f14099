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
	data := map[string]any{"object": object}
	if len(previous) > 0 {
		data["previous_attributes"] = previous
	}
	var request, key any
	if c.request != "" {
		request = c.request
	}
	if c.key != "" {
		key = c.key
	}
	wanted := c.endpointsFor(kind)
	event := c.create(events, map[string]any{
		"id": c.NewID("evt_1", 23), "object": "event", "api_version": c.fake.version,
		"created": c.now(), "data": data, "livemode": false, "pending_webhooks": int64(len(wanted)),
		"request": map[string]any{"id": request, "idempotency_key": key},
		"type":    kind,
	})
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
