package sdktest

import (
	"cmp"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// opinion is what a report says of an agent.
type opinion struct {
	Said     string   `json:"said"`               // cleared, blamed, or open
	Reaction string   `json:"reaction,omitempty"` // what is said of its rule
	Failed   []string `json:"failed,omitempty"`   // what is always judged, and failed
	Open     []string `json:"open,omitempty"`     // the same, not evaluated
}

func (o opinion) String() string {
	var more []string
	if o.Reaction != "" {
		more = append(more, o.Reaction)
	}
	for _, f := range o.Failed {
		more = append(more, f+" failed")
	}
	for _, f := range o.Open {
		more = append(more, f+" not evaluated")
	}
	if len(more) == 0 {
		return o.Said
	}
	return o.Said + ": " + strings.Join(more, ", ")
}

// judged reads an opinion from a report. An agent is blamed where its rule's
// reaction is mishandled or something that is always judged failed; cleared
// where the reaction is handled or, without a rule, nothing is left open.
func (a knownAgent) judged(r agentReport) opinion {
	var o opinion
	if a.expect.Rule != nil {
		o.Reaction = "absent"
	}
	for _, v := range r.Verdicts {
		switch {
		case v.Kind == "always":
			subject := strings.TrimPrefix(v.Subject, "always: ")
			switch v.Result {
			case "failed":
				o.Failed = append(o.Failed, subject)
			case "not evaluated":
				o.Open = append(o.Open, subject)
			}
		case a.expect.Rule == nil && v.Reaction == "mishandled", a.expect.Rule != nil && v.Subject == *a.expect.Rule:
			o.Reaction = cmp.Or(v.Reaction, v.Result)
		}
	}
	switch {
	case o.Reaction == "mishandled" || len(o.Failed) > 0:
		o.Said = "blamed"
	case o.Reaction == "handled", a.expect.Rule == nil && len(o.Open) == 0:
		o.Said = "cleared"
	default:
		o.Said = "open"
	}
	return o
}

// asExpected says whether a careful agent is cleared, or a careless one blamed.
func (a knownAgent) asExpected(o opinion) bool {
	return a.careful() && o.Said == "cleared" || !a.careful() && o.Said == "blamed"
}

// defensible says whether what is said is not as expected, but is among the
// reactions that its writer named. Without a rule there is none to name, and
// nobody named an invariant that fails.
func (a knownAgent) defensible(o opinion) bool {
	if a.asExpected(o) || a.expect.Rule == nil || o.Said == "blamed" && o.Reaction != "mishandled" {
		return false
	}
	said := map[string]string{"cleared": "handled", "blamed": "mishandled", "open": "not evaluated"}[o.Said]
	return said == a.expect.Reaction || slices.Contains(a.expect.AlsoOK, said)
}

// misjudged says whether a careful agent is blamed or a careless one cleared,
// and nothing is to be said for it.
func (a knownAgent) misjudged(o opinion) bool {
	return !a.asExpected(o) && o.Said != "open" && !a.defensible(o)
}

// sampleOf picks n agents, the same ones each time: of each fault one, then of
// each another, from either set by turns, by the hashes of their names.
func sampleOf(all []knownAgent, n int) []knownAgent {
	ordered := slices.Clone(all)
	slices.SortFunc(ordered, func(a, b knownAgent) int {
		return cmp.Or(cmp.Compare(hashOf(a.name), hashOf(b.name)), cmp.Compare(a.id(), b.id()))
	})
	// by turns: the one set's are at 0, 2, 4, the other's at 1, 3, 5
	inTurn(ordered, func(a knownAgent) string { return a.expect.Fault + " " + a.set }, func(a knownAgent, nth int) int {
		if slices.Index(agentSets, a.set) == int(hashOf(a.expect.Fault)%2) {
			return 2 * nth
		}
		return 2*nth + 1
	})
	inTurn(ordered, func(a knownAgent) string { return a.expect.Fault }, func(_ knownAgent, nth int) int { return nth })
	return ordered[:min(n, len(ordered))]
}

// inTurn orders agents by the rank that each has for being the nth of its
// group, and otherwise leaves them as they were.
func inTurn(list []knownAgent, group func(knownAgent) string, rank func(a knownAgent, nth int) int) {
	ranks, seen := map[string]int{}, map[string]int{}
	for _, a := range list {
		ranks[a.id()] = rank(a, seen[group(a)])
		seen[group(a)]++
	}
	slices.SortStableFunc(list, func(a, b knownAgent) int { return cmp.Compare(ranks[a.id()], ranks[b.id()]) })
}

func hashOf(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // a hash takes all
	return h.Sum32()
}

// What a report says is read as the package's README has it.
func TestAgentIsJudged(t *testing.T) {
	t.Parallel()
	rule := "lost"
	with := func(reaction, twice string) agentReport {
		return agentReport{Verdicts: []agentVerdict{
			{Subject: "lost", Kind: "fault", Result: "…", Reaction: reaction},
			{Subject: "always: one effect per intent", Kind: "always", Result: twice},
		}}
	}
	for _, c := range []struct {
		name       string
		expect     expectation
		report     agentReport
		said       string
		defensible bool
		misjudged  bool
	}{
		{"careful and handled", expectation{Rule: &rule, Careful: true, Reaction: "handled"}, with("handled", "passed"), "cleared", false, false},
		{"careful and mishandled", expectation{Rule: &rule, Careful: true, Reaction: "handled"}, with("mishandled", "passed"), "blamed", false, true},
		{"careful, and it may be called mishandled", expectation{Rule: &rule, Careful: true, Reaction: "not evaluated", AlsoOK: []string{"mishandled"}}, with("mishandled", "passed"), "blamed", true, false},
		{"careful, and an invariant fails", expectation{Rule: &rule, Careful: true, Reaction: "handled", AlsoOK: []string{"mishandled"}}, with("handled", "failed"), "blamed", false, true},
		{"careful, and the rule is not there", expectation{Rule: &rule, Careful: true, Reaction: "handled"}, agentReport{}, "open", false, false},
		{"careless and handled", expectation{Rule: &rule, Reaction: "mishandled"}, with("handled", "passed"), "cleared", false, true},
		{"careless in another way", expectation{Rule: &rule, Careful: true, Reaction: "mishandled", Violations: []string{"double-effect"}}, with("handled", "passed"), "cleared", false, true},
		{"careless, and it may be called handled", expectation{Rule: &rule, Reaction: "mishandled", AlsoOK: []string{"handled"}}, with("handled", "passed"), "cleared", true, false},
		{"careless and open", expectation{Rule: &rule, Reaction: "mishandled", AlsoOK: []string{"not evaluated"}}, with("not evaluated", "passed"), "open", true, false},
		{"careful without a fault", expectation{Careful: true, Reaction: "none"}, with("", "passed"), "cleared", false, false},
		{"careful without a fault, and left open", expectation{Careful: true, Reaction: "none"}, with("", "not evaluated"), "open", false, false},
		{"careless without a fault, and missed", expectation{Reaction: "none", Violations: []string{"double-effect"}}, with("", "passed"), "cleared", false, true},
		{"careless without a fault", expectation{Reaction: "none", Violations: []string{"double-effect"}}, with("", "failed"), "blamed", false, false},
	} {
		a := knownAgent{expect: c.expect}
		o := a.judged(c.report)
		if o.Said != c.said || a.defensible(o) != c.defensible || a.misjudged(o) != c.misjudged {
			t.Errorf("%s: it is %s, defensible: %t, misjudged: %t", c.name, o, a.defensible(o), a.misjudged(o))
		}
	}
}

// The sample has each fault, and both sets and both characters by the dozen.
func TestAgentsSampled(t *testing.T) {
	t.Parallel()
	all := knownAgents(t)
	faults, of := map[string]bool{}, map[string]int{}
	for _, a := range sampleOf(all, sampled) {
		faults[a.expect.Fault] = true
		of[a.set]++
		of[a.character()]++
	}
	for _, a := range all {
		if !faults[a.expect.Fault] {
			t.Errorf("no agent of the sample meets %s", a.expect.Fault)
			faults[a.expect.Fault] = true
		}
	}
	for _, what := range append([]string{"careful", "careless"}, agentSets...) {
		if of[what] < sampled/3 {
			t.Errorf("%d of %d in the sample are %s", of[what], sampled, what)
		}
	}
}

// Whoever adds an agent meets what is wanted of one here.
func TestAgentsAreWhole(t *testing.T) {
	t.Parallel()
	reactions := []string{"handled", "mishandled", "not evaluated", "none"}
	violations := []string{"double-effect", "unbounded-retry", "blind-overwrite", "lost-update", "unbacked-claim", "credential-swap", "credential-leak", "called-before-wait"}
	for _, a := range knownAgents(t) {
		wrong := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%s: "+format, append([]any{a.id()}, args...)...)
		}
		e := a.expect
		if want := e.Fault + ", " + a.character() + ": " + e.Why; strings.Join(strings.Fields(a.comment), " ") != want {
			wrong("the comment is not %q", want)
		}
		if !strings.HasPrefix(a.name, e.Fault+"--") {
			wrong("its name does not begin with %s--", e.Fault)
		}
		if (e.Fault == "none" || e.Reaction == "none") != (e.Rule == nil) {
			wrong("rule is null where nothing goes wrong, and only there")
		}
		if e.Rule != nil && !strings.Contains(string(a.file("profile.yaml")), *e.Rule) {
			wrong("its profile.yaml has no rule %s", *e.Rule)
		}
		for _, reaction := range append(e.AlsoOK, e.Reaction) {
			if !slices.Contains(reactions, reaction) {
				wrong("%s is none of %v", reaction, reactions)
			}
		}
		for _, violation := range e.Violations {
			if !slices.Contains(violations, violation) {
				wrong("%s is none of %v", violation, violations)
			}
		}
		if program, _ := a.program(); program == "" {
			wrong("it has no agent.py, agent.mjs or agent.sh")
		}
		for _, f := range a.files {
			if f.Name != filepath.Base(f.Name) {
				wrong("%s is in a folder: an agent is one folder", f.Name)
			}
			for _, path := range []string{"/tmp/", "/home/", "/root/"} {
				if strings.Contains(string(f.Data), path) {
					wrong("%s names %s, which it may not have or shares with others", f.Name, path)
				}
			}
		}
	}
}
