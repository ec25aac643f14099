package slack

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// How long what an interaction gives is good for.
// Source: docs.slack.dev/interactivity/handling-user-interaction.
const (
	triggerLife  = 3 * time.Second
	responseLife = 30 * time.Minute
	responseUses = 5
)

// The names by which an endpoint says that it takes interactions, or commands.
const (
	interactive  = "interactive"
	slashCommand = "slash_commands"
)

// hears tells whether the app has an address for what somebody does.
func (c *call) hears(d fakes.Deed) error {
	wants := interactive
	if d.Act == "run" {
		wants = slashCommand
	}
	for range c.takers(wants) {
		return nil
	}
	return fmt.Errorf("the app has no address that takes %s: slack.webhook_endpoints says one with events: [%s], or the app opens a web socket", wants, wants)
}

// takers are the endpoints that say that they take something.
func (c *call) takers(wants string) []*world.Record {
	var all []*world.Record
	for _, endpoint := range c.listening() {
		events := endpoint.Value()["events"]
		if onSocket(endpoint) && events == nil || slices.Contains(cast.Texts(events), wants) {
			all = append(all, endpoint)
		}
	}
	return all
}

// newTrigger gives a trigger that is good for one dialog, for three seconds.
func (c *call) newTrigger(user string) string {
	id := fmt.Sprintf("%d.%d.%s", c.Now.UnixMilli(), c.Now.Unix()%1e9, requestID(c.NewID("", 32)))
	c.create(triggers, id, map[string]any{"id": id, "user": user, "expires": c.Now.Add(triggerLife).UTC().Format(time.RFC3339Nano)})
	return id
}

// interaction is what every payload has.
// Source: docs.slack.dev/reference/interaction-payloads.
func (c *call) interaction(kind string, user map[string]any) map[string]any {
	return map[string]any{
		"type": kind, "token": "parity-verification-token", "api_app_id": c.app()["app_id"], "trigger_id": c.newTrigger(asText(user["id"])),
		"team": map[string]any{"id": c.teamID(), "domain": kit.Text(c.team(), "domain")}, "enterprise": nil, "is_enterprise_install": false,
		"user": map[string]any{"id": user["id"], "username": user["name"], "name": user["name"], "team_id": c.teamID()},
	}
}

func (c *call) channelTold(id string) map[string]any {
	channel, _ := c.get(channels, id)
	told := map[string]any{"id": id, "name": "directmessage"}
	if channel != nil && kit.Text(channel.Value(), "name") != "" {
		told["name"] = kit.Text(channel.Value(), "name")
	}
	return told
}

func viewTold(view map[string]any) map[string]any { return maps.Clone(view) }

// hooksBase is where answers to interactions are sent: Slack's own host, or below
// the base URL that the client uses.
func (c *call) hooksBase() string {
	if base := kit.Text(c.app(), "base"); base != "" {
		return base
	}
	return "https://hooks.slack.com"
}

// remember keeps the base URL of a client that does not call Slack's own hosts:
// what people do later has none.
func (c *call) remember() {
	base := c.filesBase()
	app := c.app()
	if strings.HasSuffix(base, ".slack.com") || c.Identity == fakes.Fixture || app["base"] == base || app["id"] == nil {
		return
	}
	value := maps.Clone(app)
	value["base"] = base
	c.fake.Update(c.Tx, "app", appRecord, value)
}

// responseURL gives an address that answers where somebody did something.
func (c *call) responseURL(kind, channel, user, ts string) string {
	id := kind + "/" + c.teamID() + "/" + strconv.FormatInt(c.Now.UnixMilli(), 10) + "/" + c.NewID("", 24)
	c.create(responses, id, map[string]any{
		"id": id, "channel": channel, "user": user, "ts": ts, "uses": int64(0), "expires": c.Now.Add(responseLife).Unix(),
	})
	return c.hooksBase() + "/" + id
}

// interact tells the app what somebody did; view is the dialog that its answer
// may change.
func (c *call) interact(payload map[string]any, view string) {
	for _, endpoint := range c.takers(interactive) {
		body := url.Values{"payload": {string(world.Encode(payload))}}.Encode()
		c.queueForm("interaction/"+view+"/"+c.NewID("", 9), endpoint, body)
	}
}

func (c *call) queueForm(id string, endpoint *world.Record, body string) {
	if onSocket(endpoint) {
		kit.Must(name, kit.Deliver(c.Tx, fakes.Delivery{
			Service: name, ID: id + "/" + endpoint.ID, Method: socketMethod, URL: kit.Text(endpoint.Value(), "url"), Attempt: 1, Due: c.Now, Body: c.formEnvelope(body),
		}))
		return
	}
	kit.Must(name, kit.Deliver(c.Tx, fakes.Delivery{
		Service: name, ID: id + "/" + endpoint.ID, URL: kit.Text(endpoint.Value(), "url"), Attempt: 1, Due: c.Now, Body: []byte(body),
		Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
	}))
}

