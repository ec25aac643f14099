package slack

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"unicode/utf8"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// A blockRule is what one kind of block must have and may hold.
// Source: docs.slack.dev/reference/block-kit/blocks.
type blockRule struct {
	must     []string
	texts    map[string]textRule
	lengths  map[string]int // of fields that are plain strings
	elements int            // how many at most; 0: not looked at
	holds    []string       // which kinds its elements may be; nil: any
}

// A textRule is what a text object may be.
type textRule struct {
	most  int
	kinds []string
}

var (
	plainKind  = []string{plainText}
	eitherKind = []string{mrkdwnText, plainText}
)

const (
	plainText  = "plain_text"
	mrkdwnText = "mrkdwn"
	longestID  = 255 // of block_id and action_id
)

var blockRules = sync.OnceValue(func() map[string]blockRule {
	return map[string]blockRule{
		"actions": {must: []string{"elements"}, elements: 25, holds: []string{
			"button", "checkboxes", "datepicker", "datetimepicker", "timepicker", "overflow", "radio_buttons", "static_select", "external_select",
			"users_select", "conversations_select", "channels_select", "workflow_button", "feedback_buttons", "icon_button",
		}},
		"context":         {must: []string{"elements"}, elements: 10, holds: []string{"image", mrkdwnText, plainText}},
		"context_actions": {must: []string{"elements"}, elements: 5, holds: []string{"feedback_buttons", "icon_button"}},
		"divider":         {}, "file": {must: []string{"external_id"}}, "call": {must: []string{"call_id"}}, "rich_text": {must: []string{"elements"}},
		"table":    {must: []string{"rows"}},
		"header":   {must: []string{"text"}, texts: map[string]textRule{"text": {150, plainKind}}},
		"image":    {must: []string{"alt_text"}, texts: map[string]textRule{"title": {2000, plainKind}}, lengths: map[string]int{"alt_text": 2000, "image_url": 3000}},
		"input":    {must: []string{"label", "element"}, texts: map[string]textRule{"label": {2000, plainKind}, "hint": {2000, plainKind}}},
		"markdown": {must: []string{"text"}, lengths: map[string]int{"text": 12000}},
		"section":  {texts: map[string]textRule{"text": {3000, eitherKind}}},
		"video": {
			must: []string{"alt_text", "title", "thumbnail_url", "video_url"}, lengths: map[string]int{"author_name": 50},
			texts: map[string]textRule{"title": {200, plainKind}, "description": {200, plainKind}},
		},
	}
})

// inputKinds are the elements that an input block takes.
// Source: docs.slack.dev/reference/block-kit/blocks/input-block.
var inputKinds = []string{
	"plain_text_input", "number_input", "email_text_input", "url_text_input", "rich_text_input", "file_input", "checkboxes", "radio_buttons",
	"datepicker", "datetimepicker", "timepicker", "static_select", "external_select", "users_select", "conversations_select", "channels_select",
	"multi_static_select", "multi_external_select", "multi_users_select", "multi_conversations_select", "multi_channels_select",
}

// wrongAt words one thing that is wrong with what was sent.
// Source of the words: github.com/slackhq/hack-json-schema, by which Slack
// checks.
func wrongAt(at, format string, values ...any) string {
	return "[ERROR] " + fmt.Sprintf(format, values...) + " [json-pointer:" + at + "]"
}

// wrongBlocks says what is wrong with blocks, in Slack's words.
func wrongBlocks(list []any, where string, most int) []string {
	if len(list) > most {
		return []string{wrongAt(where, "no more than %d items allowed", most)}
	}
	rules, ids := blockRules(), map[string]bool{}
	var wrong []string
	for i, item := range list {
		at := fmt.Sprintf("%s/%d", where, i)
		block, ok := item.(map[string]any)
		if !ok {
			wrong = append(wrong, wrongAt(at, "must be an object"))
			continue
		}
		wrong = append(wrong, wrongBlock(block, at, rules)...)
		if id := asText(block["block_id"]); id != "" {
			if ids[id] {
				wrong = append(wrong, wrongAt(at+"/block_id", "`block_id` %q already exists", id))
			}
			ids[id] = true
		}
	}
	return wrong
}

