package report

import (
	"fmt"
	"testing"
	"time"

	"parity/faults/trail"
)

// Of two runs that overlapped, or began a second apart, the times that services
// wrote down were told as differences, wherever both runs had seen either.
func TestTimesOfTheRunsClocksAreNoDifferences(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	run := func(after time.Duration) []trail.Event {
		var events []trail.Event
		for i := range 4 {
			at := start.Add(after + time.Duration(i)*time.Second)
			body := fmt.Sprintf(`{"created":%d,"updated":%q,"starts":"2026-03-05T10:00:00Z"}`, at.Unix(), at.Format(time.RFC3339))
			events = append(events, trail.Event{Seq: uint64(i + 1), Kind: trail.Exchanged, At: trail.At(at), Exchange: &trail.Exchange{ReplyBody: []byte(body)}}) //nolint:gosec // small
		}
		return events
	}
	a, b := run(0), run(time.Second)
	m := newMeanings(a, b)
	for i := range a {
		if told := m.tells(content(a[i].Exchange.ReplyBody), content(b[i].Exchange.ReplyBody)); len(told) > 0 {
			t.Errorf("answer %d differs in %v", i, told)
		}
	}

	later := newMeanings(append(a, run(0)...), append(b, trail.Event{Kind: trail.Exchanged, At: b[3].At, Exchange: &trail.Exchange{ReplyBody: []byte(`{"starts":"2026-03-05T11:00:00Z"}`)}}))
	if told := later.tells(map[string]any{"starts": "2026-03-05T10:00:00Z"}, map[string]any{"starts": "2026-03-05T11:00:00Z"}); len(told) != 1 {
		t.Errorf("an appointment that moved is not told: %v", told)
	}
}
