package openapi_test

import (
	"slices"
	"testing"
)

// Documents that were made of recordings show examples, and no schemas: nothing
// was known of their replies.
func TestAReplyWithAnExampleAloneHasItsFields(t *testing.T) {
	t.Parallel()
	api, err := read(t, `
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /lists:
    get:
      responses:
        '200': {description: ok, content: {application/json: {examples: {one: {value: {http_code: 200, ratio: 0.5, data: [{list_id: 7, list_name: A, gone: null}]}}}}}}
        '400': {description: bad, content: {application/json: {schema: {type: object, additionalProperties: {}}, examples: {a: {value: {days: [{detail: x}]}}, b: {value: {detail: Bad, status_code: 400}}}}}}
        '404': {description: no, content: {application/json: {schema: {type: object, properties: {own: {type: string}}}, example: {other: x}}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	responses, _ := api.Operations[0].Responses()
	again, _ := api.Operations[0].Responses()
	for i, want := range [][]string{{"data array", "http_code integer", "ratio number"}, {"detail string", "status_code integer"}, {"own string"}} {
		got := []string{}
		for _, p := range responses[i].Content[0].Schema.View().Properties {
			got = append(got, p.Name+" "+p.Schema.View().Types[0])
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", responses[i].Status, got, want)
		}
		if responses[i].Content[0].Schema != again[i].Content[0].Schema {
			t.Errorf("%s: another schema each time it is read", responses[i].Status)
		}
	}
	items := responses[0].Content[0].Schema.View().Properties[2].Schema.View().Items.View()
	if len(items.Properties) != 3 || len(items.Required) > 0 {
		t.Errorf("items have %d fields, %v required", len(items.Properties), items.Required)
	}
}
