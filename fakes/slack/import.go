package slack

import (
	"maps"
	"net/url"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs/body"
)

// Import takes in what the real service answered: the channels, people and
// messages that a reply shows, and what it takes for granted. The first time,
// the company that every world begins with makes room.
func (f *Fake) Import(fc *fakes.Call, status int, data []byte) {
	c, reply := f.heard(fc, status, data)
	switch {
	case c == nil:
	case reply["ok"] == true:
		c.inferGiven(reply, nil)
		c.importShown(reply)
	default:
		c.inferRefused(asText(reply["error"]), nil)
	}
}

// Infer takes in what a write takes for granted: the workspace, whom the token
// stands for, and the channels, messages and people that the call names and the
// conversation did not make.
func (f *Fake) Infer(fc *fakes.Call, status int, data []byte, made map[string]bool) {
	c, reply := f.heard(fc, status, data)
	switch {
	case c == nil:
	case reply["ok"] == true:
		c.inferGiven(reply, made)
	default:
		c.inferRefused(asText(reply["error"]), made)
	}
}

// inferRefused takes in what a refusal tells of a channel that nothing else
// tells of.
func (c *call) inferRefused(code string, made map[string]bool) {
	id := c.text("channel")
	_, known := c.get(channels, id)
	if known || made[id] || !isChannelID(id) {
		return
	}
	value := channelRecord(c.teamID(), id, strings.ToLower(id), c.who.user, founded, false)
	switch code {
	case isArchived, "already_archived":
		value["is_archived"] = true
		c.keep(channels, value, nil)
		c.keepMember(id, c.who.user)
	case notInChannel:
		c.keep(channels, value, nil)
	}
}

func isChannelID(id string) bool { return len(id) >= 9 && strings.IndexAny(id[:1], "CGD") == 0 }

// heard reads a reply that tells something; nil where it does not.
func (f *Fake) heard(fc *fakes.Call, status int, data []byte) (c *call, reply map[string]any) {
	value, wrong := body.DecodeJSON(data)
	reply, ok := world.Normalise(value).(map[string]any)
	if wrong != nil || !ok || status/100 != 2 || reply["ok"] == nil {
		return nil, nil
	}
	c = f.call(fc)
	if c.method.name == "" {
		return nil, nil
	}
	c.clear()
	c.identify()
	return c, reply
}

func (c *call) inferGiven(reply map[string]any, made map[string]bool) {
	c.workspaceOf(reply)
	if c.method.people || c.method.name == "auth.test" && reply["bot_id"] == nil {
		c.set(map[string]any{"as_user": true})
	}
	c.takeFor(reply, made)
	channel := cast.Object(reply["channel"])
	if c.method.name == "conversations.join" && len(cast.Texts(cast.Object(reply["response_metadata"])["warnings"])) == 0 {
		channel = maps.Clone(channel)
		channel["is_member"] = false // until then
	}
	if strings.HasPrefix(c.method.name, "conversations.") && c.method.name != "conversations.create" && !made[asText(channel["id"])] {
		c.keepChannel(channel)
	}
}

// importShown keeps the records that a read shows.
func (c *call) importShown(reply map[string]any) {
	switch c.method.name {
	case "users.list":
		for _, item := range cast.Objects(reply["members"]) {
			c.keep(users, item, nil)
		}
		c.pageEnds(users, cast.Objects(reply["members"]), reply)
	case "users.info", "users.lookupByEmail":
		c.keep(users, cast.Object(reply["user"]), nil)
	case "bots.info":
		c.keep(bots, cast.Object(reply["bot"]), nil)
	case "conversations.list", "users.conversations":
		for _, item := range cast.Objects(reply["channels"]) {
			c.keepChannel(item)
			if !c.given("types") && (item["is_mpim"] == true || item["is_im"] == true) {
				c.set(map[string]any{"classic": true})
			}
		}
		c.pageEnds(channels, cast.Objects(reply["channels"]), reply)
	case "conversations.members":
		c.keepMembers(c.text("channel"), cast.Texts(reply["members"]))
	case "conversations.history", "conversations.replies":
		for _, item := range cast.Objects(reply["messages"]) {
			c.keepMessage(c.text("channel"), item)
		}
	case "files.info":
		c.keep(files, cast.Object(reply["file"]), nil)
	case "files.list":
		for _, item := range cast.Objects(reply["files"]) {
			c.keep(files, item, nil)
		}
	case "emoji.list":
		for name, address := range cast.Object(reply["emoji"]) {
			c.keep(emoji, map[string]any{"id": name, "url": address}, nil)
		}
	}
}

// pageEnds remembers where a page ended that has another one after it: Slack
// filters after it has counted, so that a page may be shorter than was asked
// for.
func (c *call) pageEnds(collection string, items []map[string]any, reply map[string]any) {
	c.put(pagesCollection, "listed/"+collection, map[string]any{"id": "listed/" + collection})
	if len(items) == 0 || asText(cast.Object(reply["response_metadata"])["next_cursor"]) == "" {
		return
	}
	id := collection + "/" + asText(items[len(items)-1]["id"])
	c.put(pagesCollection, id, map[string]any{"id": id})
}

// clear takes the company away that worlds begin with, once.
func (c *call) clear() {
	if c.app()["seed"] != true {
		return
	}
	for _, collection := range []string{users, channels, members, messages} {
		var ids []string
		for record := range c.Tx.Oldest(c.fake.Full(collection), 0) {
			ids = append(ids, record.ID)
		}
		for _, id := range ids {
			c.remove(collection, id)
		}
	}
	c.set(map[string]any{"seed": false})
}

