package sendgrid_test

import (
	"strings"
	"testing"
	"time"
)

// odd is what somebody may send anywhere.
var odd = []string{
	``, `{}`, `[]`, `null`, `"text"`, `7`, `{"a":`, `{"name":null}`, `{"name":[]}`, `{"name":"x","description":"y","subject":"{{#if","generation":"dynamic"}`,
	`{"emails":[1,null,{}]}`, `{"recipient_emails":["a@b.example",null]}`, `{"contacts":[null]}`, `{"contacts":[{"email":"a@b.example","custom_fields":{"x":[{}]}}]}`,
	`{"status":"pause","batch_id":""}`, `{"scopes":[1],"name":"n"}`, `{"url":"http://a.example","enabled":true,"id":"x"}`, `{"query":"a = 'b' AND ("}`, `{"ids":["\u0000"]}`,
	`{"personalizations":[{"to":[{"email":"a@b.example"}]}],"from":{"email":"noreply@example.com"},"content":[{"type":"text/plain","value":"\u0000😀"}],"subject":"` + "\u2028" + `"}`,
	`{"domain":"` + strings.Repeat("x", 300) + `"}`, `{"nickname":"` + strings.Repeat("é", 300) + `","from_email":"a@b.example","reply_to":"a@b.example"}`,
}

// Whatever is sent to any operation is answered, as the contract has it: that
// is held by the rig, and a panic ends the test.
func TestWhateverIsSentIsAnswered(t *testing.T) {
	t.Parallel()
	for _, operation := range newRig(t).Service.Contract.Operations {
		t.Run(operation.Name(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			template := withTemplate(r, "s", "h")
			version := r.Must(200, r.Send("GET", "/v3/templates/"+template, "")).Text("versions.0.id")
			group := r.Must(201, r.JSON("POST", "/v3/asm/groups", m{"name": "G", "description": "d"})).Text("id")
			list := r.Must(201, r.JSON("POST", "/v3/marketing/lists", m{"name": "L"})).Text("id")
			for _, known := range []bool{true, false} {
				path := operation.Path
				for name, id := range map[string]string{"template_id": template, "version_id": version, "group_id": group, "id": list, "email": "a@b.example", "domain_id": "17320455"} {
					if !known {
						id = "%00%2F..%2F😀"
					}
					path = strings.ReplaceAll(path, "{"+name+"}", id)
				}
				path = strings.NewReplacer("{", "", "}", "").Replace(path)
				for _, query := range []string{"", "?limit=-1&offset=-5&page_size=x&page_token=%FF&start_date=9999-99-99&query=%27", "?limit=0&start_date=0001-01-01&end_date=9999-12-31&aggregated_by=week&page_size=0", "?a=b&a=c&limit=999999999999999999999"} {
					for _, body := range odd {
						g := r.Send(operation.Method, path+query, body, "Content-Type", "application/json")
						if g.Status == 429 {
							r.Wait(time.Minute)
							g = r.Send(operation.Method, path+query, body, "Content-Type", "application/json")
						}
						if g.Status >= 500 || g.Status < 200 {
							t.Errorf("%s %s %s: %d %s", operation.Method, path+query, body, g.Status, g.Raw)
						}
					}
				}
			}
		})
	}
}
