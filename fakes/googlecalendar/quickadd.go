package googlecalendar

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"parity/fakes/kit"
)

// quickAdd reads a line such as "Lunch with Ada at Café Central tomorrow
// 12pm-1pm". What it does not understand stays in the title; Google's own
// reading understands more.
func quickAdd(c *call, calendar map[string]any) (answer, *refusal) {
	text := strings.TrimSpace(c.query("text"))
	if text == "" {
		return answer{}, missing("Missing text.")
	}
	c.Input.Body = c.understood(text, calendar)
	return c.create(calendar, c.base32(26), "")
}

const clock = `(\d{1,2})(?::(\d{2}))?\s*(am|pm)`

// understood is the event that a line describes.
func (c *call) understood(text string, calendar map[string]any) map[string]any {
	in := c.zoneOf(calendar)
	today := c.Now.In(in)
	text, date, dated := dateIn(text, time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, in))
	text, start, end, timed := timesIn(text, date)
	text, place := placeIn(text)
	event := map[string]any{"summary": strings.Join(strings.Fields(strings.Trim(text, " ,")), " ")}
	if place != "" {
		event["location"] = place
	}
	zone := kit.Text(calendar, "timeZone")
	switch {
	case timed:
		if !dated && start.Before(today) {
			start, end = start.AddDate(0, 0, 1), end.AddDate(0, 0, 1)
		}
		event["start"] = map[string]any{"dateTime": start.Format(time.RFC3339), "timeZone": zone}
		event["end"] = map[string]any{"dateTime": end.Format(time.RFC3339), "timeZone": zone}
	default:
		event["start"] = map[string]any{"date": date.Format(dateLayout)}
		event["end"] = map[string]any{"date": date.AddDate(0, 0, 1).Format(dateLayout)}
	}
	return event
}

// without cuts a match out of a text.
func without(text string, at []int) string { return text[:at[0]] + " " + text[at[1]:] }

// dateIn finds a day: today, tomorrow, a weekday, 2026-03-02, June 3rd.
func dateIn(text string, today time.Time) (rest string, date time.Time, found bool) {
	if at := regexp.MustCompile(`(?i)\b(?:on )?(today|tomorrow)\b`).FindStringSubmatchIndex(text); at != nil {
		if strings.EqualFold(text[at[2]:at[3]], "tomorrow") {
			today = today.AddDate(0, 0, 1)
		}
		return without(text, at), today, true
	}
	if at := regexp.MustCompile(`\b(?:on )?(\d{4}-\d{2}-\d{2})\b`).FindStringSubmatchIndex(text); at != nil {
		if date, err := time.ParseInLocation(dateLayout, text[at[2]:at[3]], today.Location()); err == nil {
			return without(text, at), date, true
		}
	}
	months := regexp.MustCompile(`(?i)\b(?:on )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (\d{1,2})(?:st|nd|rd|th)?\b`)
	if at := months.FindStringSubmatchIndex(text); at != nil {
		month, err := time.Parse("Jan", strings.ToUpper(text[at[2]:at[2]+1])+strings.ToLower(text[at[2]+1:at[3]]))
		number, _ := strconv.Atoi(text[at[4]:at[5]])
		if err == nil && number >= 1 && number <= 31 {
			date := time.Date(today.Year(), month.Month(), number, 0, 0, 0, 0, today.Location())
			if date.Before(today) {
				date = date.AddDate(1, 0, 0)
			}
			return without(text, at), date, true
		}
	}
	if at := regexp.MustCompile(`(?i)\b(?:on |next )?(mon|tues|wednes|thurs|fri|satur|sun)day\b`).FindStringSubmatchIndex(text); at != nil {
		for n := 1; n <= 7; n++ {
			date := today.AddDate(0, 0, n)
			if strings.EqualFold(date.Weekday().String(), text[at[2]:at[3]]+"day") {
				return without(text, at), date, true
			}
		}
	}
	return text, today, false
}

// timesIn finds when on a day: 10am, 3:30pm, 10am-11am. An hour is usual.
func timesIn(text string, date time.Time) (rest string, start, end time.Time, found bool) {
	at := regexp.MustCompile(`(?i)\b(?:at |from )?` + clock + `(?:\s*(?:-|–|to|until)\s*` + clock + `)?\b`).FindStringSubmatchIndex(text)
	if at == nil {
		return text, date, date, false
	}
	group := func(n int) string {
		if at[2*n] < 0 {
			return ""
		}
		return text[at[2*n]:at[2*n+1]]
	}
	start = onDay(date, group(1), group(2), group(3))
	end = start.Add(time.Hour)
	if group(4) != "" {
		if end = onDay(date, group(4), group(5), group(6)); !start.Before(end) {
			end = end.AddDate(0, 0, 1)
		}
	}
	return without(text, at[:2]), start, end, true
}

func onDay(date time.Time, hours, minutes, half string) time.Time {
	hour, _ := strconv.Atoi(hours)
	minute, _ := strconv.Atoi(minutes)
	hour %= 12
	if strings.EqualFold(half, "pm") {
		hour += 12
	}
	return time.Date(date.Year(), date.Month(), date.Day(), hour, minute, 0, 0, date.Location())
}

// placeIn finds where: what follows the last "at".
func placeIn(text string) (rest, place string) {
	at := regexp.MustCompile(`(?i)\s+at\s+(\S.*)$`).FindStringSubmatchIndex(strings.TrimSpace(text))
	if at == nil || at[0] == 0 {
		return text, ""
	}
	text = strings.TrimSpace(text)
	return text[:at[0]], strings.Join(strings.Fields(text[at[2]:at[3]]), " ")
}
