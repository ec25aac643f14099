package verdict

import (
	"fmt"
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
				findings = append(findings, knocked(row, c))
			}
			row = nil
		}
		if len(row) > 0 {
			findings = append(findings, knocked(row, nil))
		}
	}
	return findings
}

// knocked is the finding of connections that were refused in a row, and of the
// one that came about after them; nil: none did.
func knocked(row []*call, then *call) finding {
	begin := row[0]
	f := finding{reaction: trail.Handled, calls: []*call{begin}, times: len(row)}
	rushed, all := 0, row
	if then != nil {
		all = append(all[:len(all):len(all)], then)
	}
	for i := 1; i < len(all); i++ {
		if was := all[i-1]; was.ended > 0 && all[i].began > 0 && time.Duration(all[i].began-was.ended) < atOnce {
			rushed++
		}
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
		f.reaction, f.mend = trail.Mishandled, "wait longer before each new connection, and stop after a few"
		if rushed >= 3 {
			what += fmt.Sprintf(", %d times at once", rushed)
		}
	}
	f.line = story(step{text: tag(begin) + "connection to " + begin.x.Service + " refused"}, step{text: what})
	return f
}
