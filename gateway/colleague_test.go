package gateway_test

import (
	"encoding/base64"
	"strings"
	"testing"
)

// Where nobody says what a colleague sets, the records of some services had no
// text to change; and what was set by its path was taken for a field of that name.
func TestColleaguesEditRecordsOfEachForm(t *testing.T) {
	t.Parallel()
	const hello = "/repos/octocat/Hello-World"
	file := base64.StdEncoding.EncodeToString([]byte("one\n"))
	for name, c := range map[string]struct {
		service, base, key, rule string
		method, at, body         string // what makes the record
		read, shows, want        string // "" for read: where the record is, by its id
	}{
		"a page": {
			"notion", "/notion", "Bearer ntn_week", "call: \"notion PATCH /v1/pages/{page_id}\", inject: concurrent-edit, with: {once_read: \"notion GET /v1/pages/{page_id}\"}",
			"POST", "/v1/pages", `{"parent":{"page_id":"2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73"},"properties":{"title":[{"text":{"content":"Plan"}}]}}`, "", "properties.title.title.1.plain_text", " (edited)",
		},
		"a file": {
			"github", "/github", developer, "call: \"github PUT /repos/{owner}/{repo}/contents/{path}\", inject: concurrent-edit, with: {once_read: \"github GET /repos/{owner}/{repo}/contents/{path}\"}",
			"PUT", hello + "/contents/notes.txt", `{"message":"add","content":"` + file + `"}`, hello + "/contents/notes.txt", "size", "13",
		},
		"by a path": {
			"hubspot", "/hubspot", "Bearer pat-na1-rehearsal", "call: \"hubspot PATCH /crm/v3/objects/{objectType}/{objectId}\", inject: concurrent-edit, with: {once_read: \"hubspot GET /crm/v3/objects/{objectType}/{objectId}\", set: {properties.firstname: Zed}}",
			"POST", "/crm/v3/objects/contacts", `{"properties":{"email":"ada@example.com","firstname":"Ada"}}`, "", "properties.firstname", "Zed",
		},
		"an owner among several": {
			"github", "/github", developer, "call: \"github PATCH /repos/{owner}/{repo}/issues/{issue_number}\", inject: owner-changed, with: {once_read: \"github GET /repos/{owner}/{repo}/issues/{issue_number}\", to: hubot}",
			"POST", hello + "/issues", `{"title":"Mine","assignees":["octocat"]}`, "number", "assignees.0.login", "hubot",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := meanwhile(t, c.service, "    {"+c.rule+"}\n")
			p.base, p.key = "http://"+p.Addr()+c.base, c.key
			_, made, _ := p.do(c.method, c.at, c.body, "Notion-Version", "2022-06-28")
			read := c.read
			if !strings.HasPrefix(read, "/") {
				if read == "" {
					read = "id"
				}
				read = c.at + "/" + at(made, read)
			}
			before := at(p.must(200, "GET", read, "", "Notion-Version", "2022-06-28"), c.shows)
			if after := at(p.must(200, "GET", read, "", "Notion-Version", "2022-06-28"), c.shows); before == c.want || after != c.want {
				t.Errorf("%s was %q, and is %q, want %q: %q", c.shows, before, after, c.want, p.whys())
			}
			p.replays()
		})
	}
}
