package specs

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"parity/specs/body"
)

// controlDocument is the control plane's contract, compiled and as it is written.
func controlDocument(t *testing.T) (*Contract, *openapi3.T) {
	t.Helper()
	data, err := builtin.ReadFile(control + "/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatal(err)
	}
	contract, err := Builtin(control)
	if err != nil {
		t.Fatal(err)
	}
	return contract, doc
}

func TestControlContractHasNoFaults(t *testing.T) {
	t.Parallel()
	contract, doc := controlDocument(t)
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	for _, d := range contract.Check() {
		t.Errorf("%s: %s", d.Pointer, d.Message)
	}
	for _, op := range contract.Operations {
		if op.ID == "" {
			t.Errorf("%s %s has no operationId", op.Method, op.Path)
		}
		if reads := op.Effect == Read; reads != (op.Method == http.MethodGet) {
			t.Errorf("%s by %s is %s: what is read is read by GET, and nothing changes on GET", op.ID, op.Method, op.Effect)
		}
	}
}

// No fake plays the control plane, and no profile can bind it.
func TestControlContractIsNoService(t *testing.T) {
	t.Parallel()
	if slices.Contains(Services(), control) {
		t.Errorf("%s is among the services", control)
	}
}

// Each body is shown by an example, and each example is what its contract says.
func TestControlExamplesHold(t *testing.T) {
	t.Parallel()
	contract, doc := controlDocument(t)
	for path, item := range doc.Paths.Map() {
		for method, described := range item.Operations() {
			op, ok := contract.Operation(described.OperationID)
			if !ok {
				t.Fatalf("no operation %s %s", method, path)
			}
			if described.Summary == "" {
				t.Errorf("%s has no summary", op.ID)
			}
			if described.RequestBody != nil {
				for name, body := range examples(t, op.ID, described.RequestBody.Value.Content) {
					_, violations := op.Read(Request{Path: map[string]string{"run": "shard-1", "id": "apr_7f3kq2", "identity": "bot", "what": "rotate"}, Header: http.Header{"Content-Type": {body.kind}}, Body: body.data})
					for _, v := range violations {
						t.Errorf("%s, example %s: %s %s: %s", op.ID, name, v.In, v.Pointer, v.Message)
					}
				}
			}
			if described.Responses.Default() == nil {
				t.Errorf("%s says nothing of what is refused", op.ID)
			}
			for code, reply := range described.Responses.Map() {
				status, err := strconv.Atoi(code)
				if err != nil { // default
					status = http.StatusBadRequest
				}
				for name, body := range examples(t, op.ID+" "+code, reply.Value.Content) {
					for _, v := range op.CheckReply(status, body.kind, body.data) {
						t.Errorf("%s %s, example %s: %s %s: %s", op.ID, code, name, v.In, v.Pointer, v.Message)
					}
				}
			}
		}
	}
}

// A sample is an example as it goes over the wire.
type sample struct {
	kind string
	data []byte
}

func examples(t *testing.T, of string, content openapi3.Content) map[string]sample {
	t.Helper()
	all := map[string]sample{}
	for kind, media := range content {
		if len(media.Examples) == 0 {
			t.Errorf("%s: no example of %s", of, kind)
		}
		for name, example := range media.Examples {
			data, err := json.Marshal(example.Value.Value)
			if text, ok := example.Value.Value.(string); ok && !body.IsJSON(kind) {
				data = []byte(text)
			}
			if err != nil {
				t.Fatal(err)
			}
			all[kind+" "+name] = sample{kind, data}
		}
	}
	return all
}
