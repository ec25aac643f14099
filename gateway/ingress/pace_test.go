package ingress_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"parity/gateway/ingress"
)

// A client that asks and never reads costs its connection, or its stream, once
// WriteTime is over.
func TestReadersThatNeverReadAreCut(t *testing.T) {
	t.Parallel()
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			shed := &sheds{}
			ended := make(chan error, 1)
			handler := func(w http.ResponseWriter, _ *http.Request) {
				piece, err := make([]byte, 256<<10), error(nil)
				for sent := 0; sent < 64<<20 && err == nil; sent += len(piece) {
					_, err = w.Write(piece)
				}
				ended <- err
			}
			p := open(t, setup{handler: handler, change: func(o *ingress.Options) { o.WriteTime, o.Shed = 250*time.Millisecond, shed.add }})
			c, base := p.client(w)
			resp, err := c.Get(base + "/")
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			select {
			case err := <-ended:
				if err == nil || shed.count(ingress.ShedReader) == 0 {
					t.Errorf("a reply that nobody read ended with %v, shed %v", err, shed.what)
				}
			case <-time.After(ample):
				t.Error("a client that never reads is still served")
			}
		})
	}
}

// What a fault waits for is no slow reader: the reply arrives whole, although it
// pauses for longer than WriteTime, before its head and inside its body.
func TestPausesOfAReplyAreNotCut(t *testing.T) {
	t.Parallel()
	const limit = 200 * time.Millisecond
	want := bytes.Repeat([]byte("0123456789abcdef"), 2<<10) // which a client need not read for it to be written
	pause := func() { <-time.After(limit + limit/4) }
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/send" {
			ingress.Send(w, r, ingress.Reply{Status: 200, Body: want, Ends: []int{1000, len(want)}, Pause: func(context.Context, int) { pause() }})
			return
		}
		pause()
		_, _ = w.Write(want[:10000])
		_ = http.NewResponseController(w).Flush()
		pause()
		_, _ = w.Write(want[10000:])
	}
	change := func(o *ingress.Options) { o.WriteTime = limit }
	eachWay(t, setup{handler: handler, change: change}, func(t *testing.T, _ *port, _ way, c *http.Client, base string) {
		for _, path := range []string{"/", "/send"} {
			resp, err := c.Get(base + path)
			if err != nil {
				t.Fatal(path, err)
			}
			got, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d of %d bytes: %v", path, len(got), len(want), err)
			}
		}
	})
}
