package document

import (
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// pets has parts that are read with what is around them, and parts that are
// read later, one within the other.
const pets = `openapi: 3.0.3
info: {title: Pets, version: "1", x-empty: {}, x-none: [], x-null: null, x-big: 12345678901234567890, x-text: "é \" \n"}
paths:
  /pets:
    get:
      parameters: [{name: a, in: query}, {name: b, in: query}, {name: c, in: query}, {name: d, in: query}, {name: e, in: query}]
      responses: {"200": {description: "true", content: {application/json: {schema: {$ref: "#/components/schemas/pet"}}}}}
components:
  schemas:
    pet: {type: object, properties: {name: {type: string}, age: {type: integer, minimum: 0.5}, tags: {type: array, items: {type: string, enum: [a, b, "1", 1, true]}}}}
`

func opened(t *testing.T, files map[string]string) *Document {
	t.Helper()
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	d, err := Open(folder, "openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPackedDocumentIsAsItWasWritten(t *testing.T) {
	t.Parallel()
	want := opened(t, map[string]string{"openapi.yaml": pets})
	packed, err := want.Pack()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Unpack(string(packed))
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash() != want.Hash() || got.Name() != want.Name() {
		t.Errorf("it is %s %s, want %s %s", got.Name(), got.Hash(), want.Name(), want.Hash())
	}
	var together sync.WaitGroup // parts are read by whoever comes first
	for range 4 {
		together.Go(func() { sameNode(t, "", got.Root(), want.Root()) })
	}
	together.Wait()
	if n, err := got.Follow(got.Root().Find("/paths/~1pets/get/responses/200/content/application~1json/schema")); err != nil || n != got.Root().Find("/components/schemas/pet") {
		t.Errorf("the reference leads to %v, %v", n, err)
	}
	if got.Root().Size() != want.Root().Size() {
		t.Errorf("it has %d values, want %d", got.Root().Size(), want.Root().Size())
	}
}

func sameNode(t *testing.T, at string, got, want *Node) {
	t.Helper()
	file, line, column := got.Place()
	wantFile, wantLine, wantColumn := want.Place()
	if got.Name != want.Name || got.Kind() != want.Kind() || got.Scalar() != want.Scalar() || got.Len() != want.Len() || file != wantFile || line != wantLine || column != wantColumn {
		t.Errorf("%s: %q %v %q at %s:%d:%d, want %q %v %q at %s:%d:%d", at, got.Name, got.Kind(), got.Scalar(), file, line, column, want.Name, want.Kind(), want.Scalar(), wantFile, wantLine, wantColumn)
		return
	}
	for i := range want.Len() {
		sameNode(t, at+"/"+want.At(i).Name, got.At(i), want.At(i))
	}
}

func TestWhatIsNotPacked(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"two files":  {"openapi.yaml": "a: {$ref: other.yaml}", "other.yaml": "b: 1"},
		"a problem":  {"openapi.yaml": "a: 1\na: 2"},
		"JSON":       {"openapi.yaml": `{"a": 1}`},
		"with an id": {"openapi.yaml": "a: {$id: 'https://x.test/a'}"},
	} {
		if packed, err := opened(t, files).Pack(); err == nil {
			t.Errorf("%s: packed into %d bytes", name, len(packed))
		}
	}
	if _, err := Unpack("parity document 0\n"); err == nil || !strings.Contains(err.Error(), "generate") {
		t.Errorf("a document of another form gives %v", err)
	}
}
