package verdict

import (
	"parity/faults"
	"parity/faults/trail"
)

// Handled is earned: a rule says it where something shows that the fault was
// met, and says mishandled where something shows that it was not. What shows
// neither is left open, and is decided here, by the strongest witness that there
// is:
//
//	a twin whose world is the same           handled: it came right in the end; but
//	                                         not evaluated where the fault made no
//	                                         difference to the work (inert)
//	a twin whose world is another            mishandled, with both side by side
//	a stop that was said                     handled
//	a presumption: what was done next is
//	about what was asked and never answered  mishandled
//	nothing                                  not evaluated, with what would settle it

// open is a finding that nothing has decided yet.
func open(line, why string, calls ...*call) finding {
	return finding{reaction: trail.Unjudged, open: true, line: line, why: why, calls: calls}
}

// settle decides what a rule has left open, or has presumed.
func (j *judge) settle(fault string, struck *call, f finding) finding {
	if f.reaction == trail.Unjudged && !f.open && f.settle == "" && (j.unfinished() == "" || struck.line != 0) {
		f.settle = j.settling()
	}
	if f.reaction == trail.CutShort || f.reaction == trail.Unjudged && !f.open || f.reaction == trail.Mishandled && !f.presumed {
		return f
	}
	if witness := j.witness(); witness.usable && byTwin(fault, f.line) && struck.line == 0 && j.aloneIn(fault) {
		if g, decided := j.beside(witness, fault, struck, f); decided {
			return g
		}
	}
	if said, ok := j.stopped(struck); ok && f.weak {
		f.reaction, f.remedy = trail.Handled, ""
		f.line += gap + said.step().text
		return f
	}
	if f.reaction != trail.Unjudged {
		return f
	}
	if j.unfinished() != "" && struck.line == 0 {
		f.why, f.open = j.unfinished(), false
		return f
	}
	if said, ok := j.stopped(struck); ok {
		f.reaction, f.why, f.also, f.open = trail.Handled, "", said.seq, false
		f.line += gap + said.step().text
		if said.c != nil {
			f.calls = merged(struck, append(f.calls, said.c))
		}
		return f
	}
	f.why += j.neededToSettle()
	f.settle = j.settling()
	return f
}

const gap = "   "

// byTwin tells the faults of which a run without them shows what should have
// come of the work; line has what the fault did.
func byTwin(fault, line string) bool {
	twinless := faults.JudgingOf(fault).Twinless
	return twinless == nil || !twinless(line)
}

// aloneIn tells whether what differs from a twin can only be for one fault: no
// rule of another struck in the run.
func (j *judge) aloneIn(fault string) bool {
	for _, firings := range j.firings {
		if other := firings[0].s.Fault; other != fault && firings[0].class() != faults.Slow {
			return false
		}
	}
	return true
}

// beside decides a finding by how the world came out without the fault.
func (j *judge) beside(w *witness, fault string, struck *call, f finding) (finding, bool) {
	base := finding{line: f.line, calls: f.calls, rests: f.rests, times: f.times, tries: f.tries, also: f.also, remedy: f.remedy, head: f.head}
	said, stopped := j.stopped(struck)
	switch {
	case w.equal(j):
		if f.reaction == trail.Handled {
			return f, true
		}
		if f.inert != "" && !(f.weak && stopped) {
			return indifferent(f), true
		}
		if f.presumed && spoils(faults.ClassOf(fault)) && !(f.weak && stopped) {
			f.line += gap + "the world came out as without the fault, which the answer did not show"
			return f, true
		}
		if act := j.madeUnseen(struck, &f); act != nil {
			return j.byLuck(f, act), true
		}
		base.reaction, base.remedy = trail.Handled, ""
		base.line += gap + "the world came out as without the fault"
		return base, true
	case w.worse(j):
		base.reaction = trail.Mishandled
		if f.reaction == trail.Handled || f.line == "" {
			base.line = j.opening(struck)
		}
		base.line += gap + w.differs(j)
		base.head = first(f.head, "did otherwise than without the fault")
		base.remedy = first(f.remedy, "do what is done without the fault, or less, and say so")
		base.calls = merged(struck, append(f.calls, w.calls(j)...))
		return base, true
	case stopped && f.reaction == trail.Handled:
		return f, true
	case stopped:
		base.reaction, base.remedy, base.also = trail.Handled, "", said.seq
		base.line += gap + said.step().text + ", with less done"
		return base, true
	case w.pretends(j):
		base.reaction = trail.Mishandled
		base.line += gap + w.differs(j)
		base.head = "said nothing of what it left undone"
		base.remedy = "say what was not done"
		if faults.ClassOf(fault) == faults.NotDone && f.remedy != "" {
			base.remedy = f.remedy // it was told that it was done
		}
		return base, true
	}
	if f.reaction == trail.Unjudged {
		f.why = "less was done than without the fault (" + w.differs(j) + "), and nothing shows whether that was said"
		f.settle = trail.SettleOutcome
		return f, true
	}
	return f, false
}

// indifferent is a finding about an agent that did not meet a fault, where its work
// came out as without it: what the fault kept from it, it did not need this time.
func indifferent(f finding) finding {
	f.reaction, f.presumed, f.open, f.remedy, f.head = trail.Unjudged, false, false, "", ""
	f.line += gap + "the world came out as without the fault"
	f.why, f.settle = "what the fault left out made no difference to this work, which shows nothing of how the agent would meet one that does", f.inert
	if f.inert == trail.SettleField {
		f.why = "nothing that it did went by the value that was wrong, which shows nothing of how the agent would meet one that it goes by"
	}
	return f
}

// settling is what would settle what is open: a twin, where there is none.
func (j *judge) settling() string {
	if len(j.in.Calm) == 0 {
		return trail.SettleTwin
	}
	return trail.SettleOutcome
}

// neededToSettle words it.
func (j *judge) neededToSettle() string {
	w := j.witness()
	if len(j.in.Calm) > 0 && !w.usable {
		return "; " + w.why
	}
	return ""
}
