package generic_test

import (
	"strings"
	"testing"
)

// Nobody can learn which repositories there are, and the contract has no way to
// say that one is not there: until it is deleted, it is.
func TestIDsThatNobodyCanLearnAreThereFromTheStart(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /repositories:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {label: {type: string}}}}}}
      responses: {'202': {description: begun, content: {application/json: {schema: {type: object, properties: {message: {type: string}}}}}}}
  /repositories/{name}:
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Repository'}}}}}}
    patch:
      requestBody: {content: {application/json: {schema: {type: object, properties: {label: {type: string}}}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Repository'}}}}}
    delete: {responses: {'204': {description: gone}}}
  /repositories/{name}/branches/{branch}:
    get: {responses: {'200': {description: one, content: {application/json: {schema: {type: object, properties: {sha: {type: string}}}}}}}}
components:
  schemas:
    Repository: {type: object, properties: {label: {type: string}, stars: {type: integer}}}
`)
	first := r.must(200, r.get("/repositories/parity")).raw
	if again := r.must(200, r.get("/repositories/parity")).raw; again != first {
		t.Errorf("it is %s and then %s", first, again)
	}
	r.must(200, r.get("/repositories/parity/branches/main"))
	r.must(200, r.patch("/repositories/parity", `{"label":"mine"}`))
	want(t, r.must(200, r.get("/repositories/parity")), map[string]any{"label": "mine"})
	r.must(204, r.delete("/repositories/parity"))
	r.must(404, r.get("/repositories/parity"))
	r.must(404, r.delete("/repositories/parity"))
	r.must(200, r.get("/repositories/other"))
}

// Where ids can be learnt, one that nobody made is not there, whether or not the
// contract says how that is answered.
func TestIDsThatCanBeLearntAreNotThereUntilTheyAreMade(t *testing.T) {
	t.Parallel()
	const record = `{type: object, properties: {id: {type: string}, label: {type: string}}}`
	one := `responses: {'200': {description: one, content: {application/json: {schema: ` + record + `}}}}`
	for name, how := range map[string]string{
		"the reply to a creation tells": `post: {` + one + `}`,
		"its Location tells":            `post: {responses: {'201': {description: made, headers: {Location: {schema: {type: string}}}}}}`,
		"a list tells":                  `get: {responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: ` + record + `}}}}}}, post: {responses: {'204': {description: made}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := play(t, "paths:\n  /boxes: {"+how+"}\n  /boxes/{id}: {get: {"+one+"}}\n")
			r.must(404, r.get("/boxes/none"))
		})
	}
}

func TestAnOperationThatDescribesARefusalRefuses(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /jobs: {post: {responses: {'202': {description: begun}}}}
  /jobs/{name}:
    get: {responses: {'200': {description: one, content: {application/json: {schema: {type: object, properties: {state: {type: string}}}}}}, '404': {description: none}}}
`)
	r.must(404, r.get("/jobs/none"))
}

// The id of what was made is told where the reply has a place for it: beside the
// record, or in the address of what was made.
func TestWhatWasMadeIsToldWhereverTheReplyHasAPlace(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]string{
		"beside the record":          `{type: object, properties: {id: {type: integer}, result: {$ref: '#/components/schemas/Chart'}}}`,
		"in no field of the reply":   `{type: object, properties: {result: {$ref: '#/components/schemas/Chart'}}}`,
		"where the reply says no id": `{type: object, properties: {message: {type: string}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := play(t, `
paths:
  /charts:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Chart'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: `+reply+`}}}}
  /charts/{pk}:
    get:
      parameters: [{name: pk, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: one, content: {application/json: {schema: {type: object, properties: {columns: {type: array, items: {type: string}}, result: {$ref: '#/components/schemas/Chart'}}}}}}, '404': {description: none}}
components:
  schemas:
    Chart: {type: object, properties: {title: {type: string}}}
`)
			made := r.must(201, r.post("/charts", `{"title":"Sales"}`))
			at := strings.TrimPrefix(made.header.Get("Location"), "https://api.example")
			if at == "" {
				at = "/charts/" + asJSON(made.at("id"))
			}
			want(t, r.must(200, r.get(at)), map[string]any{"result.title": "Sales"})
		})
	}
}

