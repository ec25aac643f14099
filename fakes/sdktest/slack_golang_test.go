package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

// What slack-go finds where it is not what @slack/web-api does: it tries
// nothing again, and hands on what the service said. Only its helper for users
// in pages waits when it is told to.
const (
	slackGoErrors = `{
		"absent": {"class": "slack.SlackErrorResponse", "error": "channel_not_found"},
		"missing": {"class": "slack.SlackErrorResponse", "error": "channel_not_found"},
		"blocks": {"class": "slack.SlackErrorResponse", "error": "invalid_blocks", "messages": ["[ERROR] must define either ` + "`text` or `fields`" + ` [json-pointer:/blocks/0/type]"]},
		"taken": {"class": "slack.SlackErrorResponse", "error": "name_taken"},
		"bot": {"class": "slack.SlackErrorResponse", "error": "not_allowed_token_type"},
		"bad": {"class": "slack.SlackErrorResponse", "error": "invalid_auth"},
		"none": {"class": "slack.SlackErrorResponse", "error": "not_authed"}
	}`
	slackGoTrouble = `{
		"limited": {"class": "none"}, "broken": {"class": "slack.StatusCodeError", "status": 500},
		"refused": {"class": "slack.SlackErrorResponse", "error": "fatal_error"}, "eager": {"class": "*slack.RateLimitedError", "after": 1}
	}`
)

const (
	slackGeneral = "C0GENERAL01"
	slackAhmed   = "U0PERSON002"
)

func slackClient(token string) *slack.Client {
	var options []slack.Option
	if base := os.Getenv("SLACK_BASE"); base != "" {
		options = append(options, slack.OptionAPIURL(base+"/api/"))
	}
	return slack.New(token, options...)
}

// slackAgent is slack-go at the same work as node/slack.mjs.
func slackAgent(work string) int {
	bot, person := slackClient("xoxb-1-sdk"), slackClient("xoxp-1-sdk")
	tasks := map[string]func(ctx context.Context, bot, person *slack.Client) (map[string]any, error){
		"work": slackWorks, "upload": slackUploads, "page": slackPaged, "fail": slackFails, "trouble": slackTroubled, "lose": slackLoses,
	}
	found, err := tasks[work](context.Background(), bot, person)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", work, err)
		return 2
	}
	return 0
}

// slackFailure is an error of the client's, by its class.
func slackFailure(err error) map[string]any {
	var refused slack.SlackErrorResponse
	var limited *slack.RateLimitedError
	var status slack.StatusCodeError
	switch {
	case err == nil:
		return map[string]any{"class": "none"}
	case errors.As(err, &limited):
		return map[string]any{"class": fmt.Sprintf("%T", limited), "after": limited.RetryAfter.Seconds()}
	case errors.As(err, &status):
		return map[string]any{"class": fmt.Sprintf("%T", status), "status": status.Code}
	case errors.As(err, &refused):
		told := map[string]any{"class": fmt.Sprintf("%T", refused), "error": refused.Err}
		if len(refused.ResponseMetadata.Messages) > 0 {
			told["messages"] = refused.ResponseMetadata.Messages
		}
		return told
	}
	return map[string]any{"class": fmt.Sprintf("%T", err)}
}

// sure keeps the first error of a row of calls.
type sure struct{ err error }

func (s *sure) that(err error) {
	if s.err == nil {
		s.err = err
	}
}

// result is what a call gives, in one.
type result[T any] struct {
	value T
	err   error
}

func of[T any](value T, err error) result[T] { return result[T]{value, err} }

// got gives what a call gave, and keeps its error.
func got[T any](s *sure, r result[T]) T {
	s.that(r.err)
	return r.value
}

