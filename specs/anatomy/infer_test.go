package anatomy_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"parity/specs/anatomy"
	"parity/specs/document"
	"parity/specs/openapi"
)

// infer reads a document in YAML and infers its anatomy.
func infer(t *testing.T, text string) (*openapi.API, *anatomy.Model) {
	t.Helper()
	d, err := document.Open(fstest.MapFS{"api.yaml": {Data: []byte(text)}}, "api.yaml")
	if err != nil {
		t.Fatal(err)
	}
	api, err := openapi.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	return api, anatomy.Infer(api)
}

// roles writes what was found of each operation on a line.
func roles(api *openapi.API, m *anatomy.Model) string {
	var b strings.Builder
	for _, op := range api.Operations {
		r := m.Roles[op]
		fmt.Fprintf(&b, "%s %s: %s", op.Method, op.Path, r.Kind)
		if r.Resource != nil {
			fmt.Fprintf(&b, " %s", r.Resource.Name)
		}
		if r.Name != "" {
			fmt.Fprintf(&b, " %s", r.Name)
		}
		if r.Member != "" {
			fmt.Fprintf(&b, " by %s %s", r.In, r.Member)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestOperationsGetTheirRoles(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, paths, want string }{
		{"collection and members", `
/contacts: {get: {}, post: {}}
/contacts/{id}: {get: {}, put: {}, patch: {}, delete: {}}
/contacts/{id}/archive: {post: {}}
/contacts/search: {post: {}}
/contacts/count: {get: {}}`, `
GET /contacts: list contacts
POST /contacts: create contacts
GET /contacts/{id}: read contacts by path id
PUT /contacts/{id}: replace contacts by path id
DELETE /contacts/{id}: delete contacts by path id
PATCH /contacts/{id}: update contacts by path id
POST /contacts/{id}/archive: action contacts archive by path id
POST /contacts/search: search contacts search
GET /contacts/count: count contacts count`},
		{"POST that updates, suffixes", `
/2010/Contacts.json: {get: {}, post: {}}
/2010/Contacts/{Sid}.json: {get: {}, post: {}, delete: {}}`, `
GET /2010/Contacts.json: list Contacts
POST /2010/Contacts.json: create Contacts
GET /2010/Contacts/{Sid}.json: read Contacts by path Sid
POST /2010/Contacts/{Sid}.json: update Contacts by path Sid
DELETE /2010/Contacts/{Sid}.json: delete Contacts by path Sid`},
		{"the word for one beside the word for many", `
/pets: {get: {}}
/pet: {post: {}}
/pet/{petId}: {get: {}, delete: {}}`, `
GET /pets: list pets
POST /pet: create pets
GET /pet/{petId}: read pets by path petId
DELETE /pet/{petId}: delete pets by path petId`},
		{"trailing slashes", `
/api/contacts/: {get: {}, post: {}}
/api/contacts/{id}/: {get: {}, delete: {}}`, `
GET /api/contacts/: list contacts
POST /api/contacts/: create contacts
GET /api/contacts/{id}/: read contacts by path id
DELETE /api/contacts/{id}/: delete contacts by path id`},
		{"several parameters to a member", `
/repos/{owner}/{repo}: {get: {}, delete: {}}
/repos/{owner}/{repo}/pulls/{number}/merge: {put: {}}
/repos/{owner}/{repo}/pulls/{number}: {get: {}}
/repos/{owner}/{repo}/compare/{base}...{head}: {get: {}}`, `
GET /repos/{owner}/{repo}: read repos by path repo
DELETE /repos/{owner}/{repo}: delete repos by path repo
PUT /repos/{owner}/{repo}/pulls/{number}/merge: action pulls merge by path number
GET /repos/{owner}/{repo}/pulls/{number}: read pulls by path number
GET /repos/{owner}/{repo}/compare/{base}...{head}: read compare by path head`},
		{"PUT that makes", `
/queues/{name}: {put: {responses: {"201": {}}}, get: {}}
/queues: {get: {}}`, `
GET /queues/{name}: read queues by path name
PUT /queues/{name}: upsert queues by path name
GET /queues: list queues`},
		{"changes of all, and a verb that the method speaks against", `
/contacts: {get: {}, post: {}, delete: {}, options: {}}
/contacts/{id}: {get: {}}
/contacts/all: {delete: {}}`, `
GET /contacts: list contacts
POST /contacts: create contacts
DELETE /contacts: action contacts delete_all
OPTIONS /contacts: other
GET /contacts/{id}: read contacts by path id
DELETE /contacts/all: action contacts all`},
		{"what is left over", `
/embeddings: {post: {}}
/health/ready: {get: {}}
/: {get: {}}`, `
POST /embeddings: other
GET /health/ready: other
GET /: other`},
		{"what is made and never read", `
/invoices: {get: {}, post: {}}
/invoices/{id}: {get: {}}
/invoices/{id}/reminders: {post: {responses: {"201": {}}}}
/invoices/{id}/receipts: {post: {responses: {"204": {}}}}
/invoices/{id}/void: {post: {responses: {"201": {}}}}
/invoices/{id}/pay: {post: {responses: {"200": {}}}}
/invoices/exports: {post: {responses: {"202": {}}}}
/mails: {post: {responses: {"202": {content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}}
/notes: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}, responses: {"200": {content: {application/json: {schema: {type: object, properties: {id: {type: string}, text: {type: string}}}}}}}}}
/moderations: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {input: {type: string}, model: {type: string}}}}}}, responses: {"200": {content: {application/json: {schema: {type: object, properties: {id: {type: string}, model: {type: string}}}}}}}}}
/rates: {post: {responses: {"201": {content: {application/json: {schema: {type: array, items: {type: object}}}}}}}}
/token: {post: {responses: {"200": {}}}}`, `
GET /invoices: list invoices
POST /invoices: create invoices
GET /invoices/{id}: read invoices by path id
POST /invoices/{id}/reminders: create reminders
POST /invoices/{id}/receipts: create receipts
POST /invoices/{id}/void: action invoices void by path id
POST /invoices/{id}/pay: action invoices pay by path id
POST /invoices/exports: create exports
POST /mails: create mails
POST /notes: create notes
POST /moderations: other
POST /rates: other
POST /token: other`},
		{"same names in two places", `
/users/{id}/keys/{key}: {get: {}, delete: {}}
/teams/{id}/keys/{key}: {get: {}, delete: {}}
/users/{id}: {get: {}}
/teams/{id}: {get: {}}`, `
GET /users/{id}/keys/{key}: read keys by path key
DELETE /users/{id}/keys/{key}: delete keys by path key
GET /teams/{id}/keys/{key}: read teams_keys by path key
DELETE /teams/{id}/keys/{key}: delete teams_keys by path key
GET /users/{id}: read users by path id
GET /teams/{id}: read teams by path id`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := roles(infer(t, "openapi: 3.0.0\npaths:\n"+indent(test.paths)))
			if want := strings.TrimPrefix(test.want, "\n") + "\n"; got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// indent puts lines below a key.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimPrefix(text, "\n"), "\n", "\n  ") + "\n"
}

// tangled has schemas that are part of themselves in every way, references that
// lead nowhere, and paths that are hardly any.
const tangled = `
openapi: 3.0.0
paths:
  /a: &a
    get: {responses: {"200": {content: {application/json: {schema: {$ref: '#/components/schemas/All'}}}}}}
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Any'}}}}, responses: {"201": {content: {application/json: {schema: {$ref: '#/components/schemas/One'}}}}}}
  /a/{id}: *a
  /a/{id}/{id}: *a
  /a/{id}/a/{id}/a: *a
  /b: {get: {responses: {default: {content: {application/json: {schema: {$ref: '#/nowhere'}}}}, "4": {}, "": {}}}}
  "/b/{": *a
  "/b/{}": *a
  "/{": *a
  "}/{x{y}}": *a
  "/c(": *a
  "/c({id})/(": *a
  "/c/:": *a
  "/:": *a
  "/.": *a
  "/..json/": *a
  "#": *a
  "/#.=": *a
  "?Action=": *a
  "": *a
  "//": *a
  "/get": *a
  "/get/get/{get}/get": *a
  "/é/É{ü}/日本": *a
components:
  schemas:
    All: {allOf: [{$ref: '#/components/schemas/All'}, {$ref: '#/components/schemas/Any'}]}
    Any: {anyOf: [{$ref: '#/components/schemas/One'}, {$ref: '#/components/schemas/Any'}, {$ref: '#/components/schemas/All'}]}
    One: {oneOf: [{$ref: '#/components/schemas/Loop'}, {$ref: '#/components/schemas/List'}, {properties: {data: {$ref: '#/components/schemas/One'}, result: {$ref: '#/components/schemas/List'}}}]}
    Loop: {$ref: '#/components/schemas/Pool'}
    Pool: {$ref: '#/components/schemas/Loop'}
    List: {type: array, items: {$ref: '#/components/schemas/List'}}
`

func TestTangledDocumentIsInferredAllTheSame(t *testing.T) {
	t.Parallel()
	api, m := infer(t, tangled)
	if len(m.Roles) != len(api.Operations) || len(api.Operations) < 40 {
		t.Errorf("%d roles for %d operations", len(m.Roles), len(api.Operations))
	}
	for _, op := range api.Operations {
		if r := m.Roles[op]; r == nil || r.Kind == "" || (r.Resource == nil) != (r.Kind == anatomy.Other) {
			t.Errorf("%s %s: %+v", op.Method, op.Path, r)
		}
	}
}

func TestInferenceIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	first := describe(infer(t, tangled))
	for range 5 {
		if again := describe(infer(t, tangled)); again != first {
			t.Fatalf("first\n%s\nthen\n%s", first, again)
		}
	}
}

func FuzzInfer(f *testing.F) {
	f.Add(tangled)
	f.Add("swagger: '2.0'\npaths: {/a: {get: {}}, '/a/{b}': {put: {}}}")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := document.Open(fstest.MapFS{"api.yaml": {Data: []byte(text)}}, "api.yaml")
		if err != nil {
			return
		}
		api, err := openapi.Read(d)
		if err != nil {
			return
		}
		if m := anatomy.Infer(api); len(m.Roles) != len(api.Operations) {
			t.Errorf("%d roles for %d operations", len(m.Roles), len(api.Operations))
		}
	})
}

// The one below has more operations, and could not be named for the other.
func TestTheThingThatIsInNothingKeepsThePlainName(t *testing.T) {
	t.Parallel()
	ok := "responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, %s: {type: string}}}}}}}"
	one, other := strings.ReplaceAll(ok, "%s", "size"), strings.ReplaceAll(ok, "%s", "state")
	_, m := infer(t, `
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /files: {post: {`+one+`}}
  /files/{file_id}: {parameters: [{name: file_id, in: path, required: true, schema: {type: string}}], get: {`+one+`}}
  /stores: {post: {`+one+`}}
  /stores/{store_id}: {parameters: [{name: store_id, in: path, required: true, schema: {type: string}}], get: {`+one+`}}
  /stores/{store_id}/files: {parameters: [{name: store_id, in: path, required: true, schema: {type: string}}], post: {`+other+`}}
  /stores/{store_id}/files/{file_id}:
    parameters: [{name: store_id, in: path, required: true, schema: {type: string}}, {name: file_id, in: path, required: true, schema: {type: string}}]
    get: {`+other+`}
    put: {`+other+`}
    delete: {responses: {'204': {description: gone}}}
`)
	var names []string
	for _, r := range m.Resources {
		names = append(names, r.Name)
	}
	if got := strings.Join(names, " "); got != "files stores stores_files" {
		t.Errorf("the resources are %s", got)
	}
}
