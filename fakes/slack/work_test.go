package slack_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A query of a hundred thousand words held its run for each of them and each
// message.
func TestSearchForVeryManyWordsEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 3 {
		r.post(general, strings.Repeat("numbers ", 4900))
	}
	r.Wait(time.Hour)
	var query strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&query, "-w%d ", i)
	}
	r.by(asUser, func(r rig) { r.Must(504, r.try("search.messages", "query", query.String())) })
}
