package sendgrid

import (
	"maps"
	"time"

	"parity/fakes/cast"
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

// getStats adds days up to what was asked for.
func getStats(c *call) (answer, *refusal) {
	start, err := time.Parse(day, c.query("start_date"))
	if err != nil {
		if c.query("start_date") == "" {
			return answer{}, invalid("start_date", "missing required argument")
		}
		return answer{}, invalid("start_date", "invalid start_date")
	}
	end := c.Now.UTC().Truncate(24 * time.Hour)
	if given := c.query("end_date"); given != "" {
		if end, err = time.Parse(day, given); err != nil {
			return answer{}, invalid("end_date", "invalid end_date")
		}
	}
	by := c.query("aggregated_by")
	switch by {
	case "", "day", "week", "month":
	default:
		return answer{}, invalid("aggregated_by", "aggregated_by must be one of day, week or month")
	}
	// A year and a bit is what is kept; more days than that are not listed.
	const most = 500
	limit, offset := c.count("limit", most), c.count("offset", 0)
	all, last := []any{}, ""
	for at, n := start, 0; !at.After(end) && n < 40*366; at, n = at.AddDate(0, 0, 1), n+1 {
		first := period(at, by, start).Format(day)
		if first != last {
			if last = first; len(all) == min(limit, most)+offset {
				break
			}
			all = append(all, emptyDay(first))
		}
		record, known := c.get(stats, at.Format(day))
		if !known {
			continue
		}
		sum := cast.Object(cast.Object(cast.List(cast.Object(all[len(all)-1])["stats"])[0])["metrics"])
		for metric, v := range cast.Object(record.Value()["metrics"]) {
			sum[metric] = cast.Int(sum[metric]) + cast.Int(v)
		}
	}
	return ok(all[min(max(offset, 0), len(all)):]), nil
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
	counts := make(map[string]any, len(metrics))
	for _, metric := range metrics {
		counts[metric] = int64(0)
	}
	return map[string]any{"date": date, "stats": []any{map[string]any{"metrics": counts}}}
}
