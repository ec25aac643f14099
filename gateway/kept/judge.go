package kept

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/gateway/exchange"
	"parity/gateway/report"
	"parity/gateway/verdict"
	"parity/profiles"
	"parity/specs"
	"parity/specs/words"
)

// Report judges the run as it is kept.
func (k *Run) Report() report.Report {
	in, gone := k.input()
	seed, _ := strconv.ParseUint(k.Meta["seed"], 10, 64) // our own writing; 0 in a journal that has lost it
	rep := report.Report{
		Missing: k.Missing(), Parity: Version, Run: k.ID, Profile: k.Outcome.Profile, Seed: seed, Revisions: k.Revisions, Armed: report.ArmedIn(k.Events),
		Began: k.Info.Made.UTC(), Ended: k.ended(),
		Command: k.Outcome.Command, Flags: k.Outcome.Flags, Agent: k.Outcome.Agent,
		Judgement: verdict.Judge(in),
	}
	if named := k.Meta["profile"]; k.Outcome.Agent == nil && rep.Profile == "" && named != profiles.Bare {
		rep.Profile = named // nobody has said how it ended, or how it began
	}
	k.locate(rep.Verdicts)
	if k.Unread != nil {
		rep.Hints = append(rep.Hints, "The profile that it was made under cannot be read by this Parity, so neither what it expects nor its known differences are judged: "+k.Unread.Error())
	}
	if k.Unchecked {
		rep.Hints = append(rep.Hints, "An older Parity kept the record: its outcome, profile and other notes have no checksums, so whether they are as they were written cannot be told")
	}
	if n, kinds := k.strange(); n > 0 {
		rep.Hints = append(rep.Hints, fmt.Sprintf("%s of kinds that this Parity does not know (%s) were left out", words.Count(n, "event"), strings.Join(kinds, ", ")))
	}
	rep.Beside(k.Outcome.Twin)
	rep.Hints = append(rep.Hints, gone...)
	agent := report.Agent{Started: true}
	if k.Outcome.Agent != nil {
		agent = *k.Outcome.Agent
	}
	rep.World = k.furnished()
	rep.Surface = k.surface(rep.Scope)
	rep.Proposed = k.proposed(rep.Scope)
	rep.Declare = profiles.Declare(rep.Proposed)
	rep.Strict = k.Outcome.strict()
	rep.Divergences = k.divergences()
	if besides, why := k.beside(); why == "" {
		rep.Shadow = besides
	} else {
		rep.Hints = append(rep.Hints, why)
	}
	rep.Exit = report.ExitCode(rep.Judgement, agent.Exit, agent.Started, report.Mode(k.Outcome.Exit))
	rep.Exit = rep.HoldStrict(rep.Exit)
	return rep
}

// locate says of verdicts on rules where the profile has these: expectations
// know it themselves.
func (k *Run) locate(verdicts []trail.Verdict) {
	for i := range verdicts {
		v := &verdicts[i]
		if v.Kind != "fault" && v.Kind != "required" {
			continue
		}
		if place, ok := k.places["faults."+v.Subject]; ok {
			v.At = &place
		}
	}
}

// strange counts the events of kinds that another version of Parity has, and
// names these.
func (k *Run) strange() (n int, kinds []string) {
	known := trail.Kinds()
	for i := range k.Events {
		if kind := k.Events[i].Kind; !slices.Contains(known, kind) {
			if n++; !slices.Contains(kinds, string(kind)) {
				kinds = append(kinds, string(kind))
			}
		}
	}
	return n, kinds
}

// ended tells whether the run is over, whoever said so.
func (k *Run) ended() bool { return k.Outcome.Agent != nil || !k.Info.Ended.IsZero() }

// input is what the judge is given, and why some of that cannot be had, in a
// sentence each.
func (k *Run) input() (in verdict.Input, gone []string) {
	in = verdict.Input{Events: k.Events, Settlements: k.Settlements, Ended: k.ended(), Torn: k.Complete() != nil, Forks: k.Forks, World: k.firstWorld}
	in.Hidden, in.Ledgers = k.collections()
	in.Ending, in.LetsOut = k.ending(k.Profile), k.lets()
	in.Calm, gone = k.CalmRuns()
	if k.Profile == nil {
		return in, gone
	}
	in.Agents = agents(k.Profile, in)
	in.Says = verdict.Says{Done: k.Profile.Says.Done, Stopped: k.Profile.Says.Stopped}
	in.Expectations, in.Operation = k.Profile.Expectations, operationsOf(k.Profile)
	in.Services, in.Fidelity, in.Meant = expected(k.Profile), expectedFidelity(k.Profile), meant(k.Profile)
	for _, r := range k.Profile.Rules {
		in.Rules = append(in.Rules, verdict.RuleInfo{Name: r.Name, Hash: r.Hash, Fault: r.Fault.Name, Required: r.Required, Because: r.Because})
	}
	in.Rules = append(in.Rules, k.armedRules()...)
	for _, d := range k.Profile.Differences {
		in.Differences = append(in.Differences, k.difference(d))
	}
	in.Differences = append(in.Differences, k.ofPolicy()...)
	return in, gone
}

// firstWorld is the world that the run's line began with.
func (k *Run) firstWorld() (*world.World, error) {
	s, err := k.Origin(NewWorlds())
	return s.World, err
}

// operationsOf finds operations of a profile's services as events name them.
func operationsOf(p *profiles.Profile) func(service, operation string) *specs.Operation {
	return func(service, operation string) *specs.Operation {
		op, _ := operationOf(p, service, operation)
		return op
	}
}

// expected are the services that a run may be asked why it never called them:
// the profile's own, and those that ship where the profile binds a few. One that
// binds all that ship expects no agent to call them all.
func expected(p *profiles.Profile) []string {
	const few = 3
	if len(p.Services) <= few {
		return p.Services
	}
	var own []string
	for _, name := range p.Services {
		if _, ok := p.Sources[name]; ok {
			own = append(own, name)
		}
	}
	return own
}

// armedRules are those that were ever armed in the run, for whoever judges it.
func (k *Run) armedRules() []verdict.RuleInfo {
	var all []verdict.RuleInfo
	for i := range k.Events {
		e := &k.Events[i]
		if e.Kind != trail.Armed || e.Arming == nil {
			continue
		}
		info := verdict.RuleInfo{Name: e.Arming.Name, Fault: e.Arming.Fault, Required: e.Arming.Required, Because: e.Arming.Because}
		if rule, err := exchange.Rearm(e.Seq, e.Arming); err == nil {
			info.Hash = rule.Hash
		}
		all = append(all, info)
	}
	return all
}
