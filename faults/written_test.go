package faults

import (
	"slices"
	"strings"
	"testing"

	"parity/specs"
)

// A pattern is what a contract writes, or else the path of calls, written out.
func TestPathsThatAreWrittenOut(t *testing.T) {
	t.Parallel()
	operations := []*specs.Operation{
		{Service: "hubspot", Method: "GET", Path: "/crm/v3/objects/{objectType}"},
		{Service: "hubspot", Method: "POST", Path: "/crm/v3/objects/{objectType}"},
		{Service: "hubspot", Method: "POST", Path: "/crm/v3/objects/{objectType}/search"},
		{Service: "hubspot", Method: "PATCH", Path: "/crm/v3/objects/{objectType}/{objectId}"},
		{Service: "stripe", Method: "GET", Path: "/v1/customers/search"},
		{Service: "stripe", Method: "GET", Path: "/v1/customers/{customer}"},
		{Service: "files", Method: "GET", Path: "/reports/{name}.csv"},
		{Service: "github", Method: "GET", Path: "/repos/{owner}/{repo}"},
		{Service: "github", Method: "GET", Path: "/{kind}/{owner}/{repo}"},
	}
	x := NewIndex(operations)
	for _, c := range []struct {
		pattern string
		names   string // the operations whose calls it may be, by their numbers
		calls   string // values of each of their paths for which it is one, and after a | those for which it is not
	}{
		{"hubspot POST /crm/v3/objects/{any}", "1", "contacts, deals"},
		{"hubspot POST /crm/v3/objects/contacts", "1", "contacts | deals, contact, contacts2"},
		{"hubspot * /crm/v3/objects/contacts", "01", "contacts | deals"},
		{"hubspot POST /crm/v3/objects/contacts/search", "2", "contacts | deals"},
		{"hubspot PATCH /crm/v3/objects/contacts/{id}", "3", "contacts 7 | deals 7"},
		{"hubspot PATCH /crm/v3/objects/contacts/7", "3", "contacts 7 | contacts 8, deals 7"},
		{"hubspot * /crm/v3/objects/contacts*", "0123", "contacts 7, contacts2 8 | deals 7"},
		{"hubspot * /crm/v3/objects/contacts/*", "23", "contacts 7 | contacts2 8, deals 7"},
		{"hubspot PATCH */7", "3", "contacts 7, deals 7 | contacts 8"},
		{"hubspot PATCH /crm/v3/objects/contacts", "", ""},
		{"hubspot POST /crm/v3/object/contacts", "", ""},
		{"stripe GET /v1/customers/search", "4", ""},
		{"stripe GET /v1/customers/cus_1", "5", "cus_1 | cus_2, cus_1/x"},
		{"files GET /reports/may.csv", "6", "may | june"},
		{"files GET /reports/may.txt", "", ""},
		{"github GET /repos/acme/shop", "7", "acme shop | acme web"},
		{"* GET /repos/acme/*", "78", "acme shop | other shop"},
		{"hubspot GET /crm/v3/objects/{objectType", "0", "contacts"},
	} {
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, i := range x.Find([]Pattern{p}) {
			got += string(rune('0' + i))
		}
		if got != c.names {
			t.Errorf("%s: finds %q, want %q", c.pattern, got, c.names)
		}
		is, not, _ := strings.Cut(c.calls, "|")
		for i, list := range []string{is, not} {
			for values := range strings.SplitSeq(list, ",") {
				if values = strings.TrimSpace(values); values != "" && c.names != "" {
					op := operations[c.names[0]-'0']
					if len(c.names) > 1 && slices.Contains(strings.Fields(values), "7") || strings.Contains(values, " 8") {
						op = operations[3]
					}
					if got, want := p.MatchCall(op, specs.Input{Path: pathOf(op, strings.Fields(values))}), i == 0; got != want {
						t.Errorf("%s: calls of %s with %s: %v", c.pattern, op.Name(), values, got)
					}
				}
			}
		}
	}
}

// pathOf gives the parameters of an operation's path their values, in order.
func pathOf(op *specs.Operation, values []string) map[string]string {
	path, rest := map[string]string{}, op.Path
	for _, value := range values {
		_, after, ok := strings.Cut(rest, "{")
		if !ok {
			break
		}
		name, after, _ := strings.Cut(after, "}")
		path[name], rest = value, after
	}
	return path
}

func FuzzWrittenOut(f *testing.F) {
	for _, seed := range []string{"/a/{b}/*", "/crm/v3/objects/contacts", "/{", "*?*?*", "/a/}{"} {
		f.Add(seed, "/a/{b}/{c}.csv")
	}
	f.Fuzz(func(t *testing.T, pattern, template string) {
		if len(pattern)+len(template) > 400 {
			return
		}
		if p := tokensOf(pattern); !strings.ContainsAny(pattern, "{}*?") && !overlap(p, tokensOf(pattern)) {
			t.Errorf("%q is not itself", pattern)
		}
		overlap(tokensOf(pattern), tokensOf(template))
	})
}
