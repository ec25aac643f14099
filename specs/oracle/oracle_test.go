package oracle_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"parity/specs"
	"parity/specs/oracle"
)

// read gives a contract of some files, the first of which is main.yaml.
func read(t *testing.T, files map[string]string) (*oracle.Document, error) {
	t.Helper()
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	c, _, err := specs.Load(root, "main.yaml", "shop")
	if err != nil {
		t.Fatal(err)
	}
	return oracle.Read(c.API().Document)
}

func TestDocumentThatIsWrongInFiveWaysIsToldWithPlaces(t *testing.T) {
	text, err := os.ReadFile("testdata/wrong.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d, err := read(t, map[string]string{"main.yaml": string(text)})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	var got []string
	for _, f := range d.Lint() {
		got = append(got, f.Pointer+" "+strings.TrimSpace(lines[f.Line-1])+" | "+f.Message)
	}
	want := []string{
		`/paths/~1orders~1{id}/get operationId: getOrder | operation GET /orders/{id} must define exactly all path parameters (missing: [id])`,
		`/paths/~1orders~1{id}/get operationId: getOrder | operations "DELETE /orders/{order}" and "GET /orders/{id}" have the same operation id "getOrder"`,
		`/paths/~1orders~1{order} delete: | conflicting paths "/orders/{order}" and "/orders/{id}"`,
		`/paths/~1customers/post requestBody: | a short description of the response is required`,
		`/paths/~1customers/post requestBody: | unsupported 'type' value "objekt"`,
		`/components/schemas/Order type: object | invalid default: value is not one of the allowed values ["open","paid"]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestDocumentThatCannotBeLoadedSaysWhy(t *testing.T) {
	_, err := read(t, map[string]string{"main.yaml": `
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths: {}
components: {schemas: {Order: {type: integer, minimum: ten}}}
`})
	if err == nil || !strings.Contains(err.Error(), "minimum") {
		t.Errorf("error is %v; want one that names minimum", err)
	}
}

// The network is never asked, nor a file that the contract does not have.
func TestOtherFilesAreThoseOfTheContract(t *testing.T) {
	main := `
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /orders:
    get:
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: 'REF'}}}}}
`
	order := "Order: {type: object, required: [id], properties: {id: {type: string}}}\n"
	d, err := read(t, map[string]string{"main.yaml": strings.Replace(main, "REF", "parts/order.yaml#/Order", 1), "parts/order.yaml": order})
	if err != nil {
		t.Fatal(err)
	}
	reply := oracle.Reply{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{}`)}
	if o := d.Reply(oracle.Request{Method: "GET", Path: "/orders", Header: http.Header{}}, reply); o.Verdict != oracle.Breaks || !strings.Contains(o.Why, `"id"`) {
		t.Errorf("a reply without its id: %+v", o)
	}
	for _, ref := range []string{"https://127.0.0.1:1/order.yaml#/Order", "/etc/hostname", "../main.yaml#/Order"} {
		if _, err := read(t, map[string]string{"main.yaml": strings.Replace(main, "REF", ref, 1)}); err == nil {
			t.Errorf("%s was followed", ref)
		}
	}
}

const shop = `
openapi: VERSION
info: {title: Shop, version: "1"}
paths:
  /orders/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
    post:
      parameters:
        - {name: page, in: query, schema: {type: integer, maximum: 9}}
        - {name: odd, in: query, schema: {maximum: 9}}
        - {name: expand, in: query, style: deepObject, schema: {type: array, items: {type: string}}}
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Order'}}
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Order'}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
components:
  schemas:
    Order:
      type: object
      required: [name, made]
      properties:
        name: {type: string, pattern: '^(?!no)[a-z]+$'}
        made: {type: string, readOnly: true}
        secret: {type: string, writeOnly: true}
        lines: {type: array, items: {type: object, properties: {n: {type: integer}}}}
`

