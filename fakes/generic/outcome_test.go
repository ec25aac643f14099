package generic_test

import (
	"strings"
	"testing"

	"parity/fakes/generic"
)

// Orders are cancelled, put away, paid and renamed by actions; refunds by a
// procedure that says in its body which is meant.
const ordering = `
paths:
  /orders:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
  /orders/{id}:
    parameters: [{$ref: '#/components/parameters/id'}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}, '404': {description: none}}}
  /orders/{id}/cancel:
    parameters: [{$ref: '#/components/parameters/id'}]
    post: {operationId: cancelOrder, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}}
  /orders/{id}/archive:
    parameters: [{$ref: '#/components/parameters/id'}]
    post: {responses: {'204': {description: done}}}
  /orders/{id}/unarchive:
    parameters: [{$ref: '#/components/parameters/id'}]
    post: {responses: {'204': {description: done}}}
  /orders/{id}/weigh:
    parameters: [{$ref: '#/components/parameters/id'}]
    post: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}}
  /orders/{id}/label:
    parameters: [{$ref: '#/components/parameters/id'}]
    put:
      requestBody: {content: {application/json: {schema: {type: object, properties: {label: {type: string}}}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
  /refund/create:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {amount: {type: integer}}}}}}
      responses: {'200': {description: made, content: {application/json: {schema: {type: object, properties: {refund: {$ref: '#/components/schemas/Refund'}}}}}}}
  /refund/get:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [refund_id], properties: {refund_id: {type: string}}}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {type: object, properties: {refund: {$ref: '#/components/schemas/Refund'}}}}}}}
  /refund/cancel:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [refund_id], properties: {refund_id: {type: string}}}}}}
      responses: {'200': {description: done, content: {application/json: {schema: {type: object, properties: {request_id: {type: string}}}}}}}
components:
  parameters:
    id: {name: id, in: path, required: true, schema: {type: string}}
  schemas:
    Order:
      type: object
      required: [id, status]
      properties:
        id: {type: string, readOnly: true}
        name: {type: string}
        label: {type: string}
        status: {type: string, enum: [open, paid, canceled]}
        archived: {type: boolean}
        canceled_at: {type: string, format: date-time, nullable: true}
    Refund: {type: object, required: [id, status], properties: {id: {type: string}, amount: {type: integer}, status: {type: string, enum: [pending, cancelled]}}}
`

func TestAnActionDoesWhatItsNameTells(t *testing.T) {
	t.Parallel()
	r := play(t, ordering)
	id := r.must(201, r.post("/orders", `{"name": "tea"}`)).text("id")
	at := "/orders/" + id
	before := r.must(200, r.get(at))
	if after := r.must(200, r.post(at+"/weigh", "")); after.raw != before.raw {
		t.Errorf("of an action that tells nothing the order is %s, and was %s", after.raw, before.raw)
	}
	r.must(200, r.post(at+"/cancel", ""))
	want(t, r.must(200, r.get(at)), map[string]any{"status": "canceled", "canceled_at": "2026-03-01T12:00:00Z", "name": "tea"})
	r.must(204, r.post(at+"/archive", ""))
	want(t, r.must(200, r.get(at)), map[string]any{"archived": true})
	r.must(204, r.post(at+"/unarchive", ""))
	want(t, r.must(200, r.get(at)), map[string]any{"archived": false})
	r.must(200, r.put(at+"/label", `{"label": "fragile"}`))
	want(t, r.must(200, r.get(at)), map[string]any{"label": "fragile", "name": "tea"})
	if got := r.post("/orders/none/cancel", "").status; got != 404 {
		t.Errorf("one that is not there is a %d", got)
	}
	refund := r.must(200, r.post("/refund/create", `{"amount": 5}`)).text("refund.id")
	r.must(200, r.post("/refund/create", `{"amount": 6}`))
	r.must(200, r.post("/refund/cancel", `{"refund_id": "`+refund+`"}`))
	want(t, r.must(200, r.post("/refund/get", `{"refund_id": "`+refund+`"}`)), map[string]any{"refund.status": "cancelled", "refund.amount": 5.0})
}

func TestABehaviourFileSaysOtherwiseThanTheNameOfAnAction(t *testing.T) {
	t.Parallel()
	for set, wanted := range map[string]any{"set: {}": nil, "set: {label: void}": "void"} {
		r := behaving(t, ordering, "operations: {cancelOrder: {"+set+"}}")
		id := r.must(201, r.post("/orders", `{"name": "tea"}`)).text("id")
		before := r.get("/orders/" + id)
		r.must(200, r.post("/orders/"+id+"/cancel", ""))
		want(t, r.must(200, r.get("/orders/"+id)), map[string]any{"status": before.at("status"), "label": wanted})
	}
	if sketch := string(generic.Sketch(contractOf(t, ordering))); !strings.Contains(sketch, "sets status: canceled, canceled_at: now") {
		t.Errorf("the sketch does not tell what a name tells:\n%s", sketch)
	}
}
