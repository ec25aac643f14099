package metrics

import "time"

// months is how many months are told apart, this one among them.
const months = 12

// Diverged tells on which days production failed after a rehearsal had passed,
// of the cases that are open at an instant. It replaces what was told before.
// Days of more than a year ago count as one month, "earlier", and those to come
// as "other", so that there are never more than 14 series.
func (m *Metrics) Diverged(now time.Time, days []time.Time) {
	now = now.UTC()
	first := time.Date(now.Year(), now.Month()-months+1, 1, 0, 0, 0, 0, time.UTC)
	counts := map[string]int{}
	for i := range months {
		counts[first.AddDate(0, i, 0).Format("2006-01")] = 0
	}
	for _, day := range days {
		month := day.UTC().Format("2006-01")
		switch _, known := counts[month]; {
		case known:
		case day.Before(first):
			month = "earlier"
		default:
			month = other
		}
		counts[month]++
	}
	m.divergences.Reset()
	for month, n := range counts {
		m.divergences.WithLabelValues(month).Set(float64(n))
	}
}
