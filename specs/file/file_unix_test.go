//go:build unix

package file_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"parity/specs/file"
)

// A command that was given a pipe waited for its writer, whatever ended it; one
// that was given a device or a huge file read until its memory was used up.
func TestReadRefusesWhatNeverEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		syscall.Mkfifo(at("pipe"), 0o600), os.Mkdir(at("folder"), 0o700), os.WriteFile(at("plain"), []byte("text"), 0o600),
		os.WriteFile(at("huge"), nil, 0o600), os.Truncate(at("huge"), 1<<40), os.Symlink("pipe", at("link")), os.Symlink("plain", at("good")),
	); err != nil {
		t.Fatal(err)
	}
	if l, err := net.Listen("unix", at("s")); err == nil {
		defer l.Close()
	} else {
		t.Logf("no socket is tried: %v", err)
	}
	for _, name := range []string{"pipe", "folder", "huge", "link", "s", "none", "/dev/zero", "/dev/tty"} {
		path := name
		if !filepath.IsAbs(name) {
			path = at(name)
			if _, err := file.ReadIn(root, name, 4); err == nil {
				t.Errorf("%s is read within a folder", name)
			}
		}
		if content, err := file.Read(path, 4); err == nil || content != nil {
			t.Errorf("%s is read: %q", name, content)
		}
	}
	for _, name := range []string{"plain", "good"} {
		content, err := file.Read(at(name), 4)
		within, werr := file.ReadIn(root, name, 4)
		if err != nil || werr != nil || string(content) != "text" || string(within) != "text" {
			t.Errorf("%s: %q, %v; %q, %v", name, content, err, within, werr)
		}
	}
	if _, err := file.Read(at("none"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := file.Read(at("plain"), 3); err == nil {
		t.Error("more was read than may be")
	}
}

// `--body @<(command)` gives the shell's end of a pipe.
func TestReadTakesWhatTheProcessWasHanded(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := file.Read(filepath.Join("/dev/fd", strconv.Itoa(int(r.Fd()))), 4)
	if err != nil || string(content) != "text" {
		t.Errorf("%q, %v", content, err)
	}
}
