package hubspot_test

import (
	"testing"

	"parity/fakes/faketest"
)

func TestUsersOfTheAccountAreOwners(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
hubspot.roles: [{id: "100", name: Sales, requiresBillingWrite: false}]
hubspot.teams: [{id: "7", name: North}]
hubspot.owners: [{id: "1", email: old@example.com, userId: 55, createdAt: "2025-01-01T00:00:00Z", updatedAt: "2025-01-01T00:00:00Z", archived: false}]
`)
	made := r.Must(201, r.JSON("POST", "/settings/v3/users/", object{"email": "New@example.com", "roleId": "100", "primaryTeamId": "7", "firstName": "N", "sendWelcomeEmail": true}))
	id := made.Text("id")
	faketest.Want(t, made, object{"email": "new@example.com", "roleIds": []any{"100"}, "sendWelcomeEmail": true, "superAdmin": false})
	r.Must(409, r.JSON("POST", "/settings/v3/users", object{"email": "new@example.com"}))
	r.Must(400, r.JSON("POST", "/settings/v3/users", object{"email": "x@example.com", "roleId": "9"}))
	r.Must(400, r.JSON("POST", "/settings/v3/users", object{"email": "nobody"}))
	page := r.Must(200, r.Send("GET", "/settings/v3/users/?limit=1", ""))
	faketest.Want(t, page, object{"results.0.id": id, "paging.next.after": id})
	faketest.Want(t, r.Must(200, r.Send("GET", "/settings/v3/users?after="+id, "")), object{"results.0.email": "old@example.com", "paging": nil})
	faketest.Want(t, r.Must(200, r.Send("GET", "/settings/v3/users/new@example.com?idProperty=EMAIL", "")), object{"id": id, "sendWelcomeEmail": false})
	faketest.Want(t, r.Must(200, r.JSON("PUT", "/settings/v3/users/55", object{"secondaryTeamIds": []any{"7"}})), object{"secondaryTeamIds": []any{"7"}})
	faketest.Want(t, r.Must(200, r.Send("GET", "/settings/v3/users/teams", "")), object{"results.0.userIds": []any{id}, "results.0.secondaryUserIds": []any{"55"}})
	faketest.Want(t, r.Must(200, r.Send("GET", "/settings/v3/users/roles", "")), object{"results.0.name": "Sales"})
	owner := r.Must(200, r.Send("GET", "/crm/v3/owners/?email=new@example.com", ""))
	faketest.Want(t, owner, object{"results.0.firstName": "N"})
	r.Must(204, r.Send("DELETE", "/settings/v3/users/"+id, ""))
	r.Must(404, r.Send("GET", "/settings/v3/users/"+id, ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/owners?archived=true", "")), object{"results.0.id": owner.Text("results.0.id")})
}

func TestAppsAreToldOfWhatTheySubscribeTo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(404, r.Send("GET", "/webhooks/v3/12/settings", ""))
	set := r.Must(200, r.JSON("PUT", "/webhooks/v3/12/settings", object{"targetUrl": "https://hooks.example.com/h", "throttling": object{"maxConcurrentRequests": 5}}))
	faketest.Want(t, set, object{"targetUrl": "https://hooks.example.com/h", "throttling.period": "SECONDLY"})
	born := r.Must(201, r.JSON("POST", "/webhooks/v3/12/subscriptions", object{"eventType": "contact.creation", "active": false})).Text("id")
	r.Must(201, r.JSON("POST", "/webhooks/v3/12/subscriptions", object{"eventType": "contact.propertyChange", "propertyName": "firstname", "active": true}))
	r.Must(409, r.JSON("POST", "/webhooks/v3/12/subscriptions", object{"eventType": "contact.creation", "active": true}))
	r.Must(400, r.JSON("POST", "/webhooks/v3/12/subscriptions", object{"eventType": "contact.propertyChange"}))
	r.Must(400, r.JSON("POST", "/webhooks/v3/12/subscriptions", object{"eventType": "contact.birthday"}))
	id := add(r, "contacts", "email", "ada@example.com")
	r.Must(200, r.JSON("PATCH", "/crm/v3/objects/contacts/"+id, props("firstname", "Ada", "lastname", "L")))
	if n := r.World.Len("parity.deliveries"); n != 1 {
		t.Errorf("%d deliveries, want that of the first name", n)
	}
	part := r.Must(207, r.JSON("POST", "/webhooks/v3/12/subscriptions/batch/update", object{"inputs": []any{object{"id": born, "active": true}, object{"id": 4567, "active": true}}}))
	faketest.Want(t, part, object{"results.0.active": true, "errors.0.category": "SUBSCRIPTION_ID_NOT_FOUND", "numErrors": 1})
	add(r, "contacts", "email", "bob@example.com")
	if n := r.World.Len("parity.deliveries"); n != 2 {
		t.Errorf("%d deliveries, want one more", n)
	}
	r.Must(204, r.Send("DELETE", "/webhooks/v3/12/subscriptions/"+born, ""))
	r.Must(204, r.Send("DELETE", "/webhooks/v3/12/settings", ""))
	if all := r.Must(200, r.Send("GET", "/webhooks/v3/12/subscriptions", "")); all.Len("results") != 1 {
		t.Error(all.Raw)
	}
}

const multipart = "--b\r\nContent-Disposition: form-data; name=\"importRequest\"\r\n\r\n" + `{"name":"I","importOperations":{"0-1":"UPSERT","0-2":"CREATE"},"files":[{"fileName":"a.csv","fileFormat":"CSV","fileImportPage":{"hasHeader":true,"columnMappings":[
{"columnObjectTypeId":"0-1","columnName":"Email","propertyName":"email"},{"columnObjectTypeId":"0-1","columnName":"Stage","propertyName":"lifecyclestage"},{"columnObjectTypeId":"0-2","columnName":"Firm","propertyName":"name"}]}}]}` +
	"\r\n--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\nEmail,Stage,Firm\nada@example.com,customer,Acme\nbob@example.com,nosuch,\neve@example.com,lead,\r\n--b--\r\n"

func TestImportsAreDoneLater(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	add(r, "contacts", "email", "eve@example.com")
	begun := r.Must(200, r.Send("POST", "/crm/v3/imports", multipart, "Content-Type", "multipart/form-data; boundary=b"))
	id := begun.Text("id")
	faketest.Want(t, begun, object{"state": "STARTED", "importName": "I", "mappedObjectTypeIds": []any{"0-1", "0-2"}, "optOutImport": false})
	r.Must(404, r.Send("GET", "/crm/v3/objects/contacts/ada@example.com?idProperty=email", ""))
	r.Wait(31e9)
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/imports/"+id, "")), object{
		"state": "DONE", "metadata.counters.TOTAL_ROWS": 3, "metadata.counters.CREATED_OBJECTS": 2, "metadata.counters.UPDATED_OBJECTS": 1, "metadata.counters.ERRORS": 1,
	})
	ada := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/ada@example.com?idProperty=email&associations=companies&properties=lifecyclestage", ""))
	faketest.Want(t, ada, object{"properties.lifecyclestage": "customer", "associations.companies.results.0.type": "contact_to_company_unlabeled"})
	wrong := r.Must(200, r.Send("GET", "/crm/v3/imports/"+id+"/errors", ""))
	faketest.Want(t, wrong, object{"results.0.errorType": "INVALID_ENUMERATION_OPTION", "results.0.sourceData.lineNumber": 3})
	r.Must(400, r.Send("POST", "/crm/v3/imports/"+id+"/cancel", ""))
	other := r.Must(200, r.Send("POST", "/crm/v3/imports/", multipart, "Content-Type", "multipart/form-data; boundary=b")).Text("id")
	faketest.Want(t, r.Must(200, r.Send("POST", "/crm/v3/imports/"+other+"/cancel", "")), object{"status": "CANCELED"})
	r.Wait(31e9)
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/imports/"+other, "")), object{"state": "CANCELED"})

	export := r.Must(202, r.JSON("POST", "/crm/v3/exports/export/async", object{"exportType": "VIEW", "format": "CSV", "exportName": "E", "objectType": "contacts", "objectProperties": []any{"email"}})).Text("id")
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/exports/export/async/tasks/"+export+"/status", "")), object{"status": "PROCESSING", "result": nil})
	r.Wait(31e9)
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/exports/export/async/tasks/"+export+"/status", "")), object{"status": "COMPLETE"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/exports/export/"+export, "")), object{"exportState": "DONE", "recordCount": 2})
}

func TestAssociationsEndAtTheLimitOfTheAccount(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	deal, a, b := add(r, "deals", "dealname", "D"), add(r, "contacts", "email", "a@example.com"), add(r, "contacts", "email", "b@example.com")
	limit := func(most int) object {
		return object{"inputs": []any{object{"category": "HUBSPOT_DEFINED", "typeId": 3, "maxToObjectIds": most}}}
	}
	path := "/crm/associations/v4/definitions/configurations/deals/contacts"
	faketest.Want(t, r.Must(200, r.JSON("POST", path+"/batch/create", limit(1))), object{"results.0.userEnforcedMaxToObjectIds": 1, "results.0.typeId": 3})
	r.Must(207, r.JSON("POST", path+"/batch/create", limit(0)))
	faketest.Want(t, r.Must(200, r.Send("GET", path, "")), object{"results.0.userEnforcedMaxToObjectIds": 1})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v4/associations/definitions/configurations/all", "")), object{"results.0.fromObjectTypeId": "0-3"})
	r.Must(200, r.Send("PUT", "/crm/v4/objects/deals/"+deal+"/associations/default/contacts/"+a, ""))
	r.Must(200, r.Send("PUT", "/crm/v4/objects/deals/"+deal+"/associations/default/contacts/"+a, ""))
	r.Must(400, r.Send("PUT", "/crm/v4/objects/deals/"+deal+"/associations/default/contacts/"+b, ""))
	r.Must(204, r.JSON("POST", path+"/batch/purge", limit(1)))
	r.Must(200, r.Send("PUT", "/crm/v4/objects/deals/"+deal+"/associations/default/contacts/"+b, ""))
}

func TestGroupsAndPipelinesAreWrittenAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(201, r.JSON("POST", "/crm/v3/properties/contacts/groups", object{"name": "mine", "label": "Mine"}))
	faketest.Want(t, r.Must(200, r.JSON("PATCH", "/crm/v3/properties/contacts/groups/mine", object{"label": "Ours", "displayOrder": 4})), object{"label": "Ours", "displayOrder": 4})
	r.Must(201, r.JSON("POST", "/crm/v3/properties/contacts", object{"name": "p", "label": "P", "type": "string", "fieldType": "text", "groupName": "mine"}))
	r.Must(400, r.Send("DELETE", "/crm/v3/properties/contacts/groups/mine", ""))
	r.Must(204, r.Send("DELETE", "/crm/v3/properties/contacts/p", ""))
	r.Must(204, r.Send("DELETE", "/crm/v3/properties/contacts/groups/mine", ""))
	r.Must(404, r.Send("GET", "/crm/v3/properties/contacts/groups/mine", ""))
	r.Must(400, r.Send("DELETE", "/crm/v3/properties/contacts/groups/contactinformation", ""))
	stage := func(name, probability string) object {
		return object{"label": name, "displayOrder": 0, "metadata": object{"probability": probability}}
	}
	put := r.Must(200, r.JSON("PUT", "/crm/v3/pipelines/deals/default", object{"label": "S", "displayOrder": 0, "stages": []any{stage("A", "0.1"), stage("B", "1.0")}}))
	faketest.Want(t, put, object{"label": "S", "stages.1.metadata.isClosed": "true"})
	if got := put.Len("stages"); got != 2 {
		t.Errorf("%d stages", got)
	}
	r.Must(400, r.JSON("PUT", "/crm/v3/pipelines/deals/default", object{"label": "S", "displayOrder": 0, "stages": []any{}}))
	r.Must(200, r.Send("GET", "/properties/v2/tickets/properties", ""))
	r.Must(200, r.Send("GET", "/properties/v1/tickets/properties/named/subject", ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/oauth/v1/access-tokens/"+token, "")), object{"token_type": "access"})
	r.Must(200, r.Send("GET", "/integrations/v1/me", ""))
}
