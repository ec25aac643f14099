package specs

import (
	"bytes"
	"embed"
	"encoding/binary"
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/specs/document"
)

// builtin is what the shipped contracts are packed from.
//
//go:embed */openapi.yaml
var builtin embed.FS

var update = flag.Bool("update", false, "write the packed contracts")

// written opens the shipped contracts as they are written, by service.
func written(t *testing.T) (services []string, documents []*document.Document) {
	t.Helper()
	files, err := fs.Glob(builtin, "*/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		service, name, _ := strings.Cut(file, "/")
		folder, err := fs.Sub(builtin, service)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := document.Open(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		services, documents = append(services, service), append(documents, doc)
	}
	return services, documents
}

func TestShippedContractsArePacked(t *testing.T) {
	var out []byte
	services, documents := written(t)
	for i, doc := range documents {
		packed, err := doc.Pack()
		if err != nil {
			t.Fatalf("%s: %v", services[i], err)
		}
		for _, text := range []string{services[i], string(packed)} {
			out = append(binary.AppendUvarint(out, uint64(len(text))), text...)
		}
	}
	if *update {
		if err := os.WriteFile("shipped.packed", out, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(out, []byte(shipped)) {
		t.Error("shipped.packed is not what the contracts say; write it anew with: go generate ./specs")
	}
}

// TestShippedContractsSayWhatIsWritten holds what a start reads against what
// people write: the same contract, to the line that a fault is told at.
func TestShippedContractsSayWhatIsWritten(t *testing.T) {
	t.Parallel()
	services, documents := written(t)
	for i, doc := range documents {
		want, told, err := contractOf(doc, services[i], false)
		if err != nil {
			t.Fatal(err)
		}
		if len(told) > 0 {
			t.Errorf("%s: nobody is told at a start that %v", services[i], told)
		}
		got, err := Builtin(services[i])
		if err != nil {
			t.Fatal(err)
		}
		if got.Hash != want.Hash || got.Version != want.Version || !cmp.Equal(got.Files, want.Files) || !cmp.Equal(got.Hosts, want.Hosts) {
			t.Errorf("%s: it is %s %s %v %v, want %s %s %v %v", services[i], got.Hash, got.Version, got.Files, got.Hosts, want.Hash, want.Version, want.Files, want.Hosts)
		}
		alike(t, services[i], got.API().Document.Root(), doc.Root())
	}
}

func alike(t *testing.T, at string, got, want *document.Node) {
	t.Helper()
	_, line, column := got.Place()
	_, wantLine, wantColumn := want.Place()
	if got.Name != want.Name || got.Kind() != want.Kind() || got.Scalar() != want.Scalar() || got.Len() != want.Len() || line != wantLine || column != wantColumn {
		t.Fatalf("%s: %q %v %q, %d within, at %d:%d; want %q %v %q, %d within, at %d:%d", at, got.Name, got.Kind(), got.Scalar(), got.Len(), line, column,
			want.Name, want.Kind(), want.Scalar(), want.Len(), wantLine, wantColumn)
	}
	for i := range got.Len() {
		alike(t, at+"/"+got.At(i).Name, got.At(i), want.At(i))
	}
}
