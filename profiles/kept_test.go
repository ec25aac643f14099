package profiles_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"parity/profiles"
)

// Two profiles of one name in two folders, and one of the library, are kept
// apart.
func TestProfilesOfOneNameAreKeptApart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, o := filepath.Join(dir, "last-good"), options(t, dir)
	names := []string{"a/errors.yaml", "b/errors.yaml", "errors"}
	writeAll(t, dir, map[string]string{names[0]: string(text("One.")), names[1]: string(text("Two."))})
	for _, name := range names {
		p, err := profiles.Load(name, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second save replaces the first
			if err := profiles.Keep(folder, name, p, o); err != nil {
				t.Fatal(err)
			}
		}
	}
	if files, err := filepath.Glob(filepath.Join(folder, "*.yaml")); err != nil || len(files) != len(names) {
		t.Errorf("kept as %v, %v", files, err)
	}
	for _, name := range names {
		want, err := profiles.Load(name, o)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := profiles.LastGood(folder, name, o)
		if err != nil || !kept.Kept || kept.Path != name || kept.Revision != want.Revision || kept.Summary != want.Summary {
			t.Errorf("%s: %+v, %v", name, kept, err)
		}
	}
}

func TestWhatIsKeptMayBeLostOrSpoilt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, o := filepath.Join(dir, "last-good"), options(t, dir)
	p := parse(t, string(text("Good.")))
	if err := profiles.Keep(folder, "baseline", p, o); err != nil {
		t.Fatal(err)
	}
	if _, err := profiles.LastGood(folder, "errors", o); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another one: %v", err)
	}
	save(t, filepath.Join(folder, "baseline.yaml"), []byte("profile: [\n"))
	var problems profiles.Problems
	if _, err := profiles.LastGood(folder, "baseline", o); !errors.As(err, &problems) || !problems.Fatal() {
		t.Errorf("a spoilt one: %v", err)
	}
	file := filepath.Join(dir, "file")
	save(t, file, nil)
	if err := profiles.Keep(file, "baseline", p, o); err == nil {
		t.Error("kept in a folder that is a file")
	}
}

// Texts that YAML would read as something else once they are written down
// again: what is kept must not differ from what was read.
func TestAwkwardValuesReadBack(t *testing.T) {
	t.Parallel()
	const head = "profile: p\nservices: {stripe: {}}\n"
	contents := []string{
		head + "clock: {speed: 60}\n", head + "clock: {speed: 60.0}\n", head + "clock: {speed: 0.5}\n",
		head + "seed: 0\n", head + "seed: 1_000\n", head + "seed: 18446744073709551615\n",
		head + "faults: {r: {call: stripe GET *, inject: error, with: {status: 5_03}}}\n",
		"\ufeff" + head, "profile: p\r\nservices: {stripe: {}}\r\nsummary: a\r\n",
	}
	for _, s := range []string{
		"<<", "=", "~", "null", "yes", "True", "OFF", "n", "0o7", "0x1F", "1_000", "1:30", ".5", "1e3", "+1", ".inf", "2026-03-02",
		"-", "- a", "?", ": a", "a: b", "#", "a #b", "*", "&a", "!x", "%", "@", "`", "[", "{}", "'", `"`, "|", ">", "---", "...",
		"a\nb", "a\n", "\na", " a", "a ", "a\tb", "\ta", "a\r\nb", "a\n\n\nb", "a \n b", "\u0085x", "\u2028x", "x\ufeffy", "a\u0007b", "é", "\U0010ffff",
	} {
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		contents = append(contents, fmt.Sprintf("%ssummary: %s\nfaults: {r: {call: stripe GET *, inject: error, with: {message: %s}}}\n", head, quoted, quoted))
	}
	o := options(t, t.TempDir())
	for _, content := range contents {
		p, err := profiles.Parse("read.yaml", []byte(content), o)
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		again, err := profiles.Parse("kept.yaml", p.Content, o)
		if err != nil {
			t.Errorf("%q is kept as something else: %v\n%s", content, err, p.Content)
			continue
		}
		if again.Revision != p.Revision || again.Summary != p.Summary || !bytes.Equal(again.Content, p.Content) || hashes(again) != hashes(p) {
			t.Errorf("%q is kept as\n%s\nwhich reads as\n%s", content, p.Content, again.Content)
		}
	}
}
