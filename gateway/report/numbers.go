package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parity/faults/trail"
)

// Result is what came of one of many runs.
type Result string

// The results. Only runs that passed or failed are counted: the others show
// neither.
const (
	RunPassed  Result = "passed" // valid, and nothing failed: see Report.Came
	RunFailed  Result = "failed"
	RunInvalid Result = "invalid"   // a required fault never fired, nothing was called, or part of the record is missing
	RunCut     Result = "cut short" // the agent was ended before its own end
	RunBroken  Result = "our fault"
	RunLeft    Result = "left out" // it was not begun
)

// Trial is one of many runs of an agent.
type Trial struct {
	Profile string          `json:"profile"`
	Seed    *uint64         `json:"seed,omitempty"` // nil: it was left out, and has none
	Nth     int             `json:"nth"`            // of this profile and seed, from 1
	Result  Result          `json:"result"`
	Why     string          `json:"why,omitempty"` // it did not pass
	Run     string          `json:"run,omitempty"`
	Twin    *Twin           `json:"twin,omitempty"`
	Struck  int             `json:"struck"`           // calls that a fault struck
	Took    time.Duration   `json:"took,omitempty"`   // from the agent's start to its end, in nanoseconds
	Failed  []trail.Verdict `json:"failed,omitempty"` // verdicts that failed
	Open    []string        `json:"open,omitempty"`   // verdicts that leave open whether an intent took effect twice
	Again   string          `json:"again,omitempty"`  // the command that does it once more, alone

	Report *Report `json:"-"` // nil: there is none
}

// Numbers is what many runs of one agent come to.
type Numbers struct {
	Name     string        `json:"name"`              // of the series, as `parity report` takes it
	Parity   string        `json:"parity,omitempty"`  // the version that judged
	Command  []string      `json:"command,omitempty"` // the agent's
	Seeds    string        `json:"seeds,omitempty"`   // as asked for
	Repeat   int           `json:"repeat"`
	Parallel int           `json:"parallel"` // runs at once
	Took     time.Duration `json:"took"`     // in nanoseconds
	Exit     int           `json:"exit"`     // what Parity exits with
	Rate
	Profiles []ProfileNumbers `json:"profiles"`
	Trials   []Trial          `json:"trials"` // in the order in which they were begun
}

// Rate is how often runs passed.
type Rate struct {
	Runs    int `json:"runs"`    // that were asked for
	Counted int `json:"counted"` // that passed or failed
	Passed  int `json:"passed"`
	// PassRate is the share of the counted runs that passed; it is not there where
	// none is counted.
	PassRate *float64 `json:"pass_rate,omitempty"`
	// PassK estimates, for k from 1 on, how likely it is that k runs all pass:
	// C(passed, k) / C(counted, k), which is without bias.
	PassK []float64 `json:"pass_k"`
}

// ProfileNumbers is what the runs under one profile come to.
type ProfileNumbers struct {
	Profile string `json:"profile"`
	Rate
	Verdicts  []VerdictCount `json:"verdicts"`
	Flaky     []Flaky        `json:"flaky"`
	Repeated  bool           `json:"repeated"`          // a seed has more than one counted run: flakiness shows
	Failing   *Trial         `json:"failing,omitempty"` // the first of the smallest seed that failed
	NotProved []string       `json:"not_proved"`        // by any of its counted runs, in words
}

// VerdictCount says how often one thing was judged how.
type VerdictCount struct {
	Subject string         `json:"subject"`
	Kind    string         `json:"kind"`
	Counts  map[string]int `json:"counts"` // by what was found: handled, mishandled, held, failed, not exercised …
}

// Flaky is a verdict that differs between runs of one profile and one seed. Their
// worlds are alike, so that what differs is the agent.
type Flaky struct {
	Subject string              `json:"subject"`
	Seed    uint64              `json:"seed"`
	Runs    map[string][]string `json:"runs"` // by what was found
}

// PassK estimates how likely k runs all pass, for k from 1 to n, where c of n did.
// It is C(c,k)/C(n,k), the unbiased estimator (Yao et al., τ-bench,
// arXiv:2406.12045, section 3).
func PassK(c, n int) []float64 {
	all := make([]float64, 0, n)
	likely := 1.0
	for k := range n {
		likely *= float64(max(c-k, 0)) / float64(n-k)
		all = append(all, likely)
	}
	return all
}

