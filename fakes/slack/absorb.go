package slack

import (
	"maps"
	"net/url"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs/body"
)

// Absorb takes in what the real service answered: the channels, people and
// messages that a reply shows, and what it takes for granted. The first time,
// the company that every world begins with makes room.
func (f *Fake) Absorb(fc *fakes.Call, status int, data []byte) {
	if c, reply := f.heard(fc, status, data); c != nil {
		c.presume(reply, nil)
		c.absorb(reply)
	}
}

// Presume takes in what a write takes for granted: the workspace, whom the token
// stands for, and the channels, messages and people that the call names and the
// conversation did not make.
func (f *Fake) Presume(fc *fakes.Call, status int, data []byte, made map[string]bool) {
	if c, reply := f.heard(fc, status, data); c != nil {
		c.presume(reply, made)
	}
}

// heard reads a reply that tells something; nil where it does not.
func (f *Fake) heard(fc *fakes.Call, status int, data []byte) (c *call, reply map[string]any) {
	value, wrong := body.DecodeJSON(data)
	reply, ok := world.Normalise(value).(map[string]any)
	if wrong != nil || !ok || status/100 != 2 || reply["ok"] != true {
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

func (c *call) presume(reply map[string]any, made map[string]bool) {
	c.workspaceOf(reply)
	c.takeFor(reply, made)
	channel := object(reply["channel"])
	if strings.HasPrefix(c.method.name, "conversations.") && c.method.name != "conversations.create" && !made[asText(channel["id"])] {
		c.keepChannel(channel)
	}
}

// absorb keeps the records that a read shows.
func (c *call) absorb(reply map[string]any) {
	switch c.method.name {
	case "users.list":
		for _, item := range list(reply["members"]) {
			c.keep(users, item, nil)
		}
	case "users.info", "users.lookupByEmail":
		c.keep(users, object(reply["user"]), nil)
	case "bots.info":
		c.keep(bots, object(reply["bot"]), nil)
	case "conversations.list", "users.conversations":
		for _, item := range list(reply["channels"]) {
			c.keepChannel(item)
			if !c.given("types") && (item["is_mpim"] == true || item["is_im"] == true) {
				c.set(map[string]any{"classic": true})
			}
		}
	case "conversations.members":
		for _, user := range namesOf(reply["members"]) {
			c.keepMember(c.text("channel"), user)
		}
	case "conversations.history", "conversations.replies":
		for _, item := range list(reply["messages"]) {
			c.keepMessage(c.text("channel"), item)
		}
	case "files.info":
		c.keep(files, object(reply["file"]), nil)
	case "files.list":
		for _, item := range list(reply["files"]) {
			c.keep(files, item, nil)
		}
	case "emoji.list":
		for name, address := range object(reply["emoji"]) {
			c.keep(emoji, map[string]any{"id": name, "url": address}, nil)
		}
	}
}

func object(value any) map[string]any { m, _ := value.(map[string]any); return m }

func list(value any) []map[string]any {
	items, _ := value.([]any)
	var all []map[string]any
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
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

// keep inserts a record that is not there, if it is what the contract allows;
// of one that is there, fields that it lacks are filled in.
func (c *call) keep(collection string, value map[string]any, also func(map[string]any)) {
	id := asText(value["id"])
	if id == "" {
		return
	}
	value = maps.Clone(value)
	if also != nil {
		also(value)
	}
	if old, known := c.get(collection, id); known {
		full := maps.Clone(value)
		maps.Copy(full, old.Value)
		value = full
		if len(c.Contract.CheckRecord(collection, value)) == 0 {
			c.update(collection, id, value)
		}
		return
	}
	if len(c.Contract.CheckRecord(collection, value)) == 0 {
		c.create(collection, id, value)
	}
}

// keepChannel keeps a channel, and that the caller is in it: whoever sees a
// private one is.
func (c *call) keepChannel(value map[string]any) {
	id := asText(value["id"])
	if id == "" {
		return
	}
	in := value["is_member"] == true
	if _, told := value["is_member"]; !told {
		in = familyOf(value) != "channels"
	}
	last := asText(value["last_read"])
	c.keep(channels, value, func(kept map[string]any) {
		delete(kept, "last_read")
		if kept["is_mpim"] != true {
			delete(kept, "is_member")
		}
		for _, counted := range []string{"latest", "unread_count", "unread_count_display"} {
			delete(kept, counted)
		}
		if user := asText(kept["user"]); user != "" {
			kept["parties"] = partiesOf(c.who.user, user)
		}
	})
	if in {
		c.keepMember(id, c.who.user)
		if mark, ok := c.member(id, c.who.user); ok && last != "" && mark.Value["last_read"] == nil {
			kept := maps.Clone(mark.Value)
			kept["last_read"] = last
			c.update(members, mark.ID, kept)
		}
	}
}

func partiesOf(a, b string) string {
	if a > b {
		a, b = b, a
	}
	return a + "," + b
}

func (c *call) keepMember(channel, user string) {
	if channel == "" || user == "" || c.isMember(channel, user) {
		return
	}
	id := channel + "/" + user
	c.create(members, id, map[string]any{"id": id, "channel": channel, "user": user})
}

func (c *call) keepMessage(channel string, message map[string]any) {
	ts := asText(message["ts"])
	if channel == "" || !isStamp(ts) || !strings.Contains(ts, ".") {
		return
	}
	id := channel + "/" + ts
	if _, known := c.get(messages, id); known {
		return
	}
	value := map[string]any{"id": id, "channel": channel, "ts": ts, "message": message}
	if thread := asText(message["thread_ts"]); thread == "" || thread == ts || message["subtype"] == "thread_broadcast" {
		value["timeline"] = channel
	}
	if thread := asText(message["thread_ts"]); thread != "" && thread != ts {
		value["thread"] = channel + "/" + thread
	}
	if owner := asText(message["user"]); owner != "" {
		value["owner"] = owner
	}
	if len(c.Contract.CheckRecord(messages, value)) > 0 {
		return
	}
	c.create(messages, id, value)
	c.tip(channel, micros(ts))
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
		team = maps.Clone(object(reply["team"]))
	case "rtm.connect":
		maps.Copy(team, object(reply["team"]))
		self := object(reply["self"])
		c.callsAs(asText(self["id"]), asText(self["name"]), app)
	case "files.completeUploadExternal":
		for _, file := range list(reply["files"]) {
			if u, err := url.Parse(asText(file["permalink"])); err == nil {
				team["domain"], _, _ = strings.Cut(u.Hostname(), ".")
			}
		}
	case "chat.getPermalink":
		if u, err := url.Parse(asText(reply["permalink"])); err == nil {
			team["domain"], _, _ = strings.Cut(u.Hostname(), ".")
		}
	case "chat.postMessage", "chat.update":
		message := object(reply["message"])
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
	if profile := object(message["bot_profile"]); profile["id"] != nil {
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
			channel := kit.Text(record.Value, "channel")
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
		if len(id) < 9 || made[id] || strings.IndexAny(id[:1], "CGD") != 0 || c.method.name == "conversations.info" {
			continue
		}
		if _, known := c.get(channels, id); known {
			continue
		}
		if seen := object(reply["channel"]); asText(seen["id"]) == id {
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
