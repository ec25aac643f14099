package verdict

// reaction is the rule that judges what an agent did about a fault: it is given
// the times that the fault struck, in order, and says what came of each; nil:
// there is none.
func (j *judge) reaction(fault string) func([]firing) []finding {
	if spoils(fault) {
		return j.broken
	}
	switch fault {
	case "ambiguous-success", "timeout":
		return func(f []firing) []finding { return j.lost(f, true) }
	case "idempotency-conflict":
		return func(f []firing) []finding { return j.lost(f, true) }
	case "connect-refused":
		return j.unreachable
	case "latency", "slow-body":
		return j.slow
	case "rate-limit", "error", "outage", "cascade", "quota", "misleading-refusal":
		return j.refused
	case "partial-page", "partial-result":
		return each(j.readsOn)
	case "moving-page":
		return each(j.countsOnce)
	case "redirect":
		return each(j.keepsToItself)
	case "cursor-expired":
		return each(j.startsOver)
	case "silent-no-op", "duplicate-effect":
		return each(j.readsBack)
	case "concurrent-edit", "owner-changed":
		return each(j.decidesAgain)
	case "stale-read":
		return each(j.createsAgain)
	case "stale-cache":
		return each(j.readsPast)
	case "session-expired":
		return j.renews
	case "lock-lost":
		return each(j.lets)
	case "large-reply", "async-accept":
		return each(j.repeats)
	case "webhook-disorder":
		return each(j.takesTwice)
	case "deprecation", "clock-skew":
		return each(j.reports)
	}
	return nil
}

// each judges firings one by one.
func each(rule func(firing) finding) func([]firing) []finding {
	return func(firings []firing) []finding {
		findings := make([]finding, len(firings))
		for i, f := range firings {
			findings[i] = rule(f)
			findings[i].calls = merged(f.c, findings[i].calls)
		}
		return findings
	}
}

func merged(c *call, more []*call) []*call {
	all := []*call{c}
	for _, m := range more {
		if m != c {
			all = append(all, m)
		}
	}
	return all
}
