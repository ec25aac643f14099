package hubspot_test

import (
	"testing"

	"parity/fakes/faketest"
)

func TestListsHoldTheRecordsThatArePutIntoThem(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := add(r, "companies", "name", "A")
	r.Wait(1e9)
	b := add(r, "companies", "name", "B")
	made := r.Must(200, r.JSON("POST", "/crm/v3/lists/", object{"name": "Best", "objectTypeId": "0-2", "processingType": "MANUAL"}))
	id := made.Text("list.listId")
	faketest.Want(t, made, object{"list.processingStatus": "COMPLETE", "list.listVersion": 1, "list.size": 0})
	twice := r.Must(400, r.JSON("POST", "/crm/v3/lists", object{"name": "best", "objectTypeId": "0-2", "processingType": "MANUAL"}))
	faketest.Want(t, twice, object{"subCategory": "ILS.DUPLICATE_LIST_NAMES", "category": "VALIDATION_ERROR"})

	put := r.Must(200, r.JSON("PUT", "/crm/v3/lists/"+id+"/memberships/add", []any{a, b, "999", a}))
	faketest.Want(t, put, object{"recordsIdsAdded": []any{a, b}, "recordIdsMissing": []any{"999"}, "recordIdsRemoved": []any{}})
	page := r.Must(200, r.Send("GET", "/crm/v3/lists/"+id+"/memberships?limit=1", ""))
	faketest.Want(t, page, object{"total": 2, "results.0.recordId": a, "paging.next.after": "1"})
	last := r.Must(200, r.Send("GET", "/crm/v3/lists/"+id+"/memberships/join-order?after=1", ""))
	faketest.Want(t, last, object{"results.0.recordId": b, "paging": nil})
	of := r.Must(200, r.Send("GET", "/crm/v3/lists/records/0-2/"+b+"/memberships", ""))
	faketest.Want(t, of, object{"total": 1, "results.0.listId": id})
	swap := r.Must(200, r.JSON("PUT", "/crm/lists/2026-03/"+id+"/memberships/add-and-remove", object{"recordIdsToAdd": []any{}, "recordIdsToRemove": []any{a}}))
	faketest.Want(t, swap, object{"recordIdsRemoved": []any{a}})

	found := r.Must(200, r.JSON("POST", "/crm/v3/lists/search", object{"query": "BES", "additionalProperties": []any{"hs_processing_type"}}))
	faketest.Want(t, found, object{"total": 1, "hasMore": false, "offset": 1, "lists.0.additionalProperties.hs_list_size": "1", "lists.0.additionalProperties.hs_processing_type": "MANUAL"})
	named := r.Must(200, r.Send("GET", "/crm/v3/lists/object-type-id/0-2/name/Best", ""))
	faketest.Want(t, named, object{"list.listId": id, "list.size": 1})
	renamed := r.Must(200, r.Send("PUT", "/crm/v3/lists/"+id+"/update-list-name?listName=Better", ""))
	faketest.Want(t, renamed, object{"updatedList.name": "Better", "updatedList.listVersion": 2})
	r.Must(204, r.Send("DELETE", "/crm/v3/lists/"+id, ""))
	r.Must(404, r.Send("GET", "/crm/v3/lists/"+id, ""))
	r.Must(204, r.Send("PUT", "/crm/v3/lists/"+id+"/restore", ""))
	r.Must(204, r.Send("DELETE", "/crm/v3/lists/"+id+"/memberships", ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/lists/"+id, "")), object{"list.size": 0})
	r.Must(404, r.Send("GET", "/contacts/v1/lists/"+id, "")) // v1 has lists of contacts only
}

func property(name, operator string, rest object) object {
	operation := object{"operator": operator}
	for k, v := range rest {
		operation[k] = v
	}
	return object{"filterType": "PROPERTY", "property": name, "operation": operation}
}

func anyOf(branches ...any) object {
	return object{"filterBranchType": "OR", "filterBranches": branches}
}

func allOf(filters ...any) object { return object{"filterBranchType": "AND", "filters": filters} }

func TestDynamicListsFillByTheirFilters(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	add(r, "contacts", "email", "ada@example.com", "firstname", "Ada", "lifecyclestage", "customer")
	add(r, "contacts", "email", "bob@other.org", "firstname", "Bob", "closedate", "2026-01-05T00:00:00Z")
	add(r, "contacts", "email", "cyd@example.com")
	deal := add(r, "deals", "dealname", "D", "amount", "500")
	third := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/cyd%40example.com?idProperty=email", "")).Text("id")
	r.Must(200, r.Send("PUT", "/crm/v4/objects/deals/"+deal+"/associations/default/contacts/"+third, ""))
	tests := []struct {
		name   string
		branch object
		want   int
	}{
		{"equal", anyOf(allOf(property("firstname", "IS_EQUAL_TO", object{"operationType": "MULTISTRING", "values": []any{"ada", "bob"}}))), 2},
		{"either", anyOf(allOf(property("firstname", "IS_EQUAL_TO", object{"values": []any{"Ada"}})), allOf(property("email", "CONTAINS", object{"values": []any{"other"}}))), 2},
		{"unknown", anyOf(allOf(property("firstname", "IS_UNKNOWN", nil))), 1},
		{"not", anyOf(allOf(property("email", "DOES_NOT_CONTAIN", object{"values": []any{"example.com"}}))), 1},
		{"any of", anyOf(allOf(property("lifecyclestage", "IS_ANY_OF", object{"values": []any{"customer", "lead"}}))), 3},
		{"none of", anyOf(allOf(property("lifecyclestage", "IS_NONE_OF", object{"values": []any{"lead"}}))), 1},
		{"empty too", anyOf(allOf(property("firstname", "IS_NOT_EQUAL_TO", object{"value": "Ada", "includeObjectsWithNoValueSet": true}))), 2},
		{"before", anyOf(allOf(property("closedate", "IS_BEFORE", object{"timePoint": object{"timeType": "DATE", "year": 2026, "month": 2, "day": 1}}))), 1},
		{"days ago", anyOf(allOf(property("createdate", "IS_LESS_THAN_X_DAYS_AGO", object{"numberOfDays": 2}))), 3},
		{"associated", anyOf(object{"filterBranchType": "AND", "filterBranches": []any{object{
			"filterBranchType": "ASSOCIATION", "objectTypeId": "0-3", "operator": "IN_LIST", "associationTypeId": 4, "associationCategory": "HUBSPOT_DEFINED",
			"filters": []any{property("amount", "IS_GREATER_THAN", object{"value": 100})},
		}}}), 1},
		{"not any", anyOf(object{"filterBranchType": "NOT_ANY", "filters": []any{property("firstname", "IS_KNOWN", nil)}}), 1},
	}
	ids := map[string]string{}
	for _, kind := range []string{"DYNAMIC", "SNAPSHOT"} {
		for _, test := range tests {
			made := r.Must(200, r.JSON("POST", "/crm/v3/lists", object{"name": kind + test.name, "objectTypeId": "0-1", "processingType": kind, "filterBranch": test.branch}))
			if ids[kind+test.name] = made.Text("list.listId"); kind == "DYNAMIC" {
				faketest.Want(t, made, object{"list.processingStatus": "PROCESSING", "list.size": 0})
			}
		}
	}
	r.Wait(31e9)
	for _, kind := range []string{"DYNAMIC", "SNAPSHOT"} {
		for _, test := range tests {
			if got := r.Must(200, r.Send("GET", "/crm/v3/lists/"+ids[kind+test.name]+"/memberships", "")); got.Len("results") != test.want {
				t.Errorf("%s %s: %d members, want %d", kind, test.name, got.Len("results"), test.want)
			}
		}
	}
	add(r, "contacts", "email", "eve@example.com", "firstname", "Ada")
	grown := r.Must(200, r.Send("GET", "/crm/v3/lists/"+ids["DYNAMICequal"]+"?includeFilters=true", ""))
	faketest.Want(t, grown, object{"list.size": 3, "list.processingStatus": "COMPLETE", "list.filterBranch.filterBranchOperator": "OR"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/lists/"+ids["SNAPSHOTequal"], "")), object{"list.size": 2, "list.filterBranch": nil})
	r.Must(400, r.JSON("PUT", "/crm/v3/lists/"+ids["DYNAMICequal"]+"/memberships/add", []any{third}))
	r.Must(200, r.JSON("PUT", "/crm/v3/lists/"+ids["SNAPSHOTequal"]+"/memberships/add", []any{third}))
	r.Must(204, r.Send("PUT", "/crm/v3/lists/"+ids["SNAPSHOTequal"]+"/memberships/add-from/"+ids["DYNAMICany of"], ""))
	changed := r.Must(200, r.JSON("PUT", "/crm/v3/lists/"+ids["DYNAMICequal"]+"/update-list-filters", object{"filterBranch": tests[2].branch}))
	faketest.Want(t, changed, object{"updatedList.listVersion": 2, "updatedList.processingStatus": "PROCESSING"})
	for _, bad := range []object{allOf(), anyOf(allOf(property("nosuch", "IS_KNOWN", nil))), {}} {
		r.Must(400, r.JSON("POST", "/crm/v3/lists", object{"name": "bad", "objectTypeId": "0-1", "processingType": "DYNAMIC", "filterBranch": bad}))
	}
}

func TestListsStandInFolders(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	folder := r.Must(200, r.JSON("POST", "/crm/v3/lists/folders", object{"name": "F"})).Text("folder.id")
	inner := r.Must(200, r.JSON("POST", "/crm/v3/lists/folders", object{"name": "G", "parentFolderId": folder})).Text("folder.id")
	list := r.Must(200, r.JSON("POST", "/crm/v3/lists", object{"name": "L", "objectTypeId": "0-1", "processingType": "MANUAL"})).Text("list.listId")
	r.Must(204, r.JSON("PUT", "/crm/v3/lists/folders/move-list", object{"listId": list, "newFolderId": inner}))
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/lists/folders?folderId="+folder, "")), object{"folder.childNodes.0.id": inner, "folder.childNodes.0.childLists": []any{number(list)}})
	r.Must(400, r.Send("DELETE", "/crm/v3/lists/folders/"+folder, ""))
	r.Must(400, r.Send("PUT", "/crm/v3/lists/folders/"+folder+"/move/"+inner, ""))
	faketest.Want(t, r.Must(200, r.Send("PUT", "/crm/v3/lists/folders/"+inner+"/rename?newFolderName=H", "")), object{"folder.name": "H"})
	r.Must(200, r.Send("PUT", "/crm/v3/lists/folders/"+inner+"/move/0", ""))
	r.Must(204, r.Send("DELETE", "/crm/v3/lists/folders/"+folder, ""))
}
