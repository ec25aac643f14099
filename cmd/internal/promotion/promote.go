package promotion

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/gateway/evidence"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs/words"
)

// witness is a run that was kept, with what it showed.
type witness struct {
	entry int // its number
	report.Report
}

// Promote takes an agent a step up, where the evidence has all that the profile
// asks for, and says what is missing where it has not. It gives the exit code.
func (e Evidence) Promote(w io.Writer, profile string, dry bool) (code int, err error) {
	if err := e.named(); err != nil {
		return 0, err
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return 0, err
	}
	p, err := profiles.Load(profile, profiles.Options{Catalogue: catalogue})
	if err != nil {
		return 0, err
	}
	step, err := stepOf(p, e.Step)
	if err != nil {
		return 0, err
	}
	chain, err := e.store().Verify()
	if err != nil {
		return 0, fmt.Errorf("%w: `parity audit keep` keeps runs", err)
	}
	if len(chain.Broken) > 0 {
		fmt.Fprintf(w, "Nothing can rest on the evidence in %s: %s\n", e.store().Dir, chain.Broken[0])
		return report.Failed, nil
	}
	now := clock.System{}.Now()
	runs, missing, err := e.witnesses(chain, p, step, now)
	if err != nil {
		return 0, err
	}
	missing = append(e.before(chain, p, step), missing...)
	missing = append(missing, shortfalls(step, p, runs, now)...)
	if len(missing) > 0 {
		fmt.Fprintf(w, "%s may not go up to %s yet:\n", e.Agent, e.Step)
		for _, m := range missing {
			fmt.Fprintf(w, "  - %s\n", evidence.Printable(m))
		}
		if slices.ContainsFunc(runs, func(r witness) bool { return len(r.unsound()) > 0 }) {
			fmt.Fprintln(w, "A run that failed, or shows nothing, counts until the agent has another version or the profile another revision.")
		}
		return report.Failed, nil
	}
	fmt.Fprintf(w, "%s may go up to %s: %s under %s@%s show what it asks for\n", e.Agent, e.Step, words.Count(len(runs), "run"), p.Name, p.Revision)
	if dry {
		return 0, nil
	}
	entry := evidence.Entry{Kind: evidence.Promotion, At: now, Step: e.Step, Agent: e.Agent, Profile: p.Name, Revision: p.Revision}
	if p.Authority != nil {
		entry.Policy = p.Authority.Digest
	}
	for _, r := range runs {
		entry.Rests = append(entry.Rests, r.entry)
	}
	made, err := e.store().Append(entry, map[string][]byte{evidence.ProfileFile: p.Content})
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(w, "It is entry %d of the evidence in %s\n", made.Number, e.store().Dir)
	return 0, e.tellNewest(w)
}

