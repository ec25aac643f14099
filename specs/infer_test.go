package specs

import "testing"

func TestEffectsOfWhatDoesNotSay(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /contacts:
    get: {operationId: list, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Contact'}}}}}}}
    post: {operationId: create, responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Contact'}}}}}}
  /contacts/search:
    post: {operationId: search, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Contact'}}}}}}}
  /contacts/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Contact'}}}}}}
    patch: {operationId: change, responses: {'200': {description: ok}}}
    delete: {operationId: drop, responses: {'204': {description: ok}}}
  /contacts/{id}/archive: {post: {operationId: archive, responses: {'200': {description: ok}}}}
  /contacts/{id}/notify: {post: {operationId: declared, x-parity-effect: irreversible, responses: {'200': {description: ok}}}}
  /messages:
    get: {operationId: messages, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}
    post: {operationId: write, responses: {'201': {description: ok}}}
  /messages/{id}: {get: {operationId: message, responses: {'200': {description: ok}}}}
  /drafts/{id}/send: {post: {operationId: send, responses: {'200': {description: ok}}}}
  /drafts/{id}: {get: {operationId: draft, responses: {'200': {description: ok}}}}
components:
  schemas:
    Contact: {type: object, properties: {id: {type: string}, name: {type: string}}}
`)
	for id, want := range map[string]Effect{
		"list": Read, "search": Read, "get": Read, "messages": Read, "create": Reversible, "change": Reversible, "archive": Reversible,
		"drop": Irreversible, "declared": Irreversible, "write": Irreversible, "send": Irreversible,
	} {
		if got := operation(t, contract, id).Effect; got != want {
			t.Errorf("%s is %s; want %s", id, got, want)
		}
	}
}
