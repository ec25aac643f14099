package notion

import (
	"fmt"
	"maps"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Content of pages as markdown, in the spelling that Notion calls enhanced.
// Source: developers.notion.com, Enhanced markdown.

func getMarkdown(c *call, r *world.Record) (map[string]any, *refusal) {
	return c.pageMarkdown(r.ID), nil
}

func (c *call) pageMarkdown(id string) map[string]any {
	text, unknown := c.markdown(id, 0)
	if unknown == nil {
		unknown = []any{}
	}
	return map[string]any{"object": "page_markdown", "id": id, "markdown": text, "truncated": false, "unknown_block_ids": unknown}
}

// markdown spells what a page or block holds. What has no spelling is named,
// and its id given.
func (c *call) markdown(id string, depth int) (text string, unknown []any) {
	var b strings.Builder
	indent := strings.Repeat("\t", depth)
	number := 0
	for _, n := range c.children(id) {
		kind := kit.Text(n.Value(), "type")
		if kind == "numbered_list_item" {
			number++
		} else {
			number = 0
		}
		line, known := c.spell(n, number)
		if !known {
			unknown = append(unknown, n.ID)
		}
		for part := range strings.SplitSeq(line, "\n") {
			b.WriteString(indent + part + "\n")
		}
		if n.kind == blocks {
			inner, more := c.markdown(n.ID, depth+1)
			b.WriteString(inner)
			unknown = append(unknown, more...)
		}
	}
	return b.String(), unknown
}

// spell is one block, without what it holds.
func (c *call) spell(n node, number int) (string, bool) {
	switch n.kind {
	case pages:
		return fmt.Sprintf("<page url=%q>%s</page>", c.link(n.ID, ""), titleOfPage(n.Value())), true
	case databases:
		return fmt.Sprintf("<database url=%q>%s</database>", c.link(n.ID, ""), plainText(n.Value()["title"])), true
	}
	kind := kit.Text(n.Value(), "type")
	content := cast.Object(n.Value()[kind])
	text := inline(cast.List(content["rich_text"]))
	switch kind {
	case "paragraph":
		if text == "" {
			return "<empty-block/>", true
		}
		return text, true
	case "heading_1", "heading_2", "heading_3", "heading_4":
		return strings.Repeat("#", int(kind[8]-'0')) + " " + text, true
	case "bulleted_list_item":
		return "- " + text, true
	case "numbered_list_item":
		return fmt.Sprintf("%d. %s", number, text), true
	case "to_do":
		if content["checked"] == true {
			return "- [x] " + text, true
		}
		return "- [ ] " + text, true
	case "quote":
		return "> " + text, true
	case "toggle":
		return "<details>\n<summary>" + text + "</summary>\n</details>", true
	case "callout":
		return "<callout icon=\"" + kit.Text(content, "icon.emoji") + "\">" + text + "</callout>", true
	case "code":
		return "```" + kit.Text(content, "language") + "\n" + plainText(content["rich_text"]) + "\n```", true
	case "equation":
		return "$$\n" + kit.Text(content, "expression") + "\n$$", true
	case "divider":
		return "---", true
	case "table_of_contents":
		return "<table_of_contents/>", true
	case "image":
		return "![" + inline(cast.List(content["caption"])) + "](" + fileURL(content) + ")", true
	case "video", "pdf", "audio", "file":
		return fmt.Sprintf("<%s src=%q>%s</%[1]s>", kind, fileURL(content), inline(cast.List(content["caption"]))), true
	}
	return fmt.Sprintf("<unknown url=%q alt=%q/>", c.link(n.ID, ""), kind), false
}

func fileURL(content map[string]any) string {
	return kit.Text(cast.Object(content[kit.Text(content, "type")]), "url")
}

// escaped marks characters that would mean something.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\*~`$[]<>{}|^", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unescaped takes the marks away again.
func unescaped(text string) string {
	var b strings.Builder
	after := false
	for _, r := range text {
		if r == '\\' && !after {
			after = true
			continue
		}
		b.WriteRune(r)
		after = false
	}
	return b.String()
}

// inline spells a rich text.
func inline(texts []any) string {
	var b strings.Builder
	for _, item := range texts {
		text := cast.Object(item)
		part, marks := kit.Text(text, "plain_text"), cast.Object(text["annotations"])
		if text["type"] == "text" && marks["code"] != true {
			part = escaped(part)
		}
		if text["type"] == "equation" {
			part = "$`" + part + "`$"
		}
		if marks["code"] == true {
			part = "`" + part + "`"
		}
		if marks["bold"] == true {
			part = "**" + part + "**"
		}
		if marks["italic"] == true {
			part = "*" + part + "*"
		}
		if marks["strikethrough"] == true {
			part = "~~" + part + "~~"
		}
		if href := kit.Text(text, "href"); href != "" {
			part = "[" + part + "](" + href + ")"
		}
		b.WriteString(part)
	}
	return b.String()
}

// parseMarkdown reads blocks out of markdown; tabs at the beginning of a line
// put it into the block above.
func parseMarkdown(text string) []draft {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	all, _ := parseLines(lines, 0)
	return all
}

func parseLines(lines []string, depth int) (all []draft, rest []string) {
	prefix := strings.Repeat("\t", depth)
	for len(lines) > 0 {
		line, ok := strings.CutPrefix(lines[0], prefix)
		switch {
		case strings.TrimSpace(lines[0]) == "":
			lines = lines[1:]
		case !ok:
			return all, lines
		case strings.HasPrefix(line, "\t") && len(all) > 0:
			all[len(all)-1].within, lines = parseLines(lines, depth+1)
		case strings.HasPrefix(line, "```"):
			var code draft
			code, lines = parseCode(lines, prefix)
			all = append(all, code)
		default:
			all = append(all, parseLine(strings.TrimLeft(line, "\t")))
			lines = lines[1:]
		}
	}
	return all, nil
}

func parseCode(lines []string, prefix string) (draft, []string) {
	language := strings.TrimPrefix(strings.TrimPrefix(lines[0], prefix), "```")
	if language == "" {
		language = "plain text"
	}
	var body []string
	for i, line := range lines[1:] {
		line = strings.TrimPrefix(line, prefix)
		if line == "```" {
			lines = lines[i+2:]
			return codeBlock(language, body), lines
		}
		body = append(body, line)
	}
	return codeBlock(language, body), nil
}

func codeBlock(language string, body []string) draft {
	return draft{kind: "code", content: map[string]any{"rich_text": []any{plain(strings.Join(body, "\n"))}, "caption": []any{}, "language": language}}
}

func parseLine(line string) draft {
	rich := func(kind, text string, more ...any) draft {
		content := map[string]any{"rich_text": parseInline(text), "color": "default"}
		for i := 0; i+1 < len(more); i += 2 {
			content[more[i].(string)] = more[i+1]
		}
		return draft{kind: kind, content: content}
	}
	for level, mark := range []string{"# ", "## ", "### ", "#### "} {
		if text, ok := strings.CutPrefix(line, mark); ok {
			return rich(fmt.Sprintf("heading_%d", level+1), text, "is_toggleable", false)
		}
	}
	for _, box := range []string{"- [ ] ", "- [x] "} {
		if text, ok := strings.CutPrefix(line, box); ok {
			return rich("to_do", text, "checked", box == "- [x] ")
		}
	}
	for _, bullet := range []string{"- ", "* "} {
		if text, ok := strings.CutPrefix(line, bullet); ok {
			return rich("bulleted_list_item", text)
		}
	}
	if text, ok := strings.CutPrefix(line, "> "); ok {
		return rich("quote", text)
	}
	if number, text, ok := strings.Cut(line, ". "); ok && number != "" && strings.Trim(number, "0123456789") == "" {
		return rich("numbered_list_item", text)
	}
	switch line {
	case "---":
		return draft{kind: "divider", content: map[string]any{}}
	case "<empty-block/>":
		line = ""
	}
	return rich("paragraph", line, "icon", nil)
}

// parseInline reads marks within a line: bold, italic, code, struck out, links.
func parseInline(text string) []any {
	texts := []any{}
	add := func(content string, mark string, href any) {
		if content == "" {
			return
		}
		part := plain(content)
		if mark != "" {
			marks := maps.Clone(cast.Object(part["annotations"]))
			marks[mark] = true
			part["annotations"] = marks
		}
		if href != nil {
			part["href"], part["text"] = href, map[string]any{"content": content, "link": map[string]any{"url": href}}
		}
		texts = append(texts, part)
	}
	from := 0
	for i := 0; i < len(text); {
		if text[i] == '\\' {
			i += 2
			continue
		}
		content, mark, href, size := markAt(text[i:])
		if size == 0 {
			i++
			continue
		}
		add(unescaped(text[from:i]), "", nil)
		if mark != "code" {
			content = unescaped(content)
		}
		add(content, mark, href)
		i += size
		from = i
	}
	add(unescaped(text[from:]), "", nil)
	return texts
}

// markAt reads one marked stretch at the beginning of a text; size is 0 where
// there is none.
func markAt(text string) (content, mark string, href any, size int) {
	for _, known := range [][2]string{{"**", "bold"}, {"~~", "strikethrough"}, {"`", "code"}, {"*", "italic"}} {
		rest, ok := strings.CutPrefix(text, known[0])
		if !ok {
			continue
		}
		if inner, _, closed := strings.Cut(rest, known[0]); closed && inner != "" {
			return inner, known[1], nil, len(inner) + 2*len(known[0])
		}
		return "", "", nil, 0
	}
	if strings.HasPrefix(text, "[") {
		label, rest, ok := strings.Cut(text[1:], "](")
		address, _, closed := strings.Cut(rest, ")")
		if ok && closed && !strings.Contains(label, "[") {
			return label, "", address, len(label) + len(address) + 4
		}
	}
	return "", "", nil, 0
}
