package sdktest

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/sendgrid/rest"
	"github.com/sendgrid/sendgrid-go"
	"github.com/sendgrid/sendgrid-go/helpers/mail"
)

// mailAgent is sendgrid-go at work.
func mailAgent(task string) int {
	found, err := map[string]func() (map[string]any, error){"all": mailAll, "trouble": mailTrouble}[task]()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", task, err)
		return 1
	}
	return 0
}

// mailRequest readies a request as the SDK does; only the host is the test's.
func mailRequest(method rest.Method, path string, body any) rest.Request {
	r := sendgrid.GetRequest("SG.parity.secret", path, os.Getenv("SENDGRID_BASE"))
	r.Method = method
	if body != nil {
		r.Body, _ = json.Marshal(body) // maps of texts
	}
	return r
}

func hello() []byte {
	m := mail.NewSingleEmail(mail.NewEmail("Example", "noreply@example.com"), "Hello", mail.NewEmail("Ada", "ada@example.net"), "Hi", "<p>Hi</p>")
	m.SetCustomArg("order", "A-17")
	return mail.GetRequestBody(m)
}

func sendHello() (*rest.Response, error) {
	r := mailRequest(rest.Post, "/v3/mail/send", nil)
	r.Body = hello()
	return sendgrid.API(r)
}

func mailAll() (map[string]any, error) {
	found := map[string]any{}
	sent, err := sendHello()
	if err != nil {
		return nil, err
	}
	found["send"] = []any{sent.StatusCode, sent.Body, len(sent.Headers["X-Message-Id"][0])}
	for name, r := range map[string]rest.Request{
		"batch":     mailRequest(rest.Post, "/v3/mail/batch", nil),
		"bounces":   mailRequest(rest.Get, "/v3/suppression/bounces", nil),
		"group":     mailRequest(rest.Post, "/v3/asm/groups", map[string]any{"name": "Go", "description": "Made here"}),
		"template":  mailRequest(rest.Post, "/v3/templates", map[string]any{"name": "Go"}),
		"upsert":    mailRequest(rest.Put, "/v3/marketing/contacts", map[string]any{"contacts": []any{map[string]any{"email": "go@example.net"}}}),
		"scopes":    mailRequest(rest.Get, "/v3/scopes", nil),
		"forget":    mailRequest(rest.Delete, "/v3/suppression/bounces/full@example.net", nil),
		"no_path":   mailRequest(rest.Get, "/v3/nothing", nil),
		"bad_mail":  mailRequest(rest.Post, "/v3/mail/send", map[string]any{}),
		"templates": mailRequest(rest.Get, "/v3/templates", nil),
	} {
		if name == "templates" {
			r.QueryParams = map[string]string{"page_size": "1", "generations": "dynamic"}
		}
		got, err := sendgrid.API(r)
		if err != nil {
			return nil, err
		}
		found[name] = got.StatusCode
	}
	return found, nil
}

// mailTrouble sends, and sends again; the SDK's own help against limits waits
// until the limit is over.
func mailTrouble() (map[string]any, error) {
	found := map[string]any{}
	status := func(got *rest.Response, err error) any {
		if err != nil {
			return "none"
		}
		return got.StatusCode
	}
	found["first"] = status(sendHello())
	found["again"] = status(sendHello())
	r := mailRequest(rest.Get, "/v3/scopes", nil)
	began := time.Now()
	found["retried"] = status(sendgrid.MakeRequestRetry(r))
	found["quick"] = time.Since(began) < 20*time.Second
	return found, nil
}
