package hubspot_test

import (
	"strconv"
	"strings"
	"testing"

	"parity/fakes/faketest"
)

// idOf writes an id that a reply has as a number.
func idOf(v any) string {
	n, _ := v.(float64)
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func TestEngagementsOfV1AreActivitiesOfV3(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	contact := add(r, "contacts", "email", "ada@example.com")
	made := r.Must(200, r.JSON("POST", "/engagements/v1/engagements", object{
		"engagement": object{"type": "CALL", "timestamp": 1409172644778, "ownerId": 70}, "associations": object{"contactIds": []any{number(contact), nil}, "ownerIds": []any{70}},
		"metadata": object{"body": "Spoke", "status": "COMPLETED", "durationMilliseconds": 3800, "extra": "kept"},
	}))
	faketest.Want(t, made, object{
		"engagement.type": "CALL", "engagement.active": true, "engagement.timestamp": 1409172644778, "engagement.ownerId": 70, "associations.contactIds": []any{number(contact)},
		"associations.ownerIds": []any{70}, "metadata.durationMilliseconds": 3800, "metadata.body": "Spoke", "metadata.extra": "kept", "attachments": []any{},
	})
	id := idOf(made.At("engagement.id"))
	v3 := r.Must(200, r.Send("GET", "/crm/v3/objects/calls/"+id+"?properties=hs_call_body,hs_call_duration&associations=contacts", ""))
	faketest.Want(t, v3, object{"properties.hs_call_body": "Spoke", "properties.hs_call_duration": "3800", "associations.contacts.results.0.id": contact})
	changed := r.Must(200, r.JSON("PATCH", "/engagements/v1/engagements/"+id, object{"metadata": object{"body": "Left a message"}, "associations": object{"contactIds": []any{}}}))
	faketest.Want(t, changed, object{"metadata.body": "Left a message", "metadata.status": "COMPLETED", "associations.contactIds": []any{}})
	note := add(r, "notes", "hs_timestamp", "2026-01-01T00:00:00Z", "hs_note_body", "N")
	r.Must(200, r.Send("PUT", "/crm/v4/objects/notes/"+note+"/associations/default/contacts/"+contact, ""))
	of := r.Must(200, r.Send("GET", "/engagements/v1/engagements/associated/CONTACT/"+contact+"/paged", ""))
	faketest.Want(t, of, object{"results.0.engagement.id": number(note), "results.0.metadata.body": "N", "hasMore": false, "offset": number(note)})
	if all := r.Must(200, r.Send("GET", "/engagements/v1/engagements/paged?limit=1", "")); all.Len("results") != 1 || !strings.Contains(all.Raw, `"hasMore":true`) {
		t.Error(all.Raw)
	}
	r.Must(200, r.Send("GET", "/engagements/v1/engagements/recent/modified?count=5", ""))
	r.Must(400, r.JSON("POST", "/engagements/v1/engagements", object{"engagement": object{"type": "FAX"}}))
	stranger := r.Must(400, r.JSON("POST", "/engagements/v1/engagements", object{"engagement": object{"type": "NOTE"}, "associations": object{"companyIds": []any{7}}}))
	faketest.Want(t, stranger, object{"errors": []any{"COMPANY=7 is not valid"}})
	r.Must(204, r.Send("DELETE", "/engagements/v1/engagements/"+id, ""))
	if gone := r.Must(404, r.Send("GET", "/engagements/v1/engagements/"+id, "")); gone.Raw != "" || gone.Header.Get("X-Hubspot-Notfound") != "true" {
		t.Errorf("%q", gone.Raw)
	}
}

func TestAssociationsOfV1GoBothWays(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	company, contact, deal := add(r, "companies", "name", "A"), add(r, "contacts", "email", "ada@example.com"), add(r, "deals", "dealname", "D")
	pair := func(from, to string, id int) object {
		return object{"fromObjectId": number(from), "toObjectId": number(to), "category": "HUBSPOT_DEFINED", "definitionId": id}
	}
	r.Must(204, r.JSON("PUT", "/crm-associations/v1/associations", pair(company, contact, 2)))
	r.Must(204, r.JSON("PUT", "/crm-associations/v1/associations/create-batch", []any{pair(deal, contact, 3), pair(deal, company, 5)}))
	wrong := r.Must(400, r.JSON("PUT", "/crm-associations/v1/associations/create-batch", []any{pair(company, "1234", 2)}))
	faketest.Want(t, wrong, object{"message": "One or more associations are invalid", "errors": []any{"CONTACT=1234 is not valid"}})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm-associations/v1/associations/"+contact+"/HUBSPOT_DEFINED/1", "")), object{"results": []any{number(company)}, "hasMore": false, "offset": number(company)})
	r.Must(204, r.JSON("PUT", "/crm-associations/v1/associations/delete-batch", []any{pair(deal, "1234", 3), pair(deal, company, 5)}))
	faketest.Want(t, r.Must(200, r.Send("GET", "/deals/v1/deal/"+deal, "")), object{"associations.associatedCompanyIds": []any{}, "associations.associatedVids": []any{number(contact)}})
}

func TestPipelinesOfV1BeginWithTheUsualStages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(200, r.JSON("POST", "/deals/v1/pipelines", object{"label": "New"}))
	id := made.Text("pipelineId")
	faketest.Want(t, made, object{"label": "New", "active": true, "staticDefault": false, "displayOrder": 0, "stages.0.probability": 0.2, "stages.5.closedWon": true, "stages.6.probability": 0})
	faketest.Want(t, r.Must(200, r.Send("GET", "/deals/v1/pipelines/"+id, "")), object{"pipelineId": id})
	crm := r.Must(200, r.Send("GET", "/crm-pipelines/v1/pipelines/deals", ""))
	faketest.Want(t, crm, object{"results.1.pipelineId": id, "results.1.objectTypeId": "0-3", "results.0.default": true})
	changed := r.Must(200, r.JSON("PUT", "/deals/v1/pipelines/"+id, object{"label": "Newer", "stages": []any{object{"stageId": "won", "label": "Won", "probability": 1.0, "displayOrder": 1}}}))
	faketest.Want(t, changed, object{"label": "Newer", "stages": []any{object{"stageId": "won", "label": "Won", "probability": 1, "displayOrder": 1, "active": true, "closedWon": true}}})
	r.Must(201, r.JSON("POST", "/crm/v3/objects/deals", props("dealname", "D", "pipeline", id, "dealstage", "won")))
	r.Must(204, r.Send("DELETE", "/deals/v1/pipelines/"+id, ""))
	r.Must(404, r.Send("GET", "/deals/v1/pipelines/"+id, ""))
}
