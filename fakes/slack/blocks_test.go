package slack_test

import (
	"fmt"
	"strings"
	"testing"
)

// repeated makes a list of a text in which %d counts.
func repeated(n int, format string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = format
		if strings.Contains(format, "%d") {
			items[i] = fmt.Sprintf(format, i)
		}
	}
	return "[" + strings.Join(items, ",") + "]"
}

func TestBlocksBeyondTheirBoundsAreRefusedByTheirPlace(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	x := func(n int) string { return strings.Repeat("x", n) }
	button := `{"type":"button","text":{"type":"plain_text","text":"b"},"action_id":"a%d"}`
	option := `{"text":{"type":"plain_text","text":"o"},"value":"v"}`
	section := `{"type":"section","text":{"type":"mrkdwn","text":"t"}}`
	for wrong, blocks := range map[string]string{
		"no more than 50 items allowed [json-pointer:/blocks]":                                                 repeated(51, `{"type":"divider"}`),
		"must be less than 3001 characters [json-pointer:/blocks/0/text/text]":                                 `[{"type":"section","text":{"type":"mrkdwn","text":"` + x(3001) + `"}}]`,
		"must define either `text` or `fields` [json-pointer:/blocks/0/type]":                                  `[{"type":"section"}]`,
		"no more than 10 items allowed [json-pointer:/blocks/0/fields]":                                        `[{"type":"section","fields":` + repeated(11, `{"type":"mrkdwn","text":"t"}`) + `}]`,
		"must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]":                             `[{"type":"section","fields":[{"type":"mrkdwn","text":"` + x(2001) + `"}]}]`,
		"must be less than 151 characters [json-pointer:/blocks/0/text/text]":                                  `[{"type":"header","text":{"type":"plain_text","text":"` + x(151) + `"}}]`,
		"unsupported type: mrkdwn [json-pointer:/blocks/0/text/type]":                                          `[{"type":"header","text":{"type":"mrkdwn","text":"t"}}]`,
		"no more than 25 items allowed [json-pointer:/blocks/0/elements]":                                      `[{"type":"actions","elements":` + repeated(26, button) + `}]`,
		"must provide at least 1 items [json-pointer:/blocks/0/elements]":                                      `[{"type":"actions","elements":[]}]`,
		"no more than 10 items allowed [json-pointer:/blocks/0/elements]":                                      `[{"type":"context","elements":` + repeated(11, `{"type":"mrkdwn","text":"t"}`) + `}]`,
		"unsupported type: button [json-pointer:/blocks/0/elements/0/type]":                                    `[{"type":"context","elements":[` + button + `]}]`,
		"must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]":                       `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"b"},"action_id":"` + x(256) + `"}]}]`,
		"must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]":                        `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"` + x(76) + `"}}]}]`,
		"must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]":                          `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"b"},"value":"` + x(2001) + `"}]}]`,
		"must be a valid enum value [json-pointer:/blocks/0/elements/0/style]":                                 `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"b"},"style":"red"}]}]`,
		"`action_id` \"a\" already exists [json-pointer:/blocks/0/elements/1/action_id]":                       `[{"type":"actions","elements":` + repeated(2, `{"type":"button","text":{"type":"plain_text","text":"b"},"action_id":"a"}`) + `}]`,
		"`block_id` \"b\" already exists [json-pointer:/blocks/1/block_id]":                                    repeated(2, `{"type":"divider","block_id":"b"}`),
		"must be less than 256 characters [json-pointer:/blocks/0/block_id]":                                   `[{"type":"divider","block_id":"` + x(256) + `"}]`,
		"unsupported element: multiselect [json-pointer:/blocks/0/elements/0/type]":                            `[{"type":"actions","elements":[{"type":"multi_static_select","options":[` + option + `]}]}]`,
		"unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]":                          `[{"type":"actions","elements":[{"type":"plain_text_input"}]}]`,
		"no more than 10 items allowed [json-pointer:/blocks/0/elements/0/options]":                            `[{"type":"actions","elements":[{"type":"checkboxes","options":` + repeated(11, option) + `}]}]`,
		"no more than 100 items allowed [json-pointer:/blocks/0/accessory/options]":                            strings.Replace("["+section+"]", `"t"}`, `"t"},"accessory":{"type":"static_select","options":`+repeated(101, option)+`}`, 1),
		"no more than 5 items allowed [json-pointer:/blocks/0/accessory/options]":                              strings.Replace("["+section+"]", `"t"}`, `"t"},"accessory":{"type":"overflow","options":`+repeated(6, option)+`}`, 1),
		"invalid additional property: max_selected_items [json-pointer:/blocks/0/element]":                     `[{"type":"input","label":{"type":"plain_text","text":"l"},"element":{"type":"checkboxes","max_selected_items":2,"options":[` + option + `]}}]`,
		"unsupported type: button [json-pointer:/blocks/0/element/type]":                                       `[{"type":"input","label":{"type":"plain_text","text":"l"},"element":` + button + `}]`,
		"must be less than 151 characters [json-pointer:/blocks/0/elements/0/placeholder/text]":                `[{"type":"actions","elements":[{"type":"users_select","placeholder":{"type":"plain_text","text":"` + x(151) + `"}}]}]`,
		"must be less than 101 characters [json-pointer:/blocks/0/elements/0/confirm/title/text]":              `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"b"},"confirm":{"title":{"type":"plain_text","text":"` + x(101) + `"}}}]}]`,
		"missing required field: image_url [json-pointer:/blocks/0]":                                           `[{"type":"image","alt_text":"a"}]`,
		"must be less than 151 characters [json-pointer:/blocks/0/elements/0/option_groups/0/options/0/value]": `[{"type":"actions","elements":[{"type":"static_select","option_groups":[{"label":{"type":"plain_text","text":"l"},"options":[{"text":{"type":"plain_text","text":"o"},"value":"` + x(151) + `"}]}]}]}]`,
	} {
		g := r.refused("invalid_blocks", "chat.postMessage", "channel", general, "text", "t", "blocks", blocks)
		if !strings.Contains(g.Raw, strings.NewReplacer(`"`, `\"`).Replace("[ERROR] "+wrong)) {
			t.Errorf("want %s\nhave %s", wrong, g.Raw)
		}
	}
	for _, right := range []string{
		repeated(50, `{"type":"divider"}`), `[{"type":"actions","elements":` + repeated(25, button) + `},{"type":"actions","elements":` + repeated(25, button) + `}]`,
		`[{"type":"section","text":{"type":"mrkdwn","text":"` + x(3000) + `"},"fields":` + repeated(10, `{"type":"plain_text","text":"t"}`) + `}]`,
	} {
		r.ok("chat.postMessage", "channel", general, "text", "t", "blocks", right)
	}
	r.refused("msg_blocks_too_long", "chat.postMessage", "channel", general, "blocks", repeated(5, `{"type":"section","text":{"type":"mrkdwn","text":"`+x(3000)+`"}}`))
}

