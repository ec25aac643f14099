package class_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"parity/specs"
	"parity/specs/class"
)

func TestALadderIsClimbedOneWay(t *testing.T) {
	t.Parallel()
	all := class.All()
	for i, lower := range all {
		if lower.Rank() != i+1 {
			t.Errorf("%s stands at %d, want %d", lower, lower.Rank(), i+1)
		}
		for j, higher := range all {
			if got := lower.Within(higher); got != (i <= j) {
				t.Errorf("%s within %s: %v", lower, higher, got)
			}
			if got := class.Highest(lower, higher); got != all[max(i, j)] {
				t.Errorf("highest of %s and %s: %s", lower, higher, got)
			}
		}
		if none := class.Class("none"); lower.Within(none) || none.Within(lower) || class.Highest(none, lower) != lower {
			t.Errorf("what is no class is within something, or above %s", lower)
		}
	}
}

// Operations are as contracts of real services have them.
func TestClassesAreInferredByEffectAndWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		operation string
		effect    specs.Effect
		want      class.Class
		by        string
	}{
		{"GET /v1/webhook_endpoints", specs.Read, class.Read, "effect"},
		{"POST /contacts/search", specs.Read, class.Read, "effect"},
		{"POST /v1/customers", specs.Reversible, class.Reversible, "effect"},
		{"DELETE /v1/customers/{id}", specs.Irreversible, class.Irreversible, "effect"},

		{"POST /v1/webhook_endpoints", specs.Reversible, class.Admin, "webhook"},
		{"DELETE /v1/webhook_endpoints/{id}", specs.Irreversible, class.Admin, "webhook"},
		{"POST /repos/{owner}/{repo}/hooks/{id}/pings", specs.Reversible, class.Admin, "hook"},
		{"PUT /repos/{owner}/{repo}/collaborators/{username}", specs.Reversible, class.Admin, "collaborator"},
		{"PUT /orgs/{org}/memberships/{username}", specs.Reversible, class.Admin, "membership"},
		{"POST /members/{id}/suspend", specs.Reversible, class.Admin, "member"},
		{"POST /members/{id}/tasks", specs.Reversible, class.Reversible, "effect"},
		{"POST /v3/api_keys", specs.Reversible, class.Admin, "api key"},
		{"POST /apiKeys", specs.Reversible, class.Admin, "api key"},
		{"POST /?Action=CreateAccessKey", specs.Reversible, class.Admin, "access key"},
		{"POST /api/files.sharedPublicURL", specs.Reversible, class.Admin, "public url"},
		{"POST /calendars/{calendarId}/events/watch", specs.Reversible, class.Admin, "watch"},
		{"PUT /orgs/{org}/teams/{team}/repos/{owner}/{repo}", specs.Reversible, class.Admin, "team repo"},
		{"POST /orgs/{org}/repos", specs.Reversible, class.Reversible, "effect"},
		{"POST /v1/organization/projects", specs.Reversible, class.Admin, "organization"},
		{"POST /groups/{id}/users", specs.Reversible, class.Admin, "group user"},
		{"POST /2010-04-01/Accounts/{AccountSid}/Keys.json", specs.Reversible, class.Admin, "key"},
		{"PATCH /account", specs.Reversible, class.Admin, "account"},
		{"PATCH /accounts/{id}", specs.Reversible, class.Reversible, "effect"},
		{"POST /admin/api/2024-01/orders.json", specs.Reversible, class.Reversible, "effect"},
		{"PUT /admin/users/{id}", specs.Reversible, class.Admin, "admin"},

		{"POST /messages/count_tokens", specs.Reversible, class.Reversible, "effect"},
		{"POST /v1/messages/{id}/keynotes", specs.Reversible, class.Reversible, "effect"},
		{"PATCH /repos/{owner}/{repo}/secret-scanning/alerts/{n}", specs.Reversible, class.Reversible, "effect"},

		{"POST /tax/transactions/create_from_calculation", specs.Reversible, class.Reversible, "effect"},
		{"POST /graphql", specs.Reversible, class.Read, "graphql"},
		{"POST /api/graphql/v2", specs.Reversible, class.Read, "graphql"},
		{"POST /admin/api/2024-01/graphql.json", specs.Reversible, class.Read, "graphql"},
		{"POST /graphs", specs.Reversible, class.Reversible, "effect"},
		{"POST /graphql", specs.Irreversible, class.Irreversible, "effect"},

		{"POST /oauth/v1/token", specs.Reversible, class.Read, "oauth token"},
		{"DELETE /oauth/v1/token", specs.Irreversible, class.Admin, "token"},

		{"POST /drafts", specs.Reversible, class.Draft, "draft"},
		{"PUT /users/{userId}/drafts/{id}", specs.Reversible, class.Draft, "draft"},
		{"POST /draft_orders", specs.Reversible, class.Draft, "draft"},
		{"POST /v1/invoices/create_preview", specs.Reversible, class.Draft, "preview"},
		{"POST /addresses/validate", specs.Reversible, class.Draft, "validate"},
		{"POST /validateAddress", specs.Reversible, class.Draft, "validate"},
		{"POST /quotes/{quote}", specs.Reversible, class.Draft, "quote"},
		{"POST /quotes/{quote}/accept", specs.Reversible, class.Reversible, "effect"},
		{"POST /drafts/{id}/send", specs.Irreversible, class.Irreversible, "effect"},
		{"POST /validation_rules", specs.Reversible, class.Reversible, "effect"},
	} {
		method, path, _ := strings.Cut(c.operation, " ")
		got := class.Of(&specs.Operation{Method: method, Path: path}, c.effect)
		if want := (class.Reason{Class: c.want, How: class.Inferred, By: c.by}); got != want {
			t.Errorf("%s (%s): %+v, want %+v", c.operation, c.effect, got, want)
		}
	}
}

