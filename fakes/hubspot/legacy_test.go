package hubspot_test

import (
	"testing"
	"time"

	"parity/fakes/faketest"
)

func v1(pairs ...string) object {
	var all []any
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, object{"property": pairs[i], "value": pairs[i+1]})
	}
	return object{"properties": all}
}

func v2(pairs ...string) object {
	var all []any
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, object{"name": pairs[i], "value": pairs[i+1]})
	}
	return object{"properties": all}
}

func TestContactsOfV1(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(200, r.JSON("POST", "/contacts/v1/contact", v1("email", "ada@example.com", "firstname", "Ada")))
	vid := made.Text("vid")
	faketest.Want(t, made, object{"properties.firstname.value": "Ada", "properties.firstname.versions.0.source-type": "API", "is-contact": true, "identity-profiles.0.identities.0.value": "ada@example.com"})
	twice := r.Must(409, r.JSON("POST", "/contacts/v1/contact", v1("email", "ada@example.com")))
	faketest.Want(t, twice, object{"error": "CONTACT_EXISTS", "message": "Contact already exists", "identityProfile.vid": number(vid)})
	bad := r.Must(400, r.JSON("POST", "/contacts/v1/contact", v1("email", "nobody", "nosuch", "x")))
	faketest.Want(t, bad, object{"message": "Property values were not valid", "validationResults.0.error": "INVALID_EMAIL", "validationResults.1.name": "nosuch"})
	faketest.Want(t, r.Must(200, r.JSON("POST", "/contacts/v1/contact/createOrUpdate/email/ada@example.com", v1("lastname", "Lovelace"))), object{"isNew": false, "vid": number(vid)})
	faketest.Want(t, r.Must(200, r.JSON("POST", "/contacts/v1/contact/createOrUpdate/email/bob@example.com/", v1("lastname", "Martin"))), object{"isNew": true})
	r.Wait(time.Second)
	r.Must(204, r.JSON("POST", "/contacts/v1/contact/vid/"+vid+"/profile", v1("lastname", "King")))
	got := r.Must(200, r.Send("GET", "/contacts/v1/contact/email/ada@example.com/profile", ""))
	faketest.Want(t, got, object{"properties.lastname.value": "King", "properties.lastname.versions.1.value": "Lovelace", "properties.createdate.value": "1772366400000"})
	// It is the contact of v3.
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/"+vid, "")), object{"properties.lastname": "King"})
	r.Must(202, r.JSON("POST", "/contacts/v1/contact/batch/", []any{object{"vid": number(vid), "properties": v1("company", "Acme")["properties"]}, object{"email": "eve@example.com", "properties": v1("firstname", "Eve")["properties"]}}))
	r.Must(400, r.JSON("POST", "/contacts/v1/contact/batch", []any{object{"properties": []any{}}}))
	many := r.Must(200, r.Send("GET", "/contacts/v1/contact/emails/batch?email=eve@example.com&email=ada@example.com&email=x@example.com", ""))
	if m, ok := many.Body.(map[string]any); !ok || len(m) != 2 {
		t.Errorf("by address: %s", many.Raw)
	}
	page := r.Must(200, r.Send("GET", "/contacts/v1/lists/all/contacts/all?count=2&property=email", ""))
	faketest.Want(t, page, object{"has-more": true, "contacts.0.properties.email.value": "ada@example.com", "vid-offset": page.At("contacts.1.vid")})
	rest := r.Must(200, r.Send("GET", "/contacts/v1/lists/all/contacts/all?count=2&vidOffset="+page.Text("vid-offset"), ""))
	faketest.Want(t, rest, object{"has-more": false, "contacts.0.properties.firstname.value": "Eve"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/contacts/v1/lists/recently_updated/contacts/recent?count=1", "")), object{"has-more": true})
	r.Wait(time.Minute)
	faketest.Want(t, r.Must(200, r.Send("GET", "/contacts/v1/search/query?q=king", "")), object{"total": 1})
	faketest.Want(t, r.Must(200, r.Send("GET", "/contacts/v1/search/query?q=ada@", "")), object{"total": 1, "contacts.0.vid": number(vid)})
	other := rest.Text("contacts.0.vid")
	r.Must(200, r.JSON("POST", "/contacts/v1/contact/merge-vids/"+vid+"/", object{"vidToMerge": number(other)}))
	faketest.Want(t, r.Must(400, r.JSON("POST", "/contacts/v1/contact/merge-vids/"+vid, object{"vidToMerge": 1})), object{"message": "vid to merge is not a valid contact or is already in the process of being merged"})
	faketest.Want(t, r.Must(200, r.Send("DELETE", "/contacts/v1/contact/vid/"+vid, "")), object{"deleted": true})
	faketest.Want(t, r.Must(404, r.Send("GET", "/contacts/v1/contact/vid/"+vid+"/profile", "")), object{"message": "contact does not exist"})
	if none := r.Must(405, r.Send("POST", "/contacts/v1/lists/all/contacts/all", "")); none.Raw != "" {
		t.Errorf("no such method: %s", none.Raw)
	}
}

// What recordings show of a contact that is read, of one that is not there, and of
// what a search leaves of the day.
func TestAReadOfV1SaysLessThanACreation(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(200, r.JSON("POST", "/contacts/v1/contact", v1("email", "ada@example.com")))
	faketest.Want(t, made, object{"identity-profiles.0.is-contact": false, "identity-profiles.0.identities.0.source": "UNSPECIFIED"})
	read := r.Must(200, r.Send("GET", "/contacts/v1/contact/email/ada@example.com/profile?formSubmissionMode=none", ""))
	profile, _ := read.At("identity-profiles.0").(map[string]any)
	if len(profile) != 4 || profile["saved-at-timestamp"] == 0.0 {
		t.Fatalf("an identity profile has its vid, two times and identities: %v", profile)
	}
	if read.At("form-submissions") != nil {
		t.Error("forms were not asked for")
	}
	gone := r.Must(404, r.Send("GET", "/contacts/v1/contact/email/bob@example.com/profile", ""))
	faketest.Want(t, gone, object{"message": "contact does not exist", "category": "OBJECT_NOT_FOUND", "errors.0.message": "The contact e:bob@example.com does not exist."})
	first := r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/search", object{}))
	again := r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/search", object{}))
	if a, b := first.Header.Get("X-HubSpot-RateLimit-Daily-Remaining"), again.Header.Get("X-HubSpot-RateLimit-Daily-Remaining"); a == "" || a == b {
		t.Errorf("two searches leave %q and %q of the day", a, b)
	}
	if held := again.Header.Get("X-HubSpot-RateLimit-Remaining"); held != "" {
		t.Errorf("a search says %s of the ten seconds, which it has no part in", held)
	}
}

func TestListsOfV1(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	static := r.Must(200, r.JSON("POST", "/contacts/v1/lists", object{"name": "Leads", "dynamic": false}))
	dynamic := r.Must(200, r.JSON("POST", "/contacts/v1/lists", object{"name": "Customers", "dynamic": true, "filters": []any{[]any{object{"operator": "EQ", "property": "lifecyclestage", "value": "customer"}}}}))
	r.Must(409, r.JSON("POST", "/contacts/v1/lists", object{"name": "Leads"}))
	r.Must(400, r.JSON("POST", "/contacts/v1/lists", object{}))
	faketest.Want(t, r.Must(200, r.Send("GET", "/contacts/v1/lists/static", "")), object{"lists.0.name": "Leads", "has-more": false, "offset": 1})
	faketest.Want(t, r.Must(200, r.Send("GET", "/contacts/v1/lists?count=1", "")), object{"has-more": true})
	path := "/contacts/v1/lists/" + static.Text("listId")
	a := add(r, "contacts", "email", "a@example.com")
	r.Wait(time.Second)
	b := add(r, "contacts", "email", "b@example.com")
	added := r.Must(200, r.JSON("POST", path+"/add", object{"vids": []any{number(a), 1}, "emails": []any{"b@example.com", "x@example.com"}}))
	if added.Len("updated") != 2 || added.Len("invalidVids") != 1 || added.Len("invalidEmails") != 1 {
		t.Errorf("added: %s", added.Raw)
	}
	faketest.Want(t, r.Must(200, r.JSON("POST", path+"/add", object{"vids": []any{number(a)}})), object{"updated": []any{}, "discarded": []any{number(a)}})
	faketest.Want(t, r.Must(200, r.Send("GET", path, "")), object{"metaData.size": 2, "listType": "STATIC"})
	faketest.Want(t, r.Must(200, r.Send("GET", path+"/contacts/all?count=1&property=email", "")), object{"has-more": true, "contacts.0.properties.email.value": "a@example.com"})
	r.Must(200, r.Send("GET", path+"/contacts/recent", ""))
	faketest.Want(t, r.Must(200, r.JSON("POST", path+"/remove", object{"vids": []any{number(b)}})), object{"updated": []any{number(b)}})
	faketest.Want(t, r.Must(400, r.JSON("POST", "/contacts/v1/lists/"+dynamic.Text("listId")+"/add", object{"vids": []any{number(a)}})), object{"message": "Can not operate manually on a dynamic list"})
	faketest.Want(t, r.Must(200, r.JSON("POST", path, object{"name": "Warm leads"})), object{"name": "Warm leads"})
	r.Must(204, r.Send("POST", path+"/refresh", ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/contacts/v1/lists/batch?listId="+static.Text("listId"), "")), object{"lists.0.name": "Warm leads"})
	r.Must(204, r.Send("DELETE", path, ""))
	r.Must(404, r.Send("GET", path, ""))
}

func TestCompaniesOfV2(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(200, r.JSON("POST", "/companies/v2/companies/", v2("name", "Acme", "domain", "acme.example")))
	id := made.Text("companyId")
	faketest.Want(t, made, object{"isDeleted": false, "properties.website.value": "acme.example", "properties.website.source": "CALCULATED", "properties.name.versions.0.sourceVid": []any{}})
	faketest.Want(t, r.Must(200, r.JSON("PUT", "/companies/v2/companies/"+id, v2("name", "Acme Ltd"))), object{"properties.name.value": "Acme Ltd"})
	r.Must(202, r.JSON("POST", "/companies/v1/batch-async/update", []any{object{"objectId": number(id), "properties": v2("city", "Paris")["properties"]}}))
	got := r.Must(200, r.Send("GET", "/companies/v2/companies/"+id+"?includePropertyVersions=true", ""))
	faketest.Want(t, got, object{"properties.city.sourceId": "CompaniesBatchMutation", "properties.name.versions.1.value": "Acme"})
	vid := add(r, "contacts", "email", "a@example.com")
	r.Must(200, r.Send("PUT", "/companies/v2/companies/"+id+"/contacts/"+vid, ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/companies/v2/companies/"+id+"/contacts", "")), object{"contacts.0.vid": number(vid), "hasMore": false})
	faketest.Want(t, r.Must(200, r.Send("GET", "/companies/v2/companies/"+id+"/vids", "")), object{"vids": []any{number(vid)}})
	r.Must(204, r.Send("DELETE", "/companies/v2/companies/"+id+"/contacts/"+vid, ""))
	faketest.Want(t, r.Must(200, r.JSON("POST", "/companies/v2/domains/acme.example/companies", object{"limit": 2})), object{"results.0.companyId": number(id)})
	r.Must(200, r.Send("GET", "/companies/v2/companies/domain/acme.example", ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/companies/v2/companies/paged?properties=name", "")), object{"companies.0.properties.name.value": "Acme Ltd", "has-more": false, "offset": number(id)})
	faketest.Want(t, r.Must(200, r.Send("GET", "/companies/v2/companies/recent/modified?count=1", "")), object{"total": 1})
	faketest.Want(t, r.Must(200, r.Send("DELETE", "/companies/v2/companies/"+id, "")), object{"deleted": true, "companyId": number(id)})
	faketest.Want(t, r.Must(404, r.Send("GET", "/companies/v2/companies/"+id, "")), object{"message": "resource not found"})
}

func TestFormsAndBlogs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(200, r.JSON("POST", "/forms/v2/forms", object{"name": "Contact us", "formFieldGroups": []any{object{"fields": []any{object{"name": "email"}}}}}))
	path := "/forms/v2/forms/" + made.Text("guid")
	r.Must(409, r.JSON("POST", "/forms/v2/forms", object{"name": "Contact us"}))
	faketest.Want(t, r.Must(200, r.JSON("POST", path, object{"submitText": "Go"})), object{"submitText": "Go"})
	if fields := r.Must(200, r.Send("GET", "/forms/v2/fields/"+made.Text("guid"), "")); fields.Len("") != 1 {
		t.Errorf("fields: %s", fields.Raw)
	}
	r.Must(200, r.Send("GET", "/forms/v2/forms", ""))
	r.Must(200, r.Send("GET", "/contacts/v1/forms/"+made.Text("guid"), ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/forms/v2/fields/"+made.Text("guid")+"/email", "")), object{"name": "email"})
	r.Must(404, r.Send("GET", "/forms/v2/fields/"+made.Text("guid")+"/fax", ""))
	faketest.Want(t, r.Must(200, r.JSON("POST", "/contacts/v1/forms/"+made.Text("guid"), object{"name": "Write to us"})), object{"name": "Write to us", "fields.0.name": "email"})
	r.Must(204, r.Send("DELETE", path, ""))
	faketest.Want(t, r.Must(404, r.Send("GET", path, "")), object{"type": "NOT_FOUND"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/content/api/v2/blogs", "")), object{"total_count": 0})
	faketest.Want(t, r.Must(401, r.Send("GET", "/content/api/v2/blogs?hapikey=", "", "Authorization", "")), object{"succeeded": false, "message": "You are not authorized to view this resource"})
}

func TestDealsOfV1(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	vid, company := add(r, "contacts", "email", "a@example.com"), add(r, "companies", "name", "Acme")
	body := v2("dealname", "Big", "dealstage", "contractsent", "pipeline", "default", "amount", "100")
	body["associations"] = object{"associatedVids": []any{number(vid)}, "associatedCompanyIds": []any{number(company), 1}}
	made := r.Must(200, r.JSON("POST", "/deals/v1/deal", body))
	id := made.Text("dealId")
	faketest.Want(t, made, object{"associations.associatedVids": []any{number(vid)}, "associations.associatedCompanyIds": []any{number(company)}, "properties.dealname.value": "Big", "isDeleted": false})
	faketest.Want(t, r.Must(200, r.JSON("PUT", "/deals/v1/deal/"+id, v2("dealstage", "closedwon"))), object{"properties.dealstage.value": "closedwon", "properties.hs_is_closed_won.value": "true"})
	faketest.Want(t, r.Must(400, r.JSON("PUT", "/deals/v1/deal/"+id, v2("amount", "lots"))), object{"validationResults.0.error": "INVALID_INTEGER"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/deals/v1/deal/paged?properties=amount", "")), object{"deals.0.properties.amount.value": "100", "hasMore": false})
	faketest.Want(t, r.Must(200, r.Send("GET", "/deals/v1/deal/associated/contact/"+vid, "")), object{"deals.0.dealId": number(id)})
	faketest.Want(t, r.Must(200, r.Send("GET", "/deals/v1/deal/recent/modified?count=1", "")), object{"total": 1, "results.0.dealId": number(id)})
	r.Must(204, r.Send("DELETE", "/deals/v1/deal/"+id+"/associations/CONTACT?id="+vid, ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/deals/v1/deal/"+id, "")), object{"associations.associatedVids": []any{}})
	r.Must(204, r.Send("PUT", "/deals/v1/deal/"+id+"/associations/CONTACT?id="+vid, ""))
	r.Must(204, r.Send("DELETE", "/deals/v1/deal/"+id, ""))
	r.Must(404, r.Send("GET", "/deals/v1/deal/"+id, ""))
}

func TestPropertiesAndOwnersOfOldAPIs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill("hubspot.owners:\n  - {id: \"41\", email: sam@example.com, userId: 9, createdAt: \"2024-01-01T00:00:00Z\", updatedAt: \"2024-01-01T00:00:00Z\", archived: false}\n")
	faketest.Want(t, r.Must(200, r.Send("GET", "/owners/v2/owners?email=sam@example.com", "")), object{"0.ownerId": 41, "0.remoteList.0.remoteId": "9"})
	r.Must(404, r.Send("GET", "/owners/v2/owners/42", ""))
	made := r.Must(200, r.JSON("POST", "/contacts/v2/properties", object{"name": "tier", "label": "Tier", "groupName": "contactinformation", "type": "string", "fieldType": "text"}))
	faketest.Want(t, made, object{"name": "tier", "deleted": false})
	r.Must(409, r.JSON("POST", "/contacts/v2/properties", object{"name": "tier"}))
	faketest.Want(t, r.Must(200, r.JSON("PUT", "/contacts/v2/properties/named/tier", object{"label": "Level"})), object{"label": "Level"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/properties/contacts/tier", "")), object{"label": "Level"})
	if all := r.Must(200, r.Send("GET", "/contacts/v2/properties", "")); all.Len("") < 100 {
		t.Errorf("%d properties", all.Len(""))
	}
	r.Must(200, r.Send("GET", "/deals/v1/groups", ""))
	r.Must(204, r.Send("DELETE", "/contacts/v2/properties/named/tier", ""))
	r.Must(404, r.Send("GET", "/contacts/v2/properties/named/tier", ""))
}
