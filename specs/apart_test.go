package specs_test

import (
	"net/http"
	"testing"

	"parity/specs"
)

// Only the body that the first path of a shape takes was accepted.
func TestOfTwoPathsOfOneShapeTheBodyTellsWhichIsMeant(t *testing.T) {
	t.Parallel()
	operation := func(choice string) string {
		return `
    put:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [service], properties: {service: {type: string, enum: [` + choice + `]}}}}}}
      responses: {'200': {description: ok}}`
	}
	c := lenientContract(t, `
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /engines/{type}/{alpha_id}:`+operation("alpha")+`
  /engines/{type}/{beta_id}:`+operation("beta"))
	for choice, path := range map[string]string{"alpha": "/engines/{type}/{alpha_id}", "beta": "/engines/{type}/{beta_id}", "gamma": "/engines/{type}/{alpha_id}"} {
		m := c.MatchCall(&specs.Call{Method: "PUT", Path: "/engines/a/b", Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"service":"` + choice + `"}`)})
		if m.Operation.Path != path {
			t.Errorf("%s is meant for %s", choice, m.Operation.Path)
		}
	}
}
