package generic_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// Lists ended after their first page, in silence, where the next one is told in
// a place of its own: in an object of any name, under the name of the parameter,
// in the header Link, or by nothing but the last id.
func TestAListCanBeReadToItsEndHoweverItsNextPageIsTold(t *testing.T) {
	t.Parallel()
	const record = `{type: object, properties: {id: {type: string}, name: {type: string}}}`
	link := func(g got) string {
		target, _, _ := strings.Cut(strings.TrimPrefix(g.header.Get("Link"), "<"), ">")
		u, err := url.Parse(target)
		if err != nil || target == "" || !strings.Contains(g.header.Get("Link"), `rel="next"`) {
			return ""
		}
		return "?" + u.RawQuery
	}
	by := func(parameter, path string) func(got) string {
		return func(g got) string {
			if next, ok := g.at(path).(string); ok && next != "" {
				return "?limit=2&" + parameter + "=" + url.QueryEscape(next)
			}
			return ""
		}
	}
	for name, test := range map[string]struct {
		parameters, reply, items string
		next                     func(got) string
	}{
		"list_metadata.after": {
			`{name: after, in: query, schema: {type: string}}, {name: before, in: query, schema: {type: string}}`,
			`{type: object, properties: {data: {type: array, items: ` + record + `}, list_metadata: {type: object, properties: {before: {type: string, nullable: true}, after: {type: string, nullable: true}}}}}`,
			"data", by("after", "list_metadata.after"),
		},
		"a token that is called offset": {
			`{name: offset, in: query, description: An offset that the page before has told., schema: {type: string}}`,
			`{type: object, properties: {data: {type: array, items: ` + record + `}, next_page: {type: object, nullable: true, properties: {offset: {type: string}, path: {type: string}, uri: {type: string}}}}}`,
			"data", by("offset", "next_page.offset"),
		},
		"the parameter's own name": {
			`{name: resumeToken, in: query, schema: {type: string}}, {name: list_cursor, in: query, schema: {type: string}}`,
			`{type: object, properties: {things: {type: array, items: ` + record + `}, list_cursor: {type: string}}}`,
			"things", by("list_cursor", "list_cursor"),
		},
		"two objects deep": {
			`{name: cursor, in: query, schema: {type: string}}`,
			`{type: object, properties: {data: {type: array, items: ` + record + `}, page_details: {type: object, properties: {cursors: {type: object, properties: {after: {type: string}}}}}}}`,
			"data", by("cursor", "page_details.cursors.after"),
		},
		"Link alone":             {`{name: after, in: query, schema: {type: string}}`, `{type: array, items: ` + record + `}`, "", link},
		"Link of numbered pages": {`{name: page, in: query, schema: {type: integer}}`, `{type: array, items: ` + record + `}`, "", link},
		"the last id": {
			`{name: starting_after, in: query, schema: {type: string}}`, `{type: array, items: ` + record + `}`, "",
			func(g got) string {
				ids := strings.Fields(g.column("", "id"))
				if len(ids) < 2 {
					return ""
				}
				return "?limit=2&starting_after=" + ids[len(ids)-1]
			},
		},
		"a number that begins with 0": {
			`{name: page, in: query, example: 0, schema: {type: integer}}`, `{type: array, items: ` + record + `}`, "",
			func() func(got) string {
				n := 0
				return func(g got) string {
					if n++; len(strings.Fields(g.column("", "id"))) < 2 {
						return ""
					}
					return fmt.Sprintf("?limit=2&page=%d", n)
				}
			}(),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := play(t, `
paths:
  /things:
    post: {requestBody: {content: {application/json: {schema: `+record+`}}}, responses: {'201': {description: made, content: {application/json: {schema: `+record+`}}}}}
    get:
      parameters: [`+test.parameters+`, {name: limit, in: query, schema: {type: integer}}]
      responses: {'200': {description: all, content: {application/json: {schema: `+test.reply+`}}}}
  /things/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: one, content: {application/json: {schema: `+record+`}}}}}
`)
			var wanted, found []string
			for i := range 5 {
				wanted = append(wanted, r.must(201, r.post("/things", fmt.Sprintf(`{"name":"n%d"}`, i))).text("name"))
			}
			for at, pages := "?limit=2", 0; at != "" && pages < 6; pages++ {
				page := r.must(200, r.get("/things"+at))
				found = append(found, strings.Fields(page.column(test.items, "name"))...)
				at = test.next(page)
			}
			if strings.Join(found, " ") != strings.Join(wanted, " ") {
				t.Errorf("the pages have %v", found)
			}
		})
	}
}

// The address of the next page led to the first again, where the contract names
// no parameter that it could have.
func TestTheAddressOfTheNextPageLeadsThere(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /pools:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}}
    get: {parameters: [{name: maxresults, in: query, schema: {type: integer}}], responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {odata.nextLink: {type: string}, value: {type: array, items: {$ref: '#/components/schemas/P'}}}}}}}}}
  /pools/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}}
components: {schemas: {P: {type: object, properties: {id: {type: string, readOnly: true}, name: {type: string}}}}}
`)
	for _, name := range []string{"a", "b", "c"} {
		r.must(201, r.post("/pools", `{"name":"`+name+`"}`))
	}
	names, target := "", "/pools?maxresults=1"
	for range 4 {
		page := r.must(200, r.get(target))
		names += page.column("value", "name")
		next, _ := page.body.(map[string]any)["odata.nextLink"].(string)
		if next == "" {
			break
		}
		target = strings.TrimPrefix(next, "https://api.example")
	}
	if names != "abc" {
		t.Errorf("the pages show %s", names)
	}
}

// What a list calls itself was a word at random.
func TestAListCallsItselfOne(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /things:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/thing'}}}}, responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/thing'}}}}}}
    get: {responses: {'200': {description: all, content: {application/json: {schema: {type: object, required: [object, data], properties: {object: {type: string}, data: {type: array, items: {$ref: '#/components/schemas/thing'}}}}}}}}}
  /things/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/thing'}}}}}}
components: {schemas: {thing: {type: object, properties: {id: {type: string}, name: {type: string}}}}}
`)
	if g := r.must(200, r.get("/things")); g.text("object") != "list" {
		t.Errorf("it calls itself %q", g.text("object"))
	}
}