func TestRequestsAndRepliesAreJudged(t *testing.T) {
	json, form := http.Header{"Content-Type": {"application/json"}}, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	good := oracle.Reply{Status: 200, Header: json, Body: []byte(`{"name":"a","made":"x"}`)}
	for _, version := range []string{"3.0.3", "3.1.0"} {
		d, err := read(t, map[string]string{"main.yaml": strings.Replace(shop, "VERSION", version, 1)})
		if err != nil {
			t.Fatal(err)
		}
		asked := func(id, query string, header http.Header, body string, value any) oracle.Request {
			return oracle.Request{Method: "POST", Path: "/orders/{id}", Values: map[string]string{"id": id}, Query: query, Header: header, Body: []byte(body), Value: value}
		}
		for _, c := range []struct {
			name    string
			request oracle.Request
			reply   oracle.Reply
			of      string // request or reply
			verdict oracle.Verdict
			why     string
		}{
			{"a good one", asked("7", "page=3", json, `{"name":"a"}`, nil), good, "request", oracle.Holds, ""},
			{"without a body", asked("7", "", http.Header{}, "", nil), good, "request", oracle.Holds, ""},
			{"a path parameter that is no number", asked("x", "", json, `{"name":"a"}`, nil), good, "request", oracle.Breaks, "id"},
			{"a query parameter beyond its bound", asked("7", "page=10", json, `{"name":"a"}`, nil), good, "request", oracle.Breaks, "page"},
			{"a parameter whose schema names no type", asked("7", "odd=3", json, `{"name":"a"}`, nil), good, "request", oracle.Holds, ""},
			{"a style that it does not know", asked("7", "expand[]=a", json, `{"name":"a"}`, nil), good, "request", oracle.Holds, ""},
			{"a pattern that looks ahead", asked("7", "", json, `{"name":"nope"}`, nil), good, "request", oracle.Breaks, "name"},
			{"a field deep down", asked("7", "", json, `{"name":"a","lines":[{"n":1},{"n":"x"}]}`, nil), good, "request", oracle.Breaks, "/lines/1/n"},
			{"a form, as it was read", asked("7", "", form, "name=a", map[string]any{"name": "a"}), good, "request", oracle.Holds, ""},
			{"a form that breaks it", asked("7", "", form, "name=3", map[string]any{"name": int64(3)}), good, "request", oracle.Breaks, "name"},
			{"a kind that is not taken", asked("7", "", http.Header{"Content-Type": {"text/csv"}}, "a", "a"), good, "request", oracle.Breaks, "text/csv"},
			{"another operation", oracle.Request{Method: "GET", Path: "/orders/{id}"}, good, "request", oracle.Unjudged, "no such operation"},

			{"a good reply", asked("7", "", json, "", nil), good, "reply", oracle.Holds, ""},
			{"a reply that lacks a field", asked("7", "", json, "", nil), oracle.Reply{Status: 200, Header: json, Body: []byte(`{"name":"a"}`)}, "reply", oracle.Breaks, "made"},
			{"a status that is not declared", asked("7", "", json, "", nil), oracle.Reply{Status: 418, Header: json, Body: []byte(`{}`)}, "reply", oracle.Breaks, "status"},
			{"another path", oracle.Request{Method: "POST", Path: "/x"}, good, "reply", oracle.Unjudged, "no such path"},
		} {
			o := d.Request(c.request)
			if c.of == "reply" {
				o = d.Reply(c.request, c.reply)
			}
			if o.Verdict != c.verdict || !strings.Contains(o.Why, c.why) {
				t.Errorf("%s, %s: %+v; want %s and %q", version, c.name, o, c.verdict, c.why)
			}
		}
	}
}

func TestShippedContractsHoldForTheOtherJudge(t *testing.T) {
	for _, service := range specs.Services() {
		c, err := specs.Builtin(service)
		if err != nil {
			t.Fatal(err)
		}
		d, err := oracle.Read(c.API().Document)
		if err != nil {
			t.Errorf("%s: %v", service, err)
			continue
		}
		found := slices.DeleteFunc(d.Lint(), func(f oracle.Finding) bool {
			return strings.Contains(f.Message, "{+") // a parameter that takes all that follows is Parity's own
		})
		for _, f := range found {
			t.Errorf("%s: %s:%d: %s", service, f.File, f.Line, f.Message)
		}
	}
}
