package profiles_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parity/profiles"
)

const lost = "call: [stripe POST /v1/refunds]\nwhen: result.amount > 10_000 and (request.body?.reason ?? 0) != \"a, {b}\"\ninject: ambiguous-success\nwith:\n  reply: reset\n"

// A rule that was armed is put into whatever profile there is: its lines stay
// as they are, and the rule is the first.
func TestSaveRule(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"none":        "",
		"no rules":    "profile: rough # mine\nservices:\n  # the processor\n  stripe: {}\n",
		"no end":      "profile: rough\nservices: {stripe: {}}",
		"rules":       "profile: rough\nservices: {stripe: {}}\nfaults:\n    # slow, as every Monday\n    slow: # here\n        call: '*'\n        inject: latency\n        with: {fixed: 1s}\nseed: 7\n",
		"in flow":     "profile: rough\nservices: {stripe: {}}\nfaults: {slow: {call: \"*\", inject: latency, with: {fixed: 1s}}} # all\n",
		"empty":       "profile: rough\nservices: {stripe: {}}\nfaults: {} # none yet\nseed: 7\n",
		"other's":     "profile: rough\nservices: {hubspot: {}}\nfaults:\n  slow: {call: \"*\", inject: latency, with: {fixed: 1s}}\n",
		"inherited":   "profile: rough\nextends: [baseline]\n# the rest is baseline's\n",
		"Windows":     "profile: rough\r\nservices: {stripe: {}}\r\nfaults:\r\n  slow: {call: \"*\", inject: latency, with: {fixed: 1s}}\r\n",
		"a long flow": "profile: rough\nservices:\n  {\n    stripe: {},\n  }\nfaults:\n  {\n    slow: {call: \"*\", inject: latency, with: {fixed: 1s}}\n  }\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "rough.yaml")
			if content != "" {
				save(t, file, []byte(content))
			}
			p, err := profiles.SaveRule(file, "injected-1", lost, options(t, dir))
			text, rerr := os.ReadFile(file)
			if err != nil || rerr != nil || len(p.Warnings) > 0 {
				t.Fatalf("%v %v %+v\n%s", err, rerr, p, text)
			}
			again, err := profiles.Load(file, options(t, dir))
			if err != nil || again.Revision != p.Revision || again.Rules[0].Name != "injected-1" || again.Rules[0].When.String() == "" {
				t.Errorf("%v %+v\n%s", err, again, text)
			}
			for line := range strings.Lines(content) {
				for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == '{' || r == '}' || r == '\n' || r == '\r' }) {
					if !strings.Contains(string(text), strings.TrimSpace(part)) {
						t.Errorf("%q is gone:\n%s", part, text)
					}
				}
			}
			if strings.Count(string(text), "\r\n") > 0 != strings.Contains(content, "\r\n") || name == "Windows" && strings.Count(string(text), "\n") != strings.Count(string(text), "\r\n") {
				t.Errorf("ends of lines are mixed: %q", text)
			}
			if files, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(files) > 0 {
				t.Errorf("left behind: %v %v", files, err)
			}
		})
	}
}

func TestSaveRuleAboutWhateverThereIs(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "Any_thing.yaml")
	p, err := profiles.SaveRule(file, "slow", "call: [\"*\"]\ninject: latency\nwith: {fixed: 1s}\n", options(t, t.TempDir()))
	if err != nil || p.Name != "any-thing" || len(p.Services) < 2 || len(p.Warnings) > 0 {
		t.Errorf("%v %+v", err, p)
	}
}

func TestSaveRuleThatDoesNotFitChangesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, want string }{
		"taken":     {"profile: rough\nservices: {stripe: {}}\nfaults:\n  injected-1: {call: \"*\", inject: timeout}\n", "rough.yaml:4:3: there is a injected-1 in it already"},
		"broken":    {"profile: rough\nservices: {stripes: {}}\n", "matches no"},
		"no YAML":   {"profile: [\n", "mend them first"},
		"one line":  {"{profile: rough, services: {stripe: {}}}\n", "write it yourself"},
		"not a map": {"profile: rough\nfaults: 3\n", "mend them first"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "rough.yaml")
			save(t, file, []byte(c.content))
			_, err := profiles.SaveRule(file, "injected-1", lost, options(t, dir))
			if text, rerr := os.ReadFile(file); err == nil || rerr != nil || string(text) != c.content {
				t.Errorf("%v, and it is %q now", err, text)
			}
			if err != nil && name != "broken" && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
	if _, err := profiles.SaveRule(filepath.Join(t.TempDir(), "no", "rough.yaml"), "a", lost, options(t, t.TempDir())); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// A link stays a link, and the mode of a file its mode.
func TestSaveRuleWritesThroughALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.yaml"), filepath.Join(dir, "link.yaml")
	save(t, real, []byte("profile: rough\nservices: {stripe: {}}\n"))
	if err := errors.Join(os.Chmod(real, 0o640), os.Symlink("real.yaml", link)); err != nil {
		t.Fatal(err)
	}
	if _, err := profiles.SaveRule(link, "injected-1", lost, options(t, dir)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	of, err2 := os.Stat(real)
	p, err3 := profiles.Load(real, options(t, dir))
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	if info.Mode()&fs.ModeSymlink == 0 || of.Mode().Perm() != 0o640 || !slices.Contains([]string{"injected-1"}, p.Rules[0].Name) {
		t.Errorf("%v %v %+v", info.Mode(), of.Mode(), p)
	}
}
