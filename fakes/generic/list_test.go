package generic_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// shop is a document of lists, in whatever way they are paged.
func shop(t testing.TB, parameters, reply string) *rig {
	t.Helper()
	return play(t, `
paths:
  /things:
    get:
      parameters:
`+parameters+`
      responses:
        '200':
`+reply+`
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}
  /things/{thing_id}:
    get:
      parameters: [{name: thing_id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}
    delete:
      parameters: [{name: thing_id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: gone}}
components:
  schemas:
    Thing:
      type: object
      required: [id, name]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string}
        size: {type: integer}
        color: {type: string, enum: [red, blue]}
        made_at: {type: string, format: date-time}
`)
}

const things = `          content:
            application/json:
              schema:
                type: object
                required: [items]
                properties:
                  items: {type: array, items: {$ref: '#/components/schemas/Thing'}}
`

func fill(r *rig, n int) {
	r.t.Helper()
	for i := range n {
		color := []string{"red", "blue"}[i%2]
		r.must(201, r.post("/things", fmt.Sprintf(`{"name":"n%02d","size":%d,"color":"%s","made_at":"2026-01-%02dT00:00:00Z"}`, i, n-i, color, i+1)))
	}
}

func TestPagesByCursorHoldWhateverIsWrittenBetween(t *testing.T) {
	t.Parallel()
	r := shop(t, `        - {name: limit, in: query, schema: {type: integer, maximum: 3}}
        - {name: cursor, in: query, schema: {type: string}}`,
		`          description: some`+"\n"+things+`                  next_cursor: {type: string, nullable: true}
                  has_more: {type: boolean}
                  total: {type: integer}
`)
	fill(r, 7)
	first := r.must(200, r.get("/things?limit=3"))
	want(t, first, map[string]any{"has_more": true, "total": 7})
	if got := first.column("items", "name"); got != "n00 n01 n02" {
		t.Errorf("the first page has %s", got)
	}
	r.must(204, r.delete("/things/"+numberText(first.at("items.2.id")))) // where the cursor stands
	second := r.must(200, r.get("/things?limit=3&cursor="+url.QueryEscape(first.text("next_cursor"))))
	if got := second.column("items", "name"); got != "n03 n04 n05" {
		t.Errorf("the second page has %s", got)
	}
	last := r.must(200, r.get("/things?limit=3&cursor="+url.QueryEscape(second.text("next_cursor"))))
	if got := last.column("items", "name"); got != "n06" {
		t.Errorf("the last page has %s", got)
	}
	want(t, last, map[string]any{"has_more": false, "next_cursor": nil})
	r.must(400, r.get("/things?cursor=nonsense"))
}

func TestPagesByOffsetByPageAndByLink(t *testing.T) {
	t.Parallel()
	limit := `        - {name: per_page, in: query, schema: {type: integer, default: 2}}` + "\n"
	for _, test := range []struct{ name, parameters, query, first, second string }{
		{"offset", limit + `        - {name: offset, in: query, schema: {type: integer, default: 0}}`, "offset=2", "n00 n01", "n02 n03"},
		{"page", limit + `        - {name: page, in: query, schema: {type: integer, default: 1}}`, "page=2", "n00 n01", "n02 n03"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := shop(t, test.parameters, `          description: some`+"\n          headers: {Link: {schema: {type: string}}}\n"+things)
			fill(r, 5)
			first := r.must(200, r.get("/things"))
			if got := first.column("items", "name"); got != test.first {
				t.Errorf("the first page has %s", got)
			}
			second := r.must(200, r.get("/things?"+test.query))
			if got := second.column("items", "name"); got != test.second {
				t.Errorf("the second page has %s", got)
			}
			link := first.header.Get("Link")
			next, _, _ := strings.Cut(strings.TrimPrefix(link, "<https://api.example"), ">")
			if !strings.Contains(link, `rel="next"`) {
				t.Fatalf("Link is %s", link)
			}
			if got := r.must(200, r.get(next)).column("items", "name"); got != test.second {
				t.Errorf("%s leads to %s", next, got)
			}
			end := r.must(200, r.get("/things?per_page=50"))
			if link := end.header.Get("Link"); link != "" {
				t.Errorf("the whole list has the Link %s", link)
			}
		})
	}
}

