package specs

import (
	"cmp"
	"slices"

	"parity/specs/body"
	"parity/specs/document"
	"parity/specs/words"
)

// A Violation is one way a value breaks its contract.
type Violation struct {
	In      string // path, query, header or body; status of a reply
	Pointer string // JSON pointer to the value; empty for the whole
	Rule    string // see the Rule constants, or the JSON Schema keyword that was broken
	Message string // what was meant, in words
	Want    string // type: the types ("integer or object"); enum: the choices ("a, b"); unknown: the nearest known name; bounds: the bound
	Got     string // the value that came, shortened; "an object" and "an array" for those
	Lax     bool   // services let it pass, and so it was read all the same: see Refused
}

// The rules that are not simply a keyword of JSON Schema (minimum, maxLength,
// pattern and so on).
const (
	RuleRequired    = body.RuleRequired    // a value is missing
	RuleType        = "type"               // a value has another type
	RuleEnum        = "enum"               // a value is none of the choices
	RuleUnknown     = "unknown"            // a name that the contract does not have
	RuleUndeclared  = "undeclared"         // a name that the contract neither has nor refuses: see Operation.Undeclared
	RuleFormat      = "format"             // a string that is not what its format says
	RuleSyntax      = body.RuleSyntax      // bytes that are not what the content type says
	RuleSize        = body.RuleSize        // too deep, too many fields, an index too high
	RuleContentType = body.RuleContentType // a body of a kind that the operation does not take
)

// ordered sorts violations, since JSON Schema finds them in the order of maps.
func ordered(found []Violation) []Violation {
	slices.SortFunc(found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(found)
}

// shorten keeps a value from outside short enough for one line of a message.
func shorten(text string) string {
	const most = 80
	return document.Clip(text, most)
}

// nearest gives the known name that was most likely meant, or "" when none is
// close: at most a third of the letters may differ, one at least.
func nearest(name string, known []string) string {
	if len(name) > 64 {
		return ""
	}
	best, distance := "", max(1, len(name)/3)+1
	for _, candidate := range known {
		if d := words.Edits(name, candidate); d < distance || d == distance && best != "" && candidate < best {
			best, distance = candidate, d
		}
	}
	return best
}