// closeView submits or closes a dialog.
func (c *call) closeView(d fakes.Deed, record *world.Record, user map[string]any) (string, error) {
	value := record.Value()
	if value["type"] != "modal" {
		return "", errors.New("a home tab is neither submitted nor closed")
	}
	if d.Act == "close" {
		c.remove(views, record.ID)
		if value["notify_on_close"] == true {
			payload := c.interaction("view_closed", user)
			delete(payload, "trigger_id")
			payload["view"], payload["is_cleared"] = viewTold(value), false
			c.interact(payload, "")
		}
		return fmt.Sprintf("%s closed the dialog", user["name"]), nil
	}
	state, err := filled(value["blocks"], cast.Object(d.With["values"]))
	if err != nil {
		return "", err
	}
	view := maps.Clone(value)
	view["state"] = map[string]any{"values": state}
	view["hash"] = c.hash()
	c.update(views, record.ID, view)
	payload := c.interaction("view_submission", user)
	payload["view"], payload["response_urls"] = viewTold(view), []any{}
	c.interact(payload, record.ID)
	return fmt.Sprintf("%s submitted the dialog", user["name"]), nil
}

// filled is the state of a dialog: what was said by block and action, or by
// action alone. An input that is not optional has to be filled in.
func filled(blocks any, said map[string]any) (map[string]any, error) {
	state, known := map[string]any{}, map[string]bool{}
	for _, item := range cast.List(blocks) {
		block := cast.Object(item)
		for _, one := range elementsOf([]any{block}) {
			action := kit.Text(one.value, "action_id")
			if kind := kit.Text(one.value, "type"); kind == "button" || kind == "overflow" {
				continue
			}
			value, given := cast.Object(said[one.block])[action]
			if !given {
				value, given = said[action]
			}
			if !given {
				value = one.value["initial_value"]
			}
			if value == nil && kit.Text(block, "type") == "input" && block["optional"] != true {
				return nil, fmt.Errorf("values say nothing for %s, which has to be filled in: %w", action, fakes.ErrAct)
			}
			chosen, err := stateOf(one.value, value)
			if err != nil {
				return nil, err
			}
			known[one.block], known[action] = true, true
			inner := maps.Clone(cast.Object(state[one.block]))
			if inner == nil {
				inner = map[string]any{}
			}
			inner[action] = chosen
			state[one.block] = inner
		}
	}
	for _, key := range slices.Sorted(maps.Keys(said)) {
		if !known[key] {
			return nil, fmt.Errorf("the dialog has nothing called %s: %w", key, fakes.ErrAct)
		}
	}
	return state, nil
}

// place is where somebody does something: a channel by id or name, else the
// first.
func (c *call) place(named string) (*world.Record, error) {
	named = strings.TrimPrefix(named, "#")
	for channel := range c.Tx.Oldest(c.fake.Full(channels), 0) {
		if named == "" && channel.Value()["is_general"] == true || named == channel.ID || named != "" && channel.Value()["name"] == named {
			return channel, nil
		}
	}
	return nil, fmt.Errorf("slack has no channel %s: %w", named, fakes.ErrAct)
}

// runCommand tells the app of a slash command.
// Source: docs.slack.dev/interactivity/implementing-slash-commands.
func (c *call) runCommand(d fakes.Deed, command *world.Record, user map[string]any) (string, error) {
	channel, err := c.place(asText(d.With["channel"]))
	if err != nil {
		return "", err
	}
	told := c.channelTold(channel.ID)
	form := url.Values{
		"token": {"parity-verification-token"}, "team_id": {c.teamID()}, "team_domain": {kit.Text(c.team(), "domain")}, "channel_id": {channel.ID},
		"channel_name": {asText(told["name"])}, "user_id": {asText(user["id"])}, "user_name": {asText(user["name"])}, "command": {command.ID},
		"text": {asText(d.With["text"])}, "api_app_id": {kit.Text(c.app(), "app_id")}, "is_enterprise_install": {"false"},
		"response_url": {c.responseURL("commands", channel.ID, asText(user["id"]), "")}, "trigger_id": {c.newTrigger(asText(user["id"]))},
	}
	for _, endpoint := range c.takers(slashCommand) {
		c.queueForm("command/"+c.NewID("", 9), endpoint, form.Encode())
	}
	return fmt.Sprintf("%s typed %s %s", user["name"], command.ID, form.Get("text")), nil
}

// useShortcut tells the app of a shortcut: a global one, or one on a message.
func (c *call) useShortcut(d fakes.Deed, shortcut *world.Record, user map[string]any) (string, error) {
	payload := c.interaction("shortcut", user)
	payload["callback_id"], payload["action_ts"] = shortcut.ID, stamp(c.Now.UnixMicro())
	if ts := asText(d.With["ts"]); ts != "" || shortcut.Value()["type"] == "message" {
		channel, err := c.place(asText(d.With["channel"]))
		if err != nil {
			return "", err
		}
		message, ok := c.message(channel, ts)
		if !ok {
			return "", fmt.Errorf("there is no message %s in that channel: %w", ts, fakes.ErrAct)
		}
		payload["type"], payload["message_ts"] = "message_action", ts
		payload["channel"], payload["message"] = c.channelTold(channel.ID), message.Value()["message"]
		payload["response_url"] = c.responseURL("app", channel.ID, asText(user["id"]), ts)
	}
	c.interact(payload, "")
	return fmt.Sprintf("%s used %s", user["name"], shortcut.ID), nil
}
