package gateway_test

import (
	"fmt"
	"strings"
)

// slackDay has a bot post through a day. What production-like says of other
// services is met there, and unruly-webhooks meets events that come again: Slack's
// want an endpoint that a fixture names. The latency is cut, and the wait that it
// tells is 1 s in place of 5 s.
func slackDay() meeting {
	return meeting{
		profile: "slack-bad-day", play: slackAfternoon, step: "5s", more: `services: {slack: {fixtures: [slack-messy]}}
` + elsewhere + `  slack-events-again: {enabled: false}
  slack-everyday-latency: {with: {fixed: 1ms}}
  slack-limit-for-a-while: {with: {retry_after: 1s}}
`,
		failed: []string{"always: bounded retries", "always: one effect per intent", "slack-lose-a-message", "slack-limit-for-a-while", "slack-token-expired", "slack-fail-inside-a-success"}, unseen: []string{"slack-fail-inside-a-success"},
		// A later message may be the lost one in other words.
	}
}

func slackAfternoon(a *hand) {
	channel := a.sitsOut("POST", "slack", "/api/conversations.list", "limit=1").at("channels.0.id")
	for i := range 5 { // one of them is refused, and told to wait
		a.sitsOut("POST", "slack", "/api/conversations.history", fmt.Sprint("channel=", channel, "&limit=", 2+i))
	}
	for i := range 4 {
		a.posts(channel, fmt.Sprint("Shipped+", i))
	}
	for i := range 30 { // enough for what happens by chance
		a.sitsOut("POST", "slack", "/api/users.list", fmt.Sprint("limit=", 2+i))
	}
	a.h.advance(a.h.Run.ID, "13h") // the token has run out: the careful client stops
	for range 6 {
		a.says("POST", "slack", "/api/users.list", "limit=99")
		if a.careful {
			return
		}
	}
}

// posts says something in a channel: when no answer comes the careful client looks
// whether it is there, and the naive one says it again.
func (a *hand) posts(channel, text string) {
	form := "channel=" + channel + "&text=" + text
	if !a.careful {
		a.sitsOut("POST", "slack", "/api/chat.postMessage", form)
		return
	}
	if a.says("POST", "slack", "/api/chat.postMessage", form).fine() {
		return
	}
	seen := a.sitsOut("POST", "slack", "/api/conversations.history", "channel="+channel+"&limit=1")
	if !strings.Contains(string(seen.body), strings.ReplaceAll(text, "+", " ")) {
		a.sitsOut("POST", "slack", "/api/chat.postMessage", form)
	}
}
