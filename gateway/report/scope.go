package report

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/profiles"
	"parity/profiles/policy"
	"parity/specs/words"
)

// scope writes the rows that end a report: what is proved, what is not, and
// how to do it again.
func (p *page) scope(r *Report) {
	p.blank()
	p.beginnings(r)
	p.row("Proved", bold(), proved(r))
	p.unproved(r, unshown(r))
	p.acceptances(r)
	for _, host := range r.Outside {
		if host.By != policy.Forgotten {
			p.text(0, "Outside this rehearsal: "+host.Host+", "+words.Count(host.Calls, "call")+", unread")
		}
	}
	for _, host := range r.Denied {
		p.row("Refused", bold(), refused(host))
	}
	if text := r.contained(); text != "" {
		p.row("Contained", r.containedInk(), text)
	}
	if text := r.declined(); text != "" {
		p.row("Declined", yellow(), text)
	}
	for _, row := range append(r.authorityRows(), r.shadowRows()...) {
		p.row(row.label, bold(), row.text)
	}
	for _, f := range r.Faults {
		if f.Unknown > 0 && f.Fired > 0 {
			p.row("Condition", bold(), fmt.Sprintf("%s could not be evaluated %s: %s", f.Rule, often(f.Unknown), f.Unknowing))
		}
	}
	for _, hint := range r.Hints {
		p.row("Hint", bold(), hint)
	}
	if doubt := r.doubt(); doubt != "" {
		p.row("Open", yellow(), doubt)
	}
	if code := p.exit(r); code != "" {
		p.row("Exit", bold(), code)
	}
	p.command("Again       ", bold(), r.again(rulesFailed(r)))
	if len(r.Armed) > 0 && !slices.Contains(r.Flags, "--cell") { // which arms it again
		p.text(12, "without what was armed while it ran: parity inject --save puts that into a profile")
	}
}

// proved says what the run is evidence of.
func proved(r *Report) string {
	fired := 0
	for _, f := range r.Faults {
		fired += f.Fired
	}
	switch {
	case r.NoTraffic():
		return "nothing"
	case len(r.Defects) > 0:
		return "nothing, since Parity itself broke " + words.Count(len(r.Defects), "call")
	case len(r.Missing) > 0 && !failed(r.Judgement):
		return "nothing, since " + partly
	case !r.Valid && !failed(r.Judgement):
		return "nothing: a required fault never fired, so the run is invalid"
	}
	faults := "no fault fired"
	if fired > 0 {
		faults = words.Count(fired, "fault") + " fired"
	}
	parts := append([]string{faults}, faithful(r.Operations)...)
	expected := 0
	for _, v := range r.Verdicts {
		switch {
		case v.Result != trail.Passed, quiet(&v):
		case v.Kind == "always":
			parts = append(parts, strings.TrimPrefix(v.Subject, trail.Always))
		case v.Kind == "expectation":
			expected++
		}
	}
	if expected > 0 {
		parts = append(parts, words.Count(expected, "expectation")+" held")
	}
	return strings.Join(parts, "; ")
}

// unproved lists what the run is no evidence of. It is never empty.
func unproved(r *Report) []string { return append(unshown(r), weakened(r)...) }

