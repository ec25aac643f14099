package author_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"parity/cmd/internal/author"
	"parity/fakes/builtin"
)

var update = flag.Bool("update", false, "write the pages of the services anew")

// The page of each service is made, not written: -update makes it again.
func TestPagesOfServicesAreAsTheyAreMade(t *testing.T) {
	t.Parallel()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range catalogue.Names() {
		var page bytes.Buffer
		if err := author.ShowService(&page, name); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("..", "..", "..", "fakes", name, "MODELLED.md")
		if *update {
			if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, page.Bytes()) {
			t.Errorf("%s is not what `parity services show %s` says (%v); go test ./cmd/internal/author -run Pages -update", file, name, err)
		}
	}
}
