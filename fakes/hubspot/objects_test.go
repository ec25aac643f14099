package hubspot_test

import (
	"strings"
	"testing"

	"parity/fakes/faketest"
)

func TestRecordsAreMadeChangedAndArchived(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(201, r.JSON("POST", "/crm/v3/objects/contacts", props("email", "Ada@Example.com", "firstname", "Ada", "phone", "(555) 010-0100")))
	id := made.Text("id")
	faketest.Want(t, made, object{
		"properties.email": "ada@example.com", "properties.hs_email_domain": "example.com", "properties.lifecyclestage": "lead", "properties.hs_object_id": id,
		"properties.hs_searchable_calculated_phone_number": "5550100100", "archived": false, "createdAt": "2026-03-01T12:00:00Z", "properties.lastmodifieddate": "2026-03-01T12:00:00Z",
	})
	if want := r.Base + "/crm/v3/objects/contacts/" + id; made.Header.Get("Location") != want {
		t.Errorf("location %q, want %q", made.Header.Get("Location"), want)
	}
	r.Wait(1500e6)
	changed := r.Must(200, r.JSON("PATCH", "/crm/v3/objects/contacts/"+id, props("lastname", "Lovelace")))
	faketest.Want(t, changed, object{"properties.lastname": "Lovelace", "properties.firstname": nil, "properties.lifecyclestage": "lead", "updatedAt": "2026-03-01T12:00:01.500Z"})
	got := r.Must(200, r.Send("GET", "/crm/v3/objects/contact/"+id+"?properties=jobtitle,lastname&properties=nosuch&propertiesWithHistory=lastname", ""))
	faketest.Want(t, got, object{
		"properties.jobtitle": nil, "properties.lastname": "Lovelace", "properties.email": nil, "properties.hs_object_id": id,
		"propertiesWithHistory.lastname.0.value": "Lovelace", "propertiesWithHistory.lastname.0.sourceType": "INTEGRATION",
	})
	if strings.Contains(got.Raw, "nosuch") || !strings.Contains(got.Raw, `"jobtitle":null`) {
		t.Errorf("a property that there is none of is shown, or one without a value is not: %s", got.Raw)
	}
	r.Must(200, r.JSON("PATCH", "/crm/v3/objects/contacts/"+id, props("phone", "")))
	byEmail := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/ada%40example.com?idProperty=email&properties=phone", ""))
	faketest.Want(t, byEmail, object{"id": id, "properties.phone": nil})

	r.Must(204, r.Send("DELETE", "/crm/v3/objects/contacts/"+id, ""))
	r.Must(204, r.Send("DELETE", "/crm/v3/objects/contacts/"+id, ""))
	r.Must(404, r.Send("GET", "/crm/v3/objects/contacts/"+id, ""))
	r.Must(404, r.JSON("PATCH", "/crm/v3/objects/contacts/"+id, props("lastname", "X")))
	archived := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/"+id+"?archived=true", ""))
	faketest.Want(t, archived, object{"archived": true, "archivedAt": "2026-03-01T12:00:01.500Z"})
	if all := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts?archived=true", "")); all.Len("results") != 1 {
		t.Errorf("archived records: %s", all.Raw)
	}
	// Its address is free again.
	add(r, "contacts", "email", "ada@example.com")
}

func TestAnAddressIsOneContacts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := add(r, "contacts", "email", "ada@example.com")
	twice := r.Must(409, r.JSON("POST", "/crm/v3/objects/contacts", props("email", "ADA@example.com")))
	faketest.Want(t, twice, object{"status": "error", "category": "CONFLICT", "message": "Contact already exists. Existing ID: " + id})
	other := add(r, "contacts", "email", "bob@example.com")
	r.Must(409, r.JSON("PATCH", "/crm/v3/objects/contacts/"+other, props("email", "ada@example.com")))
	r.Must(200, r.JSON("PATCH", "/crm/v3/objects/contacts/"+id, props("email", "ada@example.com")))
	// Companies may be there twice.
	add(r, "companies", "domain", "example.com")
	add(r, "companies", "domain", "example.com")
}

