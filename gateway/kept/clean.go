package kept

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/gateway/evidence"
	"parity/profiles"
	"parity/profiles/policy"
)

// StandingApprovals works out which calls kept evidence opens a gate for: how often each
// was made, by the values that the gate names, in kept runs that are valid and
// without a failed verdict, under this very policy; a run that failed resets what
// came before it. Evidence in which a byte was changed opens nothing.
func StandingApprovals(store evidence.Store, p *profiles.Profile, now time.Time) []trail.StandingApproval {
	if p.Authority == nil || !slices.ContainsFunc(p.Authority.Gates, func(g *policy.Gate) bool { return g.Skip.Standing != nil }) {
		return nil
	}
	chain, err := store.Verify()
	if err != nil || len(chain.Broken) > 0 {
		return nil
	}
	counted := map[string]*trail.StandingApproval{}
	for i := range chain.Entries {
		e := chain.Entries[i]
		if e.Kind != evidence.Run || e.Policy != p.Authority.Digest {
			continue
		}
		if !clean(store, e) {
			counted = map[string]*trail.StandingApproval{}
			continue
		}
		text, err := store.File(e, evidence.EventsFile)
		if err != nil {
			return nil
		}
		for key, s := range made(text, p.Authority, now.Sub(e.At)) {
			was := counted[key]
			if was == nil {
				was = &trail.StandingApproval{Gate: s.Gate, Identity: s.Identity, Operation: s.Operation, Same: s.Same}
				counted[key] = was
			}
			was.Clean += s.Clean
			was.Entries = append(was.Entries, e.Number)
		}
	}
	var all []trail.StandingApproval
	for _, g := range p.Authority.Gates {
		for _, s := range counted {
			if s.Gate == g.Name && s.Clean >= g.Skip.Standing.Clean {
				all = append(all, *s)
			}
		}
	}
	slices.SortFunc(all, func(a, b trail.StandingApproval) int { return strings.Compare(a.Key(), b.Key()) })
	return all
}

// clean tells whether a kept run is valid and no verdict of it failed.
func clean(store evidence.Store, e evidence.Entry) bool {
	text, err := store.File(e, evidence.ReportFile)
	if err != nil {
		return false
	}
	var said struct {
		Valid    bool `json:"valid"`
		Verdicts []struct {
			Result trail.Result `json:"result"`
		} `json:"verdicts"`
	}
	if json.Unmarshal(text, &said) != nil || !said.Valid {
		return false
	}
	for _, v := range said.Verdicts {
		if v.Result == trail.Failed {
			return false
		}
	}
	return true
}

// made counts the intents of a kept run that a gate with a standing approval let
// pass and that committed, by what the gate calls the same.
func made(text []byte, a *policy.Authority, ago time.Duration) map[string]*trail.StandingApproval {
	all, seen := map[string]*trail.StandingApproval{}, map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	const longest = 64 << 20
	lines.Buffer(nil, longest)
	for lines.Scan() {
		var e struct {
			Identity string `json:"identity"`
			Exchange *struct {
				Service   string         `json:"service"`
				Operation string         `json:"operation"`
				Committed bool           `json:"committed"`
				Intent    trail.Intent   `json:"intent"`
				Body      map[string]any `json:"body"`
				Policy    *trail.Policy  `json:"policy"`
			} `json:"exchange"`
		}
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Exchange == nil || e.Exchange.Policy == nil || !e.Exchange.Committed || seen[e.Exchange.Intent.ID] {
			continue
		}
		x := e.Exchange
		g := a.Named(x.Policy.By)
		if g == nil || g.Skip.Standing == nil || x.Policy.Decision != trail.PolicyAllowed || x.Policy.Skipped != "" && x.Policy.Skipped != trail.SkippedByEvidence {
			continue
		}
		if within := g.Skip.Standing.Within; within > 0 && ago > within {
			continue
		}
		seen[x.Intent.ID] = true
		s := &trail.StandingApproval{Gate: g.Name, Identity: e.Identity, Operation: x.Service + " " + x.Operation, Same: g.Skip.Standing.Values(x.Body)}
		if was := all[s.Key()]; was != nil {
			s = was
		}
		s.Clean++
		all[s.Key()] = s
	}
	return all
}
