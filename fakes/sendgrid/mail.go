package sendgrid

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// sendMail takes a mail: one envelope for each personalization, each at its
// time.
func sendMail(c *call) (answer, *refusal) {
	body := c.Input.Body
	if found := c.checkMail(body); len(found) > 0 {
		return answer{}, &refusal{status: http.StatusBadRequest, problems: found}
	}
	if refused := c.identity(body); refused != nil {
		return answer{}, refused
	}
	if cast.Object(cast.Object(body["mail_settings"])["sandbox_mode"])["enable"] == true {
		return answer{status: http.StatusOK}, nil
	}
	id := c.NewID("", 22)
	for i := range cast.List(body["personalizations"]) {
		e := newEnvelope(c, id, i, body)
		if e.due.After(c.Now) {
			c.wait(e)
			continue
		}
		c.dispatch(e)
	}
	return answer{status: http.StatusAccepted, header: []string{"X-Message-Id", id}}, nil
}

// identity tells whether a mail may come from who it says it does: a verified
// sender, or anybody at an authenticated domain.
// Source: answers posted at github.com/sendgrid/sendgrid-ruby/pull/489.
func (c *call) identity(body map[string]any) *refusal {
	fields := map[string]string{"from": cast.Text(cast.Object(body["from"])["email"])}
	order := []string{"from"}
	for i, p := range cast.List(body["personalizations"]) {
		if email := cast.Text(cast.Object(cast.Object(p)["from"])["email"]); email != "" {
			field := fmt.Sprintf("personalizations.%d.from", i)
			fields[field], order = email, append(order, field)
		}
	}
	r := &refusal{status: http.StatusForbidden}
	for _, field := range order {
		if !c.verified(fields[field]) {
			r.problems = append(r.problems, problem{field: field, message: "The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved. Visit https://sendgrid.com/docs/for-developers/sending-email/sender-identity/ to see the Sender Identity requirements"})
		}
	}
	if len(r.problems) == 0 {
		return nil
	}
	return r
}

// verified tells whether mail may come from an address.
func (c *call) verified(email string) bool {
	email = strings.ToLower(email)
	_, at, _ := strings.Cut(email, "@")
	for domain := at; domain != ""; _, domain, _ = strings.Cut(domain, ".") {
		for record := range c.fake.store.Find(c.Tx, domains, "domain", domain) {
			if record.Value()["valid"] == true {
				return true
			}
		}
	}
	found := false
	c.all(verifiedSenders, func(r *world.Record) bool {
		found = r.Value()["verified"] == true && strings.EqualFold(cast.Text(r.Value()["from_email"]), email)
		return !found
	})
	return found
}

// An envelope is one personalization of a mail: who gets what, and when.
type envelope struct {
	id    string // X-Message-Id and the personalization's number
	mail  map[string]any
	p     map[string]any
	index int
	due   time.Time
	key   string // of whom it was sent with
}

func newEnvelope(c *call, id string, index int, body map[string]any) *envelope {
	e := &envelope{id: id, mail: body, index: index, due: c.Now}
	e.p = cast.Object(cast.List(body["personalizations"])[index])
	when, sent := e.p["send_at"].(int64)
	if !sent {
		when, sent = body["send_at"].(int64)
	}
	if sent && when > c.Now.Unix() {
		e.due = time.Unix(when, 0).UTC()
	}
	if e.key = cast.Text(c.token.Fields["api_key_id"]); e.key == "" && c.Identity != fakes.Fixture {
		_, e.key, _ = strings.Cut(c.Identity, "-") // of a key that nobody made here
	}
	return e
}

// either gives a field of the personalization, else of the mail.
func (e *envelope) either(name string) any {
	if v, sent := e.p[name]; sent {
		return v
	}
	return e.mail[name]
}

// both gives a map of the mail with that of the personalization laid over it.
func (e *envelope) both(name string) map[string]any {
	out := map[string]any{}
	maps.Copy(out, cast.Object(e.mail[name]))
	maps.Copy(out, cast.Object(e.p[name]))
	return out
}

func (e *envelope) from() map[string]any { return cast.Object(e.either("from")) }

// A recipient is one address of an envelope.
type recipient struct {
	kind  string // to, cc or bcc
	email string
	value map[string]any
}

func (e *envelope) recipients() []recipient {
	var all []recipient
	for _, kind := range kinds {
		for _, one := range cast.List(e.p[kind]) {
			value := cast.Object(one)
			all = append(all, recipient{kind, cast.Text(value["email"]), value})
		}
	}
	if bcc := cast.Object(cast.Object(e.mail["mail_settings"])["bcc"]); bcc["enable"] == true {
		all = append(all, recipient{"bcc", cast.Text(bcc["email"]), map[string]any{"email": bcc["email"]}})
	}
	return all
}

// dispatch sends an envelope: it is made from its template, those who want no
// mail are dropped, the rest goes out.
func (c *call) dispatch(e *envelope) {
	c.bumpFor(e.mail, "requests", 1)
	made, problem := c.compose(e)
	var sent []recipient
	for n, to := range e.recipients() {
		reason := problem
		if reason == "" {
			reason = c.suppressed(e, to.email)
		}
		id := c.messageID(e, n)
		c.note(e, id, to.email, cast.Text(made["subject"]), reason)
		if reason == "" {
			c.expect(e, made, id, to.email)
			sent = append(sent, to)
		}
	}
	if group, given := cast.Object(e.mail["asm"])["group_id"].(int64); given {
		if record, known := c.get(asmGroups, strconv.FormatInt(group, 10)); known {
			value := maps.Clone(record.Value())
			value["last_email_sent_at"] = c.Now.Unix()
			c.put(asmGroups, record.ID, value)
		}
	}
	if len(sent) > 0 && c.Identity != fakes.Fixture {
		c.send(e, made, sent)
	}
}

// send puts what goes out into the outbox, exactly as it goes.
func (c *call) send(e *envelope, made map[string]any, sent []recipient) {
	var to []string
	for _, kind := range kinds {
		var addresses []any
		for _, one := range sent {
			if one.kind == kind {
				to = append(to, one.email)
				addresses = append(addresses, one.value)
			}
		}
		if len(addresses) > 0 {
			made[kind] = addresses
		}
	}
	for _, name := range []string{"template_id", "batch_id", "asm", "reply_to", "reply_to_list", "attachments", "categories"} {
		if v, given := e.mail[name]; given {
			made[name] = v
		}
	}
	for _, name := range []string{"headers", "custom_args"} {
		if both := e.both(name); len(both) > 0 {
			made[name] = both
		}
	}
	made["from"] = e.from()
	if err := kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: "mail", ID: e.id, To: to, Summary: clip(cast.Text(made["subject"])), Content: made, At: c.Now,
	}); err != nil {
		panic("sendgrid fake: " + err.Error())
	}
}

// messageID makes the id of one mail to one address, as events have it.
func (c *call) messageID(e *envelope, n int) string {
	return fmt.Sprintf("%s.recvd-%s-%s-1-%X-%d.%d", e.id, c.hex(9), c.hex(5), c.Now.Unix(), e.index+1, n)
}
