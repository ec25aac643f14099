package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway/report"
)

// A record with a reply that nests as deep as a fault makes it could neither be
// written as JSON nor replayed.
func TestARecordWithADeepReplyIsReadable(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{3, 1000, 1001, 9_999, 10_000, 50_000} {
		body := strings.Repeat(`{"a\"{":`, depth) + `"{{[["` + strings.Repeat("}", depth)
		e := &trail.Event{Seq: 1, Kind: trail.Exchanged, Exchange: &trail.Exchange{ReplyBody: []byte(body)}}
		var line strings.Builder
		if err := report.Line(&line, e, nil); err != nil {
			t.Errorf("%d deep: %v", depth, err)
			continue
		}
		var shown struct {
			Exchange struct {
				ReplyBody json.RawMessage `json:"reply_body"`
			}
		}
		if err := json.Unmarshal([]byte(line.String()), &shown); err != nil {
			t.Errorf("%d deep: %v", depth, err)
			continue
		}
		if text := shown.Exchange.ReplyBody; len(text) == 0 || text[0] == '{' != (depth <= 1000) {
			t.Errorf("%d deep: shown as %.20s", depth, text)
		}
		other := *e
		other.Seq = 2
		if differ, err := report.EventDifferences(e, &other); err != nil || len(differ) != 1 {
			t.Errorf("%d deep: %v, %v", depth, differ, err)
		}
	}
}
