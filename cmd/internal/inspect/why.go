package inspect

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"parity/cmd/internal/output"
	"parity/faults/trail"
	"parity/gateway/kept"
	"parity/profiles/policy"
)

// PrintWhy writes what would become of a request.
func PrintWhy(w io.Writer, t *kept.Told, form string) error {
	if err := output.TextOrJSON(form); err != nil {
		return err
	}
	if form == "json" {
		return output.JSON(w, t)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(table, "%s\t%s\n", name, text)
		}
	}
	operation := strings.TrimSpace(t.Service + " " + t.Operation)
	if t.ID != "" {
		operation += "  (" + t.ID + ")"
	}
	line("operation", operation)
	for _, name := range slices.Sorted(maps.Keys(t.Path)) {
		line("  "+name, t.Path[name])
	}
	line("host", t.Host+": "+t.Policy)
	line("effect", t.Effect)
	line("identity", t.Identity)
	printPermit(line, t.Permit)
	run := "a fresh one"
	if t.Run != "" {
		run = "as the next call of " + t.Run
	}
	line("run", run+", under "+t.Profile+" (revision "+t.Revision+")")
	if t.Attempt > 1 {
		line("intent", fmt.Sprintf("attempt %d of what was meant before", t.Attempt))
	}
	for _, v := range t.Violations {
		line("violation", strings.TrimSpace(v.In+" "+v.Pointer)+": "+v.Message)
	}
	line("refused", t.Refused)
	line("answer", t.Reply)
	if t.Bare {
		line("", "The call was tried without a body, and the service refuses that: say what is sent with --body '{…}' or @FILE, and with --header where it matters")
	}
	fmt.Fprintln(table)
	for i := range t.Rules {
		printStanding(table, &t.Rules[i], t.Bare)
	}
	if len(t.Rules) == 0 {
		fmt.Fprintln(table, "the profile has no rules")
	}
	return table.Flush()
}

// printPermit writes what policy makes of the call, in the order in which it is
// asked: class, stage, grant, gate.
func printPermit(line func(name, text string), p *trail.Policy) {
	if p == nil {
		return
	}
	text := p.Class
	if p.Carried != "" {
		text += ", raised by " + p.Carried
	}
	line("class", text)
	if p.Stage > 0 {
		line("stage", fmt.Sprintf("%d, %s", p.Stage, policy.StageName(p.Stage)))
	}
	line("grant", cmp.Or(p.Grant, "none"))
	text = string(p.Decision)
	if p.Code != "" {
		text += ", " + p.Code
	}
	if p.By != "" {
		text += ", by " + p.By
	}
	if p.Approval != "" {
		text += "; approval " + p.Approval + " is " + p.State
	}
	line("permitted", text)
}

func printStanding(w io.Writer, s *kept.Standing, bare bool) {
	verb := map[bool]string{true: "fires", false: "does not fire"}[s.Fires]
	switch {
	case !s.Met:
		verb = "is not met"
	case bare && !s.Fires:
		verb = "wants a body"
	}
	why := s.Why
	if s.Index > 0 {
		counted := fmt.Sprintf("counted as intent %d", s.Index)
		if s.Per != "" {
			counted += " of " + s.Per
		}
		why = strings.TrimSuffix(counted+"; "+why, "; ")
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", verb, s.Rule, s.Fault, why)
}