// unshown lists that of it which no known difference is about. It is empty only
// where there are such.
func unshown(r *Report) []string {
	var idle []string
	parts := r.incomplete()
	for _, v := range r.Verdicts {
		name := strings.TrimPrefix(v.Subject, trail.Always)
		switch {
		case quiet(&v) && v.Subject != trail.OneEffect:
		case v.Result == trail.InvalidRun:
			parts = append(parts, name+" (never fired)")
		case v.Result == trail.NotEvaluated && len(v.Weakened) > 0:
			parts = append(parts, name+" (weakened by "+strings.Join(v.Weakened, " and ")+")")
		case v.Reaction == trail.CutShort:
			parts = append(parts, name+" (cut short)")
		case v.Result == trail.NotEvaluated:
			parts = append(parts, name+" ("+string(v.Result)+")")
		case v.Result == trail.NotExercised:
			idle = append(idle, name)
		}
	}
	switch {
	case len(idle) > 3: // their names stand above
		parts = append(parts, words.Count(len(idle), "rule")+" (not exercised)")
	case len(idle) > 0:
		parts = append(parts, strings.Join(idle, ", ")+" (not exercised)")
	}
	parts = append(parts, inexact(r.Operations)...)
	parts = append(parts, missing(r.NotPlayed)...)
	parts = append(parts, disputed(r.Disputed)...)
	for _, service := range r.NeverCalled {
		parts = append(parts, service+" (never called)")
	}
	if len(r.Faults) == 0 {
		parts = append(parts, "what the agent does about faults (none was set)")
	}
	switch n := len(r.Outside); n {
	case 0:
	case 1:
		parts = append(parts, words.Count(r.Outside[0].Calls, "call")+" to "+r.Outside[0].Host+", unread")
	default:
		total := 0
		for _, host := range r.Outside {
			total += host.Calls
		}
		parts = append(parts, fmt.Sprintf("%s to %d other hosts, unread", words.Count(total, "call"), n))
	}
	if len(parts) == 0 && len(r.Differences) == 0 {
		parts = append(parts, "whatever this run did not touch")
	}
	return parts
}

// disputed says where two judges of contracts disagree, the first of each
// operation.
func disputed(all []trail.Disputed) []string {
	const most = 3
	var parts []string
	seen := map[string]bool{}
	for _, d := range all {
		key := d.Operation + " " + d.Of
		if seen[key] {
			continue
		}
		seen[key] = true
		if len(seen) > most {
			continue
		}
		says := "by Parity it is: " + d.Ours + "; by kin-openapi it is not"
		if d.Ours == "" {
			says = "by kin-openapi it is: " + d.Other + "; by Parity it is not"
		}
		parts = append(parts, fmt.Sprintf("whether the %s of %s (#%d) breaks the contract: %s", d.Of, d.Operation, d.Seq, says))
	}
	if more := len(seen) - most; more > 0 {
		parts = append(parts, "whether "+words.Count(more, "more kind")+" of requests and replies break their contract: two judges disagree")
	}
	return parts
}

// inexact names the operations that no model answered, with how they were; many
// of one service, of which there is the same to say, are counted.
func inexact(operations []trail.Touched) []string {
	const most = 2
	type alike struct{ service, why string }
	found := map[alike][]string{}
	var order []alike
	for _, t := range operations {
		if exact(t.Fidelity) {
			continue
		}
		service, _, _ := strings.Cut(t.Operation, " ")
		a := alike{service, fidelity(t.Fidelity)}
		if found[a] == nil {
			order = append(order, a)
		}
		found[a] = append(found[a], t.Operation)
	}
	var parts []string
	for _, a := range order {
		names := found[a]
		if len(names) > most {
			names = []string{words.Count(len(names), "operation") + " of " + a.service}
		}
		for _, name := range names {
			parts = append(parts, name+" ("+a.why+")")
		}
	}
	return parts
}

// refused names the setting that would let a host pass.
func refused(h trail.HostCount) string {
	if h.Protocol != "" {
		text := h.Protocol + " " + h.Host + ", " + words.Count(h.Calls, "attempt")
		switch {
		case h.Protocol == trail.AnyProtocol:
			return words.Count(h.Calls, "more attempt") + " at other addresses and ports"
		case h.By != "":
			return text + ", answered by " + h.By + ": what it meant to reach is not played"
		case h.Protocol == "tcp":
			return text + ": of TCP, ports 80 and 443 and those that the profile names come in"
		}
		return text + ": nothing but TCP comes in"
	}
	name := h.Host
	if host, _, ok := strings.Cut(name, ":"); ok && strings.Count(name, ":") == 1 {
		name = host
	}
	if addr, err := netip.ParseAddr(name); h.Host == "" || name == "localhost" || err == nil && addr.IsLoopback() {
		return words.Count(h.Calls, "call") + " to this gateway for no service that it has: `parity trace` shows the paths"
	}
	return h.Host + ", " + words.Count(h.Calls, "call") + ". To let it pass unread: --allow " + h.Host + ", or policy.egress.tunnel; to play it: --contract FILE --host " + name
}

