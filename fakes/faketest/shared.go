package faketest

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"parity/specs"
)

// shared finds a folder of material that is not in this repository: below
// PARITY_SHARED, by default a folder "shared" beside the repository.
func shared(t testing.TB, folder string) string {
	t.Helper()
	root := os.Getenv("PARITY_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
				break
			}
			dir = filepath.Dir(dir)
		}
		root = filepath.Join(filepath.Dir(dir), "shared")
	}
	return filepath.Join(root, folder)
}

// VendorContract reads a vendor's own contract, such as "github.json.gz"; nil,
// with words in the log, where it is not at hand.
func VendorContract(t testing.TB, file string) *specs.Contract {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join(shared(t, "contracts"), file))
	if err != nil {
		t.Logf("replies are not held against the vendor's contract: no contracts/%s; set PARITY_SHARED to the folder that has it", file)
		return nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSuffix(file, ".gz")
	contract, _, err := specs.Load(fstest.MapFS{name: {Data: data}}, name, "vendor")
	if err != nil {
		t.Fatal(err)
	}
	return contract
}
