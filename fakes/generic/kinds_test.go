package generic_test

import (
	"strings"
	"testing"
)

// The one field of a body was taken for what stands around the record, and what
// was in it for the record: nothing of it was kept.
func TestTheOnlyFieldOfABodyIsKeptWhereTheRecordHasIt(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /groups:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {profile: {$ref: '#/components/schemas/Person'}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}}
  /groups/{id}:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}}}
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}}
components:
  schemas:
    Person: {type: object, properties: {name: {type: string}}}
    Long: {type: object, properties: {name: {type: string}, note: {type: string}}}
    Profile: {anyOf: [{$ref: '#/components/schemas/Person'}, {type: object, properties: {dn: {type: string}}}]}
    Deep: {oneOf: [{$ref: '#/components/schemas/Person'}, {$ref: '#/components/schemas/Long'}]}
    Group:
      type: object
      required: [id]
      properties: {id: {type: string, readOnly: true}, profile: {$ref: '#/components/schemas/Profile'}, either: {anyOf: [{type: string}, {type: integer}]}, deep: {$ref: '#/components/schemas/Deep'}}
`)
	made := r.must(200, r.post("/groups", `{"profile":{"name":"A"}}`))
	want(t, made, map[string]any{"profile.name": "A"})
	at := "/groups/" + made.text("id")
	want(t, r.must(200, r.put(at, `{"profile":{"name":"B"},"either":3,"deep":{"name":"x"}}`)), map[string]any{"profile.name": "B", "either": 3, "deep.name": "x"})
	want(t, r.must(200, r.get(at)), map[string]any{"profile.name": "B", "either": 3, "deep.name": "x"})
}

const documents = `
paths:
  /indexes/{index}/docs/{docId}:
    put:
      requestBody: {content: {application/json: {schema: {type: object, additionalProperties: true}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [taskID, docId, index], properties: {taskID: {type: integer}, docId: {type: string}, index: {type: string}}}}}}}
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object, additionalProperties: true}}}}}}
    delete: {responses: {'200': {description: ok}}}
`

// The receipt of a write became the record, and what was sent was lost.
func TestAReceiptIsNotTheRecord(t *testing.T) {
	t.Parallel()
	r := play(t, documents)
	want(t, r.must(200, r.put("/indexes/i/docs/d1", `{"a":1,"b":{"c":"x"}}`)), map[string]any{"docId": "d1", "index": "i"})
	if got := r.must(200, r.get("/indexes/i/docs/d1")); asJSON(got.body) != `{"a":1,"b":{"c":"x"}}` {
		t.Errorf("it reads %s", got.raw)
	}
	r.must(200, r.put("/indexes/i/docs/d1", `{"a":2}`))
	want(t, r.get("/indexes/i/docs/d1"), map[string]any{"a": 2, "b": nil})
	r.must(200, r.delete("/indexes/i/docs/d1"))
	r.must(404, r.get("/indexes/i/docs/d1"))
}

const projects = `
paths:
  /projects:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [key, name], properties: {key: {type: string}, name: {type: string}}}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {type: object, required: [id, key], properties: {id: {type: integer}, key: {type: string}}}}}}}
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Project'}}}}}}}
  /projects/{projectIdOrKey}:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Project'}}}}, '404': {description: no}}}
    delete: {responses: {'204': {description: gone}}}
  /projects/{projectIdOrKey}/issues:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}}}}}}, responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Issue'}}}}}}
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Issue'}}}}}}}
components:
  schemas:
    Project: {type: object, properties: {id: {type: string, readOnly: true}, key: {type: string, readOnly: true}, name: {type: string, readOnly: true}}}
    Issue: {type: object, properties: {id: {type: string}, title: {type: string}}}
`

// What the record calls readOnly was drawn anew, though a body takes it.
func TestWhatABodyTakesIsKeptThoughTheRecordCallsItReadOnly(t *testing.T) {
	t.Parallel()
	r := play(t, projects)
	made := r.must(201, r.post("/projects", `{"key":"KEY","name":"Name"}`))
	want(t, made, map[string]any{"key": "KEY"})
	want(t, r.must(200, r.get("/projects/"+r.get("/projects").column("", "id"))), map[string]any{"key": "KEY", "name": "Name"})
}

// A member was found by one of its names only.
func TestAMemberIsFoundByItsKeyAndByItsID(t *testing.T) {
	t.Parallel()
	r := play(t, projects)
	r.must(201, r.post("/projects", `{"key":"KEY","name":"Name"}`))
	id := r.get("/projects").column("", "id")
	want(t, r.must(200, r.get("/projects/KEY")), map[string]any{"id": id})
	r.must(201, r.post("/projects/KEY/issues", `{"title":"one"}`))
	r.must(201, r.post("/projects/"+id+"/issues", `{"title":"two"}`))
	for _, name := range []string{id, "KEY"} {
		if titles := r.must(200, r.get("/projects/"+name+"/issues")).column("", "title"); titles != "one two" {
			t.Errorf("the issues of %s are %s", name, titles)
		}
	}
	r.must(204, r.delete("/projects/KEY"))
	r.must(404, r.get("/projects/"+id))
}

// A key that stands in the body was a field like others: the same payment sent
// again was made twice.
func TestAKeyInTheBodyPaysOnce(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /payments:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [idempotency_key, amount], properties: {idempotency_key: {type: string}, amount: {type: integer}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Payment'}}}}, '422': {description: no}}
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Payment'}}}}}}}
  /payments/{id}:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Payment'}}}}}}
components:
  schemas:
    Payment: {type: object, properties: {id: {type: string}, amount: {type: integer}}}
`)
	first := r.must(200, r.post("/payments", `{"idempotency_key":"k1","amount":5}`))
	if again := r.must(200, r.post("/payments", `{"idempotency_key":"k1","amount":5}`)); again.raw != first.raw || !again.reply.Replayed {
		t.Errorf("it is %s and then %s", first.raw, again.raw)
	}
	r.must(422, r.post("/payments", `{"idempotency_key":"k1","amount":6}`))
	r.must(200, r.post("/payments", `{"idempotency_key":"k2","amount":5}`))
	if ids := r.get("/payments").column("", "amount"); ids != "5 5" {
		t.Errorf("the payments are of %s", ids)
	}
}

