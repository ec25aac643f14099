package kept

import (
	"errors"
	"strconv"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// Missing says what of the run's record is Missing, or may be, a sentence each;
// none: all is there. Nothing that rests on all of it holds then.
func (k *Run) Missing() []string {
	var all []string
	if k.Damage != nil {
		all = append(all, "the journal is damaged: "+k.Damage.Error())
	}
	if u, ok := unrecordedIn(k.Meta); ok {
		all = append(all, u.String())
	}
	if lost := trail.LostWrites(k.Events); len(lost) > 0 {
		at := make([]string, len(lost))
		for i, seq := range lost {
			at[i] = "#" + strconv.FormatUint(seq, 10)
		}
		all = append(all, "of "+words.Count(len(lost), "write")+" to a real service nobody knows what came ("+enumerated(at)+"): look there")
	}
	after := map[string][]string{}
	var order []string
	for _, g := range k.Gaps {
		if after[g.Why] == nil {
			order = append(order, g.Why)
		}
		after[g.Why] = append(after[g.Why], strconv.FormatUint(g.After, 10))
	}
	for _, why := range order {
		all = append(all, "after event "+enumerated(after[why])+": "+why)
	}
	return all
}

// enumerated names the first few.
func enumerated(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + " and " + words.Count(len(names)-few, "other")
}

// Complete gives an error where something is missing, or may be.
func (k *Run) Complete() error {
	if missing := k.Missing(); len(missing) > 0 {
		return errors.New("part of its record is missing, or may be: " + strings.Join(missing, "; "))
	}
	return nil
}
