package specs_test

import (
	"strings"
	"testing"
)

// Nobody said that a list could not be read to its end, or that a parameter
// changed nothing.
func TestWhatWillSurpriseIsTold(t *testing.T) {
	t.Parallel()
	const list = `responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {things: {type: array, items: {type: object, properties: {id: {type: string}, name: {type: string}, created: {type: integer}}}}}}}}}}`
	c := lenientContract(t, `
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /cut: {get: {parameters: [{name: limit, in: query, schema: {type: integer}}], `+list+`}}
  /paged: {get: {parameters: [{name: cursor, in: query, schema: {type: string}}, {name: name, in: query, schema: {type: string}}, {name: colour, in: query, schema: {type: string}}], `+list+`}}
  /whole: {get: {parameters: [{name: offset, in: query, schema: {type: integer}}, {name: created, in: query, style: deepObject, schema: {type: object, properties: {gte: {type: integer}}}}], `+list+`}}
  /engines/{type}/{alpha}: {get: {responses: {'200': {description: ok}}}}
  /engines/{type}/{beta}: {put: {responses: {'200': {description: ok}}}}
`)
	var got []string
	for _, d := range c.Advise() {
		got = append(got, d.String())
	}
	all := strings.Join(got, "\n")
	for _, wanted := range []string{
		"unpaged-list: GET /cut is cut by limit", "unpaged-list: GET /paged is paged by cursor", "ignored-parameter: GET /paged lists the same whatever colour says",
		"alike-paths: /engines/{type}/{beta} differs from /engines/{type}/{alpha} at api.yaml:8:",
	} {
		if !strings.Contains(all, wanted) {
			t.Errorf("it does not say: %s", wanted)
		}
	}
	if len(got) != 4 {
		t.Errorf("it says\n%s", all)
	}
}
