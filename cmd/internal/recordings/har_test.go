package recordings

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"testing"
)

// recordedAs gives a body as a recorder writes one that it took off the wire.
func recordedAs(t *testing.T, body []byte) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// A recording of 400 KB may not take gigabytes: a body inflates within the limits
// of a request's, and all of them within what a recording may have.
func TestRecordedBodiesInflateWithinLimits(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(rand.N(256))
	}
	text := []byte(hex.EncodeToString(noise)) // two to one, and 2 MiB
	room := int64(5 << 20)
	e := entry{room: &room}
	for _, test := range []struct {
		name string
		body []byte
		want bool
	}{
		{"ordinary", text, true}, {"a bomb", make([]byte, 9<<20), false}, {"again", text, true}, {"beyond the room for all", text, false}, {"when there is none", []byte("{}"), false},
	} {
		got := e.unpacked(recordedAs(t, test.body), "base64")
		if (got == string(test.body)) != test.want || len(got) > len(text) {
			t.Errorf("%s: %d bytes of %d", test.name, len(got), len(test.body))
		}
	}
	if room != 0 {
		t.Errorf("%d bytes of room are left", room)
	}
}
