package googlecalendar

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// mostTimes bounds the times of one day that a rule may name.
const mostTimes = 24

// rule reads one RRULE. The library takes more than Google does.
func rule(text string, in *time.Location, allDay bool) (rrule.ROption, bool) {
	option, err := rrule.StrToROptionInLocation(text, in)
	if err != nil {
		return rrule.ROption{}, false
	}
	if len(option.Byeaster) > 0 {
		return rrule.ROption{}, false // no part of RFC 5545, and the library fails at most values
	}
	counts, ends := strings.Contains(text, "COUNT="), strings.Contains(text, "UNTIL=")
	times := max(len(option.Byhour), 1) * max(len(option.Byminute), 1) * max(len(option.Bysecond), 1)
	switch {
	case counts && (ends || option.Count < 1), strings.Contains(text, "INTERVAL=") && option.Interval < 1,
		option.Freq > rrule.DAILY, times > mostTimes, strings.Contains(text, "DTSTART"):
		return rrule.ROption{}, false
	}
	if _, err := rrule.NewRRule(*option); err != nil {
		return rrule.ROption{}, false
	}
	if ends && !allDay && untilDay(text) {
		option.Until = option.Until.Add(day - time.Second) // all of that day
	}
	return *option, true
}

// untilDay tells whether a rule ends with a day, not an instant.
func untilDay(text string) bool {
	return regexp.MustCompile(`UNTIL=[0-9]{8}(;|$)`).MatchString(text)
}

// barren tells a rule that no day ever meets, such as the 30th of February: the
// library looks for one up to the year 9999, at each list. That an interval
// passes over all days is not seen.
func barren(option rrule.ROption) bool {
	option = spelled(option)
	// In 28 years there is each kind of year: by where it begins, and leap or not.
	for day := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2029; day = day.AddDate(0, 0, 1) {
		if takes(option, day) {
			return false
		}
	}
	return true
}

// spelled gives a rule of months or years that names no days the day on which it
// begins.
func spelled(o rrule.ROption) rrule.ROption {
	if len(o.Byweekno)+len(o.Byyearday)+len(o.Bymonthday)+len(o.Byweekday)+len(o.Byeaster) > 0 || o.Freq > rrule.MONTHLY {
		return o
	}
	o.Bymonthday = []int{o.Dtstart.Day()}
	if o.Freq == rrule.YEARLY && len(o.Bymonth) == 0 {
		o.Bymonth = []int{int(o.Dtstart.Month())}
	}
	return o
}

// takes tells whether a rule may take a day, whatever its interval.
func takes(o rrule.ROption, at time.Time) bool {
	last := at.AddDate(0, 1, -at.Day()).Day()
	year := time.Date(at.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay()
	if !named(o.Bymonth, int(at.Month())) || !named(o.Bymonthday, at.Day(), at.Day()-last-1) || !named(o.Byyearday, at.YearDay(), at.YearDay()-year-1) {
		return false
	}
	_, week := at.ISOWeek()
	if iso := o.Wkst == rrule.MO && !slices.ContainsFunc(o.Byweekno, func(n int) bool { return n < 0 }); iso && !named(o.Byweekno, week) {
		return false
	}
	today := weekday(at)
	first, of := at.Day(), last // of the period in which weekdays are counted
	if o.Freq == rrule.YEARLY && len(o.Bymonth) == 0 {
		first, of = at.YearDay(), year
	}
	nth, back := (first+6)/7, -((of-first)/7 + 1)
	return len(o.Byweekday) == 0 || slices.ContainsFunc(o.Byweekday, func(w rrule.Weekday) bool {
		return w.Day() == today.Day() && (w.N() == 0 || o.Freq > rrule.MONTHLY || w.N() == nth || w.N() == back)
	})
}

// named tells whether a part of a rule that names numbers names one of these.
func named(numbers []int, these ...int) bool {
	return len(numbers) == 0 || slices.ContainsFunc(these, func(n int) bool { return slices.Contains(numbers, n) })
}
