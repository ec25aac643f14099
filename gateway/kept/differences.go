package kept

import (
	"strings"
	"time"

	"parity/faults/trail"
	"parity/gateway/verdict"
	"parity/profiles"
	"parity/specs"
)

// difference is a known difference as the run's judge is told of it. How its
// acceptance stands goes by the real day on which the run was made: a report that
// is made again says the same.
func (k *Run) difference(d profiles.Difference) verdict.DifferenceInfo {
	info := verdict.DifferenceInfo{
		Name: d.Name, Production: d.Production, Here: d.Here, So: d.So, Weakens: d.Weakens, Covers: covers(d),
	}
	if d.Name == profiles.MirrorAge && k.Profile != nil {
		if age := k.Profile.Aged(k.Info.Made); age != "" {
			info.So += " " + age
		}
	}
	if a := d.Accepted; a != nil {
		info.Accepted = &trail.Acceptance{By: a.By, Standing: a.Standing(k.Info.Made)}
		if !a.Until.IsZero() {
			info.Accepted.Until = a.Until.Format(time.DateOnly)
		}
	}
	return info
}

func covers(d profiles.Difference) func(service, operation string) bool {
	return func(service, operation string) bool {
		method, path, _ := strings.Cut(operation, " ")
		op := &specs.Operation{Service: service, Method: method, Path: path}
		for _, p := range d.Covers {
			if p.Match(op) {
				return true
			}
		}
		return false
	}
}

// ofPolicy are the known differences that come by themselves with what policy did
// in the run: what was captured was not done, and a real service words no
// approvals.
func (k *Run) ofPolicy() []verdict.DifferenceInfo {
	captured, held := map[string]bool{}, map[string]bool{}
	for i := range k.Events {
		x := k.Events[i].Exchange
		switch {
		case x == nil || x.Policy == nil:
		case x.Outcome == trail.Captured:
			captured[x.Service+" "+x.Operation] = true
		case x.Outcome == trail.Held:
			held[x.Service+" "+x.Operation] = true
		}
	}
	var all []verdict.DifferenceInfo
	of := func(calls map[string]bool) func(service, operation string) bool {
		return func(service, operation string) bool { return calls[service+" "+operation] }
	}
	if len(captured) > 0 {
		all = append(all, verdict.DifferenceInfo{
			Name: "drafts-are-not-kept", Production: "A write that succeeds is there when it is read back.",
			Here: "A draft was answered as if it were done, and nothing was done.", So: "Nothing here shows what the agent does with what it has written.",
			Weakens: []string{"effects", "freshness"}, Covers: of(captured),
		})
	}
	if len(held) > 0 {
		all = append(all, verdict.DifferenceInfo{
			Name: "approval-wire", Production: "A service knows no approvals: what stands before it words its refusals in its own way.",
			Here: "A call that needs an approval is refused as the service words a missing right.", So: "Nothing here shows that the agent understands the words of the gate that production has.",
			Weakens: []string{"auth"}, Covers: of(held),
		})
	}
	return all
}
