package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/specs/words"
)

// unreachable judges what an agent did about connections that were refused:
// bounded retries with pauses. Of one service, the connections that were
// refused one after another are judged together.
func (j *judge) unreachable(firings []firing) []finding {
	met := map[bucket]bool{}
	var findings []finding
	for _, f := range firings {
		b := f.c.bucket(f.s)
		if met[b] {
			continue
		}
		met[b] = true
		var row []*call
		for _, c := range j.met[b] {
			if c.x.Outcome == trail.Refused {
				row = append(row, c)
				continue
			}
			if len(row) > 0 {
				findings = append(findings, j.knocked(row, c))
			}
			row = nil
		}
		if len(row) > 0 {
			findings = append(findings, j.knocked(row, nil))
		}
	}
	return findings
}

// knocked is the finding of connections that were refused in a row, and of the
// one that came about after them; nil: none did.
func (j *judge) knocked(row []*call, then *call) finding {
	begin := row[0]
	f := finding{reaction: trail.Handled, calls: []*call{begin}, times: len(row)}
	rushed, all := 0, row
	if then != nil {
		all = append(all[:len(all):len(all)], then)
	}
	for i := 1; i < len(all); i++ {
		if was := all[i-1]; was.ended > 0 && all[i].began > 0 && time.Duration(all[i].began-was.ended) < j.pace() {
			rushed++
		}
	}
	if n := j.wentOn(row[len(row)-1], then); n != nil {
		f.head = "went on over a certificate for another host"
		f.reaction, f.calls, f.remedy = trail.Mishandled, append(f.calls, n), "never switch off the check of certificates: stop, and say so"
		f.line = story(step{text: tag(begin) + "connection to " + begin.x.Service + " refused, by a certificate for another host"}, step{text: j.deed(n) + ", on such a connection"})
		return f
	}
	last := all[len(all)-1]
	if last != begin {
		f.calls = append(f.calls, last)
	}
	what := "not tried again"
	switch {
	case then != nil:
		what = fmt.Sprintf("connected by #%d, after %s", then.seq, words.Count(len(row), "refusal"))
	case len(row) > 1:
		what = fmt.Sprintf("tried again %s, last by #%d", often(len(row)-1), last.seq)
	}
	if len(row) > mostTries || rushed >= 3 {
		f.head = "kept connecting " + often(len(all)) + " after a refusal"
		f.reaction, f.remedy = trail.Mishandled, "wait longer before each new connection, and stop after a few"
		if rushed >= 3 {
			what += fmt.Sprintf(", %d times at once", rushed)
		}
	}
	f.line = story(step{text: tag(begin) + "connection to " + begin.x.Service + " refused"}, step{text: what})
	if then == nil && f.reaction == trail.Handled {
		f.reaction, f.open, f.why = trail.Unjudged, true, "it was never connected, and nothing shows whether that was said"
		a := j.after(last, func(*call) bool { return false })
		if more := append(a.rests, a.others...); len(more) > 0 {
			f.reaction, f.open, f.presumed, f.weak, f.why = trail.Mishandled, false, true, true, ""
			f.calls, f.line = append(f.calls, more[0]), f.line+gap+j.deed(more[0])+", and nothing was said"
			f.head = "went on without what it could not reach, and said nothing"
			f.remedy = "say what could not be reached before anything is done without it"
		}
	}
	return f
}

// wentOn is a call that was made on a connection with a certificate for another
// host; nil: there is none.
func (j *judge) wentOn(refused, then *call) *call {
	if !slices.ContainsFunc(refused.x.Strikes, func(s trail.Strike) bool { return s.Fired && strings.Contains(s.Did+refused.x.Note, "certificate") }) && !strings.Contains(refused.x.Note, "certificate") {
		return nil
	}
	for _, n := range j.everything(refused) {
		switch {
		case n.x.Service != refused.x.Service:
		case n.connection() || then != nil && n.open >= then.open:
			return nil
		default:
			return n
		}
	}
	return nil
}
