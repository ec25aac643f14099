package client

import (
	"strings"
	"testing"
)

// Whatever comes, reading it ends, and gives only what an empty line has ended.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{"", "id: 1\nevent: exchange\ndata: {}\n\n", ": x\n\ndata\n\n", "data: a\ndata: b\n\n", "\xef\xbb\xbfdata: a\r\n\r\n", "data: cut", ": a\ndata: b\n\r", "data: a\r\rdata: b\r\n\r\n", "data: a\n\ndata: cut\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		for m, err := range messages(strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			if m.data == nil || strings.ContainsAny(m.id+m.name, "\n") {
				t.Errorf("%q gives %+v", text, m)
			}
			n++
		}
		ended := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text) // each of them ends a line
		if most := strings.Count(ended, "\n\n"); n > most {
			t.Errorf("%q gives %d messages, and ends at most %d", text, n, most)
		}
	})
}