// Count adds trials up.
func Count(trials []Trial) Numbers {
	n := Numbers{Trials: trials, Rate: rate(trials), Profiles: []ProfileNumbers{}}
	for _, name := range profilesOf(trials) {
		var its []Trial
		for _, t := range trials {
			if t.Profile == name {
				its = append(its, t)
			}
		}
		p := ProfileNumbers{Profile: name, Rate: rate(its), Verdicts: verdictsOf(its), Failing: smallest(its), NotProved: leftOpen(its)}
		p.Flaky, p.Repeated = flaky(its)
		n.Profiles = append(n.Profiles, p)
	}
	n.Exit = exitOf(trials, n.Counted)
	if len(trials) == 1 && trials[0].Report != nil {
		n.Exit = trials[0].Report.Exit
	}
	return n
}

// exitOf is the code of many runs: as for one, with the worst of all.
func exitOf(trials []Trial, counted int) int {
	has := func(r Result) bool {
		return slices.ContainsFunc(trials, func(t Trial) bool { return t.Result == r })
	}
	switch {
	case has(RunBroken):
		return Unsound
	case has(RunFailed):
		return Failed
	case counted == 0:
		return Unsound
	}
	return Nothing
}

func (t *Trial) counted() bool { return t.Result == RunPassed || t.Result == RunFailed }

func rate(trials []Trial) Rate {
	r := Rate{Runs: len(trials)}
	for i := range trials {
		if trials[i].counted() {
			r.Counted++
		}
		if trials[i].Result == RunPassed {
			r.Passed++
		}
	}
	r.PassK = PassK(r.Passed, r.Counted)
	if r.Counted > 0 {
		share := r.PassK[0]
		r.PassRate = &share
	}
	return r
}

func profilesOf(trials []Trial) []string {
	var names []string
	for _, t := range trials {
		if !slices.Contains(names, t.Profile) {
			names = append(names, t.Profile)
		}
	}
	return names
}

// found is what a verdict found, in a word or two.
func found(v *trail.Verdict) string {
	if v.Kind == "fault" && v.Result == trail.Failed {
		return string(trail.Mishandled)
	}
	label, _, _ := heading(v)
	return strings.ToLower(label)
}

// verdictsOf counts what was found of each thing, in the order in which they came
// up first. What is always judged and was in no run exercised is left out.
func verdictsOf(trials []Trial) []VerdictCount {
	all := []VerdictCount{}
	for _, t := range trials {
		if !t.counted() || t.Report == nil {
			continue
		}
		for i := range t.Report.Verdicts {
			v := &t.Report.Verdicts[i]
			at := slices.IndexFunc(all, func(c VerdictCount) bool { return c.Subject == v.Subject && c.Kind == v.Kind })
			if at < 0 {
				at, all = len(all), append(all, VerdictCount{v.Subject, v.Kind, map[string]int{}})
			}
			all[at].Counts[found(v)]++
		}
	}
	return slices.DeleteFunc(all, func(c VerdictCount) bool {
		return c.Kind == "always" && len(c.Counts) == 1 && c.Counts["not exercised"] > 0
	})
}

// flaky finds the verdicts that differ between counted runs of one seed; shows
// tells whether there are such runs at all.
func flaky(trials []Trial) (all []Flaky, shows bool) {
	type thing struct {
		seed          uint64
		kind, subject string
	}
	all = []Flaky{}
	var order []thing
	runs, times := map[thing]map[string][]string{}, map[uint64]int{}
	for _, t := range trials {
		if !t.counted() || t.Report == nil || t.Seed == nil {
			continue
		}
		times[*t.Seed]++
		add := func(kind, subject, found string) {
			key := thing{*t.Seed, kind, subject}
			if runs[key] == nil {
				runs[key], order = map[string][]string{}, append(order, key)
			}
			runs[key][found] = append(runs[key][found], t.Run)
		}
		add("run", "the run as a whole", string(t.Result))
		for i := range t.Report.Verdicts {
			v := &t.Report.Verdicts[i]
			add(v.Kind, v.Subject, found(v))
		}
	}
	for _, key := range order {
		if len(runs[key]) > 1 {
			all = append(all, Flaky{key.subject, key.seed, runs[key]})
		}
	}
	for _, n := range times {
		shows = shows || n > 1
	}
	return all, shows
}

// smallest is the first failed trial of the smallest seed that has one.
func smallest(trials []Trial) *Trial {
	var failed []*Trial
	for i := range trials {
		if t := &trials[i]; t.Result == RunFailed && t.Seed != nil {
			failed = append(failed, t)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return slices.MinFunc(failed, func(a, b *Trial) int { return cmp.Or(cmp.Compare(*a.Seed, *b.Seed), a.Nth-b.Nth) })
}

// seed is the trial's seed in words.
func (t *Trial) seed() string {
	if t.Seed == nil {
		return "–"
	}
	return number(*t.Seed)
}
