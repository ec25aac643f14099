package specs

import (
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// Some services read a body as JSON whatever its content type says, such as
// that of curl -d.
func TestBodiesThatAreJSONWhateverTheySay(t *testing.T) {
	t.Parallel()
	const text = `openapi: 3.0.3
info: {title: t, version: "1"}
x-parity-body: json
paths:
  /things:
    get: {operationId: list, responses: {'200': {description: ok}}}
    post:
      operationId: make
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
      responses: {'200': {description: ok}}
  /files:
    post: {operationId: put, requestBody: {content: {'*/*': {}}}, responses: {'200': {description: ok}}}
`
	contract, found, err := Load(fstest.MapFS{"t.yaml": {Data: []byte(text)}}, "t.yaml", "t")
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	tests := []struct {
		operation, kind, body string
		want                  object
		violations            string
	}{
		{"make", "application/x-www-form-urlencoded", `{"name": "a"}`, object{"name": "a"}, ""},
		{"make", "", `{"name": "a"}`, object{"name": "a"}, ""},
		{"make", "nonsense; =", `{"name": "a"}`, object{"name": "a"}, ""},
		{"make", "text/plain", `name=a`, nil, "body  syntax"},
		{"make", "", ``, object{}, "body /name required"},
		{"list", "text/plain", `what of it`, nil, ""},
		{"put", "text/plain", `bytes`, nil, ""},
	}
	for _, test := range tests {
		op, _ := contract.Operation(test.operation)
		header := http.Header{}
		if test.kind != "" {
			header.Set("Content-Type", test.kind)
		}
		input, wrong := op.Read(Request{Header: header, Body: []byte(test.body)})
		if have := brief(wrong); have != test.violations {
			t.Errorf("%s %q %q: %q, want %q", test.operation, test.kind, test.body, have, test.violations)
		}
		if diff := cmp.Diff(test.want, input.Body); diff != "" {
			t.Errorf("%s %q %q: %s", test.operation, test.kind, test.body, diff)
		}
	}
}
