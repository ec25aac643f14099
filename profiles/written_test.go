package profiles_test

import (
	"fmt"
	"strings"
	"testing"

	"parity/profiles"
)

// Documentation writes out what a contract has a parameter for. A rule may, and
// is told where it has a slip in it, or where nothing but operations go.
func TestCallsThatAreWrittenOut(t *testing.T) {
	t.Parallel()
	const lost = "faults: {it: {call: %q, inject: error}}"
	for name, c := range map[string]struct{ text, says string }{
		"of a kind":               {fmt.Sprintf(lost, "hubspot POST /crm/v3/objects/contacts"), ""},
		"of one record":           {fmt.Sprintf(lost, "hubspot PATCH /crm/v3/objects/contacts/101"), ""},
		"of a kind's records":     {fmt.Sprintf(lost, "hubspot PATCH /crm/v3/objects/contacts/{objectId}"), ""},
		"with a star":             {fmt.Sprintf(lost, "hubspot * /crm/v3/objects/deals*"), ""},
		"of another service":      {fmt.Sprintf(lost, "stripe GET /v1/customers/cus_1"), ""},
		"the read before a write": {"faults: {it: {call: 'hubspot PATCH /crm/v3/objects/deals/{id}', inject: concurrent-edit, with: {once_read: 'hubspot GET /crm/v3/objects/deals/{id}', set: {dealname: x}}}}", ""},

		"a slip in a word":       {fmt.Sprintf(lost, "hubspot POST /crm/v3/objects/contacts/serach"), "did you mean hubspot POST /crm/v3/objects/contacts/search"},
		"a slip in the path":     {fmt.Sprintf(lost, "hubspot POST /crm/v3/object/contacts"), "did you mean hubspot POST /crm/v3/objects/contacts"},
		"a slip for a value":     {fmt.Sprintf(lost, "stripe GET /v1/customers/serach"), "did you mean stripe GET /v1/customers/search"},
		"a template with a slip": {fmt.Sprintf(lost, "hubspot POST /crm/v3/object/{objectType}"), "did you mean hubspot POST /crm/v3/objects/{objectType}"},
		"another method":         {fmt.Sprintf(lost, "hubspot PUT /crm/v3/objects/contacts"), "matches no operation"},
		"not what it takes":      {fmt.Sprintf(lost, "zendesk GET /api/v2/tickets/first"), "is no call: {ticket_id}"},
		"in an expectation":      {"expect: {it: {never: 'hubspot PATCH /crm/v3/objects/contacts/101'}}", "name the operation: hubspot PATCH /crm/v3/objects/{objectType}/{objectId}"},
		"in a trigger":           {"faults: {it: {call: stripe *, inject: error, trigger: {between: [hubspot POST /crm/v3/objects/contacts, hubspot GET /crm/v3/objects/contacts]}}}", "name the operation"},
		"what it depends on":     {"faults: {it: {call: stripe *, inject: cascade, with: {from: hubspot POST /crm/v3/objects/contacts}}}", "name the operation"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := profiles.Parse("x.yaml", []byte("profile: x\nservices: {hubspot: {}, stripe: {}, zendesk: {}}\n"+c.text+"\n"), options(t, t.TempDir()))
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v\nwant %q", err, c.says)
			}
		})
	}
}

// A rule about one kind of record does not decide the calls for others.
func TestARuleForSomeCallsOutranksNoOther(t *testing.T) {
	t.Parallel()
	p, err := profiles.Parse("x.yaml", []byte(`profile: x
services: {hubspot: {}}
faults:
  contacts: {call: hubspot POST /crm/v3/objects/contacts, inject: error}
  others: {call: "hubspot POST /crm/v3/objects/{objectType}", inject: error}
  deals: {call: hubspot POST /crm/v3/objects/deals, inject: error}
`), options(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0].Error(), "rule deals can never fire: others comes first") {
		t.Errorf("%v", p.Warnings)
	}
}
