package profiles_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/chance"
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
		if name != "baseline" && !slices.Contains(services, name) && len(p.Rules) == 0 && p.Start.Empty() && p.Isolation == nil {
			t.Errorf("%s has neither rules nor fixtures, nor contains anything", name)
		}
		if len(p.Differences) == 0 {
			t.Errorf("%s has no known differences", name)
		}
	}
}

// A lost mail was explained by an incident of payments: what a rule for several
// services says why it is real has to hold for each.
func TestWhyARuleOfSeveralServicesIsRealNamesNone(t *testing.T) {
	t.Parallel()
	trade := regexp.MustCompile(`(?i)stripe|slack|github|zendesk|hubspot|sendgrid|notion|google|\b(charges?|payments?|refunds?|mails?|messages?|tickets?|meetings?)\b`)
	for _, name := range profiles.Library() {
		p, err := profiles.Load(name, options(t, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rules {
			services := map[string]bool{}
			for _, c := range r.Calls {
				service, _, _ := strings.Cut(c.String(), " ")
				services[service] = true
			}
			if found := trade.FindString(r.Because); (len(services) > 1 || services["*"]) && found != "" {
				t.Errorf("%s: rule %s is for %d services, and its because speaks of %q", name, r.Name, len(services), found)
			}
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

// mutantsVariable, set to "all", tries every mutant of every line: without it so
// many are made as take a few seconds, and each line has one at least.
const (
	mutantsVariable = "PARITY_MUTANTS"
	mostMutants     = 2500
)

// mutations are what can become of a line.
func mutations() []mutation {
	return []mutation{
		{"dropped", func(string) []string { return nil }},
		{"doubled", func(line string) []string { return []string{line, line} }},
		{"mistyped", func(line string) []string { return []string{mistyped(line)} }},
		{"retyped", func(line string) []string { return []string{retyped(line)} }},
		{"with a word more", func(line string) []string { return []string{line + " 1"} }},
		{"too far in", func(line string) []string { return []string{"  " + line} }},
		{"too far out", func(line string) []string { return []string{strings.TrimSpace(line)} }},
	}
}

type mutation struct {
	name string
	do   func(line string) []string
}

// A line that is dropped, doubled, mistyped or retyped gives a clean load, or
// problems one of which names that line, or what has lost it.
func TestMutatedLibrary(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("library/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	texts, total := map[string][]string{}, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		total += len(texts[file])
	}
	all := mutations()
	each := min(len(all), max(1, mostMutants/total)) // mutants of a line
	if os.Getenv(mutantsVariable) == "all" {
		each = len(all)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			o := options(t, t.TempDir())
			for i := range texts[file] {
				first := int(chance.Draw(0, file, strconv.Itoa(i)) * float64(len(all)))
				for n := range each {
					checkMutant(t, texts[file], i, all[(first+n)%len(all)], o)
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

// retyped puts a value of another kind in the place of the line's.
func retyped(line string) string {
	key, value, ok := strings.Cut(line, ": ")
	switch {
	case !ok:
		return line + " {a: [b]}"
	case strings.HasPrefix(value, "{"), strings.HasPrefix(value, "["):
		return key + ": 7"
	case value == "true" || value == "false", value[0] >= '0' && value[0] <= '9':
		return key + ": {a: b}"
	}
	return key + ": [[7]]"
}

// checkMutant makes line i of a profile, from 0, what the mutation makes of it.
func checkMutant(t *testing.T, lines []string, i int, m mutation, o profiles.Options) {
	t.Helper()
	put := m.do(lines[i])
	mutant := slices.Concat(lines[:i], put, lines[i+1:])
	_, err := profiles.Parse("mutant.yaml", []byte(strings.Join(mutant, "\n")), o)
	if err == nil {
		return
	}
	what := fmt.Sprintf("line %d (%s) %s", i+1, lines[i], m.name)
	var problems profiles.Problems
	if !errors.As(err, &problems) || len(problems) == 0 {
		t.Errorf("%s: %v is no list of problems", what, err)
		return
	}
	for _, p := range problems {
		if p.Line < 1 || p.Line > len(mutant) || p.Column < 1 || p.Message == "" {
			t.Errorf("%s: a problem without its place: %+v", what, p)
		}
	}
	if !slices.ContainsFunc(problems, func(p profiles.Problem) bool { return names(mutant, p, lines[i], i+1, len(put)) }) {
		t.Errorf("%s: no problem names it:\n%v", what, err)
	}
}

// names tells whether a problem stands at the lines that a mutation has made, or
// at one beside them, or names one of these; or stands at one that the line was
// inside of.
func names(mutant []string, p profiles.Problem, was string, from, lines int) bool {
	for n := from - 1; n <= from+max(lines, 1); n++ {
		if p.Line == n || strings.Contains(p.Hint, fmt.Sprintf("line %d", n)) {
			return true
		}
	}
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
	deep := indent(was)
	for n := min(from-1, len(mutant)); n >= 1; n-- {
		if line := mutant[n-1]; strings.TrimSpace(line) != "" && indent(line) < deep {
			if deep = indent(line); p.Line == n {
				return true
			}
		}
	}
	return deep == 0 && p.Line <= 2 // the document
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
