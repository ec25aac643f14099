package specs

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"parity/specs/document"
)

// mostViolations bounds what one value is told: a thousand unknown fields need
// no thousand messages.
const mostViolations = 32

// sifts tells whether a value surely passes.
func (k *checker) sifts(value any) bool {
	left := siftedAtMost
	k.sift()
	return k.sieve.passes(value, 0, &left)
}

// check judges a value. A schema that does not compile judges nothing; lint
// says so, see Contract.Check.
func (k *checker) check(in string, value any) []Violation {
	if k.sifts(value) || k.compile() != nil || k.compiled == nil {
		return nil
	}
	if !bearable(k.compiled, value) {
		if !k.mode.sent() {
			return nil
		}
		return []Violation{{In: in, Rule: RuleSize, Message: "is too deep to be judged by what the contract says of it: there are too many ways to read it"}}
	}
	err := k.compiled.Validate(value)
	if err == nil {
		return nil
	}
	var broken *jsonschema.ValidationError
	if !errors.As(err, &broken) {
		return []Violation{{In: in, Rule: RuleType, Message: err.Error()}}
	}
	r := report{checker: k, in: in, root: value}
	found := ordered(r.flatten(broken))
	return k.relaxed(in, value, found[:min(len(found), mostViolations)])
}

// mostFlattened bounds how many violations are written down, of which the first
// are told: a list may have a million items that are all wrong.
const mostFlattened = 32 * mostViolations

// some gives the causes of an error that are looked into. Those of an object
// come in no order of their own.
func some(causes []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(causes) <= mostFlattened {
		return causes
	}
	causes = slices.Clone(causes)
	slices.SortStableFunc(causes, func(a, b *jsonschema.ValidationError) int {
		return slices.Compare(a.InstanceLocation, b.InstanceLocation)
	})
	return causes[:mostFlattened]
}

// A report turns JSON Schema's tree of errors into a flat list.
type report struct {
	checker *checker
	in      string
	root    any
}

func (r report) flatten(e *jsonschema.ValidationError) []Violation {
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		var found []Violation
		for _, cause := range some(e.Causes) {
			if found = append(found, r.flatten(cause)...); len(found) >= mostFlattened {
				break
			}
		}
		return found
	case *kind.AnyOf:
		return r.choose(e)
	case *kind.OneOf:
		if len(e.Causes) > 0 {
			return r.choose(e)
		}
		return []Violation{r.violation(e.InstanceLocation, "oneOf", "fits several of the shapes it may have; make it fit one", "")}
	case *kind.Required:
		var found []Violation
		for _, name := range k.Missing[:min(len(k.Missing), mostFlattened)] {
			found = append(found, r.violation(slices.Concat(e.InstanceLocation, []string{name}), RuleRequired, "is required", ""))
		}
		return found
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
		var found []Violation
		for _, name := range k.Properties[:min(len(k.Properties), mostViolations)] {
			found = append(found, r.unknown(e.InstanceLocation, name))
		}
		return found
	default:
		return []Violation{r.leaf(e)}
	}
}

// choose picks, of several shapes that all do not fit, the one that was most
// likely meant: the one whose own type fits. Where none does, it lists the
// types that would.
func (r report) choose(e *jsonschema.ValidationError) []Violation {
	here := pointerOf(e.InstanceLocation)
	var best, types []Violation
	for _, cause := range e.Causes {
		found := r.flatten(cause)
		var wrong *Violation
		choice := false
		for i := range found {
			if found[i].Pointer == here && found[i].Rule == RuleType {
				wrong = &found[i]
			}
			choice = choice || found[i].Pointer == here && (found[i].Rule == RuleEnum || found[i].Rule == "const")
		}
		switch {
		case wrong != nil:
			types = append(types, *wrong)
		case choice && (len(best) == 0 || len(types) > 0):
			// Kept, but a shape that fits in type and choice goes before it.
			if len(best) == 0 {
				best = found
			}
		case len(best) == 0 || len(found) < len(best) || best[0].Rule == RuleEnum:
			best = found
		}
	}
	if len(best) == 1 && best[0].Rule == RuleEnum && best[0].Want == "" && len(types) > 0 {
		best = nil // the choice was "unset me"; a value was meant
	}
	if len(best) > 0 || len(types) == 0 {
		return best
	}
	wants := make([]string, 0, len(types))
	for _, one := range types {
		if !slices.Contains(wants, one.Want) && one.Want != "null" {
			wants = append(wants, one.Want)
		}
	}
	merged := types[0]
	merged.Want = strings.Join(wants, " or ")
	merged.Message = wanting(merged.Want, show(r.value(e.InstanceLocation)))
	return []Violation{merged}
}

