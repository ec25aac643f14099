package sendgrid

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/mail"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Limits of a mail.
// Source: twilio.com/docs/sendgrid/api-reference/mail-send/errors.
const (
	mostPersonalizations = 1000
	mostRecipients       = 1000
	mostCategories       = 10
	longestCategory      = 255
	mostCustomArgs       = 50_000 // bytes, as JSON
	mostSubstitutions    = 10_000
	mostGroups           = 25
	furthest             = 72 * time.Hour
)

// A check looks at one mail and gathers what is wrong with it.
type check struct {
	c     *call
	mail  map[string]any
	found []problem
}

func (k *check) wrong(field, message string) { k.wrongAt(field, message, help(field)) }

func (k *check) wrongAt(field, message, help string) {
	k.found = append(k.found, problem{message: message, field: field, help: help})
}

// checkMail tells all that is wrong with a mail.
func (c *call) checkMail(body map[string]any) []problem {
	if found := misshapen(mailForm, body, ""); len(found) > 0 {
		return found
	}
	k := &check{c: c, mail: body}
	k.from()
	k.personalizations()
	k.replies()
	k.subject()
	k.template()
	k.content()
	k.attachments()
	k.headers("headers", cast.Object(body["headers"]))
	k.categories()
	k.customArgs()
	k.sendAt("send_at", body)
	k.batch()
	k.groups()
	k.settings()
	return k.found
}

func (k *check) from() {
	from, sent := k.mail["from"].(map[string]any)
	email, _ := from["email"].(string)
	switch {
	case !sent || email == "":
		k.wrong("from.email", `The from object must be provided for every email send. It is an object that requires the email parameter, but may also contain a name parameter.  e.g. {"email" : "example@example.com"}  or {"email" : "example@example.com", "name" : "Example Recipient"}.`)
	case !isEmail(email):
		k.wrong("from.email", "The from email does not contain a valid address.")
	}
}

func (k *check) personalizations() {
	all := cast.List(k.mail["personalizations"])
	if len(all) == 0 {
		k.wrongAt("personalizations", "The personalizations field is required and must have at least one personalization.", "-Personalizations-Errors")
		return
	}
	if len(all) > mostPersonalizations {
		k.wrongAt("personalizations", fmt.Sprintf("The personalization block is limited to 1000 personalizations per API request. You have provided %d personalizations. Please consider splitting this into multiple requests and resending your request.", len(all)), "message.personalizations")
		return
	}
	recipients := 0
	for i, p := range all {
		recipients += k.personalization(cast.Object(p), "personalizations."+strconv.Itoa(i))
	}
	if recipients > mostRecipients {
		k.wrongAt("personalizations", "There is a limit of 1000 total recipients (to + cc + bcc) per request.", "message.recipient-errors")
	}
}

// kinds are the ways to be a recipient.
var kinds = []string{"to", "cc", "bcc"}

func (k *check) personalization(p map[string]any, path string) (recipients int) {
	if len(cast.List(p["to"])) == 0 {
		k.wrong(path+".to", "The to array is required for all personalization objects, and must have at least one email object with a valid email address.")
	}
	seen, twice := map[string]bool{}, false
	for _, kind := range kinds {
		for i, to := range cast.List(p[kind]) {
			recipients++
			email, _ := cast.Object(to)["email"].(string)
			if !isEmail(email) {
				k.wrong(fmt.Sprintf("%s.%s.%d.email", path, kind, i), "Does not contain a valid address.")
				continue
			}
			if at := strings.ToLower(email); !seen[at] {
				seen[at] = true
			} else if !twice {
				twice = true
				k.wrongAt(path, fmt.Sprintf("Each email address in the personalization block should be unique between to, cc, and bcc. We found the first duplicate instance of [%s] in the %s.%s field.", clip(email), path, kind), "message.recipient-errors")
			}
		}
	}
	if from, sent := p["from"].(map[string]any); sent && !isEmail(cast.Text(from["email"])) {
		k.wrong(path+".from.email", "The from email does not contain a valid address.")
	}
	if subject, sent := p["subject"]; sent && subject == "" {
		k.wrong(path+".subject", "The subject of your email must be a string at least one character in length.")
	}
	if n := len(cast.Object(p["substitutions"])); n > 0 && dynamic(cast.Text(k.mail["template_id"])) {
		k.wrong(path+".substitutions", "Substitutions may not be used with dynamic templating")
	} else if n > mostSubstitutions {
		k.wrong(path+".substitutions", "You are limited to 10,000 substitutions.")
	}
	k.headers(path+".headers", cast.Object(p["headers"]))
	k.sendAt(path+".send_at", p)
	args := maps.Clone(cast.Object(k.mail["custom_args"]))
	if args == nil {
		args = map[string]any{}
	}
	maps.Copy(args, cast.Object(p["custom_args"]))
	if len(encode(args)) > mostCustomArgs {
		k.wrong(path+".custom_args", "The combined size of both global and personalization custom arguments may not exceed 50,000 bytes per personalization.")
	}
	return recipients
}

