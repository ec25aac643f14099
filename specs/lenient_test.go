package specs_test

import (
	"net/http"
	"testing"
	"testing/fstest"

	"parity/specs"
)

const loosely = `
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /either:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {to: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]}}}}}}
      responses: {'200': {description: ok}}
  /search:
    post:
      requestBody: {content: {application/json: {schema: {oneOf: [{type: object, additionalProperties: false, properties: {params: {type: string}}}, {allOf: [{$ref: '#/components/schemas/Words'}, {$ref: '#/components/schemas/Page'}]}]}}}}
      responses: {'200': {description: ok}}
  /closed:
    post:
      requestBody: {content: {application/json: {schema: {allOf: [{$ref: '#/components/schemas/Words'}, {$ref: '#/components/schemas/Page'}]}}}}
      responses: {'200': {description: ok}}
  /things/{id}:
    delete: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: gone}}}
  /sizes:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {size: {type: string, enum: [s, m, s]}}}}}}
      responses: {'200': {description: ok}}
components:
  schemas:
    A: {type: object, properties: {name: {type: string}}}
    B: {type: object, properties: {name: {type: string}, note: {type: string}}}
    Words: {type: object, additionalProperties: false, properties: {query: {type: string}, owner: {type: object, properties: {id: {type: string}, name: {type: string}}}, inner: {type: object, additionalProperties: false, properties: {a: {type: string}}}}}
    Page: {type: object, additionalProperties: false, properties: {page: {type: integer}, owner: {}, inner: {}}}
`

func lenientContract(t *testing.T, document string) *specs.Contract {
	t.Helper()
	c, _, err := specs.Load(fstest.MapFS{"api.yaml": {Data: []byte(document)}}, "api.yaml", "t")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Official clients were refused for what their own services take.
func TestWhatServicesLetPassIsReadAndMarked(t *testing.T) {
	t.Parallel()
	c := lenientContract(t, loosely)
	for name, test := range map[string]struct {
		method, path, kind, body string
		wrong                    int // violations
		refused                  bool
	}{
		"a oneOf of which several fit":         {"POST", "/either", "", `{"to":{"name":"x"}}`, 1, false},
		"a oneOf of which none fits":           {"POST", "/either", "", `{"to":{"name":1}}`, 1, true},
		"an allOf of closed schemas":           {"POST", "/closed", "", `{"query":"x","page":1}`, 2, false},
		"an allOf of closed schemas in oneOf":  {"POST", "/search", "", `{"query":"x","page":1}`, 2, false},
		"a name that no part has":              {"POST", "/closed", "", `{"query":"x","pages":1}`, 1, true},
		"a name that a closed schema has not":  {"POST", "/closed", "", `{"inner":{"b":"x"}}`, 1, true},
		"a type that a part refuses":           {"POST", "/closed", "", `{"query":"x","page":"y"}`, 1, true},
		"JSON that is called text":             {"POST", "/closed", "text/plain;charset=UTF-8", `{"query":"x"}`, 2, false},
		"JSON that is called a form":           {"POST", "/closed", "application/x-www-form-urlencoded", `{"query":"x"}`, 2, false},
		"text that is no JSON":                 {"POST", "/closed", "text/plain", `query`, 1, true},
		"JSON a line at a time":                {"POST", "/closed", "application/x-ndjson", "{\"a\":1}\n{\"b\":2}\n", 1, false},
		"an id where a record is shown":        {"POST", "/closed", "", `{"owner":"u1"}`, 1, false},
		"an id where no record is shown":       {"POST", "/closed", "", `{"inner":"u1"}`, 1, true},
		"a body on DELETE":                     {"DELETE", "/things/1", "", `{"why":"x"}`, 1, false},
		"an enum that has a value twice":       {"POST", "/sizes", "", `{"size":"s"}`, 0, false},
		"none of an enum with a doubled value": {"POST", "/sizes", "", `{"size":"x"}`, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := c.Match(test.method, test.path)
			header := http.Header{"Content-Type": {test.kind}}
			if test.kind == "" {
				header.Set("Content-Type", "application/json")
			}
			in, wrong := m.Operation.Read(specs.Request{Path: m.Path, Header: header, Body: []byte(test.body)})
			if refused := len(specs.Refused(wrong)) > 0; refused != test.refused || len(wrong) != test.wrong && !refused {
				t.Errorf("refused is %v: %+v", refused, wrong)
			}
			if !test.refused && in.Content() == nil {
				t.Error("nothing was read of it")
			}
		})
	}
}

