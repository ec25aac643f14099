package gateway_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// counted is a list of one's own whose pages have a number, and say nothing but
// how many items there are in all.
const counted = `openapi: 3.1.0
info: {title: Notes, version: "1"}
servers: [{url: https://notes.example}]
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - {name: page, in: query, schema: {type: integer, default: 1}}
        - {name: per_page, in: query, schema: {type: integer, default: 20}}
      responses:
        '200': {description: a page, content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {$ref: '#/components/schemas/Note'}}, total: {type: integer}}}}}}
    post:
      operationId: createNote
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getNote
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
    delete:
      operationId: deleteNote
      responses: {'204': {description: gone}}
components:
  schemas: {Note: {type: object, properties: {id: {type: string, readOnly: true}, text: {type: string}}}}
`

// Lists that are gone through by numbers, up to a total, were taken for lists
// without pages.
func TestFaultsOfListsThatAreCountedThrough(t *testing.T) {
	t.Parallel()
	byNumber := func(was ask, _ string, _ *http.Response, body map[string]any) (ask, bool) {
		u, _ := url.Parse(was.target)
		q := u.Query()
		page, _ := strconv.Atoi(q.Get("page"))
		total, _ := strconv.Atoi(at(body, "total"))
		q.Set("page", strconv.Itoa(page+1))
		u.RawQuery = q.Encode()
		return ask{was.method, u.String(), ""}, page*4 < total
	}
	l := list{"counted", "notes.listNotes", "notes: {contract: notes.yaml}", ask{"GET", "https://notes.example/notes?per_page=4&page=1", ""}, nil, "items", "id", byNumber}
	for rule, want := range map[string]string{
		"inject: moving-page, with: {insert: 1, remove: 1}":       "made deleted,made deleted,no page follows this one",
		"inject: partial-page, with: {drop: 50%}":                 "left out 2 of 4,left out 2 of 4,none can be left out",
		"inject: partial-page, with: {drop: 50%, marker: hidden}": "left out 2 of 4 no more",
	} {
		h := open(t, "profile: pages\nseed: 7\nservices: {"+l.services+"}\nfaults:\n  it: {call: notes.listNotes, "+rule+"}\n", beside(t, "notes.yaml", counted))
		r := &pager{&bench{h, h.proxied(false)}, l}
		for i := range 9 {
			r.does(ask{"POST", "https://notes.example/notes", fmt.Sprintf(`{"text":"note %d"}`, i)})
		}
		pages := r.all()
		if hidden := strings.Contains(rule, "hidden"); hidden != (len(pages) == 1) {
			t.Errorf("%s: %v", rule, pages)
		}
		var did []string
		for _, x := range exchanges(h) {
			for _, s := range x.Strikes {
				did = append(did, s.Did+s.Why)
			}
		}
		for i, words := range strings.Split(want, ",") {
			for word := range strings.FieldsSeq(words) {
				if i >= len(did) || !strings.Contains(did[i], word) {
					t.Errorf("%s: %q, want %q", rule, did, want)
				}
			}
		}
	}
}