// denied says why a call, or an attempt, came to nothing.
func denied(x *trail.Exchange) string {
	if protocol, _ := x.Attempt(); protocol == "" {
		return "refused: no service here is at that host"
	}
	text := "an attempt to get out, refused"
	if x.Note == trail.AnsweredWithin {
		text = "an attempt to get out"
	}
	if x.Times > 1 {
		text += fmt.Sprintf(", %d times", x.Times)
	}
	return text
}

// exit explains an exit code that is not the agent's own.
func (p *page) exit(r *Report) string {
	if r.Agent == nil || !r.Agent.Started || r.Exit == r.Agent.Exit {
		return ""
	}
	why := "verdicts alone decide"
	switch {
	case r.Exit == Unsound && len(r.Defects) > 0:
		why = "a fault of ours"
	case r.Exit == Unsound && r.NoTraffic():
		why = "no traffic"
	case r.Exit == Unsound && len(r.Missing) > 0:
		why = partly
	case r.Exit == Unsound:
		why = "the run is invalid"
	case r.Exit == Failed && !failed(r.Judgement):
		why = "--strict, and " + r.withheld()
	case r.Exit == Failed:
		why = "a verdict failed"
	}
	return fmt.Sprintf("%d: %s; %s %s", r.Exit, why, r.agent(), r.Agent.exited())
}

func rulesFailed(r *Report) []string {
	var rules []string
	for _, v := range r.Verdicts {
		if v.Kind == "fault" && v.Result == trail.Failed {
			if r.armed(v.Subject) {
				return nil // no profile has it alone
			}
			rules = append(rules, v.Subject)
		}
	}
	return rules
}

// armed tells a rule that was in force besides those of the profile.
func (r *Report) armed(rule string) bool {
	return slices.ContainsFunc(r.Armed, func(a Armed) bool { return a.Name == rule })
}

// again is the command that does this run again: the same profile and seed, and
// only the rules that matter.
func (r *Report) again(rules []string) string {
	flags := append([]string{"--seed", strconv.FormatUint(r.Seed, 10)}, r.Flags...)
	if len(rules) > 0 {
		flags = without(flags, "--only")
	}
	for _, rule := range rules {
		flags = append(flags, "--only", rule)
	}
	return r.command(profiles.Layers(r.Profile), flags)
}

// otherwise is the command that has the agent meet other faults, in the world of
// this run's own.
func (r *Report) otherwise(flags ...string) string {
	kept := slices.DeleteFunc(without(r.Flags, "--only", "--cell"), func(flag string) bool { return flag == "--twin" })
	return r.command(profiles.Layers(r.Profile), append(flags, kept...))
}

// command is one that runs the agent under these layers of a profile.
func (r *Report) command(layers, flags []string) string {
	args := []string{"parity", "run"}
	for _, profile := range layers {
		if profile != "" {
			args = append(args, "--profile", profile)
		}
	}
	args = append(args, flags...)
	args = append(args, "--")
	if len(r.Command) == 0 {
		return quote(args) + " YOUR-AGENT"
	}
	return quote(append(args, newMasker().command(r.Command)...))
}

// without leaves flags out, each with its value.
func without(flags []string, names ...string) []string {
	var kept []string
	for i := 0; i < len(flags); i++ {
		if slices.Contains(names, flags[i]) {
			i++
			continue
		}
		kept = append(kept, flags[i])
	}
	return kept
}

func often(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// span writes a length of time as people do.
func span(d time.Duration) string {
	if d >= time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

// missing words what services were asked for that is not played here: an agent
// that was told "not found" may have gone another way than it would.
func missing(all []trail.NotPlayed) []string {
	if len(all) == 0 {
		return nil
	}
	calls := 0
	for _, n := range all {
		calls += n.Calls
	}
	return []string{fmt.Sprintf("%s to what is not played (%s, #%d)", words.Count(calls, "call"), all[0].Call, all[0].First)}
}
