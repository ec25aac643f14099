package profiles_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/profiles"
)

// Only what somebody works on has a program run again: not what package managers
// and interpreters write, not what is large, and not a save that changes nothing.
func TestATreeTellsOfSourcesAndNothingElse(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	profile := filepath.Join(elsewhere, "mine.yaml")
	write(profile, "profile: mine\nservices: {stripe: {}}\n")
	write("agent.py", "one")
	write("gone.py", "one")
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	tree := &profiles.Tree{
		Folder: dir, Except: []string{filepath.Join(dir, "out.xml")}, Profile: profile, Options: profiles.Options{Catalogue: catalogue},
		Wall: clock.System{}, Log: slog.New(slog.DiscardHandler),
	}
	if err := tree.Begin(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	told, ended := make(chan []string), make(chan struct{})
	go func() {
		defer close(ended)
		tree.Watch(ctx, func(saved []string) {
			select {
			case told <- saved:
			case <-ctx.Done():
			}
		})
	}()
	until := func(want string) {
		t.Helper()
		for saved := range told {
			for _, name := range saved {
				if !slices.Contains([]string{"agent.py", "gone.py", "new.py", "mine.yaml"}, filepath.Base(name)) {
					t.Errorf("%s was told of", name)
				}
			}
			if strings.HasSuffix(saved[0], want) {
				return
			}
		}
	}
	for _, other := range []string{".git/index", "node_modules/a/b.js", "pkg/__pycache__/a.pyc", ".env", "out.xml", "agent.py~"} {
		write(other, "x")
	}
	write("large.bin", strings.Repeat("x", 1<<20+1))
	write("agent.py", "one") // as it was
	write("agent.py", "two")
	until("agent.py")
	write("deep/below/new.py", "x")
	until("new.py")
	write("deep/below/new.py", "y") // in a folder that was not there
	until("new.py")
	if err := os.Remove(filepath.Join(dir, "gone.py")); err != nil {
		t.Fatal(err)
	}
	until("gone.py")
	write(profile, "profile: mine\nservices: {slack: {}}\n")
	until("mine.yaml")
	stop()
	<-ended
}
