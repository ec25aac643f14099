package sdktest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

var (
	whichAgents  = flag.String("agents", "", "the agents of known behaviour to run: all, or one by its NAME or SET/NAME (default a sample)")
	withTwin     = flag.Bool("twin", false, "run agents of known behaviour with --twin")
	updateAgents = flag.Bool("update", false, "keep what is said of the agents that are run: agents/results.json, agents/known.txt, AGENTS.md")
)

const (
	agentsDir = "agents"
	// sampled is how many agents a run without -agents has.
	sampled = 60
	// atOnce is how many run side by side: their waits and deadlines are of
	// seconds, and a machine that is too busy changes what they do.
	atOnce = 3
	// agentLimit ends an agent; most take 6 s, twice that with a twin.
	agentLimit = 2 * time.Minute
)

// agentSets are the folders of agents/.
var agentSets = []string{"tuned", "counted"}

// A knownAgent is one of whom it was written down, before it was first run,
// what it does about a fault and whether that is right.
type knownAgent struct {
	set, name string
	comment   string
	files     []txtar.File
	expect    expectation
}

// expectation is an agent's expect.json.
type expectation struct {
	Fault      string   `json:"fault"`      // of the catalogue, or none
	Rule       *string  `json:"rule"`       // of its profile; null where nothing goes wrong
	Reaction   string   `json:"reaction"`   // what is to be said of the rule
	Careful    bool     `json:"careful"`    // what it does about the fault is right
	AlsoOK     []string `json:"also_ok"`    // reactions that may be said as well
	Violations []string `json:"violations"` // what it does wrong whatever the fault
	Why        string   `json:"why"`
}

func (a knownAgent) id() string    { return a.set + "/" + a.name }
func (a knownAgent) careful() bool { return a.expect.Careful && len(a.expect.Violations) == 0 }

// character is the word of its comment and of the page.
func (a knownAgent) character() string {
	if a.careful() {
		return "careful"
	}
	return "careless"
}

// interpreters run an agent's program, by its name.
func interpreters() map[string]string {
	return map[string]string{"agent.py": "python3", "agent.mjs": "node", "agent.sh": "bash"}
}

// program is the name of the agent's program, and what runs it.
func (a knownAgent) program() (file, interpreter string) {
	for _, f := range a.files {
		if runs := interpreters()[f.Name]; runs != "" {
			return f.Name, runs
		}
	}
	return "", ""
}

// file is the text of one of the agent's files, nil where it has none of that name.
func (a knownAgent) file(name string) []byte {
	for _, f := range a.files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// knownAgents reads all of them, by set and name.
func knownAgents(t *testing.T) []knownAgent {
	t.Helper()
	var list []knownAgent
	for _, set := range agentSets {
		paths, err := filepath.Glob(filepath.Join(agentsDir, set, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a := knownAgent{set: set, name: strings.TrimSuffix(filepath.Base(path), ".txtar"), comment: string(archive.Comment), files: archive.Files}
			decoder := json.NewDecoder(bytes.NewReader(a.file("expect.json")))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&a.expect); err != nil {
				t.Fatalf("%s: expect.json: %v", path, err)
			}
			list = append(list, a)
		}
	}
	return list
}

// chosen are the agents that the flags ask for.
func chosen(t *testing.T, all []knownAgent) []knownAgent {
	t.Helper()
	switch *whichAgents {
	case "":
		return sampleOf(all, sampled)
	case "all":
		return all
	}
	list := slices.DeleteFunc(slices.Clone(all), func(a knownAgent) bool {
		return a.name != *whichAgents && a.id() != *whichAgents
	})
	if len(list) == 0 {
		t.Fatalf("there is no agent %s in %s", *whichAgents, agentsDir)
	}
	return list
}

// Each of the agents is careful or careless, and that was written down before
// it was first run: an agent that is careful is not blamed, and one that is
// careless not cleared, but for those that agents/known.txt lists. It shares
// the machine with no other test.
func TestAgents(t *testing.T) {
	list, known, mode := chosen(t, knownAgents(t)), readKnown(t), modeOf(*withTwin)
	said, slots := make([]*opinion, len(list)), make(chan struct{}, atOnce)
	t.Run("agents", func(t *testing.T) {
		for i, a := range list {
			t.Run(a.id(), func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				r := a.run(t)
				o := a.judged(r)
				said[i] = &o
				t.Logf("%s, and %s", a.character(), o)
				if !*updateAgents && a.misjudged(o) && !known[knownError{a.id(), o.Said, mode}] {
					t.Errorf("it is %s, and %s, which known.txt does not list\n%s\n%s", a.character(), o, a.expect.Why, r)
				}
			})
		}
	})
	counted := map[string]int{}
	kept := readResults(t)
	for i, a := range list {
		if said[i] != nil {
			counted[a.character()+" "+said[i].Said]++
			kept[mode][a.id()] = *said[i]
		}
	}
	t.Logf("%s: %v", mode, counted)
	if *updateAgents {
		keep(t, kept)
	}
}

// run has the agent rehearsed, and reads the report.
func (a knownAgent) run(t *testing.T) agentReport {
	t.Helper()
	file, interpreter := a.program()
	needs := []string{interpreter}
	if bytes.Contains(a.file(file), []byte("python3")) {
		needs = append(needs, "python3") // shell agents read JSON with it
	}
	for _, program := range needs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	g := &gateway{root: t.TempDir()}
	work := a.unpack(t, g.root)
	args := []string{parity, "run", "--profile", "profile.yaml", "--report", "report.json"}
	if *withTwin {
		args = append(args, "--twin")
	}
	c := within(t, agentLimit, g.at(), append(args, "--", interpreter, file)...)
	c.Dir = work
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run() // the agent's own exit code, or a verdict's: the report has both
	text, err := os.ReadFile(filepath.Join(work, "report.json"))
	if err != nil {
		t.Fatalf("there is no report: %v\n%s", err, out.String())
	}
	var r agentReport
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return r
}

// unpack puts the agent's files in a folder whose packages are this module's.
func (a knownAgent) unpack(t *testing.T, root string) string {
	t.Helper()
	packages, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(packages, "stripe")); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	work := filepath.Join(root, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range a.files {
		if err := os.WriteFile(filepath.Join(work, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(packages, filepath.Join(work, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return work
}

// agentReport is what is read of an agent's report.
type agentReport struct {
	Verdicts []agentVerdict
}

type agentVerdict struct {
	Subject, Kind, Result, Reaction, Why string
	Lines                                []string
}

func (r agentReport) String() string {
	var b strings.Builder
	for _, v := range r.Verdicts {
		if v.Result != "passed" && v.Result != "not exercised" || v.Kind != "always" {
			fmt.Fprintf(&b, "%s: %s %s %s\n", v.Subject, v.Result, v.Reaction, v.Why)
			for _, line := range v.Lines {
				fmt.Fprintf(&b, "\t%s\n", line)
			}
		}
	}
	return b.String()
}
