package profiles_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/profiles"
)

func TestLibraryLints(t *testing.T) {
	t.Parallel()
	names := profiles.Library()
	services := catalogue(t).Names() // the profile of a service's name says what is known of it, and no more
	if len(names) < 9 {
		t.Fatalf("only %v", names)
	}
	for _, name := range names {
		p, err := profiles.Load(name, options(t, t.TempDir()))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Name != name || p.Summary == "" || len(p.Warnings) > 0 {
			t.Errorf("%s is named %q, says %q, warns %v", name, p.Name, p.Summary, p.Warnings)
		}
		for _, r := range p.Rules {
			if r.Because == "" {
				t.Errorf("%s: rule %s has no because", name, r.Name)
			}
		}
		if name != "baseline" && !slices.Contains(services, name) && len(p.Rules) == 0 && p.Start.Empty() {
			t.Errorf("%s has neither rules nor fixtures", name)
		}
		if len(p.Differences) == 0 {
			t.Errorf("%s has no known differences", name)
		}
	}
}

// What is kept of a profile is the profile: the same revision, the same rules.
func TestResolvedContentReadsBack(t *testing.T) {
	t.Parallel()
	for _, name := range profiles.Library() {
		p, err := profiles.Load(name, options(t, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		again, err := profiles.Parse("kept.yaml", p.Content, options(t, t.TempDir()))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, p.Content)
			continue
		}
		hashes := func(p *profiles.Profile) (all []string) {
			for _, r := range p.Rules {
				all = append(all, fmt.Sprint(r.Name, r.Hash, r.Required))
			}
			return all
		}
		if diff := cmp.Diff(hashes(p), hashes(again)); diff != "" || p.Revision != again.Revision {
			t.Errorf("%s: revision %s and %s, rules:\n%s", name, p.Revision, again.Revision, diff)
		}
	}
}

// Every example of the reference is a profile that lints.
func TestReadmeExamplesLint(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for part := range strings.SplitSeq(string(text), "```yaml\n") {
		example, _, ok := strings.Cut(part, "```")
		if !ok || !strings.HasPrefix(example, "profile: ") {
			continue
		}
		found++
		p, err := profiles.Parse("README.md", []byte(example), options(t, t.TempDir()))
		if err != nil || len(p.Warnings) > 0 {
			t.Errorf("%v %v\n%s", err, p, example)
		}
	}
	if found < 2 {
		t.Errorf("%d examples found", found)
	}
}

func TestSchemaIsCommitted(t *testing.T) {
	t.Parallel()
	want, err := profiles.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("profile.schema.json", want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("profile.schema.json")
	if err != nil || string(got) != string(want) {
		t.Errorf("profile.schema.json is not what Schema gives; run go generate ./profiles (%v)", err)
	}
}

// A line that is dropped, doubled or mistyped gives a clean load, or problems
// that name the file and a line of it.
func TestMutatedLibrary(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("library/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
			o := options(t, t.TempDir())
			for i, line := range lines {
				for _, put := range [][]string{nil, {line, line}, {mistyped(line)}, {line + " 1"}, {"  " + line}, {strings.TrimSpace(line)}} {
					mutant := strings.Join(append(append(append([]string{}, lines[:i]...), put...), lines[i+1:]...), "\n")
					checkMutant(t, mutant, i+1, o)
				}
			}
		})
	}
}

func mistyped(line string) string {
	for i, r := range line {
		if r >= 'a' && r <= 'y' && i > 0 {
			return line[:i] + string(r+1) + line[i+1:]
		}
	}
	return line + "x"
}

func checkMutant(t *testing.T, mutant string, line int, o profiles.Options) {
	t.Helper()
	_, err := profiles.Parse("mutant.yaml", []byte(mutant), o)
	if err == nil {
		return
	}
	var problems profiles.Problems
	if !errors.As(err, &problems) || len(problems) == 0 {
		t.Errorf("line %d: %v is no list of problems", line, err)
		return
	}
	for _, p := range problems {
		if p.Line < 1 || p.Line > strings.Count(mutant, "\n")+1 || p.Column < 1 || p.Message == "" {
			t.Errorf("line %d: a problem without its place: %+v", line, p)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("library/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("profile: x\nservices: {stripe: {}}\nfaults: {a: {call: \"*\", inject: latency, with: {fixed: 1s}}}\n")
	o := options(f, f.TempDir())
	f.Fuzz(func(t *testing.T, text string) {
		p, err := profiles.Parse("fuzzed.yaml", []byte(text), o)
		if err != nil {
			return
		}
		again, err := profiles.Parse("again.yaml", p.Content, o)
		if err != nil || again.Revision != p.Revision {
			t.Errorf("what is kept reads as %v: %v\n%s", again, err, p.Content)
		}
	})
}
