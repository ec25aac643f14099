package generic

import (
	"regexp"
	"strings"
	"time"

	"parity/specs/schema"
)

// stamp writes an instant as a field has it.
func stamp(s *schema.Schema, name string, now time.Time) any {
	v := typed(s)
	if v.Is("string") {
		return stampText(v, now)
	}
	lower := strings.ToLower(name)
	seconds := true
	if f, ok := v.Example.Float(); ok && f > 1e11 {
		seconds = false
	}
	if strings.HasSuffix(lower, "_ms") || strings.HasSuffix(lower, "millis") || strings.HasSuffix(lower, "ms") && v.Format == "int64" {
		seconds = false
	}
	if v.High != nil && float64(now.UnixMilli()) > *v.High {
		seconds = true
	}
	if seconds {
		return now.Unix()
	}
	return now.UnixMilli()
}

func stampText(v *schema.View, now time.Time) any {
	now = now.UTC()
	example := exampleOf(v)
	if v.Pattern != "" {
		if wanted, err := regexp.Compile(v.Pattern); err == nil {
			for _, layout := range layouts {
				if words := now.Format(layout); wanted.MatchString(words) {
					return words
				}
			}
		}
	}
	switch {
	case v.Format == "date":
		return now.Format(time.DateOnly)
	case v.Format == "time":
		return now.Format("15:04:05Z")
	case v.Format == "date-time" && example == "":
		return now.Format(time.RFC3339)
	case example == "":
		return now.Format(time.RFC3339)
	}
	for _, layout := range layouts {
		if _, err := time.Parse(layout, example); err == nil {
			return now.Format(layout)
		}
	}
	return now.Format(time.RFC3339)
}

// layouts are the ways in which services write instants; an example tells which.
var layouts = []string{
	"2006-01-02T15:04:05Z", "2006-01-02T15:04:05.000Z", "2006-01-02T15:04:05.000000Z", "2006-01-02T15:04:05+00:00",
	"2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly, time.RFC1123Z, time.RFC1123,
}

// instant reads a time that a field or a parameter holds.
func instant(v any) (time.Time, bool) {
	switch x := v.(type) {
	case int64:
		if x > 1e11 {
			return time.UnixMilli(x), true
		}
		return time.Unix(x, 0), true
	case string:
		if len(x) < len(time.DateOnly) || len(x) > 40 || !(x[4] == '-' || x[3] == ',') { // none of the layouts
			return time.Time{}, false
		}
		if at, err := time.Parse(time.RFC3339Nano, x); err == nil {
			return at, true
		}
		for _, layout := range layouts {
			if at, err := time.Parse(layout, x); err == nil {
				return at, true
			}
		}
	}
	return time.Time{}, false
}
