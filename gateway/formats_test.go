package gateway_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"parity/faults/trail"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// reportSchema is the published schema of the report, compiled once.
var reportSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(report.Schema()))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("report.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("report.json")
})

// fitsSchema holds the report of a run against the schema.
func fitsSchema(t *testing.T, r report.Report) {
	t.Helper()
	schema, err := reportSchema()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(&out)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("the report does not fit its schema: %v", err)
	}
}

// A rule is where whoever reads the report finds it: in the file that it was
// written in, be that one that the profile extends, and not in the one document
// that a run keeps of them all.
func TestVerdictsSayWhereTheProfileHasTheirRule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base := filepath.Join(dir, "base.yaml")
	if err := os.WriteFile(base, []byte("profile: base\nservices: {stripe: {}}\nfaults:\n\n  # below a comment\n  gone: {call: stripe.GetCharges, inject: error}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := openIn(t, dir, "profile: top\n# of its own\nextends: [./base.yaml]\nfaults:\n  busy: {call: stripe.GetCustomers, inject: error}\n")
	must(t, h.proxied(false), "GET", "https://api.stripe.com/v1/refunds", "")
	h.close()
	kept, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]trail.Place{"busy": {File: h.file, Line: 5, Column: 3}, "gone": {File: base, Line: 6, Column: 3}}
	for _, v := range kept.Report().Verdicts {
		place, ours := want[v.Subject]
		switch {
		case ours && (v.At == nil || *v.At != place):
			t.Errorf("%s is at %+v", v.Subject, v.At)
		case !ours && v.At != nil:
			t.Errorf("%s, of no profile, is at %+v", v.Subject, *v.At)
		}
		delete(want, v.Subject)
	}
	if len(want) > 0 {
		t.Errorf("no verdict on %v", want)
	}
}
