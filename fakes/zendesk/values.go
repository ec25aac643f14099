package zendesk

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/cast"
)

func key(id int64) string { return strconv.FormatInt(id, 10) }

// whole reads a whole number, or the text of one.
func whole(v any) (int64, bool) {
	switch x := v.(type) {
	case int64:
		return x, true
	case float64:
		return int64(x), x == float64(int64(x))
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(x), 10, 64)
		return n, err == nil
	}
	return 0, false
}

// id gives a field that holds an id; 0 where it holds none.
func id(value map[string]any, field string) int64 {
	n, _ := whole(value[field])
	return n
}

// none gives nil for "" and 0, as fields that hold nothing are null.
func none(v any) any {
	if v == "" || v == int64(0) {
		return nil
	}
	return v
}

// list gives the texts of a field that holds a list of them.
func list(v any) []string {
	items, _ := v.([]any)
	out := make([]string, 0, len(items))
	for _, item := range items {
		if s := cast.Plain(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// ids reads a list of ids: a list, a text with commas, or one.
func ids(v any) []int64 {
	var out []int64
	switch x := v.(type) {
	case []any:
		for _, one := range x {
			if n, ok := whole(one); ok {
				out = append(out, n)
			}
		}
	case string:
		for one := range strings.SplitSeq(x, ",") {
			if n, ok := whole(one); ok {
				out = append(out, n)
			}
		}
	default:
		if n, ok := whole(v); ok {
			out = append(out, n)
		}
	}
	return out
}

// with is a copy of a value with other fields: what the world holds is frozen.
func with(value, changes map[string]any) map[string]any {
	out := make(map[string]any, len(value)+len(changes))
	maps.Copy(out, value)
	maps.Copy(out, changes)
	return out
}

// labels reads tags: a list, or a text with spaces or commas. They are lower
// case, once each, in order.
// Source: support.zendesk.com, "About tags".
func labels(v any) []string {
	var out []string
	add := func(s string) {
		out = append(out, strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' })...)
	}
	switch x := v.(type) {
	case string:
		add(x)
	case []any:
		for _, one := range x {
			add(cast.Plain(one))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// moment reads a time as clients and fixtures write one.
func moment(s string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC(), true
		}
	}
	return time.Time{}, false
}

// flag gives a boolean, also where it is written as text.
func flag(v any, otherwise bool) bool {
	switch x := v.(type) {
	case bool:
		return x
	case string:
		if b, err := strconv.ParseBool(x); err == nil {
			return b
		}
	}
	return otherwise
}
