package slack

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"parity/fakes/world"
	"parity/specs/body"
)

// text gives an argument as text; "" when it is absent. Slack reads every
// argument as text first, whatever JSON makes of it.
func (c *call) text(argument string) string { return asText(c.args[argument]) }

func asText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return ""
	}
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}

// given tells whether an argument was sent, and is not empty.
func (c *call) given(argument string) bool { return c.text(argument) != "" }

// flag gives an argument that is a boolean, and what it is when it is absent.
func (c *call) flag(argument string, absent bool) bool {
	switch strings.ToLower(c.text(argument)) {
	case "":
		return absent
	case "1", "true", "yes", "t":
		return true
	}
	return false
}

// number gives an argument that is a whole number, and what it is when it is
// absent; ok is false where it is none.
func (c *call) number(argument string, absent int64) (n int64, ok bool) {
	text := c.text(argument)
	if text == "" {
		return absent, true
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > 1e15 {
		return 0, false
	}
	return int64(f), true
}

// json gives an argument that is JSON, as it came or as text; ok is false where
// the text is no JSON, and for what is neither a list nor an object.
func (c *call) json(argument string) (value any, ok bool) {
	value = c.args[argument]
	if text, isText := value.(string); isText {
		decoded, wrong := body.DecodeJSON([]byte(text))
		if wrong != nil {
			return nil, false
		}
		value = decoded
	}
	switch value.(type) {
	case []any, map[string]any:
		return world.Normalise(value), true
	}
	return nil, false
}

// names gives an argument that lists names with commas between them, or as a
// list of JSON.
func (c *call) names(argument string) []string {
	if list, ok := c.args[argument].([]any); ok {
		all := make([]string, 0, len(list))
		for _, item := range list {
			all = append(all, asText(item))
		}
		return all
	}
	text := c.text(argument)
	if strings.HasPrefix(text, "[") {
		if list, ok := c.json(argument); ok {
			c.args[argument] = list
			return c.names(argument)
		}
	}
	var all []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}
