package metrics

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestDivergencesAreCountedByMonthAndMonthsAreBounded(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	now := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	var days []time.Time
	for i := range 1000 {
		days = append(days, now.AddDate(0, 0, -i))
	}
	m.Diverged(now, append(days, now.AddDate(0, 2, 0)))
	m.Diverged(now, []time.Time{now, now.AddDate(0, 0, -1), time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 11, 30, 0, 0, 0, 0, time.UTC)})
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text := w.Body.String()
	for _, want := range []string{`{month="2026-11"} 2`, `{month="2026-10"} 0`, `{month="2025-12"} 1`, `{month="earlier"} 1`} {
		if !strings.Contains(text, "parity_divergences"+want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(text, "parity_divergences{"); n != 13 { // and nothing of what was told before
		t.Errorf("%d series", n)
	}
}
