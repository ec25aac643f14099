package zendesk_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

// What recordings show of fields: each has what its type has.
func TestAFieldOfTextHasNoOptionsAndNoTag(t *testing.T) {
	t.Parallel()
	r := rig(t)
	for _, one := range []struct {
		path, under, kind string
		without, with     []string
	}{
		{"organization_fields", "organization_field", "text", []string{"tag", "custom_field_options"}, nil},
		{"user_fields", "user_field", "checkbox", []string{"custom_field_options"}, []string{"tag"}},
		{"ticket_fields", "ticket_field", "text", []string{"custom_field_options", "system_field_options"}, []string{"tag"}},
		{"ticket_fields", "ticket_field", "multiselect", nil, []string{"custom_field_options"}},
	} {
		made := r.Must(201, r.JSON("POST", "/api/v2/"+one.path, object{one.under: object{"type": one.kind, "title": "Plan", "key": "plan_" + one.kind, "tag": "t"}}))
		field, _ := made.At(one.under).(map[string]any)
		for _, name := range one.without {
			if _, there := field[name]; there {
				t.Errorf("%s of %s: %s is there", one.path, one.kind, name)
			}
		}
		for _, name := range one.with {
			if _, there := field[name]; !there {
				t.Errorf("%s of %s: no %s", one.path, one.kind, name)
			}
		}
	}
}

func TestANewSupportAddressWaitsForItsMail(t *testing.T) {
	t.Parallel()
	r := rig(t)
	made := r.Must(201, r.JSON("POST", "/api/v2/recipient_addresses", object{"recipient_address": object{"name": "Sales", "email": "help@shop.example"}}))
	faketest.Want(t, made, object{
		"recipient_address.default": nil, "recipient_address.forwarding_status": "waiting", "recipient_address.spf_status": "failed",
		"recipient_address.domain_verification_status": "failed", "recipient_address.cname_status": "unknown",
	})
	if code := made.Text("recipient_address.domain_verification_code"); len(code) != 16 {
		t.Errorf("the domain is verified by %q", code)
	}
	own := r.Must(201, r.JSON("POST", "/api/v2/recipient_addresses", object{"recipient_address": object{"email": "sales@acme.zendesk.com"}}))
	faketest.Want(t, own, object{"recipient_address.forwarding_status": "verified", "recipient_address.domain_verification_code": nil})
}

func TestOneTicketDeletedForGoodIsAJobThatCountsNothing(t *testing.T) {
	t.Parallel()
	r := rig(t)
	ticket := r.Must(201, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{"subject": "test", "comment": object{"body": "test"}}})).Text("ticket.id")
	r.Must(204, r.Send("DELETE", "/api/v2/tickets/"+ticket, ""))
	job := r.Must(200, r.Send("DELETE", "/api/v2/deleted_tickets/"+ticket, "")).Text("job_status.id")
	r.Wait(10 * time.Second)
	faketest.Want(t, get(r, "/api/v2/job_statuses/"+job), object{
		"job_status.status": "completed", "job_status.total": nil, "job_status.progress": nil, "job_status.results": object{"success": true},
	})
	r.Must(404, r.Send("PUT", "/api/v2/deleted_tickets/"+ticket+"/restore", ""))
}

func TestAnUploadTellsWhereTheFileIs(t *testing.T) {
	t.Parallel()
	r := rig(t)
	made := r.Must(201, r.Send("POST", "/api/v2/uploads?filename=a.txt", "x", "Content-Type", "text/plain"))
	if at := made.Header.Get("Location"); at == "" || at != made.Text("upload.attachment.url") || !strings.HasSuffix(at, ".json") {
		t.Errorf("the file is at %q", at)
	}
}
