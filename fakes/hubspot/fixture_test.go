package hubspot_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/fixture"
)

func TestTheMessyAccountIsAsItSays(t *testing.T) {
	t.Parallel()
	file, err := fixture.Open("hubspot", "hubspot-messy")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.Fill(file.Content)
	acmes := r.Must(200, r.JSON("POST", "/crm/v3/objects/companies/search", where(is("domain", "CONTAINS_TOKEN", "acme"))))
	if acmes.Len("results") != 4 {
		t.Errorf("Acmes: %s", acmes.Raw)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/ada@acme.example?idProperty=email&associations=companies", "")), object{
		"id": "2001", "createdAt": "2014-03-02T09:00:00Z", "associations.companies.results.0.type": "contact_to_company_unlabeled",
	})
	if people := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts?limit=100", "")); people.Len("results") != 14 {
		t.Errorf("%d contacts", people.Len("results"))
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/2013?archived=true", "")), object{"archived": true})
	faketest.Want(t, r.JSON("PATCH", "/crm/v3/objects/contacts/2001", props("source_detail", "fair")), object{"errors.0.code": "INVALID_OPTION"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/contacts/v1/contact/vid/2001/profile", "")), object{"properties.email.value": "ada@acme.example"})
	r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/merge", object{"primaryObjectId": "2011", "objectIdToMerge": "2012"}))
}