// A record takes any text for its id and the path takes none but a UUID.
func TestIDsFitThePathToo(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /servers:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Server'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Server'}}}}}
  /servers/{serverId}:
    get:
      parameters: [{name: serverId, in: path, required: true, schema: {type: string, format: uuid}}]
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Server'}}}}}
components:
  schemas:
    Server: {type: object, properties: {serverId: {type: string}, label: {type: string}}}
`)
	for _, body := range []string{`{"label":"a"}`, `{"label":"a","serverId":"my own"}`} {
		made := r.must(201, r.post("/servers", body))
		want(t, r.must(200, r.get("/servers/"+made.text("serverId"))), map[string]any{"label": "a"})
	}
}

// A rule is named by its kind, of which there are few: who makes one says which.
func TestOfAFewIDsTheClientMeansOne(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /rules:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Rule'}}}}
      responses: {'200': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Rule'}}}}, '409': {description: taken}}
  /rules/{kind}:
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Rule'}}}}, '404': {description: none}}}
components:
  schemas:
    Rule: {type: object, properties: {kind: {type: string, enum: [validity, compatibility]}, config: {type: string}}}
`)
	r.must(200, r.post("/rules", `{"kind":"compatibility","config":"full"}`))
	want(t, r.must(200, r.get("/rules/compatibility")), map[string]any{"config": "full"})
	r.must(404, r.get("/rules/validity"))
	r.must(409, r.post("/rules", `{"kind":"compatibility","config":"none"}`))
}

// A call that names no member means the newest.
func TestTheNewestIsMeantWhereNoneIsNamed(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /DescribeBackup:
    post: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Backup'}}}}}}
  /CreateBackup:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {label: {type: string}}}}}}
      responses: {'200': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Backup'}}}}}
components:
  schemas:
    Backup: {type: object, properties: {backupId: {type: string}, label: {type: string}}}
`)
	r.must(200, r.post("/DescribeBackup", "{}"))
	r.must(200, r.post("/CreateBackup", `{"label":"first"}`))
	r.must(200, r.post("/CreateBackup", `{"label":"second"}`))
	want(t, r.must(200, r.post("/DescribeBackup", "{}")), map[string]any{"label": "second"})
}

// A list that may not be empty is left out where it need not be there, and has
// something in it where it must.
func TestListsAreAsLongAsTheContractSays(t *testing.T) {
	t.Parallel()
	list := func(required, bounds string) string {
		return `
paths:
  /notes:
    get:
      parameters: [{name: label, in: query, schema: {type: string}}]
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, ` + required + ` properties: {data: {type: array, ` + bounds + `, items: {$ref: '#/components/schemas/Note'}}, total: {type: integer}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {label: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
components:
  schemas:
    Note: {type: object, required: [id], properties: {id: {type: string}, label: {type: string}}}
`
	}
	free := play(t, list("", "minItems: 1"))
	want(t, free.must(200, free.get("/notes")), map[string]any{"data": nil, "total": 0})
	bound := play(t, list("required: [data],", "minItems: 2"))
	bound.must(201, bound.post("/notes", `{"label":"mine"}`))
	want(t, bound.must(200, bound.get("/notes")), map[string]any{"data.0.label": "mine"})
	if got := bound.must(200, bound.get("/notes?label=none")); got.at("data.1.id") == nil {
		t.Errorf("the list is %s", got.raw)
	}
	short := play(t, list("", "maxItems: 1"))
	short.must(201, short.post("/notes", `{"label":"one"}`))
	short.must(201, short.post("/notes", `{"label":"two"}`))
	want(t, short.must(200, short.get("/notes")), map[string]any{"data.0.label": "one", "data.1": nil})
}

// What is gone from one project is not found in another that has its like.
func TestIDsThatClientsChooseAreTheirParentsOwn(t *testing.T) {
	t.Parallel()
	const set = `{type: object, properties: {kind: {type: string}, size: {type: integer}}}`
	r := play(t, `
paths:
  /projects/{project}/sets:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [kind], properties: {kind: {type: string}, size: {type: integer}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: `+set+`}}}}
  /projects/{project}/sets/{kind}:
    get: {responses: {'200': {description: one, content: {application/json: {schema: `+set+`}}}, '404': {description: none}}}
    delete: {responses: {'204': {description: gone}, '404': {description: none}}}
