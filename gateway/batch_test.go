package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// shelf is a service whose batches and maps a contract alone describes.
const shelf = `
openapi: 3.0.3
info: {title: Shelf, version: '1'}
servers: [{url: 'https://shelf.example'}]
paths:
  /books/batch:
    post:
      operationId: readBooks
      x-parity-effect: read
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {ids: {type: array, items: {type: string}}}}}}}
      responses:
        '200':
          description: those
          content: {application/json: {schema: {type: object, properties: {found: {type: array, items: {$ref: '#/components/schemas/Book'}}}},
            example: {found: [{id: b1}, {id: b2}, {id: b3}]}}}
  /books/table:
    get:
      operationId: tableOfBooks
      responses:
        '200':
          description: by id
          content: {application/json: {schema: {type: object, properties: {books: {type: object, additionalProperties: {$ref: '#/components/schemas/Book'}}}},
            example: {books: {b1: {id: b1}, b2: {id: b2}}}}}
components:
  schemas: {Book: {type: object, properties: {id: {type: string}, title: {type: string}}}}
`

// A batch of records was taken for a record: all of it was null, and none of it
// was left out.
func TestPartialResultsOfBatchesAndMaps(t *testing.T) {
	t.Parallel()
	hub := []string{"Authorization", "Bearer pat-na1-week"}
	for name, c := range map[string]struct {
		services, call, with string
		list, read           ask // read: IDS, QUERY and INPUTS are those of the list
		header               []string
		items, id            string // of the list, dotted
		shown                string // in the reply, dotted; "" is a map
		status               int
		has                  string
	}{
		"hubspot": {
			"hubspot: {fixtures: [hubspot-messy]}", "hubspot POST /crm/v3/objects/{objectType}/batch/read", "parts: 1",
			ask{"GET", "https://api.hubapi.com/crm/v3/objects/contacts?limit=4", ""},
			ask{"POST", "https://api.hubapi.com/crm/v3/objects/contacts/batch/read", `{"inputs":[INPUTS]}`},
			hub, "results", "id", "results", 200, `"status":"COMPLETE"`,
		},
		"hubspot says so": {
			"hubspot: {fixtures: [hubspot-messy]}", "hubspot POST /crm/v3/objects/{objectType}/batch/read", "parts: 50%, marker: flag",
			ask{"GET", "https://api.hubapi.com/crm/v3/objects/contacts?limit=4", ""},
			ask{"POST", "https://api.hubapi.com/crm/v3/objects/contacts/batch/read", `{"inputs":[INPUTS]}`},
			hub, "results", "id", "results", 207, `"numErrors":1`,
		},
		"hubspot by address": {
			"hubspot: {fixtures: [hubspot-messy]}", "hubspot GET /contacts/v1/contact/vids/batch", "parts: 1",
			ask{"GET", "https://api.hubapi.com/crm/v3/objects/contacts?limit=4", ""},
			ask{"GET", "https://api.hubapi.com/contacts/v1/contact/vids/batch?vid=IDS", ""},
			hub, "results", "id", "", 200, `"properties"`,
		},
		"zendesk": {
			"zendesk: {fixtures: [zendesk-messy]}", "zendesk GET /api/v2/tickets/show_many", "parts: 1",
			ask{"GET", "https://acme.zendesk.com/api/v2/tickets?per_page=4", ""},
			ask{"GET", "https://acme.zendesk.com/api/v2/tickets/show_many?ids=QUERY", ""},
			[]string{"Authorization", zendeskKey},
			"tickets", "id", "tickets", 200, `"tickets"`,
		},
		"a contract's batch": {"shelf: {contract: shelf.yaml}", "shelf.readBooks", "parts: 1", ask{}, ask{"POST", "https://shelf.example/books/batch", `{"ids":["b1","b2","b3"]}`}, nil, "", "", "found", 200, ""},
		"a contract's map":   {"shelf: {contract: shelf.yaml}", "shelf.tableOfBooks", "parts: 1", ask{}, ask{"GET", "https://shelf.example/books/table", ""}, nil, "", "", "books", 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, "profile: batch\nseed: 7\nservices: {"+c.services+"}\nclock: {mode: stepped}\nfaults:\n  it: {call: \""+c.call+"\", inject: partial-result, with: {"+c.with+"}, trigger: {nth: 1}}\n",
				beside(t, "shelf.yaml", shelf))
			b := &bench{h, h.proxied(false)}
			var ids []string
			if c.list.target != "" {
				_, text := b.does(c.list, c.header...)
				var body map[string]any
				if err := json.Unmarshal([]byte(text), &body); err != nil {
					t.Fatalf("%v %s", err, text)
				}
				items, _ := body[c.items].([]any)
				for _, item := range items {
					ids = append(ids, at(item, c.id))
				}
			}
			var inputs []string
			for _, id := range ids {
				inputs = append(inputs, fmt.Sprintf(`{"id":%q}`, id))
			}
			fill := strings.NewReplacer("IDS", strings.Join(ids, "&vid="), "QUERY", strings.Join(ids, ","), "INPUTS", strings.Join(inputs, ","))
			c.read.target, c.read.body = fill.Replace(c.read.target), fill.Replace(c.read.body)
			partial, status := shownBy(b, c.read, c.shown, c.header)
			whole, _ := shownBy(b, c.read, c.shown, c.header)
			strike := came(h)[len(came(h))-2].Strikes[0]
			if len(whole) < 2 || len(partial) >= len(whole) || status != c.status || !strike.Fired {
				t.Fatalf("%d %v, of %v: %+v", status, partial, whole, strike)
			}
			for _, id := range whole {
				if left := slices.Contains(strike.Left, id); left == slices.Contains(partial, id) {
					t.Errorf("%s: shown %v, recorded as left out %v", id, partial, strike.Left)
				}
			}
			if body := string(came(h)[len(came(h))-2].ReplyBody); !strings.Contains(body, c.has) {
				t.Errorf("it says %s, without %s", body, c.has)
			}
			b.replays()
		})
	}
}

// shownBy lists the ids of the records in a reply.
func shownBy(b *bench, a ask, under string, header []string) ([]string, int) {
	reply, text := b.does(a, header...)
	var body map[string]any
	if err := json.Unmarshal([]byte(text), &body); err != nil || reply.StatusCode >= http.StatusBadRequest {
		b.t.Fatalf("%s: %d %v %s", a.target, reply.StatusCode, err, text)
	}
	at := any(body)
	if under != "" {
		at = body[under]
	}
	var ids []string
	switch at := at.(type) {
	case []any:
		for _, item := range at {
			ids = append(ids, fmt.Sprint(item.(map[string]any)["id"]))
		}
	case map[string]any:
		for id := range at {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, reply.StatusCode
}
