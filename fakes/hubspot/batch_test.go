package hubspot_test

import (
	"testing"

	"parity/fakes/faketest"
)

func inputs(all ...any) object { return object{"inputs": all} }

func TestBatchesAreDoneInPart(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(201, r.JSON("POST", "/crm/v3/objects/contacts/batch/create", inputs(props("email", "a@example.com"), props("email", "b@example.com"))))
	faketest.Want(t, made, object{"status": "COMPLETE", "results.1.properties.email": "b@example.com", "numErrors": nil})
	a, b := made.Text("results.0.id"), made.Text("results.1.id")
	read := r.Must(207, r.JSON("POST", "/crm/v3/objects/contacts/batch/read", object{"idProperty": "email", "properties": []any{"email"}, "inputs": []any{object{"id": "b@example.com"}, object{"id": "c@example.com"}}}))
	faketest.Want(t, read, object{
		"results.0.id": b, "numErrors": 1, "errors.0.category": "OBJECT_NOT_FOUND", "errors.0.context.ids.0": "c@example.com",
		"errors.0.message": "Could not get some CONTACT objects, they may be deleted or not exist. Check that ids are valid.",
	})
	r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/batch/read", inputs(object{"id": a}, object{"id": a})))
	changed := r.Must(207, r.JSON("POST", "/crm/v3/objects/contacts/batch/update", inputs(object{"id": a, "properties": object{"firstname": "A"}}, object{"id": "1", "properties": object{"firstname": "B"}})))
	faketest.Want(t, changed, object{"results.0.properties.firstname": "A", "errors.0.context.ids.0": "1"})
	upsert := r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/batch/upsert", inputs(
		object{"id": "a@example.com", "idProperty": "email", "properties": object{"lastname": "One"}}, object{"id": "c@example.com", "idProperty": "email", "properties": object{"lastname": "Two"}})))
	faketest.Want(t, upsert, object{"results.0.new": false, "results.0.id": a, "results.1.new": true, "results.1.properties.email": "c@example.com"})
	r.Must(204, r.JSON("POST", "/crm/v3/objects/contacts/batch/archive", inputs(object{"id": a}, object{"id": "1"})))
	r.Must(404, r.Send("GET", "/crm/v3/objects/contacts/"+a, ""))
}

func TestBatchesThatAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := add(r, "contacts", "email", "a@example.com")
	// One bad input refuses all, and nothing is made.
	r.Must(400, r.JSON("POST", "/crm/v3/objects/contacts/batch/create", inputs(props("email", "n@example.com"), props("nosuch", "x"))))
	r.Must(409, r.JSON("POST", "/crm/v3/objects/contacts/batch/create", inputs(props("email", "n@example.com"), props("email", "a@example.com"))))
	r.Must(409, r.JSON("POST", "/crm/v3/objects/contacts/batch/create", inputs(props("email", "n@example.com"), props("email", "N@example.com"))))
	if all := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts", "")); all.Len("results") != 1 {
		t.Errorf("a refused batch left something: %s", all.Raw)
	}
	// Traced inputs fare each for itself.
	traced := func(email, trace string) object {
		return object{"properties": object{"email": email}, "objectWriteTraceId": trace}
	}
	part := r.Must(207, r.JSON("POST", "/crm/v3/objects/contacts/batch/create", inputs(traced("n@example.com", "one"), traced("a@example.com", "two"))))
	faketest.Want(t, part, object{"results.0.objectWriteTraceId": "one", "numErrors": 1, "errors.0.context.objectWriteTraceId.0": "two", "errors.0.category": "CONFLICT"})
	twice := r.Must(400, r.JSON("POST", "/crm/v3/objects/contacts/batch/update", inputs(object{"id": id, "properties": object{"firstname": "x"}}, object{"id": id, "properties": object{"firstname": "y"}})))
	faketest.Want(t, twice, object{"message": "Duplicate IDs found in batch input: [" + id + "]. IDs must be unique", "context.ids.0": id})
	many := make([]any, 101)
	for i := range many {
		many[i] = object{"id": "1"}
	}
	r.Must(400, r.JSON("POST", "/crm/v3/objects/contacts/batch/read", object{"inputs": many}))
	r.Must(400, r.JSON("POST", "/crm/v3/objects/contacts/batch/read", inputs()))
	none := r.Must(400, r.JSON("POST", "/crm/v3/objects/contacts/batch/read", object{}))
	faketest.Want(t, none, object{"message": "Invalid input JSON on line 1, column 2. Some required fields were not set: [inputs]"})
	r.Must(404, r.JSON("POST", "/crm/v3/objects/contacts/batch/upsert", inputs(object{"id": "x@example.com", "properties": object{}})))
}
