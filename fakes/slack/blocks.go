package slack

import (
	"fmt"
	"maps"
	"unicode/utf8"

	"parity/fakes/kit"
)

// Limits of what one message holds.
// Source: docs.slack.dev/reference/block-kit/blocks and
// docs.slack.dev/reference/methods/chat.postMessage, too_many_attachments.
const (
	mostBlocks      = 50
	mostAttachments = 100
)

// blockKinds are the blocks of messages and views, with the fields that each
// must have.
// Source: docs.slack.dev/reference/block-kit/blocks.
var blockKinds = map[string][]string{
	"actions": {"elements"}, "context": {"elements"}, "divider": nil, "file": {"external_id"}, "header": {"text"}, "image": {"alt_text"},
	"input": {"label", "element"}, "rich_text": {"elements"}, "section": nil, "video": {"alt_text", "title", "thumbnail_url", "video_url"},
	"markdown": {"text"}, "table": {"rows"}, "context_actions": {"elements"}, "call": {"call_id"},
}

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
		return nil, &refusal{code: "invalid_blocks", messages: wrong, errors: nil}
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

// wrongBlocks says what is wrong with blocks, in Slack's words.
func wrongBlocks(list []any, where string, most int) []string {
	if len(list) > most {
		return []string{fmt.Sprintf("[ERROR] no more than %d items allowed [json-pointer:%s]", most, where)}
	}
	var wrong []string
	for i, item := range list {
		at := fmt.Sprintf("%s/%d", where, i)
		block, ok := item.(map[string]any)
		if !ok {
			wrong = append(wrong, "[ERROR] must be an object [json-pointer:"+at+"]")
			continue
		}
		wrong = append(wrong, wrongBlock(block, at)...)
	}
	return wrong
}

func wrongBlock(block map[string]any, at string) []string {
	kind, typed := block["type"].(string)
	if !typed {
		return []string{"[ERROR] missing required field: type [json-pointer:" + at + "]"}
	}
	must, known := blockKinds[kind]
	if !known {
		return []string{"[ERROR] unsupported type: " + kit.Clip(kind) + " [json-pointer:" + at + "/type]"}
	}
	var wrong []string
	for _, field := range must {
		if block[field] == nil {
			wrong = append(wrong, "[ERROR] missing required field: "+field+" [json-pointer:"+at+"]")
		}
	}
	switch {
	case kind == "section" && block["text"] == nil && block["fields"] == nil:
		wrong = append(wrong, "[ERROR] missing required field: text [json-pointer:"+at+"]")
	case kind == "section" && block["text"] != nil:
		wrong = append(wrong, wrongText(block["text"], at+"/text", 3000, "mrkdwn", "plain_text")...)
	case kind == "header" && block["text"] != nil:
		wrong = append(wrong, wrongText(block["text"], at+"/text", 150, "plain_text")...)
	}
	return wrong
}

func wrongText(value any, at string, most int, kinds ...string) []string {
	text, ok := value.(map[string]any)
	if !ok {
		return []string{"[ERROR] must provide an object [json-pointer:" + at + "]"}
	}
	right := false
	for _, kind := range kinds {
		right = right || text["type"] == kind
	}
	content, isText := text["text"].(string)
	switch {
	case text["type"] == nil:
		return []string{"[ERROR] missing required field: type [json-pointer:" + at + "]"}
	case !right:
		return []string{"[ERROR] unsupported type: " + kit.Clip(asText(text["type"])) + " [json-pointer:" + at + "/type]"}
	case !isText:
		return []string{"[ERROR] missing required field: text [json-pointer:" + at + "]"}
	case content == "":
		return []string{"[ERROR] must be more than 0 characters [json-pointer:" + at + "/text]"}
	case utf8.RuneCountInString(content) > most:
		return []string{fmt.Sprintf("[ERROR] must be less than %d characters [json-pointer:%s/text]", most+1, at)}
	}
	return nil
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
				return nil, &refusal{code: "invalid_blocks", messages: wrong}
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
