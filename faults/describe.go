package faults

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Unit says how values of a parameter are written.
func (p Param) Unit() string {
	switch p.Kind {
	case Duration:
		return "a duration with its unit: 250ms, 40s, 1h30m, 2d"
	case Share:
		return "a share with its sign: 8%, 0.5%"
	case Size:
		return "a size with its unit, in powers of 1024: 512B, 64KB, 10MB"
	case Count:
		return "a whole number"
	case Choice:
		return "one of its words"
	case Flag:
		return "true or false"
	case Cut:
		return "a share (50%), a size (64B), or one of its words"
	case Call:
		return "an operation: service METHOD /path, or a list of them"
	case Fields:
		return "a map from fields to values"
	case Names:
		return "a word, or a list of words"
	case Number:
		return "a number"
	case Value:
		return "text, a number, true or false"
	}
	return "text"
}

// Bounds says between which values a parameter has to be; "" where there are
// none to say.
func (p Param) Bounds() string {
	shown := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch p.Kind {
	case Duration:
		shown = func(n int64) string { return ShowDuration(time.Duration(n)) }
	case Count, Number:
	default:
		return ""
	}
	switch {
	case p.Max > 0:
		return "from " + shown(p.Min) + " to " + shown(p.Max)
	case p.Min != 0:
		return "from " + shown(p.Min)
	}
	return ""
}

// Otherwise gives what a parameter is where it is not given, as a profile would
// have it; "" where it is nothing.
func (p Param) Otherwise() string {
	switch v := p.Default.(type) {
	case nil:
		return ""
	case time.Duration:
		return ShowDuration(v)
	case float64:
		if p.Kind == Number {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return strconv.FormatFloat(v*100, 'f', -1, 64) + "%"
	case int64:
		if p.Kind == Size || p.Kind == Cut {
			return showSize(v)
		}
	case []string:
		return "[" + strings.Join(v, ", ") + "]"
	case []Pattern:
		words := make([]string, len(v))
		for i, pattern := range v {
			words[i] = pattern.String()
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	return fmt.Sprint(p.Default)
}

// ShowDuration writes a duration as people do: 1h30m, 90s, 250ms.
func ShowDuration(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= day && d%day == 0:
		return strconv.FormatInt(int64(d/day), 10) + "d"
	case d > 0 && d < 2*time.Minute && d%time.Second == 0:
		return strconv.FormatInt(int64(d/time.Second), 10) + "s"
	}
	text := d.String()
	if rest, ok := strings.CutSuffix(text, "m0s"); ok {
		text = rest + "m"
	}
	if rest, ok := strings.CutSuffix(text, "h0m"); ok {
		text = rest + "h"
	}
	return text
}

func showSize(n int64) string {
	units := []string{"B", "KB", "MB", "GB"}
	i := 0
	for ; i < len(units)-1 && n >= 1024 && n%1024 == 0; i++ {
		n /= 1024
	}
	return strconv.FormatInt(n, 10) + units[i]
}