// set changes what is known of the app.
func (c *call) set(fields map[string]any) {
	value := maps.Clone(c.app())
	maps.Copy(value, fields)
	value["id"] = appRecord
	c.put(appCollection, appRecord, value)
}

// workspaceOf learns where the conversation took place, and whose token it was.
func (c *call) workspaceOf(reply map[string]any) {
	team, app := maps.Clone(c.team()), map[string]any{}
	switch c.method.name {
	case "auth.test":
		team["id"], team["name"] = reply["team_id"], reply["team"]
		if u, err := url.Parse(asText(reply["url"])); err == nil {
			team["domain"], _, _ = strings.Cut(u.Hostname(), ".")
		}
		c.callsAs(asText(reply["user_id"]), asText(reply["user"]), app)
		if bot := asText(reply["bot_id"]); bot != "" {
			app["bot_id"] = bot
		}
	case "team.info":
		team = maps.Clone(cast.Object(reply["team"]))
	case "rtm.connect":
		maps.Copy(team, cast.Object(reply["team"]))
		self := cast.Object(reply["self"])
		c.callsAs(asText(self["id"]), asText(self["name"]), app)
	case "files.completeUploadExternal":
		for _, file := range cast.Objects(reply["files"]) {
			if u, err := url.Parse(asText(file["permalink"])); err == nil {
				team["domain"], _, _ = strings.Cut(u.Hostname(), ".")
			}
		}
	case "chat.getPermalink":
		if u, err := url.Parse(asText(reply["permalink"])); err == nil {
			team["domain"], _, _ = strings.Cut(u.Hostname(), ".")
		}
	case "chat.postMessage", "chat.update":
		message := cast.Object(reply["message"])
		if id := asText(message["team"]); id != "" {
			team["id"] = id
		}
		c.authorOf(message, app)
	}
	if url := kit.Text(team, "domain"); url != "" {
		team["url"] = "https://" + url + ".slack.com/"
	}
	if id := asText(team["id"]); id != "" && len(c.Contract.CheckRecord(workspaces, team)) == 0 {
		if id != c.teamID() {
			if _, known := c.get(workspaces, c.teamID()); known {
				c.remove(workspaces, c.teamID())
			}
			app["team"] = id
		}
		if _, known := c.get(workspaces, id); known {
			c.update(workspaces, id, team)
		} else {
			c.create(workspaces, id, team)
		}
	}
	c.set(app)
	c.identify()
}

// authorOf learns from a message which bot the token is of.
func (c *call) authorOf(message, app map[string]any) {
	if user := asText(message["user"]); user != "" {
		c.callsAs(user, "", app)
	}
	if bot := asText(message["bot_id"]); bot != "" {
		app["bot_id"] = bot
	}
	if id := asText(message["app_id"]); id != "" {
		app["app_id"] = id
	}
	if profile := cast.Object(message["bot_profile"]); profile["id"] != nil {
		bot := maps.Clone(profile)
		delete(bot, "team_id")
		if bot["user_id"] == nil {
			bot["user_id"] = message["user"]
		}
		c.keep(bots, bot, nil)
		app["name"] = bot["name"]
	}
}

// callsAs learns whom the token stands for, and hands over the memberships of
// whom it was taken for.
func (c *call) callsAs(user, called string, app map[string]any) {
	if user == "" {
		return
	}
	for record := range c.fake.Find(c.Tx, members, "user", c.who.user) {
		if user != c.who.user {
			channel := kit.Text(record.Value(), "channel")
			c.remove(members, record.ID)
			c.keepMember(channel, user)
		}
	}
	app["user_id"], app["installer"] = user, user
	if called != "" {
		app["user_name"] = called
	}
}

// takeFor granted what a call names and did not make: it went well, so its
// channel, its users and its messages were there.
func (c *call) takeFor(reply map[string]any, made map[string]bool) {
	ids := append(c.names("channels"), c.text("channel"), c.text("channel_id"))
	for _, id := range ids {
		if made[id] || !isChannelID(id) || c.method.name == "conversations.info" {
			continue
		}
		if _, known := c.get(channels, id); known {
			if len(c.method.scopes) > 0 && c.method.scopes[0] == historyScopes[0] && !c.isMember(id, c.who.user) {
				c.set(map[string]any{"as_user": true}) // bots read where they are
			}
			continue
		}
		if seen := cast.Object(reply["channel"]); asText(seen["id"]) == id {
			continue // it shows itself
		}
		value := channelRecord(c.teamID(), id, strings.ToLower(id), c.who.user, founded, id[0] == 'G')
		if id[0] == 'D' {
			value = map[string]any{"id": id, "created": founded, "is_im": true, "is_archived": false, "is_org_shared": false}
		}
		c.keep(channels, value, nil)
		if c.method.name != "conversations.join" {
			c.keepMember(id, c.who.user)
		}
	}
	channel := c.text("channel")
	if channel == "" {
		for _, id := range ids {
			if isChannelID(id) {
				channel = id
			}
		}
	}
	for _, argument := range []string{"ts", "timestamp", "message_ts", "thread_ts"} {
		if ts := c.text(argument); ts != "" && channel != "" && !made[ts] && !made[channel] && c.method.name != "conversations.mark" && c.method.name != "conversations.replies" {
			c.keepMessage(channel, map[string]any{"type": "message", "user": c.who.user, "text": "", "ts": ts})
		}
	}
	for _, id := range append(c.names("users"), c.text("user")) {
		if _, known := c.get(users, id); known || len(id) < 9 || made[id] || strings.IndexAny(id[:1], "UW") != 0 || strings.HasPrefix(c.method.name, "users.") {
			continue
		}
		c.keep(users, map[string]any{"id": id, "name": strings.ToLower(id)}, nil)
	}
}
