package anatomy_test

import (
	"os"
	"path/filepath"
	"testing"

	"parity/specs/anatomy"
	"parity/specs/document"
	"parity/specs/openapi"
)

// BenchmarkInfer infers the anatomy of PARITY_CONTRACT, a file, from a document
// of which nothing was looked at before.
func BenchmarkInfer(b *testing.B) {
	file := os.Getenv("PARITY_CONTRACT")
	if file == "" {
		b.Skip("PARITY_CONTRACT names no file")
	}
	d, err := document.Open(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		api, err := openapi.Read(d)
		if err != nil {
			b.Fatal(err)
		}
		if m := anatomy.Infer(api); len(m.Roles) != len(api.Operations) {
			b.Fatalf("%d roles for %d operations", len(m.Roles), len(api.Operations))
		}
	}
}
