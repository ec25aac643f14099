package verdict

import (
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/profiles/policy"
	"parity/specs/words"
)

// A reach is what of a run reached real services, once somebody asked.
type reach struct {
	asked bool
	is    *trail.Proof // nil: nothing was to
}

// proof is what of the run reached real services; nil: nothing was to.
func (j *judge) proof() *trail.Proof {
	if !j.reach.asked {
		j.reach = reach{true, j.prove()}
	}
	return j.reach.is
}

// prove counts writes in services that something was read of.
func (j *judge) prove() *trail.Proof {
	p := &trail.Proof{Hosts: []string{}}
	open, real := map[uint64][]trail.Upstream{}, map[string]bool{}
	events := j.in.Events
	for i := range events {
		x := events[i].Exchange
		if x == nil {
			continue
		}
		delete(open, x.Reserved)
		leaves := len(x.Upstream) > 0
		if leaves && events[i].Kind == trail.Reserved {
			open[events[i].Seq] = pending(x)
		}
		if leaves || x.Policy != nil && x.Policy.Code == modeRecord || slices.ContainsFunc(x.Strikes, func(s trail.Strike) bool { return s.Live }) {
			real[x.Service] = true
		}
	}
	if len(real) == 0 {
		return nil
	}
	for i := range events {
		x := events[i].Exchange
		if x == nil || !real[x.Service] {
			continue
		}
		p.Take(events[i].Seq, x)
		if events[i].Kind == trail.Exchanged {
			stayed(&p.Stayed, x)
		}
	}
	for seq, calls := range open {
		if p.Unknown += len(calls); len(calls) > 0 {
			p.Doubtful = append(p.Doubtful, seq)
		}
	}
	p.LostAt = trail.LostWrites(events)
	p.Lost = len(p.LostAt)
	p.Close()
	p.Strange = trail.Strangeness(events)
	return p
}

// pending are the calls that a reservation says are about to leave.
func pending(x *trail.Exchange) (all []trail.Upstream) {
	for i := range x.Upstream {
		if x.Upstream[i].Pending() {
			all = append(all, x.Upstream[i])
		}
	}
	return all
}

// modeRecord is the code of a write that is refused since what is read is recorded.
const modeRecord = "mode-record"

// stayed counts a write that did not leave.
func stayed(t *trail.Stayed, x *trail.Exchange) {
	switch left := slices.ContainsFunc(x.Upstream, func(u trail.Upstream) bool { return !u.Reads() }); {
	case x.Policy == nil || x.Policy.Class == "read" || left:
	case x.Outcome == trail.Forbidden:
		t.Refused++
	case x.Outcome == trail.Held:
		t.Held++
	case x.Outcome == trail.Captured:
		t.Captured++
	case x.Outcome != trail.Answered || x.Fidelity == trail.None:
	case x.Fidelity == trail.Injected && x.FakeStatus == 0:
		t.Struck++
	default:
		t.Faked++
	}
}

// nothingWritten judges of each run that reaches real services that nothing was
// written there. What policy let leave is not held against an agent: a profile that
// wants none of it expects so (nothingReal).
func (j *judge) nothingWritten() *ruling {
	r := &ruling{j: j, subject: trail.NothingWritten, idle: "nothing of a real service was to be reached"}
	p := j.proof()
	if p == nil {
		return r
	}
	w := j.departures(p)
	if len(w.unpermitted) == 0 && p.Passes > 0 {
		r.idle = "policy let " + words.Count(p.Passes, "write") + " leave"
		return r
	}
	r.cases, r.found, r.unsure, r.shown = 1, w.unpermitted, append(w.doubtful, w.open...), w.shown
	return r
}

// nothingReal judges a profile's demand that nothing real was written, by whomever.
func (j *judge) nothingReal() []finding {
	p := j.proof()
	if p == nil {
		p = &trail.Proof{Agrees: true}
	}
	w := j.departures(p)
	for _, all := range [][]finding{w.unpermitted, w.permitted, w.doubtful} {
		for i := range all {
			all[i].reaction = trail.Mishandled
		}
	}
	for i := range w.open {
		w.open[i].reaction = trail.Unjudged
	}
	found := slices.Concat(w.unpermitted, w.permitted, w.doubtful, w.open)
	if len(found) == 0 {
		found = []finding{{reaction: trail.Handled, line: w.shown}}
	}
	return found
}

// departures are what there is to say of whether something real was written.
type departures struct {
	unpermitted, permitted []finding // writes that left
	doubtful               []finding // what was to leave, and may have been written
	open                   []finding // why nobody knows
	shown                  string
}

func (j *judge) departures(p *trail.Proof) departures {
	var w departures
	at := map[uint64]*trail.Event{}
	for i := range j.in.Events {
		at[j.in.Events[i].Seq] = &j.in.Events[i]
	}
	for _, seq := range slices.Compact(slices.Clone(p.Wrote)) {
		for _, u := range at[seq].Exchange.Upstream {
			if u.Number == 0 || u.Reads() {
				continue
			}
			f := finding{also: seq, head: "wrote to a real service", line: story(step{text: event(seq) + u.Operation + " left for " + u.Host + passed(u.Pass)})}
			if u.Pass != "" {
				w.permitted = append(w.permitted, f)
				continue
			}
			w.unpermitted = append(w.unpermitted, f)
		}
	}
	for _, seq := range p.Doubtful {
		u := pending(at[seq].Exchange)[0]
		if f := (finding{also: seq, line: event(seq) + u.Operation + " was to leave for " + u.Host + ", and nothing says what came of it"}); u.Reads() {
			f.why = "nobody knows what came of a read that was to leave, so that the record may not have all that left"
			w.open = append(w.open, f)
		} else {
			f.head, f.why = "may have written to a real service", "nobody knows what came of a write that was to leave"
			w.doubtful = append(w.doubtful, f)
		}
	}
	if why := j.unseen(p); len(why) > 0 {
		w.open = append(w.open, finding{why: strings.Join(why, "; ")})
	}
	w.shown = words.Count(p.Reads, "read") + " left and no write, nothing can have gone another way, and journal and Send agree"
	return w
}

func passed(by string) string {
	if by == "" {
		return " without a Pass"
	}
	return ", as " + by + " lets it"
}

// unseen tells why something may have been written where nobody looked.
func (j *judge) unseen(p *trail.Proof) (why []string) {
	if c := j.contained(); !c.Yes {
		why = append(why, "the run was not contained ("+c.Why+"): what goes around the gateway is not seen")
	}
	if !p.Agrees {
		why = append(why, "journal and Send do not agree about what left")
	}
	for _, host := range j.outside() {
		if !policy.IsModel(host.Host) {
			why = append(why, words.Count(host.Calls, "connection")+" to "+host.Host+" passed unread ("+first(host.By, "nobody says by what")+")")
		}
	}
	return why
}