func TestValuesAreHeldAgainstTheirProperties(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tests := []struct{ kind, property, value, code, message string }{
		{"contacts", "frstname", "x", "PROPERTY_DOESNT_EXIST", `Property "frstname" does not exist`},
		{"contacts", "email", "nobody", "INVALID_EMAIL", "Email address nobody is invalid"},
		{"contacts", "lifecyclestage", "Lead", "INVALID_OPTION", "Lead was not one of the allowed options: [subscriber, lead, marketingqualifiedlead, salesqualifiedlead, opportunity, customer, evangelist, other]"},
		{"contacts", "hs_object_id", "1", "READ_ONLY_VALUE", `"hs_object_id" is a read only property; its value cannot be set.`},
		{"contacts", "closedate", "soon", "INVALID_LONG", "soon was not a valid long."},
		{"deals", "amount", "lots", "INVALID_INTEGER", "lots was not a valid number."},
		{"deals", "dealstage", "nowhere", "INVALID_OPTION", "nowhere is not a valid pipeline stage ID. Valid options are: pipelineId=default : [appointmentscheduled, qualifiedtobuy, presentationscheduled, decisionmakerboughtin, contractsent, closedwon, closedlost]"},
		{"deals", "pipeline", "other", "INVALID_OPTION", "other is not a valid pipeline ID. Valid options are: [default]"},
		{"companies", "numberofemployees", " 5", "LEADING_TRAILING_WHITESPACE", `" 5" includes leading or trailing whitespace.`},
	}
	for _, test := range tests {
		got := r.JSON("POST", "/crm/v3/objects/"+test.kind, props(test.property, test.value))
		faketest.Want(t, got, object{"category": "VALIDATION_ERROR", "errors.0.code": test.code, "errors.0.message": test.message, "errors.0.context.propertyName.0": test.property})
		if got.Status != 400 || !strings.HasPrefix(got.Text("message"), `Property values were not valid: [{"isValid":false,"message":`) || !strings.Contains(got.Text("message"), `"error":"`+test.code+`"`) {
			t.Errorf("%s %s: %d %s", test.kind, test.property, got.Status, got.Text("message"))
		}
	}
	// All flaws are told at once, numbers and booleans are taken as text.
	two := r.JSON("POST", "/crm/v3/objects/contacts", object{"properties": object{"nope": "1", "email": "x"}})
	if two.Len("errors") != 2 {
		t.Errorf("flaws: %s", two.Raw)
	}
	deal := r.Must(201, r.JSON("POST", "/crm/v3/objects/deals", object{"properties": object{"dealname": "Big", "amount": 1500.5, "closedate": 1767225600000, "dealstage": "contractsent", "pipeline": nil}}))
	faketest.Want(t, deal, object{
		"properties.amount": "1500.5", "properties.closedate": "2026-01-01T00:00:00Z", "properties.pipeline": "default",
		"properties.hs_deal_stage_probability": "0.90000000000000002220446049250313080847263336181640625", "properties.hs_is_closed": "false",
	})
	won := r.Must(200, r.JSON("PATCH", "/crm/v3/objects/deals/"+deal.Text("id"), props("dealstage", "closedwon")))
	faketest.Want(t, won, object{"properties.hs_is_closed_won": "true", "properties.hs_closed_amount": "1500.5", "properties.dealstage": "closedwon"})
}

