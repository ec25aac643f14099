//go:build unix

package profiles_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"parity/profiles"
)

func TestWhatIsNoProfileFileIsSaidToBe(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	writeAll(t, outside, map[string]string{"secret.yaml": "profile: secret\nservices: {stripe: {}}\n"})
	writeAll(t, dir, map[string]string{
		"large.yaml":   "profile: large\n" + strings.Repeat("# filler\n", 1<<17),
		"deep.yaml":    "profile: deep\nservices: " + strings.Repeat("{a: ", 50_000) + strings.Repeat("}", 50_000) + "\n",
		"lured.yaml":   "profile: lured\nextends: [link.yaml]\n",
		"beside.yaml":  "profile: beside\nservices: {stripe: {}}\n",
		"folder/x":     "",
		"blocked.yaml": "profile: blocked\nextends: [pipe.yaml]\n",
	})
	pipe, link := filepath.Join(dir, "pipe.yaml"), filepath.Join(dir, "link.yaml")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink(filepath.Join(outside, "secret.yaml"), link)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"nowhere.yaml":    "nowhere.yaml: there is no such file",
		"gone/with.yaml":  "gone/with.yaml: there is no such file; nor is there its folder",
		"./folder":        "folder: cannot be read: this is a folder; name a file in it",
		"pipe.yaml":       "pipe.yaml: cannot be read: this is not a regular file",
		"blocked.yaml":    "blocked.yaml:2:11: extends \"pipe.yaml\": cannot be read: this is not a regular file",
		"lured.yaml":      "lured.yaml:2:11: extends \"link.yaml\": cannot be read: path escapes from parent",
		"large.yaml":      "large.yaml:1:1: this file has more than 1048576 bytes",
		"deep.yaml":       "deep.yaml:2:139: this is not YAML: nested more than 32 deep",
		"beside":          "did you mean ./beside.yaml",
		"baselin":         "there is no profile \"baselin\" in the library; did you mean baseline",
		"../../etc/x.yml": "there is no such file",
	} {
		_, err := profiles.Load(name, options(t, dir))
		var problems profiles.Problems
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", name, err, want)
		}
	}
	// The named file is the user's own choice, wherever it leads.
	if _, err := profiles.Load("link.yaml", options(t, dir)); err != nil {
		t.Error(err)
	}
}

func TestAProfileElsewhereExtendsWithinItsFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		"a/top.yaml": "profile: top\nextends: [below/base.yaml]\n", "a/below/base.yaml": "profile: base\nservices: {stripe: {}}\n",
		"a/out.yaml": "profile: out\nextends: [../b.yaml]\n", "b.yaml": "profile: b\nservices: {stripe: {}}\n",
	})
	elsewhere := options(t, t.TempDir())
	if _, err := profiles.Load(filepath.Join(dir, "a/top.yaml"), elsewhere); err != nil {
		t.Error(err)
	}
	if _, err := profiles.Load(filepath.Join(dir, "a/out.yaml"), elsewhere); err == nil || !strings.Contains(err.Error(), "cannot leave") {
		t.Error(err)
	}
}

func TestManyRulesAndManyProblemsAreBounded(t *testing.T) {
	t.Parallel()
	var rules strings.Builder
	rules.WriteString("profile: many\nservices: {stripe: {}}\nfaults:\n")
	for i := range 10_001 {
		rules.WriteString("  r" + strconv.Itoa(i) + ": {call: stripe GET *, inject: timeout}\n")
	}
	_, err := profiles.Parse("many.yaml", []byte(rules.String()), options(t, t.TempDir()))
	if err == nil || !strings.Contains(err.Error(), "there are 10001 rules, and at most 10000") {
		t.Error(err)
	}
	_, err = profiles.Parse("bad.yaml", []byte("profile: bad\n"+strings.Repeat("nonsense: 1\n", 5000)), options(t, t.TempDir()))
	var problems profiles.Problems
	if !errors.As(err, &problems) || len(problems) > 201 || !strings.Contains(problems[len(problems)-1].Message, "problems more") {
		t.Errorf("%d problems", len(problems))
	}
}
