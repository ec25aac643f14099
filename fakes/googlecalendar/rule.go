package googlecalendar

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/teambition/rrule-go"
)

// mostTimes bounds the times of one day that a rule may name.
const mostTimes = 24

// longestRule bounds one rule: each day of a year by its number, from either
// end, is shorter.
const longestRule = 4096

// rule reads one RRULE. The library takes more than Google does.
func rule(text string, in *time.Location, allDay bool) (rrule.ROption, bool) {
	if len(text) > longestRule {
		return rrule.ROption{}, false
	}
	option, err := rrule.StrToROptionInLocation(text, in)
	if err != nil {
		return rrule.ROption{}, false
	}
	if len(option.Byeaster) > 0 {
		return rrule.ROption{}, false // no part of RFC 5545, and the library fails at most values
	}
	counts, ends := strings.Contains(text, "COUNT="), strings.Contains(text, "UNTIL=")
	times := timesOf(*option)
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

var lastDay = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`UNTIL=[0-9]{8}(;|$)`) })

// untilDay tells whether a rule ends with a day, not an instant.
func untilDay(text string) bool { return lastDay().MatchString(text) }

// barren tells a rule that no day ever meets, such as the 30th of February, or
// the fifth time of one day: the library looks for one up to the year 9999, at
// each list. That an interval passes over all days is not seen.
func (c *call) barren(option rrule.ROption) bool {
	option = spelled(option)
	parts := partsOf(option)
	if most := periodOf(option).days * timesOf(option); len(option.Bysetpos) > 0 && !slices.ContainsFunc(option.Bysetpos, func(n int) bool { return max(n, -n) <= most }) {
		return true
	}
	// In 28 years there is each kind of year: by where it begins, and leap or not.
	for day := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2029; day = day.AddDate(0, 0, 1) {
		c.Spend(2 + parts/16)
		if takes(option, day) {
			return false
		}
	}
	return true
}

// A period is what a rule counts in: its days at the most, and how many of them
// its interval is.
type period struct{ days, interval int }

func periodOf(o rrule.ROption) period {
	days := map[rrule.Frequency]int{rrule.YEARLY: 366, rrule.MONTHLY: 31, rrule.WEEKLY: 7, rrule.DAILY: 1}[o.Freq]
	return period{days, max(o.Interval, 1)}
}

// timesOf is how many times of one day a rule names.
func timesOf(o rrule.ROption) int {
	return max(len(o.Byhour), 1) * max(len(o.Byminute), 1) * max(len(o.Bysecond), 1)
}

// partsOf counts what a rule names.
func partsOf(o rrule.ROption) int {
	return len(o.Bymonth) + len(o.Bymonthday) + len(o.Byyearday) + len(o.Byweekno) + len(o.Byweekday) + len(o.Bysetpos) + timesOf(o)
}

// searched is what it takes to look through some days for the next instance of
// a rule, in steps of a call's work, as measured of the library: little for one
// in the next period, and most for periods that have none.
func searched(o rrule.ROption, through time.Duration) int {
	p, parts := periodOf(o), partsOf(o)
	each := 50 + 7*p.days + parts/4
	if len(o.Bysetpos) > 0 {
		each += 28 * p.days
	}
	return 4 + parts/16 + each*max(int(through/day)/(p.days*p.interval)-1, 0)
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
