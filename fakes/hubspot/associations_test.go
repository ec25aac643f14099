package hubspot_test

import (
	"testing"

	"parity/fakes/faketest"
)

func spec(category string, id int) object {
	return object{"associationCategory": category, "associationTypeId": id}
}

func TestRecordsAreAssociatedBothWays(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	company := add(r, "companies", "name", "Acme")
	other := add(r, "companies", "name", "Other")
	made := r.Must(201, r.JSON("POST", "/crm/v3/objects/contacts", object{
		"properties":   object{"email": "ada@example.com"},
		"associations": []any{object{"to": object{"id": company}, "types": []any{spec("HUBSPOT_DEFINED", 279)}}},
	}))
	contact := made.Text("id")
	got := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/"+contact+"?associations=companies,deals", ""))
	faketest.Want(t, got, object{
		"associations.companies.results": []any{object{"id": company, "type": "contact_to_company_unlabeled"}, object{"id": company, "type": "contact_to_company"}}, "associations.deals": nil,
	})
	back := r.Must(200, r.Send("GET", "/crm/v4/objects/company/"+company+"/associations/contact", ""))
	faketest.Want(t, back, object{"results": []any{object{"toObjectId": number(contact), "associationTypes": []any{
		object{"category": "HUBSPOT_DEFINED", "typeId": 280, "label": nil}, object{"category": "HUBSPOT_DEFINED", "typeId": 2, "label": "Primary"},
	}}}})
	both := r.Must(200, r.Send("PUT", "/crm/v4/objects/contacts/"+contact+"/associations/default/companies/"+other, ""))
	faketest.Want(t, both, object{"status": "COMPLETE", "results.0.associationSpec.associationTypeId": 279, "results.1.associationSpec.associationTypeId": 280, "results.1.from.id": other})
	// The second company is not the primary one.
	second := r.Must(200, r.Send("GET", "/crm/v4/objects/contacts/"+contact+"/associations/companies?limit=1&after=1", ""))
	if second.Len("results.0.associationTypes") != 1 {
		t.Errorf("the second company: %s", second.Raw)
	}
	r.Must(204, r.Send("DELETE", "/crm/v4/objects/contacts/"+contact+"/associations/companies/"+company, ""))
	if left := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/"+contact+"/associations/companies", "")); left.Len("results") != 1 {
		t.Errorf("left: %s", left.Raw)
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	contact, company := add(r, "contacts", "email", "ada@example.com"), add(r, "companies", "name", "Acme")
	labels := r.Must(200, r.JSON("POST", "/crm/v4/associations/contacts/companies/labels", object{"label": "Billing contact", "name": "billing", "inverseLabel": "Bills"}))
	faketest.Want(t, labels, object{"results.0.category": "USER_DEFINED", "results.0.label": "Billing contact", "results.1.label": "Bills"})
	id := int(labels.At("results.0.typeId").(float64))
	r.Must(409, r.JSON("POST", "/crm/v4/associations/contacts/companies/labels", object{"label": "Billing contact", "name": "billing"}))
	path := "/crm/v4/objects/contacts/" + contact + "/associations/companies/" + company
	set := r.Must(201, r.JSON("PUT", path, []any{spec("USER_DEFINED", id)}))
	faketest.Want(t, set, object{"fromObjectTypeId": "0-1", "toObjectTypeId": "0-2", "labels": []any{"Billing contact"}, "fromObjectId": number(contact)})
	back := r.Must(200, r.Send("GET", "/crm/v4/objects/companies/"+company+"/associations/contacts", ""))
	if got := back.Texts("results.0.associationTypes", "label"); len(got) != 3 || got[0] != "Bills" {
		t.Errorf("from the other side: %s", back.Raw)
	}
	wrong := r.Must(400, r.JSON("PUT", path, []any{spec("USER_DEFINED", 4711)}))
	faketest.Want(t, wrong, object{"message": "One or more associations are invalid", "context.INVALID_ASSOCIATION_TYPE_ID.0": "USER_DEFINED=4711 is not a valid association definition id"})
	faketest.Want(t, r.Must(400, r.JSON("PUT", path, []any{spec("HUBSPOT_DEFINED", 280)})), object{"message": "invalid from object type 0-1 for associations to be created. expected: 0-2"})
	nobody := r.Must(400, r.Send("PUT", "/crm/v4/objects/contacts/"+contact+"/associations/default/companies/1", ""))
	faketest.Want(t, nobody, object{"context.INVALID_OBJECT_IDS.0": "COMPANY=1 is not valid", "category": "VALIDATION_ERROR"})
	r.Must(204, r.JSON("POST", "/crm/v4/associations/contacts/companies/batch/labels/archive", inputs(object{"from": object{"id": contact}, "to": object{"id": company}, "types": []any{spec("USER_DEFINED", id)}})))
	r.Must(204, r.JSON("PUT", "/crm/v4/associations/contacts/companies/labels", object{"associationTypeId": id, "label": "Pays"}))
	if all := r.Must(200, r.Send("GET", "/crm/v4/associations/contacts/companies/labels", "")); all.Len("results") != 3 {
		t.Errorf("labels: %s", all.Raw)
	}
	r.Must(204, r.Send("DELETE", "/crm/v4/associations/contacts/companies/labels/"+labels.Text("results.0.typeId"), ""))
	r.Must(400, r.Send("DELETE", "/crm/v4/associations/contacts/companies/labels/"+labels.Text("results.0.typeId"), ""))
}