func wrongBlock(block map[string]any, at string, rules map[string]blockRule) []string {
	kind, typed := block["type"].(string)
	if !typed {
		return []string{wrongAt(at, "missing required field: type")}
	}
	rule, known := rules[kind]
	if !known {
		return []string{wrongAt(at+"/type", "unsupported type: %s", kit.Clip(kind))}
	}
	wrong := slices.Concat(missingFields(block, at, rule.must...), wrongTexts(block, at, rule.texts), wrongLengths(block, at, rule.lengths))
	wrong = append(wrong, wrongLengths(block, at, map[string]int{"block_id": longestID})...)
	switch kind {
	case "section":
		wrong = append(wrong, wrongSection(block, at)...)
	case "image":
		if block["image_url"] == nil && block["slack_file"] == nil {
			wrong = append(wrong, missingFields(block, at, "image_url")...)
		}
	case "input":
		if element, ok := block["element"].(map[string]any); ok {
			wrong = append(wrong, wrongElement(element, at+"/element", inputKinds)...)
		}
	}
	if rule.elements > 0 && block["elements"] != nil {
		wrong = append(wrong, wrongElements(block["elements"], at+"/elements", rule)...)
	}
	return wrong
}

// wrongSection looks at what a section shows beside its text.
func wrongSection(block map[string]any, at string) []string {
	if block["text"] == nil && block["fields"] == nil {
		return []string{wrongAt(at+"/type", "must define either `text` or `fields`")}
	}
	var wrong []string
	if block["fields"] != nil {
		fields, flaw := bounded(block["fields"], at+"/fields", 10)
		wrong = append(wrong, flaw...)
		for i, field := range fields {
			wrong = append(wrong, wrongText(field, fmt.Sprintf("%s/fields/%d", at, i), 2000, eitherKind...)...)
		}
	}
	if accessory, ok := block["accessory"].(map[string]any); ok {
		wrong = append(wrong, wrongElement(accessory, at+"/accessory", nil)...)
	}
	return wrong
}

// bounded gives a list of one to most entries; else what is wrong with it.
func bounded(value any, at string, most int) (list []any, wrong []string) {
	list, isList := value.([]any)
	switch {
	case !isList:
		return nil, []string{wrongAt(at, "must provide an array")}
	case len(list) > most:
		return nil, []string{wrongAt(at, "no more than %d items allowed", most)}
	case len(list) == 0:
		return nil, []string{wrongAt(at, "must provide at least 1 items")}
	}
	return list, nil
}

func wrongElements(value any, at string, rule blockRule) []string {
	list, wrong := bounded(value, at, rule.elements)
	ids := map[string]bool{}
	for i, item := range list {
		where := fmt.Sprintf("%s/%d", at, i)
		element, ok := item.(map[string]any)
		if !ok {
			wrong = append(wrong, wrongAt(where, "must provide an object"))
			continue
		}
		wrong = append(wrong, wrongElement(element, where, rule.holds)...)
		if id := asText(element["action_id"]); id != "" {
			if ids[id] {
				wrong = append(wrong, wrongAt(where+"/action_id", "`action_id` %q already exists", id))
			}
			ids[id] = true
		}
	}
	return wrong
}

func missingFields(of map[string]any, at string, names ...string) []string {
	var wrong []string
	for _, name := range names {
		if of[name] == nil {
			wrong = append(wrong, wrongAt(at, "missing required field: %s", name))
		}
	}
	return wrong
}

// wrongLengths looks at fields that are strings of a length.
func wrongLengths(of map[string]any, at string, most map[string]int) []string {
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(most)) {
		if of[name] == nil {
			continue
		}
		text, isText := of[name].(string)
		switch {
		case !isText:
			wrong = append(wrong, wrongAt(at+"/"+name, "must provide a string"))
		case utf8.RuneCountInString(text) > most[name]:
			wrong = append(wrong, wrongAt(at+"/"+name, "must be less than %d characters", most[name]+1))
		}
	}
	return wrong
}

func wrongTexts(of map[string]any, at string, rules map[string]textRule) []string {
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		if of[name] != nil {
			wrong = append(wrong, wrongText(of[name], at+"/"+name, rules[name].most, rules[name].kinds...)...)
		}
	}
	return wrong
}

// wrongText looks at a text object. Where it may be of either kind there are
// two schemas, of which Slack says first that none fits.
func wrongText(value any, at string, most int, kinds ...string) []string {
	var wrong []string
	if len(kinds) > 1 {
		wrong = []string{wrongAt(at, "failed to match all allowed schemas")}
	}
	text, ok := value.(map[string]any)
	if !ok {
		return append(wrong, wrongAt(at, "must provide an object"))
	}
	content, isText := text["text"].(string)
	switch {
	case text["type"] == nil:
		return append(wrong, wrongAt(at, "missing required field: type"))
	case !slices.Contains(kinds, cast.Text(text["type"])):
		return append(wrong, wrongAt(at+"/type", "unsupported type: %s", kit.Clip(asText(text["type"]))))
	case !isText:
		return append(wrong, wrongAt(at, "missing required field: text"))
	case content == "":
		return append(wrong, wrongAt(at+"/text", "must be more than 0 characters"))
	case utf8.RuneCountInString(content) > most:
		return append(wrong, wrongAt(at+"/text", "must be less than %d characters", most+1))
	}
	return nil
}
