package specs

import (
	"testing"
	"testing/fstest"
)

// Where any kind of bytes is taken, what a client calls JSON need not be: some
// send a file under the content type of all their calls.
func TestBytesThatTheirClientCallsJSON(t *testing.T) {
	t.Parallel()
	const text = `openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /files: {post: {operationId: put, requestBody: {content: {'*/*': {}}}, responses: {'200': {description: ok}}}}
  /things: {post: {operationId: make, requestBody: {content: {application/json: {}}}, responses: {'200': {description: ok}}}}
`
	contract, found, err := Load(fstest.MapFS{"t.yaml": {Data: []byte(text)}}, "t.yaml", "t")
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	for operation, refused := range map[string]bool{"put": false, "make": true} {
		op, _ := contract.Operation(operation)
		input, wrong := op.Read(Request{Header: map[string][]string{"Content-Type": {"application/json"}}, Body: []byte("hello")})
		if refused != (len(wrong) > 0) {
			t.Errorf("%s: %+v, %v", operation, input, wrong)
		}
	}
}
