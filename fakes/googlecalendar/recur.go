package googlecalendar

import (
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Bounds on what a recurrence is looked at for.
const (
	// mostInstances is how many instances of one series are given where no end
	// is asked for: two years of days, as Google's own calendar shows at most.
	mostInstances = 730
	// farAhead bounds the search for the next instance of a rule that may have none.
	farAhead = 60 * 365 * day
)

// A series is a recurring event's rules, read.
type series struct {
	start    moment
	length   time.Duration
	rules    []rrule.ROption
	extra    []time.Time // RDATE
	excluded []time.Time // EXDATE
	spend    func(steps int)
}

// ruled tells whether lines are recurrence rules that Google takes.
func (c *call) ruled(start moment, lines []any) bool {
	_, ok := c.series(start, start, lines)
	return ok
}

// series reads the lines of a recurrence: RRULE, RDATE and EXDATE.
// Source: RFC 5545, 3.8.5; the description of events.recurrence.
func (c *call) series(start, end moment, lines []any) (series, bool) {
	in := start.at.Location()
	if start.day == "" {
		if zone, ok := c.zone(start.zone); ok {
			in = zone
		}
	}
	s := series{start: moment{at: start.at.In(in), day: start.day, zone: start.zone}, length: end.at.Sub(start.at), spend: c.Spend}
	recurs := false
	for _, item := range lines {
		head, rest, ok := strings.Cut(cast.Text(item), ":")
		if !ok {
			return series{}, false
		}
		kind, parameters, _ := strings.Cut(strings.ToUpper(head), ";")
		switch kind {
		case "RRULE":
			c.Spend(100)
			option, ok := rule(strings.ToUpper(rest), in, start.day != "")
			if !ok {
				return series{}, false
			}
			option.Dtstart = s.start.at
			if option.Freq == rrule.YEARLY && len(option.Bymonthday) > 0 && len(option.Bymonth)+len(option.Byweekno)+len(option.Byyearday)+len(option.Byweekday) == 0 {
				option.Bymonth = []int{int(s.start.at.Month())} // Google stays in the month: github.com/allenporter/gcal_sync/pull/179
			}
			recurs = true
			if !c.barren(option) {
				s.rules = append(s.rules, option)
			}
		case "RDATE", "EXDATE":
			dates, ok := c.dates(rest, head[len(kind):], in, s.start, strings.Contains(parameters, "VALUE=DATE") && !strings.Contains(parameters, "DATE-TIME"))
			if !ok {
				return series{}, false
			}
			if kind == "RDATE" {
				s.extra = append(s.extra, dates...)
			} else {
				s.excluded = append(s.excluded, dates...)
			}
		default:
			return series{}, false
		}
	}
	return s, recurs || len(s.extra) > 0
}

// dates reads the values of RDATE and EXDATE. A day stands for the instance on
// that day.
func (c *call) dates(text, parameters string, in *time.Location, start moment, days bool) ([]time.Time, bool) {
	if _, after, ok := strings.Cut(parameters, "TZID="); ok {
		named, _, _ := strings.Cut(after, ";")
		zone, ok := c.zone(named)
		if !ok {
			return nil, false
		}
		in = zone
	}
	var dates []time.Time
	for one := range strings.SplitSeq(text, ",") {
		c.Spend(1)
		one = strings.ToUpper(strings.TrimSpace(one))
		switch len(one) {
		case len("20060102"):
			at, err := time.ParseInLocation("20060102", one, in)
			if err != nil {
				return nil, false
			}
			if start.day == "" && !days {
				return nil, false
			}
			if start.day == "" {
				hour, minute, second := start.at.Clock()
				at = time.Date(at.Year(), at.Month(), at.Day(), hour, minute, second, 0, start.at.Location())
			}
			dates = append(dates, at)
		case len(basic), len(basic) - 1:
			zone := in
			if strings.HasSuffix(one, "Z") {
				zone, one = time.UTC, one[:len(one)-1]
			}
			at, err := time.ParseInLocation("20060102T150405", one, zone)
			if err != nil {
				return nil, false
			}
			if start.day != "" {
				at = time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, start.at.Location())
			}
			dates = append(dates, at)
		default:
			return nil, false
		}
	}
	return dates, true
}

