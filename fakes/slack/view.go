package slack

import (
	"fmt"
	"maps"
	"regexp"
	"sync"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Limits of views.
// Source: docs.slack.dev/reference/views and the views.* methods.
const (
	mostViewBlocks = 100
	largestView    = 250_000 // bytes
	mostStacked    = 3
)

var triggerForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9a-f]+$`) })

// wrongView says what is wrong with a view, in Slack's words.
func wrongView(view map[string]any, kinds ...string) []string {
	const failed = "[ERROR] failed to match all allowed schemas [json-pointer:/view]"
	missing := func(fields ...string) []string {
		var wrong []string
		for _, field := range fields {
			if view[field] == nil {
				wrong = append(wrong, "[ERROR] missing required field: "+field+" [json-pointer:/view]")
			}
		}
		return wrong
	}
	kind := asText(view["type"])
	if kind == "" {
		return append([]string{failed}, missing("type")...)
	}
	allowed := false
	for _, one := range kinds {
		allowed = allowed || one == kind
	}
	if !allowed {
		return []string{failed, "[ERROR] unsupported type: " + kit.Clip(kind) + " [json-pointer:/view/type]"}
	}
	wrong := missing("blocks")
	if kind == "modal" {
		wrong = missing("title", "blocks")
		short := textRule{24, plainKind}
		wrong = append(wrong, wrongTexts(view, "/view", map[string]textRule{"title": short, "submit": short, "close": short})...)
	}
	wrong = append(wrong, wrongLengths(view, "/view", map[string]int{"private_metadata": 3000, "callback_id": longestID, "external_id": longestID})...)
	if view["blocks"] != nil {
		list, isList := view["blocks"].([]any)
		if !isList {
			return append(wrong, "[ERROR] must be an array [json-pointer:/view/blocks]")
		}
		wrong = append(wrong, wrongBlocks(list, "/view/blocks", mostViewBlocks)...)
	}
	return wrong
}

// given reads the argument view.
func (c *call) viewGiven(kinds ...string) (map[string]any, *refusal) {
	if len(c.text("view")) > largestView {
		return nil, refuse("view_too_large")
	}
	value, ok := c.json("view")
	view, isObject := value.(map[string]any)
	if list, isList := value.([]any); isList && len(list) == 0 {
		view, isObject = map[string]any{}, true
	}
	if !ok || !isObject {
		return nil, &refusal{code: invalidArguments, messages: []string{"[ERROR] failed to match all allowed schemas [json-pointer:/view]", "[ERROR] must provide an object [json-pointer:/view]"}}
	}
	if wrong := wrongView(view, kinds...); len(wrong) > 0 {
		return nil, &refusal{code: invalidArguments, messages: wrong}
	}
	return view, nil
}

// made completes a view as Slack shows it.
func (c *call) made(id string, view map[string]any) map[string]any {
	app := c.app()
	value := map[string]any{
		"id": id, "team_id": c.teamID(), "type": view["type"], "private_metadata": asText(view["private_metadata"]), "callback_id": asText(view["callback_id"]),
		"external_id": asText(view["external_id"]), "state": map[string]any{"values": map[string]any{}}, "hash": c.hash(),
		"title": map[string]any{"type": "plain_text", "text": "View Title", "emoji": true}, "close": nil, "submit": nil,
		"clear_on_close": view["clear_on_close"] == true, "notify_on_close": view["notify_on_close"] == true, "submit_disabled": view["submit_disabled"] == true,
		"root_view_id": id, "previous_view_id": nil, "app_id": app["app_id"], "app_installed_team_id": c.teamID(), "bot_id": app["bot_id"],
	}
	value["blocks"] = c.named(cast.List(view["blocks"]))
	c.remember()
	for _, field := range []string{"title", "close", "submit"} {
		if text, ok := view[field].(map[string]any); ok {
			value[field] = fullText(text)
		}
	}
	return value
}

// hash is a view's version: seconds and eight characters.
func (c *call) hash() string { return fmt.Sprintf("%d.%s", c.now(), c.NewID("", 8)) }

func (c *call) viewID() string { return "V" + upper(c.NewID("", 10)) }

func (c *call) externalTaken(id, external string) bool {
	if external == "" {
		return false
	}
	for record := range c.fake.Find(c.Tx, views, "external_id", external) {
		if record.ID != id {
			return true
		}
	}
	return false
}

// trigger finds what an interaction gave, or a fixture.
func (c *call) trigger() (*world.Record, *refusal) {
	id := c.text("trigger_id")
	if id == "" {
		id = c.text("interactivity_pointer")
	}
	record, ok := c.get(triggers, id)
	switch {
	case id == "":
		return nil, &refusal{code: invalidArguments, messages: []string{"[ERROR] missing required field: trigger_id"}}
	case !ok && !triggerForm().MatchString(id):
		return nil, refuse("invalid_trigger_id")
	case !ok:
		return nil, refuse("expired_trigger_id")
	case record.Value()["used"] == true:
		return nil, refuse("exchanged_trigger_id")
	}
	until := (kit.Token{})
	switch expires := record.Value()["expires"].(type) {
	case int64:
		until.Expires = time.Unix(expires, 0)
	case string:
		if at, err := time.Parse(time.RFC3339, expires); err == nil {
			until.Expires = at
		}
	}
	if until.Expired(c.Now) {
		return nil, refuse("expired_trigger_id")
	}
	return record, nil
}

func (c *call) spend(trigger *world.Record) {
	value := maps.Clone(trigger.Value())
	value["used"] = true
	c.update(triggers, trigger.ID, value)
}

func openView(c *call) (answer, *refusal) { return c.stack(nil) }

// pushView puts a view on top of the newest dialog.
func pushView(c *call) (answer, *refusal) {
	for record := range c.Tx.Newest(c.fake.Full(views), 0) {
		if record.Value()["type"] == "modal" {
			return c.stack(record)
		}
	}
	return c.stack(nil)
}

func (c *call) stack(below *world.Record) (answer, *refusal) {
	view, refused := c.viewGiven("modal", "workflow_step")
	if refused != nil {
		return answer{}, refused
	}
	trigger, refused := c.trigger()
	switch {
	case refused != nil:
		return answer{}, refused
	case c.externalTaken("", asText(view["external_id"])):
		return answer{}, refuse("duplicate_external_id")
	}
	value := c.made(c.viewID(), view)
	if below != nil {
		value["root_view_id"], value["previous_view_id"] = below.Value()["root_view_id"], below.ID
		depth := 0
		for record := range c.Tx.Newest(c.fake.Full(views), 0) {
			if record.Value()["root_view_id"] == value["root_view_id"] {
				depth++
			}
		}
		if depth >= mostStacked {
			return answer{}, refuse("push_limit_reached")
		}
	}
	c.spend(trigger)
	return said(map[string]any{"view": c.create(views, asText(value["id"]), value).Value()})
}

// publishView sets a user's home tab: one for each user.
func publishView(c *call) (answer, *refusal) {
	user := c.text("user_id")
	if _, ok := c.get(users, user); !ok {
		return answer{}, &refusal{code: invalidArguments, messages: []string{"[ERROR] invalid `user_id`"}}
	}
	view, refused := c.viewGiven("home")
	if refused != nil {
		return answer{}, refused
	}
	id := "VHOME" + user
	old, ok := c.get(views, id)
	if hash := c.text("hash"); hash != "" && ok && old.Value()["hash"] != hash {
		return answer{}, refuse("hash_conflict")
	}
	if c.externalTaken(id, asText(view["external_id"])) {
		return answer{}, refuse("duplicate_external_id")
	}
	value := c.made(id, view)
	if ok {
		c.update(views, id, value)
	} else {
		c.create(views, id, value)
	}
	return said(map[string]any{"view": value})
}

func updateView(c *call) (answer, *refusal) {
	view, refused := c.viewGiven("modal", "home", "workflow_step")
	if refused != nil {
		return answer{}, refused
	}
	record, ok := c.get(views, c.text("view_id"))
	if external := c.text("external_id"); external != "" && !c.given("view_id") {
		for found := range c.fake.Find(c.Tx, views, "external_id", external) {
			record, ok = found, true
		}
	}
	switch {
	case !ok:
		return answer{}, refuse("not_found")
	case c.given("hash") && record.Value()["hash"] != c.text("hash"):
		return answer{}, refuse("hash_conflict")
	case c.externalTaken(record.ID, asText(view["external_id"])):
		return answer{}, refuse("duplicate_external_id")
	}
	value := c.made(record.ID, view)
	for _, field := range []string{"root_view_id", "previous_view_id", "state"} {
		value[field] = record.Value()[field]
	}
	return said(map[string]any{"view": c.update(views, record.ID, value).Value()})
}
