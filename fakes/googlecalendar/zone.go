package googlecalendar

import (
	"strconv"
	"strings"
	"time"
)

// zone reads a time zone: a name of the IANA's, or GMT with an offset, as old
// calendars have it. "Local" is none: it would be whatever this machine's is.
func (c *call) zone(name string) (*time.Location, bool) {
	if c.fake != nil {
		if usual, ok := c.fake.zones[name]; ok {
			return usual, true
		}
	}
	if known, ok := c.zones[name]; ok {
		return known, known != nil
	}
	location := loaded(name)
	c.zones[name] = location
	return location, location != nil
}

// usualZones are read once: to read one takes as long as a small call.
func usualZones() map[string]*time.Location {
	zones := map[string]*time.Location{}
	for _, name := range strings.Fields(`UTC Etc/UTC Europe/London Europe/Dublin Europe/Lisbon Europe/Madrid Europe/Paris Europe/Brussels Europe/Amsterdam
		Europe/Berlin Europe/Zurich Europe/Vienna Europe/Rome Europe/Prague Europe/Warsaw Europe/Stockholm Europe/Helsinki Europe/Athens Europe/Istanbul
		America/New_York America/Chicago America/Denver America/Los_Angeles America/Toronto America/Sao_Paulo America/Mexico_City
		Asia/Kolkata Asia/Dubai Asia/Singapore Asia/Shanghai Asia/Tokyo Australia/Sydney Africa/Lagos`) {
		if location := loaded(name); location != nil {
			zones[name] = location
		}
	}
	return zones
}

func loaded(name string) *time.Location {
	if name == "" || name == "Local" {
		return nil
	}
	if offset, ok := strings.CutPrefix(name, "GMT"); ok && len(offset) == 6 && offset[3] == ':' {
		hours, err := strconv.Atoi(offset[1:3])
		minutes, err2 := strconv.Atoi(offset[4:])
		if err != nil || err2 != nil || hours > 14 || minutes > 59 {
			return nil
		}
		east := (hours*60 + minutes) * 60
		switch offset[0] {
		case '-':
			return time.FixedZone(name, -east)
		case '+':
			return time.FixedZone(name, east)
		}
		return nil
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return location
}

// zoneOf is a calendar's own zone.
func (c *call) zoneOf(calendar map[string]any) *time.Location {
	zone, _ := calendar["timeZone"].(string)
	if location, ok := c.zone(zone); ok {
		return location
	}
	return time.UTC
}

// viewed is the zone in which a reply shows times: what was asked for, else the
// calendar's.
func (c *call) viewed(calendar map[string]any) (*time.Location, *refusal) {
	asked := c.query("timeZone")
	if asked == "" {
		return c.zoneOf(calendar), nil
	}
	location, ok := c.zone(asked)
	if !ok {
		return nil, parameter("timeZone", "invalidParameter", "Invalid time zone: "+asked)
	}
	return location, nil
}