func TestRecordsNeedSomeProperties(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	note := r.JSON("POST", "/crm/v3/objects/notes", props("hs_note_body", "Called."))
	faketest.Want(t, note, object{"message": "Error creating NOTE. Some required properties were not set.", "context.properties.0": "hs_timestamp"})
	made := r.Must(201, r.JSON("POST", "/crm/v3/objects/notes", props("hs_note_body", "<p>Called.</p>", "hs_timestamp", "2026-02-01T10:00:00Z")))
	faketest.Want(t, made, object{"properties.hs_body_preview": "Called.", "properties.hs_timestamp": "2026-02-01T10:00:00Z"})
	r.Must(400, r.JSON("POST", "/crm/v3/objects/tickets", props("subject", "Help")))
	ticket := r.Must(201, r.JSON("POST", "/crm/v3/objects/tickets", props("subject", "Help", "hs_pipeline_stage", "1")))
	faketest.Want(t, ticket, object{"properties.hs_pipeline": "0", "properties.hs_ticket_id": ticket.Text("id")})
	task := r.Must(201, r.JSON("POST", "/crm/v3/objects/tasks", props("hs_task_subject", "Ring", "hs_timestamp", "2026-02-01T10:00:00Z")))
	faketest.Want(t, task, object{"properties.hs_task_status": "NOT_STARTED", "properties.hs_task_is_overdue": "true"})
	completed := r.Must(200, r.JSON("PATCH", "/crm/v3/objects/tasks/"+task.Text("id"), props("hs_task_status", "COMPLETED")))
	faketest.Want(t, completed, object{"properties.hs_task_is_overdue": "false", "properties.hs_task_completion_count": "1"})
	custom := r.Must(201, r.JSON("POST", "/crm/v3/objects/2-7654321", object{"properties": object{}}))
	r.Must(200, r.Send("GET", "/crm/v3/objects/2-7654321/"+custom.Text("id"), ""))
	r.Must(404, r.Send("GET", "/crm/v3/objects/2-1234567/"+custom.Text("id"), ""))
}

func TestPagesGoOnById(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var made []string
	for range 21 {
		made = append(made, add(r, "companies", "name", "Acme"))
		r.Wait(20e6)
	}
	var seen []string
	target := "/crm/v3/objects/companies?limit=7&properties=name"
	for target != "" {
		page := r.Must(200, r.Send("GET", target, ""))
		seen = append(seen, page.IDs("results")...)
		target = strings.TrimPrefix(page.Text("paging.next.link"), r.Base)
	}
	if strings.Join(seen, " ") != strings.Join(made, " ") {
		t.Errorf("pages show %v, made were %v", seen, made)
	}
	r.Must(400, r.Send("GET", "/crm/v3/objects/companies?limit=101", ""))
	r.Must(400, r.Send("GET", "/crm/v3/objects/companies?limit=0", ""))
	r.Must(400, r.Send("GET", "/crm/v3/objects/companies?after=x", ""))
	r.Must(200, r.Send("GET", "/crm/v3/objects/companies?after=99999999999999", ""))
	// The path of the release 2026-03 is the same thing.
	if again := r.Must(200, r.Send("GET", "/crm/objects/2026-03/companies?limit=3", "")); strings.Join(again.IDs("results"), " ") != strings.Join(made[:3], " ") || !strings.Contains(again.Text("paging.next.link"), "/crm/objects/2026-03/companies?limit=3&after=") {
		t.Errorf("by the path of 2026-03: %s", again.Raw)
	}
}

