package specs_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"parity/specs"
)

// What the contract marks in a reply is known for what it is, whatever its name.
func TestMarkedInReplies(t *testing.T) {
	t.Parallel()
	const document = `
openapi: 3.0.3
info: {title: Desk, version: '1'}
paths:
  /people:
    get:
      responses:
        '200': {content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/Person'}}}}}}, description: all}
components:
  schemas:
    Person: {type: object, properties: {reach: {type: string, format: email}, pin: {type: string, format: password}, others: {type: array, items: {type: string, format: email}}, note: {type: string}}}
`
	contract, _, err := specs.Load(fstest.MapFS{"desk.yaml": {Data: []byte(document)}}, "desk.yaml", "desk")
	if err != nil {
		t.Fatal(err)
	}
	op, _ := contract.Operation("GET /people")
	reply := map[string]any{"data": []any{map[string]any{"reach": "ada", "pin": "1815", "others": []any{"b"}, "note": "ada", "more": "x"}}}
	got := op.Marked(200, reply, func(mark, name string, v any) any { return mark + " " + name })
	want := map[string]any{"data": []any{map[string]any{"reach": "email reach", "pin": "password pin", "others": []any{"email others"}, "note": "ada", "more": "x"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(reply, op.Marked(404, reply, func(string, string, any) any { return nil })); diff != "" {
		t.Error(diff)
	}
}
