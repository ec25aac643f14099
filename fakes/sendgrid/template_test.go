package sendgrid_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

// withTemplate makes a dynamic template with one version.
func withTemplate(r *faketest.Rig, subject, html string) (id string) {
	r.T.Helper()
	id = r.Must(201, r.JSON("POST", "/v3/templates", m{"name": "Welcome", "generation": "dynamic"})).Text("id")
	r.Must(201, r.JSON("POST", "/v3/templates/"+id+"/versions", m{"name": "one", "subject": subject, "html_content": html}))
	return id
}

func templated(id string, data any) m {
	return m{
		"personalizations": []any{m{"to": []any{m{"email": "ada@example.net"}}, "dynamic_template_data": data}},
		"from":             m{"email": "noreply@example.com"}, "template_id": id,
	}
}

// sentContent sends a mail and gives the content of a type, and the subject.
func sentContent(r *faketest.Rig, mail m, kind string) (content, subject string) {
	r.T.Helper()
	before := len(r.Outbox())
	r.Must(202, send(r, mail))
	sent := r.Outbox()
	if len(sent) != before+1 {
		r.T.Fatalf("%d mails went out", len(sent)-before)
	}
	last := sent[len(sent)-1].Content
	parts, _ := last["content"].([]any)
	for _, one := range parts {
		if part := one.(map[string]any); part["type"] == kind {
			content, _ = part["value"].(string)
		}
	}
	subject, _ = last["subject"].(string)
	return content, subject
}

func TestDynamicTemplate(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := withTemplate(r, "Hi {{name}}", "<p>Hello {{name}}, {{{link}}}</p>{{#each items}}<li>{{@index}} {{this.name}} {{../name}}</li>{{/each}}")
	html, subject := sentContent(r, templated(id, m{"name": "A & B", "link": "<a>", "items": []any{m{"name": "x"}, m{"name": "y"}}}), "text/html")
	if html != "<p>Hello A &amp; B, <a></p><li>0 x A &amp; B</li><li>1 y A &amp; B</li>" || subject != "Hi A & B" {
		t.Errorf("%q, %q", subject, html)
	}
	plain, _ := sentContent(r, templated(id, m{"name": "Ada"}), "text/plain")
	if plain != "Hello Ada," {
		t.Errorf("the text made of it is %q", plain)
	}
}

func TestHandlebars(t *testing.T) {
	t.Parallel()
	data := m{
		"user": m{"first": "Ada", "orders": []any{m{"id": 1, "paid": true}, m{"id": 2}}}, "n": 3, "price": 9.5, "zero": 0, "no": false, "empty": []any{},
		"when": "2026-03-01T18:30:00Z", "byName": m{"b": 2, "a": 1}, "tags": []any{"x", "y"},
	}
	for source, want := range map[string]string{
		"{{user.first}} {{user.orders.1.id}}":                                       "Ada 2",
		"{{price}} {{n}} {{no}} {{missing}}.":                                       "9.5 3 false .",
		"{{#if user.first}}yes{{else}}no{{/if}}":                                    "yes",
		"{{#if zero}}a{{else if empty}}b{{else if n}}c{{else}}d{{/if}}":             "c",
		"{{#unless no}}shown{{/unless}}":                                            "shown",
		"{{#equals n 3}}three{{else}}other{{/equals}}":                              "three",
		"{{#equals user.first 'Ada'}}it is her{{/equals}}":                          "it is her",
		"{{#notEquals n 3}}a{{else}}b{{/notEquals}}":                                "b",
		"{{#greaterThan n 2}}more{{/greaterThan}}":                                  "more",
		"{{#lessThan price 9}}a{{else}}b{{/lessThan}}":                              "b",
		"{{#and n user.first}}both{{/and}}{{#or no zero}}x{{else}}y{{/or}}":         "bothy",
		"{{#each byName}}{{@key}}={{this}}{{#unless @last}},{{/unless}}{{/each}}":   "a=1,b=2",
		"{{#each empty}}x{{else}}none{{/each}}":                                     "none",
		"{{#each user.orders}}{{#if paid}}{{id}}{{/if}}{{/each}}":                   "1",
		"{{#with user}}{{first}} {{@root.n}}{{/with}}":                              "Ada 3",
		"{{insert missing \"default=Customer\"}} {{insert user.first 'default=x'}}": "Customer Ada",
		"{{length user.orders}}":                                                    "2",
		"{{formatDate when 'MM/DD/YYYY'}} {{formatDate when 'HH:mm' '-0800'}}":      "03/01/2026 10:30",
		"a {{!-- {{not}} shown --}}b{{! nor this }}c":                               "a bc",
		"{{tags}}":            "x,y",
		"{{~user.first~}}  !": "Ada!",
		"{{#user}}{{first}}{{/user}}{{^missing}}gone{{/missing}}": "Adagone",
		"{{user}}":                    "[object Object]",
		"x\n{{#if n}}\ny\n{{/if}}\nz": "x\ny\nz",
	} {
		r := newRig(t)
		id := withTemplate(r, source, "<p>x</p>")
		if _, got := sentContent(r, templated(id, data), "text/html"); got != want {
			t.Errorf("%s is %q, want %q", source, got, want)
		}
	}
}

func TestBadHandlebarsIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.Must(201, r.JSON("POST", "/v3/templates", m{"name": "Bad", "generation": "dynamic"})).Text("id")
	for _, source := range []string{"{{#if a}}", "{{/if}}", "{{name", "{{#if a}}x{{/each}}", "{{> partial}}", "{{name 'x}}", strings.Repeat("{{#if a}}", 100) + strings.Repeat("{{/if}}", 100)} {
		if g := r.JSON("POST", "/v3/templates/"+id+"/versions", m{"name": "v", "subject": "s", "html_content": source}); g.Status != 400 {
			t.Errorf("%.40s: %d %s", source, g.Status, g.Raw)
		}
	}
}

// A template that is not there is found out later: 202, then dropped.
func TestUnknownTemplateIsDropped(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(202, send(r, templated("d-0123456789abcdef0123456789abcdef", m{})))
	bare := r.Must(201, r.JSON("POST", "/v3/templates", m{"name": "No version", "generation": "dynamic"})).Text("id")
	r.Must(202, send(r, templated(bare, m{})))
	if len(r.Outbox()) != 0 {
		t.Error("it was sent")
	}
	r.Wait(time.Minute)
	g := r.Must(200, r.Send("GET", "/v3/messages?query="+escape(`reason="Invalid SMTPAPI header"`), ""))
	if g.Len("messages") != 2 {
		t.Errorf("%s", g.Raw)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := withTemplate(r, "First", "<p>1</p>")
	second := r.Must(201, r.JSON("POST", "/v3/templates/"+id+"/versions", m{"name": "two", "subject": "Second", "html_content": "<p>2</p>"}))
	faketest.Want(t, second, m{"active": 0, "editor": "code", "generate_plain_content": true, "template_id": id, "updated_at": "2026-03-01 12:00:00"})
	if _, subject := sentContent(r, templated(id, m{}), "text/html"); subject != "First" {
		t.Errorf("%s is sent", subject)
	}
	path := "/v3/templates/" + id + "/versions/" + second.Text("id")
	faketest.Want(t, r.Must(200, r.Send("POST", path+"/activate", "")), m{"active": 1})
	if _, subject := sentContent(r, templated(id, m{}), "text/html"); subject != "Second" {
		t.Errorf("%s is sent", subject)
	}
	whole := r.Must(200, r.Send("GET", "/v3/templates/"+id, ""))
	faketest.Want(t, whole, m{"versions.0.active": 1, "versions.1.active": 0, "versions.0.html_content": "<p>2</p>", "generation": "dynamic"})
	faketest.Want(t, r.Must(200, r.JSON("PATCH", path, m{"subject": "Changed", "active": 0})), m{"subject": "Changed", "active": 0, "name": "two"})
	r.Must(202, send(r, templated(id, m{}))) // none is active: dropped
	if len(r.Outbox()) != 2 {
		t.Error("an inactive version was sent")
	}
	copied := r.Must(201, r.JSON("POST", "/v3/templates/"+id, m{"name": "Copy"}))
	faketest.Want(t, copied, m{"name": "Copy", "versions.0.subject": "Changed"})
	r.Must(204, r.Send("DELETE", path, ""))
	r.Must(404, r.Send("GET", path, ""))
	faketest.Want(t, r.Must(200, r.JSON("PATCH", "/v3/templates/"+id, m{"name": "Renamed"})), m{"name": "Renamed"})
	r.Must(204, r.Send("DELETE", "/v3/templates/"+id, ""))
	faketest.Want(t, r.Must(404, r.Send("GET", "/v3/templates/"+id, "")), m{"error": "Resource not found"})
}

func TestTemplatePages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 5 {
		withTemplate(r, "s", "h")
	}
	r.Must(201, r.JSON("POST", "/v3/templates", m{"name": "Old"}))
	if g := r.Must(200, r.Send("GET", "/v3/templates?page_size=10", "")); g.Len("result") != 1 || g.Text("result.0.generation") != "legacy" {
		t.Errorf("without generations only legacy ones: %s", g.Raw)
	}
	seen, target := 0, "/v3/templates?generations=dynamic&page_size=2"
	for target != "" {
		g := r.Must(200, r.Send("GET", target, ""))
		seen += g.Len("result")
		faketest.Want(t, g, m{"result.0.versions.0.active": 1, "result.0.versions.0.html_content": nil, "_metadata.count": 5})
		target = strings.TrimPrefix(g.Text("_metadata.next"), r.Base)
	}
	if seen != 5 {
		t.Errorf("%d over all pages", seen)
	}
	r.Must(400, r.Send("GET", "/v3/templates?page_size=900", ""))
	r.Must(400, r.Send("GET", "/v3/templates?page_token=bad", ""))
	r.Must(400, r.Send("GET", "/v3/templates?generations=modern", ""))
}

