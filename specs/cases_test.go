package specs

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// ask reads one body by the one operation of a document that has nothing but
// its schema, and gives the violations in brief.
func ask(tb testing.TB, version, contentType, schema, sent, body string) string {
	tb.Helper()
	contract := load(tb, fmt.Sprintf(`
openapi: %s
info: {title: t, version: '1'}
paths:
  /a: {post: {operationId: a, requestBody: {required: true, content: {%q: {schema: {$ref: '#/components/schemas/It'}}}}, responses: {'200': {description: ok}}}}
components:
  schemas:
%s`, version, contentType, indent(schema)))
	_, found := operation(tb, contract, "a").Read(Request{Header: http.Header{"Content-Type": {sent}}, Body: []byte(body)})
	return brief(found)
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(text, "\t", "  ")), "\n", "\n    ") + "\n"
}

// Each is what a user of some tool of this kind met in public.
func TestCasesFromTheField(t *testing.T) {
	t.Parallel()
	const named = `It: {type: object, required: [name], properties: {name: {type: string}}}`
	const readOnly = `
It:
  type: object
  required: [items]
  properties:
    items: {type: array, items: {$ref: '#/components/schemas/Item'}}
    one: {oneOf: [{$ref: '#/components/schemas/Item'}]}
    all: {allOf: [{$ref: '#/components/schemas/Item'}, {required: [id, more], properties: {more: {type: string}}}]}
Item: {type: object, required: [id, name], properties: {id: {type: string, readOnly: true}, name: {type: string}}}`
	const pets = `
It:
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
  discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: Dog}}
Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}
Dog: {type: object, required: [kind, breed], properties: {kind: {type: string}, breed: {type: string}}}`
	const nullable = `
It:
  type: object
  properties:
    all: {nullable: true, allOf: [{$ref: '#/components/schemas/Text'}]}
    ref: {$ref: '#/components/schemas/Maybe'}
    choice: {type: string, nullable: true, enum: [a, b]}
    one: {oneOf: [{$ref: '#/components/schemas/Text'}, {type: 'null'}]}
    types: {type: [string, 'null']}
Text: {type: object, properties: {x: {type: string}}}
Maybe: {type: string, nullable: true}`
	const form = "application/x-www-form-urlencoded"
	for _, test := range []struct{ symptom, version, declared, schema, sent, body, want string }{
		{"a charset on a form is taken for another type", "3.0.3", form, named, form + "; charset=UTF-8", "name=x", ""},
		{"a charset in the contract is taken for another type", "3.0.3", "application/json; charset=utf-8", named, "application/json", `{"name":1}`, "body /name type string"},
		{"hal+json is not looked into", "3.0.3", "application/hal+json", named, "application/hal+json", `{}`, "body /name required"},
		{"a vendor's +json is not looked into", "3.0.3", "application/vnd.acme.v2+json", named, "application/vnd.acme.v2+json; charset=utf-8", `{"name":1}`, "body /name type string"},
		{"text/json is no JSON", "3.0.3", "application/json", named, "text/json", `{"name":1}`, "body /name type string"},
		{"null is refused beside allOf", "3.0.3", "application/json", nullable, "application/json", `{"all":null,"ref":null,"choice":null,"types":null,"one":null}`, ""},
		{"null is refused beside allOf in 3.1", "3.1.0", "application/json", nullable, "application/json", `{"all":null,"ref":null,"choice":null,"types":null,"one":null}`, ""},
		{"null is let through where it is not allowed", "3.0.3", "application/json", named, "application/json", `{"name":null}`, "body /name type string"},
		{"a mapping is ignored", "3.0.3", "application/json", pets, "application/json", `{"kind":"dog"}`, "body /breed required"},
		{"what fits two shapes is ambiguous in spite of the discriminator", "3.0.3", "application/json", pets, "application/json", `{"kind":"cat","breed":"x"}`, ""},
		{
			"readOnly is demanded of a request, in a list, a choice and a combination", "3.0.3", "application/json", readOnly, "application/json",
			`{"items":[{"name":"a"}],"one":{"name":"b"},"all":{"name":"c","more":"d"}}`, "",
		},
		{"what is required beside readOnly is let through", "3.0.3", "application/json", readOnly, "application/json", `{"items":[{}],"all":{"name":"c"}}`, "body /all/more required; body /items/0/name required"},
		{"allOf is not enforced", "3.0.3", "application/json", "It: {allOf: [{type: object, properties: {a: {maxLength: 1}}}, {required: [b]}]}", "application/json", `{"a":"xx"}`, "body /a maxLength 1; body /b required"},
		{"exclusiveMinimum as a boolean", "3.0.3", "application/json", "It: {type: object, properties: {n: {minimum: 1, exclusiveMinimum: true}}}", "application/json", `{"n":1}`, "body /n exclusiveMinimum 1"},
		{"exclusiveMinimum as a number", "3.1.0", "application/json", "It: {type: object, properties: {n: {exclusiveMinimum: 1}}}", "application/json", `{"n":1}`, "body /n exclusiveMinimum 1"},
		{"an empty field of a form is refused", "3.0.3", form, "It: {type: object, properties: {metadata: {anyOf: [{type: object, additionalProperties: {type: string}}, {enum: [''], type: string}]}}}", form, "metadata=", ""},
		{"types[]=x is taken for an object", "3.0.3", form, "It: {type: object, properties: {types: {type: array, items: {type: string}}}}", form, "types[]=x&types[]=y", ""},
		{"a list of numbers in a form stays text", "3.0.3", form, "It: {type: object, properties: {n: {type: array, items: {type: integer}}}}", form, "n[]=1&n[]=x", "body /n/1 type integer"},
		{"deepObject in a form", "3.0.3", form, "It: {type: object, properties: {a: {type: object, properties: {b: {type: object, properties: {c: {type: boolean}}}}}}}", form, "a[b][c]=maybe", "body /a/b/c type boolean"},
		{"another type than the contract's is let through", "3.0.3", "application/json", named, "text/csv", "name\nx", "body  content-type application/json"},
		{"an empty body is a wrong content type", "3.0.3", "application/json", named, "", "", "body  required application/json"},
		{"a lookaround is no pattern", "3.0.3", "application/json", `It: {type: object, properties: {a: {type: string, pattern: '^(?=.*[0-9])(?!.*\s).{4,}$'}}}`, "application/json", `{"a":"abc d1"}`, `body /a pattern ^(?=.*[0-9])(?!.*\s).{4,}$`},
		{"a doubled name in required costs the whole schema", "3.1.0", "application/json", "It: {type: object, required: [a, a], properties: {a: {type: string}}}", "application/json", `{"a":1}`, "body /a type string"},
	} {
		t.Run(test.symptom, func(t *testing.T) {
			t.Parallel()
			if got := ask(t, test.version, test.declared, test.schema, test.sent, test.body); got != test.want {
				t.Errorf("\n got %q\nwant %q", got, test.want)
			}
		})
	}
}

