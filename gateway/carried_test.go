package gateway_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/faults/trail"
)

// readersAlone is a profile in which nobody may more than read, at services that
// take other calls in calls: batches, and documents of GraphQL.
const readersAlone = `
profile: readers-alone
seed: 7
services:
  stripe: {}
  googlecalendar: {}
  notes:
    contract: notes.yaml
    classes: {"notes POST /graphql": {query: read, mutation: irreversible, fields: {addNote: reversible}}}
clock: {mode: stepped}
policy: {strangers: read}
`

const notesContract = `
openapi: 3.1.0
info: {title: Notes, version: "1"}
servers: [{url: "https://notes.acme.internal"}]
paths:
  /graphql:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {query: {type: string}, operationName: {type: string}}}}}}
      responses: {"200": {description: What was asked for., content: {application/json: {schema: {type: object, properties: {data: {type: object}}}}}}}
`

// partsOf is a batch in Google's form.
func partsOf(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("--b\r\nContent-Type: application/http\r\n\r\n" + p + "\r\n\r\n")
	}
	return b.String() + "--b--\r\n"
}

// A call that carries another is as much as what it carries: a reader's is
// refused, and changes nothing.
func TestACallThatHidesAnotherIsRefused(t *testing.T) {
	t.Parallel()
	const (
		customers = "https://api.stripe.com/v1/customers"
		graphql   = "https://notes.acme.internal/graphql"
		batches   = "https://www.googleapis.com/batch/calendar/v3"
		list      = "GET /calendar/v3/users/me/calendarList HTTP/1.1\r\n"
	)
	document := []string{"Content-Type", "application/json"}
	mixed := []string{"Content-Type", "multipart/mixed; boundary=b", "Authorization", "Bearer ya29.sdk"}
	cases := []struct {
		name, method, target, body string
		header                     []string
		code                       string // "": it is answered
	}{
		{"a read", "GET", customers, "", nil, ""},
		{"an override", "GET", customers + "/cus_1", "", []string{"X-HTTP-Method-Override", "DELETE"}, "class-escalation"},
		{"an older override", "GET", customers + "/cus_1", "", []string{"X-Method-Override", "delete"}, "class-escalation"},
		{"an override in the query", "GET", customers + "?_method=POST", "", nil, "class-escalation"},
		{"an override in the form", "POST", customers, "_method=DELETE", nil, "class-escalation"},
		{"an override that says the same", "GET", customers, "", []string{"X-HTTP-Method-Override", "GET"}, ""},
		{"a write", "POST", customers, "name=Ada", nil, "not-granted"},
		{"no operation", "PUT", customers, "name=Ada", nil, "no-policy"},
		{"a query", "POST", graphql, `{"query":"{ notes { id } }"}`, document, ""},
		{"a mutation", "POST", graphql, `{"query":"mutation { dropNote(id: 1) { id } }"}`, document, "not-granted"},
		{"a mutation beside a query, and selected", "POST", graphql, `{"operationName":"B","query":"query A { notes { id } } mutation B { addNote { id } }"}`, document, "not-granted"},
		{"a mutation beside a query that is", "POST", graphql, `{"operationName":"A","query":"query A { notes { id } } mutation B { addNote { id } }"}`, document, ""},
		{"a mutation in a list", "POST", graphql, `[{"query":"{ notes { id } }"},{"query":"mutation { dropNote { id } }"}]`, document, "not-granted"},
		{"a mutation in the query of a query", "POST", graphql + "?query=mutation%7Bx%7D", `{"query":"{ notes { id } }"}`, document, "not-granted"},
		{"a subscription", "POST", graphql, `{"query":"subscription { noted }"}`, document, "not-granted"},
		{"a batch of reads", "POST", batches, partsOf(list, list), mixed, ""},
		{"a batch with a delete", "POST", batches, partsOf(list, "DELETE /calendar/v3/calendars/primary/events/e1 HTTP/1.1\r\n"), mixed, "not-granted"},
		{"a batch with no operation", "POST", batches, partsOf("GET /calendar/v3/nothing HTTP/1.1\r\n"), mixed, "no-policy"},
		{"a batch with an override", "POST", batches, partsOf(list + "X-HTTP-Method-Override: DELETE\r\n"), mixed, "class-escalation"},
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.yaml"), []byte(notesContract), 0o600); err != nil {
		t.Fatal(err)
	}
	h := openIn(t, dir, readersAlone)
	c, before := h.proxied(false), h.Run.World().Hash()
	for _, a := range cases {
		status, _, header, err := call(t, c, a.method, a.target, a.body, a.header...)
		switch code := header.Get("X-Parity-Refused"); {
		case err != nil && a.code != "", code != a.code:
			t.Errorf("%s: %d %q, want %q (%v)", a.name, status, code, a.code, err)
		case code != "" && status != http.StatusForbidden, code == "" && status != http.StatusOK:
			t.Errorf("%s: %d", a.name, status)
		}
	}
	if h.Run.World().Hash() != before {
		t.Error("the world has changed")
	}
	events, _ := h.events()
	for i, n := 0, 0; i < len(events); i++ {
		if e := &events[i]; e.Kind == trail.Exchanged && e.Exchange.Within == 0 {
			if a := cases[n]; e.Exchange.Policy == nil || e.Exchange.Committed || e.Exchange.Outcome == trail.Panicked || (e.Exchange.Policy.Decision == trail.PolicyRefused) != (a.code != "") {
				t.Errorf("%s: %s %+v", a.name, e.Exchange.Outcome, e.Exchange.Policy)
			}
			n++
		}
	}
}
