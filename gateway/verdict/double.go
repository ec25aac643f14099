package verdict

import (
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// oneEffect judges what is always judged: at most one committed effect per
// intent. Operations that a difference covers are judged apart, since nothing
// is proved about them.
func (j *judge) oneEffect() []trail.Verdict {
	plain, weak := &doubles{j: j}, &doubles{j: j}
	of := func(c *call) *doubles {
		names := j.weakenedBy([]rest{{c.x.Service, c.x.Operation, effects}})
		if len(names) == 0 {
			return plain
		}
		weak.weakened = merge(weak.weakened, names)
		return weak
	}
	for _, id := range j.order {
		of(j.intents[id][0]).intent(j.intents[id])
	}
	for _, f := range j.doubts {
		if f.calls[0].line == 0 {
			d := of(f.calls[0])
			d.unsure = append(d.unsure, f)
		}
	}
	for _, p := range j.orders() {
		of(p.lost).order(p)
	}
	for _, by := range j.actors {
		for _, p := range j.rewordings(j.changes[by]) {
			of(p.c).reworded(p)
		}
	}
	var out []trail.Verdict
	if plain.intents > 0 || weak.intents == 0 {
		out = append(out, plain.verdict())
	}
	if weak.intents > 0 {
		out = append(out, weak.verdict())
	}
	return out
}

// doubles gathers what was done more than once, or may have been.
type doubles struct {
	j        *judge
	intents  int // that changed something
	first    []*call
	found    []finding
	unsure   []finding
	weakened []string
}

// intent looks for several effects of one intent. Effects with a read-back in
// between that showed the one before may be orders of their own.
func (d *doubles) intent(calls []*call) {
	candidates := 0
	for _, c := range calls {
		if c.changedThings() {
			candidates++
		}
	}
	if candidates == 0 {
		return
	}
	d.intents++
	d.first = append(d.first, calls[0])
	if candidates == 1 {
		return
	}
	done := d.j.lastingOf(d.j.effectsOf(calls))
	if len(done) < 2 {
		return
	}
	f := d.j.doubled(calls, done)
	for i, e := range done[1:] {
		if !d.j.readBack(done[i].c, e.c.open).shows {
			d.found = append(d.found, f)
			return
		}
		f.why = first(f.why, inSight(done[i].c, e.c))
	}
	d.unsure = append(d.unsure, f)
}

// more adds two such effects of which nobody will read the line.
func (d *doubles) more(p repeat) {
	if f := (finding{calls: []*call{p.lost, p.c}}); p.label != "" {
		d.found = append(d.found, f)
	} else {
		d.unsure = append(d.unsure, f)
	}
}

// lastingOf leaves out the effects that the agent took back by itself.
func (j *judge) lastingOf(done []effect) []effect {
	if len(done) < 2 {
		return done
	}
	var lasting []effect
	for _, e := range done {
		if !j.takenBack(e.c, nil) {
			lasting = append(lasting, e)
		}
	}
	return lasting
}

// order adds two effects that are for one order, or may be.
func (d *doubles) order(p repeat) {
	if len(d.found)+len(d.unsure) > mostShown {
		d.more(p)
		return
	}
	f := finding{
		calls: []*call{p.lost, p.c},
		line:  story(step{text: d.j.deed(p.lost)}, step{text: d.j.deed(p.c) + ", once more", sum: tally(d.j.effectsOf([]*call{p.lost, p.c}))}),
	}
	if p.label != "" {
		f.line += gap + "both for " + p.label
		f.remedy = "send the same idempotency key for the same order, made of what names it, whoever sends it"
		d.found = append(d.found, f)
		return
	}
	f.why = "the same once more, after it had been answered: that may be another order, or the same one made twice, and nothing tells them apart"
	f.settle = meantBy(p.c)
	d.unsure = append(d.unsure, f)
}

// reworded adds two effects that are alike but for their words.
func (d *doubles) reworded(p pair) {
	fields := words.And(p.fields)
	d.unsure = append(d.unsure, finding{
		calls: []*call{p.lost, p.c},
		line: story(
			step{text: d.j.opening(p.lost)},
			step{text: tag(p.c) + "once more, with another " + fields + clause(seen(p.c)), sum: tally(d.j.effectsOf([]*call{p.lost, p.c}))},
		),
		why: event(p.lost.seq) + "and " + strings.TrimSpace(event(p.c.seq)) + " differ in " + fields +
			" only, and nothing had shown what became of the first: that may be one order made twice, or two, and the wire does not show which",
	})
}

func (d *doubles) verdict() trail.Verdict {
	v := trail.Verdict{Subject: trail.OneEffect, Kind: "always", Result: trail.Passed, Weakened: d.weakened}
	v.Scope = d.j.basis(d.first)
	v.Scope.Properties = []string{effects}
	shown := d.found
	if len(shown) == 0 {
		shown = d.unsure
	}
	v.Lines, v.Evidence = show(shown)
	for _, f := range shown {
		v.Mend, v.Why = first(v.Mend, f.remedy), first(v.Why, f.why)
	}
	switch {
	case d.intents == 0:
		v.Result, v.Why = trail.NotExercised, "no call changed anything"
	case len(d.weakened) > 0:
		v.Result, v.Why = trail.NotEvaluated, "not for "+words.And(v.Scope.Operations)+": "+worded(d.j.weaknesses(on(effects, d.first...)))
	case len(d.found) > 0:
		v.Result, v.Why, v.Headline = trail.Failed, "", d.j.headlines(d.found)
	case len(d.unsure) > 0:
		v.Result, v.Mend = trail.NotEvaluated, ""
		v.Settle = first(d.unsure[0].settle, meantBy(d.unsure[0].calls[0]))
	default:
		v.Lines = []string{words.Count(d.intents, "intent") + " changed something, each once"}
	}
	return v
}
