package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds nesting. Without it a map that contains itself would
// overflow the stack, which no recover catches.
const maxDepth = 200

var errDepth = fmt.Errorf("it is nested more than %d deep", maxDepth)

// Normalise gives v as a world keeps it: a whole number that fits is an int64,
// whatever type it came in and even when it was a float64 such as 20.0; other
// numbers are float64, lists []any, objects map[string]any, strings valid
// UTF-8, and nil maps and lists are nil. So Decode(Encode(v)) equals
// Normalise(v). Only what has to change is copied, and v itself is left alone.
// What a world cannot keep (Insert's ErrValue) comes back unchanged.
func Normalise(v any) any {
	n, _, err := normalise(v, 0)
	if err != nil {
		return v
	}
	return n
}

// normalise also says whether it changed anything, since most values come from
// a fake or a decoder, are as they should be, and need no copy.
func normalise(v any, depth int) (n any, changed bool, err error) {
	switch x := v.(type) {
	case nil, bool, int64:
		return v, false, nil
	case string:
		if utf8.ValidString(x) {
			return v, false, nil
		}
		return strings.ToValidUTF8(x, "\uFFFD"), true, nil
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, false, fmt.Errorf("%v is not a JSON number", x)
		}
		n := number(x)
		_, whole := n.(int64)
		return n, whole, nil
	case map[string]any:
		return normaliseMap(x, depth)
	case []any:
		return normaliseList(x, depth)
	case int:
		return int64(x), true, nil
	case json.Number:
		n, err := parseNumber(x.String())
		return n, true, err
	}
	n, err = convert(v, depth)
	return n, true, err
}

func normaliseMap(m map[string]any, depth int) (any, bool, error) {
	if m == nil {
		return nil, true, nil
	}
	if depth >= maxDepth {
		return nil, false, errDepth
	}
	var out map[string]any
	for key, value := range m {
		if !utf8.ValidString(key) {
			return nil, false, fmt.Errorf("the key %q is not UTF-8", key)
		}
		n, changed, err := normalise(value, depth+1)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", key, err)
		}
		if !changed {
			continue
		}
		if out == nil {
			out = maps.Clone(m)
		}
		out[key] = n
	}
	if out == nil {
		return m, false, nil
	}
	return out, true, nil
}

func normaliseList(list []any, depth int) (any, bool, error) {
	if list == nil {
		return nil, true, nil
	}
	if depth >= maxDepth {
		return nil, false, errDepth
	}
	var out []any
	for i, value := range list {
		n, changed, err := normalise(value, depth+1)
		if err != nil {
			return nil, false, fmt.Errorf("%d: %w", i, err)
		}
		if !changed {
			continue
		}
		if out == nil {
			out = slices.Clone(list)
		}
		out[i] = n
	}
	if out == nil {
		return list, false, nil
	}
	return out, true, nil
}

// convert takes the types that are not a world's own but plainly mean one.
func convert(v any, depth int) (any, error) {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Bool:
		return r.Bool(), nil
	case reflect.String:
		return strings.ToValidUTF8(r.String(), "\uFFFD"), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if u := r.Uint(); u > math.MaxInt64 {
			return float64(u), nil
		}
		return int64(r.Uint()), nil
	case reflect.Float32, reflect.Float64:
		n, _, err := normalise(r.Float(), depth)
		return n, err
	case reflect.Slice:
		if r.Type().Elem().Kind() == reflect.Uint8 {
			break // bytes are no list of numbers, and which text they are is the caller's to say
		}
		if r.IsNil() {
			return nil, nil
		}
		list := make([]any, r.Len())
		for i := range list {
			list[i] = r.Index(i).Interface()
		}
		n, _, err := normaliseList(list, depth)
		return n, err
	case reflect.Map:
		if r.IsNil() {
			return nil, nil
		}
		if r.Type().Key().Kind() == reflect.String {
			return convertMap(r, depth)
		}
	}
	return nil, fmt.Errorf("a %T; a world keeps nil, bool, string, int64, float64, []any and map[string]any", v)
}

func convertMap(r reflect.Value, depth int) (any, error) {
	m := make(map[string]any, r.Len())
	for entry := r.MapRange(); entry.Next(); {
		m[entry.Key().String()] = entry.Value().Interface()
	}
	n, _, err := normaliseMap(m, depth)
	return n, err
}

// number gives a whole float64 that fits as an int64.
func number(f float64) any {
	// 1<<63 is a float64 exactly; everything below it fits.
	if f == math.Trunc(f) && f >= -1<<63 && f < 1<<63 {
		return int64(f)
	}
	return f
}

// parseNumber reads a JSON number.
func parseNumber(text string) (any, error) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrRange) {
		return nil, fmt.Errorf("%s is too large for a number", text)
	}
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%q is not a JSON number", text)
	}
	return number(f), nil
}
