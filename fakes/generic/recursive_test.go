package generic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"pgregory.net/rapid"

	"parity/fakes/generic"
	"parity/specs/oracle"
	"parity/specs/sample"
)

// circled has operations of records of S, of which all is drawn but their kind.
const circled = `openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /things:
    post: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}}
    get: {parameters: [{name: limit, in: query, schema: {type: integer}}], responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [data], properties: {data: {type: array, items: {$ref: '#/components/schemas/S'}}}}}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}}
    put: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}}
    patch: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}}
  /newest:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/T'}}}}}}
  /guess:
    post: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [best], properties: {best: {$ref: '#/components/schemas/T'}}}}}}}}
components:
  schemas: `

// circles draws two schemas of objects that hold themselves and each other.
func circles(r *rapid.T) map[string]any {
	var field func(depth int) map[string]any
	field = func(depth int) map[string]any {
		to := map[string]any{"$ref": "#/components/schemas/" + rapid.SampledFrom([]string{"S", "T"}).Draw(r, "to")}
		if depth == 0 {
			return to
		}
		switch rapid.IntRange(0, 6).Draw(r, "way") {
		case 0:
			return map[string]any{"type": "array", "items": field(depth - 1), "minItems": rapid.IntRange(0, 2).Draw(r, "minItems")}
		case 1:
			return map[string]any{"oneOf": []any{to, map[string]any{"type": "string"}}}
		case 2:
			return map[string]any{"anyOf": []any{field(depth - 1), map[string]any{"type": "boolean"}}}
		case 3:
			return map[string]any{"allOf": []any{to, map[string]any{"type": "object", "properties": map[string]any{"note": map[string]any{"type": "string"}}}}}
		case 4:
			return map[string]any{"type": "object", "additionalProperties": field(depth - 1), "minProperties": rapid.IntRange(0, 1).Draw(r, "minProperties")}
		case 5:
			return map[string]any{"type": "object", "nullable": true, "required": []any{"in"}, "properties": map[string]any{"in": field(depth - 1)}}
		}
		return to
	}
	all := map[string]any{}
	for _, name := range []string{"S", "T"} {
		properties, required := map[string]any{"id": map[string]any{"type": "string"}, "kind": map[string]any{"type": "string", "enum": []any{name}}}, []any{"id", "kind"}
		for i := range rapid.IntRange(1, 3).Draw(r, "fields") {
			properties[fmt.Sprint("f", i)] = field(2)
			if rapid.Bool().Draw(r, "required") {
				required = append(required, fmt.Sprint("f", i))
			}
		}
		all[name] = map[string]any{"type": "object", "properties": properties, "required": required, "nullable": name == "T" && rapid.Bool().Draw(r, "nullable")}
	}
	return all
}

// A reply with a record that holds records of its kind went down until it was
// cut off, and broke its contract there.
func TestNoReplyOfWhatHoldsItselfBreaksItsContract(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		schemas, err := json.Marshal(circles(r))
		if err != nil {
			r.Fatal(err)
		}
		contract := contractOf(t, circled+string(schemas)+"\n")
		for _, name := range []string{"S", "T"} {
			if _, ends := (&sample.Maker{Side: sample.Reply}).Value(contract.API().Component(name), name); !ends {
				r.Skip("no value ends")
			}
		}
		second, err := oracle.Read(contract.API().Document)
		if err != nil {
			r.Fatal(err)
		}
		rig := rigOf(t, generic.Options{Contract: contract})
		ask := func(method, target, body string) got {
			call, trouble := rig.call(method, target, body, nil)
			if trouble != nil {
				r.Fatalf("%s %s: %+v", method, target, trouble)
			}
			reply := rig.service.Fake.Answer(call)
			rig.world = call.Tx.Commit()
			for _, wrong := range call.Operation.CheckReply(reply.Status, reply.Header.Get("Content-Type"), reply.Body) {
				r.Errorf("%s %s: %+v\n%s\n%s", method, target, wrong, reply.Body, schemas)
			}
			asked := oracle.Request{Method: method, Path: call.Operation.Source().Path, Values: call.Input.Path, Header: http.Header{}}
			if said := second.Reply(asked, oracle.Reply{Status: reply.Status, Header: reply.Header, Body: reply.Body}); said.Verdict == oracle.Breaks {
				r.Errorf("%s %s: kin-openapi: %s\n%s\n%s", method, target, said.Why, reply.Body, schemas)
			}
			g := got{status: reply.Status, raw: string(reply.Body)}
			_ = json.Unmarshal(reply.Body, &g.body)
			return g
		}
		id := ask("POST", "/things", `{"kind":"S"}`).text("id")
		ask("POST", "/things", `{}`)
		ask("GET", "/things/"+id, "")
		ask("PUT", "/things/"+id, `{"kind":"S"}`)
		ask("PATCH", "/things/"+id, `{"other":1}`)
		ask("GET", "/things", "")
		ask("GET", "/newest", "")
		ask("POST", "/guess", `{"like":"this"}`)
	})
}
