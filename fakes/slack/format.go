package slack

import (
	"regexp"
	"strings"
	"sync"
)

var escaping = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escaped gives a text as Slack keeps it: the three characters that mean
// something to it are entities.
// Source: docs.slack.dev/messaging/formatting-message-text, "Escaping text".
func escaped(text string) string { return escaping.Replace(unescaped(text)) }

var unescaping = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

func unescaped(text string) string { return unescaping.Replace(text) }

var (
	control = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<(?:[@#!][^<>\n]+|(?:https?://|mailto:|tel:)[^<>\n]+)>`)
	})
	address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`https?://[^\s<>|]*[^\s<>|.,;:!?'")\]]`) })
)

// formatted is the text of a message as Slack keeps it: mentions and links in
// angle brackets stay, bare addresses get them, the rest is escaped.
func formatted(text string) string {
	var out strings.Builder
	rest := text
	for {
		found := control().FindStringIndex(rest)
		if found == nil {
			out.WriteString(linked(rest))
			return out.String()
		}
		out.WriteString(linked(rest[:found[0]]))
		inner := unescaped(rest[found[0]+1 : found[1]-1])
		out.WriteString("<" + strings.ReplaceAll(inner, "&", "&amp;") + ">")
		rest = rest[found[1]:]
	}
}

func linked(text string) string {
	var out strings.Builder
	for {
		found := address().FindStringIndex(text)
		if found == nil {
			out.WriteString(escaped(text))
			return out.String()
		}
		out.WriteString(escaped(text[:found[0]]))
		out.WriteString("<" + escaped(text[found[0]:found[1]]) + ">")
		text = text[found[1]:]
	}
}

// richText gives the block that Slack makes of a message that is text alone.
func (c *call) richText(text string) map[string]any {
	var elements []any
	pieces := strings.Split(text, "```")
	for i, part := range pieces {
		if i%2 == 1 && i < len(pieces)-1 {
			elements = append(elements, map[string]any{"type": "rich_text_preformatted", "elements": plainElements(strings.Trim(part, "\n")), "border": int64(0)})
			continue
		}
		if i > 0 {
			part = strings.TrimPrefix(part, "\n")
		}
		if section := inline(part); len(section) > 0 {
			elements = append(elements, map[string]any{"type": "rich_text_section", "elements": section})
		}
	}
	if len(elements) == 0 {
		elements = []any{map[string]any{"type": "rich_text_section", "elements": []any{}}}
	}
	return map[string]any{"type": "rich_text", "block_id": c.NewID("", 5), "elements": elements}
}

func (c *call) plainText(text string) map[string]any {
	section := map[string]any{"type": "rich_text_section", "elements": plainElements(text)}
	return map[string]any{"type": "rich_text", "block_id": c.NewID("", 5), "elements": []any{section}}
}

func plainElements(text string) []any {
	if text == "" {
		return []any{}
	}
	return []any{map[string]any{"type": "text", "text": unescaped(text)}}
}

// span of styled text: *bold*, _italic_, ~struck~, `code`; or what stands in
// angle brackets; or :emoji:.
var inlines = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("<([^<>\\n]+)>|(^|[\\s(])(?:\\*([^*\\n]+)\\*|_([^_\\n]+)_|~([^~\\n]+)~|`([^`\\n]+)`)|:([a-z0-9_+'-]+):")
})

func inline(text string) []any {
	elements := []any{}
	plain := func(part string) {
		if part == "" {
			return
		}
		part = unescaped(part)
		if n := len(elements); n > 0 {
			if last, ok := elements[n-1].(map[string]any); ok && last["type"] == "text" && last["style"] == nil {
				last["text"] = asText(last["text"]) + part
				return
			}
		}
		elements = append(elements, map[string]any{"type": "text", "text": part})
	}
	for {
		m := inlines().FindStringSubmatchIndex(text)
		if m == nil {
			plain(text)
			return elements
		}
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		plain(text[:m[0]])
		switch {
		case group(1) != "":
			elements = append(elements, bracketed(group(1)))
		case group(7) != "":
			elements = append(elements, map[string]any{"type": "emoji", "name": group(7)})
		default:
			plain(group(2))
			for i, style := range map[int]string{3: "bold", 4: "italic", 5: "strike", 6: "code"} {
				if said := group(i); said != "" {
					elements = append(elements, map[string]any{"type": "text", "text": unescaped(said), "style": map[string]any{style: true}})
				}
			}
		}
		text = text[m[1]:]
	}
}

// bracketed is the element for what stands in angle brackets.
func bracketed(inner string) map[string]any {
	target, label, labelled := strings.Cut(inner, "|")
	switch {
	case strings.HasPrefix(target, "@"):
		return map[string]any{"type": "user", "user_id": target[1:]}
	case strings.HasPrefix(target, "#"):
		return map[string]any{"type": "channel", "channel_id": target[1:]}
	case strings.HasPrefix(target, "!subteam^"):
		return map[string]any{"type": "usergroup", "usergroup_id": strings.TrimPrefix(target, "!subteam^")}
	case strings.HasPrefix(target, "!"):
		return map[string]any{"type": "broadcast", "range": target[1:]}
	}
	element := map[string]any{"type": "link", "url": unescaped(target)}
	if labelled {
		element["text"] = unescaped(label)
	}
	return element
}
