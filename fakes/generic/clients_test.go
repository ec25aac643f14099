package generic_test

import (
	"strings"
	"testing"
)

const people = `
paths:
  /people:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}
    get:
      parameters: [{name: q, in: query, schema: {type: string}}, {name: address.city, in: query, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {people: {type: array, items: {$ref: '#/components/schemas/Person'}}, pages: {type: object, properties: {next: {type: object, nullable: true, properties: {starting_after: {type: string}}}}}}}}}}}
  /people/search:
    post:
      parameters: [{name: history, in: query, schema: {type: boolean}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {query: {oneOf: [{type: object, properties: {field: {type: string}, operator: {type: string}, value: {type: string}}}]}, pagination: {type: object, properties: {per_page: {type: integer}, starting_after: {type: string}}}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {people: {type: array, items: {$ref: '#/components/schemas/Person'}}, pages: {type: object, properties: {next: {type: object, nullable: true, properties: {starting_after: {type: string}}}}}}}}}}}
  /people/{id}:
    parameters: [{name: id, in: path, required: true, description: The person's ID or email address., schema: {type: string}}]
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}}
    put:
      operationId: updatePerson
      description: What is not sent remains unchanged. Send what is to be changed, or else you may overwrite the changes of others.
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}
  /api_keys:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}, token: {type: string}}}}}}}
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}, name: {type: string}}}}}}}}}
  /workspaces:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Workspace'}}}}}}}
  /workspaces/{id}:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Workspace'}}}}}}
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Workspace'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Workspace'}}}}}
components:
  schemas:
    Person: {type: object, properties: {id: {type: string}, name: {type: string}, email: {type: string}, address: {type: object, properties: {city: {type: string}}}}}
    Workspace: {type: object, properties: {id: {type: string}, name: {type: string}}}
`

func peopled(t *testing.T) *rig {
	t.Helper()
	r := play(t, people)
	for _, name := range []string{"Ada", "Bob", "Cyd"} {
		r.must(200, r.post("/people", `{"name":"`+name+`","email":"`+strings.ToLower(name)+`@example.com","address":{"city":"`+name+`ville"}}`))
	}
	return r
}

// A PUT that is called an update took away what was not sent.
func TestAPutThatIsAnUpdateLeavesWhatIsNotSent(t *testing.T) {
	t.Parallel()
	r := peopled(t)
	at := "/people/" + r.get("/people?limit=1").column("people", "id")
	want(t, r.must(200, r.put(at, `{"name":"Eve"}`)), map[string]any{"name": "Eve", "email": "ada@example.com"})
}

func TestAMemberIsFoundByWhatItsParameterSays(t *testing.T) {
	t.Parallel()
	r := peopled(t)
	want(t, r.must(200, r.get("/people/bob@example.com")), map[string]any{"name": "Bob"})
}

// Clients page through lists whose documents forget to say so.
func TestPagesThatTheDocumentForgets(t *testing.T) {
	t.Parallel()
	r := peopled(t)
	first := r.must(200, r.get("/people?per_page=2"))
	next := r.must(200, r.get("/people?per_page=2&starting_after="+first.text("pages.next.starting_after")))
	if got := first.column("people", "name") + "; " + next.column("people", "name"); got != "Ada Bob; Cyd" {
		t.Errorf("the pages have %s", got)
	}
}

func TestASearchByAConditionFinds(t *testing.T) {
	t.Parallel()
	r := peopled(t)
	found := r.must(200, r.post("/people/search", `{"query":{"field":"email","operator":"=","value":"bob@example.com"}}`))
	if got := found.column("people", "name"); got != "Bob" {
		t.Errorf("found is %s", got)
	}
	first := r.must(200, r.post("/people/search", `{"pagination":{"per_page":2}}`))
	next := r.must(200, r.post("/people/search", `{"pagination":{"per_page":2,"starting_after":"`+first.text("pages.next.starting_after")+`"}}`))
	if got := first.column("people", "name") + "; " + next.column("people", "name"); got != "Ada Bob; Cyd" {
		t.Errorf("the pages have %s", got)
	}
}

// A filter in a language was looked for as a text, and found nothing.
func TestAFilterInALanguageFiltersNothing(t *testing.T) {
	t.Parallel()
	r := peopled(t)
	for query, wanted := range map[string]string{
		"q=name%20%3D%20'Ada'":   "Ada Bob Cyd",
		"q=name+eq+%22Ada%22":    "Ada Bob Cyd",
		"q=ada":                  "Ada",
		"address.city=Bobville":  "Bob",
		"address.city=elsewhere": "",
	} {
		if got := r.must(200, r.get("/people?"+query)).column("people", "name"); got != wanted {
			t.Errorf("%s finds %s", query, got)
		}
	}
}

func TestWhatIsToldOnceIsInTheReplyToACreation(t *testing.T) {
	t.Parallel()
	r := play(t, people)
	made := r.must(201, r.post("/api_keys", `{"name":"K"}`))
	if made.text("token") == "<nil>" || strings.Contains(r.get("/api_keys").raw, made.text("token")) {
		t.Errorf("it is %s, then %s", made.raw, r.get("/api_keys").raw)
	}
}

// What nothing makes and something changes was not there.
func TestWhatNothingMakesAndSomethingChangesIsThereFromTheStart(t *testing.T) {
	t.Parallel()
	r := play(t, people)
	ids := strings.Fields(r.must(200, r.get("/workspaces")).column("", "id"))
	if len(ids) == 0 {
		t.Fatal("there is none")
	}
	want(t, r.must(200, r.put("/workspaces/"+ids[0], `{"name":"Mine"}`)), map[string]any{"id": ids[0], "name": "Mine"})
	want(t, r.must(200, r.get("/workspaces/"+ids[0])), map[string]any{"name": "Mine"})
	if now := strings.Fields(r.get("/workspaces").column("", "id")); len(now) != len(ids) {
		t.Errorf("there are %v, and were %v", now, ids)
	}
}