func TestADeclaredClassIsTakenAsItIs(t *testing.T) {
	t.Parallel()
	op := &specs.Operation{Method: "POST", Path: "/api_keys", Class: "reversible"}
	if got, want := class.Of(op, specs.Irreversible), (class.Reason{Class: class.Reversible, How: class.Declared}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Procedures are all POST, so the method says nothing of their effect.
func TestAProcedureThatDeletesIsNotTakenForReversible(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /chat.delete: {post: {responses: {}}}
  /chat.postMessage: {post: {responses: {}}}
  /pins.remove: {post: {responses: {}}}
  /messages.delete: {post: {x-parity-effect: reversible, responses: {}}}
`)
	want := map[string]class.Class{
		"POST /chat.delete": class.Irreversible, "POST /chat.postMessage": class.Irreversible, "POST /pins.remove": class.Reversible,
		"POST /messages.delete": class.Reversible,
	}
	for _, op := range contract.Operations {
		if got := class.Of(op, op.Effect); got.Class != want[op.Method+" "+op.Path] {
			t.Errorf("%s: %+v", op.Name(), got)
		}
	}
}

func TestWhoeverMaySayTheRoleOfAUserGoverns(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /users/{id}:
    put: {requestBody: {content: {application/json: {schema: {properties: {user: {properties: {role: {type: string}}}}}}}}, responses: {}}
    patch: {requestBody: {content: {application/json: {schema: {properties: {name: {type: string}}}}}}, responses: {}}
  /plays/{id}:
    put: {requestBody: {content: {application/json: {schema: {properties: {role: {type: string}}}}}}, responses: {}}
`)
	want := map[string]class.Reason{
		"PUT /users/{id}":   {Class: class.Admin, How: class.Inferred, By: "user role"},
		"PATCH /users/{id}": {Class: class.Reversible, How: class.Inferred, By: "effect"},
		"PUT /plays/{id}":   {Class: class.Reversible, How: class.Inferred, By: "effect"},
	}
	for _, op := range contract.Operations {
		if got := class.Of(op, op.Effect); got != want[op.Method+" "+op.Path] {
			t.Errorf("%s: %+v", op.Name(), got)
		}
	}
}

func load(t *testing.T, document string) *specs.Contract {
	t.Helper()
	contract, problems, err := specs.Load(files(document), "a.yaml", "a")
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return contract
}

func files(document string) fstest.MapFS { return fstest.MapFS{"a.yaml": {Data: []byte(document)}} }
