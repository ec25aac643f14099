package sendgrid

import (
	"maps"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// metrics are what is counted of each day.
var metrics = []string{
	"blocks", "bounce_drops", "bounces", "clicks", "deferred", "delivered", "invalid_emails", "opens", "processed", "requests",
	"spam_report_drops", "spam_reports", "unique_clicks", "unique_opens", "unsubscribe_drops", "unsubscribes",
}

const day = "2006-01-02"

// bump counts something of today.
func (c *call) bump(metric string, n int64) {
	id := c.Now.UTC().Format(day)
	counts := map[string]any{}
	if record, known := c.get(stats, id); known {
		counts = maps.Clone(cast.Object(record.Value()["metrics"]))
	}
	counts[metric] = cast.Int(counts[metric]) + n
	c.put(stats, id, map[string]any{"id": id, "metrics": counts})
}

// bumpFor counts something of today, for the account and for each category of
// the mail that it is about.
func (c *call) bumpFor(mail map[string]any, metric string, n int64) {
	c.bump(metric, n)
	for _, one := range cast.List(mail["categories"]) {
		category := cast.Text(one)
		if category == "" {
			continue
		}
		if _, known := c.get(categories, category); !known {
			c.put(categories, category, map[string]any{"id": category, "category": category})
		}
		id := c.Now.UTC().Format(day) + "/" + category
		counts := map[string]any{}
		if record, known := c.Tx.Get(categoryStats, id); known {
			counts = maps.Clone(cast.Object(record.Value()["metrics"]))
		}
		counts[metric] = cast.Int(counts[metric]) + n
		c.keep(categoryStats, id, map[string]any{"id": id, "metrics": counts})
	}
}

// A span is the days that statistics are asked for, and how they are added up.
type span struct {
	start, end    time.Time
	by            string
	limit, offset int
}

// span reads which days statistics are asked for.
func (c *call) span() (s span, refused *refusal) {
	start, err := time.Parse(day, c.query("start_date"))
	if err != nil {
		if c.query("start_date") == "" {
			return s, invalid("start_date", "missing required argument")
		}
		return s, invalid("start_date", "invalid start_date")
	}
	end := c.Now.UTC().Truncate(24 * time.Hour)
	if given := c.query("end_date"); given != "" {
		if end, err = time.Parse(day, given); err != nil {
			return s, invalid("end_date", "invalid end_date")
		}
	}
	switch c.query("aggregated_by") {
	case "", "day", "week", "month":
	default:
		return s, invalid("aggregated_by", "aggregated_by must be one of day, week or month")
	}
	return span{start, end, c.query("aggregated_by"), c.count("limit", mostDays), max(c.count("offset", 0), 0)}, nil
}

// A year and a bit is what is kept; more days than that are not listed.
const mostDays = 500

// add gives the days, weeks or months of a span, each with what begin makes of
// its first day and count adds of each of its days.
func (s span) add(begin func(date string) map[string]any, count func(shown map[string]any, date string)) []any {
	all, last := []any{}, ""
	for at, n := s.start, 0; !at.After(s.end) && n < 40*366; at, n = at.AddDate(0, 0, 1), n+1 {
		first := period(at, s.by, s.start).Format(day)
		if first != last {
			if last = first; len(all) == min(s.limit, mostDays)+s.offset {
				break
			}
			all = append(all, begin(first))
		}
		count(cast.Object(all[len(all)-1]), at.Format(day))
	}
	return all[min(s.offset, len(all)):]
}

// addUp adds the numbers of a record to those that are shown.
func addUp(sum map[string]any, record *world.Record, known bool) {
	if !known {
		return
	}
	for metric, v := range cast.Object(record.Value()["metrics"]) {
		sum[metric] = cast.Int(sum[metric]) + cast.Int(v)
	}
}

// getStats adds days up to what was asked for.
func getStats(c *call) (answer, *refusal) {
	s, refused := c.span()
	if refused != nil {
		return answer{}, refused
	}
	return ok(s.add(emptyDay, func(shown map[string]any, date string) {
		record, known := c.get(stats, date)
		addUp(cast.Object(cast.Object(cast.List(shown["stats"])[0])["metrics"]), record, known)
	})), nil
}

// period is the first day of the week or month of a day.
func period(at time.Time, by string, start time.Time) time.Time {
	switch by {
	case "week":
		at = at.AddDate(0, 0, -(int(at.Weekday())+6)%7)
	case "month":
		at = at.AddDate(0, 0, 1-at.Day())
	}
	if at.Before(start) {
		return start
	}
	return at
}

func emptyDay(date string) map[string]any {
	return map[string]any{"date": date, "stats": []any{map[string]any{"metrics": noCounts()}}}
}

func noCounts() map[string]any {
	counts := make(map[string]any, len(metrics))
	for _, metric := range metrics {
		counts[metric] = int64(0)
	}
	return counts
}