// ends tells when the last instance is over; not known for one without end.
func (s series) ends() (time.Time, bool) {
	for _, option := range s.rules {
		if option.Count == 0 && option.Until.IsZero() {
			return time.Time{}, false
		}
	}
	last := s.start.at
	for _, option := range s.rules {
		if option.Until.After(last) {
			last = option.Until
		}
		if option.Count == 0 {
			continue
		}
		if r, err := rrule.NewRRule(s.bounded(option, time.Time{}, time.Time{})); err == nil {
			next := s.counted(option, time.Time{}, time.Time{}, r.Iterator())
			n := 0
			for at, ok := next(); ok && n < 20_000; at, ok = next() {
				n++
				if at.After(last) {
					last = at
				}
			}
		}
	}
	for _, at := range s.extra {
		if at.After(last) {
			last = at
		}
	}
	return last.Add(s.length), true
}

// seriesOf reads the recurrence of a record.
func (c *call) seriesOf(calendar, master map[string]any) (series, bool) {
	in := c.zoneOf(calendar)
	start, ok := recorded(master["start"], in)
	end, ok2 := recorded(master["end"], in)
	if !ok || !ok2 {
		return series{}, false
	}
	return c.series(start, end, cast.List(master["recurrence"]))
}

// suffix names an instance by when it was meant to begin.
func (s series) suffix(at time.Time) string {
	if s.start.day != "" {
		return at.Format("20060102")
	}
	return at.UTC().Format(basic)
}

// instance is one of a series, as nobody changed it.
func (s series) instance(master map[string]any, at time.Time) map[string]any {
	value := shown(master, "recurrence", "long")
	id := kit.Text(master, "id")
	start := s.start.shifted(at, 0)
	if s.start.day != "" {
		start.day = at.Format(dateLayout)
	}
	value["id"], value["recurringEventId"] = id+"_"+s.suffix(at), id
	value["start"], value["originalStartTime"] = start.kept(), start.kept()
	end, _ := recorded(master["end"], s.start.at.Location())
	value["end"] = end.shifted(at, s.length).kept()
	value["from"] = at.Unix()
	return value
}

// derived finds the instance that an id names: base_20260302T090000Z, or
// base_20260302 of whole days.
func (c *call) derived(calendar map[string]any, id string) (map[string]any, bool) {
	i := strings.LastIndexByte(id, '_')
	if i < 1 {
		return nil, false
	}
	of := kit.Text(calendar, "id")
	master, ok := c.get(events, c.keyOf(of, id[:i]))
	if !ok || calendarOf(master) != of || master["recurrence"] == nil {
		return nil, false
	}
	s, ok := c.seriesOf(calendar, master)
	if !ok {
		return nil, false
	}
	at, err := time.Parse(basic, id[i+1:])
	if s.start.day != "" {
		at, err = time.ParseInLocation("20060102", id[i+1:], s.start.at.Location())
	}
	if err != nil {
		return nil, false
	}
	for start := range s.starts(at.Add(-time.Second), at.Add(time.Second)) {
		if start.Equal(at) {
			return s.instance(master, start), true
		}
	}
	return nil, false
}

// exceptions lists the instances of a series that were changed or cancelled.
func (c *call) exceptions(calendar map[string]any, master string) []map[string]any {
	var found []map[string]any
	for record := range c.fake.store.Find(c.Tx, events, "series", kit.Text(calendar, "id")+"/"+master) {
		found = append(found, record.Value())
	}
	slices.Reverse(found)
	return found
}

// spread lays a change of a series over its exceptions, where these still are
// as the series was.
func (c *call) spread(calendar, old, now map[string]any) {
	if now["recurrence"] == nil {
		return
	}
	for _, exception := range c.exceptions(calendar, kit.Text(now, "id")) {
		value, changed := shown(exception), false
		for _, field := range writable() {
			if field == "start" || field == "end" || field == "recurrence" || field == "status" || kit.Same(old[field], now[field]) || !kit.Same(exception[field], old[field]) {
				continue
			}
			changed = true
			if now[field] == nil {
				delete(value, field)
			} else {
				value[field] = now[field]
			}
		}
		if changed && exception["status"] != cancelled {
			start, _ := recorded(value["start"], c.zoneOf(calendar))
			end, _ := recorded(value["end"], c.zoneOf(calendar))
			c.save(calendar, value, start, end)
		}
	}
}