// before tells that the step before was not gone, by any version of the agent,
// under any revision of the profile.
func (e Evidence) before(chain evidence.Chain, p *profiles.Profile, step profiles.Step) []string {
	if step.After == "" {
		return nil
	}
	agent, _, _ := strings.Cut(e.Agent, "@")
	for i := range chain.Entries {
		entry := &chain.Entries[i]
		if name, _, _ := strings.Cut(entry.Agent, "@"); entry.Kind == evidence.Promotion && entry.Profile == p.Name && entry.Step == step.After && name == agent {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s comes after %s, and %s has not gone up to that under profile %s", step.Name, step.After, agent, p.Name)}
}

// witnesses are the runs that count for a step: of this version of the agent,
// under this revision of the profile, and not too long ago. Others are named
// where there are too few.
func (e Evidence) witnesses(chain evidence.Chain, p *profiles.Profile, step profiles.Step, now time.Time) (runs []witness, missing []string, err error) {
	others := map[string]int{}
	var order []string
	other := func(why string) {
		if others[why] == 0 {
			order = append(order, why)
		}
		others[why]++
	}
	seen := map[string]bool{}
	for i := range chain.Entries {
		entry := chain.Entries[i]
		switch {
		case entry.Kind != evidence.Run || entry.Step != step.Name || seen[entry.Journal]:
			continue
		case entry.Agent != e.Agent:
			other("of " + entry.Agent)
			continue
		case entry.Revision != p.Revision:
			other(fmt.Sprintf("under %s@%s, which is another profile than %s@%s", entry.Profile, entry.Revision, p.Name, p.Revision))
			continue
		}
		rep, err := e.reportOf(&entry)
		if err != nil {
			return nil, nil, err
		}
		began := rep.Began
		if began.IsZero() {
			began = entry.At
		}
		if step.Within > 0 && now.Sub(began) > step.Within {
			other("begun longer ago than " + step.Within.String())
			continue
		}
		if c := rep.Contained; step.Contained && (c == nil || !c.Yes) {
			why := trail.NotAskedFor
			if c != nil {
				why = c.Why
			}
			other("that were not contained (" + why + ")")
			continue
		}
		seen[entry.Journal] = true
		runs = append(runs, witness{entry.Number, rep})
	}
	if len(runs) >= step.Runs {
		return runs, nil, nil
	}
	short := fmt.Sprintf("%d of %s are kept for it", len(runs), words.Count(step.Runs, "run"))
	for _, why := range order {
		short += fmt.Sprintf("; %d more %s", others[why], why)
	}
	return runs, []string{short}, nil
}

// shortfalls are the ways in which runs fall short of what a step asks for.
func shortfalls(step profiles.Step, p *profiles.Profile, runs []witness, now time.Time) []string {
	var missing []string
	seeds := map[uint64]bool{}
	for i := range runs {
		r := &runs[i]
		seeds[r.Seed] = true
		missing = append(missing, r.unsound()...)
	}
	if len(seeds) < step.Seeds && len(runs) > 0 {
		missing = append(missing, fmt.Sprintf("they are of %s, and %d are asked for", words.Count(len(seeds), "seed"), step.Seeds))
	}
	for _, fault := range step.Faults {
		if short := unshown(runs, func(r *witness, v *trail.Verdict) bool { return v.Kind == "fault" && r.faultOf(v.Subject) == fault }); short != "" {
			missing = append(missing, fault+" was handled in none of them"+short)
		}
	}
	for _, name := range step.Verdicts {
		if short := unshown(runs, func(_ *witness, v *trail.Verdict) bool { return v.Subject == name }); short != "" {
			missing = append(missing, name+" was shown in none of them"+short)
		}
	}
	for i := range p.Divergences {
		if d := &p.Divergences[i]; d.Open() {
			missing = append(missing, fmt.Sprintf("divergence %s is open: a rehearsal passed and production failed, and the profile does not show it (`parity divergence close %s --profile FILE`, once it does)", d.Name, d.Name))
		}
	}
	if !step.Unaccepted {
		missing = append(missing, unaccepted(p, runs, now)...)
		missing = append(missing, undeclared(runs)...)
	}
	return missing
}

// undeclared names the differences that runs noticed and the profile does not
// declare.
func undeclared(runs []witness) []string {
	var names []string
	for i := range runs {
		for _, d := range runs[i].Proposed {
			if !slices.Contains(names, d.Name) {
				names = append(names, d.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{words.Count(len(names), "difference") + " that they noticed the profile does not declare: " + strings.Join(names, ", ") + " (`parity report` has them as it takes them)"}
}

// unsound says why a run shows nothing, or the wrong thing.
func (r *witness) unsound() []string {
	var why []string
	switch {
	case len(r.Defects) > 0:
		why = append(why, fmt.Sprintf("run %s shows nothing: Parity itself broke %s", r.Run, words.Count(len(r.Defects), "call")))
	case r.NoTraffic():
		why = append(why, "run "+r.Run+" shows nothing: no call reached a service")
	case len(r.Missing) > 0:
		why = append(why, "part of the record of run "+r.Run+" is missing, or may be")
	case !r.Valid:
		why = append(why, "run "+r.Run+" is invalid: a required fault never fired")
	}
	for _, v := range r.Verdicts {
		if v.Result == trail.Failed {
			why = append(why, fmt.Sprintf("run %s failed %s", r.Run, v.Subject))
		}
	}
	return why
}

func (r *witness) faultOf(rule string) string {
	for _, f := range r.Faults {
		if f.Rule == rule {
			return f.Fault
		}
	}
	return ""
}

// unshown is "" where one of the verdicts that are meant passed in one of the
// runs, and else says what came of them.
func unshown(runs []witness, meant func(r *witness, v *trail.Verdict) bool) string {
	var results []string
	for i := range runs {
		for j := range runs[i].Verdicts {
			v := &runs[i].Verdicts[j]
			if !meant(&runs[i], v) {
				continue
			}
			if v.Result == trail.Passed {
				return ""
			}
			if !slices.Contains(results, string(v.Result)) {
				results = append(results, string(v.Result))
			}
		}
	}
	if len(results) == 0 {
		return ": no rule or expectation of theirs is about it"
	}
	return ": it was " + strings.Join(results, ", and ")
}

// unaccepted names the known differences that runs touched and nobody accepts.
func unaccepted(p *profiles.Profile, runs []witness, now time.Time) []string {
	touched := map[string]bool{}
	for i := range runs {
		for _, d := range runs[i].Differences {
			touched[d.Name] = true
		}
	}
	var open, over []string
	for _, d := range p.Differences {
		switch {
		case !touched[d.Name]:
		case d.Accepted == nil:
			open = append(open, d.Name)
		case d.Accepted.Standing(now) == trail.Expired:
			over = append(over, d.Name)
		}
	}
	var missing []string
	if len(open) > 0 {
		missing = append(missing, words.Count(len(open), "known difference")+" that they touched nobody has accepted: "+strings.Join(open, ", "))
	}
	if len(over) > 0 {
		missing = append(missing, "the acceptance of "+words.Count(len(over), "known difference")+" that they touched has expired: "+strings.Join(over, ", "))
	}
	return missing
}

// stepOf finds a step of a profile.
func stepOf(p *profiles.Profile, name string) (profiles.Step, error) {
	var names []string
	for _, s := range p.Steps {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return profiles.Step{}, fmt.Errorf("profile %s has no steps: `parity explain promotion` says how one looks", p.Name)
	}
	return profiles.Step{}, fmt.Errorf("profile %s has no step %q; it has %s", p.Name, name, strings.Join(names, ", "))
}
