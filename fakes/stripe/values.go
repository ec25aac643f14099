package stripe

import (
	"math"
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// whole gives a whole number, as the contract reads it or as text; 0 for
// anything else.
func whole(v any) int64 {
	switch x := v.(type) {
	case int64:
		return x
	case float64:
		return int64(math.Round(x))
	case string:
		n, _ := strconv.ParseInt(x, 10, 64)
		return n
	}
	return 0
}

// real gives a number; 0 for anything else.
func real(v any) float64 {
	switch x := v.(type) {
	case int64:
		return float64(x)
	case float64:
		return x
	case string:
		n, _ := strconv.ParseFloat(x, 64)
		return n
	}
	return 0
}

// times multiplies an amount that may have decimals, and rounds halves up.
func times(amount, by float64) int64 { return int64(math.Floor(amount*by + 0.5)) }

// decimal writes an amount as Stripe's decimals.
func decimal(amount any) any {
	if n, ok := amount.(int64); ok {
		return strconv.FormatInt(n, 10)
	}
	return nil
}

// or gives the first value unless it is nil.
func or(value, otherwise any) any {
	if value == nil {
		return otherwise
	}
	return value
}

// orNil gives text, or nil where it is empty.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// pick gives a boolean parameter, or what it is without it.
func pick(parameters map[string]any, field string, otherwise bool) bool {
	if set, ok := parameters[field].(bool); ok {
		return set
	}
	return otherwise
}

// listing is a list that stands in a record.
func listing(items []any, url string) map[string]any {
	return map[string]any{"object": "list", kit.ItemsKey: items, "has_more": false, "total_count": int64(len(items)), "url": url}
}

// setLists lays the parameters that were sent over a record; "" unsets, but for
// lists, which it empties.
func setLists(value, parameters map[string]any, fields ...string) {
	for _, field := range fields {
		sent, ok := parameters[field]
		if !ok {
			continue
		}
		if sent == "" {
			sent = []any{}
		}
		value[field] = sent
	}
}

// enabled is the shape of a feature that is on or off.
func enabled(sent any) map[string]any {
	return map[string]any{"enabled": pick(cast.Object(sent), "enabled", false)}
}

// automaticTax is what an object shows of a tax that nobody works out.
func automaticTax(sent any) map[string]any {
	return map[string]any{"disabled_reason": nil, "enabled": pick(cast.Object(sent), "enabled", false), "liability": nil, "provider": nil, "status": nil}
}
