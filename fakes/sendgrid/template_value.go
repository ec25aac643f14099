package sendgrid

import (
	"strconv"
	"strings"

	"parity/fakes/world"
)

func truthy(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case string:
		return x != ""
	case int64:
		return x != 0
	case float64:
		return x != 0
	case []any:
		return len(x) > 0
	}
	return true
}

func length(v any) int {
	switch x := v.(type) {
	case []any:
		return len(x)
	case string:
		return len([]rune(x))
	}
	return 0
}

// shown writes a value as it stands in a mail.
func shown(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case []any:
		parts := make([]string, len(x))
		for i, one := range x {
			parts[i] = shown(one)
		}
		return strings.Join(parts, ",")
	case map[string]any:
		return "[object Object]"
	}
	return string(world.Encode(v))
}

// order compares two values: as numbers where both are, else as texts.
func order(a, b any) int {
	x, okX := number(a)
	y, okY := number(b)
	if !okX || !okY {
		return strings.Compare(shown(a), shown(b))
	}
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func number(v any) (float64, bool) {
	f, err := strconv.ParseFloat(shown(v), 64)
	return f, err == nil
}
