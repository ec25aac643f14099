package slack

import (
	"strings"
	"time"

	"parity/fakes/kit"
)

// A method of the Web API.
type method struct {
	name   string
	tier   tier
	scopes []string // any one of them is enough; none: no scope is wanted
	must   []string // arguments that have to be there
	people bool     // takes user tokens only
	app    bool     // takes app-level tokens only
	open   bool     // takes no token
	answer handler
}

// operation is the id of the method's operation in the contract.
func (m method) operation() string { return strings.ReplaceAll(m.name, ".", "_") }

// A tier is how often a method may be called in a minute by one token.
// Source: docs.slack.dev/apis/web-api/rate-limits, and for which method has
// which, the metadata of github.com/slackapi/java-slack-sdk. Slack says "1+" and
// "20+": it lets short bursts pass, of a size that it does not tell. Two calls
// of tier 1 in one second are recorded to have passed.
type tier int

const (
	tier1   tier = 5
	tier2   tier = 20
	tier3   tier = 50
	tier4   tier = 100
	special tier = 600 // "hundreds a minute"
)

// perChannel is how many messages a minute one channel takes: "one a second,
// with short bursts".
const perChannel = 60

const limitWindow = time.Minute

// The scopes of the families of conversations, as list, info and history want
// one, by the kind of channel.
var (
	readScopes    = []string{"channels:read", "groups:read", "mpim:read", "im:read"}
	historyScopes = []string{"channels:history", "groups:history", "mpim:history", "im:history"}
	writeScopes   = []string{"channels:manage", "channels:write", "groups:write", "mpim:write", "im:write"}
	inviteScopes  = append([]string{"channels:write.invites", "groups:write.invites"}, writeScopes...)
	topicScopes   = append([]string{"channels:write.topic", "groups:write.topic", "mpim:write.topic", "im:write.topic"}, writeScopes...)
	chatScopes    = []string{"chat:write"}
)

// methods lists what is played, by name.
func methods() map[string]method {
	all := map[string]method{}
	for _, list := range [][]method{accountMethods(), chatMethods(), conversationMethods(), peopleMethods(), itemMethods()} {
		for _, m := range list {
			all[m.name] = m
		}
	}
	return all
}

func accountMethods() []method {
	return []method{
		{name: "api.test", tier: tier4, open: true, answer: testAPI},
		{name: "auth.test", tier: special, answer: testAuth},
		{name: "auth.revoke", tier: tier3, answer: revokeAuth},
		{name: "team.info", tier: tier3, scopes: []string{"team:read"}, answer: teamInfo},
		{name: "emoji.list", tier: tier2, scopes: []string{"emoji:read"}, answer: listEmoji},
		{name: "rtm.connect", tier: tier1, scopes: []string{"rtm:stream", "client"}, answer: connect},
		{name: "apps.connections.open", tier: tier1, scopes: []string{"connections:write"}, app: true, answer: openConnection},
	}
}

func chatMethods() []method {
	return []method{
		{name: "chat.postMessage", tier: special, scopes: chatScopes, answer: postMessage},
		{name: "chat.postEphemeral", tier: tier4, scopes: chatScopes, answer: kit.With((*call).content, postEphemeral)},
		{name: "chat.meMessage", tier: tier3, scopes: chatScopes, answer: postMe},
		{name: "chat.update", tier: tier3, scopes: chatScopes, answer: onOwn("cant_update_message", updateMessage)},
		{name: "chat.delete", tier: tier3, scopes: chatScopes, answer: onOwn("cant_delete_message", deleteMessage)},
		{name: "chat.getPermalink", tier: special, must: []string{"channel", "message_ts"}, answer: onChannel("channel", getPermalink)},
		{name: "chat.scheduleMessage", tier: tier3, scopes: chatScopes, must: []string{"channel", "post_at"}, answer: kit.With((*call).content, scheduleMessage)},
		{name: "chat.deleteScheduledMessage", tier: tier3, scopes: chatScopes, must: []string{"channel", "scheduled_message_id"}, answer: unscheduleMessage},
		{name: "chat.scheduledMessages.list", tier: tier3, answer: listScheduled},
	}
}