func slackWorks(ctx context.Context, bot, person *slack.Client) (map[string]any, error) {
	var s sure
	me := got(&s, of(bot.AuthTestContext(ctx)))
	team := got(&s, of(bot.GetTeamInfoContext(ctx)))
	channel := got(&s, of(bot.CreateConversationContext(ctx, slack.CreateConversationParams{ChannelName: "launch"})))
	if s.err != nil {
		return nil, s.err
	}
	_ = got(&s, of(bot.InviteUsersToConversationContext(ctx, channel.ID, slackAhmed, "U0PERSON003")))
	_ = got(&s, of(bot.SetTopicOfConversationContext(ctx, channel.ID, "Ship it")))
	renamed := got(&s, of(bot.RenameConversationContext(ctx, channel.ID, "launched")))
	section := slack.NewSectionBlock(slack.NewTextBlockObject(slack.MarkdownType, "*Hi*", false, false), nil, nil)
	_, ts, err := bot.PostMessageContext(ctx, channel.ID, slack.MsgOptionText("Hi <@U0PERSON002> & all", false), slack.MsgOptionBlocks(section))
	s.that(err)
	_, reply, err := bot.PostMessageContext(ctx, channel.ID, slack.MsgOptionText("first", false), slack.MsgOptionTS(ts))
	s.that(err)
	_, _, _, err = bot.UpdateMessageContext(ctx, channel.ID, reply, slack.MsgOptionText("second", false))
	s.that(err)
	thread, _, _, err := bot.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{ChannelID: channel.ID, Timestamp: ts})
	s.that(err)
	ref := slack.NewRefToMessage(channel.ID, ts)
	s.that(bot.AddReactionContext(ctx, "tada", ref))
	reacted := got(&s, of(bot.GetReactionsContext(ctx, ref, slack.NewGetReactionsParameters())))
	s.that(bot.RemoveReactionContext(ctx, "tada", ref))
	link := got(&s, of(bot.GetPermalinkContext(ctx, &slack.PermalinkParameters{Channel: channel.ID, Ts: ts})))
	ephemeral := got(&s, of(bot.PostEphemeralContext(ctx, channel.ID, slackAhmed, slack.MsgOptionText("psst", false))))
	at := strconv.FormatInt(time.Now().Unix()+3600, 10)
	_, later, err := bot.ScheduleMessageContext(ctx, channel.ID, at, slack.MsgOptionText("later", false))
	s.that(err)
	waiting, _, err := bot.GetScheduledMessagesContext(ctx, &slack.GetScheduledMessagesParameters{Channel: channel.ID})
	s.that(err)
	_ = got(&s, of(bot.DeleteScheduledMessageContext(ctx, &slack.DeleteScheduledMessageParameters{Channel: channel.ID, ScheduledMessageID: later})))
	if s.err != nil || len(thread) != 2 || len(waiting) != 1 {
		return nil, fmt.Errorf("%w, %d in the thread, %d waiting", s.err, len(thread), len(waiting))
	}
	found := map[string]any{
		"me": []any{me.User, me.Team, true}, "team": team.Domain, "topic": renamed.Topic.Value, "name": renamed.Name, "text": thread[0].Text,
		"block": thread[0].Blocks.BlockSet[0].(*slack.SectionBlock).Text.Text, "thread": []any{thread[0].Text, thread[1].Text},
		"replies": thread[0].ReplyCount, "link": strings.Contains(link, strings.Replace(ts, ".", "", 1)),
		"reactions": slackReactions(reacted),
		"ephemeral": regexp.MustCompile(`^\d+\.\d{6}$`).MatchString(ephemeral), "waiting": []any{waiting[0].Text}, "post_at": strconv.Itoa(waiting[0].PostAt) == at,
	}
	_, _, err = bot.DeleteMessageContext(ctx, channel.ID, reply)
	s.that(err)
	return slackRest(ctx, &s, bot, person, channel.ID, found)
}

func slackReactions(item slack.ReactedItem) []any {
	list := make([]any, len(item.Reactions))
	for i, r := range item.Reactions {
		list[i] = map[string]any{"name": r.Name, "users": r.Users, "count": r.Count}
	}
	return list
}

// slackRest is the second half of the work: reading around.
func slackRest(ctx context.Context, s *sure, bot, person *slack.Client, channel string, found map[string]any) (map[string]any, error) {
	history := got(s, of(bot.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{ChannelID: channel, Limit: 5})))
	direct, _, _, err := bot.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{slackAhmed}})
	s.that(err)
	members, _, err := bot.GetUsersInConversationContext(ctx, &slack.GetUsersInConversationParameters{ChannelID: channel})
	s.that(err)
	mine, _, err := bot.GetConversationsForUserContext(ctx, &slack.GetConversationsForUserParameters{Types: []string{"public_channel", "im"}})
	s.that(err)
	mei := got(s, of(bot.GetUserByEmailContext(ctx, "mei@parity.example")))
	if s.err != nil {
		return nil, s.err
	}
	user := got(s, of(bot.GetUserInfoContext(ctx, mei.ID)))
	info := got(s, of(bot.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: channel, IncludeNumMembers: true})))
	side := got(s, of(person.CreateConversationContext(ctx, slack.CreateConversationParams{ChannelName: "side"})))
	if s.err != nil {
		return nil, s.err
	}
	joined, _, _, err := bot.JoinConversationContext(ctx, side.ID)
	s.that(err)
	s.that(bot.ArchiveConversationContext(ctx, channel))
	open, _, err := bot.GetConversationsContext(ctx, &slack.GetConversationsParameters{ExcludeArchived: true})
	s.that(err)
	searched := got(s, of(person.SearchMessagesContext(ctx, "nothing-like-it", slack.NewSearchParameters())))
	if s.err != nil {
		return nil, s.err
	}
	names := make([]any, len(open))
	for i := range open {
		names[i] = open[i].Name
	}
	found["history"], found["direct"], found["members"], found["mine"] = len(history.Messages), direct.ID[:1], len(members), len(mine)
	found["found"], found["count"], found["joined"], found["open"] = user.RealName, info.NumMembers, joined.IsMember, names
	found["searched"] = searched.Total
	return found, nil
}

