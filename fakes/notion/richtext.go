package notion

import (
	"maps"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Limits of texts. Source: developers.notion.com, Request limits.
const (
	maxContent    = 2000
	maxLink       = 2000
	maxExpression = 1000
	maxElements   = 100
)

var colors = []string{
	"default", "gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red",
	"default_background", "gray_background", "brown_background", "orange_background", "yellow_background",
	"green_background", "blue_background", "purple_background", "pink_background", "red_background",
}

func noAnnotations() map[string]any {
	return map[string]any{"bold": false, "italic": false, "strikethrough": false, "underline": false, "code": false, "color": "default"}
}

// plain is a text without any marks.
func plain(content string) map[string]any {
	return map[string]any{
		"type": "text", "text": map[string]any{"content": content, "link": nil},
		"annotations": noAnnotations(), "plain_text": content, "href": nil,
	}
}

// plainText is what a rich text says.
func plainText(texts any) string {
	var b strings.Builder
	for _, item := range cast.List(texts) {
		b.WriteString(kit.Text(cast.Object(item), "plain_text"))
	}
	return b.String()
}

// texts reads a rich text and completes it.
func (p place) texts() ([]any, problem) {
	if wrong := p.isArray(maxElements); wrong != nil {
		return nil, wrong
	}
	items := cast.List(p.value)
	given := make([]any, 0, len(items))
	for i := range items {
		text, wrong := p.item(i).text()
		if wrong != nil {
			return nil, wrong
		}
		given = append(given, text)
	}
	return given, nil
}

func (p place) text() (map[string]any, problem) {
	if wrong := p.isObject(); wrong != nil {
		return nil, wrong
	}
	marks, wrong := p.at("annotations").annotations()
	if wrong != nil {
		return nil, wrong
	}
	var text map[string]any
	switch {
	case p.at("text").sent:
		text, wrong = p.at("text").content()
	case p.at("mention").sent:
		text, wrong = p.at("mention").mention()
	case p.at("equation").sent:
		at := p.at("equation").at("expression")
		if wrong = first(p.at("equation").isObject(), at.isText(maxExpression)); wrong == nil {
			text = map[string]any{"type": "equation", "equation": map[string]any{"expression": at.value}, "plain_text": at.value, "href": nil}
		}
	default:
		wrong = problem{}
		for _, kind := range []string{"text", "mention", "equation"} {
			wrong = append(wrong, p.at(kind).should("defined")...)
		}
	}
	if wrong != nil {
		return nil, wrong
	}
	if kind := p.at("type"); kind.sent && kind.value != text["type"] {
		return nil, kind.isOne(kit.Text(text, "type"))
	}
	text["annotations"] = marks
	return text, p.only("type", "text", "mention", "equation", "annotations", "plain_text", "href")
}

func (p place) annotations() (map[string]any, problem) {
	marks := noAnnotations()
	if !p.sent {
		return marks, nil
	}
	if wrong := first(p.isObject(), p.only("bold", "italic", "strikethrough", "underline", "code", "color")); wrong != nil {
		return nil, wrong
	}
	for _, mark := range []string{"bold", "italic", "strikethrough", "underline", "code"} {
		if wrong := p.at(mark).optional(place.isBool); wrong != nil {
			return nil, wrong
		}
	}
	if at := p.at("color"); at.sent {
		if wrong := at.isOne(colors...); wrong != nil {
			return nil, wrong
		}
	}
	maps.Copy(marks, cast.Object(p.value))
	return marks, nil
}

func (p place) content() (map[string]any, problem) {
	if wrong := first(p.isObject(), p.at("content").isText(maxContent), p.only("content", "link")); wrong != nil {
		return nil, wrong
	}
	content, link, href := p.at("content").value, any(nil), any(nil)
	if at := p.at("link"); at.sent && !at.null() {
		url := at.at("url")
		if wrong := first(at.isObject(), url.isText(maxLink)); wrong != nil {
			return nil, wrong
		}
		link, href = map[string]any{"url": url.value}, url.value
	}
	return map[string]any{
		"type": "text", "text": map[string]any{"content": content, "link": link}, "plain_text": content, "href": href,
	}, nil
}

// mention reads a mention of a user, page, database or date.
func (p place) mention() (map[string]any, problem) {
	if wrong := p.isObject(); wrong != nil {
		return nil, wrong
	}
	shown, href := "", any(nil)
	var value any
	kind := ""
	for _, kind = range []string{"user", "page", "database", "data_source", "date", "template_mention", "custom_emoji", "link_mention"} {
		if p.at(kind).sent {
			break
		}
	}
	at := p.at(kind)
	switch kind {
	case "user", "page", "database", "data_source":
		if wrong := first(at.isObject(), at.at("id").isUUID()); wrong != nil {
			return nil, wrong
		}
		id, _ := uuidOf(kit.Text(cast.Object(at.value), "id"))
		if kind == "user" {
			person := p.c.person(id)
			value, shown = person, "@"+kit.Text(person, "name")
			break
		}
		value, href = map[string]any{"id": id}, kit.Text(p.c.space, "links")+undashed(id)
		shown = p.c.titleOf(id)
	case "date":
		date, wrong := at.date()
		if wrong != nil {
			return nil, wrong
		}
		value, shown = date, kit.Text(date, "start")
		if end := kit.Text(date, "end"); end != "" {
			shown += " → " + end
		}
	default:
		if wrong := at.isObject(); wrong != nil {
			return nil, p.at("user").should("defined")
		}
		value, shown = at.value, "@Today"
	}
	return map[string]any{
		"type": "mention", "mention": map[string]any{"type": kind, kind: value}, "plain_text": shown, "href": href,
	}, nil
}

// date reads a date, or a span of time.
func (p place) date() (map[string]any, problem) {
	if wrong := first(p.isObject(), p.at("start").isDate(), p.only("start", "end", "time_zone")); wrong != nil {
		return nil, wrong
	}
	date := map[string]any{"start": dateText(p.at("start").value), "end": nil, "time_zone": nil}
	if at := p.at("end"); at.sent && !at.null() {
		if wrong := at.isDate(); wrong != nil {
			return nil, wrong
		}
		date["end"] = dateText(at.value)
	}
	if at := p.at("time_zone"); at.sent && !at.null() {
		if wrong := at.isText(100); wrong != nil {
			return nil, wrong
		}
		date["time_zone"] = at.value
	}
	return date, nil
}

func (p place) isDate() problem {
	text, ok := p.value.(string)
	if !ok {
		return p.orDefined("a string")
	}
	if _, ok := moment(text); !ok {
		return p.should("a valid ISO 8601 date string")
	}
	return nil
}
