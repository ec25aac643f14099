package slack_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"parity/fakes/faketest"
)

func TestChannelHasAllThatSlackShows(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shown := r.ok("conversations.info", "channel", general)
	for _, field := range strings.Fields(`id name is_channel is_group is_im is_mpim is_private created is_archived is_general unlinked name_normalized
		is_shared is_org_shared is_pending_ext_shared pending_shared context_team_id updated parent_conversation creator is_ext_shared
		shared_team_ids pending_connected_team_ids is_member last_read topic purpose properties previous_names`) {
		if _, ok := shown.At("channel").(map[string]any)[field]; !ok {
			t.Errorf("no %s", field)
		}
	}
	faketest.Want(t, r.ok("conversations.list"), map[string]any{
		"channels.0.num_members": 4, "channels.0.is_member": true, "channels.0.is_general": true, "response_metadata.next_cursor": "",
	})
}

func TestChannelNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, code := range map[string]string{
		"": "invalid_name_required", "Big Plans": "invalid_name_specials", "UPPER": "invalid_name_specials", "a.b": "invalid_name_specials",
		"---": "invalid_name_punctuation", strings.Repeat("x", 81): "invalid_name_maxlength", "general": "name_taken",
	} {
		r.refused(code, "conversations.create", "name", name)
	}
	faketest.Want(t, r.ok("conversations.create", "name", "été-2026_北京"), map[string]any{
		"channel.name": "été-2026_北京", "channel.creator": bot, "channel.is_member": true, "channel.is_private": false,
	})
}

