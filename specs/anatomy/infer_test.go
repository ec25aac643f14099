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