func TestASlashTooManyAndAnUploadFindTheirOperation(t *testing.T) {
	t.Parallel()
	c := lenientContract(t, loosely)
	for _, path := range []string{"/closed/", "/upload/closed"} {
		m, beyond := c.MatchLenient(&specs.Call{Method: "POST", Path: path})
		if m.Operation == nil || m.Operation.Path != "/closed" || beyond == "" {
			t.Errorf("%s is %v, %q", path, m.Operation, beyond)
		}
	}
	if m, _ := c.MatchLenient(&specs.Call{Method: "POST", Path: "/nothing/"}); m.Operation != nil {
		t.Error("what is not there is found")
	}
	shipped, err := specs.Builtin("stripe")
	if err != nil {
		t.Fatal(err)
	}
	if m, _ := shipped.MatchLenient(&specs.Call{Method: "POST", Path: "/v1/refunds/"}); m.Operation != nil {
		t.Error("a shipped contract is read leniently")
	}
}

// Files are sent with what is said of them in front.
func TestAFileWithItsDescriptionIsRead(t *testing.T) {
	t.Parallel()
	c := lenientContract(t, loosely)
	m := c.Match("POST", "/closed")
	body := "--x\r\nContent-Type: application/json\r\n\r\n{\"query\":\"x\"}\r\n--x\r\nContent-Type: image/png\r\n\r\nPNG\r\n--x--\r\n"
	in, wrong := m.Operation.Read(specs.Request{Path: m.Path, Header: http.Header{"Content-Type": {"multipart/related; boundary=x"}}, Body: []byte(body)})
	if len(specs.Refused(wrong)) > 0 || in.Body["query"] != "x" || len(in.Parts) != 1 || string(in.Parts[0].Data) != "PNG" {
		t.Errorf("%+v %+v", in, wrong)
	}
}

const sloppy = `
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /Templates:
    get:
      parameters: [{name: Count, in: query, required: true, schema: {type: integer}}, {name: Kind, in: query, schema: {type: string}}, {name: kind, in: query, schema: {type: integer}}]
      responses: {'200': {description: ok}}
  /templates/{templateIdOrAlias}:
    put:
      parameters: [{name: templateIdOrAlias, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object, required: [TemplateId, Name], properties: {TemplateId: {type: integer}, Name: {type: string}}}}}}
      responses: {'200': {description: ok}}
`

// Official clients write names of parameters in another case than the document,
// and leave out of the body what the path says.
func TestSloppyDocumentsAreReadAsTheirServicesMeanThem(t *testing.T) {
	t.Parallel()
	c := lenientContract(t, sloppy)
	read := func(method, path, query, body string) (specs.Input, []specs.Violation) {
		match := c.MatchCall(&specs.Call{Method: method, Path: path, Query: query})
		header := http.Header{}
		if body != "" {
			header.Set("Content-Type", "application/json")
		}
		input, wrong := match.Operation.Read(specs.Request{Path: match.Path, Query: query, Header: header, Body: []byte(body)})
		return input, specs.Refused(wrong)
	}
	if input, wrong := read("GET", "/Templates", "count=2", ""); len(wrong) > 0 || input.Query["Count"] != int64(2) {
		t.Errorf("?count=2 is read as %v, and wrong in it is %v", input.Query, wrong)
	}
	if input, wrong := read("GET", "/Templates", "Count=2&kind=3&Kind=x&KIND=y", ""); len(wrong) > 0 || input.Query["kind"] != int64(3) || input.Query["Kind"] != "x" {
		t.Errorf("two that differ in case alone are read as %v, and wrong is %v", input.Query, wrong)
	}
	if _, wrong := read("GET", "/Templates", "", ""); len(wrong) != 1 {
		t.Errorf("without a count nothing is wrong: %v", wrong)
	}
	if _, wrong := read("PUT", "/templates/5", "", `{"Name": "x"}`); len(wrong) > 0 {
		t.Errorf("a body without the id of its path is refused: %v", wrong)
	}
	if _, wrong := read("PUT", "/templates/5", "", `{"TemplateId": 5}`); len(wrong) == 0 {
		t.Error("a body without a name is taken")
	}
}