`)
	r.must(201, r.post("/projects/a/sets", `{"kind":"test","size":1}`))
	r.must(201, r.post("/projects/b/sets", `{"kind":"test","size":2}`))
	want(t, r.must(200, r.get("/projects/b/sets/test")), map[string]any{"size": 2})
	r.must(204, r.delete("/projects/b/sets/test"))
	r.must(404, r.get("/projects/b/sets/test"))
	want(t, r.must(200, r.get("/projects/a/sets/test")), map[string]any{"size": 1})
}

// Requests have displayName where records have DisplayName, and poolName is what
// a body calls name.
func TestNamesInAnotherWayOfWritingAreTheSame(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /pools:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}, displayName: {type: string}}}}}}
      responses: {'200': {description: made}}
  /pools/{poolName}:
    get: {responses: {'200': {description: one, content: {application/json: {schema: {type: object, properties: {DisplayName: {type: string}, Size: {type: integer}}}}}}, '404': {description: none}}}
`)
	r.must(200, r.post("/pools", `{"name":"blue","displayName":"Blue pool"}`))
	want(t, r.must(200, r.get("/pools/blue")), map[string]any{"DisplayName": "Blue pool"})
}

// A part of a record that wants objects in all fields but its own leaves room for
// no others.
func TestFieldsThatAnotherPartRulesOutAreNotShown(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /accounts:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {label: {type: string}, tags: {type: array, items: {type: string}}, size: {type: object}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}}
  /accounts/{id}:
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}}}
components:
  schemas:
    Thing: {type: object, properties: {id: {type: string}}, additionalProperties: {type: object}}
    Account:
      allOf: [{$ref: '#/components/schemas/Thing'}]
      type: object
      properties: {label: {type: string}, tags: {type: array, items: {type: string}}, size: {type: object}}
`)
	made := r.must(201, r.post("/accounts", `{"label":"mine","tags":["a"],"size":{}}`))
	want(t, r.must(200, r.get("/accounts/"+made.text("id"))), map[string]any{"label": nil, "tags": nil, "size": map[string]any{}})
}

func TestPicturesOfAnyKindAreOfOne(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /preview: {get: {responses: {'200': {description: a picture, content: {'image/*': {schema: {type: string, format: binary}}}}}}}
`)
	if got := r.must(200, r.get("/preview")).header.Get("Content-Type"); got != "image/png" {
		t.Errorf("it is %s", got)
	}
}

// A change that names another owner leaves the member where the path says.
func TestAChangeDoesNotTakeAMemberFromItsOwner(t *testing.T) {
	t.Parallel()
	r := play(t, ownedNotes)
	owner := r.must(201, r.post("/boards", `{}`)).at("id")
	notes := "/boards/" + asJSON(owner) + "/notes/"
	note := r.must(201, r.post(strings.TrimSuffix(notes, "/"), `{"label":"a"}`)).text("id")
	r.must(200, r.patch(notes+note, `{"label":"b","board_id":7}`))
	want(t, r.must(200, r.get(notes+note)), map[string]any{"label": "b"})
}

// Ids of 64 bits are no longer than the fields of 32 that hold them.
func TestIDsFitTheFieldsThatHoldThem(t *testing.T) {
	t.Parallel()
	r := play(t, ownedNotes)
	owner := r.must(201, r.post("/boards", `{}`))
	made := r.must(201, r.post("/boards/"+asJSON(owner.at("id"))+"/notes", `{"label":"a"}`))
	want(t, made, map[string]any{"board_id": owner.at("id")})
}

const ownedNotes = `
paths:
  /boards:
    post:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Board'}}}}}
  /boards/{board_id}:
    get:
      parameters: [{name: board_id, in: path, required: true, schema: {type: integer, format: int64}}]
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Board'}}}}}
  /boards/{board_id}/notes:
    parameters: [{name: board_id, in: path, required: true, schema: {type: integer, format: int64}}]
    get: {responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
  /boards/{board_id}/notes/{id}:
    parameters: [{name: board_id, in: path, required: true, schema: {type: integer, format: int64}}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
components:
  schemas:
    Board: {type: object, required: [id], properties: {id: {type: integer, format: int64}}}
    Note: {type: object, properties: {id: {type: string, readOnly: true}, label: {type: string}, board_id: {type: integer, format: int32}}}
`
