package slack

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// An elementRule is what one kind of element must have and may hold.
// Source: docs.slack.dev/reference/block-kit/block-elements.
type elementRule struct {
	must    []string
	texts   map[string]textRule
	lengths map[string]int
	options int  // how many at most; 0: it has none
	choice  bool // options may come in groups
}

const longestPlaceholder = 150

var elementRules = sync.OnceValue(func() map[string]elementRule {
	placeholder := map[string]textRule{"placeholder": {longestPlaceholder, plainKind}}
	rules := map[string]elementRule{
		"button": {must: []string{"text"}, texts: map[string]textRule{"text": {75, plainKind}}, lengths: map[string]int{"value": 2000, "url": 3000, "accessibility_label": 75}},
		"image":  {must: []string{"alt_text"}}, "workflow_button": {must: []string{"text", "workflow"}},
		"feedback_buttons": {must: []string{"positive_button", "negative_button"}}, "icon_button": {must: []string{"icon", "text"}},
		"overflow": {must: []string{"options"}, options: 5}, "checkboxes": {must: []string{"options"}, options: 10}, "radio_buttons": {must: []string{"options"}, options: 10},
		"number_input": {must: []string{"is_decimal_allowed"}, texts: placeholder}, "datetimepicker": {}, "file_input": {}, "rich_text_input": {texts: placeholder},
		mrkdwnText: {lengths: map[string]int{"text": 3000}}, plainText: {lengths: map[string]int{"text": 3000}},
	}
	for _, kind := range []string{"datepicker", "timepicker", "plain_text_input", "email_text_input", "url_text_input"} {
		rules[kind] = elementRule{texts: placeholder}
	}
	for _, kind := range []string{"external_select", "users_select", "conversations_select", "channels_select", "static_select"} {
		rule := elementRule{texts: placeholder}
		if kind == "static_select" {
			rule.options, rule.choice = 100, true
		}
		rules[kind], rules["multi_"+kind] = rule, rule
	}
	return rules
})

// confirmRule bounds the dialog that asks whether one means it.
var confirmRule = map[string]textRule{"title": {100, plainKind}, "text": {300, eitherKind}, "confirm": {30, plainKind}, "deny": {30, plainKind}}

// wrongElement says what is wrong with an element; holds are the kinds that may
// be there, nil for any.
func wrongElement(element map[string]any, at string, holds []string) []string {
	kind, typed := element["type"].(string)
	if !typed {
		return []string{wrongAt(at, "missing required field: type")}
	}
	rule, known := elementRules()[kind]
	switch {
	case known && slices.Contains(holds, "button") && strings.HasPrefix(kind, "multi_"):
		return []string{wrongAt(at+"/type", "unsupported element: multiselect")}
	case !known || holds != nil && !slices.Contains(holds, kind):
		return []string{wrongAt(at+"/type", "unsupported type: %s", kind)}
	}
	wrong := slices.Concat(missingFields(element, at, rule.must...), wrongTexts(element, at, rule.texts), wrongLengths(element, at, rule.lengths),
		wrongLengths(element, at, map[string]int{"action_id": longestID}))
	if style := asText(element["style"]); kind == "button" && style != "" && style != "primary" && style != "danger" {
		wrong = append(wrong, wrongAt(at+"/style", "must be a valid enum value"))
	}
	if element["max_selected_items"] != nil && !strings.HasPrefix(kind, "multi_") {
		wrong = append(wrong, wrongAt(at, "invalid additional property: max_selected_items"))
	}
	if confirm, ok := element["confirm"].(map[string]any); ok {
		wrong = append(wrong, wrongTexts(confirm, at+"/confirm", confirmRule)...)
	}
	return append(wrong, wrongChoices(element, at, rule)...)
}

// wrongChoices looks at options, and at groups of them.
func wrongChoices(element map[string]any, at string, rule elementRule) []string {
	switch {
	case rule.options == 0:
		return nil
	case element["options"] == nil && !rule.choice:
		return nil // said already
	case element["options"] == nil && element["option_groups"] == nil:
		return []string{wrongAt(at, "must define either `options` or `option_groups`")}
	case element["options"] != nil:
		return wrongOptions(element["options"], at+"/options", rule.options)
	}
	groups, isList := element["option_groups"].([]any)
	if !isList {
		return []string{wrongAt(at+"/option_groups", "must provide an array")}
	}
	if len(groups) > rule.options {
		return []string{wrongAt(at+"/option_groups", "no more than %d items allowed", rule.options)}
	}
	var wrong []string
	for i, item := range groups {
		where := fmt.Sprintf("%s/option_groups/%d", at, i)
		group, ok := item.(map[string]any)
		if !ok {
			wrong = append(wrong, wrongAt(where, "must provide an object"))
			continue
		}
		wrong = slices.Concat(wrong, missingFields(group, where, "label", "options"), wrongTexts(group, where, map[string]textRule{"label": {75, plainKind}}))
		if group["options"] != nil {
			wrong = append(wrong, wrongOptions(group["options"], where+"/options", rule.options)...)
		}
	}
	return wrong
}

func wrongOptions(value any, at string, most int) []string {
	list, wrong := bounded(value, at, most)
	for i, item := range list {
		where := fmt.Sprintf("%s/%d", at, i)
		option, ok := item.(map[string]any)
		if !ok {
			wrong = append(wrong, wrongAt(where, "must provide an object"))
			continue
		}
		wrong = slices.Concat(wrong, missingFields(option, where, "text"), wrongLengths(option, where, map[string]int{"value": 150, "url": 3000}),
			wrongTexts(option, where, map[string]textRule{"text": {75, eitherKind}, "description": {75, eitherKind}}))
	}
	return wrong
}
