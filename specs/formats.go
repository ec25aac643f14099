package specs

import (
	"encoding/base64"
	"errors"
	"math"
	"sync/atomic"

	"github.com/santhosh-tekuri/jsonschema/v6"

	ecma "parity/specs/pattern"
)

// pattern gives a regular expression, compiled once. It is called under mu.
func (s *schemas) pattern(text string) (jsonschema.Regexp, error) {
	known, ok := s.patterns[text]
	if !ok {
		compiled, err := ecma.Compile(text)
		known = compiledPattern{unhurried{compiled, &s.late}, err}
		s.patterns[text] = known
	}
	return known.engine, known.err
}

// mostLate is how many matches of one contract may take too long, until its
// patterns that backtrack judge nothing any more: a body may have a thousand
// texts that each take as long as they can.
const mostLate = 20

type compiledPattern struct {
	engine jsonschema.Regexp
	err    error
}

// unhurried takes what cannot be told in time for a match: a pattern that takes
// so long judges nothing.
type unhurried struct {
	*ecma.Pattern
	late *atomic.Int32 // matches of the contract that took too long
}

func (u unhurried) MatchString(text string) bool {
	if !u.Quick() && u.late.Load() >= mostLate {
		return true
	}
	matched, err := u.Match(text)
	if err != nil {
		u.late.Add(1)
	}
	return matched || err != nil
}

// asserted tells whether a format is judged. Documents use names of formats as
// they like: those that are left out mean different things in different
// documents (time, duration, period), or say nothing that can be checked (float,
// binary, password).
func asserted(format string) bool {
	switch format {
	case "date", "date-time", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference",
		"uri-template", "uuid", "regex", "json-pointer", "relative-json-pointer", "int32", "int64", "byte":
		return true
	default:
		return false
	}
}

// formats are those of OpenAPI that JSON Schema does not have.
func formats() []*jsonschema.Format {
	within := func(low, high float64) func(any) error {
		return func(value any) error {
			n, ok := value.(float64)
			if whole, isWhole := value.(int64); isWhole {
				n, ok = float64(whole), true
			}
			if ok && (n < low || n > high) {
				return errors.New("number is out of range")
			}
			return nil
		}
	}
	return []*jsonschema.Format{
		{Name: "int32", Validate: within(math.MinInt32, math.MaxInt32)},
		{Name: "int64", Validate: within(math.MinInt64, math.MaxInt64)},
		{Name: "byte", Validate: func(value any) error {
			if text, ok := value.(string); ok {
				_, err := base64.StdEncoding.DecodeString(text)
				return err
			}
			return nil
		}},
	}
}
