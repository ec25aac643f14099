package slack

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// What people do, and what waits for them.
const (
	waitsMessage  = "message"
	waitsView     = "view"
	waitsCommand  = "command"
	waitsShortcut = "shortcut"
)

// Acts lists what people do in Slack that an app is told of.
func (f *Fake) Acts() []fakes.Act {
	chosen := []string{"user", "action_id", "block_id", "value"}
	act := func(waits, collection, does, name string, with ...string) fakes.Act {
		return fakes.Act{Waits: waits, Collection: f.Full(collection), Name: name, Does: does, With: with}
	}
	return []fakes.Act{
		act(waitsMessage, messages, "press a button of a message, or choose in a menu of it", "press", chosen...),
		act(waitsView, views, "press a button of a dialog or home tab, or choose in a menu of it", "press", chosen...),
		act(waitsView, views, "submit a dialog; values are by block and action, or by action", "submit", "user", "values"),
		act(waitsView, views, "close a dialog", "close", "user"),
		act(waitsCommand, commands, "type a slash command", "run", "user", "channel", "text"),
		act(waitsShortcut, shortcuts, "use a shortcut; one of messages on a message", "use", "user", "channel", "ts"),
	}
}

// Waits tells whether a record waits for a person: a message or a view in which
// something can be pressed, and what the app has declared.
func (f *Fake) Waits(fc *fakes.Call, collection, id string) (fakes.Waiting, bool) {
	short := strings.TrimPrefix(collection, name+".")
	record, ok := f.Get(fc.Tx, short, id)
	if !ok {
		return fakes.Waiting{}, false
	}
	value := record.Value()
	switch short {
	case messages:
		message := cast.Object(value["message"])
		if message["bot_id"] == nil || len(elementsOf(message["blocks"])) == 0 {
			return fakes.Waiting{}, false
		}
		return fakes.Waiting{Kind: waitsMessage, Since: time.UnixMicro(micros(tsOf(record))).UTC(), Says: "a message: " + kit.Clip(asText(message["text"]))}, true
	case views:
		if value["type"] != "modal" && len(elementsOf(value["blocks"])) == 0 {
			return fakes.Waiting{}, false
		}
		seconds, _, _ := strings.Cut(kit.Text(value, "hash"), ".")
		return fakes.Waiting{Kind: waitsView, Since: time.UnixMicro(micros(seconds + ".000000")).UTC(), Says: "a view: " + kit.Text(value, "title.text")}, true
	case commands:
		return fakes.Waiting{Kind: waitsCommand, Since: time.Unix(founded, 0).UTC(), Says: "the command " + id}, true
	case shortcuts:
		return fakes.Waiting{Kind: waitsShortcut, Since: time.Unix(founded, 0).UTC(), Says: "the shortcut " + id}, true
	}
	return fakes.Waiting{}, false
}

// Do does what a person does: the app is told, by its interactivity URL or by
// Socket Mode.
func (f *Fake) Do(fc *fakes.Call, d fakes.Deed) (string, error) {
	c := f.call(fc)
	record, ok := c.get(strings.TrimPrefix(d.Collection, name+"."), d.ID)
	if !ok {
		return "", fmt.Errorf("slack %s is not there", d.ID)
	}
	user, err := c.actor(asText(d.With["user"]))
	if err != nil {
		return "", err
	}
	if err := c.hears(d); err != nil {
		return "", err
	}
	switch d.Act {
	case "press":
		return c.press(d, record, user)
	case "submit", "close":
		return c.closeView(d, record, user)
	case "run":
		return c.runCommand(d, record, user)
	}
	return c.useShortcut(d, record, user)
}

// actor is who does it: a user by id or name, else whoever installed the app.
func (c *call) actor(named string) (map[string]any, error) {
	id := named
	if id == "" {
		id = kit.Text(c.app(), "installer")
	}
	if user, ok := c.get(users, id); ok {
		return user.Value(), nil
	}
	for user := range c.fake.Find(c.Tx, users, "name", strings.TrimPrefix(named, "@")) {
		return user.Value(), nil
	}
	return nil, fmt.Errorf("slack has no user %s: %w", named, fakes.ErrAct)
}

// An element is something in a block that can be pressed, chosen or filled in.
type element struct {
	block string
	value map[string]any
}

// elementsOf lists them, in order.
func elementsOf(blocks any) []element {
	var all []element
	for _, item := range cast.List(blocks) {
		block := cast.Object(item)
		for _, inner := range append(slices.Clone(cast.List(block["elements"])), block["accessory"], block["element"]) {
			one := cast.Object(inner)
			if kind := kit.Text(one, "type"); kind == "image" || kind == mrkdwnText || kind == plainText || kind == "" || kit.Text(block, "type") == "rich_text" {
				continue
			}
			all = append(all, element{kit.Text(block, "block_id"), one})
		}
	}
	return all
}

