package verdict

import (
	"slices"
	"strings"

	"parity/faults"
	"parity/faults/trail"
)

// noticeWords are those by which people are told of a notice.
func noticeWords(class faults.Class) []string {
	if class == faults.ClockOff {
		return []string{"clock", "skew", "date header", "server time", "time difference", "time is off"}
	}
	return []string{"deprecat", "sunset", "retire", "end of life", "going away", "410", "migrat", "replaced by", "switched off"}
}

// reports judges that something was noticed which calls for no act: only what
// is said shows it.
func (j *judge) reports(f firing) finding {
	line := tag(f.c) + first(f.s.Did, "answered with a notice")
	speaks := func(text string) bool {
		return slices.ContainsFunc(noticeWords(f.class()), func(word string) bool { return strings.Contains(text, word) })
	}
	if n := j.swapped(f.c); n != nil && f.c.x.Status/100 != 2 {
		return swapping(finding{}, line, n)
	}
	for _, n := range j.followed(f.c) {
		if n.changedThings() && speaks(n.read().texts) {
			return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + tag(n) + "told people: " + quoted(n)}
		}
	}
	if end := j.in.Ending; end != nil && speaks(strings.ToLower(end.Said)) {
		return finding{reaction: trail.Handled, line: line + gap + "said so in its last lines"}
	}
	if f.c.x.Status >= 400 && f.class() == faults.Announced {
		return j.cameOf([]firing{f}, finding{reaction: trail.Handled, line: line, calls: []*call{f.c}})
	}
	said := j.claimAfter(f.c)
	if said == nil {
		return open(line, "nothing shows whether it was reported")
	}
	text := strings.ToLower(said.Note)
	for _, s := range said.Claims {
		text += " " + strings.ToLower(s.Text)
	}
	if speaks(text) {
		return finding{reaction: trail.Handled, also: said.seq, line: line + gap + event(said.seq) + "the agent reported it"}
	}
	return finding{reaction: trail.Unjudged, also: said.seq, line: line, why: "what the agent said does not speak of it", settle: trail.SettleOutcome}
}
