package faults

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// ParamKind is how a parameter is written and in which unit.
type ParamKind string

// The kinds of parameters.
const (
	Duration ParamKind = "duration" // 250ms, 40s, 1h30m, 2d
	Share    ParamKind = "share"    // 8%, 0.5%
	Size     ParamKind = "size"     // 64KB, 10MB, 512B; powers of 1024
	Count    ParamKind = "count"    // a whole number
	Choice   ParamKind = "choice"   // one of Choices
	Flag     ParamKind = "flag"     // true or false
	Text     ParamKind = "text"
	Cut      ParamKind = "cut"     // a share, a size, or one of Choices
	Portion  ParamKind = "portion" // a share, or a whole number from 1
	Call     ParamKind = "call"    // an operation as a rule's call: writes it, or a list of them
	Fields   ParamKind = "fields"  // a map from fields to what they are: values, lists and maps
	Names    ParamKind = "names"   // a list of words, or one
	Number   ParamKind = "number"  // whole or not; bounded where Min or Max is not 0
	Value    ParamKind = "value"   // text, a number, true or false
)

// Param is one parameter of a fault.
type Param struct {
	Name    string
	Kind    ParamKind
	Default any  // nil: none. What Args have of it
	Written bool // of a call: its path may be written out, with values where the contract has parameters
	Choices []string
	Min     int64 // of a count or a number, or of a duration in nanoseconds
	Max     int64 // 0: no bound
	Doc     string
	Example string
}

func (p Param) parse(raw any) (any, error) {
	switch p.Kind {
	case Duration:
		return p.duration(raw)
	case Share:
		return asText(raw, "a share with its sign, such as 30%", ParseShare)
	case Size:
		return asText(raw, "a size with its unit, such as 64KB", ParseSize)
	case Count:
		return p.count(raw)
	case Choice:
		s, err := choiceText(raw)
		if err != nil || !slices.Contains(p.Choices, s) {
			return nil, fmt.Errorf("%v is not one of %s", raw, strings.Join(p.Choices, ", "))
		}
		return s, nil
	case Flag:
		if b, ok := raw.(bool); ok {
			return b, nil
		}
		return nil, fmt.Errorf("%v is neither true nor false", raw)
	case Cut:
		return p.cut(raw)
	case Portion:
		return p.portion(raw)
	case Call, Names, Fields, Number, Value:
		return p.made(raw)
	}
	if s, ok := raw.(string); ok {
		return s, nil
	}
	return nil, fmt.Errorf("%v is not text", raw)
}

func (p Param) duration(raw any) (any, error) {
	v, err := asText(raw, "a duration with its unit, such as 40s", ParseDuration)
	if err != nil {
		return nil, err
	}
	d := v.(time.Duration)
	if int64(d) < p.Min || p.Max > 0 && int64(d) > p.Max {
		return nil, fmt.Errorf("%v is out of bounds: from %v to %v", raw, time.Duration(p.Min), time.Duration(p.Max))
	}
	return d, nil
}

func (p Param) count(raw any) (any, error) {
	var n int64
	switch v := raw.(type) {
	case int:
		n = int64(v)
	case int64:
		n = v
	case uint64:
		n = int64(v) //nolint:gosec // bounded below
	default:
		return nil, fmt.Errorf("%v is not a whole number", raw)
	}
	if n < p.Min || p.Max > 0 && n > p.Max {
		return nil, fmt.Errorf("%d is out of bounds: from %d to %d", n, p.Min, p.Max)
	}
	return n, nil
}

func (p Param) cut(raw any) (any, error) {
	s, ok := raw.(string)
	if !ok {
		return nil, fmt.Errorf("%v is neither a share (50%%), a size (64B) nor one of %s", raw, strings.Join(p.Choices, ", "))
	}
	if slices.Contains(p.Choices, s) {
		return s, nil
	}
	if share, err := ParseShare(s); err == nil {
		return share, nil
	}
	size, err := ParseSize(s)
	if err != nil {
		return nil, fmt.Errorf("%q is neither a share (50%%), a size (64B) nor one of %s", s, strings.Join(p.Choices, ", "))
	}
	return size, nil
}

// choiceText lets a choice be written as YAML reads it: 500 for "500".
func choiceText(raw any) (string, error) {
	switch v := raw.(type) {
	case string:
		return v, nil
	case int, int64, uint64:
		return fmt.Sprint(v), nil
	}
	return "", fmt.Errorf("%v is not a word", raw)
}

func asText[T any](raw any, want string, parse func(string) (T, error)) (any, error) {
	s, ok := raw.(string)
	if !ok {
		return nil, fmt.Errorf("%v is not %s", raw, want)
	}
	v, err := parse(s)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Args are parameters by name, parsed: time.Duration, float64 (a share from 0
// to 1, or a number), int64, string, bool, []Pattern, []string, or as a profile
// has it: any of a Value, map[string]any of Fields. A parameter that was not
// given and has no default is absent.
type Args map[string]any

func (a Args) duration(name string) time.Duration { d, _ := a[name].(time.Duration); return d }
func (a Args) count(name string) int64            { n, _ := a[name].(int64); return n }
func (a Args) text(name string) string            { s, _ := a[name].(string); return s }
func (a Args) flag(name string) bool              { b, _ := a[name].(bool); return b }
func (a Args) share(name string) float64          { f, _ := a[name].(float64); return f }
func (a Args) number(name string) float64         { f, _ := a[name].(float64); return f }
func (a Args) patterns(name string) []Pattern     { p, _ := a[name].([]Pattern); return p }
func (a Args) names(name string) []string         { n, _ := a[name].([]string); return n }
func (a Args) fields(name string) map[string]any  { m, _ := a[name].(map[string]any); return m }
func (a Args) has(name string) bool               { _, ok := a[name]; return ok }

// value gives a Value: a string, an int64, a float64 or a bool.
func (a Args) value(name string) (value any, ok bool) { value, ok = a[name]; return value, ok }

// whole gives a duration in whole seconds, which is all that a Retry-After can
// say.
func (a Args) whole(name string) (time.Duration, error) {
	d := a.duration(name)
	if d%time.Second != 0 {
		return 0, &ArgError{Key: name, Message: fmt.Sprintf("%v is not in whole seconds, which is all that the header can say", d)}
	}
	return d, nil
}
