package gateway_test

import "fmt"

// sendgridDay has a newsletter go out. What production-like says of other services
// is met there. The latency is cut, and the wait that it tells is 1 s in place of
// 30 s.
func sendgridDay() meeting {
	return meeting{
		profile: "sendgrid-bad-day", play: sendgridAfternoon, more: `services: {sendgrid: {fixtures: [sendgrid-messy]}}
` + elsewhere + `  everyday-latency-elsewhere: {enabled: false}
  sendgrid-everyday-latency: {with: {fixed: 1ms}}
  sendgrid-refuse-for-a-while: {with: {retry_after: 1s}}
`,
		failed: []string{"always: one effect per intent", "sendgrid-lose-a-mail", "sendgrid-refuse-for-a-while", "sendgrid-day-used-up", "sendgrid-fall-over-now-and-then"},
		// Whether who leaves it at that has said so is not seen.
		unseen: []string{"sendgrid-lose-a-mail", "sendgrid-lose-a-batch"},
	}
}

func sendgridAfternoon(a *hand) {
	for i := range 6 { // one of them is refused, and told to wait
		a.sitsOut("GET", "sendgrid", fmt.Sprint("/v3/templates?generations=dynamic&page_size=", 1+i), nil)
	}
	a.mails("Welcome")
	batch := a.sitsOut("POST", "sendgrid", "/v3/mail/batch", nil).at("batch_id")
	if !a.says("POST", "sendgrid", "/v3/user/scheduled_sends", object{"batch_id": batch, "status": "pause"}).fine() && !a.careful {
		a.says("POST", "sendgrid", "/v3/user/scheduled_sends", object{"batch_id": batch, "status": "pause"})
	}
	for i := range 40 { // enough for what happens by chance
		a.sitsOut("GET", "sendgrid", fmt.Sprint("/v3/templates?generations=dynamic&page_size=", 10+i), nil)
	}
	if a.careful {
		return // it keeps within the day
	}
	for i := range 120 {
		a.says("POST", "sendgrid", "/v3/mail/send", mailOf(fmt.Sprint("Issue ", i)))
	}
}

func mailOf(subject string) object {
	return object{
		"personalizations": []any{object{"to": []any{object{"email": "ada@example.com"}}}},
		"from":             object{"email": "support@example.net"}, "subject": subject,
		"content": []any{object{"type": "text/plain", "value": "Hello."}},
	}
}

// mails sends a mail; when no answer comes the naive client sends it again, and the
// careful one leaves it: there is no way to look.
func (a *hand) mails(subject string) {
	if a.careful {
		a.says("POST", "sendgrid", "/v3/mail/send", mailOf(subject))
		return
	}
	a.insists("POST", "sendgrid", "/v3/mail/send", mailOf(subject))
}