// A contract without components, with a parameter whose style is null, and with
// an operation that says nothing of its replies.
func TestGapsInADocumentCostNothingElse(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
paths:
  /a:
    parameters: [{name: p, in: query, style: null, schema: {type: integer}}, null, {$ref: '#/components/parameters/gone'}, {name: x}]
    get: {operationId: a}
    post: {operationId: b, requestBody: null, responses: {'200': null, '201': {$ref: '#/nowhere'}, default: {content: {application/json: null}}}}
`, "unused.yaml", "")
	_, found := operation(t, contract, "a").Read(Request{Query: "p=x"})
	if got := brief(found); got != "query /p type integer" {
		t.Errorf("violations %q", got)
	}
	for _, status := range []int{200, 201, 500} {
		if found := operation(t, contract, "b").CheckReply(status, "application/json", []byte(`{"a":1}`)); len(found) > 0 {
			t.Errorf("%d: %v", status, found)
		}
	}
	codes := map[string]int{}
	for _, d := range contract.Check() {
		codes[d.Code]++
	}
	if codes["broken-reference"] != 3 { // the parameter in two operations, and the reply
		t.Errorf("diagnostics %v", codes)
	}
}

// Schemas are compiled once: a request leaves nothing behind.
func TestValidationLeavesNothingBehind(t *testing.T) {
	contract := load(t, fmt.Sprintf(order, "3.1.0"))
	op := operation(t, contract, "add")
	bad, err := json.Marshal(map[string]any{"sku": "no", "quantity": 0, "extra": strings.Repeat("x", 100)})
	if err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	for i := range 10_000 {
		if i == 100 {
			before = heap()
		}
		_, found := op.Read(Request{Path: map[string]string{"id": "1"}, Header: http.Header{"Content-Type": {"application/json"}}, Body: bad})
		if len(found) != 2 {
			t.Fatal(found)
		}
	}
	if after := heap(); after > before+1<<20 {
		t.Errorf("the heap went from %d to %d bytes", before, after)
	}
}

// What is kept of an upload says which one it was, and is not the upload.
func TestFilesOfAFormAreTold(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    post:
      operationId: a
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              required: [photo, size]
              properties: {photo: {type: string, format: binary}, note: {type: string}, size: {type: integer}, more: {type: object, properties: {a: {type: integer}}}}
      responses: {}
`)
	op := operation(t, contract, "a")
	send := func(body string) (Input, string) {
		input, found := op.Read(Request{Header: http.Header{"Content-Type": {"multipart/form-data; boundary=x"}}, Body: []byte(strings.ReplaceAll(body, "\n", "\r\n"))})
		return input, brief(found)
	}
	input, found := send("--x\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\nContent-Type: image/png\n\n\x89PNG\xff\n--x\nContent-Disposition: form-data; name=\"note\"\n\nhello\n--x\nContent-Disposition: form-data; name=\"size\"\n\n12\n--x\nContent-Disposition: form-data; name=\"more\"\n\n{\"a\":1}\n--x--\n")
	if found != "" {
		t.Fatal(found)
	}
	if photo, _ := input.Body["photo"].(string); !strings.HasPrefix(photo, "file of 5 bytes, ") || !strings.Contains(photo, "sha256 ") {
		t.Errorf("photo is %q", input.Body["photo"])
	}
	if len(input.Parts) != 4 || string(input.Parts[0].Data) != "\x89PNG\xff" || input.Parts[0].FileName != "a.png" {
		t.Errorf("parts %+v", input.Parts)
	}
	if input.Body["note"] != "hello" || input.Body["size"] != int64(12) || fmt.Sprint(input.Body["more"]) != "map[a:1]" {
		t.Errorf("body %v", input.Body)
	}
	for body, want := range map[string]string{
		"--x\nContent-Disposition: form-data; name=\"size\"\n\ntwelve\n--x--\n": "body /photo required; body /size type integer",
		"--y\n": "body  syntax",
		"":      "",
	} {
		if _, found := send(body); found != want {
			t.Errorf("%q: %q; want %q", body, found, want)
		}
	}
}

