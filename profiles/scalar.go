package profiles

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v4"

	"parity/faults"
)

var (
	wholeForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(0|[1-9][0-9]*(_[0-9]+)*)$`) })
	signedForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?(0|[1-9][0-9]*(_[0-9]+)*)$`) })
	numberForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`) })
)

// scalar reads one plain value.
func (s *shaper) scalar(it *item, n *yaml.Node, path string) {
	if n.Kind != yaml.ScalarNode {
		it.bad = true
		s.wrong(it.place, example(it.key), "%s wants %s, and this is %s", path, wanted(it.key), shape(n))
		return
	}
	it.source, it.inset = n.Value, inset(n)
	value, err := read(it.key, n)
	if err != nil {
		it.bad = true
		var m *mistake
		switch {
		case errors.As(err, &m) && it.key.name == "inject":
			s.wrong(it.place, m.hint, "%s", m.message)
		case errors.As(err, &m):
			s.wrong(it.place, m.hint, "%s: %s", path, m.message)
		default: // of the quantities, which say themselves how they are written
			s.wrong(it.place, "", "%s: %v", path, err)
		}
		return
	}
	it.value = value
}

// inset tells how far a text's first character is from where its node stands.
func inset(n *yaml.Node) int {
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return -1
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return 1
	}
	return 0
}

// mistake is an error with a hint of its own.
type mistake struct{ message, hint string }

func (m *mistake) Error() string { return m.message }

func mistaken(hint, format string, args ...any) error {
	return &mistake{message: fmt.Sprintf(format, args...), hint: hint}
}

func read(k *key, n *yaml.Node) (any, error) {
	switch k.kind {
	case whole:
		return readWhole(k, n)
	case integer:
		return readInteger(k, n)
	case number:
		return readNumber(n)
	case flag:
		return readFlag(n)
	case choice:
		return readChoice(k, n)
	case instant, day:
		return readTime(k, n)
	case argument, anything:
		return readArgument(n)
	}
	if err := isText(k, n); err != nil {
		return nil, err
	}
	switch k.kind {
	case share:
		return faults.ParseShare(n.Value)
	case span:
		return faults.ParseDuration(n.Value)
	case size:
		return faults.ParseSize(n.Value)
	case name:
		if !nameForm().MatchString(n.Value) {
			return nil, mistaken("a name has lower-case letters, digits and -, and at most 64 of them", "%s is not a name", shorten(n.Value))
		}
	}
	return n.Value, nil
}

// isText refuses what YAML has read as something other than text.
func isText(k *key, n *yaml.Node) error {
	unit := k.kind == share || k.kind == span || k.kind == size
	switch n.Tag {
	case "!!str":
		if strings.TrimSpace(n.Value) == "" {
			return mistaken(example(k), "this is empty")
		}
		return nil
	case "!!timestamp":
		return nil
	case "!!bool":
		return mistaken("quote it if it is meant as text: "+shorten(n.Value), "%s is a boolean here", n.Value)
	case "!!int", "!!float":
		if unit {
			return mistaken(example(k), "%s has no unit", n.Value)
		}
		return mistaken("quote it if it is meant as text: "+shorten(n.Value), "%s is a number here", n.Value)
	}
	return mistaken("write it as text", "this is %s", n.Tag)
}

func readWhole(k *key, n *yaml.Node) (any, error) {
	hint := example(k)
	switch {
	case n.Tag == "!!str" && wholeForm().MatchString(n.Value):
		return nil, mistaken("write it without quotes", "%s is text here", shorten(n.Value))
	case n.Tag == "!!str" && strings.HasSuffix(n.Value, "%"):
		return nil, mistaken("a share of the calls is written chance: "+n.Value, "%s is not a whole number", shorten(n.Value))
	case n.Tag != "!!int" && n.Tag != "!!float" || !signedForm().MatchString(n.Value):
		return nil, mistaken(hint, "%s is not a whole number in decimal digits", shorten(n.Value))
	}
	v, err := strconv.ParseUint(strings.ReplaceAll(n.Value, "_", ""), 10, 64)
	switch {
	case err != nil && strings.HasPrefix(n.Value, "-"), err == nil && v < k.least:
		return nil, mistaken(hint, "%s is below %d", n.Value, k.least)
	case err != nil:
		return nil, mistaken(hint, "%s is above %d", n.Value, uint64(math.MaxUint64))
	case k.most > 0 && v > k.most:
		return nil, mistaken(hint, "%s is above %d", n.Value, k.most)
	}
	return v, nil
}

func readInteger(k *key, n *yaml.Node) (any, error) {
	if n.Tag != "!!int" || !signedForm().MatchString(n.Value) {
		return nil, mistaken(example(k), "%s is not a whole number in decimal digits", shorten(n.Value))
	}
	v, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 10, 64)
	if err != nil || v > mostInteger || v < -mostInteger {
		return nil, mistaken(example(k), "%s is not from -%d to %d", n.Value, mostInteger, mostInteger)
	}
	return v, nil
}

// mostInteger is the greatest number that JSON carries exactly everywhere.
const mostInteger = 1 << 53

func readNumber(n *yaml.Node) (any, error) {
	if (n.Tag != "!!int" && n.Tag != "!!float") || !numberForm().MatchString(n.Value) {
		return nil, mistaken("write it in decimal digits, such as 60 or 0.5", "%s is not a number", shorten(n.Value))
	}
	v, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return nil, mistaken("such as 60", "%s is out of bounds", shorten(n.Value))
	}
	return v, nil
}

func readFlag(n *yaml.Node) (any, error) {
	switch {
	case n.Tag == "!!bool":
		return strings.EqualFold(n.Value, "true"), nil
	case oldBoolean(n):
		return nil, mistaken("write true or false", "%s is text in YAML 1.2, though it was a boolean in 1.1", n.Value)
	}
	return nil, mistaken("write true or false", "%s is neither true nor false", shorten(n.Value))
}

func readChoice(k *key, n *yaml.Node) (any, error) {
	if slices.Contains(k.choices, n.Value) {
		return n.Value, nil
	}
	hint := didYouMean(n.Value, k.choices)
	if k.name == "inject" {
		return nil, mistaken(hint, "there is no fault %s", shorten(n.Value))
	}
	return nil, mistaken(hint, "%s is not one of its words", shorten(n.Value))
}

func readTime(k *key, n *yaml.Node) (any, error) {
	if t, err := time.Parse(time.RFC3339Nano, n.Value); err == nil {
		return t, nil
	}
	if k.kind == day {
		if t, err := time.Parse(time.DateOnly, n.Value); err == nil {
			return t, nil
		}
		return nil, mistaken(example(k), "%s is not a day", shorten(n.Value))
	}
	return nil, mistaken("write it with its time and zone (RFC 3339), such as 2026-03-02T13:00:00Z", "%s is not a time", shorten(n.Value))
}

// readArgument reads a parameter of a fault as the plain value that it is; the
// fault knows what it wants.
func readArgument(n *yaml.Node) (any, error) {
	switch n.Tag {
	case "!!str", "!!timestamp":
		return n.Value, nil
	case "!!null":
		return nil, nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), nil
	case "!!int":
		if !signedForm().MatchString(n.Value) {
			return nil, mistaken("write it in decimal digits, or quote it if it is text", "%s is not a decimal number", shorten(n.Value))
		}
		v, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 10, 64)
		if err != nil {
			return nil, mistaken("", "%s is too large", n.Value)
		}
		return v, nil
	case "!!float":
		if v, err := readNumber(n); err == nil {
			return v, nil
		}
		return nil, mistaken("write it in decimal digits, or quote it if it is text", "%s is not a number that can be used", shorten(n.Value))
	}
	return nil, mistaken("write a plain value", "this is %s", n.Tag)
}

func wanted(k *key) string {
	switch k.kind {
	case text, name:
		return "text"
	case flag:
		return "true or false"
	case choice:
		return "one of " + strings.Join(k.choices, ", ")
	case oneOrMany:
		return "text, or a list of texts"
	case mix:
		return "a value, a list of values, or a map from values to shares"
	}
	return "a " + string(k.kind)
}
