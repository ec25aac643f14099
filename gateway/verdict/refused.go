package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"parity/faults"
	"parity/faults/trail"
	"parity/specs/words"
)

// mostTries is how many attempts of one intent are still bounded.
const mostTries = 10

// refused judges what an agent did about refusals: where it was told to wait,
// no call in the same bucket before that is over; otherwise bounded retries. No
// other credential gets around one, and what was refused is not called done. A
// limit is for all that share it, an error for what was asked.
func (j *judge) refused(firings []firing) []finding {
	type shut struct {
		bucket
		intent
	}
	waits := map[shut][]firing{}
	var order []shut
	var plain []firing
	for _, f := range firings {
		if f.s.Wait <= 0 {
			plain = append(plain, f)
			continue
		}
		what := shut{bucket: f.c.bucket(f.s)}
		if f.class() == faults.Failing {
			what.intent = f.c.intent()
		}
		if waits[what] == nil {
			order = append(order, what)
		}
		waits[what] = append(waits[what], f)
	}
	var findings []finding
	for _, what := range order {
		calls := j.met[what.bucket]
		if what.intent != (intent{}) {
			calls = j.intents[what.intent]
		}
		findings = append(findings, j.waited(waits[what], calls)...)
	}
	if f := j.guesses(plain); f != nil {
		return append(findings, *f)
	}
	for _, group := range byIntent(plain) {
		f := j.bounded(group)
		if f.reaction == trail.Handled {
			f = j.cameOf(group, f)
		}
		findings = append(findings, f)
	}
	return findings
}

// advisedWait is how long an answer told a client to wait.
type advisedWait struct {
	c     *call
	from  trail.Instant
	until trail.Instant
	slack time.Duration
}

// waited follows one bucket. Time is real where every call of it has a
// settlement, since that is what a client waits in; else it is the run's.
func (j *judge) waited(firings []firing, calls []*call) []finding {
	real := !slices.ContainsFunc(calls, func(c *call) bool { return c.began == 0 || c.ended == 0 })
	begin := func(c *call) trail.Instant {
		if real {
			return c.began
		}
		return c.at
	}
	waits := make([]advisedWait, len(firings))
	for i, f := range firings {
		t := advisedWait{c: f.c, from: f.c.at, until: f.s.Until, slack: slack(f)}
		if real {
			t.from, t.until = f.c.ended, f.c.ended+trail.Instant(f.s.Wait)
		}
		waits[i] = t
	}
	calls = slices.Clone(calls)
	slices.SortStableFunc(calls, func(a, b *call) int { return cmp.Compare(begin(a), begin(b)) })
	slices.SortStableFunc(waits, func(a, b advisedWait) int { return cmp.Compare(a.from, b.from) })
	var findings []finding
	var shut advisedWait
	next := 0
	for _, c := range calls {
		for next < len(waits) && waits[next].from <= begin(c) && waits[next].c != c {
			if waits[next].until > shut.until {
				shut = waits[next]
			}
			next++
		}
		if shut.c == nil || shut.c == c || c.open < shut.c.open || begin(c)+trail.Instant(shut.slack) >= shut.until {
			continue
		}
		findings = append(findings, early(shut, c, begin(c)))
	}
	if len(findings) > 0 {
		return findings
	}
	var well []firing
	for _, group := range byIntent(firings) {
		begin := group[0].c
		base := finding{reaction: trail.Handled, calls: []*call{begin}, times: len(group), line: refusedFor(group)}
		if f := j.cameOf(group, base); f.reaction != trail.Handled {
			findings = append(findings, f)
		} else {
			well = append(well, group...)
		}
	}
	if len(well) > 0 {
		findings = append(findings, punctual(well))
	}
	return findings
}

// refusedFor words a refusal that says when to come back.
func refusedFor(group []firing) string {
	c := group[0].c
	return tag(c) + fmt.Sprintf("answered %d, wait %s   nobody came back early", c.x.Status, span(group[0].s.Wait))
}

// A refusal and its wait are the rule's own words, and when the agent came back
// is measured: nothing that the fake leaves out could make them otherwise. So
// these findings rest on no property of it.

// slack is how much earlier than told a client may come: clocks and timers are
// not exact, and a date has whole seconds.
func slack(f firing) time.Duration {
	for _, h := range f.c.x.ReplyHeader {
		if h.Name == "Retry-After" && len(h.Value) > 0 && (h.Value[0] < '0' || h.Value[0] > '9') {
			return time.Second + f.s.Wait/100
		}
	}
	return 100*time.Millisecond + f.s.Wait/100
}

func early(t advisedWait, c *call, began trail.Instant) finding {
	wait, gap := time.Duration(t.until-t.from), time.Duration(began-t.from)
	return finding{
		reaction: trail.Mishandled,
		line: story(
			step{text: tag(t.c) + fmt.Sprintf("answered %d, wait %s", t.c.x.Status, span(wait))},
			step{text: tag(c) + "came after " + span(gap) + clause(seen(c))},
		),
		head: "came back after " + span(gap) + ", told to wait " + span(wait), remedy: "wait as long as " + waitSource(t.c) + " says before any call that shares the limit",
		calls: []*call{t.c, c},
	}
}

// waitSource names what of an answer said how long to wait.
func waitSource(c *call) string {
	if slices.ContainsFunc(c.x.ReplyHeader, func(h trail.Field) bool { return h.Name == "Retry-After" }) {
		return "Retry-After"
	}
	return "the answer"
}

// punctual is the finding of a bucket in which nobody came early.
func punctual(firings []firing) finding {
	f := finding{reaction: trail.Handled, times: len(firings)}
	for _, r := range firings {
		f.calls = append(f.calls, r.c)
	}
	f.line = refusedFor(firings)
	if n := len(firings); n > 1 {
		f.line = words.Count(n, "refusal") + " with a wait   nobody came back early"
	}
	return f
}

// waitLonger mends tries that came without a pause, or at one pace.
const waitLonger = "wait longer before each retry, and stop after a few"

// bounded judges retries of one intent: not too many, and not without pause.
func (j *judge) bounded(group []firing) finding {
	begin := group[0].c
	all := j.intents[begin.intent()]
	f := finding{reaction: trail.Handled, calls: []*call{begin}, times: len(group), remedy: "stop after a few tries"}
	tries := all[begin.nth:]
	rushed, retries := j.rushed(tries), len(tries)-1
	what := "not sent again"
	last := all[len(all)-1]
	if retries > 0 {
		f.calls = append(f.calls, last)
	}
	switch {
	case len(tries) > mostTries*abreast(tries) || abreast(tries) == 1 && hurried(tries):
		f.reaction = trail.Mishandled
		if rushed > 0 || hurried(tries) {
			f.remedy = waitLonger
		}
		what = fmt.Sprintf("sent again %s, last by #%d", often(retries), last.seq)
	case rushed >= 3:
		f.reaction, f.remedy = trail.Mishandled, waitLonger
		what = fmt.Sprintf("sent again %s, %d of them at once, last by #%d", often(retries), rushed, last.seq)
	case retries > 0:
		what = fmt.Sprintf("sent again %s, last by #%d%s", often(retries), last.seq, clause(seen(last)))
	}
	if f.reaction == trail.Handled {
		f.remedy = ""
	} else {
		f.head = keptAsking(tries)
	}
	f.line = story(step{text: j.opening(begin)}, step{text: what})
	return f
}
