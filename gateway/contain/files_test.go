package contain

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEveryProblemOfTheOptionsIsSaidAtOnce is what somebody is told before anything
// starts.
func TestEveryProblemOfTheOptionsIsSaidAtOnce(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{".aws", "keys", "project", "project/in", "behind"} {
		if err := os.Mkdir(filepath.Join(home, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(".aws", filepath.Join(home, "clouds")); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(home, name) }
	o := Options{
		Level: "most",
		Ports: []int{443, 70000},
		Files: Files{
			Write: []string{"project", at("project") + "/", at("lost"), at(".aws"), at("clouds"), at("keys"), "/", "/proc/sys", at("project")},
			Show:  []string{at("keys"), at("gone"), at(".aws/sso"), at("project/in")},
			Hide:  []string{at("keys"), "~/x", at("typo"), at("project/in")},
			Lay:   map[string]string{"etc/hosts": at("bundle"), "/etc/hosts": at("project")},
		},
		Limits: Limits{Memory: -1, FileSize: -1, OpenFiles: math.MaxInt},
	}
	const covered = " is known to hold secrets and is always covered: name what is needed somewhere else"
	want := []string{
		`isolation: "most" is no level: say network or whole`,
		"port 70000: say one from 1 to 65535",
		"files: hide: ~/x: is not an absolute, clean path",
		"files: hide: HOME/typo: is not there: correct it, or make it first",
		"files: write: project: is not an absolute, clean path",
		"files: write: HOME/project/: is not an absolute, clean path",
		"files: write: HOME/lost: is not there: correct it, or make it first",
		"files: write: HOME/.aws: HOME/.aws" + covered,
		"files: write: HOME/clouds: HOME/.aws" + covered,
		"files: write: HOME/keys: HOME/keys is in hide too: name what is needed somewhere else",
		"files: write: /: the machine's own is not handed in: name a folder",
		"files: write: /proc/sys: the machine's own is not handed in: name a folder",
		"files: show: HOME/keys: HOME/keys is in hide too: name what is needed somewhere else",
		"files: show: HOME/gone: is not there: correct it, or make it first",
		"files: show: HOME/.aws/sso: is not there: correct it, or make it first",
		"files: show: HOME/project/in: HOME/project/in is in hide too: name what is needed somewhere else",
		"files: lay: HOME/project: is no file",
		"files: lay: etc/hosts: is not an absolute, clean path",
		"files: lay: HOME/bundle: is no file",
		"limits: memory: is below 0: leave it out for none",
		"limits: file_size: is below 0: leave it out for none",
	}
	var got []string
	beyond := false
	for _, err := range o.Check() {
		line := strings.ReplaceAll(err.Error(), resolved(home), "HOME")
		line = strings.ReplaceAll(line, home, "HOME")
		if strings.HasPrefix(line, "limits: open_files: ") {
			beyond = strings.Contains(line, "is above what this process may set")
			continue
		}
		got = append(got, line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !beyond && runtime.GOOS == "linux" {
		t.Error("a limit above the hard one was not said")
	}
	o = Options{Files: Files{Write: []string{at("project")}, Show: []string{at("behind")}, Hide: []string{at("keys")}}}
	if err := errors.Join(o.Check()...); err != nil {
		t.Error(err)
	}
}

func TestHomeIsFoundWhereTheEnvironmentHasNone(t *testing.T) {
	t.Parallel()
	users := filepath.Join(t.TempDir(), "passwd")
	text := "root:x:0:0:root:/root:/bin/sh\n# a comment\nbroken:x:7\nada:x:7:7:Ada,,,:/home/ada:/bin/sh\n"
	if err := os.WriteFile(users, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for uid, want := range map[int]string{0: "/root", 7: "/home/ada", 8: ""} {
		if got := listedHome(users, uid); got != want {
			t.Errorf("of %d: %q, want %q", uid, got, want)
		}
	}
}
