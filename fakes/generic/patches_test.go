package generic_test

import "testing"

// The operations of a patch stand in a field, and generators write "anything"
// as an object of which nothing is said.
const wrapped = `
paths:
  /flags:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}}
  /flags/{key}:
    parameters: [{name: key, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}, '404': {description: none}}}
    patch:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                comment: {type: string}
                patch: {type: array, items: {type: object, required: [op, path], properties: {op: {type: string}, path: {type: string}, value: {type: object}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}}
components:
  schemas:
    Flag: {type: object, required: [key, name], properties: {key: {type: string}, name: {type: string}, tags: {type: array, items: {type: string}}, options: {type: object}}}
`

func TestThePatchInAFieldIsDone(t *testing.T) {
	t.Parallel()
	r := play(t, wrapped)
	r.must(201, r.post("/flags", `{"key": "beta", "name": "Beta", "tags": ["a"]}`))
	r.must(200, r.patch("/flags/beta", `{"comment": "c", "patch": [{"op": "replace", "path": "/name", "value": "Gamma"}, {"op": "add", "path": "/tags/-", "value": "b"}]}`))
	want(t, r.must(200, r.get("/flags/beta")), map[string]any{"name": "Gamma", "tags.1": "b", "key": "beta"})
	if got := r.post("/flags", `{"key": "x", "name": "X", "options": "no object"}`).status; got != 400 {
		t.Errorf("a text for an object is a %d", got)
	}
}
