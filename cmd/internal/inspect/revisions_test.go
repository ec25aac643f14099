package inspect

import (
	"strings"
	"testing"
	"time"

	"parity/gateway/client"
	"parity/profiles"
)

func TestTheLogOfAProfile(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 2, 13, 0, 0, 0, time.UTC)
	var said strings.Builder
	err := PrintLog(&said, []client.Record{
		{At: at, File: "p.yaml", Revision: "aa", How: profiles.Opened},
		{At: at.Add(time.Minute), File: "p.yaml", Revision: "bb", How: "saved"},
		{At: at.Add(2 * time.Minute), File: "p.yaml", How: profiles.RefusedNow, Problems: []string{"p.yaml:1:1: wrong"}},
	})
	for _, want := range []string{"refused: 1 problem\n    p.yaml:1:1: wrong\n", "aa  opened, in force until 2026-03-02 13:01:00\n", "bb  saved\n"} {
		if err != nil || !strings.Contains(said.String(), want) {
			t.Errorf("it does not say %q: %v\n%s", want, err, said.String())
		}
	}
}
