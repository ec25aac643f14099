package profiles_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"parity/profiles"
)

// A profile of the folder that runs may ask for was replaced by a link that led
// out of it: what that led to was read, and quoted in what was said of it.
func TestALinkLeadsNoProfileOutOfItsFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	in := func(name string) string { return at(filepath.Join("profiles", name)) }
	text := []byte("profile: p\nservices: {stripe: {}}\n")
	err := errors.Join(os.MkdirAll(in("..2026"), 0o700), os.WriteFile(in(filepath.Join("..2026", "mounted.yaml")), text, 0o600), os.WriteFile(at("out.yaml"), text, 0o600))
	// As a mounted config map has it.
	err = errors.Join(err, os.Symlink("..2026", in("..data")), os.Symlink(filepath.Join("..data", "mounted.yaml"), in("mounted.yaml")))
	err = errors.Join(err, os.Symlink(filepath.Join("..", "out.yaml"), in("out.yaml")), os.Symlink(at("out.yaml"), in("absolute.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	for name, good := range map[string]bool{"mounted.yaml": true, "out.yaml": false, "absolute.yaml": false} {
		for _, within := range []string{"profiles", at("profiles"), ""} {
			_, err := profiles.Load(in(name), profiles.Options{Catalogue: catalogue(t), Dir: dir, Within: within})
			if (err == nil) != (good || within == "") {
				t.Errorf("%s within %q: %v", name, within, err)
			}
		}
	}
}
