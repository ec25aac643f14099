package slack

import (
	"maps"
	"strings"
	"unicode/utf8"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// longestText is where Slack cuts a message's text.
// Source: docs.slack.dev/changelog/2018-truncating-really-long-messages.
const longestText = 40000

// longestMarkdown is how long markdown_text may be.
// Source: docs.slack.dev/reference/methods/chat.postMessage.
const longestMarkdown = 12000

// A post is a message that is about to be written.
type post struct {
	channel *world.Record
	thread  *thread // nil outside threads
	value   map[string]any
	owner   string
	ts      string // "": the next
}

func postMessage(c *call) (answer, *refusal) {
	if !c.given("channel") {
		if _, sent := c.args["channel"]; !sent {
			return answer{}, &refusal{code: invalidArguments, messages: []string{"[ERROR] missing required field: channel"}}
		}
		return answer{}, refuse(channelNotFound)
	}
	content, refused := c.content()
	if refused != nil {
		return answer{}, refused
	}
	channel, refused := c.writable(c.text("channel"))
	if refused != nil {
		return answer{}, refused
	}
	if c.Identity != fakes.Fixture {
		if refused := c.take("post "+channel.ID+" "+c.Identity, perChannel); refused != nil {
			return answer{}, refused
		}
	}
	parent, refused := c.threadOf(channel, c.text("thread_ts"))
	if refused != nil {
		return answer{}, refused
	}
	p := post{channel: channel, thread: parent, value: c.authored(content), owner: c.who.user}
	if c.Identity == fakes.Fixture {
		c.imported(&p)
	}
	message := c.write(p, c.flag("reply_broadcast", false))
	return said(map[string]any{"channel": channel.ID, "ts": message["ts"], "message": message})
}

// writable is a channel that the caller may post to.
func (c *call) writable(target string) (*world.Record, *refusal) {
	channel, refused := c.addressed(target)
	switch {
	case refused != nil:
		return nil, refused
	case channel.Value()["is_archived"] == true && c.Identity != fakes.Fixture:
		return nil, refuse(isArchived)
	case c.Identity == fakes.Fixture || c.isMember(channel.ID, c.who.user):
		return channel, nil
	case isPublic(channel) && c.who.kind != userToken && c.token.Has("chat:write.public"):
		return channel, nil
	}
	return nil, refuse(notInChannel)
}

// content reads what a message says: text, blocks, attachments.
func (c *call) content() (map[string]any, *refusal) {
	text := c.text("text")
	content := map[string]any{}
	blocks, refused := c.blocks()
	if refused != nil {
		return nil, refused
	}
	attachments, refused := c.attachments()
	if refused != nil {
		return nil, refused
	}
	if markdown := c.text("markdown_text"); markdown != "" {
		if text != "" || len(blocks) > 0 {
			return nil, refuse("markdown_text_conflict")
		}
		if utf8.RuneCountInString(markdown) > longestMarkdown {
			return nil, refuse("msg_too_long")
		}
		text = markdown
	}
	if strings.TrimSpace(text) == "" && len(blocks) == 0 && len(attachments) == 0 {
		return nil, refuse("no_text")
	}
	content["text"] = formatted(c.short(text))
	switch {
	case len(blocks) > 0:
		content["blocks"] = blocks
		if text == "" {
			c.warn("missing_text_in_message")
		}
	case len(attachments) == 0 || text != "":
		if c.flag("mrkdwn", true) {
			content["blocks"] = []any{c.richText(asText(content["text"]))}
		} else {
			content["blocks"] = []any{c.plainText(asText(content["text"]))}
		}
	}
	if len(attachments) > 0 {
		content["attachments"] = attachments
	}
	if metadata, ok := c.json("metadata"); ok {
		if m, isObject := metadata.(map[string]any); !isObject || kit.Text(m, "event_type") == "" || m["event_payload"] == nil {
			return nil, refuse("invalid_metadata_format")
		}
		content["metadata"] = metadata
	} else if c.given("metadata") {
		return nil, refuse("metadata_must_be_sent_from_app")
	}
	return content, nil
}

// authored adds who says it. A name or a picture of its own makes it a message
// of a bot that is no user.
func (c *call) authored(content map[string]any) map[string]any {
	value := maps.Clone(content)
	value["type"], value["team"] = "message", c.teamID()
	app := c.app()
	bot := c.botOf(c.who.user)
	value["bot_id"], value["app_id"] = bot, app["app_id"]
	if c.given("username") || c.given("icon_emoji") || c.given("icon_url") {
		value["subtype"], value["username"] = "bot_message", c.text("username")
		if !c.given("username") {
			value["username"] = app["name"]
		}
		icons := map[string]any{}
		if icon := c.text("icon_emoji"); icon != "" {
			icons["emoji"] = ":" + strings.Trim(icon, ":") + ":"
		} else if icon := c.text("icon_url"); icon != "" {
			for _, size := range []string{"36", "48", "72"} {
				icons["image_"+size] = icon
			}
		}
		if len(icons) > 0 {
			value["icons"] = icons
		}
		return value
	}
	value["user"] = c.who.user
	value["bot_profile"] = c.botProfile(bot)
	return value
}

func (c *call) botProfile(id string) map[string]any {
	bot, ok := c.get(bots, id)
	if !ok {
		return map[string]any{"id": id, "app_id": c.app()["app_id"], "name": c.app()["name"], "icons": botIcons(), "deleted": false, "updated": founded, "team_id": c.teamID()}
	}
	profile := map[string]any{"id": id, "team_id": c.teamID()}
	for _, field := range []string{"app_id", "name", "icons", "deleted", "updated", "user_id"} {
		if value, given := bot.Value()[field]; given {
			profile[field] = value
		}
	}
	return profile
}

// imported takes what a fixture may say of a message beyond what the method
// does: who wrote it, and all that time has added.
func (c *call) imported(p *post) {
	if user := c.text("user"); user != "" {
		p.owner = user
		p.value["user"] = user
		delete(p.value, "bot_id")
		delete(p.value, "app_id")
		delete(p.value, "bot_profile")
	}
	if ts := c.text("ts"); isStamp(ts) {
		p.ts = stamp(micros(ts))
	}
	for _, field := range []string{"subtype", "username", "bot_id", "reactions", "files", "edited", "icons", "pinned_to", "client_msg_id"} {
		if value, given := c.args[field]; given {
			p.value[field] = value
		}
	}
	for _, item := range cast.Objects(p.value["reactions"]) {
		item["count"] = int64(len(cast.Texts(item["users"]))) // a fixture comes as a form, in which numbers are text
	}
}

// write puts a message where it belongs, and tells of it.
func (c *call) write(p post, broadcast bool) map[string]any {
	ts := p.ts
	if ts == "" {
		ts = c.nextStamp(p.channel.ID)
	} else {
		c.tip(p.channel.ID, micros(ts))
	}
	p.value["ts"] = ts
	record := map[string]any{"id": p.channel.ID + "/" + ts, "channel": p.channel.ID, "ts": ts}
	if p.owner != "" {
		record["owner"] = p.owner
	}
	if p.thread == nil || broadcast {
		record["timeline"] = p.channel.ID
	}
	if p.thread != nil {
		c.inThread(&p, record, broadcast)
	}
	record["message"] = p.value
	made := c.create(messages, asText(record["id"]), record)
	c.fake.index.Note(c.Tx, made.ID, nil, c.Now)
	if p.thread != nil && p.thread.parent != nil {
		c.replied(p.thread.parent, ts, asText(p.value["user"]), asText(p.value["bot_id"]))
	}
	c.announce(p.channel, p.value, nil)
	c.outbox("message", p.channel, p.value)
	return p.value
}

// outbox keeps what cannot be taken back: somebody may have read it.
func (c *call) outbox(kind string, channel *world.Record, message map[string]any) {
	if c.Identity == fakes.Fixture || strings.HasPrefix(asText(message["subtype"]), "channel_") {
		return
	}
	to := "#" + kit.Text(channel.Value(), "name")
	if channel.Value()["is_im"] == true {
		to = "@" + c.nameOf(c.otherEnd(channel))
	}
	content := maps.Clone(message)
	content["channel"] = channel.ID
	err := kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: kind, ID: channel.ID + "/" + asText(message["ts"]), To: []string{to},
		Summary: kit.Clip(to + ": " + strings.ReplaceAll(asText(message["text"]), "\n", " ")), Content: content, At: c.Now,
	})
	kit.Must(name, err)
}

