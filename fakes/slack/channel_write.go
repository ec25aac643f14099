package slack

import (
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Lengths that Slack allows.
// Source: docs.slack.dev/reference/methods/conversations.create and
// conversations.setTopic.
const (
	longestName  = 80
	longestTopic = 250
)

// channelName refuses what is no name for a channel: small letters of any
// script, digits, hyphens and underscores.
func channelName(text string) (string, *refusal) {
	text = strings.TrimPrefix(text, "#")
	letters := 0
	for _, r := range text {
		switch {
		case r == '-' || r == '_':
		case unicode.IsUpper(r) || unicode.IsSpace(r), !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			return "", refuse("invalid_name_specials")
		default:
			letters++
		}
	}
	switch {
	case text == "":
		return "", refuse("invalid_name_required")
	case letters == 0:
		return "", refuse("invalid_name_punctuation")
	case utf8.RuneCountInString(text) > longestName:
		return "", refuse("invalid_name_maxlength")
	}
	return text, nil
}

// nameTaken looks among channels of all kinds, archived ones too.
func (c *call) nameTaken(text string) bool {
	for range c.fake.Find(c.Tx, channels, "name", text) {
		return true
	}
	return false
}

func createChannel(c *call) (answer, *refusal) {
	text, refused := channelName(c.text("name"))
	if refused != nil {
		return answer{}, refused
	}
	private := c.flag("is_private", false)
	family := "channels"
	if private {
		family = "groups"
	}
	if refused := c.scopeFor(family, "write"); refused != nil {
		return answer{}, refused
	}
	if c.nameTaken(text) {
		return answer{}, refuse("name_taken")
	}
	creator := c.who.user
	if c.Identity == fakes.Fixture && c.given("creator") {
		creator = c.text("creator")
	}
	value := channelRecord(c.teamID(), c.NewID("C", 10), text, creator, c.now(), private)
	value["id"] = strings.ToUpper(asText(value["id"]))
	crew := []string{creator}
	if c.Identity == fakes.Fixture {
		crew = c.furnish(value, crew)
	}
	channel := c.create(channels, asText(value["id"]), value)
	for _, user := range crew {
		c.enter(channel, user, "")
	}
	if !private {
		c.emit("channel_created", map[string]any{"channel": map[string]any{
			"id": channel.ID, "name": text, "created": value["created"], "creator": creator, "name_normalized": text, "context_team_id": value["context_team_id"],
		}})
	}
	return said(map[string]any{"channel": c.read(channel)})
}

// furnish takes what a fixture may say of a channel beyond what the method
// does, and gives its members.
func (c *call) furnish(value map[string]any, crew []string) []string {
	if id := c.text("id"); id != "" {
		value["id"] = id
	}
	for field, creator := range map[string]any{"topic": value["creator"], "purpose": value["creator"]} {
		if text, isText := c.args[field].(string); isText {
			value[field] = topic(text, asText(creator), c.now())
			delete(c.args, field)
		}
	}
	for _, field := range []string{"is_archived", "is_general"} {
		if c.given(field) {
			value[field] = c.flag(field, false)
		}
	}
	if given := c.names("members"); len(given) > 0 {
		return given
	}
	return crew
}

func renameChannel(c *call, channel *world.Record) (answer, *refusal) {
	if !c.manages(channel) {
		return answer{}, refuse("not_authorized")
	}
	text, refused := channelName(c.text("name"))
	if refused != nil {
		return answer{}, refused
	}
	old := kit.Text(channel.Value(), "name")
	if text != old && c.nameTaken(text) {
		return answer{}, refuse("name_taken")
	}
	value := maps.Clone(channel.Value())
	value["name"], value["name_normalized"] = text, text
	if text != old {
		value["previous_names"] = append([]any{old}, cast.List(value["previous_names"])...)
	}
	channel = c.change(channel, value)
	c.note(channel, "channel_name", "has renamed the channel from \""+old+"\" to \""+text+"\"", map[string]any{"old_name": old, "name": text})
	c.emit("channel_rename", map[string]any{"channel": map[string]any{"id": channel.ID, "name": text, "created": value["created"], "is_channel": true}})
	return said(map[string]any{"channel": c.read(channel)})
}

// manageable is a channel that is no direct message, which the caller is in.
func (c *call) manageable() (*world.Record, *refusal) {
	channel, refused := c.channel("channel")
	switch {
	case refused != nil:
		return nil, refused
	case isDirect(channel):
		return nil, refuse(wrongKind)
	}
	if refused := c.scopeFor(familyOf(channel.Value()), "write"); refused != nil && c.method.name != "conversations.setTopic" && c.method.name != "conversations.setPurpose" && c.method.name != "conversations.invite" {
		return nil, refused
	}
	if channel.Value()["is_archived"] == true {
		return nil, refuse(isArchived)
	}
	if c.Identity != fakes.Fixture && !c.isMember(channel.ID, c.who.user) {
		return nil, refuse(notInChannel)
	}
	return channel, nil
}

// manages tells whether the caller made a channel, or runs the workspace.
func (c *call) manages(channel *world.Record) bool {
	if c.Identity == fakes.Fixture || channel.Value()["creator"] == c.who.user {
		return true
	}
	me, ok := c.get(users, c.who.user)
	return ok && me.Value()["is_admin"] == true
}

// change writes a channel back.
func (c *call) change(channel *world.Record, value map[string]any) *world.Record {
	value["updated"] = c.Now.UnixMilli()
	return c.update(channels, channel.ID, value)
}

func archiveChannel(c *call, channel *world.Record) (answer, *refusal) {
	switch {
	case isDirect(channel):
		return answer{}, refuse(wrongKind)
	case channel.Value()["is_general"] == true:
		return answer{}, refuse("cant_archive_general")
	case channel.Value()["is_archived"] == true:
		return answer{}, refuse("already_archived")
	case !c.isMember(channel.ID, c.who.user):
		return answer{}, refuse(notInChannel)
	}
	if refused := c.scopeFor(familyOf(channel.Value()), "write"); refused != nil {
		return answer{}, refused
	}
	c.note(channel, "channel_archive", "archived the channel", nil)
	value := maps.Clone(channel.Value())
	value["is_archived"] = true
	c.change(channel, value)
	c.emit("channel_archive", map[string]any{"channel": channel.ID, "user": c.who.user})
	return done()
}

// unarchiveChannel brings a channel back. A bot cannot: nobody is in an
// archived channel.
// Source: docs.slack.dev/reference/methods/conversations.unarchive.
func unarchiveChannel(c *call, channel *world.Record) (answer, *refusal) {
	switch {
	case isDirect(channel):
		return answer{}, refuse(wrongKind)
	case channel.Value()["is_archived"] != true:
		return answer{}, refuse("not_archived")
	case c.who.kind == botToken:
		return answer{}, refuse(notInChannel)
	}
	value := maps.Clone(channel.Value())
	value["is_archived"] = false
	channel = c.change(channel, value)
	c.note(channel, "channel_unarchive", "un-archived the channel", nil)
	c.emit("channel_unarchive", map[string]any{"channel": channel.ID, "user": c.who.user})
	return done()
}

func setTopic(c *call) (answer, *refusal) { return c.describe("topic") }

func setPurpose(c *call) (answer, *refusal) { return c.describe("purpose") }

// describe sets a channel's topic or purpose.
func (c *call) describe(field string) (answer, *refusal) {
	channel, refused := c.channel("channel")
	if refused == nil && channel.Value()["is_mpim"] != true {
		channel, refused = c.manageable()
	}
	if refused != nil {
		return answer{}, refused
	}
	text := c.text(field)
	if utf8.RuneCountInString(text) > longestTopic {
		return answer{}, refuse("too_long")
	}
	value := maps.Clone(channel.Value())
	value[field] = topic(escaped(text), c.who.user, c.now())
	channel = c.change(channel, value)
	words := "set the channel " + map[string]string{"topic": "topic", "purpose": "description"}[field] + ": " + escaped(text)
	if text == "" {
		words = "cleared the channel " + field
	}
	c.note(channel, "channel_"+field, words, map[string]any{field: escaped(text)})
	return said(map[string]any{"channel": c.read(channel), field: escaped(text)})
}
