package faults

import (
	"fmt"
	"maps"
	"strconv"
)

// made parses the parameters that are more than one plain word or quantity.
func (p Param) made(raw any) (any, error) {
	switch p.Kind {
	case Call:
		return listOf(raw, "names no operation; write it as service METHOD /path, or a list of them", ParsePattern)
	case Names:
		return listOf(raw, "is neither a word nor a list of words", func(s string) (string, error) {
			if s == "" {
				return "", fmt.Errorf("a name is empty")
			}
			return s, nil
		})
	case Fields:
		if m, ok := raw.(map[string]any); ok && len(m) > 0 {
			return maps.Clone(m), nil
		}
		return nil, fmt.Errorf("%v is not a map from fields to values", raw)
	case Number:
		return p.number(raw)
	}
	switch v := raw.(type) {
	case string, bool, int64, float64:
		return raw, nil
	case int:
		return int64(v), nil
	}
	return nil, fmt.Errorf("%v is not a plain value", raw)
}

// listOf parses one word or a list of them.
func listOf[T any](raw any, unlike string, parse func(string) (T, error)) (any, error) {
	list, ok := raw.([]any)
	if !ok {
		list = []any{raw}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the list is empty")
	}
	all := make([]T, 0, len(list))
	for i, one := range list {
		s, err := choiceText(one)
		if err != nil {
			err = fmt.Errorf("%v %s", one, unlike)
		}
		var v T
		if err == nil {
			v, err = parse(s)
		}
		if err != nil && ok {
			return nil, &insideError{at: strconv.Itoa(i), err: err}
		}
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func (p Param) number(raw any) (any, error) {
	var f float64
	switch v := raw.(type) {
	case int:
		f = float64(v)
	case int64:
		f = float64(v)
	case float64:
		f = v
	default:
		return nil, fmt.Errorf("%v is not a number", raw)
	}
	if p.Min == 0 && p.Max == 0 {
		return f, nil
	}
	if f < float64(p.Min) || p.Max > 0 && f > float64(p.Max) {
		return nil, fmt.Errorf("%v is out of bounds: %s", raw, p.Bounds())
	}
	return f, nil
}

// insideError is an error in one element of a list.
type insideError struct {
	at  string
	err error
}

func (e *insideError) Error() string { return e.err.Error() }
func (e *insideError) Unwrap() error { return e.err }
