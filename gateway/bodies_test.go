package gateway_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/gateway"
)

// takesAnything is a service whose one operation takes any JSON.
const takesAnything = `
openapi: 3.0.3
info: {title: Any, version: '1'}
paths:
  /any:
    post:
      operationId: any
      requestBody: {required: true, content: {application/json: {schema: {}}}}
      responses: {'204': {description: Taken}}
`

// beside writes a file beside the profile.
func beside(t *testing.T, name, text string) func(*gateway.Settings) {
	return func(s *gateway.Settings) {
		if err := os.WriteFile(filepath.Join(filepath.Dir(s.Profile), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Every JSON text of github.com/nst/JSONTestSuite that is one is taken as a
// body, and everything that is none is refused in words, whichever bytes it is
// made of. What the suite leaves to its readers (i_) has to be answered.
func TestBodiesAreJSONOrRefused(t *testing.T) {
	t.Parallel()
	root := os.Getenv("PARITY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared") // beside the module
	}
	files, err := filepath.Glob(filepath.Join(root, "suites", "jsontestsuite", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("JSONTestSuite is not here (set PARITY_SHARED)")
	}
	h := open(t, "profile: bodies\nseed: 1\nservices:\n  any: {contract: any.yaml}\n", beside(t, "any.yaml", takesAnything))
	c := h.direct(false, false)
	counts := map[string]int{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+h.Addr()+"/any/any", bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		reply, err := c.Do(r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := reply.Body.Close(); err != nil {
			t.Error(err)
		}
		// A name that is given twice is JSON, and no body: readers disagree on
		// which of the two counts.
		doubled := strings.HasPrefix(name, "y_object_duplicated_key")
		switch kind := name[:2]; {
		case doubled && reply.StatusCode != http.StatusBadRequest,
			!doubled && kind == "y_" && reply.StatusCode != http.StatusNoContent,
			kind == "n_" && reply.StatusCode != http.StatusBadRequest,
			kind == "i_" && reply.StatusCode != http.StatusBadRequest && reply.StatusCode != http.StatusNoContent:
			t.Errorf("%s: %d", name, reply.StatusCode)
		default:
			counts[kind]++
		}
	}
	if counts["n_"] < 188 || counts["y_"] < 95 {
		t.Errorf("%v of %d files", counts, len(files))
	}
	t.Log(counts)
}

// A misspelt field that a contract lets through is flagged or refused where the
// profile wants it.
func TestUndeclaredFieldsAreIgnoredFlaggedOrRefused(t *testing.T) {
	t.Parallel()
	const contract = `
openapi: 3.0.3
info: {title: Notes, version: '1'}
paths:
  /notes:
    post:
      operationId: note
      requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}
      responses: {'204': {description: Taken}}
`
	for _, test := range []struct {
		mode     string
		status   int
		violated string
	}{
		{"ignore", http.StatusNoContent, ""},
		{"flag", http.StatusNoContent, "body /txet undeclared"},
		{"refuse", http.StatusBadRequest, "body /txet undeclared"},
	} {
		t.Run(test.mode, func(t *testing.T) {
			t.Parallel()
			h := open(t, "profile: notes\nseed: 1\nservices:\n  notes: {contract: notes.yaml, undeclared: "+test.mode+"}\n", beside(t, "notes.yaml", contract))
			reply, err := h.direct(false, false).Post("http://"+h.Addr()+"/notes/notes", "application/json", strings.NewReader(`{"txet": "x"}`))
			if err != nil {
				t.Fatal(err)
			}
			if err := reply.Body.Close(); err != nil {
				t.Error(err)
			}
			got := ""
			for _, v := range exchanges(h)[0].Violations {
				got += v.In + " " + v.Pointer + " " + v.Rule
			}
			if reply.StatusCode != test.status || got != test.violated {
				t.Errorf("%d, %q; want %d, %q", reply.StatusCode, got, test.status, test.violated)
			}
		})
	}
}

// A half of a surrogate pair in a body was answered 200 and kept as U+FFFD.
func TestLoneSurrogatesAreNotChangedInSilence(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: bodies\nseed: 1\nservices:\n  hubspot: {}\n  any: {contract: any.yaml}\n", beside(t, "any.yaml", takesAnything))
	c := h.direct(false, false)
	const bird = "sk_live_canaryQ7xZ2mWv9"
	for _, test := range []struct {
		target, body string
		status       int
	}{
		{"/hubspot/crm/v3/objects/contacts", `{"properties":{"email":"a@b.example","firstname":"\ud83d"}}`, http.StatusBadRequest},
		{"/any/any", `{"` + bird + `":["\udc00"]}`, http.StatusBadRequest},
		{"/hubspot/crm/v3/objects/contacts", `{"properties":{"email":"a@b.example","firstname":"\ud83d\ude00"}}`, http.StatusCreated},
	} {
		status, said, _, err := call(t, c, http.MethodPost, "http://"+h.Addr()+test.target, test.body, "Content-Type", "application/json")
		if err != nil || status != test.status {
			t.Errorf("%s: %d %v %v", test.body, status, said, err)
		}
		if properties, ok := said["properties"].(map[string]any); ok && properties["firstname"] != "😀" {
			t.Errorf("a whole pair is %v", properties["firstname"])
		}
	}
	h.nowhere(strings.TrimPrefix(bird, "sk_live_"), new(strings.Builder))
	for i, pointer := range []string{"/properties/firstname", "/sk_live_(redacted-"} {
		if v := exchanges(h)[i].Violations; len(v) != 1 || !strings.HasPrefix(v[0].Pointer, pointer) || !strings.Contains(v[0].Message, "surrogate") {
			t.Errorf("the record does not say where: %+v", v)
		}
	}
}
