package specs

import (
	"testing"
	"testing/fstest"
)

// Some services take a path with and without the name of a format at its end.
func TestPathsWithASuffix(t *testing.T) {
	t.Parallel()
	const text = `openapi: 3.0.3
info: {title: t, version: "1"}
x-parity-suffix: .json
paths:
  /things: {get: {operationId: list, responses: {'200': {description: ok}}}}
  /things/many: {get: {operationId: many, responses: {'200': {description: ok}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: show, responses: {'200': {description: ok}}}
    delete: {operationId: drop, responses: {'204': {description: ok}}}
`
	contract, found, err := Load(fstest.MapFS{"t.yaml": {Data: []byte(text)}}, "t.yaml", "t")
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	for _, test := range []struct{ method, path, operation, id string }{
		{"GET", "/things", "list", ""},
		{"GET", "/things.json", "list", ""},
		{"GET", "/things/many.json", "many", ""},
		{"GET", "/things/7", "show", "7"},
		{"GET", "/things/7.json", "show", "7"},
		{"DELETE", "/things/7.json", "drop", "7"},
		{"GET", "/things/7.xml", "show", "7.xml"},
		{"GET", "/things.xml", "", ""},
	} {
		m := contract.Match(test.method, test.path)
		switch {
		case m.Operation == nil:
			if test.operation != "" {
				t.Errorf("%s %s matches nothing", test.method, test.path)
			}
		case m.Operation.ID != test.operation || m.Path["id"] != test.id:
			t.Errorf("%s %s is %s of %q, want %s of %q", test.method, test.path, m.Operation.ID, m.Path["id"], test.operation, test.id)
		}
	}
	if len(contract.Operations) != 4 {
		t.Errorf("%d operations, want 4", len(contract.Operations))
	}
}