func TestListsAreFilteredSearchedAndSorted(t *testing.T) {
	t.Parallel()
	r := shop(t, `        - {name: color, in: query, schema: {type: string}}
        - {name: min_size, in: query, schema: {type: integer}}
        - {name: made_before, in: query, schema: {type: string, format: date-time}}
        - {name: sort, in: query, schema: {type: string}}
        - {name: q, in: query, schema: {type: string}}`,
		`          description: some`+"\n"+things)
	fill(r, 4)
	for query, names := range map[string]string{
		"":                                 "n00 n01 n02 n03",
		"color=red":                        "n00 n02",
		"color=green":                      "",
		"min_size=3":                       "n00 n01",
		"made_before=2026-01-02T12:00:00Z": "n00 n01",
		"sort=size":                        "n03 n02 n01 n00",
		"sort=-name":                       "n03 n02 n01 n00",
		"sort=color,-name":                 "n03 n01 n02 n00",
		"sort=name:desc":                   "n03 n02 n01 n00",
		"made_before=2026-01-02T00:30:00%2B00:30": "n00",
		"q=N02":                              "n02",
		"color=blue&sort=-size&min_size=1":   "n01 n03",
		"q=zzz":                              "",
		"made_before=2025-12-31T12%3A00:00Z": "",
	} {
		if got := r.must(200, r.get("/things?"+query)).column("items", "name"); got != names {
			t.Errorf("%s: %q, want %q", query, got, names)
		}
	}
}

func TestASearchByPostListsToo(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	for _, name := range []string{"Ada", "Bob", "Adam"} {
		r.must(201, r.post("/v1/contacts", `{"email":"`+name+`@acme.example","first_name":"`+name+`"}`))
	}
	found := r.must(200, r.post("/v1/contacts/search", `{"query":"ada","limit":1}`))
	if got := found.column("data", "first_name"); got != "Ada" {
		t.Errorf("found %s", got)
	}
	want(t, found, map[string]any{"total": 2})
}

func TestWhatStandsAroundAListIsTrue(t *testing.T) {
	t.Parallel()
	r := shop(t, `        - {name: page, in: query, schema: {type: integer, default: 1}}
        - {name: per_page, in: query, schema: {type: integer, default: 2}}`,
		`          description: some
          content:
            application/json:
              schema:
                type: object
                required: [items, meta]
                properties:
                  items: {type: array, items: {$ref: '#/components/schemas/Thing'}}
                  meta:
                    type: object
                    required: [pages_total, has_prev, count, per_page]
                    properties:
                      pages_total: {type: integer}
                      has_prev: {type: boolean}
                      has_more: {type: boolean}
                      count: {type: integer}
                      per_page: {type: integer}
`)
	fill(r, 5)
	want(t, r.must(200, r.get("/things?page=3")), map[string]any{"meta.pages_total": 3, "meta.has_prev": true, "meta.per_page": 2})
	want(t, r.must(200, r.get("/things")), map[string]any{"meta.has_prev": false})
}

// A record that its create shows by another name of its id can be read by it.
func TestIDsAreShownByEveryNameThatTheContractHasForThem(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /jobs:
    get: {responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Job'}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'202': {description: begun, content: {application/json: {schema: {type: object, required: [jobId], properties: {jobId: {type: string}}}}}}}
  /jobs/{jobId}:
    get:
      parameters: [{name: jobId, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}}
components:
  schemas:
    Job: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}}}
`)
	made := r.must(202, r.post("/jobs", `{"name":"sweep"}`))
	want(t, r.must(200, r.get("/jobs/"+made.text("jobId"))), map[string]any{"name": "sweep", "id": made.at("jobId")})
}
