package googlecalendar

import (
	"strings"
	"time"

	"parity/fakes/kit"
)

const (
	dateLayout  = "2006-01-02"
	localLayout = "2006-01-02T15:04:05"
	// basic is how instances are named, and RRULE writes instants.
	basic = "20060102T150405Z"
	day   = 24 * time.Hour
)

// A moment is one end of an event: a day, or an instant in a zone.
type moment struct {
	at   time.Time // of a day: midnight in the calendar's zone
	day  string    // 2026-03-02; "" for an instant
	zone string    // as the event has it; "" for most days
}

// moment reads a start or an end as a client sends it. which is "start" or
// "end", for the words.
func (c *call) moment(value any, which string, in *time.Location, zoneName string, recurs bool) (moment, *refusal) {
	m, _ := value.(map[string]any)
	date, instant, zone := kit.Text(m, "date"), kit.Text(m, "dateTime"), kit.Text(m, "timeZone")
	if (date == "") == (instant == "") {
		return moment{}, invalid("Invalid %s time.", which)
	}
	location := in
	if zone != "" {
		named, ok := c.zone(zone)
		if !ok {
			return moment{}, invalid("Invalid time zone definition for %s time.", which)
		}
		location = named
	}
	if date != "" {
		at, err := time.ParseInLocation(dateLayout, date, in)
		if err != nil {
			return moment{}, badRequest()
		}
		return moment{at: at, day: date, zone: zone}, nil
	}
	if zone == "" && recurs {
		return moment{}, invalid("Missing time zone definition for %s time.", which)
	}
	at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(instant))
	if err != nil {
		if at, err = time.ParseInLocation(localLayout, instant, location); err != nil {
			return moment{}, badRequest()
		}
		if zone == "" {
			return moment{}, invalid("Missing time zone definition for %s time.", which)
		}
	}
	if zone == "" {
		zone = zoneName
	}
	if year := at.Year(); year < 1 || year > 9999 {
		return moment{}, badRequest()
	}
	return moment{at: at.Truncate(time.Second), zone: zone}, nil
}

// kept is a moment as a record has it: instants in UTC.
func (m moment) kept() map[string]any { return m.shown(time.UTC) }

// shown is a moment as a reply has it.
func (m moment) shown(in *time.Location) map[string]any {
	value := map[string]any{}
	if m.day != "" {
		value["date"] = m.day
	} else {
		value["dateTime"] = m.at.In(in).Format(time.RFC3339)
	}
	if m.zone != "" {
		value["timeZone"] = m.zone
	}
	return value
}

// recorded reads a moment of a record; not ok where there is none.
func recorded(value any, in *time.Location) (moment, bool) {
	m, _ := value.(map[string]any)
	zone := kit.Text(m, "timeZone")
	if date := kit.Text(m, "date"); date != "" {
		at, err := time.ParseInLocation(dateLayout, date, in)
		return moment{at: at, day: date, zone: zone}, err == nil
	}
	at, err := time.Parse(time.RFC3339Nano, kit.Text(m, "dateTime"))
	return moment{at: at, zone: zone}, err == nil
}

// later is a moment some time after, by the days of the zone where it is a day.
func (m moment) shifted(start time.Time, length time.Duration) moment {
	if m.day == "" {
		return moment{at: start.Add(length), zone: m.zone}
	}
	at := start.AddDate(0, 0, int((length+12*time.Hour)/day))
	return moment{at: at, day: at.Format(dateLayout), zone: m.zone}
}

// instant reads a bound of a list: RFC 3339 with an offset, or nothing.
func (c *call) instant(parameter string) (time.Time, bool, *refusal) {
	text := c.query(parameter)
	if text == "" {
		return time.Time{}, false, nil
	}
	at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(strings.ReplaceAll(text, " ", "+"))) // a plus that was not escaped
	if err != nil {
		return time.Time{}, false, badRequest()
	}
	return at, true, nil
}
