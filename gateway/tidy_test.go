package gateway

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parity/gateway/capture"
)

// gc took the certificates of an agent that was still at work.
func TestTidyLeavesWhatAGatewayHasGivenOut(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), ".parity")
	s := Settings{Root: root}.withDefaults()
	var given [3]capture.Settings
	for i := range given {
		var err error
		given[i], err = capture.Files{Bundle: []byte{byte(i)}}.Write(filepath.Join(root, surroundings))
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-48 * time.Hour)
		if err := os.Chtimes(filepath.Dir(given[i].BundlePath), old, old); err != nil {
			t.Fatal(err)
		}
	}
	run := filepath.Join(s.runs(), "run-1")
	if err := os.MkdirAll(run, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, dir := range []string{root, run} {
		if _, err := (&Server{settings: s}).announceIn(dir, given[i]); err != nil {
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

// A report that goes where a link leads emptied that file before the run.
func TestPreparingAReportEmptiesNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "kept"), filepath.Join(dir, "report.html")
	if err := os.WriteFile(file, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	reports, err := ParseReports([]string{link})
	if err == nil {
		err = prepare(reports)
	}
	content, readErr := os.ReadFile(file)
	if err != nil || readErr != nil || string(content) != "kept" {
		t.Errorf("it has %q: %v, %v", content, err, readErr)
	}
}
