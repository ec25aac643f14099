package notion

import (
	"time"

	"parity/fakes/cast"
)

// An instant is a date, or a date with a time.
type instantOf struct {
	at  time.Time
	day bool // no time was given
}

// moment reads a date as Notion takes it: a day, or ISO 8601 with or without
// an offset.
func moment(text string) (instantOf, bool) {
	if at, err := time.Parse(time.DateOnly, text); err == nil {
		return instantOf{at, true}, true
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil {
			return instantOf{at, false}, true
		}
	}
	return instantOf{}, false
}

// dateText spells a date as Notion gives it back: days as they are, times with
// thousandths and an offset.
func dateText(v any) any {
	m, ok := moment(cast.Text(v))
	if !ok || m.day {
		return v
	}
	return m.at.Format("2006-01-02T15:04:05.000-07:00")
}

// compare orders two instants, by days where one of them is a day.
func (m instantOf) compare(other instantOf) int {
	if m.day || other.day {
		a, b := m.at.Format(time.DateOnly), other.at.Format(time.DateOnly)
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	}
	return m.at.Compare(other.at)
}