func (k *check) replies() {
	if to, sent := k.mail["reply_to"].(map[string]any); sent && !isEmail(cast.Text(to["email"])) {
		k.wrong("reply_to.email", "The reply_to email does not contain a valid address.")
	}
	for i, to := range cast.List(k.mail["reply_to_list"]) {
		if !isEmail(cast.Text(cast.Object(to)["email"])) {
			k.wrong("reply_to_list."+strconv.Itoa(i)+".email", "Does not contain a valid address.")
		}
	}
	if k.mail["reply_to"] != nil && k.mail["reply_to_list"] != nil {
		k.wrong("reply_to_list", "The reply_to_list field may not be used along with the reply_to field.")
	}
}

func (k *check) subject() {
	if cast.Text(k.mail["subject"]) != "" || isTemplateID(cast.Text(k.mail["template_id"])) {
		return
	}
	all := cast.List(k.mail["personalizations"])
	if len(all) > 0 && !slices.ContainsFunc(all, func(p any) bool { return cast.Text(cast.Object(p)["subject"]) == "" }) {
		return
	}
	k.wrong("subject", "The subject is required. You can get around this requirement if you use a template with a subject defined or if every personalization has a subject defined.")
}

func (k *check) template() {
	if id, sent := k.mail["template_id"].(string); sent && !isTemplateID(id) {
		k.wrong("template_id", "The template_id must be a valid GUID, you provided '"+clip(id)+"'.")
	}
}

func (k *check) content() {
	all := cast.List(k.mail["content"])
	if len(all) == 0 {
		if !isTemplateID(cast.Text(k.mail["template_id"])) {
			k.wrongAt("content", "Unless a valid template_id is provided, the content parameter is required. There must be at least one defined content block. We typically suggest both text/plain and text/html blocks are included, but only one block is required.", "message.content")
		}
		return
	}
	var types []string
	for i, one := range all {
		path := "content." + strconv.Itoa(i)
		kind, typed := cast.Object(one)["type"].(string)
		types = append(types, kind)
		switch {
		case !typed:
			k.wrong(path+".type", "A content type is required, this tells email clients how to display the email.")
		case kind == "":
			k.wrong(path+".type", "Your content type must be a string with length of at least one character.")
		case strings.ContainsAny(kind, ";\r\n"):
			k.wrong(path+".type", "Cannot contain ';', or CRLF characters.")
		}
		switch value, sent := cast.Object(one)["value"].(string); {
		case !sent:
			k.wrong(path+".value", "A content value is required, this is the content of the email you are sending.")
		case value == "":
			k.wrong(path+".value", "The content value must be a string at least one character in length.")
		}
	}
	k.contentOrder(types)
}

func (k *check) contentOrder(types []string) {
	rank := map[string]int{"text/plain": 0, "text/html": 1}
	count, last := map[string]int{}, 0
	for _, kind := range types {
		at, ranked := rank[kind]
		if !ranked {
			at = 2
		} else if count[kind]++; count[kind] > 1 {
			k.wrongAt("content", "If present, text/plain and text/html may only be provided once.", "")
			return
		}
		if at < last {
			k.wrongAt("content", "Following RFC 1341, section 7.2, if either text/html or text/plain are to be sent in your email: text/plain needs to be first, followed by text/html, followed by any other content.", "")
			return
		}
		last = at
	}
}

func (k *check) attachments() {
	for i, one := range cast.List(k.mail["attachments"]) {
		a, path := cast.Object(one), "attachments."+strconv.Itoa(i)
		content, _ := a["content"].(string)
		if content == "" {
			k.wrong(path+".content", "The attachment content must be a string at least one character in length.")
		} else if _, err := base64.StdEncoding.DecodeString(content); err != nil {
			k.wrong(path+".content", "The attachment content must be base64 encoded.")
		}
		if kind, sent := a["type"].(string); sent && kind == "" {
			k.wrong(path+".type", "The attachment type must be a string and at least one character in length.")
		} else if strings.ContainsAny(kind, ";\r\n") {
			k.wrong(path+".type", "The type cannot contain ';', or CRLF characters.")
		}
		if name := cast.Text(a["filename"]); name == "" {
			k.wrong(path+".filename", "filename is required.")
		} else if strings.ContainsAny(name, "\r\n") {
			k.wrong(path+".filename", "The filename of your attachment cannot contain CRLF characters.")
		}
		if how, sent := a["disposition"].(string); sent && how != "inline" && how != "attachment" {
			k.wrong(path+".disposition", `The disposition of your attachment can be either "inline" or "attachment". You provided '`+clip(how)+"'.")
		}
		if strings.ContainsAny(cast.Text(a["content_id"]), "\r\n") {
			k.wrong(path+".content_id", "The content ID of your attachment cannot contain CRLF characters.")
		}
	}
}

// reserved headers may not be set.
var reserved = strings.Fields("x-sg-id x-sg-eid received dkim-signature content-type content-transfer-encoding to from subject reply-to cc bcc")

