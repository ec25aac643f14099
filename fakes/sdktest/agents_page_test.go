package sdktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const agentsPage = "AGENTS.md"

var (
	agentResults = filepath.Join(agentsDir, "results.json")
	agentErrors  = filepath.Join(agentsDir, "known.txt")
)

// agentModes are the ways to run agents, as the page names them.
var agentModes = []string{"without twins", "with twins"}

func modeOf(twin bool) string {
	if twin {
		return agentModes[1]
	}
	return agentModes[0]
}

// results are the last opinion on each agent, by mode and the agent's id.
type results map[string]map[string]opinion

func readResults(t *testing.T) results {
	t.Helper()
	kept := results{}
	text, err := os.ReadFile(agentResults)
	switch {
	case errors.Is(err, fs.ErrNotExist): // nothing was kept yet
	case err != nil:
		t.Fatal(err)
	default:
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatalf("%s: %v", agentResults, err)
		}
	}
	for _, mode := range agentModes {
		if kept[mode] == nil {
			kept[mode] = map[string]opinion{}
		}
	}
	return kept
}

// keep writes the three files, without agents that are gone.
func keep(t *testing.T, kept results) {
	t.Helper()
	all := knownAgents(t)
	for _, said := range kept {
		maps.DeleteFunc(said, func(id string, _ opinion) bool {
			return !slices.ContainsFunc(all, func(a knownAgent) bool { return a.id() == id })
		})
	}
	for name, text := range map[string]string{agentResults: kept.text(t), agentErrors: kept.errors(all), agentsPage: kept.page(all)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// text is the JSON, an agent a line.
func (r results) text(t *testing.T) string {
	t.Helper()
	var modes []string
	for _, mode := range agentModes {
		var lines []string
		for _, id := range slices.Sorted(maps.Keys(r[mode])) {
			text, err := json.Marshal(r[mode][id])
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, fmt.Sprintf("    %q: %s", id, text))
		}
		modes = append(modes, fmt.Sprintf("  %q: {\n%s\n  }", mode, strings.Join(lines, ",\n")))
	}
	return "{\n" + strings.Join(modes, ",\n") + "\n}\n"
}

// knownError is a line of known.txt.
type knownError struct{ id, said, mode string }

// errors is known.txt.
func (r results) errors(all []knownAgent) string {
	var b strings.Builder
	b.WriteString("# Careful agents that are blamed, and careless ones that are cleared: go test -run TestAgents -update writes this.\n")
	for _, mode := range agentModes {
		for _, a := range all {
			if o, ok := r[mode][a.id()]; ok && a.misjudged(o) {
				fmt.Fprintf(&b, "%s %s %s\n", a.id(), o.Said, mode)
			}
		}
	}
	return b.String()
}

func readKnown(t *testing.T) map[knownError]bool {
	t.Helper()
	known := map[knownError]bool{}
	text, err := os.ReadFile(agentErrors)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(fields) != 3 {
			t.Fatalf("%s: %q is no agent, what is said of it, and how it ran", agentErrors, line)
		}
		known[knownError{fields[0], fields[1], fields[2]}] = true
	}
	return known
}

// page is AGENTS.md.
func (r results) page(all []knownAgent) string {
	var b strings.Builder
	b.WriteString("# What is said of agents with known behaviour\n\n" +
		"Written by `make agents` from [what was said](agents/results.json) of each; [the README](README.md#agents-with-known-behaviour) says what the agents are and how to read this.\n")
	about := map[string]string{
		"tuned":   "These were looked at while the rules of judging were made.",
		"counted": "These were counted before anybody had looked at one of them (the figures are in [RATES.md](../../gateway/verdict/RATES.md#agents-that-others-wrote)). What that count got wrong was looked at afterwards, and mended: the tables here are made by what judges today, and so are no measure of agents that nobody has seen.",
	}
	for _, set := range agentSets {
		of := slices.DeleteFunc(slices.Clone(all), func(a knownAgent) bool { return a.set != set })
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", set, about[set])
		for _, mode := range agentModes {
			b.WriteString(r.table(of, mode))
		}
		b.WriteString(r.list(of, "Misses: careless, and cleared", func(a knownAgent, o opinion) bool { return !a.careful() && o.Said == "cleared" }))
		b.WriteString(r.list(of, "Alarms: careful, and blamed", func(a knownAgent, o opinion) bool { return a.careful() && o.Said == "blamed" }))
		b.WriteString(r.list(of, "Open", func(_ knownAgent, o opinion) bool { return o.Said == "open" }))
	}
	return b.String()
}

// table counts what is said of the agents of a set.
func (r results) table(of []knownAgent, mode string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | cleared | open | blamed | of | not as expected, but defensible |\n| --- | --- | --- | --- | --- | --- |\n", mode)
	ran := 0
	for _, character := range []string{"careful", "careless"} {
		counts, defensible, total := map[string]int{}, 0, 0
		for _, a := range of {
			o, ok := r[mode][a.id()]
			if !ok || a.character() != character {
				continue
			}
			total++
			counts[o.Said]++
			if a.defensible(o) {
				defensible++
			}
		}
		ran += total
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", character, counts["cleared"], counts["open"], counts["blamed"], total, defensible)
	}
	if ran < len(of) {
		fmt.Fprintf(&b, "\n%d of the %d agents were run.\n", ran, len(of))
	}
	return b.String()
}

// list names the agents of a set of whom something is said, in either mode.
func (r results) list(of []knownAgent, title string, which func(knownAgent, opinion) bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n", title)
	none := true
	for _, a := range of {
		var said []string
		for _, mode := range agentModes {
			o, ok := r[mode][a.id()]
			if !ok || !which(a, o) {
				continue
			}
			how := mode + " " + strings.TrimPrefix(o.String(), o.Said+": ")
			if a.defensible(o) {
				how += " (defensible)"
			}
			said = append(said, how)
		}
		if len(said) > 0 {
			none = false
			fmt.Fprintf(&b, "- [%s](%s/%s.txtar), %s: %s. %s\n", a.name, agentsDir, a.id(), a.character(), strings.Join(said, ", "), a.expect.Why)
		}
	}
	if none {
		b.WriteString("None.\n")
	}
	return b.String()
}

// The page and the list of errors are those of what was kept.
func TestAgentsPage(t *testing.T) {
	t.Parallel()
	if *updateAgents {
		t.Skip("they are being written")
	}
	all, kept := knownAgents(t), readResults(t)
	for name, want := range map[string]string{agentErrors: kept.errors(all), agentsPage: kept.page(all)} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != want {
			t.Errorf("%s is not what %s gives: go test -run TestAgents -update writes it", name, agentResults)
		}
	}
}