func (r report) leaf(e *jsonschema.ValidationError) Violation {
	at := e.InstanceLocation
	keyword := "schema"
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		keyword = path[0]
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		want := strings.Join(slices.DeleteFunc(slices.Clone(k.Want), func(name string) bool { return name == "null" && len(k.Want) > 1 }), " or ")
		found := r.violation(at, RuleType, "", want)
		found.Message = wanting(want, show(r.value(at)))
		return found
	case *kind.Enum:
		var choices, shown []string
		for _, choice := range k.Want {
			if choice != nil {
				choices, shown = append(choices, plainly(choice)), append(shown, show(choice))
			}
		}
		return r.violation(at, RuleEnum, "wants one of "+strings.Join(shown, ", "), strings.Join(choices, ", "))
	case *kind.Const:
		return r.violation(at, "const", "wants "+show(k.Want), plainly(k.Want))
	case *kind.Format:
		return r.violation(at, RuleFormat, "is not a valid "+k.Want, k.Want)
	case *kind.MinLength:
		return r.bound(at, keyword, "wants at least %s characters", k.Want)
	case *kind.MaxLength:
		return r.bound(at, keyword, "wants at most %s characters", k.Want)
	case *kind.MinItems:
		return r.bound(at, keyword, "wants at least %s items", k.Want)
	case *kind.MaxItems:
		return r.bound(at, keyword, "wants at most %s items", k.Want)
	case *kind.MinProperties:
		return r.bound(at, keyword, "wants at least %s fields", k.Want)
	case *kind.MaxProperties:
		return r.bound(at, keyword, "wants at most %s fields", k.Want)
	case *kind.Minimum:
		return r.bound(at, keyword, "wants at least %s", k.Want)
	case *kind.Maximum:
		return r.bound(at, keyword, "wants at most %s", k.Want)
	case *kind.ExclusiveMinimum:
		return r.bound(at, keyword, "wants more than %s", k.Want)
	case *kind.ExclusiveMaximum:
		return r.bound(at, keyword, "wants less than %s", k.Want)
	case *kind.MultipleOf:
		return r.bound(at, keyword, "wants a multiple of %s", k.Want)
	case *kind.Pattern:
		return r.violation(at, keyword, "does not match "+k.Want, k.Want)
	default:
		return r.violation(at, keyword, "does not keep the rule "+keyword+" of its contract", "")
	}
}

func (r report) bound(at []string, rule, format string, want any) Violation {
	text := fmt.Sprint(want)
	if rat, ok := want.(*big.Rat); ok {
		text = rat.RatString()
	}
	return r.violation(at, rule, fmt.Sprintf(format, text), text)
}

func (r report) unknown(at []string, name string) Violation {
	found := r.violation(slices.Concat(at, []string{name}), RuleUnknown, "is not known here", "")
	found.Want = nearest(name, r.checker.shape.namesAt(at))
	if found.Want != "" {
		found.Message += "; " + found.Want + " may be meant"
	}
	return found
}

func (r report) violation(at []string, rule, message, want string) Violation {
	return Violation{In: r.in, Pointer: pointerOf(at), Rule: rule, Message: message, Want: want, Got: plainly(r.value(at))}
}

// absent stands for a value that is not there.
type absent struct{}

// value finds what is at a place. What is secret there is nobody's business.
func (r report) value(at []string) any {
	if r.checker.shape != nil && r.checker.shape.secretAt(at) {
		return Redacted
	}
	value := r.root
	for _, step := range at {
		switch inside := value.(type) {
		case map[string]any:
			found, ok := inside[step]
			if !ok {
				return absent{}
			}
			value = found
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(inside) {
				return absent{}
			}
			value = inside[i]
		default:
			return absent{}
		}
	}
	return value
}

// plainly writes a value as it came, for those who word a message themselves.
func plainly(value any) string {
	switch v := value.(type) {
	case absent:
		return ""
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	default:
		return shorten(fmt.Sprint(v))
	}
}

// show writes a value for a message of our own: text is quoted.
func show(value any) string {
	if text, ok := value.(string); ok {
		return strconv.Quote(shorten(text))
	}
	return plainly(value)
}

func wanting(want, got string) string {
	words := strings.Split(want, " or ")
	for i, word := range words {
		article := "a "
		if strings.ContainsAny(word[:min(1, len(word))], "aeiou") {
			article = "an "
		}
		words[i] = article + word
	}
	return "wants " + strings.Join(words, " or ") + ", got " + got
}

func pointerOf(location []string) string {
	var out strings.Builder
	for _, step := range location {
		out.WriteByte('/')
		out.WriteString(document.Escape(document.Clip(step, longestStep)))
	}
	return out.String()
}

// longestStep bounds one step of a pointer, which may be as long as the body.
const longestStep = 256 // bytes

// namesAt lists the names that a shape has at a place.
func (s *shape) namesAt(at []string) []string {
	here := s
	for _, step := range at {
		if here == nil {
			return nil
		}
		if next := here.property(step, seen{}); next != nil {
			here = next
		} else {
			here = here.item(seen{})
		}
	}
	if here == nil {
		return nil
	}
	return here.names(seen{})
}
