package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/profiles/policy"
	"parity/specs/words"
)

// fewListed is how many things of a kind a row tells, and fewEvents how many events
// of one thing.
const (
	fewListed = 4
	fewEvents = 4
)

// authorityRow is one line of what policy came to.
type authorityRow struct{ label, text string }

// line is a row as one line of a list; one without a label goes on with the row
// before it.
func (a authorityRow) line() string {
	if a.label == "" {
		return upper(a.text)
	}
	return a.label + ": " + a.text
}

// authorityRows words what policy came to: what it stopped, what somebody was asked
// about, what was kept as a draft, and what nobody was asked about. There are none
// where policy had nothing to do.
//
//	Stage    2 · 4 drafts, 2 refused
//	Blocked  3 calls: stripe POST /v1/payouts (not-granted) #14 #15; …
//	Asked    4 approvals: 2 approved (desk, rehearsed) #3 #9, 1 rejected #12, 1 lapsed #20; median wait 1m30s
//	Forgotten  api.weather.example (2 calls): passed unread, as policy.egress.mode: tool has it, …
//	Skipped  1 by standing approval (112 clean in 7d) #7, 2 by override of ada: queue is on fire #8 #9
func (r *Report) authorityRows() []authorityRow {
	var rows []authorityRow
	if text := r.forgotten(); text != "" {
		rows = append(rows, authorityRow{"Forgotten", text})
	}
	if text := r.strays(); text != "" {
		rows = append(rows, authorityRow{"Unseen", text})
	}
	rows = append(append(rows, r.proofRows()...), r.liveFaultRows()...)
	if r.Policy == nil {
		return rows
	}
	for _, row := range []authorityRow{
		{"Stage", staged(r.Policy)}, {"Blocked", blocked(r.Policy)}, {"Asked", askedFor(r.Policy)}, {"Skipped", skipped(r.Policy)},
	} {
		if row.text != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// strays names what the agent started without the settings that have calls
// captured. It is what was seen, and not all that there was.
func (r *Report) strays() string {
	if r.Agent == nil || len(r.Agent.Strays) == 0 {
		return ""
	}
	var names []string
	for _, s := range r.Agent.Strays {
		names = append(names, fmt.Sprintf("%s (pid %d)", s.Command, s.PID))
	}
	return "started without its settings: " + strings.Join(names, ", ") + ": its calls could not be captured; --isolate captures them. What lives for less than a second may not have been seen"
}

// staged says how far the agent could go, and what that stopped.
func staged(a *trail.Authority) string {
	refused := 0
	for _, b := range a.Blocked {
		if b.Code == "over-stage" {
			refused += b.Calls
		}
	}
	var parts []string
	if n := len(a.Drafts); n > 0 {
		parts = append(parts, words.Count(n, "draft"))
	}
	if refused > 0 {
		parts = append(parts, strconv.Itoa(refused)+" refused")
	}
	switch {
	case a.Stage == 0 && len(a.Drafts) == 0:
		return ""
	case a.Stage == 0:
		return strings.Join(parts, ", ")
	case len(parts) == 0:
		parts = append(parts, "nothing beyond it")
	}
	return strconv.Itoa(a.Stage) + " · " + strings.Join(parts, ", ")
}

// blocked says what policy refused, and why.
func blocked(a *trail.Authority) string {
	calls := 0
	var told []string
	for _, b := range a.Blocked {
		calls += b.Calls
		why := b.Code
		if b.Code == "gate-refused" && b.By != "" {
			why += " by " + b.By
		}
		told = append(told, b.Call+" ("+why+")"+listedEvents(b.Events, b.Calls))
	}
	if calls == 0 {
		return ""
	}
	return words.Count(calls, "call") + ": " + strings.Join(fewOfThem(told), "; ")
}

func fewOfThem(told []string) []string {
	if more := len(told) - fewListed; more > 0 {
		told = append(told[:fewListed:fewListed], fmt.Sprintf("and %d more", more))
	}
	return told
}

// listedEvents names the first few events of so many.
func listedEvents(events []uint64, of int) string {
	var b strings.Builder
	shown := events[:min(len(events), fewEvents)]
	for _, seq := range shown {
		b.WriteString(" #" + number(seq))
	}
	if more := of - len(shown); more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// askedFor says what came of asking.
func askedFor(a *trail.Authority) string {
	if len(a.Asked) == 0 {
		return ""
	}
	var parts []string
	var waits []time.Duration
	for _, said := range []string{"approved", "changed", "rejected", "lapsed", "pending"} {
		n := 0
		var by []string
		var events []uint64
		for i := range a.Asked {
			one := &a.Asked[i]
			if one.Said != said {
				continue
			}
			n++
			events = append(events, one.Events[:min(len(one.Events), 1)]...)
			if one.By != nil && said != "lapsed" && said != "pending" {
				if who := one.By.Name + ", " + one.By.Kind; !slices.Contains(by, who) {
					by = append(by, who)
				}
				waits = append(waits, one.Wait)
			}
		}
		if n == 0 {
			continue
		}
		part := strconv.Itoa(n) + " " + said
		if len(by) > 0 {
			part += " (" + strings.Join(by, "; ") + ")"
		}
		parts = append(parts, part+listedEvents(events, n))
	}
	text := words.Count(len(a.Asked), "approval") + ": " + strings.Join(parts, ", ")
	if len(waits) > 0 {
		text += "; median wait " + whole(median(waits))
	}
	return text
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	if n := len(all); n%2 == 0 {
		return (all[n/2-1] + all[n/2]) / 2
	}
	return all[len(all)/2]
}

// whole writes a length of time without what is nought of it: 1m30s, 4h.
func whole(d time.Duration) string {
	text := span(d)
	for _, nought := range []string{"m0s", "h0m"} {
		if before, ok := strings.CutSuffix(text, nought); ok {
			text = before + nought[:1]
		}
	}
	return text
}

// skipped says what passed a gate without anybody being asked, and why.
func skipped(a *trail.Authority) string {
	var parts []string
	for _, s := range a.Skipped {
		part := strconv.Itoa(s.Calls) + " by "
		switch {
		case s.How == "override":
			part += "override of " + s.By
		case s.By != "":
			part += strings.ReplaceAll(s.How, "-", " ") + " (" + s.By + ")"
		default:
			part += strings.ReplaceAll(s.How, "-", " ")
		}
		parts = append(parts, part+listedEvents(s.Events, s.Calls))
	}
	return strings.Join(fewOfThem(parts), ", ")
}

// decided words what policy said of a call, where it is more than yes.
func decided(p *trail.Policy) string {
	if p == nil {
		return ""
	}
	var parts []string
	switch p.Decision {
	case trail.PolicyAllowed:
	case trail.PolicyHeld:
		parts = append(parts, "held", p.Approval, p.State)
		if code := strings.TrimPrefix(p.Code, "approval-"); code != "required" && code != p.State {
			parts = append(parts, p.Code)
		}
	case trail.PolicyCaptured:
		parts = append(parts, "captured", p.Draft)
	default:
		parts = append(parts, string(p.Decision), p.Code)
		if p.Code == "gate-refused" {
			parts = append(parts, p.By)
		}
		if p.Carried != "" {
			parts = append(parts, "("+p.Carried+")")
		}
	}
	if p.Decision == trail.PolicyAllowed && p.Approval != "" {
		parts = append(parts, "approved", p.Approval, p.State)
	}
	if p.Skipped != "" {
		parts = append(parts, "skipped the gate by", strings.ReplaceAll(p.Skipped, "-", " "))
	}
	if p.Observed != "" {
		parts = append(parts, "("+p.Observed+")")
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// forgotten lists the hosts that passed unread because nothing says what is to
// become of calls to them: what the agent did there, it really did.
func (r *Report) forgotten() string {
	var hosts []string
	for _, h := range r.Outside {
		if h.By == policy.Forgotten {
			hosts = append(hosts, h.Host+" ("+words.Count(h.Calls, "call")+")")
		}
	}
	if len(hosts) == 0 {
		return ""
	}
	return strings.Join(hosts, ", ") + ": passed unread, as " + policy.Forgotten + " has it, so that the run was not contained. Play each (--contract FILE --host HOST), or name it in policy.egress.tunnel"
}