// note tells a channel what the caller did to it.
func (c *call) note(channel *world.Record, subtype, words string, extra map[string]any) {
	c.noteOf(c.who.user, channel, subtype, words, extra)
}

func (c *call) noteOf(user string, channel *world.Record, subtype, words string, extra map[string]any) {
	if subtype == "channel_join" || subtype == "channel_leave" {
		words = "<@" + user + "> " + words
	}
	if familyOf(channel.Value()) == "groups" {
		subtype = strings.Replace(subtype, "channel_", "group_", 1)
		if subtype == "group_join" || subtype == "group_leave" {
			subtype = strings.Replace(subtype, "group_", "channel_", 1)
		}
	}
	value := map[string]any{"type": "message", "subtype": subtype, "user": user, "text": words}
	maps.Copy(value, extra)
	ts := c.nextStamp(channel.ID)
	value["ts"] = ts
	id := channel.ID + "/" + ts
	c.create(messages, id, map[string]any{"id": id, "channel": channel.ID, "ts": ts, "timeline": channel.ID, "message": value})
	c.announce(channel, value, nil)
}

// short cuts a text that is too long, and says so.
func (c *call) short(text string) string {
	least := cut(text, longestText)
	if len(least) < len(text) {
		c.warn("message_truncated")
		c.notes = append(c.notes, "[WARN] Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.")
	}
	return least
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n == most {
			return text[:i]
		}
		n++
	}
	return text
}

func postMe(c *call) (answer, *refusal) {
	text := c.text("text")
	if strings.TrimSpace(text) == "" {
		return answer{}, refuse("no_text")
	}
	channel, refused := c.writable(c.text("channel"))
	if refused != nil {
		return answer{}, refused
	}
	value := map[string]any{"type": "message", "subtype": "me_message", "text": formatted(c.short(text)), "user": c.who.user, "team": c.teamID()}
	message := c.write(post{channel: channel, value: value, owner: c.who.user}, false)
	return said(map[string]any{"channel": channel.ID, "ts": message["ts"]})
}

// postEphemeral shows a message to one member. It is in no history.
func postEphemeral(c *call, content map[string]any) (answer, *refusal) {
	channel, refused := c.writable(c.text("channel"))
	if refused != nil {
		return answer{}, refused
	}
	user := c.text("user")
	if _, ok := c.get(users, user); !ok || !c.isMember(channel.ID, user) {
		return answer{}, refuse("user_not_in_channel")
	}
	value := c.authored(content)
	value["ts"], value["is_ephemeral"] = c.nextStamp(channel.ID), true
	if ts := c.text("thread_ts"); ts != "" && isStamp(ts) {
		value["thread_ts"] = ts
	}
	id := channel.ID + "/" + asText(value["ts"])
	c.create(ephemerals, id, map[string]any{"id": id, "channel": channel.ID, "user": user, "message": value})
	c.outbox("ephemeral", channel, value)
	return said(map[string]any{"message_ts": value["ts"]})
}