func (k *check) headers(path string, headers map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(headers)) {
		switch {
		case slices.Contains(reserved, strings.ToLower(key)) && path == "headers": // each in its own words
			k.wrong(path, "Header can not be one of the reserved keys.")
		case slices.Contains(reserved, strings.ToLower(key)):
			k.wrong(path, "Header cannot be one of the reserved keys.")
		case key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
			k.wrong(path, "Header keys cannot contain non-ASCII characters or empty spaces.")
		}
	}
}

func (k *check) categories() {
	all, seen := cast.List(k.mail["categories"]), map[any]bool{}
	if len(all) > mostCategories {
		k.wrong("categories", fmt.Sprintf("There is a limit of 10 categories for each email that is sent. You provided %d categories.", len(all)))
	}
	for _, one := range all {
		category, _ := one.(string)
		switch {
		case len(category) > longestCategory:
			k.wrong("categories", "Each category must not be longer than 255 characters. "+clip(category)+" exceeds this limit")
		case seen[one]:
			k.wrong("categories", "The categories must be a unique list, and you have included "+clip(category)+" more than once.")
		case strings.ContainsFunc(category, func(r rune) bool { return r > '~' }):
			k.wrong("categories", "Categories can not contain non-ASCII characters.")
		}
		seen[one] = true
	}
}

func (k *check) customArgs() {
	if args, sent := k.mail["custom_args"].(map[string]any); sent && len(args) == 0 {
		k.wrong("custom_args", "custom_args cannot be empty.")
	}
}

func (k *check) sendAt(path string, in map[string]any) {
	if when, sent := in["send_at"].(int64); sent && when > k.c.Now.Add(furthest).Unix() {
		k.wrong(path, "Scheduling more than 72 hours in advance is forbidden.")
	}
}

func (k *check) batch() {
	id, sent := k.mail["batch_id"].(string)
	if !sent {
		return
	}
	if _, known := k.c.batch(id); !known {
		k.wrong("batch_id", "The batch_id must be a valid batch ID.")
	}
}

func (k *check) groups() {
	asm, sent := k.mail["asm"].(map[string]any)
	if !sent {
		return
	}
	id, given := asm["group_id"].(int64)
	if !given {
		k.wrong("asm.group_id", "The ASM group ID must be an integer.")
	} else if _, known := k.c.get(asmGroups, strconv.FormatInt(id, 10)); !known {
		k.wrong("asm.group_id", fmt.Sprintf("The ASM group ID must be a valid Group ID on your account. You provided %d.", id))
	}
	shown := cast.List(asm["groups_to_display"])
	if len(shown) > mostGroups {
		k.wrong("asm.groups_to_display", "There is a limit of 25 unsubscribe groups that can be displayed to a user at a time.")
	}
	var unknown []string
	for _, one := range shown {
		n, _ := one.(int64)
		if _, known := k.c.get(asmGroups, strconv.FormatInt(n, 10)); !known {
			unknown = append(unknown, strconv.FormatInt(n, 10))
		}
	}
	if len(unknown) > 0 {
		k.wrong("asm.groups_to_display", "All ASM groups to display must be valid ASM groups IDs on your account. You provided "+clip(strings.Join(unknown, ", "))+".")
	}
}

func (k *check) settings() {
	bcc := cast.Object(cast.Object(k.mail["mail_settings"])["bcc"])
	if bcc["enable"] == true && !isEmail(cast.Text(bcc["email"])) {
		k.wrong("mail_settings.bcc.email", "You must include a recipient object when using the bcc mail setting.")
	}
	spam := cast.Object(cast.Object(k.mail["mail_settings"])["spam_check"])
	if spam["enable"] != true {
		return
	}
	switch threshold, sent := spam["threshold"].(int64); {
	case !sent:
		k.wrong("mail_settings.spam_check.threshold", "You must include the spam check threshold when using the spam check mail setting.")
	case threshold < 1 || threshold > 10:
		k.wrong("mail_settings.spam_check.threshold", "The spam check threshold is between 1 and 10, with the lower numbers being the most strict filtering.")
	}
	switch to := cast.Text(spam["post_to_url"]); {
	case to == "":
		k.wrong("mail_settings.spam_check.post_to_url", "You must include the url to post to when using the spam check mail setting.")
	case !strings.HasPrefix(to, "http://") && !strings.HasPrefix(to, "https://"):
		k.wrong("mail_settings.spam_check.post_to_url", "The post_to_url parameter must start with http:// or https://.")
	}
}

var templateID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(d-[0-9a-f]{32}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$`)
})

func isTemplateID(id string) bool { return templateID().MatchString(id) }

// dynamic tells templates of the newer kind by their ids.
func dynamic(id string) bool { return strings.HasPrefix(id, "d-") }

// isEmail tells whether a text is a bare address with a domain.
func isEmail(text string) bool {
	if len(text) > 320 {
		return false
	}
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Name != "" || parsed.Address != text {
		return false
	}
	_, domain, _ := strings.Cut(text[strings.LastIndex(text, "@"):], "@")
	return strings.Contains(domain, ".") && !strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".") && !strings.Contains(domain, "..")
}

func clip(text string) string { return kit.Clip(text) }