func conversationMethods() []method {
	channel := []string{"channel"}
	return []method{
		{name: "conversations.list", tier: tier2, scopes: readScopes, answer: kit.With((*call).kindsAsked, listChannels)},
		{name: "conversations.info", tier: tier3, scopes: readScopes, must: channel, answer: channelInfo},
		{name: "conversations.members", tier: tier4, scopes: readScopes, must: channel, answer: listMembers},
		{name: "conversations.history", tier: tier3, scopes: historyScopes, must: channel, answer: history},
		{name: "conversations.replies", tier: tier3, scopes: historyScopes, must: []string{"channel", "ts"}, answer: kit.With((*call).readable, replies)},
		{name: "conversations.create", tier: tier2, scopes: writeScopes, answer: createChannel},
		{name: "conversations.rename", tier: tier2, scopes: writeScopes, must: channel, answer: kit.With((*call).manageable, renameChannel)},
		{name: "conversations.archive", tier: tier2, scopes: writeScopes, must: channel, answer: onChannel("channel", archiveChannel)},
		{name: "conversations.unarchive", tier: tier2, scopes: writeScopes, must: channel, answer: onChannel("channel", unarchiveChannel)},
		{name: "conversations.setTopic", tier: tier2, scopes: topicScopes, must: []string{"channel", "topic"}, answer: setTopic},
		{name: "conversations.setPurpose", tier: tier2, scopes: topicScopes, must: []string{"channel", "purpose"}, answer: setPurpose},
		{name: "conversations.join", tier: tier3, scopes: []string{"channels:join", "channels:write"}, must: channel, answer: onChannel("channel", joinChannel)},
		{name: "conversations.leave", tier: tier3, scopes: writeScopes, must: channel, answer: onChannel("channel", leaveChannel)},
		{name: "conversations.invite", tier: tier3, scopes: inviteScopes, must: channel, answer: kit.With((*call).manageable, inviteMembers)},
		{name: "conversations.kick", tier: tier3, scopes: writeScopes, must: channel, answer: kit.With((*call).manageable, kickMember)},
		{name: "conversations.open", tier: tier3, scopes: []string{"im:write", "mpim:write", "channels:manage", "groups:write"}, answer: openDirect},
		{name: "conversations.close", tier: tier2, scopes: []string{"im:write", "mpim:write", "channels:manage", "groups:write"}, must: channel, answer: onChannel("channel", closeDirect)},
		{name: "conversations.mark", tier: tier3, scopes: writeScopes, must: []string{"channel", "ts"}, answer: amongMembers("channel", markRead)},
		{name: "users.conversations", tier: tier3, scopes: readScopes, answer: kit.With((*call).kindsAsked, userChannels)},
	}
}

func peopleMethods() []method {
	read := []string{"users:read"}
	return []method{
		{name: "users.list", tier: tier2, scopes: read, answer: listUsers},
		{name: "users.info", tier: tier4, scopes: read, answer: userInfo},
		{name: "users.lookupByEmail", tier: tier3, scopes: []string{"users:read.email"}, answer: lookupByEmail},
		{name: "users.getPresence", tier: tier3, scopes: read, answer: getPresence},
		{name: "users.setPresence", tier: tier2, scopes: []string{"users:write"}, answer: setPresence},
		{name: "users.profile.get", tier: tier4, scopes: []string{"users.profile:read"}, answer: getProfile},
		{name: "users.profile.set", tier: tier3, scopes: []string{"users.profile:write"}, people: true, answer: kit.With((*call).profileChanges, setProfile)},
		{name: "users.identity", tier: tier3, scopes: []string{"identity.basic"}, people: true, answer: userIdentity},
		{name: "bots.info", tier: tier3, scopes: read, answer: botInfo},
	}
}

func itemMethods() []method {
	return []method{
		{name: "reactions.add", tier: tier3, scopes: []string{"reactions:write"}, answer: onReaction(addReaction)},
		{name: "reactions.remove", tier: tier2, scopes: []string{"reactions:write"}, answer: onReaction(removeReaction)},
		{name: "reactions.get", tier: tier3, scopes: []string{"reactions:read"}, answer: getReactions},
		{name: "reactions.list", tier: tier2, scopes: []string{"reactions:read"}, answer: listReactions},
		{name: "pins.add", tier: tier2, scopes: []string{"pins:write"}, answer: addPin},
		{name: "pins.remove", tier: tier2, scopes: []string{"pins:write"}, answer: removePin},
		{name: "pins.list", tier: tier2, scopes: []string{"pins:read"}, answer: onChannel("channel", listPins)},
		{name: "bookmarks.add", tier: tier2, scopes: []string{"bookmarks:write"}, must: []string{"channel_id", "title", "type"}, answer: amongMembers("channel_id", addBookmark)},
		{name: "bookmarks.edit", tier: tier2, scopes: []string{"bookmarks:write"}, must: []string{"bookmark_id", "channel_id"}, answer: amongMembers("channel_id", editBookmark)},
		{name: "bookmarks.list", tier: tier3, scopes: []string{"bookmarks:read"}, must: []string{"channel_id"}, answer: onChannel("channel_id", listBookmarks)},
		{name: "bookmarks.remove", tier: tier2, scopes: []string{"bookmarks:write"}, must: []string{"bookmark_id", "channel_id"}, answer: amongMembers("channel_id", removeBookmark)},
		{name: "files.getUploadURLExternal", tier: tier4, scopes: []string{"files:write"}, answer: getUploadURL},
		{name: "files.completeUploadExternal", tier: tier4, scopes: []string{"files:write"}, must: []string{"files"}, answer: kit.With((*call).uploaded, completeUpload)},
		{name: "files.info", tier: tier4, scopes: []string{"files:read"}, answer: kit.With((*call).file, fileInfo)},
		{name: "files.list", tier: tier3, scopes: []string{"files:read"}, answer: listFiles},
		{name: "files.delete", tier: tier3, scopes: []string{"files:write"}, answer: kit.With((*call).file, deleteFile)},
		{name: "search.messages", tier: tier2, scopes: []string{"search:read"}, people: true, must: []string{"query"}, answer: searchMessages},
		{name: "views.open", tier: tier4, must: []string{"view"}, answer: openView},
		{name: "views.push", tier: tier4, must: []string{"view"}, answer: pushView},
		{name: "views.publish", tier: tier4, must: []string{"user_id", "view"}, answer: publishView},
		{name: "views.update", tier: tier4, must: []string{"view"}, answer: updateView},
	}
}
