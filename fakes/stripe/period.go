package stripe

import "time"

// next gives the end of the period that begins at an instant: so many days,
// weeks, months or years on. Months end on their last day where they have none
// of the anchor's number. Source: docs.stripe.com/billing/subscriptions/billing-cycle.
func next(start, anchor int64, interval string, count int64) int64 {
	from, day := time.Unix(start, 0).UTC(), time.Unix(anchor, 0).UTC().Day()
	n := int(max(1, count))
	switch interval {
	case "day":
		return from.AddDate(0, 0, n).Unix()
	case "week":
		return from.AddDate(0, 0, 7*n).Unix()
	case "year":
		n *= 12
	}
	first := time.Date(from.Year(), from.Month()+time.Month(n), 1, from.Hour(), from.Minute(), from.Second(), 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(day, last)-1).Unix()
}

// shareLeft is how much of a period is left at an instant, from 0 to 1.
func shareLeft(start, end, at int64) float64 {
	if end <= start || at >= end {
		return 0
	}
	return float64(end-max(at, start)) / float64(end-start)
}
