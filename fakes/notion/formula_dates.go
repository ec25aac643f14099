package notion

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

func dating() map[string]function {
	all := map[string]function{
		"now":   eager(0, 0, func(e *evaluation, _ []any) any { return dated{start: instantOf{e.now, false}} }),
		"today": eager(0, 0, func(e *evaluation, _ []any) any { return dated{start: instantOf{e.now.Truncate(24 * time.Hour), true}} }),
		"dateAdd": eager(3, 3, func(_ *evaluation, v []any) any {
			return moved(v[0], number(v[1]), said(v[2]))
		}),
		"dateSubtract": eager(3, 3, func(_ *evaluation, v []any) any {
			return moved(v[0], -number(v[1]), said(v[2]))
		}),
		"dateBetween": eager(3, 3, func(_ *evaluation, v []any) any { return between(v[0], v[1], said(v[2])) }),
		"dateRange": eager(2, 2, func(_ *evaluation, v []any) any {
			a, ok := v[0].(dated)
			b, ok2 := v[1].(dated)
			if !ok || !ok2 {
				return nil
			}
			return dated{a.start, b.start, true}
		}),
		"dateStart": onDate(func(d dated) any { return dated{start: d.start} }),
		"dateEnd": onDate(func(d dated) any {
			if d.ranged {
				return dated{start: d.end}
			}
			return dated{start: d.start}
		}),
		"timestamp": onDate(func(d dated) any { return float64(d.start.at.UnixMilli()) }),
		"fromTimestamp": eager(1, 1, func(_ *evaluation, v []any) any {
			return dated{start: instantOf{time.UnixMilli(int64(number(v[0]))).UTC(), false}}
		}),
		"parseDate": eager(1, 1, func(_ *evaluation, v []any) any {
			if at, ok := moment(said(v[0])); ok {
				return dated{start: at}
			}
			return nil
		}),
		"formatDate": eager(2, 2, func(e *evaluation, v []any) any {
			d, ok := v[0].(dated)
			if !ok {
				return ""
			}
			e.spend(1 + len(said(v[1]))/16)
			return formatted(d.start.at, said(v[1]))
		}),
	}
	for name, part := range map[string]func(time.Time) int{
		"minute": time.Time.Minute, "hour": time.Time.Hour, "date": time.Time.Day, "year": time.Time.Year,
		"month": func(t time.Time) int { return int(t.Month()) },
		"day":   func(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }, // Monday is 1
		"week":  func(t time.Time) int { _, week := t.ISOWeek(); return week },
	} {
		all[name] = onDate(func(d dated) any { return float64(part(d.start.at)) })
	}
	return all
}

func onDate(f func(dated) any) function {
	return eager(1, 1, func(_ *evaluation, v []any) any {
		if d, ok := v[0].(dated); ok {
			return f(d)
		}
		return nil
	})
}

// lengths are the units of time that have one length.
var lengths = map[string]time.Duration{
	"weeks": 7 * 24 * time.Hour, "days": 24 * time.Hour, "hours": time.Hour, "minutes": time.Minute, "seconds": time.Second, "milliseconds": time.Millisecond,
}

// months are those that are counted by months.
var months = map[string]int{"years": 12, "quarters": 3, "months": 1}

func plural(unit string) string { return strings.TrimSuffix(strings.ToLower(unit), "s") + "s" }

// moved is a date some time later; nil where there is none, or no such unit.
func moved(v any, n float64, unit string) any {
	d, ok := v.(dated)
	unit = plural(unit)
	length, fixed := lengths[unit]
	count := months[unit]
	if !ok || !fixed && count == 0 || n != n || n > 1e6 || n < -1e6 {
		return nil
	}
	shift := func(m instantOf) instantOf {
		if fixed {
			return instantOf{m.at.Add(time.Duration(n * float64(length))), m.day && length >= 24*time.Hour}
		}
		to := m.at.AddDate(0, int(n)*count, 0)
		if to.Day() != m.at.Day() { // the month is shorter
			to = to.AddDate(0, 0, -to.Day())
		}
		return instantOf{to, m.day}
	}
	d.start = shift(d.start)
	if d.ranged {
		d.end = shift(d.end)
	}
	return d
}

// between counts whole units from the second date to the first.
func between(a, b any, unit string) any {
	x, ok := a.(dated)
	y, ok2 := b.(dated)
	unit = plural(unit)
	length, fixed := lengths[unit]
	count := months[unit]
	if !ok || !ok2 || !fixed && count == 0 {
		return nil
	}
	to, from := x.start.at, y.start.at
	if fixed {
		return float64(int64(to.Sub(from) / length))
	}
	whole := (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
	switch {
	case whole > 0 && from.AddDate(0, whole, 0).After(to):
		whole--
	case whole < 0 && from.AddDate(0, whole, 0).Before(to):
		whole++
	}
	return float64(whole / count)
}

// formatted spells a date by a pattern such as "MMMM D, Y" or "YYYY-MM-DD"; what
// is in brackets stays.
func formatted(t time.Time, pattern string) string {
	var b strings.Builder
	for pattern != "" {
		if pattern[0] == '[' {
			if end := strings.IndexByte(pattern, ']'); end > 0 {
				b.WriteString(pattern[1:end])
				pattern = pattern[end+1:]
				continue
			}
		}
		n := 1
		for n < len(pattern) && pattern[n] == pattern[0] {
			n++
		}
		token := pattern[:n]
		if (token == "D" || token == "M" || token == "d") && strings.HasPrefix(pattern[n:], "o") {
			token += "o"
		}
		b.WriteString(datePart(t, token))
		pattern = pattern[len(token):]
	}
	return b.String()
}

// dateLayouts are the parts that Go spells too.
var dateLayouts = map[string]string{
	"Y": "2006", "YYYY": "2006", "y": "2006", "yyyy": "2006", "YY": "06", "yy": "06", "MMMM": "January", "LLLL": "January", "MMM": "Jan", "LLL": "Jan",
	"MM": "01", "M": "1", "DD": "02", "D": "2", "dddd": "Monday", "EEEE": "Monday", "ddd": "Mon", "EEE": "Mon", "HH": "15", "hh": "03", "h": "3",
	"mm": "04", "m": "4", "ss": "05", "s": "5", "A": "PM", "a": "pm",
}

func datePart(t time.Time, token string) string {
	if layout, ok := dateLayouts[token]; ok {
		return t.Format(layout)
	}
	_, week := t.ISOWeek()
	switch token {
	case "Do":
		return ordinal(t.Day())
	case "dd":
		return t.Format("Mon")[:2]
	case "d":
		return strconv.Itoa(int(t.Weekday()))
	case "E":
		return strconv.Itoa((int(t.Weekday())+6)%7 + 1)
	case "H":
		return strconv.Itoa(t.Hour())
	case "W", "w":
		return strconv.Itoa(week)
	case "WW", "ww":
		return fmt.Sprintf("%02d", week)
	case "Q":
		return strconv.Itoa((int(t.Month())-1)/3 + 1)
	case "X":
		return strconv.FormatInt(t.Unix(), 10)
	case "x":
		return strconv.FormatInt(t.UnixMilli(), 10)
	}
	return token
}

func ordinal(n int) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
}
