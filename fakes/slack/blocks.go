package slack

import (
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Limits of what one message holds.
// Source: docs.slack.dev/reference/block-kit/blocks and
// docs.slack.dev/reference/methods/chat.postMessage, too_many_attachments.
const (
	mostBlocks      = 50
	mostAttachments = 100
	// Slack does not tell how much text the blocks of one message hold; a
	// maintainer says "12,000 text characters with a buffer for block containers",
	// and 11,341 have been refused where 9,597 were not (github.com/slackapi/bolt-js#2867).
	mostBlockText = 12000
)

func (c *call) blocks() ([]any, *refusal) {
	if !c.given("blocks") {
		return nil, nil
	}
	value, ok := c.json("blocks")
	list, isList := value.([]any)
	if !ok || !isList {
		return nil, refuse("invalid_blocks_format")
	}
	if wrong := wrongBlocks(list, "/blocks", mostBlocks); len(wrong) > 0 {
		return nil, invalidBlocks(wrong)
	}
	if textOf(list) > mostBlockText {
		return nil, refuse("msg_blocks_too_long")
	}
	if len(elementsOf(list)) > 0 {
		c.remember()
	}
	return c.named(list), nil
}

// named gives blocks the ids and defaults that Slack fills in.
func (c *call) named(list []any) []any {
	out := make([]any, len(list))
	for i, item := range list {
		block := maps.Clone(item.(map[string]any)) // wrongBlocks has seen to it
		if kit.Text(block, "block_id") == "" {
			block["block_id"] = c.NewID("", 5)
		}
		c.nameActions(block)
		for _, field := range []string{"text", "title", "label", "placeholder"} {
			if text, ok := block[field].(map[string]any); ok {
				block[field] = fullText(text)
			}
		}
		if fields, ok := block["fields"].([]any); ok {
			full := make([]any, len(fields))
			for j, field := range fields {
				full[j] = field
				if text, ok := field.(map[string]any); ok {
					full[j] = fullText(text)
				}
			}
			block["fields"] = full
		}
		out[i] = block
	}
	return out
}

// nameActions gives elements the action_id that Slack fills in.
func (c *call) nameActions(block map[string]any) {
	name := func(value any) any {
		one := cast.Object(value)
		if one == nil || one["action_id"] != nil || len(elementsOf([]any{map[string]any{"elements": []any{one}}})) == 0 {
			return value
		}
		one = maps.Clone(one)
		one["action_id"] = c.NewID("", 5)
		return one
	}
	for _, field := range []string{"accessory", "element"} {
		if block[field] != nil {
			block[field] = name(block[field])
		}
	}
	if list := cast.List(block["elements"]); len(list) > 0 && block["type"] != "rich_text" {
		all := make([]any, len(list))
		for i, one := range list {
			all[i] = name(one)
		}
		block["elements"] = all
	}
}

func fullText(text map[string]any) map[string]any {
	text = maps.Clone(text)
	switch text["type"] {
	case "mrkdwn":
		text["text"] = formatted(asText(text["text"]))
		if text["verbatim"] == nil {
			text["verbatim"] = false
		}
	case "plain_text":
		if text["emoji"] == nil {
			text["emoji"] = true
		}
	}
	return text
}

// invalidBlocks says what is wrong with the blocks of a message, twice over.
// Source: github.com/grafana/oncall#5121.
func invalidBlocks(wrong []string) *refusal {
	errors := make([]any, len(wrong))
	for i, one := range wrong {
		errors[i] = strings.TrimPrefix(one, "[ERROR] ")
	}
	return &refusal{code: "invalid_blocks", messages: wrong, errors: errors}
}

// textOf counts the characters that blocks show.
func textOf(value any) int {
	n := 0
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			n += textOf(item)
		}
	case map[string]any:
		for field, item := range v {
			if text, ok := item.(string); ok && field == "text" {
				n += utf8.RuneCountInString(text)
			} else {
				n += textOf(item)
			}
		}
	}
	return n
}

// attachments reads the older kind of content. Slack numbers them.
func (c *call) attachments() ([]any, *refusal) {
	if !c.given("attachments") {
		return nil, nil
	}
	value, ok := c.json("attachments")
	list, isList := value.([]any)
	switch {
	case !ok || !isList:
		return nil, refuse("invalid_attachments")
	case len(list) > mostAttachments:
		return nil, refuse("too_many_attachments")
	}
	out := make([]any, len(list))
	for i, item := range list {
		given, ok := item.(map[string]any)
		if !ok {
			return nil, refuse("invalid_attachments")
		}
		attachment := maps.Clone(given)
		attachment["id"] = int64(i + 1)
		if inner, ok := attachment["blocks"].([]any); ok {
			if wrong := wrongBlocks(inner, fmt.Sprintf("/attachments/%d/blocks", i), mostBlocks); len(wrong) > 0 {
				return nil, invalidBlocks(wrong)
			}
			attachment["blocks"] = c.named(inner)
		}
		if attachment["fallback"] == nil {
			fallback := "[no preview available]"
			for _, field := range []string{"text", "pretext", "title"} {
				if text := asText(attachment[field]); text != "" && fallback[0] == '[' {
					fallback = text
				}
			}
			attachment["fallback"] = fallback
		}
		out[i] = attachment
	}
	return out, nil
}
