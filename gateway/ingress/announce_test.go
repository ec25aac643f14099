package ingress

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzAnnouncement holds the reader of PROXY headers to its bounds: it reads
// nothing behind the header, and gives only what the header holds.
func FuzzAnnouncement(f *testing.F) {
	f.Add([]byte(Announce("run", "token")))
	f.Add([]byte(proxySignature + "\x21\x11\x00\x0fabcdefghijkl\x04\x00\x00"))
	f.Add([]byte(proxySignature + "\x20\x11\x00\x00"))
	f.Fuzz(func(t *testing.T, header []byte) { // and what follows it
		whole := append(bytes.Clone(header), "GET / HTTP/1.1\r\n"...)
		r := bytes.NewReader(whole)
		run, err := readAnnouncement(r)
		read := len(whole) - r.Len()
		if read > 16+mostAnnounced {
			t.Fatalf("%d bytes were read", read)
		}
		if err != nil {
			if run != (Credentials{}) {
				t.Errorf("%+v with %v", run, err)
			}
			return
		}
		if length := 16 + int(whole[14])<<8 + int(whole[15]); read != length {
			t.Errorf("%d bytes were read of a header of %d", read, length)
		}
		if run.Sent && (run.Name == "" || strings.Contains(run.Name, ":") || !bytes.Contains(whole[:read], []byte(run.Name+":"+run.Token))) {
			t.Errorf("%+v out of %q", run, whole)
		}
	})
}

func TestAnnouncementIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []Credentials{{Name: "run1", Token: "secret"}, {Name: "a", Token: ""}, {Name: "a", Token: strings.Repeat("x", 4000)}} {
		c.Sent = true
		if got, err := readAnnouncement(bytes.NewReader(Announce(c.Name, c.Token))); got != c || err != nil {
			t.Errorf("%+v became %+v, %v", c, got, err)
		}
	}
}
