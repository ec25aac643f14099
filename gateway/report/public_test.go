package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// public compiles a schema that somebody else has published, from a package of
// npm that has it.
func public(t *testing.T, folder, root string) *jsonschema.Schema {
	t.Helper()
	in := filepath.Join("schemas", "node_modules", filepath.FromSlash(folder))
	files, err := filepath.Glob(filepath.Join(in, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(in, root)); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the public schemas are not installed: make schemas")
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if object, ok := doc.(map[string]any); ok { // its own name is of the web, or none; by file they find each other
			delete(object, "$id")
			delete(object, "id")
		}
		if err := c.AddResource("file:///"+filepath.Base(name), doc); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile("file:///" + root)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fits(t *testing.T, s *jsonschema.Schema, doc string) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatalf("%v in %.2000s", err, doc)
	}
	return s.Validate(value)
}

func TestSARIFFitsThePublicSchema(t *testing.T) {
	t.Parallel()
	s := public(t, "@microsoft/jest-sarif/lib/schemas", "sarif-2.1.0-rtm.5.json")
	if fits(t, s, `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"kind": "passed", "message": {"text": "x"}}]}]}`) == nil {
		t.Fatal("a kind that does not exist fits")
	}
	for name, r := range samples() {
		var out bytes.Buffer
		if err := SARIF(&out, r); err != nil {
			t.Fatal(err)
		}
		if err := fits(t, s, out.String()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func sarifOf(t *testing.T, r Report) sarifRun {
	t.Helper()
	var out bytes.Buffer
	if err := SARIF(&out, r); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0]
}