func TestBatchesOfAssociations(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	deal, contact := add(r, "deals", "dealname", "Big"), add(r, "contacts", "email", "ada@example.com")
	lone := add(r, "deals", "dealname", "Lone")
	pair := func(from, to string) object { return object{"from": object{"id": from}, "to": object{"id": to}} }
	part := r.Must(207, r.JSON("POST", "/crm/v4/associations/deals/contacts/batch/associate/default", inputs(pair(deal, contact), pair(deal, "1"))))
	faketest.Want(t, part, object{"numErrors": 1, "results.0.associationSpec.associationTypeId": 3})
	full := pair(deal, contact)
	full["types"] = []any{spec("HUBSPOT_DEFINED", 3)}
	r.Must(201, r.JSON("POST", "/crm/v4/associations/deals/contacts/batch/create", inputs(full)))
	read := r.Must(207, r.JSON("POST", "/crm/v4/associations/deals/contacts/batch/read", inputs(object{"id": deal}, object{"id": lone})))
	faketest.Want(t, read, object{
		"results.0.to.0.toObjectId": number(contact), "errors.0.subCategory": "crm.associations.NO_ASSOCIATIONS_FOUND",
		"errors.0.message": "No contact is associated with deal " + lone + ".", "errors.0.context.fromObjectId.0": lone,
	})
	v3 := pair(lone, contact)
	v3["type"] = "deal_to_contact"
	r.Must(201, r.JSON("POST", "/crm/v3/associations/deals/contacts/batch/create", inputs(v3)))
	faketest.Want(t, r.Must(200, r.JSON("POST", "/crm/v3/associations/deals/contacts/batch/read", inputs(object{"id": lone}))), object{"results.0.to": []any{object{"id": contact, "type": "deal_to_contact"}}})
	r.Must(204, r.JSON("POST", "/crm/v3/associations/deals/contacts/batch/archive", inputs(v3)))
	r.Must(204, r.JSON("POST", "/crm/v4/associations/deals/contacts/batch/archive", inputs(object{"from": object{"id": deal}, "to": []any{object{"id": contact}}})))
	r.Must(207, r.JSON("POST", "/crm/v4/associations/deals/contacts/batch/read", inputs(object{"id": deal})))
	bad := r.Must(400, r.Send("PUT", "/crm/v3/objects/deals/"+deal+"/associations/contacts/"+contact+"/test", ""))
	faketest.Want(t, bad, object{"message": "test is not a valid association type between deals and contacts", "subCategory": "crm.associations.INVALID_ASSOCIATION_TYPE"})
	put := r.Must(200, r.Send("PUT", "/crm/v3/objects/deals/"+deal+"/associations/contacts/"+contact+"/deal_to_contact", ""))
	faketest.Want(t, put, object{"associations.contacts.results.0.id": contact})
	r.Must(204, r.Send("DELETE", "/crm/v3/objects/deals/"+deal+"/associations/contacts/"+contact+"/3", ""))
	if types := r.Must(200, r.Send("GET", "/crm/v3/associations/deals/companies/types", "")); types.Len("results") != 2 {
		t.Errorf("types: %s", types.Raw)
	}
}

func TestARecordHasOnePrimaryCompany(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	contact, first, second := add(r, "contacts", "email", "a@example.com"), add(r, "companies", "name", "A"), add(r, "companies", "name", "B")
	for _, company := range []string{first, second} {
		r.Must(200, r.Send("PUT", "/crm/v4/objects/companies/"+company+"/associations/default/contacts/"+contact, ""))
	}
	r.Must(201, r.JSON("PUT", "/crm/v4/objects/contacts/"+contact+"/associations/companies/"+second, []any{spec("HUBSPOT_DEFINED", 1)}))
	all := r.Must(200, r.Send("GET", "/crm/v4/objects/contacts/"+contact+"/associations/companies", ""))
	if a, b := all.Len("results.0.associationTypes"), all.Len("results.1.associationTypes"); a != 1 || b != 2 {
		t.Errorf("primary: %s", all.Raw)
	}
}