// chosenElement finds what is pressed; where there is one alone, it need not be
// named.
func chosenElement(blocks any, d fakes.Deed) (element, error) {
	action, block := asText(d.With["action_id"]), asText(d.With["block_id"])
	var fitting []element
	var names []string
	for _, one := range elementsOf(blocks) {
		names = append(names, kit.Text(one.value, "action_id"))
		if (action == "" || one.value["action_id"] == action) && (block == "" || one.block == block) {
			fitting = append(fitting, one)
		}
	}
	if len(fitting) == 1 || action != "" && len(fitting) > 0 {
		return fitting[0], nil
	}
	return element{}, fmt.Errorf("action_id says which of %s is pressed: %w", strings.Join(names, ", "), fakes.ErrAct)
}

// press tells the app of one element that was pressed or chosen in.
func (c *call) press(d fakes.Deed, record *world.Record, user map[string]any) (string, error) {
	value := record.Value()
	message := cast.Object(value["message"])
	blocks := value["blocks"]
	if message != nil {
		blocks = message["blocks"]
	}
	pressed, err := chosenElement(blocks, d)
	if err != nil {
		return "", err
	}
	chosen, err := stateOf(pressed.value, d.With["value"])
	if err != nil {
		return "", err
	}
	action := map[string]any{"action_ts": stamp(c.Now.UnixMicro()), "block_id": pressed.block, "action_id": pressed.value["action_id"]}
	for field, said := range chosen {
		action[field] = said
	}
	for _, field := range []string{"text", "value", "placeholder", "style", "url"} {
		if pressed.value[field] != nil && action[field] == nil {
			action[field] = pressed.value[field]
		}
	}
	payload := c.interaction("block_actions", user)
	payload["actions"] = []any{action}
	if message == nil {
		payload["view"], payload["container"] = viewTold(value), map[string]any{"type": "view", "view_id": record.ID}
	} else {
		channel := kit.Text(value, "channel")
		payload["container"] = map[string]any{"type": "message", "message_ts": value["ts"], "channel_id": channel, "is_ephemeral": false}
		payload["channel"], payload["message"] = c.channelTold(channel), message
		payload["state"] = map[string]any{"values": map[string]any{}}
		if pressed.value["type"] != "button" && pressed.value["type"] != "overflow" {
			payload["state"] = map[string]any{"values": map[string]any{pressed.block: map[string]any{asText(pressed.value["action_id"]): chosen}}}
		}
		payload["response_url"] = c.responseURL("actions", channel, asText(user["id"]), asText(value["ts"]))
	}
	c.interact(payload, "")
	return fmt.Sprintf("%s pressed %s", user["name"], pressed.value["action_id"]), nil
}

// stateOf is what is chosen in an element, as Slack tells of it.
func stateOf(one map[string]any, said any) (map[string]any, error) {
	kind := kit.Text(one, "type")
	state := map[string]any{"type": kind}
	text := asText(said)
	field := map[string]string{
		"users_select": "selected_user", "conversations_select": "selected_conversation", "channels_select": "selected_channel", "datepicker": "selected_date",
		"timepicker": "selected_time", "datetimepicker": "selected_date_time", "plain_text_input": "value", "number_input": "value", "email_text_input": "value",
		"url_text_input": "value", "rich_text_input": "rich_text_value", "multi_users_select": "selected_users",
		"multi_conversations_select": "selected_conversations", "multi_channels_select": "selected_channels",
	}[kind]
	switch {
	case kind == "button" || kind == "workflow_button":
		return state, nil
	case field != "" && strings.HasPrefix(kind, "multi_"):
		state[field] = listed(said)
	case kind == "datetimepicker":
		state[field] = said
	case field != "" && said == nil:
		state[field] = nil
	case field != "":
		state[field] = text
	case kind == "checkboxes" || strings.HasPrefix(kind, "multi_"):
		options := []any{}
		for _, item := range listed(said) {
			option, ok := optionOf(one, asText(item))
			if !ok {
				return nil, fmt.Errorf("%s has no option %v: %w", kind, item, fakes.ErrAct)
			}
			options = append(options, option)
		}
		state["selected_options"] = options
	case kind == "external_select":
		state["selected_option"] = map[string]any{"text": map[string]any{"type": plainText, "text": text}, "value": text}
	case said == nil:
		state["selected_option"] = nil
	default:
		option, ok := optionOf(one, text)
		if !ok {
			return nil, fmt.Errorf("%s has no option %q: %w", kind, text, fakes.ErrAct)
		}
		state["selected_option"] = option
	}
	return state, nil
}

func listed(said any) []any {
	switch v := said.(type) {
	case nil:
		return []any{}
	case []any:
		return v
	}
	return []any{said}
}

// optionOf finds an option by its value, or by what it is called.
func optionOf(one map[string]any, named string) (map[string]any, bool) {
	options := slices.Clone(cast.List(one["options"]))
	for _, group := range cast.List(one["option_groups"]) {
		options = append(options, cast.List(cast.Object(group)["options"])...)
	}
	for _, item := range options {
		if option := cast.Object(item); option["value"] == named || kit.Text(option, "text.text") == named {
			return option, true
		}
	}
	return nil, false
}
