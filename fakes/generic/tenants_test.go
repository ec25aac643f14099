package generic_test

import (
	"fmt"
	"testing"
)

// one is a reply with a thing.
func one(status, schema string) string {
	return `responses: {'` + status + `': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/` + schema + `'}}}}, '404': {description: none}}`
}

const takesNamed = `requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}`

// tenanted is a service of which nearly all is below an account that a client is
// set up with; accounts can be made too.
func tenanted(word string) string {
	id := `parameters: [{name: owner_id, in: path, required: true, schema: {type: string}}`
	groups := `{type: object, properties: {groups: {type: array, items: {$ref: '#/components/schemas/Group'}}}}`
	return fmt.Sprintf(`
paths:
  /%[1]s:
    post: {%[2]s, %[3]s}
  /%[1]s/{owner_id}:
    %[4]s]
    get: {%[5]s}
  /%[1]s/{owner_id}/groups:
    %[4]s]
    get: {responses: {'200': {description: all, content: {application/json: {schema: %[6]s}}}, '404': {description: none}}}
    post: {%[2]s, %[7]s}
  /%[1]s/{owner_id}/groups/{group_id}:
    %[4]s, {name: group_id, in: path, required: true, schema: {type: string}}]
    get: {%[8]s}
    put: {%[2]s, %[8]s}
    delete: {responses: {'204': {description: gone}}}
components:
  schemas:
    Owner: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}
    Group: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}
`, word, takesNamed, one("201", "Owner"), id, one("200", "Owner"), groups, one("201", "Group"), one("200", "Group"))
}

func TestTheAccountThatAClientIsSetUpWithIsThere(t *testing.T) {
	t.Parallel()
	r := play(t, tenanted("accounts"))
	id := r.must(201, r.post("/accounts/acc-1/groups", `{"name": "a"}`)).text("id")
	want(t, r.must(200, r.get("/accounts/acc-1/groups/"+id)), map[string]any{"name": "a"})
	if got := r.get("/accounts/acc-1/groups").column("groups", "name"); got != "a" {
		t.Errorf("it has %s", got)
	}
	made := r.must(201, r.post("/accounts", `{"name": "mine"}`)).text("id")
	r.must(201, r.post("/accounts/"+made+"/groups", `{"name": "b"}`))
	if got := r.post("/accounts/acc-2/groups", `{"name": "c"}`).status; got != 404 {
		t.Errorf("beside one that was made, one that nobody made is a %d", got)
	}
	if got := play(t, tenanted("letters")).post("/letters/l-1/groups", `{"name": "c"}`).status; got != 404 {
		t.Errorf("what is no account, and nobody made, is a %d", got)
	}
}

// rooted is a service whose address ends in the word that its paths lack.
var rooted = `
openapi: 3.0.3
info: {title: T, version: '1'}
servers: [{url: 'https://api.example/v2/applications'}]
paths:
  /:
    get: {responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {$ref: '#/components/schemas/App'}}}}}}}}}
    post: {` + takesNamed + `, ` + one("201", "App") + `}
  /{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {` + one("200", "App") + `}
    put: {` + takesNamed + `, ` + one("200", "App") + `}
    delete: {responses: {'204': {description: gone}}}
components:
  schemas:
    App: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}
`

func TestPathsWithoutAWordAreOfTheAddressesOne(t *testing.T) {
	t.Parallel()
	r := play(t, rooted)
	at := "/v2/applications/"
	id := r.must(201, r.post(at, `{"name": "a"}`)).text("id")
	r.must(200, r.put(at+id, `{"name": "b"}`))
	want(t, r.must(200, r.get(at+id)), map[string]any{"name": "b", "id": id})
	if got := r.get(at).column("items", "name"); got != "b" {
		t.Errorf("there are %s", got)
	}
	r.must(204, r.delete(at+id))
	if got := r.get(at + id).status; got != 404 {
		t.Errorf("deleted, it is a %d", got)
	}
}
