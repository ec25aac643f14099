package sendgrid_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/faketest"
)

func TestSend(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.Must(202, send(r, mailTo("ada@example.net", "bob@example.net")))
	if g.Raw != "" || len(g.Header.Get("X-Message-Id")) != 22 || g.Header.Get("X-Ratelimit-Limit") != "" {
		t.Errorf("202 says %q with %v", g.Raw, g.Header)
	}
	sent := r.Outbox()
	if len(sent) != 1 || sent[0].Summary != "Hello" {
		t.Fatalf("sent %+v", sent)
	}
	if diff := cmp.Diff([]string{"ada@example.net", "bob@example.net"}, sent[0].To); diff != "" {
		t.Error(diff)
	}
	again := r.Must(202, send(r, mailTo("ada@example.net", "bob@example.net")))
	if again.Header.Get("X-Message-Id") == g.Header.Get("X-Message-Id") || len(r.Outbox()) != 2 {
		t.Error("the same mail again is another mail: nothing keeps doubles back")
	}
}

func TestSandboxSendsNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.Must(200, send(r, with(mailTo("ada@example.net"), m{"mail_settings": m{"sandbox_mode": m{"enable": true}}})))
	if g.Raw != "" || len(r.Outbox()) != 0 {
		t.Errorf("sandbox says %q and sends %v", g.Raw, r.Outbox())
	}
}

