package sendgrid

import (
	"regexp"
	"slices"
	"strings"

	"parity/fakes/world"
)

// Reasons for which a mail is dropped.
// Source: twilio.com/docs/sendgrid/for-developers/tracking-events/event.
const (
	badHeader    = "Invalid SMTPAPI header"
	bounced      = "Bounced Address"
	unsubscribed = "Unsubscribed Address"
	reported     = "Spam Reporting Address"
	invalidTo    = "Invalid"
)

// compose makes subject and content of an envelope. A template that is not
// there, or cannot be filled, is found out only now: the mail was taken, and is
// dropped.
// Source: github.com/sendgrid/sendgrid-go/issues/255.
func (c *call) compose(e *envelope) (made map[string]any, problem string) {
	made = map[string]any{"subject": textOf(e.either("subject")), "content": list(e.mail["content"])}
	if id := textOf(e.mail["template_id"]); id != "" {
		version, found := c.activeVersion(id)
		if !found {
			return map[string]any{"subject": ""}, badHeader
		}
		fill := e.fillLegacy
		if dynamic(id) {
			fill = e.fillDynamic
		}
		if err := fill(version.Value, made); err != nil {
			return map[string]any{"subject": ""}, badHeader
		}
	} else {
		e.substitute(made)
	}
	e.footer(made)
	return made, ""
}

// activeVersion finds what is sent of a template.
func (c *call) activeVersion(template string) (found *world.Record, ok bool) {
	if _, known := c.get(templates, template); !known {
		return nil, false
	}
	for version := range c.fake.store.Find(c.Tx, templateVersions, "template_id", template) {
		if version.Value["active"] == int64(1) {
			return version, true
		}
	}
	return nil, false
}

func (e *envelope) fillDynamic(version, made map[string]any) error {
	data := e.p["dynamic_template_data"]
	if data == nil {
		data = map[string]any{}
	}
	subject, err := render(textOf(version["subject"]), data, false)
	if err != nil {
		return err
	}
	html, err := render(textOf(version["html_content"]), data, true)
	if err != nil {
		return err
	}
	plain := textOf(version["plain_content"])
	if plain != "" {
		if plain, err = render(plain, data, false); err != nil {
			return err
		}
	} else if version["generate_plain_content"] == true {
		plain = plainOf(html)
	}
	if subject != "" {
		made["subject"] = subject
	}
	made["content"] = parts(plain, html, nil)
	return nil
}

// fillLegacy puts a mail into a template of the older kind, by its tags.
func (e *envelope) fillLegacy(version, made map[string]any) error {
	e.substitute(made)
	var plain, html string
	var rest []any
	for _, part := range list(made["content"]) {
		switch p := object(part); p["type"] {
		case "text/plain":
			plain = textOf(p["value"])
		case "text/html":
			html = textOf(p["value"])
		default:
			rest = append(rest, part)
		}
	}
	fill := func(template, body string) string {
		if template == "" {
			return body
		}
		return e.replace(strings.ReplaceAll(template, "<%body%>", body))
	}
	if subject := textOf(version["subject"]); subject != "" {
		made["subject"] = e.replace(strings.ReplaceAll(subject, "<%subject%>", textOf(made["subject"])))
	}
	made["content"] = parts(fill(textOf(version["plain_content"]), plain), fill(textOf(version["html_content"]), html), rest)
	return nil
}

// substitute replaces tags in a mail that has no dynamic template.
func (e *envelope) substitute(made map[string]any) {
	if len(object(e.p["substitutions"])) == 0 && len(object(e.mail["sections"])) == 0 {
		return
	}
	made["subject"] = e.replace(textOf(made["subject"]))
	old := list(made["content"])
	changed := make([]any, len(old))
	for i, part := range old {
		p := object(part)
		changed[i] = map[string]any{"type": p["type"], "value": e.replace(textOf(p["value"]))}
	}
	made["content"] = changed
}

// replace puts values in place of tags, the longest tags first; a value may
// name a section.
func (e *envelope) replace(text string) string {
	for _, tags := range []map[string]any{object(e.p["substitutions"]), object(e.mail["sections"])} {
		names := make([]string, 0, len(tags))
		for tag := range tags {
			if tag != "" {
				names = append(names, tag)
			}
		}
		slices.SortFunc(names, func(a, b string) int {
			if len(a) != len(b) {
				return len(b) - len(a)
			}
			return strings.Compare(a, b)
		})
		pairs := make([]string, 0, 2*len(names))
		for _, tag := range names {
			pairs = append(pairs, tag, textOf(tags[tag]))
		}
		text = strings.NewReplacer(pairs...).Replace(text)
	}
	return text
}

// footer adds what mail_settings.footer says to the end.
func (e *envelope) footer(made map[string]any) {
	footer := object(object(e.mail["mail_settings"])["footer"])
	if footer["enable"] != true {
		return
	}
	old := list(made["content"])
	changed := make([]any, len(old))
	for i, part := range old {
		p := object(part)
		more := ""
		switch p["type"] {
		case "text/plain":
			more = textOf(footer["text"])
		case "text/html":
			more = textOf(footer["html"])
		}
		changed[i] = map[string]any{"type": p["type"], "value": textOf(p["value"]) + more}
	}
	made["content"] = changed
}

func parts(plain, html string, rest []any) []any {
	var all []any
	if plain != "" {
		all = append(all, map[string]any{"type": "text/plain", "value": plain})
	}
	if html != "" {
		all = append(all, map[string]any{"type": "text/html", "value": html})
	}
	return append(all, rest...)
}

var (
	unseen  = regexp.MustCompile(`(?is)<(style|script|head)\b.*?</(style|script|head)>`)
	breaks  = regexp.MustCompile(`(?i)<(br|/p|/div|/tr|/h[1-6]|/li)\b[^>]*>`)
	tag     = regexp.MustCompile(`<[^>]*>`)
	blanks  = regexp.MustCompile(`[ \t]*\n\s*\n\s*`)
	unquote = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#x27;", "'", "&#39;", "'", "&nbsp;", " ", "&#x60;", "`", "&#x3D;", "=", "&amp;", "&")
)

// plainOf is the text of a page, as SendGrid generates it where a template has
// none of its own; how exactly it does is not known.
func plainOf(html string) string {
	text := breaks.ReplaceAllString(unseen.ReplaceAllString(html, ""), "\n")
	text = unquote.Replace(tag.ReplaceAllString(text, ""))
	return strings.TrimSpace(blanks.ReplaceAllString(text, "\n\n"))
}
