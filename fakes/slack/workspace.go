package slack

import (
	"fmt"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// Ids of what every world begins with.
const (
	firstTeam    = "T0PARITY01"
	firstApp     = "A0PARITY01"
	firstBot     = "B0PARITY01"
	firstBotUser = "U0PARITYBOT"
	firstOwner   = "U0OWNER0001"
	firstChannel = "C0GENERAL01"
	slackbot     = "USLACKBOT"
	appRecord    = "app"
	founded      = int64(1577869200) // when the workspace came to be: 2020-01-01T09:00:00Z
)

// begin puts a small company into a new world: one workspace, #general, the
// app's bot, and a few people.
func (f *Fake) begin(tx *world.Tx) error {
	w := writer{tx: tx}
	w.insert(name+"."+workspaces, firstTeam, map[string]any{
		"id": firstTeam, "name": "Parity Rehearsal", "domain": "parity-rehearsal", "url": "https://parity-rehearsal.slack.com/",
		"email_domain": "parity.example", "icon": teamIcon(), "avatar_base_url": "https://ca.slack-edge.com/", "is_verified": false,
	})
	w.insert(appCollection, appRecord, map[string]any{
		"id": appRecord, "team": firstTeam, "app_id": firstApp, "bot_id": firstBot, "user_id": firstBotUser, "installer": firstOwner,
		"name": "Rehearsal Bot", "seed": true,
	})
	w.insert(name+"."+bots, firstBot, map[string]any{
		"id": firstBot, "deleted": false, "name": "Rehearsal Bot", "updated": founded, "app_id": firstApp, "user_id": firstBotUser, "icons": botIcons(),
	})
	people := []person{
		{id: slackbot, name: "slackbot", real: "Slackbot", color: "757575"},
		{id: firstOwner, name: "olivia", real: "Olivia Owner", color: "9f69e7", owner: true},
		{id: "U0PERSON002", name: "ahmed", real: "Ahmed Analyst", color: "4bbe2e"},
		{id: "U0PERSON003", name: "mei", real: "Mei Manager", color: "e7392d", admin: true},
		{id: firstBotUser, name: "rehearsal_bot", real: "Rehearsal Bot", color: "e96699", bot: firstBot},
	}
	for _, p := range people {
		w.insert(name+"."+users, p.id, p.record(firstTeam))
	}
	general := channelRecord(firstTeam, firstChannel, "general", firstOwner, founded, false)
	general["is_general"] = true
	general["topic"] = topic("Company-wide announcements and work-based matters", firstOwner, founded)
	general["purpose"] = topic("Everybody who works here is in this channel.", firstOwner, founded)
	w.insert(name+"."+channels, firstChannel, general)
	for _, p := range people[1:] {
		id := firstChannel + "/" + p.id
		w.insert(name+"."+members, id, map[string]any{"id": id, "channel": firstChannel, "user": p.id})
	}
	return w.err
}

// writer inserts until something goes wrong.
type writer struct {
	tx  *world.Tx
	err error
}

func (w *writer) insert(collection, id string, value map[string]any) {
	if w.err != nil {
		return
	}
	if _, err := w.tx.Insert(collection, id, value); err != nil {
		w.err = fmt.Errorf("slack: %w", err)
	}
}

func teamIcon() map[string]any {
	icon := map[string]any{"image_default": true}
	for _, size := range []string{"34", "44", "68", "88", "102", "132", "230"} {
		icon["image_"+size] = "https://a.slack-edge.com/80588/img/avatars-teams/ava_0001-" + size + ".png"
	}
	return icon
}

func botIcons() map[string]any {
	return map[string]any{
		"image_36": "https://a.slack-edge.com/80588/img/plugins/app/bot_36.png",
		"image_48": "https://a.slack-edge.com/80588/img/plugins/app/bot_48.png",
		"image_72": "https://a.slack-edge.com/80588/img/plugins/app/service_72.png",
	}
}

// app is what is known of the app that calls.
func (c *call) app() map[string]any {
	record, ok := c.Tx.Get(appCollection, appRecord)
	if !ok {
		return map[string]any{"team": firstTeam, "user_id": firstBotUser, "bot_id": firstBot, "app_id": firstApp, "installer": firstOwner}
	}
	return record.Value()
}

// team is the workspace: the first there is, so that a fixture may name its own.
func (c *call) team() map[string]any {
	id := kit.Text(c.app(), "team")
	if record, ok := c.get(workspaces, id); ok {
		return record.Value()
	}
	return map[string]any{"id": id, "name": "", "domain": "workspace", "url": "https://workspace.slack.com/"}
}

func (c *call) teamID() string { return kit.Text(c.app(), "team") }

// site is the address of the workspace.
func (c *call) site() string {
	return "https://" + kit.Text(c.team(), "domain") + ".slack.com/"
}

func testAPI(c *call) (answer, *refusal) {
	if code := c.text("error"); code != "" {
		return answer{}, &refusal{code: code, fields: map[string]any{"args": c.echoed()}}
	}
	if len(c.args) == 0 {
		return done()
	}
	return said(map[string]any{"args": c.echoed()})
}

func (c *call) echoed() map[string]any {
	args := make(map[string]any, len(c.args))
	for argument := range c.args {
		args[argument] = c.text(argument)
	}
	return args
}

func testAuth(c *call) (answer, *refusal) {
	team := c.team()
	fields := map[string]any{
		"url": c.site(), "team": team["name"], "team_id": team["id"], "user": c.nameOf(c.who.user), "user_id": c.who.user,
		"is_enterprise_install": false,
	}
	if c.who.kind != userToken {
		fields["bot_id"] = c.botOf(c.who.user)
	}
	return said(fields)
}

// nameOf is the name of a user.
func (c *call) nameOf(id string) string {
	if user, ok := c.get(users, id); ok {
		return kit.Text(user.Value(), "name")
	}
	if app := c.app(); app["user_id"] == id {
		return kit.Text(app, "user_name")
	}
	return ""
}

// botOf is the bot that a bot's user belongs to.
func (c *call) botOf(user string) string {
	for record := range c.fake.Find(c.Tx, bots, "user_id", user) {
		return record.ID
	}
	return kit.Text(c.app(), "bot_id")
}

// revokeAuth ends the token that calls, whether somebody declared it or not.
func revokeAuth(c *call) (answer, *refusal) {
	if c.flag("test", false) {
		return said(map[string]any{"revoked": false})
	}
	if c.token.ID != "" {
		c.fake.tokens.Revoke(c.Call, c.token)
	} else if _, err := c.Tx.Insert(tokensCollection, c.Identity, map[string]any{"id": c.Identity, "issued": c.now(), "revoked": true}); err != nil {
		panic(fmt.Sprintf("slack fake: %v", err)) // the collection is declared, and it was looked up before
	}
	return said(map[string]any{"revoked": true})
}

func teamInfo(c *call) (answer, *refusal) {
	if id := c.text("team"); id != "" && id != c.teamID() {
		return answer{}, refuse("team_not_found")
	}
	return said(map[string]any{"team": c.team()})
}

func listEmoji(c *call) (answer, *refusal) {
	all := map[string]any{}
	for record := range c.Tx.Oldest(c.fake.Full(emoji), 0) {
		all[record.ID] = record.Value()["url"]
	}
	fields := map[string]any{"emoji": all, "cache_ts": stamp(c.Now.UnixMicro())}
	if c.flag("include_categories", false) {
		fields["categories"], fields["categories_version"] = []any{}, "5"
	}
	return said(fields)
}

// connect gives the address of a session. Nothing listens there.
func connect(c *call) (answer, *refusal) {
	team := c.team()
	return said(map[string]any{
		"url":  "wss://wss-primary.slack.com/websocket/" + c.NewID("", 64) + "=/2",
		"team": map[string]any{"id": team["id"], "name": team["name"], "domain": team["domain"]},
		"self": map[string]any{"id": c.who.user, "name": c.nameOf(c.who.user)},
	})
}
