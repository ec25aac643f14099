package verdict

import "parity/faults/trail"

// torn weakens a judgement of a record that is not known to be whole. That
// nothing wrong is in what is left shows nothing about the rest; what is seen to
// be wrong stays so, as far as the record goes.
func torn(out *trail.Judgement) {
	out.Valid = false
	for i := range out.Verdicts {
		v := &out.Verdicts[i]
		switch v.Result {
		case trail.Passed:
			looked := "it held"
			if v.Reaction != "" {
				looked, v.Reaction = "it was handled", trail.Unjudged
			}
			v.Result, v.Mend, v.Settle = trail.NotEvaluated, "", ""
			v.Why = looked + " as far as the record goes, of which a part is missing, or may be"
		case trail.Failed:
			v.Why = first(v.Why, "as far as the record goes, of which a part is missing, or may be")
		}
	}
}