func TestLegacyTemplateAndSubstitutions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.Must(201, r.JSON("POST", "/v3/templates", m{"name": "Frame"})).Text("id")
	r.Must(201, r.JSON("POST", "/v3/templates/"+id+"/versions", m{"name": "v", "subject": "[Shop] <%subject%>", "html_content": "<b><%body%></b> -sign-"}))
	mail := with(mailTo("ada@example.net"), m{"template_id": id})
	mail["personalizations"] = []any{m{"to": []any{m{"email": "ada@example.net"}}, "substitutions": m{"-sign-": "Ada's shop"}}}
	html, subject := sentContent(r, mail, "text/html")
	if html != "<b><p>Hi</p></b> Ada's shop" || subject != "[Shop] Hello" {
		t.Errorf("%q, %q", subject, html)
	}
	plain := with(mailTo(), m{"subject": "Hi -name-"})
	plain["personalizations"] = []any{m{"to": []any{m{"email": "ada@example.net"}}, "substitutions": m{"-name-": "Ada"}}}
	if _, subject := sentContent(r, plain, "text/plain"); subject != "Hi Ada" {
		t.Errorf("%q", subject)
	}
}

func TestFooter(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	mail := with(mailTo("ada@example.net"), m{"mail_settings": m{"footer": m{"enable": true, "text": " --", "html": "<hr>"}}})
	if html, _ := sentContent(r, mail, "text/html"); html != "<p>Hi</p><hr>" {
		t.Errorf("%q", html)
	}
}

// A template whose loops multiply does not hold the gateway up.
func TestHostileTemplate(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	loops := strings.Repeat("{{#each @root.l}}", 12) + "x" + strings.Repeat("{{/each}}", 12)
	id := withTemplate(r, "s", loops)
	var l []any
	for i := range 100 {
		l = append(l, i)
	}
	r.Must(202, send(r, templated(id, m{"l": l})))
	if len(r.Outbox()) != 0 {
		t.Error("it was made all the same")
	}
}

// Loops that show nothing took no step, however many there were.
func TestLoopsWithoutABodyEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := withTemplate(r, "s", strings.Repeat("{{#each @root.l}}", 8)+strings.Repeat("{{/each}}", 8))
	r.Must(202, send(r, templated(id, m{"l": make([]int, 1000)})))
	if len(r.Outbox()) != 0 {
		t.Error("it was made all the same")
	}
}

// A tag that stands for much, very often, became more than fits into memory.
func TestTagsThatMultiplyEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	mail := with(mailTo(), m{"subject": "Hi"})
	mail["content"] = []any{m{"type": "text/plain", "value": strings.Repeat("-a-", 300_000)}}
	mail["personalizations"] = []any{m{"to": []any{m{"email": "ada@example.net"}}, "substitutions": m{"-a-": strings.Repeat("x", 9_000)}}}
	r.Must(202, send(r, mail))
	if len(r.Outbox()) != 0 {
		t.Error("it was made all the same")
	}
}

// What becomes too long has been made all the same: a thousand such mails in one
// call held their run for a minute.
func TestTagsThatMultiplyForEachOfManyEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	mail := with(mailTo(), m{"subject": "Hi"})
	mail["content"] = []any{m{"type": "text/html", "value": strings.Repeat("a", 500_000)}}
	var all []any
	for i := range 1000 {
		all = append(all, m{"to": []any{m{"email": fmt.Sprintf("w%d@example.net", i)}}, "substitutions": m{"a": strings.Repeat("b", 1000)}})
	}
	mail["personalizations"] = all
	r.Must(504, send(r, mail))
}
