package generic_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"parity/fakes/generic"
	"parity/specs"
)

// Operations that are references to other files of the folder were not served.
func TestOperationsInOtherFilesAreServed(t *testing.T) {
	t.Parallel()
	contract, problems, err := specs.Load(fstest.MapFS{
		"api.yaml":          {Data: []byte("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /things:\n    get: {$ref: 'ops/list.yaml'}\n    post: {$ref: 'ops/none.yaml'}\n")},
		"ops/list.yaml":     {Data: []byte("operationId: listThings\nresponses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '../models/thing.yaml'}}}}}}\n")},
		"models/thing.yaml": {Data: []byte("{type: object, properties: {id: {type: string}}}\n")},
	}, "api.yaml", "shop")
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) == 0 || problems[0].Code != "broken-reference" {
		t.Errorf("nothing is said of the one that is not there: %+v", problems)
	}
	r := rigOf(t, generic.Options{Contract: contract})
	if ids := r.must(200, r.get("/things")).column("", "id"); len(strings.Fields(ids)) != 3 {
		t.Errorf("the things are %s", ids)
	}
}