func TestChannelLife(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.channel("launch")
	g := r.ok("conversations.setTopic", "channel", id, "topic", "A & B")
	faketest.Want(t, g, map[string]any{"channel.topic.value": "A &amp; B", "channel.topic.creator": bot})
	r.ok("conversations.setPurpose", "channel", id, "purpose", "to launch")
	r.refused("too_long", "conversations.setTopic", "channel", id, "topic", strings.Repeat("x", 251))
	faketest.Want(t, r.ok("conversations.rename", "channel", id, "name", "launched"), map[string]any{
		"channel.name": "launched", "channel.previous_names": []string{"launch"},
	})
	r.refused("name_taken", "conversations.rename", "channel", id, "name", "general")
	r.refused("not_authorized", "conversations.rename", "channel", general, "name", "everybody")
	r.refused("cant_archive_general", "conversations.archive", "channel", general)
	r.ok("conversations.archive", "channel", id)
	r.refused("already_archived", "conversations.archive", "channel", id)
	r.refused("is_archived", "conversations.setTopic", "channel", id, "topic", "x")
	r.refused("is_archived", "conversations.join", "channel", id)
	r.refused("not_in_channel", "conversations.unarchive", "channel", id) // bots cannot
	if got := r.ok("conversations.list", "exclude_archived", "true").Texts("channels", "name"); !slices.Equal(got, []string{"general"}) {
		t.Errorf("%v", got)
	}
	r.by(asUser, func(r rig) {
		r.ok("conversations.unarchive", "channel", id)
		r.refused("not_archived", "conversations.unarchive", "channel", id)
	})
	history := r.ok("conversations.history", "channel", id)
	if got := history.Texts("messages", "subtype"); !slices.Equal(got, []string{"channel_unarchive", "channel_archive", "channel_name", "channel_purpose", "channel_topic", "channel_join"}) {
		t.Errorf("what the channel tells: %v", got)
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.channel("crew")
	g := r.refused("user_not_found", "conversations.invite", "channel", id, "users", ahmed+",U0NOBODY001")
	if g.Text("errors.0.user") != "U0NOBODY001" || g.Text("errors.0.error") != "user_not_found" {
		t.Error(g.Raw)
	}
	if got := r.ok("conversations.members", "channel", id); got.Len("members") != 1 {
		t.Error("some were invited all the same")
	}
	r.ok("conversations.invite", "channel", id, "users", ahmed+","+mei)
	r.refused("already_in_channel", "conversations.invite", "channel", id, "users", ahmed)
	r.refused("cant_invite_self", "conversations.invite", "channel", id, "users", bot)
	r.refused("no_user", "conversations.invite", "channel", id, "users", "")
	page := r.ok("conversations.members", "channel", id, "limit", "2")
	rest := r.ok("conversations.members", "channel", id, "limit", "2", "cursor", page.Text("response_metadata.next_cursor"))
	if page.Text("members.0") != bot || page.Text("members.1") != ahmed || rest.Text("members.0") != mei || rest.Text("response_metadata.next_cursor") != "" {
		t.Errorf("%s %s", page.Raw, rest.Raw)
	}
	r.ok("conversations.kick", "channel", id, "user", ahmed)
	r.refused("not_in_channel", "conversations.kick", "channel", id, "user", ahmed)
	r.refused("cant_kick_self", "conversations.kick", "channel", id, "user", bot)
	r.refused("cant_kick_from_general", "conversations.kick", "channel", general, "user", ahmed)
	r.ok("conversations.leave", "channel", id)
	if g := r.ok("conversations.leave", "channel", id); g.At("not_in_channel") != true {
		t.Error(g.Raw)
	}
	r.refused("cant_leave_general", "conversations.leave", "channel", general)
	r.refused("not_in_channel", "conversations.history", "channel", id)
	if g := r.ok("conversations.join", "channel", id); g.At("channel.is_member") != true || g.At("warning") != nil {
		t.Error(g.Raw)
	}
	if g := r.ok("conversations.join", "channel", id); g.Text("warning") != "already_in_channel" {
		t.Error(g.Raw)
	}
}

func TestPrivateChannelsAreHidden(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var id string
	r.by(asUser, func(r rig) { id = r.channel("board", "is_private", "true") })
	for _, method := range []string{"conversations.info", "conversations.history", "conversations.members", "conversations.join", "conversations.archive", "pins.list"} {
		r.refused("channel_not_found", method, "channel", id)
	}
	if got := r.ok("conversations.list", "types", "public_channel,private_channel").Texts("channels", "name"); !slices.Equal(got, []string{"general"}) {
		t.Errorf("%v", got)
	}
	r.by(asUser, func(r rig) {
		if got := r.ok("conversations.list", "types", "private_channel").Texts("channels", "name"); !slices.Equal(got, []string{"board"}) {
			t.Errorf("%v", got)
		}
		r.ok("conversations.invite", "channel", id, "users", bot)
	})
	r.ok("conversations.history", "channel", id)
	r.refused("method_not_supported_for_channel_type", "conversations.join", "channel", id)
	r.refused("invalid_types", "conversations.list", "types", "secret_channel")
}

func TestChannelsAreListedInPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	want := []string{"general"}
	for i := range 6 {
		want = append(want, "c"+strconv.Itoa(i))
		r.channel("c" + strconv.Itoa(i))
	}
	var got []string
	cursor := ""
	for range 10 {
		g := r.ok("conversations.list", "limit", "3", "cursor", cursor)
		got = append(got, g.Texts("channels", "name")...)
		if cursor = g.Text("response_metadata.next_cursor"); cursor == "" {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	r.refused("invalid_cursor", "conversations.list", "cursor", "dGVhbTpDMA==")
	if got := r.ok("users.conversations", "user", ahmed).Texts("channels", "name"); !slices.Equal(got, []string{"general"}) {
		t.Errorf("%v", got)
	}
}

func TestDirectMessages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.refused("users_list_not_supplied", "conversations.open")
	r.refused("user_not_found", "conversations.open", "users", "U0NOBODY001")
	g := r.ok("conversations.open", "users", ahmed, "return_im", "true")
	faketest.Want(t, g, map[string]any{"channel.is_im": true, "channel.user": ahmed, "channel.is_open": true, "channel.last_read": "0000000000.000000", "channel.latest": nil})
	group := r.ok("conversations.open", "users", mei+","+ahmed)
	faketest.Want(t, group, map[string]any{"channel.is_mpim": true, "channel.name": "mpdm-rehearsal_bot--ahmed--mei-1"})
	if r.ok("conversations.open", "users", ahmed+","+mei).Text("channel.id") != group.Text("channel.id") {
		t.Error("another group for the same people")
	}
	id := g.Text("channel.id")
	r.ok("conversations.close", "channel", id)
	if g := r.ok("conversations.close", "channel", id); g.At("already_closed") != true {
		t.Error(g.Raw)
	}
	r.refused("method_not_supported_for_channel_type", "conversations.close", "channel", general)
	ts := r.post(id, "hello")
	r.ok("conversations.mark", "channel", id, "ts", ts)
	faketest.Want(t, r.ok("conversations.info", "channel", id), map[string]any{"channel.last_read": ts, "channel.latest.ts": ts})
	if got := r.ok("conversations.list", "types", "im,mpim").IDs("channels"); !slices.Equal(got, []string{id, group.Text("channel.id")}) {
		t.Errorf("%v", got)
	}
}

func TestAPageIsCutBeforeItIsFiltered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, name := range []string{"a1", "a2", "a3"} {
		r.ok("conversations.archive", "channel", r.channel(name))
	}
	last := r.channel("last")
	var sizes []int
	seen := ""
	for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
		g := r.ok("conversations.list", "exclude_archived", "true", "limit", "2", "cursor", cursor)
		sizes = append(sizes, g.Len("channels"))
		seen, cursor = seen+g.Raw, g.Text("response_metadata.next_cursor")
	}
	if want := []int{1, 0, 1}; !slices.Equal(sizes, want) || !strings.Contains(seen, last) {
		t.Errorf("pages of %v channels, want %v", sizes, want)
	}
	first := r.ok("conversations.list", "types", "private_channel", "limit", "2")
	if first.Len("channels") != 0 || first.Text("response_metadata.next_cursor") == "" {
		t.Errorf("types are a filter too: %s", first.Raw)
	}
}
