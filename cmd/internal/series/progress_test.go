package series

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	begun := Progress{Of: 2, Running: 1, Budget: time.Minute, Spent: 1900 * time.Millisecond}
	one := Progress{Of: 2, Done: 1, Running: 1, Newest: &Done{Job: Job{Name: strings.Repeat("long ", 20)}}}
	over := Progress{Of: 2, Done: 2, Newest: &Done{Job: Job{Name: "two"}}}
	for terminal, want := range map[bool]string{
		true:  "\r\x1b[K0 of 2 runs done, 1 going on, 1s of 1m0s\r\x1b[K1 of 2 runs done, 1 going on   long long long long long long long long long lo…\r\x1b[K",
		false: "parity: 1 of 2  " + strings.Repeat("long ", 20) + "\nparity: 2 of 2  two\n",
	} {
		var out bytes.Buffer
		tell := ProgressTo(&out, terminal, func(d *Done) string { return d.Job.Name })
		for _, p := range []Progress{begun, one, over} {
			tell(p)
		}
		if out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}