func TestTextsBeyondTheirBounds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ts := r.post(general, strings.Repeat("x", 40000))
	long := r.ok("chat.postMessage", "channel", general, "text", strings.Repeat("x", 40001))
	if len(long.Text("message.text")) != 40000 || long.Text("warning") != "message_truncated" || !strings.HasPrefix(long.Text("response_metadata.messages.0"), "[WARN]") {
		t.Errorf("a text of 40,001 characters is cut, and said to be: %.300s", long.Raw)
	}
	r.ok("chat.update", "channel", general, "ts", ts, "text", strings.Repeat("é", 4000))
	r.refused("msg_too_long", "chat.update", "channel", general, "ts", ts, "text", strings.Repeat("x", 4001))
	r.refused("msg_too_long", "chat.postMessage", "channel", general, "markdown_text", strings.Repeat("x", 12001))
	for wrong, view := range map[string]string{
		"/view/submit/text":      `{"type":"modal","title":{"type":"plain_text","text":"t"},"blocks":[],"submit":{"type":"plain_text","text":"` + strings.Repeat("x", 25) + `"}}`,
		"/view/private_metadata": `{"type":"modal","title":{"type":"plain_text","text":"t"},"blocks":[],"private_metadata":"` + strings.Repeat("x", 3001) + `"}`,
		"/view/callback_id":      `{"type":"modal","title":{"type":"plain_text","text":"t"},"blocks":[],"callback_id":"` + strings.Repeat("x", 256) + `"}`,
	} {
		if g := r.refused("invalid_arguments", "views.open", "trigger_id", "1.2.3", "view", view); !strings.Contains(g.Raw, wrong) {
			t.Error(g.Raw)
		}
	}
}
