package generic_test

import (
	"strings"
	"testing"
)

// listing is a contract whose list takes some parameters and has some fields
// beside the items.
func listing(parameters, around string) string {
	return `
paths:
  /notes:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
    get:
      parameters: [` + parameters + `]
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, required: [data], properties: {data: {type: array, items: {$ref: '#/components/schemas/Note'}}, ` + around + `}}}}}}
  /notes/{note_id}:
    get:
      parameters: [{name: note_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '404': {description: none}}
components:
  schemas:
    Note: {type: object, required: [id, text], properties: {id: {type: string, readOnly: true}, text: {type: string}}}
`
}

const (
	limitOf  = `{name: limit, in: query, schema: {type: integer, maximum: 50}}`
	cursorOf = `, {name: cursor, in: query, schema: {type: string}}`
	pageOf   = `, {name: page, in: query, schema: {type: integer}}`
)

func TestAPageSaysInEachOfItsPlacesWhereTheNextIs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parameters, around string
		first, last        map[string]any
		next               string // where the first page says the cursor of the second, and its parameter
	}{
		"a cursor beside an address": {
			parameters: limitOf + cursorOf,
			around:     `links: {type: object, properties: {next: {type: string, nullable: true}}}, meta: {type: object, properties: {items_on_page: {type: integer}, cursors: {type: object, properties: {previous: {type: string, nullable: true}, next: {type: string, nullable: true}}}}}`,
			first:      map[string]any{"meta.items_on_page": 2.0}, last: map[string]any{"meta.items_on_page": 1.0, "meta.cursors.next": nil},
			next: "meta.cursors.next cursor",
		},
		"counts that need not be there": {
			parameters: limitOf + pageOf, around: `page: {type: integer}, pages: {type: integer}, results: {type: integer}`,
			first: map[string]any{"page": 1.0, "pages": 2.0, "results": 3.0}, last: map[string]any{"page": 2.0, "pages": 2.0, "results": 3.0},
		},
		"a total that is a text": {
			parameters: limitOf + pageOf, around: `totalSetSize: {type: string}`,
			first: map[string]any{"totalSetSize": "3"}, last: map[string]any{"totalSetSize": "3"},
		},
		"a flag for the last page": {
			parameters: limitOf + pageOf, around: `isLast: {type: boolean}, success: {type: boolean}`,
			first: map[string]any{"isLast": false, "success": nil}, last: map[string]any{"isLast": true},
		},
		"a cursor of an unusual name": {
			parameters: limitOf + `, {name: iterator, in: query, schema: {type: string, nullable: true}}`,
			around:     `done: {type: boolean}, iterator: {type: string, nullable: true}, prevIterator: {type: string, nullable: true}`,
			first:      map[string]any{"done": false}, last: map[string]any{"done": true},
			next: "iterator iterator",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := play(t, listing(c.parameters, c.around))
			for _, text := range []string{"a", "b", "c"} {
				r.must(201, r.post("/notes", `{"text": "`+text+`"}`))
			}
			first := r.must(200, r.get("/notes?limit=2"))
			second := "page=2"
			if at, parameter, ok := strings.Cut(c.next, " "); ok {
				second = parameter + "=" + first.text(at)
			}
			last := r.must(200, r.get("/notes?limit=2&"+second))
			if first.column("data", "text") != "a b" || last.column("data", "text") != "c" {
				t.Errorf("pages are %s and %s", first.raw, last.raw)
			}
			for at, wanted := range c.first {
				if got := first.at(at); got != wanted {
					t.Errorf("the first page says %s: %v, not %v: %s", at, got, wanted, first.raw)
				}
			}
			for at, wanted := range c.last {
				if got := last.at(at); got != wanted {
					t.Errorf("the last page says %s: %v, not %v: %s", at, got, wanted, last.raw)
				}
			}
		})
	}
}