// What each mistake is told as: message, field and help.
func TestMistakes(t *testing.T) {
	t.Parallel()
	const root = "http://sendgrid.com/docs/API_Reference/Web_API_v3/Mail/errors.html#"
	good := mailTo("ada@example.net")
	late := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(73 * time.Hour).Unix()
	for name, c := range map[string]struct {
		mail                 m
		field, message, help string
	}{
		"no personalizations": {with(good, m{"personalizations": nil}), "personalizations", "The personalizations field is required and must have at least one personalization.", "-Personalizations-Errors"},
		"no recipient":        {with(good, m{"personalizations": []any{m{"cc": []any{m{"email": "a@example.net"}}}}}), "personalizations.0.to", "The to array is required for all personalization objects, and must have at least one email object with a valid email address.", "message.personalizations.to"},
		"bad recipient":       {mailTo("ada"), "personalizations.0.to.0.email", "Does not contain a valid address.", "message.personalizations.to"},
		"doubled recipient":   {with(good, m{"personalizations": []any{m{"to": []any{m{"email": "a@example.net"}}, "bcc": []any{m{"email": "A@example.net"}}}}}), "personalizations.0", "Each email address in the personalization block should be unique between to, cc, and bcc. We found the first duplicate instance of [A@example.net] in the personalizations.0.bcc field.", "message.recipient-errors"},
		"no from":             {with(good, m{"from": nil}), "from.email", `The from object must be provided for every email send. It is an object that requires the email parameter, but may also contain a name parameter.  e.g. {"email" : "example@example.com"}  or {"email" : "example@example.com", "name" : "Example Recipient"}.`, "message.from"},
		"bad from":            {with(good, m{"from": m{"email": "x"}}), "from.email", "The from email does not contain a valid address.", "message.from"},
		"no subject":          {with(good, m{"subject": nil}), "subject", "The subject is required. You can get around this requirement if you use a template with a subject defined or if every personalization has a subject defined.", "message.subject"},
		"no content":          {with(good, m{"content": nil}), "content", "Unless a valid template_id is provided, the content parameter is required. There must be at least one defined content block. We typically suggest both text/plain and text/html blocks are included, but only one block is required.", "message.content"},
		"empty content":       {with(good, m{"content": []any{m{"type": "text/plain", "value": ""}}}), "content.0.value", "The content value must be a string at least one character in length.", "message.content.value"},
		"html before text":    {with(good, m{"content": []any{m{"type": "text/html", "value": "a"}, m{"type": "text/plain", "value": "b"}}}), "content", "Following RFC 1341, section 7.2, if either text/html or text/plain are to be sent in your email: text/plain needs to be first, followed by text/html, followed by any other content.", ""},
		"two texts":           {with(good, m{"content": []any{m{"type": "text/plain", "value": "a"}, m{"type": "text/plain", "value": "b"}}}), "content", "If present, text/plain and text/html may only be provided once.", ""},
		"bad template":        {with(good, m{"template_id": "welcome"}), "template_id", "The template_id must be a valid GUID, you provided 'welcome'.", "message.template_id"},
		"attachment":          {with(good, m{"attachments": []any{m{"content": "NOT_BASE64", "filename": "a.txt"}}}), "attachments.0.content", "The attachment content must be base64 encoded.", "message.attachments.content"},
		"no filename":         {with(good, m{"attachments": []any{m{"content": "dGVzdA=="}}}), "attachments.0.filename", "filename is required.", "message.attachments.filename"},
		"too late":            {with(good, m{"send_at": late}), "send_at", "Scheduling more than 72 hours in advance is forbidden.", "message.send_at"},
		"unknown group":       {with(good, m{"asm": m{"group_id": 7}}), "asm.group_id", "The ASM group ID must be a valid Group ID on your account. You provided 7.", "message.asm.group_id"},
		"text for an object":  {with(good, m{"from": "noreply@example.com"}), "from", "Invalid type. Expected: object, given: string.", "message.from"},
		"null for an object":  {with(good, m{"personalizations": []any{nil}}), "personalizations.0", "Invalid type. Expected: object, given: null.", ""},
		"text in a list":      {with(good, m{"personalizations": []any{m{"to": []any{"ada@example.net"}}}}), "personalizations.0.to.0", "Invalid type. Expected: object, given: string.", "message.personalizations.to"},
		"unknown field":       {with(good, m{"replyTo": "a@example.net"}), "replyTo", "Additional property replyTo is not allowed.", ""},
		"fraction":            {with(good, m{"send_at": 1.5}), "send_at", "Invalid type. Expected: integer, given: number.", "message.send_at"},
		"substitutions":       {with(good, m{"template_id": "d-0123456789abcdef0123456789abcdef", "personalizations": []any{m{"to": []any{m{"email": "a@example.net"}}, "substitutions": m{"-a-": "b"}}}}), "personalizations.0.substitutions", "Substitutions may not be used with dynamic templating", "message.personalizations.substitutions"},
		"reserved header":     {with(good, m{"headers": m{"Reply-To": "x"}}), "headers", "Header can not be one of the reserved keys.", "message.headers"},
		"spam check":          {with(good, m{"mail_settings": m{"spam_check": m{"enable": true, "threshold": 11, "post_to_url": "http://a.example"}}}), "mail_settings.spam_check.threshold", "The spam check threshold is between 1 and 10, with the lower numbers being the most strict filtering.", "message.mail_settings.spam_check.threshold"},
		"doubled category":    {with(good, m{"categories": []any{"a", "a"}}), "categories", "The categories must be a unique list, and you have included a more than once.", "message.categories"},
		"unknown batch":       {with(good, m{"batch_id": "made-up"}), "batch_id", "The batch_id must be a valid batch ID.", "message.batch_id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			g := r.Must(400, send(r, c.mail))
			var help any
			if c.help != "" {
				help = root + c.help
			}
			faketest.Want(t, g, m{"errors": []any{m{"field": c.field, "message": c.message, "help": help}}})
			if len(r.Outbox()) != 0 {
				t.Error("it was sent all the same")
			}
		})
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.Must(400, r.JSON("POST", "/v3/mail/send", m{"personalizations": []any{m{"to": []any{m{"email": "x"}}}}, "from": m{"email": "y"}}))
	var fields []string
	for _, one := range problems(g) {
		field, _, _ := strings.Cut(one, ":")
		fields = append(fields, field)
	}
	if diff := cmp.Diff([]string{"from.email", "personalizations.0.to.0.email", "subject", "content"}, fields); diff != "" {
		t.Error(diff)
	}
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for body, kind := range map[string]string{`{"from":`: "application/json", `[]`: "application/json", ``: "application/json"} {
		g := r.Send("POST", "/v3/mail/send", body, "Content-Type", kind)
		if g.Status != 400 {
			t.Errorf("%q: %d %s", body, g.Status, g.Raw)
		}
	}
	g := r.Must(400, r.Send("POST", "/v3/mail/send", `{"from":`, "Content-Type", "application/json"))
	faketest.Want(t, g, m{"errors": []any{m{"message": "Bad Request", "field": nil, "help": nil}}})
	g = r.Must(415, r.Send("POST", "/v3/mail/send", "from=x", "Content-Type", "application/x-www-form-urlencoded"))
	faketest.Want(t, g, m{"errors": []any{m{"message": "Content-Type should be application/json.", "field": nil, "help": nil}}})
	g = r.Must(405, r.Send("GET", "/v3/mail/send", ""))
	faketest.Want(t, g, m{"errors": []any{m{"message": "POST method allowed only", "field": nil, "help": nil}}})
	g = r.Must(404, r.Send("GET", "/v3/nothing", ""))
	faketest.Want(t, g, m{"errors": []any{m{"message": "resource not found", "field": nil}}})
	if g := r.Send("GET", "/v3/scopes", "", "Accept", "text/html"); g.Status != 406 || !strings.Contains(g.Raw, "406 Not Acceptable") {
		t.Errorf("%d %s", g.Status, g.Raw)
	}
}

