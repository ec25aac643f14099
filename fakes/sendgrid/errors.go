package sendgrid

import (
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
)

// helpRoot is where the help of a mail's errors leads.
const helpRoot = "http://sendgrid.com/docs/API_Reference/Web_API_v3/Mail/errors.html#"

// A problem is one thing that is wrong.
type problem struct {
	message string
	field   string // "": null
	help    string // after helpRoot; "": null
	id      string // error_id, where senders are verified; "": none
}

// A refusal is an error in one of SendGrid's shapes.
type refusal struct {
	status   int
	problems []problem
	bare     string // {"error": bare}, as templates answer
	unplaced bool   // no field is named where there is none, as email activity and verified senders answer
	html     bool   // a page of the server in front
}

// value is the error document. Errors of mails have a help, those of other
// parts have not.
func (r *refusal) value(mailing bool) map[string]any {
	if r.bare != "" {
		return map[string]any{"error": r.bare}
	}
	all := make([]any, len(r.problems))
	for i, p := range r.problems {
		one := map[string]any{"message": p.message, "field": nil}
		if p.field != "" {
			one["field"] = p.field
		} else if r.unplaced {
			delete(one, "field")
		}
		if p.id != "" {
			one["error_id"] = p.id
		}
		if mailing {
			one["help"] = nil
			if p.help != "" {
				one["help"] = helpRoot + p.help
			}
		}
		all[i] = one
	}
	return map[string]any{"errors": all}
}

func (r *refusal) reply(mailing bool) fakes.Reply {
	header := common.Clone()
	if r.html {
		header.Set("Content-Type", "text/html")
		title := "406 Not Acceptable"
		return fakes.Reply{Status: r.status, Header: header, Body: []byte("<html>\r\n<head><title>" + title + "</title></head>\r\n<body>\r\n<center><h1>" + title + "</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n")}
	}
	header.Set("Content-Type", "application/json")
	return kit.ValueReply(r.status, header, r.value(mailing))
}

func refuse(status int, field, message string) *refusal {
	return &refusal{status: status, problems: []problem{{message: message, field: field}}}
}

func invalid(field, message string) *refusal { return refuse(http.StatusBadRequest, field, message) }

func unauthorised() *refusal {
	return refuse(http.StatusUnauthorized, "", "The provided authorization grant is invalid, expired, or revoked")
}

func tooMany() *refusal { return refuse(http.StatusTooManyRequests, "", "too many requests") }

// notAcceptable is said by the server in front, in HTML.
// Source: github.com/sendgrid/sendgrid-nodejs/issues/1249.
func notAcceptable() *refusal { return &refusal{status: http.StatusNotAcceptable, html: true} }

// notFound is what most of the API says of what is not there.
func notFound() *refusal { return refuse(http.StatusNotFound, "", "resource not found") }

// noTemplate is what templates say.
// Source: github.com/sendgrid/sendgrid-java/issues/443.
func noTemplate() *refusal {
	return &refusal{status: http.StatusNotFound, bare: "Resource not found"}
}

// helped are the fields that have an anchor of their own in the list of a
// mail's errors; an error of any other field has no help.
// Source: the page of helpRoot, whose anchors are "message." and these.
var helped = func() map[string]bool {
	all := map[string]bool{}
	for _, field := range strings.Fields(`from reply_to subject content.type content.value
		personalizations.to personalizations.cc personalizations.bcc personalizations.categories personalizations.custom_args
		personalizations.headers personalizations.send_at personalizations.subject personalizations.substitutions
		attachments.content attachments.type attachments.filename attachments.disposition attachments.content_id
		template_id sections headers categories custom_args send_at batch_id asm.group_id asm.groups_to_display ip_pool_name
		mail_settings.bcc.enable mail_settings.bcc.email mail_settings.bypass_list_management.enable
		mail_settings.footer.enable mail_settings.footer.text mail_settings.footer.html mail_settings.sandbox_mode.enable
		mail_settings.spam_check.enable mail_settings.spam_check.threshold mail_settings.spam_check.post_to_url
		tracking_settings.click_tracking.enable tracking_settings.click_tracking.enable_text
		tracking_settings.open_tracking.enable tracking_settings.open_tracking.substitution_tag
		tracking_settings.subscription_tracking.enable tracking_settings.subscription_tracking.text
		tracking_settings.subscription_tracking.html tracking_settings.subscription_tracking.substitution_tag
		tracking_settings.ganalytics.enable tracking_settings.ganalytics.utm_source tracking_settings.ganalytics.utm_medium
		tracking_settings.ganalytics.utm_term tracking_settings.ganalytics.utm_content tracking_settings.ganalytics.utm_campaign`) {
		all[field] = true
	}
	return all
}()

// help finds the anchor of a field such as personalizations.0.to.0.email: that
// of the longest part of it, less the numbers, that has one.
func help(field string) string {
	var names []string
	for part := range strings.SplitSeq(field, ".") {
		if part == "" || part[0] < '0' || part[0] > '9' {
			names = append(names, part)
		}
	}
	for ; len(names) > 0; names = names[:len(names)-1] {
		if path := strings.Join(names, "."); helped[path] {
			return "message." + path
		}
	}
	return ""
}
