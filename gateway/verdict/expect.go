package verdict

import (
	"slices"

	"parity/faults/trail"
	"parity/profiles"
)

// What a profile expects is judged from the journal alone, each expectation on
// one walk over it:
//
//	events ─▶ happenings ─┬─▶ order: never, no_call_to, counts of calls, each, holds
//	  │  (calls, and what │
//	  │   they changed)   └─▶ state: counts of new records, only_changes
//	  └─▶ fold over the world that the run began with ─▶ eventually, finally
//
// A call that could not be judged (a field that is not there, say) makes the
// verdict not evaluated, with the place in the profile, unless another failed.

// The grades of expectations.
const (
	gradesOrder = "order" // what was called, and in which order
	gradesState = "state" // what became of the world
)

// expectations judges what the profile expects.
func (j *judge) expectations() []trail.Verdict {
	verdicts := make([]trail.Verdict, len(j.in.Expectations))
	for i := range j.in.Expectations {
		verdicts[i] = j.expectation(&j.in.Expectations[i])
	}
	return verdicts
}

// expectation judges one. Idle says why it was not exercised, where nothing was
// found that it is about.
func (j *judge) expectation(e *profiles.Expectation) trail.Verdict {
	found, idle := j.expected(e)
	var rests []string
	for i := range found {
		f := &found[i]
		for _, r := range f.rests {
			rests = merge(rests, []string{r.property})
		}
		if weak := j.weaknesses(f.rests); len(weak) > 0 {
			looked := "held"
			if f.reaction == trail.Mishandled {
				looked = "failed"
			}
			f.why = "it looked as if it " + looked + ", but that proves nothing: " + worded(weak)
			f.reaction, f.weakened, f.rests = trail.Unjudged, j.weakenedBy(f.rests), nil
		}
	}
	v := trail.Verdict{Result: trail.NotExercised, Why: idle, Scope: trail.Basis{Operations: []string{}}}
	if len(found) > 0 {
		v = j.gather(found).Verdict
	}
	if v.Reaction != trail.CutShort {
		v.Reaction = "" // a word for faults
	}
	at := e.At
	v.Subject, v.Kind, v.Grades, v.At, v.Because = e.Name, "expectation", grades(e), &at, e.Because
	slices.Sort(rests)
	v.Scope.Properties = rests
	return v
}

// grades tells order from state.
func grades(e *profiles.Expectation) string {
	switch e.Form {
	case profiles.Eventually, profiles.Finally, profiles.OnlyChanges, profiles.Always:
		return gradesState
	case profiles.Holds:
		if e.Holds.Needs("world") && !e.Holds.Needs("calls") {
			return gradesState
		}
	case profiles.Counts, profiles.Never:
		if len(e.Calls) == 0 {
			return gradesState
		}
	}
	return gradesOrder
}

// expected asks the judge of a form.
func (j *judge) expected(e *profiles.Expectation) (found []finding, idle string) {
	switch e.Form {
	case profiles.Never:
		return j.neverCalled(e)
	case profiles.NoCallTo:
		return j.noCallTo(e)
	case profiles.Counts:
		return j.counting(e)
	case profiles.Each:
		return j.inOrder(e)
	case profiles.MaxAge:
		return j.upToDate(e)
	case profiles.Elapsed:
		return j.inTime(e)
	case profiles.OnlyChanges:
		return j.onlyChanges(e)
	case profiles.Eventually:
		return j.eventually(e)
	case profiles.Finally, profiles.Holds:
		return j.atTheEnd(e)
	case profiles.Always:
		return j.nothingReal(), ""
	}
	return []finding{{reaction: trail.Unjudged, why: "this build has no way to judge " + e.Form}}, ""
}

// unjudged is a call that an expectation could not be held against.
func unjudged(c *call, why string) finding {
	return finding{reaction: trail.Unjudged, line: tag(c) + c.name() + ": not judged", why: why, calls: []*call{c}}
}