func slackUploads(ctx context.Context, bot, _ *slack.Client) (map[string]any, error) {
	sent, err := bot.UploadFileContext(ctx, slack.UploadFileParameters{
		Channel: slackGeneral, Filename: "notes.txt", Content: "one\ntwo\n", FileSize: 8, InitialComment: "the notes", Title: "Notes",
	})
	if err != nil {
		return nil, err
	}
	time.Sleep(1500 * time.Millisecond) // Slack shares a file a moment later
	info, _, _, err := bot.GetFileInfoContext(ctx, sent.ID, 0, 0)
	if err != nil {
		return nil, err
	}
	history, err := bot.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{ChannelID: slackGeneral})
	if err != nil {
		return nil, err
	}
	first := history.Messages[0]
	return map[string]any{
		"title": sent.Title, "size": info.Size, "type": info.Filetype, "channels": info.Channels, "shared": first.Files[0].ID == sent.ID, "text": first.Text,
	}, nil
}

func slackPaged(ctx context.Context, bot, _ *slack.Client) (map[string]any, error) {
	for i := range 11 {
		if _, err := bot.CreateConversationContext(ctx, slack.CreateConversationParams{ChannelName: "page-" + strconv.Itoa(i)}); err != nil {
			return nil, err
		}
	}
	var names []string
	cursor, pages := "", 0
	for {
		channels, next, err := bot.GetConversationsContext(ctx, &slack.GetConversationsParameters{Limit: 4, Cursor: cursor})
		if err != nil {
			return nil, err
		}
		pages++
		for i := range channels {
			names = append(names, channels[i].Name)
		}
		if cursor = next; cursor == "" {
			return map[string]any{"pages": pages, "seen": len(names), "last": names[len(names)-1]}, nil
		}
	}
}

func slackFails(ctx context.Context, bot, _ *slack.Client) (map[string]any, error) {
	post := func(channel string, options ...slack.MsgOption) map[string]any {
		_, _, err := bot.PostMessageContext(ctx, channel, options...)
		return slackFailure(err)
	}
	_, taken := bot.CreateConversationContext(ctx, slack.CreateConversationParams{ChannelName: "general"})
	_, missing := bot.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{})
	_, search := bot.SearchMessagesContext(ctx, "x", slack.NewSearchParameters())
	_, bad := slackClient("wrong").AuthTestContext(ctx)
	_, none := slackClient("").AuthTestContext(ctx)
	return map[string]any{
		"absent": post("C0NOSUCH001", slack.MsgOptionText("x", false)), "missing": slackFailure(missing),
		"blocks": post(slackGeneral, slack.MsgOptionText("x", false), slack.MsgOptionBlocks(slack.NewSectionBlock(nil, nil, nil))),
		"taken":  slackFailure(taken), "bot": slackFailure(search), "bad": slackFailure(bad), "none": slackFailure(none),
	}, nil
}

func slackTroubled(ctx context.Context, bot, _ *slack.Client) (map[string]any, error) {
	_, limited := bot.GetUsersContext(ctx, slack.GetUsersOptionLimit(100))
	_, broken := bot.GetTeamInfoContext(ctx)
	_, refused := bot.GetEmojiContext(ctx)
	_, _, eager := bot.ListPinsContext(ctx, slackGeneral)
	return map[string]any{"limited": slackFailure(limited), "broken": slackFailure(broken), "refused": slackFailure(refused), "eager": slackFailure(eager)}, nil
}

func slackLoses(ctx context.Context, bot, _ *slack.Client) (map[string]any, error) {
	_, _, lost := bot.PostMessageContext(ctx, slackGeneral, slack.MsgOptionText("once, please", false))
	history, err := bot.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{ChannelID: slackGeneral})
	if err != nil {
		return nil, err
	}
	posted := 0
	for i := range history.Messages {
		if history.Messages[i].Text == "once, please" {
			posted++
		}
	}
	return map[string]any{"class": slackFailure(lost)["class"], "posted": posted}, nil
}
