package generic

import (
	"slices"
	"strings"

	"parity/specs/anatomy"
	"parity/specs/words"
)

// What an action does is in no contract, but its name often tells it, where the
// record has a word for what has been done:
//
//	POST /orders/{id}/cancel   status: {enum: [open, cancelled]}   ─▶ status: cancelled
//	POST /notes/{id}/archive   archived: {type: boolean}           ─▶ archived: true
//	                           archived_at                         ─▶ now
//
// Nothing is set where the record has no such word.

// outcomes are what is so after a verb, where that is not its participle.
func outcomes(verb string) []string {
	switch verb {
	case "activate", "reactivate", "resume", "unpause", "restore", "unsuspend":
		return []string{"active", "running"}
	case "deactivate":
		return []string{"inactive"}
	case "start", "run", "begin":
		return []string{"started", "running", "inprogress", "active"}
	case "open", "reopen":
		return []string{"open", "reopened"}
	case "send":
		return []string{"sent"}
	case "pay":
		return []string{"paid"}
	case "void":
		return []string{"void", "voided"}
	case "unpublish":
		return []string{"unpublished", "draft"}
	case "abort":
		return []string{"aborted", "cancelled", "canceled"}
	}
	return nil
}

// participles are the ways of writing what has been done by a verb.
func participles(verb string) []string {
	last := verb[len(verb)-1]
	switch {
	case last == 'e':
		return []string{verb + "d"}
	case strings.HasSuffix(verb, "fy"), strings.HasSuffix(verb, "ny"), strings.HasSuffix(verb, "ly"), strings.HasSuffix(verb, "ry"):
		return []string{verb[:len(verb)-1] + "ied"}
	default:
		return []string{verb + "ed", verb + string(last) + "ed"} // canceled, cancelled; stopped
	}
}

// outcome is what an action of some name sets of a record.
func outcome(r *anatomy.Resource, f *form, name string) []assignment {
	parts := words.Split(name)
	if len(parts) == 0 || len(parts) > 2 || len(parts[0]) < 3 { // cancel, cancel_order
		return nil
	}
	verb := parts[0]
	done := append(outcomes(verb), participles(verb)...)
	var set []assignment
	for _, field := range f.names {
		v, plain := typed(f.fields[field]), plainly(field)
		switch {
		case slices.Contains(v.Types, "string") && v.Enum.Len() > 1 && (field == r.Status || plain == "status" || plain == "state"):
			if choice, ok := oneOfThese(v.Enum.Texts(), done); ok {
				set = append(set, assignment{field, value{fixed: choice}})
			}
		case slices.Contains(v.Types, "boolean"):
			bare := strings.TrimPrefix(plain, "is")
			if opposite, ok := strings.CutPrefix(verb, "un"); ok && slices.Contains(participles(opposite), bare) {
				set = append(set, assignment{field, value{fixed: false}})
			} else if slices.Contains(done, bare) {
				set = append(set, assignment{field, value{fixed: true}})
			} else if bare == "enabled" && verb == "disable" || bare == "active" && verb == "deactivate" {
				set = append(set, assignment{field, value{fixed: false}})
			}
		case slices.ContainsFunc(done, func(word string) bool { return plain == word+"at" || plain == word+"on" || plain == word+"date" }):
			set = append(set, assignment{field, value{now: true}})
		}
	}
	return set
}

// oneOfThese gives the choice that is one of some words, in any way of writing.
func oneOfThese(choices, wanted []string) (string, bool) {
	for _, word := range wanted {
		for _, choice := range choices {
			if plainly(choice) == word {
				return choice, true
			}
		}
	}
	return "", false
}
