package generic_test

import (
	"fmt"
	"net/http"
	"testing"

	"parity/fakes"
	"parity/fakes/generic"
)

// Of a document that shows examples alone nothing was kept.
func TestADocumentOfExamplesIsPlayed(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /lists:
    get: {responses: {"200": {description: All, content: {application/json: {example: {code: 200, data: {total: 1, data: [{list_id: 428, list_name: A}]}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [list_name], properties: {list_name: {type: string}}}}}}
      responses: {"200": {description: Made, content: {application/json: {example: {code: 200, data: {list_id: 437, list_name: B}}}}}}
  /lists/{list_id}:
    get:
      parameters: [{name: list_id, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: One, content: {application/json: {example: {code: 200, data: {list_id: 437, list_name: B}}}}}}
`)
	made := r.must(200, r.post("/lists", `{"list_name":"ours"}`))
	id := fmt.Sprintf("%.0f", made.at("data.list_id"))
	want(t, r.must(200, r.get("/lists/"+id)), map[string]any{"data.list_name": "ours"})
	if got := r.must(200, r.get("/lists")).column("data.data", "list_name"); got != "ours" {
		t.Errorf("listed: %s", got)
	}
	if status := r.get("/lists/99").status; status != http.StatusNotFound {
		t.Errorf("nobody made it: %d", status)
	}
}

// An operation under another version than the rest made members that nothing read.
func TestVersionsOfOperationsAreOneCollection(t *testing.T) {
	t.Parallel()
	const team = `{type: object, properties: {id: {type: string}, name: {type: string}}}`
	r := play(t, `
paths:
  /v1/teams:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"200": {description: Made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}
  /v2/teams:
    get:
      parameters: [{name: limit, in: query, schema: {type: number}}, {name: until, in: query, schema: {type: number}}]
      responses: {"200": {description: All, content: {application/json: {schema: {type: object, required: [teams, pagination], properties: {teams: {type: array, items: `+team+`}, pagination: {type: object, required: [next], properties: {count: {type: number}, next: {type: number, nullable: true}}}}}}}}}
  /v2/teams/{teamId}:
    get:
      parameters: [{name: teamId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Team'}}}}, "404": {description: None}}
  /v1/teams/{teamId}:
    delete:
      parameters: [{name: teamId, in: path, required: true, schema: {type: string}}]
      responses: {"204": {description: Gone}}
components: {schemas: {Team: {type: object}}}
`)
	id := r.must(200, r.post("/v1/teams", `{"name":"a"}`)).text("id")
	r.must(200, r.post("/v1/teams", `{"name":"b"}`))
	want(t, r.must(200, r.get("/v2/teams/"+id)), map[string]any{"name": "a"})
	first := r.must(200, r.get("/v2/teams?limit=1"))
	second := r.must(200, r.get("/v2/teams?limit=1&until="+first.text("pagination.next")))
	if first.column("teams", "name") != "a" || second.column("teams", "name") != "b" {
		t.Errorf("pages: %s, %s", first.raw, second.raw)
	}
	r.must(204, r.delete("/v1/teams/"+id))
	if status := r.get("/v2/teams/" + id).status; status != http.StatusNotFound {
		t.Errorf("gone: %d", status)
	}
}

// Two APIs side by side are not one: what has a method and path in both versions
// keeps its members apart.
func TestVersionsWithTheSameCallsStayApart(t *testing.T) {
	t.Parallel()
	const both = `
    get: {responses: {"200": {description: All, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}
    post: {responses: {"201": {description: Made, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}`
	r := play(t, "\npaths:\n  /v1/teams:"+both+"\n  /v2/teams:"+both+"\n")
	r.must(201, r.post("/v1/teams", ""))
	if got := r.must(200, r.get("/v2/teams")).raw; got != "[]" {
		t.Errorf("the other version shows %s", got)
	}
}

// ?first=2&max=2 gave the first page again, and sum was any number.
func TestFirstAndMaxArePagesWithASum(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /groups:
    get:
      parameters: [{name: first, in: query, schema: {type: integer}}, {name: max, in: query, schema: {type: integer}}]
      responses: {"200": {description: All, content: {application/json: {schema: {type: object, required: [sum, groups], properties: {sum: {type: integer}, groups: {type: array, items: {$ref: '#/components/schemas/Group'}}}}}}}}
    post:
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"201": {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}}
components: {schemas: {Group: {type: object, properties: {id: {type: string}, name: {type: string}}}}}
`)
	for _, name := range []string{"a", "b", "c"} { // JSON, where a document that was converted says that all bodies are forms
		if made := r.must(201, r.post("/groups", `{"name":"`+name+`"}`)); made.text("name") != name {
			t.Fatalf("made %s", made.raw)
		}
	}
	page := r.must(200, r.get("/groups?first=2&max=2"))
	if page.column("groups", "name") != "c" || page.text("sum") != "3" {
		t.Errorf("from the third on: %s", page.raw)
	}
}

// Nobody could log in: the call that gives the token asked for one.
func TestACallThatGivesATokenAsksForNone(t *testing.T) {
	t.Parallel()
	r := play(t, `
security: [{jwt: []}]
paths:
  /token/new:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [secret_key], properties: {secret_id: {type: string}, secret_key: {type: string}}}}}}
      responses: {"200": {description: Pair, content: {application/json: {schema: {type: object, properties: {access: {type: string}, refresh: {type: string}}}}}}}
  /things:
    get: {responses: {"200": {description: All, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}, "401": {description: Who, content: {application/json: {schema: {type: object, additionalProperties: {}}, example: {summary: Invalid token, detail: It expired, status_code: 401}}}}}}
components: {securitySchemes: {jwt: {type: http, scheme: bearer}}}
`)
	r.bare = true
	if _, refused := r.service.Fake.(*generic.Fake).Identify(fakes.Credentials{Header: http.Header{}}); refused != nil {
		t.Errorf("turned away before it was looked at: %s", refused.Message)
	}
	r.must(200, r.post("/token/new", `{"secret_id":"a","secret_key":"b"}`))
	refused := r.must(401, r.get("/things"))
	if refused.text("status_code") != "401" || len(refused.text("detail")) < 10 {
		t.Errorf("refused as %s", refused.raw)
	}
}

// A file that named the cursor's parameter was not heeded without a style too.
func TestAFileThatNamesACursorMakesPages(t *testing.T) {
	t.Parallel()
	r := rigOf(t, generic.Options{BehaviourName: "b.yaml", Behaviour: []byte("behaviour: shop\nresources: {things: {list: {cursor: from_here, next: /paging/onwards}}}\n"), Contract: contractOf(t, `
paths:
  /things:
    get:
      parameters: [{name: limit, in: query, schema: {type: integer}}, {name: from_here, in: query, schema: {type: string}}]
      responses: {"200": {description: All, content: {application/json: {schema: {type: object, properties: {things: {type: array, items: {$ref: '#/components/schemas/Thing'}}, paging: {type: object, properties: {onwards: {type: string}}}}}}}}}
    post: {responses: {"201": {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}}
components: {schemas: {Thing: {type: object, properties: {id: {type: string}}}}}
`)})
	for range 2 {
		r.must(201, r.post("/things", ""))
	}
	first := r.must(200, r.get("/things?limit=1"))
	second := r.must(200, r.get("/things?limit=1&from_here="+first.text("paging.onwards")))
	if a, b := first.text("things.0.id"), second.text("things.0.id"); a == b || b == "<nil>" {
		t.Errorf("pages: %s, %s", first.raw, second.raw)
	}
}
