package expression

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/expr-lang/expr"
)

// A meter counts the turns of all loops of one evaluation.
type meter struct{ turns int }

// functions are those that a rewriter calls.
func functions() []expr.Option {
	return []expr.Option{
		expr.Function(fieldName, field, new(func(any, any, string) any)),
		expr.Function(optionalName, optional, new(func(any, any, string) any)),
		expr.Function(addName, add, new(func(any, any) any)),
		expr.Function(divideName, divide, new(func(any, any) any)),
		expr.Function(turnName, turn, new(func(*meter) bool)),
	}
}

// field reads a field of an object or an item of a list.
func field(params ...any) (any, error) {
	value, found, reason := step(params[0], params[1])
	if !found {
		return nil, fmt.Errorf("%v: %s", params[2], reason)
	}
	return value, nil
}

// optional is field where nothing is an answer.
func optional(params ...any) (any, error) {
	value, _, _ := step(params[0], params[1])
	return value, nil
}

// step goes one step along a path, or says why not.
func step(from, to any) (value any, found bool, reason string) {
	switch x := from.(type) {
	case map[string]any:
		name, ok := to.(string)
		if !ok {
			return nil, false, "a field's name is a text"
		}
		if value, found = x[name]; !found {
			return nil, false, "there is no such field"
		}
		return value, true, ""
	case []any:
		i, ok := index(to)
		if !ok {
			return nil, false, "a list has items by number, not fields"
		}
		if i < 0 {
			i += len(x)
		}
		if i < 0 || i >= len(x) {
			return nil, false, fmt.Sprintf("there is no such item among %d", len(x))
		}
		return x[i], true, ""
	case nil:
		return nil, false, "what it is read from is not there"
	}
	return nil, false, "what it is read from is neither an object nor a list"
}

func index(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case int64:
		return int(n), true
	}
	return 0, false
}

// add adds numbers. It replaces expr's +, which joins texts as well: doubling
// one a few dozen times takes all memory.
func add(params ...any) (any, error) {
	a, b := params[0], params[1]
	x, whole := index(a)
	y, both := index(b)
	if whole && both {
		if sum := x + y; (sum > x) == (y > 0) {
			return sum, nil
		}
		return float64(x) + float64(y), nil
	}
	f, ok := float(a)
	g, also := float(b)
	if !ok || !also {
		return nil, fmt.Errorf("+ adds numbers; it cannot add %s and %s", describe(a), describe(b))
	}
	return f + g, nil
}

// divide divides numbers. By zero is an error, since an infinite quotient would
// pass for a large one.
func divide(params ...any) (any, error) {
	f, ok := float(params[0])
	g, also := float(params[1])
	if !ok || !also {
		return nil, fmt.Errorf("/ divides numbers; it cannot divide %s by %s", describe(params[0]), describe(params[1]))
	}
	if g == 0 {
		return nil, errors.New("/ divides by zero")
	}
	return f / g, nil
}

func float(v any) (float64, bool) {
	if i, ok := index(v); ok {
		return float64(i), true
	}
	f, ok := v.(float64)
	return f, ok
}

// turn is called by each turn of a loop.
func turn(params ...any) (any, error) {
	m, ok := params[0].(*meter)
	if !ok {
		return nil, errors.New("a loop has no meter")
	}
	if m.turns++; m.turns > MaxTurns {
		return nil, fmt.Errorf("the loops take more than %d turns; narrow what they go over", MaxTurns)
	}
	return true, nil
}

// describe names what a value is, for messages.
func describe(v any) string {
	if v == nil {
		return "nothing"
	}
	return kindName(reflect.TypeOf(v))
}
