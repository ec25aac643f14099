package specs

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestListsNameParametersThatThereAre checks what our contracts say of lists:
// that what they are paged by can be sent, and that each service's lists are
// known as such.
func TestListsNameParametersThatThereAre(t *testing.T) {
	t.Parallel()
	for service, example := range map[string]string{
		"stripe": "GET /v1/customers", "github": "GET /repos/{owner}/{repo}/issues", "slack": "POST /api/conversations.list",
		"sendgrid": "GET /v3/marketing/lists", "googlecalendar": "GET /calendar/v3/calendars/{calendarId}/events",
		"hubspot": "POST /crm/v3/objects/{objectType}/search", "zendesk": "GET /api/v2/tickets", "notion": "POST /v1/search",
	} {
		t.Run(service, func(t *testing.T) {
			t.Parallel()
			contract, _, err := Load(os.DirFS(service), "openapi.yaml", service)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(contract.Operations, func(op *Operation) bool { return op.Name() == service+" "+example })
			if a := contract.Operations[at].Anatomy; !a.List || a.Cursor == "" || len(a.Limit) == 0 || len(a.Next) == 0 && a.More == "" && !a.Link {
				t.Errorf("%s is paged in ways not known: %+v", example, a)
			}
			for _, op := range contract.Operations {
				a := op.Anatomy
				for _, name := range slices.Concat(a.Cursors, a.Limit, []string{a.Offset, a.Page}) {
					if base, _, _ := strings.Cut(name, "["); name != "" && !sent(op, base) {
						t.Errorf("%s has no parameter %s", op.Name(), base)
					}
				}
			}
		})
	}
}

// sent tells whether an operation takes something of a name.
func sent(op *Operation, name string) bool {
	op.read()
	if op.query != nil && op.query.known().properties[name] != nil {
		return true
	}
	return slices.ContainsFunc(op.bodies, func(m media) bool { return m.part.known().properties[name] != nil })
}
