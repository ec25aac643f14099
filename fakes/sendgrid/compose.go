package sendgrid

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/fakes/cast"
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
	made = map[string]any{"subject": cast.Text(e.either("subject")), "content": cast.List(e.mail["content"])}
	if id := cast.Text(e.mail["template_id"]); id != "" {
		version, found := c.activeVersion(id)
		if !found {
			return map[string]any{"subject": ""}, badHeader
		}
		fill := e.fillLegacy
		if dynamic(id) {
			fill = e.fillDynamic
		}
		if err := fill(version.Value(), made, c.Spend); err != nil {
			return map[string]any{"subject": ""}, badHeader
		}
	} else if err := e.substitute(made, c.Spend); err != nil {
		return map[string]any{"subject": ""}, badHeader
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
		if version.Value()["active"] == int64(1) {
			return version, true
		}
	}
	return nil, false
}

func (e *envelope) fillDynamic(version, made map[string]any, spend func(int)) error {
	data := e.p["dynamic_template_data"]
	if data == nil {
		data = map[string]any{}
	}
	subject, err := render(cast.Text(version["subject"]), data, false, spend)
	if err != nil {
		return err
	}
	html, err := render(cast.Text(version["html_content"]), data, true, spend)
	if err != nil {
		return err
	}
	plain := cast.Text(version["plain_content"])
	if plain != "" {
		if plain, err = render(plain, data, false, spend); err != nil {
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
func (e *envelope) fillLegacy(version, made map[string]any, spend func(int)) error {
	if err := e.substitute(made, spend); err != nil {
		return err
	}
	var err error
	var plain, html string
	var rest []any
	for _, part := range cast.List(made["content"]) {
		switch p := cast.Object(part); p["type"] {
		case "text/plain":
			plain = cast.Text(p["value"])
		case "text/html":
			html = cast.Text(p["value"])
		default:
			rest = append(rest, part)
		}
	}
	fill := func(template, mark, body string) string {
		if err != nil || template == "" {
			return body
		}
		var whole string
		if whole, err = replaceIn(template, strings.NewReplacer(mark, body), spend); err == nil {
			whole, err = e.replace(whole, spend)
		}
		return whole
	}
	if subject := cast.Text(version["subject"]); subject != "" {
		made["subject"] = fill(subject, "<%subject%>", cast.Text(made["subject"]))
	}
	plain, html = fill(cast.Text(version["plain_content"]), "<%body%>", plain), fill(cast.Text(version["html_content"]), "<%body%>", html)
	made["content"] = parts(plain, html, rest)
	return err
}

// substitute replaces tags in a mail that has no dynamic template.
func (e *envelope) substitute(made map[string]any, spend func(int)) (err error) {
	if len(cast.Object(e.p["substitutions"])) == 0 && len(cast.Object(e.mail["sections"])) == 0 {
		return nil
	}
	if made["subject"], err = e.replace(cast.Text(made["subject"]), spend); err != nil {
		return err
	}
	old := cast.List(made["content"])
	changed := make([]any, len(old))
	for i, part := range old {
		p := cast.Object(part)
		value, err := e.replace(cast.Text(p["value"]), spend)
		if err != nil {
			return err
		}
		changed[i] = map[string]any{"type": p["type"], "value": value}
	}
	made["content"] = changed
	return nil
}

// replace puts values in place of tags, the longest tags first; a value may
// name a section.
func (e *envelope) replace(text string, spend func(int)) (_ string, err error) {
	for _, tags := range []map[string]any{cast.Object(e.p["substitutions"]), cast.Object(e.mail["sections"])} {
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
			spend(1 + len(tag)/8)
			pairs = append(pairs, tag, cast.Text(tags[tag]))
		}
		if text, err = replaceIn(text, strings.NewReplacer(pairs...), spend); err != nil {
			return "", err
		}
	}
	return text, nil
}

// replaceIn replaces in a text, as long as it becomes no longer than a mail.
func replaceIn(text string, replacer *strings.Replacer, spend func(int)) (string, error) {
	w := &bounded{spend: spend}
	spend(len(text) / bytesStep)
	if _, err := replacer.WriteString(w, text); err != nil {
		return "", err
	}
	return w.String(), nil
}

// bounded is a text that becomes no longer than a mail, and takes work as it
// grows: one that becomes too long has been made all the same.
type bounded struct {
	strings.Builder
	spend  func(int)
	pieces int
	spent  int // bytes
}

// piecesStep is how many pieces are a step.
const piecesStep = 16

func (b *bounded) room(n int) error {
	if b.Len()+n > longestMail {
		return errTooLong
	}
	if b.pieces++; b.pieces%piecesStep == 0 || n >= bytesStep {
		b.spend(1 + (b.Len()-b.spent)/bytesStep)
		b.spent = b.Len()
	}
	return nil
}

func (b *bounded) Write(p []byte) (int, error) {
	if err := b.room(len(p)); err != nil {
		return 0, err
	}
	return b.Builder.Write(p)
}

func (b *bounded) WriteString(s string) (int, error) {
	if err := b.room(len(s)); err != nil {
		return 0, err
	}
	return b.Builder.WriteString(s)
}

// footer adds what mail_settings.footer says to the end.
func (e *envelope) footer(made map[string]any) {
	footer := cast.Object(cast.Object(e.mail["mail_settings"])["footer"])
	if footer["enable"] != true {
		return
	}
	old := cast.List(made["content"])
	changed := make([]any, len(old))
	for i, part := range old {
		p := cast.Object(part)
		more := ""
		switch p["type"] {
		case "text/plain":
			more = cast.Text(footer["text"])
		case "text/html":
			more = cast.Text(footer["html"])
		}
		changed[i] = map[string]any{"type": p["type"], "value": cast.Text(p["value"]) + more}
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
	unseen = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)<(style|script|head)\b.*?</(style|script|head)>`)
	})
	breaks  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)<(br|/p|/div|/tr|/h[1-6]|/li)\b[^>]*>`) })
	tag     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[^>]*>`) })
	blanks  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[ \t]*\n\s*\n\s*`) })
	unquote = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#x27;", "'", "&#39;", "'", "&nbsp;", " ", "&#x60;", "`", "&#x3D;", "=", "&amp;", "&")
)

// plainOf is the text of a page, as SendGrid generates it where a template has
// none of its own; how exactly it does is not known.
func plainOf(html string) string {
	text := breaks().ReplaceAllString(unseen().ReplaceAllString(html, ""), "\n")
	text = unquote.Replace(tag().ReplaceAllString(text, ""))
	return strings.TrimSpace(blanks().ReplaceAllString(text, "\n\n"))
}
