package inspect

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parity/cmd/internal/connection"
	"parity/gateway"
	"parity/gateway/capture"
)

// gc took the certificates of an agent that was still at work.
func TestTidyLeavesWhatAGatewayHasGivenOut(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), ".parity")
	s := gateway.Settings{Root: root}.WithDefaults()
	var given [3]capture.Settings
	for i := range given {
		var err error
		given[i], err = capture.Files{Bundle: []byte{byte(i)}}.Write(connection.FilesFolder(root))
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-48 * time.Hour)
		if err := os.Chtimes(filepath.Dir(given[i].BundlePath), old, old); err != nil {
			t.Fatal(err)
		}
	}
	run := filepath.Join(s.RunsFolder(), "run-1")
	if err := os.MkdirAll(run, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, dir := range []string{root, run} {
		if _, err := connection.AnnounceIn(dir, "", given[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := Tidy(&bytes.Buffer{}, root, 0); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, true, false} {
		if _, err := os.Stat(given[i].BundlePath); (err == nil) != want {
			t.Errorf("folder %d: %v", i, err)
		}
	}
}
