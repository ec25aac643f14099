package gateway_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parity/gateway"
	"parity/gateway/client"
)

// A link out of the folder of profiles was followed, and what it leads to was
// quoted. Of what is no profile in there nothing is told but that.
func TestProfilesAreReadFromTheirFolderAlone(t *testing.T) {
	t.Parallel()
	const secret = "root-of-all-passwords"
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "shadow.yaml")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(outside, []byte(secret+": x\n"), 0o600))
	must(os.Symlink(outside, filepath.Join(dir, "out.yaml")))
	must(os.Symlink("/dev/zero", filepath.Join(dir, "zero.yaml")))
	must(os.Symlink(filepath.Dir(outside), filepath.Join(dir, "folder")))
	must(syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600))
	must(os.MkdirAll(filepath.Join(dir, "..data"), 0o700))
	must(os.WriteFile(filepath.Join(dir, "..data", "in.yaml"), []byte(strings.Replace(quiet, "quiet", "mounted", 1)), 0o600))
	must(os.Symlink("..data/in.yaml", filepath.Join(dir, "in.yaml"))) // as a config map is mounted
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.Profiles = dir })
	for _, name := range []string{
		"out.yaml", "folder/shadow.yaml", "zero.yaml", "pipe.yaml", "..data", "../" + filepath.Base(filepath.Dir(outside)) + "/shadow.yaml",
		outside, "/dev/zero", "dev/zero", "NUL", "CON.yaml", "in.yaml\x00", "\x00", "in.yaml/", "..", ".", "./", "~/x.yaml", "file:///etc/passwd", `..\shadow.yaml`,
	} {
		_, err := h.control().Make(t.Context(), client.NewRun{Profile: name})
		refused, ok := errors.AsType[*client.Error](err)
		if !ok || refused.Status != 422 && refused.Status != 400 {
			t.Errorf("%q: %v", name, err)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%q tells what is there: %v", name, err)
		}
	}
	if _, err := h.control().Make(t.Context(), client.NewRun{Profile: "in.yaml"}); err != nil {
		t.Errorf("a link within the folder: %v", err)
	}
}

// What is asked of the control plane names runs that commands take for flags,
// folders or devices, and instants that no clock shows.
func TestWhatNoRunIsMadeOf(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	k := h.control()
	for _, name := range []string{"--help", "-", "-x", "..", "a/b", "/dev/null", "a\x00", "A", "last", strings.Repeat("a", 65), "é"} {
		if _, err := k.Make(t.Context(), client.NewRun{Names: []string{name}}); err == nil {
			t.Errorf("a run is called %q", name)
		}
	}
	h.make(client.NewRun{Names: []string{"a-1-", "0"}})
	if _, err := k.TakeSnapshot(t.Context(), "0", "--help"); err == nil {
		t.Error("a snapshot is called --help")
	}
	for _, start := range []string{"0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2262-01-01T00:00:00Z", "yesterday"} {
		if _, err := k.Make(t.Context(), client.NewRun{Clock: &client.NewClock{Start: start}}); err == nil {
			t.Errorf("a clock starts at %s", start)
		}
		if _, err := k.MoveClock(t.Context(), "0", client.Move{Set: start}); err == nil {
			t.Errorf("a clock is set to %s", start)
		}
	}
}
