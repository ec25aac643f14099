//go:build unix

package promotion_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parity/cmd/internal/promotion"
)

// A pipe in the evidence's folder held `parity audit verify`, which SIGTERM did
// not end; a link to a huge file used up its memory.
func TestEvidenceOfAnotherKindThanFilesIsRefused(t *testing.T) {
	t.Parallel()
	for name, makeIt := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"huge":   func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40)) },
	} {
		dir := t.TempDir()
		if err := makeIt(filepath.Join(dir, "000001.json")); err != nil {
			t.Fatal(err)
		}
		_, err := promotion.Evidence{Root: t.TempDir(), Folder: dir}.Verify(io.Discard, "")
		if err == nil || !strings.Contains(err.Error(), "000001.json: this ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
