package generic

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/specs"
	"parity/specs/anatomy"
	"parity/specs/openapi"
	"parity/specs/schema"
)

func loaded(t *testing.T, file string) *specs.Contract {
	t.Helper()
	contract, _, err := specs.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file), "svc")
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// What was inferred, written down and read again, is what was inferred.
func TestASketchReadBackChangesNothing(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"../../specs/acme-crm/openapi.yaml", "../../specs/stripe/openapi.yaml", "../../specs/parity/openapi.yaml"} {
		sketchHolds(t, file)
	}
	more, err := filepath.Glob(os.Getenv("SKETCHES"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range more {
		sketchHolds(t, file)
	}
}

func sketchHolds(t *testing.T, file string) {
	t.Helper()
	contract := loaded(t, file)
	text := Sketch(contract)
	f := &Fake{service: "svc", contract: contract, api: contract.API(), model: anatomy.Infer(contract.API())}
	rules, problems, err := f.behave(text, "behaviour.yaml")
	if err != nil || len(problems) > 0 {
		t.Errorf("%s: %v %+v\n%s", file, err, problems, text)
		return
	}
	if len(rules.operations) > 0 {
		t.Errorf("%s: the sketch has rules for %d operations", file, len(rules.operations))
	}
	inferred := anatomy.Infer(contract.API())
	if diff := cmp.Diff(inferred, f.model, cmp.Comparer(func(a, b *schema.Schema) bool { return a.Name() == b.Name() }),
		cmp.Comparer(func(a, b *openapi.Operation) bool { return a == b })); diff != "" {
		t.Errorf("%s (-inferred +read):\n%s", file, diff)
	}
}

func TestASketchSaysWhatWasFound(t *testing.T) {
	t.Parallel()
	text := string(Sketch(loaded(t, "../../specs/acme-crm/openapi.yaml")))
	for _, part := range []string{
		"  contacts: #", "    record: Contact\n", "    id: {field: id, by: server} # string, begins with con_\n",
		"      items: /data\n", "      cursor: after\n", "POST /contacts/{contact_id}/archive",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in the sketch:\n%s", part, text)
		}
	}
}