// Two uploads of bytes are two intents, so something is known of each.
func TestBytesAreToldApart(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a: {put: {operationId: a, requestBody: {content: {application/octet-stream: {}, text/csv: {}}}, responses: {}}}
`)
	op := operation(t, contract, "a")
	value := func(kind, body string) any {
		input, found := op.Read(Request{Header: http.Header{"Content-Type": {kind}}, Body: []byte(body)})
		if len(found) > 0 {
			t.Fatal(found)
		}
		return input.Value
	}
	one, other := value("application/octet-stream", "\x00\x01"), value("application/octet-stream", "\x00\x02")
	if one == other || one == nil {
		t.Errorf("%v and %v", one, other)
	}
	if got := value("text/csv", "a,b\n"); got != "a,b\n" {
		t.Errorf("text is kept as %v", got)
	}
}

// A call is found again by what was kept of it, whatever told it apart.
func TestRecall(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
servers: [{url: /v1}, {url: /v2}]
paths:
  /#X-Amz-Target=Get: {post: {operationId: get, responses: {}}}
  /#X-Amz-Target=Put: {post: {operationId: put, responses: {}}}
  /things/{id}: {get: {operationId: thing, responses: {}}}
`)
	for _, test := range []struct{ name, method, path, id string }{
		{"POST /v1/#X-Amz-Target=Put", "POST", "/v1/", "put"},
		{"POST /v2/#X-Amz-Target=Get", "POST", "/v2/", "get"},
		{"GET /v2/things/{id}", "GET", "/v2/things/7", "thing"},
		{"GET /v1/things/{id}", "GET", "/things/7", "thing"}, // by a base URL without /v1
		{"GET /v1/things/{id}", "GET", "/elsewhere/7", ""},
		{"GET /v3/things/{id}", "GET", "/v3/things/7", ""},
	} {
		m := contract.Recall(test.name, test.method, test.path)
		id := ""
		if m.Operation != nil {
			id = m.Operation.ID
		}
		if id != test.id || id == "thing" && m.Path["id"] != "7" {
			t.Errorf("%+v: %q %v", test, id, m.Path)
		}
	}
}

func TestHasFieldKnowsWhatARecordMayHave(t *testing.T) {
	t.Parallel()
	c, err := Builtin("stripe")
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]bool{"email": true, "emial": false} {
		if got := c.HasField("stripe.customers", field); got != want {
			t.Errorf("a customer has %s: %t", field, got)
		}
	}
	if !c.HasField("no_such_collection", "x") {
		t.Error("a collection without a schema has no fields")
	}
}
