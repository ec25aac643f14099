package hubspot_test

import (
	"strings"
	"testing"

	"parity/fakes/faketest"
)

func TestPropertiesCanBeMade(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	all := r.Must(200, r.Send("GET", "/crm/v3/properties/contacts", ""))
	if n := all.Len("results"); n < 100 {
		t.Errorf("%d properties", n)
	}
	tier := object{"name": "tier", "label": "Tier", "type": "enumeration", "fieldType": "select", "groupName": "contactinformation", "options": []any{object{"label": "Gold", "value": "gold"}}}
	made := r.Must(201, r.JSON("POST", "/crm/v3/properties/contacts", tier))
	faketest.Want(t, made, object{"hubspotDefined": false, "modificationMetadata.archivable": true, "options.0.displayOrder": 0, "archived": false})
	faketest.Want(t, r.Must(409, r.JSON("POST", "/crm/v3/properties/contacts", tier)), object{"category": "OBJECT_ALREADY_EXISTS"})
	faketest.Want(t, r.JSON("POST", "/crm/v3/objects/contacts", props("tier", "silver")), object{"errors.0.message": "silver was not one of the allowed options: [gold]"})
	id := add(r, "contacts", "tier", "gold")
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/"+id+"?properties=tier", "")), object{"properties.tier": "gold"})
	changed := r.Must(200, r.JSON("PATCH", "/crm/v3/properties/contacts/tier", object{"label": "Level", "options": []any{object{"label": "Silver", "value": "silver"}}}))
	faketest.Want(t, changed, object{"label": "Level", "options.0.value": "silver"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/properties/contacts/email", "")), object{"name": "email", "type": "string", "hubspotDefined": true})
	r.Must(204, r.Send("DELETE", "/crm/v3/properties/contacts/tier", ""))
	faketest.Want(t, r.Must(404, r.Send("GET", "/crm/v3/properties/contacts/tier", "")), object{"category": "OBJECT_NOT_FOUND"})
	r.Must(200, r.Send("GET", "/crm/v3/properties/contacts/tier?archived=true", ""))
	r.Must(400, r.Send("DELETE", "/crm/v3/properties/contacts/email", ""))
	for _, bad := range []object{{"name": "Bad Name", "label": "x", "type": "string", "fieldType": "text", "groupName": "contactinformation"}, {"name": "x", "label": "x", "type": "string", "fieldType": "text", "groupName": "nogroup"}, {"name": "x"}, {"name": "x", "label": "x", "type": "colour", "fieldType": "text", "groupName": "contactinformation"}} {
		if got := r.JSON("POST", "/crm/v3/properties/contacts", bad); got.Status != 400 || !strings.Contains(got.Raw, "error") {
			t.Errorf("%v: %d %s", bad, got.Status, got.Raw)
		}
	}
	r.Must(207, r.JSON("POST", "/crm/v3/properties/deals/batch/read", inputs(object{"name": "amount"}, object{"name": "nosuch"})))
	r.Must(201, r.JSON("POST", "/crm/v3/properties/deals/batch/create", inputs(object{"name": "po", "label": "PO", "type": "string", "fieldType": "text", "groupName": "dealinformation", "hasUniqueValue": true})))
	add(r, "deals", "po", "A-1")
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/deals/A-1?idProperty=po&properties=po", "")), object{"properties.po": "A-1"})
	if twice := r.JSON("POST", "/crm/v3/objects/deals", props("po", "A-1")); twice.Status != 400 || !strings.Contains(twice.Text("message"), "already has that value") {
		t.Errorf("a unique value twice: %d %s", twice.Status, twice.Raw)
	}
	r.Must(204, r.JSON("POST", "/crm/v3/properties/deals/batch/archive", inputs(object{"name": "po"})))
	r.Must(201, r.JSON("POST", "/crm/v3/properties/deals/groups", object{"name": "shipping", "label": "Shipping"}))
	r.Must(409, r.JSON("POST", "/crm/v3/properties/deals/groups", object{"name": "shipping", "label": "Shipping"}))
	r.Must(200, r.Send("GET", "/crm/v3/properties/deals/groups/shipping", ""))
	r.Must(404, r.Send("GET", "/crm/v3/properties/deals/groups/none", ""))
	if groups := r.Must(200, r.Send("GET", "/crm/v3/properties/deals/groups", "")); groups.Len("results") != 2 {
		t.Errorf("groups: %s", groups.Raw)
	}
}

func TestPipelinesAndTheirStages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	all := r.Must(200, r.Send("GET", "/crm/v3/pipelines/deals", ""))
	faketest.Want(t, all, object{"results.0.id": "default", "results.0.stages.5.id": "closedwon", "results.0.stages.5.metadata.isClosed": "true"})
	made := r.Must(201, r.JSON("POST", "/crm/v3/pipelines/deals", object{"label": "Renewals", "displayOrder": 1, "stages": []any{
		object{"label": "Open", "displayOrder": 0, "metadata": object{"probability": "0.5"}}, object{"label": "Won", "displayOrder": 1, "metadata": object{"probability": 1.0}},
	}}))
	id, open := made.Text("id"), made.Text("stages.0.id")
	faketest.Want(t, made, object{"stages.1.metadata.isClosed": "true"})
	r.Must(400, r.JSON("POST", "/crm/v3/objects/deals", props("dealname", "x", "dealstage", open)))
	deal := add(r, "deals", "dealname", "x", "dealstage", open, "pipeline", id, "amount", "100")
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/deals/"+deal+"?properties=hs_projected_amount", "")), object{"properties.hs_projected_amount": "50"})
	stage := r.Must(201, r.JSON("POST", "/crm/v3/pipelines/deals/"+id+"/stages", object{"label": "Lost", "displayOrder": 2, "metadata": object{"probability": "0.0"}}))
	r.Must(400, r.JSON("POST", "/crm/v3/pipelines/deals/"+id+"/stages", object{"label": "Lost", "displayOrder": 2, "metadata": object{}}))
	faketest.Want(t, r.Must(200, r.JSON("PATCH", "/crm/v3/pipelines/deals/"+id+"/stages/"+stage.Text("id"), object{"label": "Gone"})), object{"label": "Gone"})
	r.Must(400, r.Send("DELETE", "/crm/v3/pipelines/deals/"+id+"/stages/"+open, ""))
	r.Must(204, r.Send("DELETE", "/crm/v3/pipelines/deals/"+id+"/stages/"+stage.Text("id"), ""))
	r.Must(404, r.Send("GET", "/crm/v3/pipelines/deals/"+id+"/stages/"+stage.Text("id"), ""))
	r.Must(200, r.JSON("PATCH", "/crm/v3/pipelines/deals/default", object{"label": "Sales"}))
	if stages := r.Must(200, r.Send("GET", "/crm/v3/pipelines/deals/default/stages", "")); stages.Len("results") != 7 {
		t.Errorf("stages: %s", stages.Raw)
	}
	r.Must(400, r.Send("DELETE", "/crm/v3/pipelines/deals/"+id+"?validateReferencesBeforeDelete=true", ""))
	r.Must(204, r.Send("DELETE", "/crm/v3/pipelines/deals/"+id, ""))
	faketest.Want(t, r.Must(404, r.Send("GET", "/crm/v3/pipelines/deals/"+id, "")), object{"category": "OBJECT_NOT_FOUND"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/pipelines/tickets", "")), object{"results.0.id": "0", "results.0.stages.3.metadata.ticketState": "CLOSED"})
	if none := r.Must(200, r.Send("GET", "/crm/v3/pipelines/contacts", "")); none.Len("results") != 0 {
		t.Errorf("pipelines of contacts: %s", none.Raw)
	}
}

func TestOwners(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
hubspot.owners:
  - {id: "41", email: sam@example.com, firstName: Sam, lastName: Doe, userId: 9, createdAt: "2024-01-01T00:00:00Z", updatedAt: "2024-01-01T00:00:00Z", archived: false}
  - {id: "42", email: kim@example.com, userId: 10, createdAt: "2024-01-01T00:00:00Z", updatedAt: "2024-01-01T00:00:00Z", archived: true}
`)
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/owners/?limit=1", "")), object{"results.0.email": "sam@example.com", "results.0.userIdIncludingInactive": 9, "paging": nil})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/owners/9?idProperty=userId", "")), object{"id": "41"})
	r.Must(404, r.Send("GET", "/crm/v3/owners/42", ""))
	r.Must(200, r.Send("GET", "/crm/v3/owners/42?archived=true", ""))
	if none := r.Must(200, r.Send("GET", "/crm/v3/owners?email=x@example.com", "")); none.Len("results") != 0 {
		t.Errorf("owners: %s", none.Raw)
	}
	faketest.Want(t, r.JSON("POST", "/crm/v3/objects/companies", props("hubspot_owner_id", "7")), object{"errors.0.code": "INVALID_OWNER_ID"})
	add(r, "companies", "hubspot_owner_id", "41")
	faketest.Want(t, r.Must(200, r.Send("GET", "/account-info/v3/details", "")), object{"portalId": 24681357})
}