func TestMergesAndDeletionsAreForGood(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := add(r, "contacts", "email", "ada@example.com", "firstname", "Ada")
	b := add(r, "contacts", "email", "lovelace@example.com", "lastname", "Lovelace", "firstname", "A.")
	company := add(r, "companies", "name", "Acme")
	r.Must(200, r.Send("PUT", "/crm/v4/objects/contacts/"+b+"/associations/default/companies/"+company, ""))
	merged := r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/merge", object{"primaryObjectId": a, "objectIdToMerge": b}))
	one := merged.Text("id")
	if one == a || one == b {
		t.Errorf("a merge gives the id %s, which is an old one", one)
	}
	faketest.Want(t, merged, object{
		"properties.firstname": "Ada", "properties.lastname": "Lovelace", "properties.email": "ada@example.com", "properties.hs_object_id": one,
		"properties.hs_merged_object_ids": a + ";" + b, "properties.hs_additional_emails": "lovelace@example.com", "properties.hs_all_contact_vids": one + ";" + a + ";" + b,
	})
	// The address that was merged away is not free.
	faketest.Want(t, r.Must(409, r.JSON("POST", "/crm/v3/objects/contacts", props("email", "Lovelace@example.com"))), object{"message": "Contact already exists. Existing ID: " + one})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/lovelace@example.com?idProperty=email", "")), object{"id": one})
	for _, id := range []string{a, b} {
		faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/contacts/"+id, "")), object{"id": one, "archived": false})
		links := r.Must(200, r.Send("GET", "/crm/v4/objects/contacts/"+id+"/associations/companies", ""))
		faketest.Want(t, links, object{"results.0.toObjectId": number(company)})
	}
	faketest.Want(t, r.Must(200, r.JSON("PATCH", "/crm/v3/objects/contacts/"+b, props("city", "Ely"))), object{"id": one})
	faketest.Want(t, r.Must(200, r.Send("GET", "/crm/v3/objects/companies/"+company+"?associations=contacts", "")), object{"associations.contacts.results.0.id": one})
	for _, archived := range []string{"false", "true"} {
		if ids := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts?archived="+archived, "")).IDs("results"); len(ids) != map[string]int{"false": 1, "true": 0}[archived] {
			t.Errorf("archived=%s: %v", archived, ids)
		}
	}
	r.Must(400, r.JSON("POST", "/crm/v3/objects/contacts/merge", object{"primaryObjectId": a, "objectIdToMerge": b}))
	r.Must(400, r.JSON("POST", "/crm/v3/objects/contacts/merge", object{"primaryObjectId": a, "objectIdToMerge": a}))
	r.Must(404, r.JSON("POST", "/crm/v3/objects/contacts/merge", object{"primaryObjectId": a, "objectIdToMerge": "9"}))

	r.Must(204, r.JSON("POST", "/crm/v3/objects/contacts/gdpr-delete", object{"objectId": "ada@example.com", "idProperty": "email"}))
	r.Must(404, r.Send("GET", "/crm/v3/objects/contacts/"+a+"?archived=true", ""))
	if sent := r.Outbox(); len(sent) != 1 || sent[0].Kind != "gdpr-delete" || sent[0].ID != one {
		t.Errorf("outbox: %+v", sent)
	}
	r.Must(204, r.JSON("POST", "/crm/v3/objects/contacts/gdpr-delete", object{"objectId": "1"}))
}

func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	page := r.Must(404, r.Send("GET", "/crm/v3/objects/contacts/1", ""))
	if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") || !strings.Contains(page.Raw, "<p>Resource not found</p>") {
		t.Errorf("a record that is not there: %s %s", page.Header.Get("Content-Type"), page.Raw)
	}
	faketest.Want(t, r.Must(404, r.JSON("PATCH", "/crm/v3/objects/contacts/1", props("firstname", "x"))), object{"message": "resource not found", "category": nil})
	word := r.Must(404, r.JSON("PATCH", "/crm/v3/objects/contacts/ada@example.com", props("firstname", "x")))
	faketest.Want(t, word, object{"message": "Object not found.  objectId are usually numeric.", "category": "OBJECT_NOT_FOUND", "context.id.0": "ada@example.com"})
	faketest.Want(t, r.Must(400, r.Send("GET", "/crm/v3/objects/widgets", "")), object{"message": "Unable to infer object type from: widgets", "category": nil})
	r.Must(404, r.Send("GET", "/crm/v3/nothing", ""))
	r.Must(405, r.Send("PUT", "/crm/v3/objects/contacts", ""))
	r.Must(400, r.Send("GET", "/crm/v3/objects/companies/1?idProperty=name", ""))
	id := add(r, "contacts", "email", "ada@example.com")
	faketest.Want(t, r.Must(400, r.JSON("PATCH", "/crm/v3/objects/contacts/"+id, props())), object{"message": "No properties found to update, please provide at least one."})
}
