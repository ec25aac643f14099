package googlecalendar

import (
	"iter"
	"slices"
	"time"

	"github.com/teambition/rrule-go"
)

// starts walks when the instances of a series begin that end after from and
// begin before to; a zero to is no bound, but for mostInstances. What nobody
// asks for is not worked out.
func (s series) starts(from, to time.Time) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		from := from.Add(-s.length)
		n := 0
		for at := range s.all(from, to) {
			if !to.IsZero() && !at.Before(to) || to.IsZero() && n == mostInstances {
				return
			}
			if !at.After(from) && (s.length != 0 || !at.Equal(from)) {
				continue
			}
			n++
			s.spend(8 + len(s.excluded)/64)
			if !slices.ContainsFunc(s.excluded, at.Equal) && !yield(at) {
				return
			}
		}
	}
}

// all walks the starts of a series in order, each once. It may leave out those
// before from, and may end at to.
func (s series) all(from, to time.Time) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		// The first is an instance in any case, and not one of those that COUNT
		// counts: github.com/fmeringdal/rust-rrule/issues/119
		own := append([]time.Time{s.start.at}, s.extra...)
		slices.SortFunc(own, time.Time.Compare)
		sources := []func() (time.Time, bool){func() (at time.Time, ok bool) {
			if len(own) > 0 {
				at, own, ok = own[0], own[1:], true
			}
			return at, ok
		}}
		for _, option := range s.rules {
			if r, err := rrule.NewRRule(s.bounded(option, from, to)); err == nil { // it was read before
				sources = append(sources, s.counted(option, from, to, r.Iterator()))
			}
		}
		merged(sources, s.spend)(yield)
	}
}

// counted has each search for the next instance spend what it took.
func (s series) counted(option rrule.ROption, from, to time.Time, next rrule.Next) rrule.Next {
	bounds := s.bounded(option, from, to)
	last := bounds.Dtstart
	return func() (time.Time, bool) {
		at, ok := next()
		if !ok {
			at = bounds.Until
		}
		s.spend(searched(option, max(at.Sub(last), 0)))
		last = at
		return at, ok
	}
}

// merged walks what several sources give in order, in order, each time once.
func merged(sources []func() (time.Time, bool), spend func(steps int)) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		var heads []time.Time
		var left []func() (time.Time, bool)
		for _, next := range sources {
			if at, ok := next(); ok {
				heads, left = append(heads, at), append(left, next)
			}
		}
		var last time.Time
		for n := 0; len(heads) > 0; n++ {
			spend(1 + len(heads)/16)
			first := slices.MinFunc(heads, time.Time.Compare)
			i := slices.IndexFunc(heads, first.Equal)
			if n > 0 && first.Equal(last) || yield(first) {
				last = first
			} else {
				return
			}
			if at, ok := left[i](); ok {
				heads[i] = at
			} else {
				heads, left = slices.Delete(heads, i, i+1), slices.Delete(left, i, i+1)
			}
		}
	}
}

// bounded lets a rule begin shortly before from, and end at to, or far ahead.
func (s series) bounded(option rrule.ROption, from, to time.Time) rrule.ROption {
	limit := s.start.at.Add(farAhead)
	if from.After(s.start.at) {
		limit = from.Add(farAhead)
	}
	if !to.IsZero() {
		limit = to
	}
	option = forward(option, from)
	if most := option.Dtstart.Add(farAhead); limit.After(most) {
		limit = most
	}
	if option.Until.IsZero() || option.Until.After(limit) {
		option.Until = limit
	}
	return option
}

// forward lets a rule begin shortly before an instant, where that changes
// nothing but how long one has to wait.
func forward(option rrule.ROption, from time.Time) rrule.ROption {
	unit := map[rrule.Frequency]int{rrule.DAILY: 1, rrule.WEEKLY: 7}[option.Freq] * max(option.Interval, 1)
	ahead := int((from.Unix() - option.Dtstart.Unix()) / int64(day/time.Second)) // a Duration ends after 292 years
	if option.Count > 0 || unit == 0 || len(option.Bysetpos) > 0 || ahead < 400 || unit > ahead {
		return option
	}
	if len(option.Byhour) == 0 {
		option.Byhour = []int{option.Dtstart.Hour()} // the clocks may stand otherwise on the day
	}
	if len(option.Byminute) == 0 {
		option.Byminute = []int{option.Dtstart.Minute()}
	}
	if len(option.Bysecond) == 0 {
		option.Bysecond = []int{option.Dtstart.Second()}
	}
	if option.Freq == rrule.WEEKLY && len(option.Byweekday) == 0 && len(option.Bymonthday) == 0 && len(option.Byyearday) == 0 && len(option.Byweekno) == 0 {
		option.Byweekday = []rrule.Weekday{weekday(option.Dtstart)}
	}
	option.Dtstart = option.Dtstart.AddDate(0, 0, (ahead/unit-1)*unit)
	return option
}

func weekday(at time.Time) rrule.Weekday {
	return []rrule.Weekday{rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA}[at.Weekday()]
}
