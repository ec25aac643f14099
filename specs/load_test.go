package specs

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// shared gives a file of the material that is kept outside the repository, or
// skips the test where there is none.
func shared(tb testing.TB, name string) string {
	tb.Helper()
	root := os.Getenv("PARITY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared") // beside the module
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("shared material is not here (set PARITY_SHARED): %v", err)
	}
	return path
}

func sharedContract(tb testing.TB, name string) []byte {
	tb.Helper()
	file, err := os.Open(shared(tb, "contracts/"+name))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// load makes a contract of service "test" from one document and its folder.
func load(tb testing.TB, document string, others ...string) *Contract {
	tb.Helper()
	contract, diagnostics, err := tryLoad(document, others...)
	if err != nil {
		tb.Fatal(err)
	}
	if found := used(diagnostics); len(found) > 0 {
		tb.Fatalf("diagnostics: %v", found)
	}
	return contract
}

// used leaves out that a document has no paths: tests of schemas need none.
func used(found []Diagnostic) []Diagnostic {
	return slices.DeleteFunc(found, func(d Diagnostic) bool { return d.Code == "no-paths" })
}

func tryLoad(document string, others ...string) (*Contract, []Diagnostic, error) {
	folder := fstest.MapFS{"openapi.yaml": {Data: []byte(document)}}
	for i := 0; i+1 < len(others); i += 2 {
		folder[others[i]] = &fstest.MapFile{Data: []byte(others[i+1])}
	}
	return Load(folder, "openapi.yaml", "test")
}

func TestBuiltinContractsHaveNoFaults(t *testing.T) {
	t.Parallel()
	for _, service := range Services() {
		folder := os.DirFS(service)
		contract, diagnostics, err := Load(folder, "openapi.yaml", service)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range append(diagnostics, contract.Check()...) {
			t.Errorf("%s: %s: %s", service, d.Pointer, d.Message)
		}
		for _, op := range contract.Operations {
			if op.ID == "" || op.Anatomy.Collection == "" {
				t.Errorf("%s has no id or no collection", op.Name())
			}
		}
	}
	if _, err := Builtin("nosuch"); err == nil || !strings.Contains(err.Error(), "stripe") {
		t.Errorf("an unknown service gives %v, want the list of those there are", err)
	}
}

func TestReferencesStayInTheFolder(t *testing.T) {
	t.Parallel()
	const head = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents: {schemas: {thing: {$ref: '"
	tests := []struct{ name, ref, want string }{
		{"beside it", "parts.yaml#/thing", ""},
		{"in a folder below", "deep/more.yaml#/thing", ""},
		{"up and out", "../secret.yaml#/thing", "own folder"},
		{"absolute", "/etc/passwd", "own folder"},
		{"file URL", "file:///etc/passwd", "own folder"},
		{"network", "http://169.254.169.254/latest#/thing", "own folder"},
		{"no such file", "none.yaml#/thing", "not there"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			contract, found, err := tryLoad(head+test.ref+"'}}}\n",
				"parts.yaml", "thing: {type: string, maxLength: 3}\n", "deep/more.yaml", "thing: {$ref: '../parts.yaml#/thing'}\n")
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			for _, d := range append(used(found), contract.Check()...) {
				told = append(told, d.String())
			}
			if test.want == "" && len(told) > 0 || test.want != "" && (len(told) != 1 || !strings.Contains(told[0], test.want) || !strings.HasPrefix(told[0], "openapi.yaml:4:")) {
				t.Errorf("diagnostics %q; want one with %q", told, test.want)
			}
			if len(contract.Hash) != 64 {
				t.Errorf("hash is %q", contract.Hash)
			}
		})
	}
}

func TestHashCoversEveryFile(t *testing.T) {
	t.Parallel()
	const document = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents: {schemas: {thing: {$ref: 'parts.yaml#/thing'}}}\n"
	one := load(t, document, "parts.yaml", "thing: {type: string}\n")
	same := load(t, document, "parts.yaml", "thing: {type: string}\n", "unused.yaml", "x: 1\n")
	other := load(t, document, "parts.yaml", "thing: {type: integer}\n")
	if one.Hash != same.Hash || one.Hash == other.Hash {
		t.Errorf("hashes: %s, same content %s, other content %s", one.Hash, same.Hash, other.Hash)
	}
}

func TestFaultsInAContractAreDiagnosed(t *testing.T) {
	t.Parallel()
	contract, diagnostics, err := tryLoad(`
openapi: 3.0.3
info: {title: t, version: '1'}
x-parity-host: [api.test]
paths:
  /a/{x}:
    get: {operationId: one, x-parity-effect: harmless, x-parity-class: owner, responses: {}}
  /a/{y}:
    get: {operationId: one, responses: {}}
  /b/{x}{y}:
    get: {operationId: touching, responses: {}}
`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range diagnostics {
		got = append(got, d.Pointer+": "+d.Message)
	}
	want := []string{
		`/x-parity-host: x-parity-host is not known here; x-parity-hosts may be meant; it is ignored`,
		`/paths/~1a~1{x}/get/x-parity-effect: x-parity-effect: "harmless" is none of read, reversible, irreversible; it is ignored`,
		`/paths/~1a~1{x}/get/x-parity-class: x-parity-class: "owner" is none of read, draft, reversible, irreversible, admin; it is ignored`,
		`/paths/~1a~1{y}/get: GET /a/{y} has the same shape as /a/{x} at openapi.yaml:7:10; it gets the calls that do not fit that one`,
		`/paths/~1a~1{y}/get: "one" names /a/{x} already; this operation does not have that name`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(contract.Operations) != 3 {
		t.Errorf("%d operations can be used, want 3", len(contract.Operations))
	}
}

func TestNotAContract(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"empty": "", "no version": "info: {title: t}\n", "not YAML": "{{{", "old": "swagger: '1.2'\n",
	} {
		if _, _, err := tryLoad(document); err == nil {
			t.Errorf("%s: loaded", name)
		}
	}
}

func TestSwagger2IsConverted(t *testing.T) {
	t.Parallel()
	contract := load(t, `
swagger: '2.0'
info: {title: t, version: '1'}
host: api.test
basePath: /v2
schemes: [https]
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - {name: id, in: path, required: true, type: integer}
        - {name: limit, in: query, type: integer, maximum: 10}
      responses: {200: {description: ok, schema: {type: object, required: [id], properties: {id: {type: integer}}}}}
`)
	match := contract.Match("GET", "/v2/things/12")
	if match.Operation == nil {
		t.Fatal("no match")
	}
	input, found := match.Operation.Read(Request{Path: match.Path, Query: "limit=3"})
	if len(found) > 0 || input.Query["limit"] != int64(3) {
		t.Errorf("read %v, %v", input, found)
	}
	if found := match.Operation.CheckReply(200, "application/json", []byte(`{}`)); len(found) != 1 || found[0].Pointer != "/id" {
		t.Errorf("reply without id: %v", found)
	}
}

// TestVendorsContractsLoad holds the loader against real documents.
func TestVendorsContractsLoad(t *testing.T) {
	t.Parallel()
	names := []string{"notion.json.gz", "resend.json.gz", "sendgrid.json.gz", "intercom.yaml.gz"}
	if testing.Short() {
		names = names[:2]
		t.Logf("%v; sendgrid and intercom, which take seconds, without -short", names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			contract, diagnostics, err := tryLoad(string(sharedContract(t, name)))
			if err != nil {
				t.Fatal(err)
			}
			if len(contract.Operations) < 5 {
				t.Errorf("%d operations, want at least 5", len(contract.Operations))
			}
			for _, d := range append(diagnostics, contract.Check()...) {
				t.Logf("%s: %s", d.Pointer, d.Message)
			}
		})
	}
}