// A mail is refused until its sender is verified, by the token that is mailed.
func TestSenderIdentity(t *testing.T) {
	t.Parallel()
	r := bareRig(t)
	mail := with(mailTo("ada@example.net"), m{"from": m{"email": "Orders@shop.example"}})
	g := r.Must(403, send(r, mail))
	faketest.Want(t, g, m{"errors": []any{m{"field": "from", "help": nil, "message": "The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved. Visit https://sendgrid.com/docs/for-developers/sending-email/sender-identity/ to see the Sender Identity requirements"}}})
	made := r.Must(201, r.JSON("POST", "/v3/verified_senders", m{"nickname": "Orders", "from_email": "orders@shop.example", "reply_to": "orders@shop.example"}))
	faketest.Want(t, made, m{"verified": false, "locked": false, "from_name": "", "address2": ""})
	r.Must(403, send(r, mail))
	r.Must(204, r.JSON("POST", "/v3/verified_senders/resend/"+made.Text("id"), nil))
	asked := r.Outbox()
	if len(asked) != 2 || asked[0].Kind != "sender-verification" || asked[0].To[0] != "orders@shop.example" {
		t.Fatalf("asked %+v", asked)
	}
	token, _ := asked[1].Content["token"].(string)
	r.Must(404, r.Send("GET", "/v3/verified_senders/verify/wrong", ""))
	r.Must(204, r.Send("GET", "/v3/verified_senders/verify/"+token, ""))
	r.Must(404, r.Send("GET", "/v3/verified_senders/verify/"+token, ""))
	r.Must(202, send(r, mail))
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/verified_senders", "")), m{"results.0.verified": true})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/verified_senders/steps_completed", "")), m{"results": m{"sender_verified": true, "domain_verified": false}})
	r.Must(400, r.JSON("POST", "/v3/verified_senders/resend/"+made.Text("id"), nil))
	r.Must(403, send(r, with(mail, m{"from": m{"email": "other@shop.example"}})))
	r.Must(400, r.JSON("POST", "/v3/verified_senders", m{"nickname": "Twice", "from_email": "ORDERS@shop.example", "reply_to": "orders@shop.example"}))
	r.Must(204, r.Send("DELETE", "/v3/verified_senders/"+made.Text("id"), ""))
	r.Must(403, send(r, mail))
}

func TestVerificationExpires(t *testing.T) {
	t.Parallel()
	r := bareRig(t)
	r.Must(201, r.JSON("POST", "/v3/verified_senders", m{"nickname": "Orders", "from_email": "orders@shop.example", "reply_to": "orders@shop.example"}))
	token, _ := r.Outbox()[0].Content["token"].(string)
	r.Wait(49 * time.Hour)
	r.Must(404, r.Send("GET", "/v3/verified_senders/verify/"+token, ""))
}

// Somebody who wants no mail gets none, and who sends is told 202.
func TestSuppressed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
sendgrid.domains: [{domain: example.com, valid: true}]
sendgrid.asm_groups: [{name: News, description: Weekly}]
sendgrid.bounces: [{id: bounced@example.net, email: bounced@example.net, reason: 550 no such user, status: 5.1.1}]
sendgrid.spam_reports: [{id: angry@example.net, email: angry@example.net, ip: 192.0.2.1}]
sendgrid.invalid_emails: [{id: odd@example.net, email: odd@example.net, reason: Mail domain mentioned in email address is unknown}]
sendgrid.blocks: [{id: blocked@example.net, email: blocked@example.net, reason: 421 later, status: 4.7.0}]
`)
	r.Must(201, r.JSON("POST", "/v3/asm/suppressions/global", m{"recipient_emails": []string{"gone@example.net"}}))
	group := r.Must(200, r.Send("GET", "/v3/asm/groups", "")).Text("0.id")
	r.Must(201, r.JSON("POST", "/v3/asm/groups/"+group+"/suppressions", m{"recipient_emails": []string{"nonews@example.net"}}))
	all := []string{"bounced@example.net", "ANGRY@example.net", "odd@example.net", "gone@example.net", "nonews@example.net", "blocked@example.net", "ada@example.net"}
	r.Must(202, send(r, with(mailTo(all...), m{"asm": m{"group_id": number(group)}})))
	if diff := cmp.Diff([]string{"blocked@example.net", "ada@example.net"}, r.Outbox()[0].To); diff != "" {
		t.Error(diff)
	}
	r.Wait(time.Minute)
	g := r.Must(200, r.Send("GET", "/v3/messages?query="+escape(`status="not_delivered"`)+"&limit=100", ""))
	if g.Len("messages") != 5 {
		t.Errorf("%d were dropped: %s", g.Len("messages"), g.Raw)
	}
	details := r.Must(200, r.Send("GET", "/v3/messages/"+g.Text("messages.0.msg_id"), ""))
	faketest.Want(t, details, m{"events.0.event_name": "dropped", "events.0.reason": "Unsubscribed Address"})
	// Without the group, its leaver is written to; nothing at all holds back a
	// mail that says so.
	r.Must(202, send(r, mailTo("nonews@example.net")))
	r.Must(202, send(r, with(mailTo(all...), m{"mail_settings": m{"bypass_list_management": m{"enable": true}}})))
	if sent := r.Outbox(); len(sent) != 3 || len(sent[2].To) != len(all) {
		t.Errorf("sent %+v", sent)
	}
	// Who is taken off a list is written to again.
	r.Must(204, r.Send("DELETE", "/v3/suppression/bounces/bounced@example.net", ""))
	r.Must(202, send(r, mailTo("bounced@example.net")))
	if sent := r.Outbox(); len(sent) != 4 {
		t.Errorf("sent %+v", sent)
	}
}
