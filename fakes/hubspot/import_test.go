package hubspot_test

import (
	"testing"

	"parity/fakes"
	"parity/fakes/faketest"
	"parity/fakes/kit"
	"parity/specs"
)

// seen puts what the real service answered into the rig's world.
func seen(r *faketest.Rig, method, target, sent string, status int, body string) {
	r.T.Helper()
	call := recorded(r, method, target, sent)
	r.Service.Fake.(fakes.Importer).Import(call, status, []byte(body))
	r.World = call.Tx.Commit()
}

// recorded is the call of a recorded request.
func recorded(r *faketest.Rig, method, target, sent string) *fakes.Call {
	r.T.Helper()
	path, query := target, ""
	for i := range target {
		if target[i] == '?' {
			path, query = target[:i], target[i+1:]
			break
		}
	}
	m := r.Service.Contract.MatchCall(&specs.Call{Method: method, Path: path, Query: query, Header: r.Header, Body: []byte(sent)})
	header := r.Header.Clone()
	header.Set("Content-Type", "application/json")
	input, _ := m.Operation.Read(specs.Request{Path: m.Path, Query: query, Header: header, Body: []byte(sent)})
	n := 0
	return &fakes.Call{
		Operation: m.Operation, Contract: r.Service.Contract, Input: input, Tx: r.World.Begin(), Now: r.Now, Base: r.Base, Identity: "someone",
		NewID: func(prefix string, _ int) string { n++; return prefix + "abcd" },
	}
}

func TestWhatWasSeenIsThere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	seen(r, "GET", "/crm/v3/objects/deals/77?properties=po_number", "", 200, `{"id":"77","properties":{"hs_object_id":"77","po_number":"A-1","amount":null},"createdAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-02T00:00:00Z","archived":false,"associations":{"companies":{"results":[{"id":"88","type":"deal_to_company"}]}}}`)
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/deals/77?properties=po_number&associations=companies", "")), object{"properties.po_number": "A-1", "createdAt": "2024-01-01T00:00:00Z", "associations.companies.results.0.id": "88"})
	search := `{"filterGroups":[{"filters":[{"propertyName":"email","operator":"HAS_PROPERTY"}]}],"limit":1}`
	seen(r, "POST", "/crm/v3/objects/contacts/search", search, 200, `{"total":31,"results":[{"id":"5","properties":{"email":"a@example.com"},"createdAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-02T00:00:00Z","archived":false}],"paging":{"next":{"after":"1"}}}`)
	faketest.Want(t, r.Must(200, r.Send("POST", "/crm/v3/objects/contacts/search", search, "Content-Type", "application/json")), object{"total": 31, "results.0.id": "5", "paging.next.after": "1"})
	seen(r, "DELETE", "/crm/v3/objects/companies/99", "", 204, "")
	r.Must(200, r.Send("GET", "/crm/v3/objects/companies/99", ""))
	seen(r, "POST", "/crm/v3/objects/contacts", `{"properties":{"email":"taken@example.com"}}`, 409, `{"status":"error","message":"Contact already exists. Existing ID: 12","category":"CONFLICT"}`)
	faketest.Want(t, r.Must(409, r.JSON("POST", "/crm/v3/objects/contacts", props("email", "taken@example.com"))), object{"message": "Contact already exists. Existing ID: 12"})
	seen(r, "GET", "/crm/v3/owners", "", 200, `{"results":[{"id":"3","email":"o@example.com","createdAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-01T00:00:00Z","archived":false}]}`)
	r.Must(200, r.Send("GET", "/crm/v3/owners/3", ""))
	seen(r, "GET", "/crm/v3/pipelines/deals", "", 200, `{"results":[{"id":"5001","label":"Own","displayOrder":0,"stages":[{"id":"1","label":"Open","displayOrder":0,"metadata":{"probability":"0.5"},"createdAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-01T00:00:00Z","archived":false}],"createdAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-01T00:00:00Z","archived":false}]}`)
	r.Must(200, r.Send("GET", "/crm/v3/pipelines/deals/5001/stages/1", ""))
	seen(r, "GET", "/contacts/v2/properties", "", 200, `[{"name":"tier","label":"Tier","type":"string","fieldType":"text","description":"","groupName":"g","options":[],"hidden":false,"formField":true,"favorited":true}]`)
	if all := r.Must(200, r.Send("GET", "/contacts/v2/properties", "")); all.Len("") != 1 || all.At("0.favorited") != true {
		t.Errorf("%d properties: %s", all.Len(""), kit.Clip(all.Raw))
	}
	seen(r, "GET", "/owners/v2/owners", "", 200, `[{"portalId":76,"ownerId":64,"type":"PERSON","firstName":"S","lastName":"D","email":"s@example.com","createdAt":1405605858624,"updatedAt":1405605858624}]`)
	faketest.Want(t, r.Must(200, r.Send("GET", "/owners/v2/owners/64", "")), object{"email": "s@example.com", "createdAt": 1405605858624})
	seen(r, "GET", "/companies/v2/companies/88/vids", "", 200, `{"vids":[501],"vidOffset":501,"hasMore":false}`)
	faketest.Want(t, r.Must(200, r.Send("GET", "/companies/v2/companies/88/vids", "")), object{"vids": []any{501}})
	seen(r, "GET", "/content/api/v2/blog-posts?content_group_id=9", "", 200, `{"total_count":40,"objects":[{"id":900,"content_group_id":9,"name":"First"}],"limit":1,"offset":0}`)
	faketest.Want(t, r.Must(200, r.Send("GET", "/content/api/v2/blog-posts?content_group_id=9", "")), object{"total_count": 40, "objects.0.name": "First"})
	// What does not pass the contract is left out.
	seen(r, "GET", "/crm/v3/objects/contacts/x", "", 200, `{"id":"x","properties":{"email":7},"createdAt":"never"}`)
	seen(r, "GET", "/crm/v3/objects/contacts/1", "", 200, `not json`)
}

func TestWhatAWriteTakesForGrantedIsThere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sent := `{"properties":{"email":"a@example.com","favourite_colour":"blue"},"associations":[{"to":{"id":"88"},"types":[{"associationCategory":"HUBSPOT_DEFINED","associationTypeId":279}]}]}`
	call := recorded(r, "POST", "/crm/v3/objects/contacts", sent)
	r.Service.Fake.(fakes.Inferrer).Infer(call, 201, []byte(`{"id":"5","properties":{"email":"a@example.com","hs_new_thing":"1"},"createdAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-01T00:00:00Z","archived":false}`), map[string]bool{"5": true})
	r.World = call.Tx.Commit()
	r.Must(404, r.Send("GET", "/crm/v3/objects/contacts/5", ""))
	made := r.Must(201, r.Send("POST", "/crm/v3/objects/contacts", sent, "Content-Type", "application/json"))
	faketest.Want(t, made, object{"properties.favourite_colour": "blue"})
	r.Must(200, r.Send("GET", "/crm/v3/objects/companies/88", ""))
	call = recorded(r, "PUT", "/crm/v4/objects/deals/6/associations/default/tickets/7", "")
	r.Service.Fake.(fakes.Inferrer).Infer(call, 200, []byte(`{}`), nil)
	r.World = call.Tx.Commit()
	r.Must(200, r.Send("PUT", "/crm/v4/objects/deals/6/associations/default/tickets/7", ""))
}
