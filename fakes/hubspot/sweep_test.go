package hubspot_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/hubspot"
	"parity/fakes/kit"
)

// Whatever is sent to whatever operation is answered in HubSpot's words and
// within the contract; nothing panics.
func TestNothingPanics(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	contact, company := add(r, "contacts", "email", "a@example.com"), add(r, "companies", "name", "Acme")
	paths := []map[string]string{
		{"objectType": "contacts", "fromObjectType": "contacts", "toObjectType": "companies", "objectId": contact, "toObjectId": company, "vid": contact, "companyId": company, "propertyName": "email", "groupName": "contactinformation", "pipelineId": "default", "stageId": "closedwon", "ownerId": "1", "listId": "1", "guid": "x", "blogId": "1", "postId": "1", "dealId": "1", "kind": "contact", "utk": "x", "email": "a@example.com", "domain": "x", "associationType": "279", "associationTypeId": "1"},
		{"objectType": "deals", "fromObjectType": "0-3", "toObjectType": "2-77", "objectId": "1", "toObjectId": "x", "pipelineId": "default", "stageId": "closedwon", "ownerId": "x"},
		{"objectType": "nosuch", "fromObjectType": "", "toObjectType": "%20", "objectId": "💥"},
	}
	bodies := []string{
		"", "{", "[]", "null", "7", `{}`, `{"properties":null}`, `{"properties":{"email":["x"]}}`, `{"properties":{"email":null,"nosuch":{}}}`, `{"properties":[{"property":"email","value":null},{"name":7}]}`,
		`{"inputs":[]}`, `{"inputs":[{}]}`, `{"inputs":[{"id":{}}]}`, `{"inputs":[null]}`, `{"inputs":[{"id":"1","properties":{"x":"y"}},{"id":2,"idProperty":"email","properties":{"email":"b@example.com"}}]}`,
		`{"inputs":[{"from":{"id":"1"},"to":{"id":"1"},"types":[{"associationCategory":"USER_DEFINED","associationTypeId":1}],"type":"x"}]}`, `[{"associationCategory":"HUBSPOT_DEFINED","associationTypeId":-1}]`,
		`{"filterGroups":[{"filters":[{"propertyName":"email","operator":"CONTAINS_TOKEN","value":"**"}]}],"after":-1}`, `{"filterGroups":[{}],"sorts":[7]}`, `{"primaryObjectId":1,"objectIdToMerge":2}`, `{"objectId":{}}`,
		`{"name":"","label":"","type":"string","fieldType":"text","groupName":"contactinformation","options":[{}]}`, `{"label":"x","displayOrder":1,"metadata":{"probability":"x"},"stages":[{}]}`,
		`[{"vid":1,"properties":[]},{"email":7}]`, `[{"objectId":1,"properties":[{"name":"name","value":"x"}]}]`, `{"vids":[1,"x"],"emails":[7]}`, `{"vidToMerge":1}`, `{"name":"L","dynamic":"x"}`,
	}
	queries := []string{"", "?limit=x&count=x", "?limit=-1&after=%00&properties=a,,b&archived=maybe", "?associations=nosuch&idProperty=nosuch&count=99999999999999999999", "?propertiesWithHistory=email&associations=companies&vidOffset=5&offset=7", "?offset=-5&after=9223372036854775807&limit=3&count=3", "?offset=9223372036854775807&vidOffset=-1&timeOffset=-1&limit=100&count=100"}
	n := 0
	for _, operation := range r.Service.Contract.Operations {
		for i, parameters := range paths {
			for j, body := range bodies {
				if operation.Method == "GET" && j > 0 {
					break
				}
				target := kit.Path(operation.Path, parameters) + queries[(i+j+n)%len(queries)]
				got := r.Send(operation.Method, target, body, "Content-Type", "application/json")
				if n++; n%90 == 0 {
					r.Wait(10 * time.Second)
				}
				if got.Status < 200 || got.Status >= 500 {
					t.Fatalf("%s %s %s: %d %s", operation.Method, target, body, got.Status, got.Raw)
				}
				if got.Status >= 400 && got.Status != 404 && got.Status != 405 && got.Text("message") == "" {
					t.Errorf("%s %s %s: %d without a message: %s", operation.Method, target, body, got.Status, got.Raw)
				}
			}
		}
	}
	if got := r.Send("POST", "/crm/v3/objects/contacts", "properties[email]=x", "Content-Type", "application/x-www-form-urlencoded"); got.Status != 415 {
		t.Errorf("a form: %d %s", got.Status, got.Raw)
	}
}

// The same calls give the same world.
func TestTheSameCallsGiveTheSameWorld(t *testing.T) {
	t.Parallel()
	var worlds []string
	for range 2 {
		r := newRig(t)
		id := add(r, "contacts", "email", "a@example.com", "firstname", "A")
		deal := add(r, "deals", "dealname", "D", "dealstage", "closedwon", "amount", "7")
		r.Must(200, r.Send("PUT", "/crm/v4/objects/deals/"+deal+"/associations/default/contacts/"+id, ""))
		r.Must(200, r.JSON("PATCH", "/crm/v3/objects/contacts/"+id, props("firstname", "B")))
		var b strings.Builder
		if err := r.World.Dump(&b); err != nil {
			t.Fatal(err)
		}
		worlds = append(worlds, b.String())
	}
	if worlds[0] != worlds[1] {
		t.Error("the worlds differ")
	}
}

func TestTheServiceIsDescribed(t *testing.T) {
	t.Parallel()
	s, err := hubspot.New()
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "hubspot" || s.Hosts[0] != "api.hubapi.com" {
		t.Errorf("%s at %v", s.Name, s.Hosts)
	}
}
