package specs_test

import (
	"fmt"
	"net/http"
	"testing/fstest"

	"parity/specs"
)

// A document becomes a contract, finds the operation of a request, and reads it.
func ExampleLoad() {
	files := fstest.MapFS{"notes.yaml": {Data: []byte(`
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes/{id}:
    patch:
      operationId: changeNote
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        content: {application/json: {schema: {type: object, properties: {pinned: {type: boolean}}}}}
      responses: {"200": {description: Changed}}
`)}}
	contract, diagnostics, err := specs.Load(files, "notes.yaml", "notes")
	if err != nil {
		fmt.Println(err)
		return
	}
	match := contract.Match("PATCH", "/notes/n-1")
	input, violations := match.Operation.Read(specs.Request{
		Path: match.Path, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"pinned": "yes"}`),
	})
	fmt.Println(match.Operation.Name(), match.Operation.Effect, len(diagnostics))
	fmt.Println(input.Path["id"], input.Body["pinned"])
	for _, v := range violations {
		fmt.Println(v.In, v.Pointer, v.Message)
	}
	// Output:
	// notes PATCH /notes/{id} reversible 0
	// n-1 yes
	// body /pinned wants a boolean, got "yes"
}
