package faults

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// planted is a value that only the altered reply shows; "" for none.
type planted string

func (p planted) into(list []string) []string {
	if p == "" || len(list) == mostPlanted || slices.Contains(list, string(p)) {
		return list
	}
	return append(list, string(p))
}

// changes tells whether what stands at a spot can be changed so.
func (d drift) changes(f field, s spot) bool {
	value := s.value()
	switch d.change {
	case "retype":
		switch value.(type) {
		case string, int64, float64, bool:
			return true
		}
		return false
	case "nulled", "enum":
		_, isText := value.(string)
		return value != nil && (isText || d.change == "nulled")
	case "units":
		switch value.(type) {
		case int64, float64:
			return true
		}
		return false
	case "date":
		_, _, ok := d.redated(value)
		return ok
	}
	return true
}

// make changes what stands at a spot, and says so.
func (d drift) make(f field, s spot, steady func(string) float64) (string, planted) {
	was := s.value()
	switch d.change {
	case "remove":
		delete(s.in, s.name)
		return "removed " + s.name, ""
	case "nulled":
		s.in[s.name] = nil
		return "set " + s.name + " to null", ""
	case "retype":
		if text, ok := was.(string); ok {
			s.in[s.name] = map[string]any{"value": text}
			return "made " + s.name + " an object", ""
		}
		s.in[s.name] = fmt.Sprint(was)
		return "made " + s.name + " text", ""
	case "enum":
		next := unlisted(f.enum, steady("enum/"+f.String()))
		s.in[s.name] = next
		return "set " + s.name + " to " + next + ", which is not listed", planted(next)
	case "units":
		text := units(was)
		s.in[s.name] = text
		return "gave " + s.name + " in whole units, as text", planted(text)
	case "date":
		next, form, _ := d.redated(was)
		s.in[s.name] = next
		return "gave " + s.name + " as " + form, planted(fmt.Sprint(next))
	}
	next := renamed(s.in, s.name)
	s.in[next] = was
	delete(s.in, s.name)
	return "renamed " + s.name + " to " + next, planted(next)
}

// renamed is another name for a field, in the writing of its own.
func renamed(in map[string]any, name string) string {
	tail := "_value"
	if strings.IndexFunc(name, unicode.IsUpper) > 0 && !strings.Contains(name, "_") {
		tail = "Value"
	}
	next := name + tail
	for n := 2; ; n++ {
		if _, taken := in[next]; !taken {
			return next
		}
		next = name + tail + strconv.Itoa(n)
	}
}

// unlisted is a value that an enumeration does not list, in its writing.
func unlisted(listed []string, at float64) string {
	words := []string{"pending_review", "on_hold", "partially_completed", "superseded", "under_review"}
	first := int(at * float64(len(words)))
	upper := !slices.ContainsFunc(listed, func(s string) bool { return strings.ToUpper(s) != s })
	for i := range words {
		word := words[(first+i)%len(words)]
		if upper {
			word = strings.ToUpper(word)
		}
		if !slices.Contains(listed, word) {
			return word
		}
	}
	return "unlisted_" + strconv.Itoa(len(listed))
}

// units writes an amount of cents as whole units: 2000 as 20.00.
func units(cents any) string {
	if n, ok := cents.(int64); ok {
		sign := ""
		if n < 0 {
			sign = "-"
		}
		whole, rest := n/100, n%100
		if n < 0 {
			whole, rest = -whole, -rest
		}
		return fmt.Sprintf("%s%d.%02d", sign, whole, rest)
	}
	f, _ := cents.(float64)
	return strconv.FormatFloat(f/100, 'f', 2, 64)
}

// monetary tells a name of amounts of money.
func monetary(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"amount", "balance", "price", "cost", "fee", "cents", "subtotal", "revenue", "value"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return name == "total" || strings.HasSuffix(name, "_total")
}

// dated tells a field that holds a date or an instant, by its format or name.
func (f field) dated() bool {
	if !f.number() && !f.text() || len(f.enum) > 0 {
		return false
	}
	switch f.format {
	case "date", "date-time", "unix-time", "timestamp":
		return true
	}
	name := f.name()
	for _, tail := range []string{"_at", "At", "_on", "_date", "Date", "_time", "Time", "_ts", "timestamp", "Timestamp"} {
		if strings.HasSuffix(name, tail) {
			return true
		}
	}
	switch name {
	case "created", "updated", "modified", "expires", "date", "ts":
		return true
	}
	return false
}

// Instants in seconds are taken for such between 2001 and 2100.
const firstSecond, lastSecond = 1_000_000_000, 4_102_444_800

// redated gives a date in another form, and the name of that.
func (d drift) redated(value any) (any, string, bool) {
	at, form, ok := dateOf(value)
	if !ok {
		return nil, "", false
	}
	to := d.to
	if to == "other" {
		to = map[string]string{"unix": "rfc3339", "rfc3339": "unix", "date": "unix"}[form]
	}
	switch {
	case to == form:
		return nil, "", false
	case to == "unix":
		return at.Unix(), "seconds since 1970", true
	case to == "rfc2822":
		return at.Format(time.RFC1123Z), "an RFC 2822 date", true
	}
	return at.Format(time.RFC3339), "an RFC 3339 date", true
}

func dateOf(value any) (time.Time, string, bool) {
	switch v := value.(type) {
	case int64:
		return time.Unix(v, 0).UTC(), "unix", v >= firstSecond && v <= lastSecond
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return at.UTC(), "rfc3339", true
		}
		if at, err := time.Parse(time.DateOnly, v); err == nil {
			return at.UTC(), "date", true
		}
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return time.Unix(n, 0).UTC(), "unix", n >= firstSecond && n <= lastSecond
		}
	}
	return time.Time{}, "", false
}
