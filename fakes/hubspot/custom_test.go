package hubspot_test

import (
	"testing"

	"parity/fakes/faketest"
)

func carSchema() object {
	return object{
		"name": "car", "labels": object{"singular": "Car", "plural": "Cars"}, "primaryDisplayProperty": "model", "description": "What we sell.",
		"requiredProperties": []string{"model"}, "searchableProperties": []string{"model"}, "secondaryDisplayProperties": []string{"vin"},
		"properties": []any{
			object{"name": "model", "label": "Model"},
			object{"name": "vin", "label": "VIN", "type": "string", "fieldType": "text", "hasUniqueValue": true},
			object{"name": "color", "label": "Color", "type": "enumeration", "fieldType": "select", "options": []any{object{"label": "Red", "value": "red"}}},
		},
		"associatedObjects": []string{"CONTACT"},
	}
}

func TestRecordsOfAnOwnTypeAreFoundByEachOfItsNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(201, r.JSON("POST", "/crm/v3/schemas", carSchema()))
	id, full := made.Text("objectTypeId"), made.Text("fullyQualifiedName")
	faketest.Want(t, made, object{"name": "car", "metaType": "PORTAL_SPECIFIC", "labels.plural": "Cars", "archived": false, "associations.0.toObjectTypeId": "0-1", "associations.0.name": "car_to_contact"})
	r.Must(409, r.JSON("POST", "/crm/v3/schemas", carSchema()))

	car := r.Must(201, r.JSON("POST", "/crm/v3/objects/"+full, props("model", "T", "vin", "1", "color", "red"))).Text("id")
	for _, name := range []string{"car", full, id, "p_car"} {
		got := r.Must(200, r.Send("GET", "/crm/v3/objects/"+name+"/"+car+"?properties=model", ""))
		faketest.Want(t, got, object{"id": car, "properties.model": "T"})
	}
	if got := r.Must(400, r.JSON("POST", "/crm/v3/objects/car", props("vin", "2"))); got.Text("message") != "Error creating "+full+". Some required properties were not set." {
		t.Error(got.Raw)
	}
	r.Must(400, r.JSON("POST", "/crm/v3/objects/car", props("model", "T", "vin", "1")))
	r.Must(400, r.JSON("POST", "/crm/v3/objects/car", props("model", "T", "color", "blue")))
	byVIN := r.Must(200, r.Send("GET", "/crm/v3/objects/car/1?idProperty=vin&properties=color", ""))
	faketest.Want(t, byVIN, object{"id": car, "properties.color": "red"})
	r.Wait(60e9)
	found := r.Must(200, r.JSON("POST", "/crm/v3/objects/car/search", object{"query": "t"}))
	faketest.Want(t, found, object{"total": 1, "results.0.id": car})

	contact := add(r, "contacts", "email", "ada@example.com")
	r.Must(200, r.Send("PUT", "/crm/v4/objects/car/"+car+"/associations/default/contacts/"+contact, ""))
	linked := r.Must(200, r.Send("GET", "/crm/v4/objects/contacts/"+contact+"/associations/"+full, ""))
	faketest.Want(t, linked, object{"results.0.toObjectId": number(car), "results.0.associationTypes.0.category": "USER_DEFINED"})
	shown := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/"+contact+"?associations=car", ""))
	faketest.Want(t, shown, object{"associations." + full + ".results.0.id": car})
}

func TestAnOwnTypeIsChangedAndTakenAway(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.Must(201, r.JSON("POST", "/crm/v3/schemas", carSchema())).Text("objectTypeId")
	changed := r.Must(200, r.JSON("PATCH", "/crm/v3/schemas/car", object{"labels": object{"singular": "Auto", "plural": "Autos"}, "requiredProperties": []string{"vin"}}))
	faketest.Want(t, changed, object{"labels.plural": "Autos", "objectTypeId": id, "properties": nil})
	r.Must(400, r.JSON("PATCH", "/crm/v3/schemas/car", object{"searchableProperties": []string{"nosuch"}}))
	tie := r.Must(201, r.JSON("POST", "/crm/v3/schemas/car/associations", object{"fromObjectTypeId": id, "toObjectTypeId": "0-3", "name": "car_of_deal"}))
	faketest.Want(t, tie, object{"name": "car_of_deal", "toObjectTypeId": "0-3"})
	kinds := r.Must(200, r.Send("GET", "/crm/v3/associations/car/deals/types", ""))
	faketest.Want(t, kinds, object{"results.0.name": "car_of_deal"})
	r.Must(204, r.Send("DELETE", "/crm/v3/schemas/car/associations/"+tie.Text("id"), ""))

	car := add(r, "car", "vin", "1")
	r.Must(400, r.Send("DELETE", "/crm/v3/schemas/"+id, ""))
	r.Must(204, r.Send("DELETE", "/crm/v3/objects/car/"+car, ""))
	r.Must(204, r.Send("DELETE", "/crm/v3/schemas/"+id, ""))
	r.Must(404, r.Send("GET", "/crm/v3/schemas/car", ""))
	r.Must(400, r.JSON("POST", "/crm/v3/objects/"+id, props("vin", "2")))
	if all := r.Must(200, r.Send("GET", "/crm/v3/schemas?archived=true", "")); all.Len("results") != 1 {
		t.Error(all.Raw)
	}
	r.Must(409, r.JSON("POST", "/crm/v3/schemas", carSchema()))
	r.Must(204, r.Send("DELETE", "/crm-object-schemas/v3/schemas/car?archived=true", ""))
	r.Must(201, r.JSON("POST", "/crm/v3/schemas", carSchema()))
	standard := r.Must(200, r.Send("GET", "/crm/v3/schemas/contacts", ""))
	faketest.Want(t, standard, object{"objectTypeId": "0-1", "metaType": "HUBSPOT"})
}

func TestEachStandardTypeTakesRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, kind := range []string{
		"communications", "postal_mail", "feedback_submissions", "goal_targets", "appointments", "courses", "listings", "services", "orders",
		"carts", "invoices", "commerce_payments", "subscriptions", "discounts", "fees", "taxes", "0-136",
	} {
		set := []string{"hubspot_owner_id", ""}
		switch kind {
		case "communications":
			r.Must(400, r.JSON("POST", "/crm/v3/objects/"+kind, props("hs_communication_body", "x")))
			set = []string{"hs_timestamp", "2026-01-01T00:00:00Z", "hs_communication_channel_type", "SMS"}
		case "postal_mail":
			set = []string{"hs_timestamp", "2026-01-01T00:00:00Z"}
		case "0-136":
			set = []string{"hs_lead_name", "Ada"}
		}
		id := add(r, kind, set...)
		r.Must(200, r.Send("GET", "/crm/v3/objects/"+kind+"/"+id, ""))
	}
}
