package stripe

import (
	"time"

	"parity/fakes/cast"
)

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

// through gives the end of the period that begins at an instant, where the
// anchor may lie ahead: then the period leads up to a day of the anchor's.
func through(start, anchor int64, interval string, count int64) int64 {
	whole := next(start, start, interval, count)
	for anchor > whole {
		anchor = before(anchor, interval, count)
	}
	if anchor > start {
		return anchor
	}
	return next(start, anchor, interval, count)
}

// before gives where the period begins that ends at an instant.
func before(end int64, interval string, count int64) int64 {
	to, n := time.Unix(end, 0).UTC(), int(max(1, count))
	switch interval {
	case "day":
		return to.AddDate(0, 0, -n).Unix()
	case "week":
		return to.AddDate(0, 0, -7*n).Unix()
	case "year":
		n *= 12
	}
	first := time.Date(to.Year(), to.Month()-time.Month(n), 1, to.Hour(), to.Minute(), to.Second(), 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(to.Day(), last)-1).Unix()
}

// shareBilled is how much of a whole period an item of a subscription is billed
// for: less than 1 where the period leads up to the billing cycle's anchor, or
// ends early because the subscription does.
func shareBilled(subscription, item map[string]any) float64 {
	start, end := whole(item["current_period_start"]), whole(item["current_period_end"])
	often := cast.Object(cast.Object(item["price"])["recurring"])
	share := 1.0
	if natural := before(end, cast.Text(often["interval"]), whole(often["interval_count"])); whole(subscription["billing_cycle_anchor"]) >= end && natural < start {
		share = float64(end-start) / float64(end-natural)
	}
	if stop := whole(subscription["cancel_at"]); stop > start && stop < end {
		share *= 1 - shareLeft(start, end, stop)
	}
	return share
}

// shareLeft is how much of a period is left at an instant, from 0 to 1.
func shareLeft(start, end, at int64) float64 {
	if end <= start || at >= end {
		return 0
	}
	return float64(end-max(at, start)) / float64(end-start)
}
