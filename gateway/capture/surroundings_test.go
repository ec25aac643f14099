package capture

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each run kept 640 KB of certificates of its own.
func TestRunsShareTheirCertificates(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	files := Files{Bundle: []byte("bundle"), Extra: []byte("extra")}
	first, err := files.Write(folder)
	if err != nil {
		t.Fatal(err)
	}
	trust, err := os.ReadFile(first.TrustPath)
	if err != nil {
		t.Fatal(err)
	}
	second, err := files.Write(folder)
	again, readErr := os.ReadFile(second.TrustPath)
	if err != nil || readErr != nil || !cmp.Equal(second, first) || string(again) != string(trust) {
		t.Errorf("they were written anew: %v, %v", err, readErr)
	}
	other, err := Files{Bundle: []byte("bundle"), Extra: []byte("other")}.Write(folder)
	if err != nil || filepath.Dir(other.CAPath) == filepath.Dir(first.CAPath) {
		t.Errorf("other certificates went to the same folder: %v", err)
	}

	// What somebody has changed is not used.
	if err := os.WriteFile(first.CAPath, []byte("another's"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write(folder); err != nil {
		t.Fatal(err)
	}
	if is, err := os.ReadFile(first.CAPath); err != nil || string(is) != "extra" {
		t.Errorf("a file that was changed is used as it is: %q, %v", is, err)
	}
}
