package generic_test

import "testing"

const invoices = `
paths:
  /invoices:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Invoice'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Invoice'}}}}}
  /invoices/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Invoice'}}}}
        '404': {description: not found}
  /invoices/{id}/reminders:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {channel: {type: string}, text: {type: string}}}}}}
      responses: {'201': {description: sent, content: {application/json: {schema: {$ref: '#/components/schemas/Sent'}}}}}
  /invoices/{id}/void:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      responses: {'201': {description: void, content: {application/json: {schema: {$ref: '#/components/schemas/Invoice'}}}}}
  /mails:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {to: {type: string}, subject: {type: string}}}}}}
      responses: {'202': {description: on its way}}
components:
  schemas:
    Invoice: {type: object, required: [id, amount], properties: {id: {type: string, readOnly: true, example: inv_8fK2mQ}, amount: {type: integer}, status: {type: string, enum: [open, void]}}}
    Sent: {type: object, required: [id, status], properties: {id: {type: string, example: rem_4hT7wz}, status: {type: string}, sent_at: {type: string, format: date-time}}}
`

// What a POST makes and no operation reads was answered, and kept nowhere: the
// world was the same after two reminders as after none.
func TestWhatNothingReadsIsKeptAllTheSame(t *testing.T) {
	t.Parallel()
	r := play(t, invoices)
	invoice := r.must(201, r.post("/invoices", `{"amount":900}`)).text("id")
	first := r.must(201, r.post("/invoices/"+invoice+"/reminders", `{"channel":"email","text":"please"}`))
	r.must(201, r.post("/invoices/"+invoice+"/reminders", `{"channel":"sms"}`))
	r.must(404, r.post("/invoices/inv_nobody/reminders", `{"channel":"sms"}`))
	if n := r.world.Len("shop.reminders"); n != 2 {
		t.Fatalf("%d reminders are kept, want 2", n)
	}
	kept, ok := r.world.Get("shop.reminders", first.text("id"))
	if !ok || kept.Value()["channel"] != "email" || kept.Value()["text"] != "please" || kept.Value()["id"] != first.text("id") {
		t.Errorf("kept of %s: %v %+v", first.raw, ok, kept)
	}
	r.must(202, r.post("/mails", `{"to":"ada@example.com","subject":"hello"}`))
	for mail := range r.world.Oldest("shop.mails", 0) {
		if mail.Value()["to"] != "ada@example.com" || mail.Value()["subject"] != "hello" {
			t.Errorf("a mail is kept as %+v", mail.Value())
		}
	}
	if n := r.world.Len("shop.mails"); n != 1 {
		t.Errorf("%d mails are kept", n)
	}
	before := r.world.Len("shop.invoices")
	if r.must(201, r.post("/invoices/"+invoice+"/void", "")); r.world.Len("shop.invoices") != before {
		t.Error("what is done to an invoice has made one")
	}
}
