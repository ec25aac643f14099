package generic_test

import "testing"

// All is asked for by POST, and what is meant stands in bodies: of one kind, the
// field that names one is called otherwise than its path and its record call it.
const screening = `
paths:
  /screening/person/create:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, note: {type: string}, secret: {type: string}}}}}}
      responses: {'200': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}
  /screening/person/get:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [screening_id], properties: {screening_id: {type: string}, secret: {type: string}}}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}
  /screening/person/update:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [screening_id], properties: {screening_id: {type: string}, status: {type: string, enum: [open, cleared]}, secret: {type: string}}}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}
  /screening/person/list:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {count: {type: integer, maximum: 25}, offset: {type: integer}, secret: {type: string}}}}}}
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, required: [people], properties: {people: {type: array, items: {$ref: '#/components/schemas/Person'}}}}}}}}
  /screening/accounts/get:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [access_token], properties: {access_token: {type: string}}}}}}
      responses: {'200': {description: whose, content: {application/json: {schema: {type: object, properties: {id: {type: string}, owner: {type: string}}}}}}}
components:
  schemas:
    Person: {type: object, required: [id, name, status], properties: {id: {type: string, example: scr_1}, name: {type: string}, note: {type: string}, status: {type: string, enum: [open, cleared]}, request_id: {type: string}}}
`

func TestAProcedureFindsTheOneThatItsOnlyFieldNames(t *testing.T) {
	t.Parallel()
	r := play(t, screening)
	ada := r.must(200, r.post("/screening/person/create", `{"name": "Ada", "note": "n"}`)).text("id")
	r.must(200, r.post("/screening/person/create", `{"name": "Bob"}`))
	want(t, r.must(200, r.post("/screening/person/get", `{"screening_id": "`+ada+`"}`)), map[string]any{"id": ada, "name": "Ada"})
	r.must(200, r.post("/screening/person/update", `{"screening_id": "`+ada+`", "status": "cleared"}`))
	want(t, r.must(200, r.post("/screening/person/get", `{"screening_id": "`+ada+`"}`)), map[string]any{"status": "cleared", "note": "n"})
	if got := r.post("/screening/person/get", `{"screening_id": "scr_none"}`).status; got != 404 {
		t.Errorf("one that nobody made is a %d", got)
	}
	r.must(200, r.post("/screening/accounts/get", `{"access_token": "access-1"}`)) // who asks is no one that is asked for
}

func TestAListThatIsAskedForByBodyHasPages(t *testing.T) {
	t.Parallel()
	r := play(t, screening)
	for _, name := range []string{"a", "b", "c"} {
		r.must(200, r.post("/screening/person/create", `{"name": "`+name+`"}`))
	}
	for body, wanted := range map[string]string{`{}`: "a b c", `{"count": 2}`: "a b", `{"count": 2, "offset": 2}`: "c"} {
		if got := r.post("/screening/person/list", body).column("people", "name"); got != wanted {
			t.Errorf("%s lists %s, not %s", body, got, wanted)
		}
	}
}
