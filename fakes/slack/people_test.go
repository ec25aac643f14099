package slack_test

import (
	"slices"
	"testing"

	"parity/fakes/faketest"
)

func TestPeople(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	list := r.ok("users.list")
	if got := list.IDs("members"); !slices.Equal(got, []string{"USLACKBOT", owner, ahmed, mei, bot}) {
		t.Errorf("%v", got)
	}
	var all []string
	cursor := ""
	for range 5 {
		g := r.ok("users.list", "limit", "2", "cursor", cursor)
		all = append(all, g.IDs("members")...)
		if cursor = g.Text("response_metadata.next_cursor"); cursor == "" {
			break
		}
	}
	if !slices.Equal(all, list.IDs("members")) {
		t.Errorf("in pages: %v", all)
	}
	r.refused("invalid_cursor", "users.list", "cursor", "nonsense")
	faketest.Want(t, r.ok("users.info", "user", ahmed), map[string]any{
		"user.name": "ahmed", "user.real_name": "Ahmed Analyst", "user.profile.email": "ahmed@parity.example", "user.is_bot": false, "user.deleted": false,
	})
	faketest.Want(t, r.ok("users.info", "user", bot), map[string]any{"user.is_bot": true, "user.profile.bot_id": "B0PARITY01"})
	r.refused("user_not_found", "users.info", "user", "U0NOBODY001")
	r.refused("user_not_found", "users.info")
	faketest.Want(t, r.ok("users.lookupByEmail", "email", "MEI@parity.example"), map[string]any{"user.id": mei})
	r.refused("users_not_found", "users.lookupByEmail", "email", "nobody@parity.example")
	faketest.Want(t, r.ok("bots.info", "bot", "B0PARITY01"), map[string]any{"bot.user_id": bot, "bot.app_id": "A0PARITY01"})
	r.refused("bot_not_found", "bots.info", "bot", "B0NOBODY")
}

func TestProfilesAndPresence(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.refused("not_allowed_token_type", "users.profile.set", "profile", `{"status_text":"x"}`)
	r.by(asUser, func(r rig) {
		g := r.ok("users.profile.set", "profile", `{"status_text":"Lunch","status_emoji":":ramen:","status_expiration":0}`)
		faketest.Want(t, g, map[string]any{"username": "olivia", "profile.status_text": "Lunch"})
		r.ok("users.profile.set", "name", "title", "value", "Owner")
		faketest.Want(t, r.ok("users.profile.get"), map[string]any{"profile.status_text": "Lunch", "profile.title": "Owner"})
		r.refused("invalid_profile", "users.profile.set", "profile", "nonsense")
		r.refused("reserved_name", "users.profile.set", "profile", `{"display_name":"everyone"}`)
		r.refused("cannot_update_admin_user", "users.profile.set", "user", mei, "profile", `{"title":"x"}`)
		r.ok("users.profile.set", "user", ahmed, "profile", `{"first_name":"Amir","last_name":"A"}`)
		faketest.Want(t, r.ok("users.info", "user", ahmed), map[string]any{"user.real_name": "Amir A"})
		r.ok("users.setPresence", "presence", "away")
		faketest.Want(t, r.ok("users.getPresence"), map[string]any{"presence": "away", "manual_away": true})
		r.refused("invalid_presence", "users.setPresence", "presence", "busy")
	})
	faketest.Want(t, r.ok("users.getPresence", "user", owner), map[string]any{"presence": "away"})
	faketest.Want(t, r.ok("users.getPresence", "user", mei), map[string]any{"presence": "active"})
}

func TestWorkspace(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	faketest.Want(t, r.ok("auth.test"), map[string]any{
		"url": "https://parity-rehearsal.slack.com/", "team": "Parity Rehearsal", "team_id": "T0PARITY01", "user": "rehearsal_bot", "user_id": bot, "bot_id": "B0PARITY01",
	})
	r.by(asUser, func(r rig) {
		g := r.ok("auth.test")
		if g.Text("user_id") != owner || g.At("bot_id") != nil {
			t.Error(g.Raw)
		}
		faketest.Want(t, r.ok("users.identity"), map[string]any{"user.id": owner, "team.id": "T0PARITY01"})
	})
	faketest.Want(t, r.ok("team.info"), map[string]any{"team.domain": "parity-rehearsal", "team.icon.image_default": true})
	r.refused("team_not_found", "team.info", "team", "T0OTHER")
	faketest.Want(t, r.ok("api.test", "foo", "bar"), map[string]any{"args.foo": "bar"})
	r.refused("my_error", "api.test", "error", "my_error")
	r.ok("emoji.list")
	r.ok("rtm.connect")
}
