package generic_test

import "testing"

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
