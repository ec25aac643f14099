package class_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/specs"
	"parity/specs/class"
)

var update = flag.Bool("update", false, "write the list of what ships anew")

// A batch of Google Calendar is a read by itself.
func TestAGoogleBatchOfAReaderMayNotDelete(t *testing.T) {
	t.Parallel()
	contract, err := specs.Builtin("googlecalendar")
	if err != nil {
		t.Fatal(err)
	}
	reads, writes := parted("GET /calendar/v3/calendars/primary/events?maxResults=5\n"), parted("GET /calendar/v3/calendars/primary\n", "DELETE /calendar/v3/calendars/ada%40example.com\n")
	for body, want := range map[string]told{
		reads:  {"read", "part 1: GET /calendar/v3/calendars/{calendarId}/events", ""},
		writes: {"irreversible", "part 2: DELETE /calendar/v3/calendars/{calendarId}", ""},
		parted("POST /token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=refresh_token"): {"read", "part 1: POST /token", ""},
		parted("POST /calendar/v3/calendars/primary/acl\n"):                                                {"admin", "part 1: POST /calendar/v3/calendars/{calendarId}/acl", ""},
		parted("DELETE /drive/v3/files/7\n"):                                                               {"read", "", class.NoPolicy},
	} {
		s := sent{operation: "POST /batch/calendar/v3", body: body, header: []string{"Content-Type", "multipart/mixed; boundary=b"}}
		if got := s.carried(contract, judge(contract)); got != want {
			t.Errorf("%q: %+v, want %+v", body, got, want)
		}
	}
}

// A wrong class is a hole, so a person reads what it comes out as.
func TestShippedOperationsThatGovernAreListedForAPerson(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString("# Operations of the contracts that ship that are admin or draft, and those that are\n# read and have another effect by themselves; and who says so.\n# Written by: go test ./specs/class -run Shipped -update\n")
	for _, service := range specs.Services() {
		contract, err := specs.Builtin(service)
		if err != nil {
			t.Fatal(err)
		}
		page.WriteString("\n" + service + "\n")
		var lines []string
		for _, op := range contract.Operations {
			r := class.Of(op, op.Effect)
			if r.Class == class.Admin || r.Class == class.Draft || r.Class == class.Read && op.Effect != specs.Read {
				lines = append(lines, fmt.Sprintf("  %-5s  %-6s %-78s %s\n", r.Class, op.Method, op.Path, strings.TrimSpace(r.How+" "+r.By)))
			}
		}
		if len(lines) == 0 {
			lines = []string{"  none\n"}
		}
		page.WriteString(strings.Join(slices.Sorted(slices.Values(lines)), ""))
	}
	const file = "testdata/shipped.txt"
	if *update {
		if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), page.String()); diff != "" {
		t.Errorf("%s (-want +got); read it, and write it anew with -update:\n%s", file, diff)
	}
}
