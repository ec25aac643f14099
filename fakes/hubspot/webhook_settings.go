package hubspot

import (
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// What an app is told of by webhooks: one address for all of it, and a
// subscription for each kind of event.

func showSettings(r *world.Record) map[string]any {
	shown := changed(r.Value())
	delete(shown, "id")
	delete(shown, "secret")
	return shown
}

func (c *call) settingsOf() (*world.Record, *refusal) {
	r, there := c.fake.store.Get(c.Tx, webhookSettings, c.Input.Path["appId"])
	if !there {
		return nil, &refusal{status: http.StatusNotFound, category: notFoundCategory, message: "No webhook settings found for app " + kit.Clip(c.Input.Path["appId"])}
	}
	return r, nil
}

func getSettings(c *call, r *world.Record) (answer, *refusal) { return ok(showSettings(r)) }

func putSettings(c *call) (answer, *refusal) {
	target := c.text("targetUrl")
	if !strings.HasPrefix(target, "https://") && !strings.HasPrefix(target, "http://") {
		return answer{}, invalid("targetUrl must be a valid URL")
	}
	app := c.Input.Path["appId"]
	value := map[string]any{"id": app, "createdAt": c.now()}
	if r, there := c.fake.store.Get(c.Tx, webhookSettings, app); there {
		value = changed(r.Value())
	}
	throttling := changed(cast.Object(c.Input.Body["throttling"]))
	if throttling == nil {
		throttling = map[string]any{"maxConcurrentRequests": int64(10)}
	}
	if throttling["period"] == nil {
		throttling["period"] = "SECONDLY"
	}
	value["targetUrl"], value["throttling"], value["updatedAt"] = target, throttling, c.now()
	return ok(showSettings(c.fake.store.Put(c.Tx, webhookSettings, app, value)))
}

// clearSettings takes the address away; subscriptions wait for another.
func clearSettings(c *call, r *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, webhookSettings, r.ID)
	return done()
}

func showSubscription(r *world.Record) map[string]any {
	shown := map[string]any{"id": r.ID}
	for _, field := range []string{"eventType", "propertyName", "active", "createdAt", "updatedAt"} {
		if v := r.Value()[field]; v != nil {
			shown[field] = v
		}
	}
	return shown
}

func listSubscriptions(c *call) (answer, *refusal) {
	results := []any{}
	for r := range c.Tx.Oldest(c.fake.store.Full(subscriptions), 0) {
		if r.Value()["appId"] == c.Input.Path["appId"] {
			results = append(results, showSubscription(r))
		}
	}
	return ok(map[string]any{"results": results})
}

func createSubscription(c *call) (answer, *refusal) {
	kind, property := c.text("eventType"), c.text("propertyName")
	object, event, _ := strings.Cut(kind, ".")
	o, known := c.typeNamed(object)
	if !known && object != "conversation" && object != "object" {
		return answer{}, invalid("%s is not a valid eventType", kit.Clip(kind))
	}
	switch event {
	case "propertyChange":
		if property == "" {
			return answer{}, invalid("propertyName is required for eventType %s", kit.Clip(kind))
		}
		if known && c.definition(o, property) == nil {
			return answer{}, invalid("Property %q does not exist", kit.Clip(property))
		}
	case "creation", "deletion", "merge", "restore", "associationChange", "privacyDeletion", "newMessage":
	default:
		return answer{}, invalid("%s is not a valid eventType", kit.Clip(kind))
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(subscriptions), 0) {
		if r.Value()["appId"] == c.Input.Path["appId"] && r.Value()["eventType"] == kind && cast.Text(r.Value()["propertyName"]) == property {
			return answer{}, &refusal{status: http.StatusConflict, category: conflictCategory, message: "A subscription for " + kit.Clip(kind) + " already exists"}
		}
	}
	id := c.id(subscriptions)
	value := map[string]any{"id": id, "appId": c.Input.Path["appId"], "eventType": kind, "active": c.Input.Body["active"] == true, "createdAt": c.now(), "updatedAt": c.now()}
	if property != "" {
		value["propertyName"] = property
	}
	return answer{status: http.StatusCreated, value: showSubscription(c.fake.store.Create(c.Tx, subscriptions, id, value))}, nil
}

func (c *call) namedSubscription() (*world.Record, *refusal) {
	return c.subscription(c.Input.Path["subscriptionId"])
}

func (c *call) subscription(id string) (*world.Record, *refusal) {
	r, there := c.fake.store.Get(c.Tx, subscriptions, id)
	if !there || r.Value()["appId"] != c.Input.Path["appId"] {
		return nil, &refusal{
			status: http.StatusNotFound, category: "SUBSCRIPTION_ID_NOT_FOUND", sub: "SubscriptionErrors.SUBSCRIPTION_IDS_NOT_FOUND",
			message: "Failed to find subscriptions by id `" + kit.Clip(id) + "`. Try again using a different subscriptionId.",
			context: map[string]any{"subscriptionIds": []any{kit.Clip(id)}},
		}
	}
	return r, nil
}

func getSubscription(c *call, r *world.Record) (answer, *refusal) { return ok(showSubscription(r)) }

func (c *call) activate(r *world.Record, active any) map[string]any {
	value := changed(r.Value())
	value["active"], value["updatedAt"] = active == true, c.now()
	return showSubscription(c.fake.store.Update(c.Tx, subscriptions, r.ID, value))
}

func updateSubscription(c *call, r *world.Record) (answer, *refusal) {
	return ok(c.activate(r, c.Input.Body["active"]))
}

func deleteSubscription(c *call, r *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, subscriptions, r.ID)
	return done()
}

func batchUpdateSubscriptions(c *call) (answer, *refusal) {
	b := batch{status: http.StatusOK}
	for _, input := range c.inputs() {
		r, refused := c.subscription(cast.Plain(input["id"]))
		if refused != nil {
			b.errors = append(b.errors, refused.item(refused.context))
			continue
		}
		b.results = append(b.results, c.activate(r, input["active"]))
	}
	return c.reply(b)
}

// wantedBy tells whether a subscription is for an event, and where it is told.
func (c *call) wantedBy(r *world.Record, kind, property string) (url string, wanted bool) {
	value := r.Value()
	if value["eventType"] == nil { // one that a fixture wrote
		return cast.Text(value["url"]), wants(value, "events", kind) && (property == "" || wants(value, "properties", property))
	}
	settings, there := c.fake.store.Get(c.Tx, webhookSettings, cast.Text(value["appId"]))
	if !there || value["active"] != true || property != cast.Text(value["propertyName"]) {
		return "", false
	}
	_, event, _ := strings.Cut(kind, ".")
	return cast.Text(settings.Value()["targetUrl"]), value["eventType"] == kind || value["eventType"] == "object."+event
}
