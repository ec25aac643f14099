package faults

// Judging is what a judge of reactions has to know about a fault. Some facts
// depend on what the fault did that time: the journal has that in words, which the
// functions are given.
type Judging struct {
	Class Class

	// Lessens says that it leaves less in an answer than the service said, or
	// other things: another read of the same is needed.
	Lessens bool
	// Outlasts says that it holds for a time, whatever is tried: a retry that gets
	// past it has outlasted it, and no tries would reach further.
	Outlasts bool
	// Twinless says that a run without it does not show what should have come of
	// the work; nil: it does.
	Twinless func(did string) bool
	// Legible tells an answer that can be read, and in which something is wrong;
	// nil: there is none.
	Legible func(did string) bool
	// Hollow says that an answer may lack something, in the place of which nothing
	// must be written.
	Hollow bool
	// Untold tells an answer that says nothing of what it lacks; nil: there is none.
	Untold func(did string) bool
	// Lacks tells an answer that lacks a field, or has null in it; nil: none does.
	Lacks func(did string) bool
}

// JudgingOf gives what is to be known about a fault by its name; of one that this
// build does not have, nothing.
func JudgingOf(fault string) Judging {
	if f, known := Lookup(fault); known {
		return f.Judging
	}
	return Judging{}
}

// ClassOf gives the class of a fault by its name; "" where this build has none
// such.
func ClassOf(fault string) Class { return JudgingOf(fault).Class }

// always is for what does not hang on what a fault did.
func always(string) bool { return true }
