package specs

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"regexp"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// longestMatch bounds the backtracking of one match: a pattern that takes
// longer judges nothing.
const longestMatch = 100 * time.Millisecond

type compiledPattern struct {
	engine jsonschema.Regexp
	err    error
}

// pattern reads a regular expression of ECMA-262: by Go's engine, which
// takes no more time than the text is long, and what that one lacks (looking
// around, references back) by one that goes back and tries again.
// It is called under mu.
func (s *schemas) pattern(text string) (jsonschema.Regexp, error) {
	if known, ok := s.patterns[text]; ok {
		return known.engine, known.err
	}
	var found compiledPattern
	if quick, err := regexp.Compile(text); err == nil {
		found.engine = quick
	} else if slow, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode); err == nil {
		slow.MatchTimeout = longestMatch
		found.engine = backtracking{slow}
	} else {
		found.err = fmt.Errorf("pattern %s is not a regular expression", shorten(text))
	}
	s.patterns[text] = found
	return found.engine, found.err
}

// backtracking is a pattern that Go's engine cannot read.
type backtracking struct{ *regexp2.Regexp }

func (b backtracking) MatchString(text string) bool {
	matched, err := b.Regexp.MatchString(text)
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
