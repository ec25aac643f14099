package anatomy_test

import "testing"

// What documents of the wild were misread for.
func TestMisreadDocuments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, op string
		want           string // of the operation: kind, resource, where its member's id stands
		field          string // of the resource's id
		parents        int    // fields that say whose a member is
	}{
		{
			name: "the parameter that tells the operation is taken for an id",
			text: `
openapi: 3.0.0
paths:
  /#Action=CreateAlarm: {get: {parameters: [{name: Action, in: query, required: true, schema: {type: string, enum: [CreateAlarm]}}, {name: AlarmName, in: query, schema: {type: string}}], responses: {"200": {content: {application/json: {schema: {$ref: '#/components/schemas/Alarm'}}}}}}}
  /#Action=DescribeAlarm: {get: {parameters: [{name: Action, in: query, required: true, schema: {type: string, enum: [DescribeAlarm]}}, {name: Which, in: query, required: true, schema: {type: string}}], responses: {"200": {content: {application/json: {schema: {$ref: '#/components/schemas/Alarm'}}}}}}}
components: {schemas: {Alarm: {type: object, properties: {AlarmName: {type: string}, Action: {type: string}}}}}
`,
			op: "GET /#Action=DescribeAlarm", want: "read Alarm by query Which", field: "AlarmName",
		},
		{
			name: "a credential is taken for an id",
			text: `
openapi: 3.0.0
security: [{k: []}]
paths:
  /cards: {post: {parameters: [{name: key, in: query, required: true, schema: {type: string}}]}}
  /cards/{idCard}: {get: {}, put: {parameters: [{name: key, in: query, required: true, schema: {type: string}}]}}
  /cards/{idCard}/list: {get: {}}
  /cards/{idCard}/{field}: {get: {}}
components: {securitySchemes: {k: {type: apiKey, in: query, name: key}}}
`,
			op: "PUT /cards/{idCard}", want: "replace cards by path idCard",
		},
		{
			name: "the owner's place has no word, and the member's own name is taken for the owner's",
			text: `
openapi: 3.0.0
paths:
  /{realm}/scopes: {get: {}, post: {}}
  /{realm}/scopes/{id}: {get: {responses: {"200": {content: {application/json: {schema: {type: object, properties: {id: {type: string}, name: {type: string}}}}}}}}}
`,
			op: "GET /{realm}/scopes/{id}", want: "read scopes by path id", field: "id",
		},
		{
			name: "the id that only the reply of a creation tells",
			text: `
openapi: 3.0.0
paths:
  /ipset: {post: {responses: {"200": {content: {application/json: {schema: {type: object, properties: {ipSetId: {type: string}}}}}}}}}
  /ipset/{ipSetId}: {get: {responses: {"200": {content: {application/json: {schema: {type: object, properties: {name: {type: string}, format: {type: string}}}}}}}}}
`,
			op: "GET /ipset/{ipSetId}", want: "read ipset by path ipSetId", field: "ipSetId",
		},
		{
			name: "the one thing that a procedure asks for is not seen as an id",
			text: `
openapi: 3.0.0
paths:
  /#Target=CreateLocationEfs: {post: {responses: {"200": {content: {application/json: {schema: {type: object, properties: {LocationArn: {type: string}}}}}}}}}
  /#Target=DescribeLocationEfs: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [LocationArn], properties: {LocationArn: {type: string}}}}}}, responses: {"200": {content: {application/json: {schema: {type: object, properties: {LocationArn: {type: string}, LocationUri: {type: string}}}}}}}}}
`,
			op: "POST /#Target=DescribeLocationEfs", want: "read LocationEfs by body LocationArn", field: "LocationArn",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api, m := infer(t, test.text)
			for _, op := range api.Operations {
				if op.Method+" "+op.Path != test.op {
					continue
				}
				role := m.Roles[op]
				if role.Resource == nil {
					t.Fatalf("it is %s, because %s", role.Kind, role.Why)
				}
				got := string(role.Kind) + " " + role.Resource.Name + " by " + role.In + " " + role.Member
				if got != test.want || test.field != "" && role.Resource.ID.Field != test.field || len(role.Parents) != test.parents {
					t.Errorf("%s, its id in %q, whose it is in %v; want %s, %q", got, role.Resource.ID.Field, role.Parents, test.want, test.field)
				}
				return
			}
			t.Fatal("there is no such operation")
		})
	}
}
