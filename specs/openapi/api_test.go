package openapi_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"parity/specs/document"
	"parity/specs/openapi"
)

func read(t *testing.T, files ...string) (*openapi.API, error) {
	t.Helper()
	folder := fstest.MapFS{"api.yaml": {Data: []byte(files[0])}}
	for i := 1; i+1 < len(files); i += 2 {
		folder[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	d, err := document.Open(folder, "api.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return openapi.Read(d)
}

// describe writes operations in one line each.
func describe(t *testing.T, api *openapi.API) string {
	t.Helper()
	var out strings.Builder
	for _, o := range api.Operations {
		fmt.Fprintf(&out, "%s %s %s", o.Method, o.Path, o.ID)
		parameters, problems := o.Parameters()
		for _, p := range parameters {
			fmt.Fprintf(&out, " %s:%s:%s", p.In, p.Name, strings.Join(p.Schema.View().Types, "|"))
			if p.Style != "simple" && p.Style != "form" || p.Explode {
				fmt.Fprintf(&out, ":%s:%v", p.Style, p.Explode)
			}
			if p.Required {
				out.WriteString("!")
			}
		}
		body, more := o.Body()
		if body != nil {
			for _, m := range body.Content {
				fmt.Fprintf(&out, " <%s", m.Type)
				for _, p := range m.Schema.View().Properties {
					fmt.Fprintf(&out, " %s:%s", p.Name, strings.Join(p.Schema.View().Types, "|"))
				}
			}
		}
		responses, last := o.Responses()
		for _, r := range responses {
			fmt.Fprintf(&out, " >%s", r.Status)
			for _, m := range r.Content {
				fmt.Fprintf(&out, " %s", m.Type)
				if m.Schema.Referred() {
					out.WriteString(" " + m.Schema.Name())
				}
			}
		}
		for _, p := range append(append(problems, more...), last...) {
			fmt.Fprintf(&out, " %s", p.Code)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func TestSwaggerIsReadAsOpenAPI(t *testing.T) {
	t.Parallel()
	api, err := read(t, `
swagger: '2.0'
info: {title: Old, version: '7'}
host: API.old.test:8080
basePath: /v1/
consumes: [application/json]
produces: [application/json, application/xml]
securityDefinitions: {basic: {type: basic}, key: {type: apiKey, in: header, name: X-Key}}
security: [{basic: []}]
parameters: {page: {name: page, in: query, type: integer}}
responses: {gone: {description: gone, schema: {$ref: '#/definitions/Error'}}}
definitions:
  Pet: {type: object, discriminator: kind, properties: {id: {type: integer}, kind: {type: string}}}
  Error: {type: object}
paths:
  /pets:
    parameters: [{$ref: '#/parameters/page'}]
    get:
      operationId: list
      parameters: [{name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}, {name: ids, in: query, type: array, items: {type: string}, collectionFormat: pipes}]
      responses: {200: {description: ok, schema: {type: array, items: {$ref: '#/definitions/Pet'}}}, 404: {$ref: '#/responses/gone'}}
    post:
      operationId: add
      parameters: [{name: body, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}]
      responses: {default: {description: any}}
  /pets/{id}/photo:
    put:
      operationId: photo
      security: []
      consumes: [multipart/form-data]
      parameters: [{name: id, in: path, required: true, type: string}, {name: file, in: formData, type: file, required: true}, {name: note, in: formData, type: string}]
      responses: {}
  /login: {post: {operationId: login, consumes: [], parameters: [{name: user, in: formData, type: string}], responses: {}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := `GET /pets list query:page:integer query:tags:array:form:true query:ids:array:pipeDelimited:false >200 application/json application/xml >404 application/json Error application/xml Error
POST /pets add query:page:integer <application/json id:integer kind:string >DEFAULT
PUT /pets/{id}/photo photo path:id:string! <multipart/form-data file:string note:string
POST /login login <application/json user:string
`
	if diff := cmp.Diff(want, describe(t, api)); diff != "" {
		t.Error(diff)
	}
	if s := api.Servers; len(s) != 1 || s[0].Host != "api.old.test" || s[0].Base != "/v1" {
		t.Errorf("servers %+v", s)
	}
	if s, ok := api.Scheme("basic"); !ok || s.Type != "http" || s.Scheme != "basic" {
		t.Errorf("scheme %+v", s)
	}
	if got := api.Operations[2].Security(); len(got) != 0 {
		t.Errorf("security of a public operation: %v", got)
	}
	if d := api.Component("Pet").View().Discriminator; d == nil || d.Property != "kind" {
		t.Errorf("discriminator %+v", d)
	}
}

func TestDiscoveryDocumentIsReadAsOpenAPI(t *testing.T) {
	t.Parallel()
	api, err := read(t, `{
"kind": "discovery#restDescription", "discoveryVersion": "v1", "name": "cal", "title": "Cal", "version": "v3",
"rootUrl": "https://www.example.test/", "servicePath": "cal/v3/",
"parameters": {"alt": {"type": "string", "location": "query", "enum": ["json"]}},
"schemas": {"Event": {"id": "Event", "type": "object", "properties": {"id": {"type": "string"}, "start": {"$ref": "Time"}, "extra": {"type": "any"}}},
  "Time": {"id": "Time", "type": "object", "properties": {"at": {"type": "string", "format": "date-time"}}}},
"resources": {"events": {"methods": {
  "get": {"id": "cal.events.get", "path": "calendars/{calendarId}/events/{eventId}", "httpMethod": "GET",
    "parameters": {"calendarId": {"type": "string", "required": true, "location": "path"}, "eventId": {"type": "string", "required": true, "location": "path"},
      "tags": {"type": "string", "repeated": true, "location": "query"}}, "response": {"$ref": "Event"}},
  "update": {"id": "cal.events.update", "path": "calendars/{calendarId}/events/{eventId}", "httpMethod": "PUT", "request": {"$ref": "Event"}, "response": {"$ref": "Event"}},
  "delete": {"id": "cal.events.delete", "path": "x/{+name}", "flatPath": "x/projects/{projectsId}", "httpMethod": "DELETE", "parameters": {"name": {"type": "string", "location": "path"}}}}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	want := `GET /calendars/{calendarId}/events/{eventId} cal.events.get path:calendarId:string! path:eventId:string! query:tags:array:form:true query:alt:string:form:true >200 application/json Event
PUT /calendars/{calendarId}/events/{eventId} cal.events.update query:alt:string:form:true path:calendarId:string! path:eventId:string! <application/json id:string start:object extra: >200 application/json Event
DELETE /x/projects/{projectsId} cal.events.delete path:name:string query:alt:string:form:true path:projectsId:string! >204
`
	if diff := cmp.Diff(want, describe(t, api)); diff != "" {
		t.Error(diff)
	}
	if s := api.Servers; len(s) != 1 || s[0].Host != "www.example.test" || s[0].Base != "/cal/v3" {
		t.Errorf("servers %+v", s)
	}
	if at := api.Component("Event").View().Get("start").View().Get("at").View().Format; at != "date-time" {
		t.Errorf("what a reference leads to has format %q", at)
	}
}

func TestPathsInFilesOfTheirOwn(t *testing.T) {
	t.Parallel()
	api, err := read(t, `
openapi: 3.1.0
info: {title: t, version: 1.0}
paths:
  /a: {$ref: 'paths/a.yaml'}
  /b: {$ref: 'paths/gone.yaml'}
  /c: nothing
  x-note: {get: {}}
  /d: {get: [], copy: {}, query: {operationId: q, responses: {}}, additionalOperations: {LINK: {operationId: link, responses: {}}}}
`, "paths/a.yaml", "get: {operationId: a, parameters: [{$ref: '../parts.json#/p'}], responses: {'200': {$ref: '../parts.json#/ok'}}}",
		"parts.json", `{"p": {"name": "p", "in": "query", "schema": {"$ref": "#/s"}}, "s": {"type": "integer"}, "ok": {"description": "ok", "content": {"text/plain": {}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	want := "GET /a a query:p:integer:form:true >200 text/plain\nQUERY /d q\nLINK /d link\n"
	if diff := cmp.Diff(want, describe(t, api)); diff != "" {
		t.Error(diff)
	}
	var codes []string
	for _, p := range api.Problems {
		codes = append(codes, p.Code+" "+p.Pointer)
	}
	if diff := cmp.Diff([]string{"broken-reference /paths/~1b", "wrong-type /paths/~1c", "wrong-type /paths/~1d/get"}, codes); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNoDescriptionIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"nothing of the kind": {"a: 1", "no API description"},
		"a later version":     {"openapi: 4.0.0", "4.0.0 is not known"},
		"an older one":        {"swagger: '1.2'", "1.2 is not known"},
		"a list":              {"[1, 2]", "no API description"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := read(t, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}