// Errors were worded by chance where the contract calls their parts by names of
// its own.
func TestAnErrorSaysWhatHappenedWhateverItsFieldsAreCalled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		schema string
		says   map[string]any
	}{
		"errorSummary": {
			`{type: object, required: [errorCode, errorSummary], properties: {errorCode: {type: string}, errorSummary: {type: string}, errorId: {type: string}, errorCauses: {type: array, items: {type: object, properties: {errorSummary: {type: string}}}}}}`,
			map[string]any{"errorCode": "not_found", "errorSummary": "No such file: nope", "errorCauses": nil},
		},
		"a list of details beside the message": {
			`{type: object, required: [message], properties: {message: {type: string}, errors: {type: array, items: {type: object, required: [message], properties: {code: {type: string}, message: {type: string}}}}}}`,
			map[string]any{"message": "No such file: nope", "errors.0.code": "not_found", "errors.0.message": "No such file: nope"},
		},
		"a list of errors": {
			`{type: object, required: [errors], properties: {errors: {type: array, items: {type: object, required: [category, code, detail], properties: {category: {type: string, enum: [API_ERROR, INVALID_REQUEST_ERROR]}, code: {type: string, enum: [INTERNAL_SERVER_ERROR, NOT_FOUND, BAD_REQUEST]}, detail: {type: string}, field: {type: string}}}}}}`,
			map[string]any{"errors.0.code": "NOT_FOUND", "errors.0.detail": "No such file: nope"},
		},
		"a list of words": {
			`{type: object, required: [errors], properties: {errors: {type: array, items: {type: string}}, success: {type: boolean}}}`,
			map[string]any{"errors.0": "No such file: nope", "success": false},
		},
		"an object in an object": {
			`{type: object, required: [error], properties: {error: {type: object, required: [status_code, explanation, kind], properties: {status_code: {type: integer}, explanation: {type: string}, kind: {type: string}}}}}`,
			map[string]any{"error.status_code": 404, "error.explanation": "No such file: nope", "error.kind": "not_found"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := play(t, `
paths:
  /files:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}, name: {type: string}}}}}}}}
  /files/{id}:
    get:
      responses:
        '200': {description: one, content: {application/json: {schema: {type: object, properties: {id: {type: string}, name: {type: string}}}}}}
        '404': {description: none, content: {application/json: {schema: `+test.schema+`}}}
`)
			got := r.must(404, r.get("/files/nope"))
			want(t, got, test.says)
			if strings.Contains(got.text("errorId"), "nope") {
				t.Errorf("an id says %s", got.text("errorId"))
			}
		})
	}
}

// A pattern that allows "0" had it drawn, and clients took it for none.
func TestAnIDIsNeverZero(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /snow:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Snow'}}}}}}
  /snow/{id}:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Snow'}}}}}}
components:
  schemas:
    Snow: {type: object, required: [id], properties: {id: {type: string, pattern: '^(0|[1-9][0-9]*)$', format: snowflake}, name: {type: string}, big: {type: integer, format: int64}}}
`)
	for range 20 {
		made := r.must(200, r.post("/snow", `{"name":"s"}`))
		if id := made.text("id"); len(id) < 6 {
			t.Errorf("an id is %q", id)
		}
		r.must(200, r.get("/snow/"+made.text("id")))
	}
}

// Large integers are other ones as soon as float64 has held them.
func TestALargeIntegerKeepsItsDigits(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /sums:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Sum'}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Sum'}}}}}}
    get: {parameters: [{name: sum, in: query, schema: {type: integer}}], responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Sum'}}}}}}}
  /sums/{id}:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Sum'}}}}}}
components:
  schemas:
    Sum: {type: object, properties: {id: {type: string}, sum: {type: integer}, any: {type: object}, m: {type: integer, default: 9007199254740993}}}
`)
	made := r.must(200, r.post("/sums", `{"sum":9007199254740993,"any":{"deep":[9223372036854775807]}}`))
	for _, raw := range []string{made.raw, r.get("/sums/" + made.text("id")).raw, r.get("/sums?sum=9007199254740993").raw} {
		if !strings.Contains(raw, `"sum":9007199254740993`) || !strings.Contains(raw, "9223372036854775807") || !strings.Contains(raw, `"m":9007199254740993`) {
			t.Errorf("it is %s", raw)
		}
	}
	if other := r.get("/sums?sum=9007199254740992"); other.raw != "[]" {
		t.Errorf("another number finds %s", other.raw)
	}
}
