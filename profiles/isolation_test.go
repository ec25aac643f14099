package profiles_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"parity/profiles"
)

const isolated = `
profile: isolated
services: {stripe: {}}
isolation:
  on: network
  files: {write: [".", ~/.cache/my-agent], show: [/opt/models], hide: [~/.config/my-cli]}
  env: [ANTHROPIC_API_KEY, TZDIR]
  limits: {memory: 2GB, processes: 256, open_files: 4096, file_size: 64MB, time: 1h30m}
  ports: [5432, 6379]
`

var unplaced = cmpopts.IgnoreUnexported(profiles.Isolation{})

func TestIsolationMeansWhatItSays(t *testing.T) {
	t.Parallel()
	p := parse(t, isolated)
	want := &profiles.Isolation{
		On: profiles.NetIsolated, Write: []string{".", "~/.cache/my-agent"}, Show: []string{"/opt/models"}, Hide: []string{"~/.config/my-cli"},
		Env: []string{"ANTHROPIC_API_KEY", "TZDIR"}, Ports: []int{5432, 6379},
		Limits: profiles.Limits{Memory: 2 << 30, Processes: 256, OpenFiles: 4096, FileSize: 64 << 20, Time: 90 * time.Minute},
	}
	if diff := cmp.Diff(want, p.Isolation, unplaced); diff != "" {
		t.Error(diff)
	}
	again := parse(t, string(p.Content))
	if diff := cmp.Diff(want, again.Isolation, unplaced); diff != "" || again.Revision != p.Revision {
		t.Errorf("what is kept of it reads back otherwise:\n%s\n%s", diff, p.Content)
	}
	if p := parse(t, "profile: open\nservices: {stripe: {}}\n"); p.Isolation != nil {
		t.Errorf("%+v of a profile that says nothing", p.Isolation)
	}
}

// A layer takes back what the one below says, and adds to its maps.
func TestIsolationIsLayeredByKey(t *testing.T) {
	t.Parallel()
	p := parse(t, "profile: mine\nextends: [contained]\nisolation: {on: false, files: {write: [out]}, limits: {time: 5m}}\n")
	got := p.Isolation
	if got.On != profiles.NotIsolated || len(got.Write) != 1 || got.Write[0] != "out" || got.Limits.Time != 5*time.Minute || got.Limits.Processes != 512 {
		t.Errorf("%+v", got)
	}
}

// What is not there is said of all of it at once, with its place, and of variables
// the name alone.
func TestWhatIsolationNeedsIsLookedForBeforeAnythingStarts(t *testing.T) {
	t.Parallel()
	dir, home := t.TempDir(), t.TempDir()
	m := profiles.Machine{Dir: dir, Home: home, Environ: []string{"TZDIR=/x", "OTHER=sk-secret"}}
	p := parse(t, strings.Replace(isolated, "/opt/models", filepath.Join(dir, "models"), 1))
	_, err := p.Isolation.Here(m)
	var found profiles.Problems
	if !errors.As(err, &found) || len(found) != 4 || strings.Contains(err.Error(), "secret") {
		t.Fatalf("%v", err)
	}
	for i, want := range []string{":6:24: isolation.files.write: \"~/.cache/my-agent\" (" + home, ":6:51: isolation.files.show: ", "isolation.files.hide: ", ":7:9: isolation.env: ANTHROPIC_API_KEY is not set"} {
		if !strings.Contains(found[i].Error(), want) {
			t.Errorf("%d: %v, want %s", i, found[i], want)
		}
	}
	for _, folder := range []string{filepath.Join(home, ".cache/my-agent"), filepath.Join(home, ".config/my-cli"), filepath.Join(dir, "models")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	m.Environ = append(m.Environ, "ANTHROPIC_API_KEY=")
	here, err := p.Isolation.Here(m)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{dir, filepath.Join(home, ".cache/my-agent"), filepath.Join(dir, "models"), filepath.Join(home, ".config/my-cli")}
	if diff := cmp.Diff(want, append(append(append([]string{}, here.Write...), here.Show...), here.Hide...)); diff != "" {
		t.Error(diff)
	}
	if p.Isolation.Write[0] != "." {
		t.Error("the profile itself was changed")
	}
	if none, err := (*profiles.Isolation)(nil).Here(m); err != nil || none.On != "" {
		t.Errorf("%v %v", none, err)
	}
}
